/* Contacts with their geometry, beside the hits alone: points, normals and regions; with the volume of the
 * overlap; with depth. The same mesh twice, the second turned and moved, at several poses. */
#include "benches.h"
#include "inputs.h"

#include <stdlib.h>

enum { CAPACITY = 1 << 17, POSES = 8 };

typedef struct ours {
    bw_mesh mesh;
    bw_tree *tree;
    bw_hit *hits;
    bw_contact *contacts; /* NULL: hits alone */
    bool depth, volume;
    bw_transform poses[POSES];
} ours;

static uint64_t run(void *self)
{
    const ours *o = self;
    uint64_t found = 0;
    for (int i = 0; i < POSES; i++) {
        const bw_body a = {o->tree, &o->mesh, NULL}, b = {o->tree, &o->mesh, &o->poses[i]};
        bw_result result;
        if (o->contacts == NULL) {
            bw_collide_report report = {0};
            result = bw_collide(
                &a, &b, &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .hits = o->hits, .hit_capacity = CAPACITY},
                &report, NULL);
            bench_require(report.status == BW_DONE, "more hits than the bench has room for");
            found += report.hit_count;
        } else {
            bw_contacts_report report = {0};
            result = bw_contacts(&a, &b, &(bw_contacts_desc){.depth = o->depth, .volume = o->volume},
                                 o->contacts, CAPACITY, &report, NULL);
            bench_require(report.status == BW_DONE, "more contacts than the bench has room for");
            found += report.contact_count;
        }
        bench_require(result == BW_OK, bw_result_string(result));
    }
    return found;
}

static void destroy(void *self)
{
    ours *o = self;
    bw_tree_destroy(o->tree);
    free(o->hits);
    free(o->contacts);
    free(o);
}

static void add(bench_case *c, const char *name, const bw_mesh *mesh, bool contacts, bool volume, bool depth)
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){.mesh = *mesh, .volume = volume, .depth = depth};
    o->hits = bench_alloc(CAPACITY, sizeof *o->hits);
    if (contacts)
        o->contacts = bench_alloc(CAPACITY, sizeof *o->contacts);
    bench_require(bw_tree_create(NULL, mesh, &o->tree, NULL) == BW_OK, "no tree");
    for (int i = 0; i < POSES; i++) /* from near each other to just touching */
        o->poses[i] = bw_transform_compose((bw_vec3){0.3 + 0.2 * i, 0.1 * i, 0.05}, (bw_vec3){1, 2, 3},
                                           0.4 + 0.3 * i, (bw_vec3){1, 1, 1});
    bench_case_add(c, (bench_impl){.name = name, .self = o, .run = run, .destroy = destroy, .exact = true});
}

static void run_case(bench *b, const input_shape *shape, uint32_t size)
{
    const bench_label label = bench_size_label(size);
    bench_case *c = bench_case_begin(b, bench_format("%s-%s", shape->name, label.text).text, size, POSES);
    if (c == NULL)
        return;
    bws_mesh mesh = shape->make(size, 1);
    const bw_mesh view = bws_view(&mesh);
    add(c, "hits", &view, false, false, false);
    add(c, "contacts", &view, true, false, false);
    add(c, "volume", &view, true, true, false);
    add(c, "depth", &view, true, true, true);
    bench_case_measure(c);
    bench_case_end(c);
    bws_mesh_free(&mesh);
}

void bench_contacts(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++)
        for (int shape = 0; shape < INPUT_SHAPES; shape++)
            run_case(b, &input_shapes[shape], sizes[i]);
}
