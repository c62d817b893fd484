/* The benches, one file each. */
#ifndef BENCH_BENCHES_H
#define BENCH_BENCHES_H

#include "runner.h"

typedef struct bench_entry {
    const char *name, *what;
    void (*run)(bench *b);
} bench_entry;

/* In the order in which `all` runs them; ends with a NULL name. */
extern const bench_entry bench_entries[];

void bench_predicates(bench *b);
void bench_build(bench *b);
void bench_refit(bench *b);
void bench_rigid_any(bench *b);
void bench_rigid_all(bench *b);
void bench_deform_pair(bench *b);
void bench_contacts(bench *b);
void bench_self(bench *b);
void bench_shapes(bench *b);
void bench_arm(bench *b);
void bench_poses(bench *b);
void bench_distance(bench *b);
void bench_contains(bench *b);
void bench_ray(bench *b);
void bench_bergen(bench *b);
void bench_kinetic_update(bench *b);
void bench_kinetic_pair(bench *b);
void bench_kinetic_plans(bench *b);
void bench_kinetic_spheres(bench *b);
void bench_kinetic_total(bench *b);
void bench_kinetic_queue(bench *b);
void bench_kinetic_growth(bench *b);
void bench_anytime(bench *b);
void bench_ccd_query(bench *b);
void bench_ccd_scene(bench *b);
void bench_scene(bench *b);
void bench_heuristics(bench *b);
void bench_pairs(bench *b);
void bench_world_step(bench *b);
void bench_frustum(bench *b);
void bench_occlusion(bench *b);

#endif
