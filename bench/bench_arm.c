/* A robot arm in a room: 8 links of 2k triangles, an environment of 100k. For each configuration of a
 * planner: does the arm meet the environment, does it come nearer than 2 cm, how far is it away? Configurations
 * are random ones, or those along edges, a step after the other. One call per configuration, on an
 * environment with a clearance, is compared with one call per link on trees as they are built. */
#include "benches.h"
#include "inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 8, EDGE_STEPS = 20 };
static const double LINK_LENGTH = 0.16, MARGIN = 0.02;

typedef struct arm_input {
    bws_mesh link, room;
    bw_mesh view_link, view_room;
    uint32_t count; /* configurations */
    bw_transform (*poses)[LINKS];
    bool edges;
} arm_input;

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

/* ---- the room ---- */

static void join(bws_mesh *room, bws_mesh *part, const bw_transform *pose)
{
    bws_mesh both;
    bws_mesh_transform(part, pose);
    require(bws_mesh_join(room, part, &both));
    bws_mesh_free(part);
    bws_mesh_free(room);
    *room = both;
}

/* A table under the arm, and things on and above it, all around. */
static bws_mesh make_room(uint32_t triangles)
{
    bws_mesh room;
    const uint32_t things = 24, each = triangles * 8 / 10 / things, side = (uint32_t)sqrt(triangles * 0.1);
    require(bws_sheet(
        &(bws_sheet_desc){
            .columns = side, .rows = side, .size = 3.0, .amplitude = 0.02, .origin = {0.0, 0.0, -0.15}},
        0.0, BW_F32, &room));
    for (uint32_t i = 0; i < things; i++) {
        bws_mesh part = input_shapes[i % 3].make(each, i);
        const double angle = 2.39996 * i, away = 0.35 + 0.12 * (i % 5);
        const double size = 0.12 + 0.02 * (i % 3);
        join(&room, &part,
             &(bw_transform[]){
                 bw_transform_compose((bw_vec3){away * cos(angle), away * sin(angle), 0.1 + 0.25 * (i % 4)},
                                      (bw_vec3){1.0, i, 2.0}, i, (bw_vec3){size, size, size})}[0]);
    }
    return room;
}

/* ---- the arm ---- */

static bw_transform joint(uint32_t i, double angle)
{
    const bw_vec3 axis = i % 2 == 0 ? (bw_vec3){0.0, 0.0, 1.0} : (bw_vec3){0.0, 1.0, 0.0};
    return bw_transform_compose((bw_vec3){0.0, 0.0, i == 0 ? 0.0 : LINK_LENGTH}, axis, angle,
                                (bw_vec3){1.0, 1.0, 1.0});
}

static void place_links(const double angles[LINKS], bw_transform poses[LINKS])
{
    for (uint32_t i = 0; i < LINKS; i++) {
        const bw_transform local = joint(i, angles[i]);
        poses[i] = i == 0 ? local : bw_transform_multiply(&poses[i - 1], &local);
    }
}

static arm_input make_input(uint32_t count, uint32_t room_triangles, uint32_t link_triangles, bool edges)
{
    arm_input in = {.count = count, .edges = edges, .poses = bench_alloc(count, sizeof *in.poses)};
    in.link = input_bumpy(link_triangles, 7);
    bws_mesh_transform(&in.link, &(bw_transform){{{0.05, 0, 0, 0}, {0, 0.05, 0, 0}, {0, 0, 0.1, 0.08}}});
    in.room = make_room(room_triangles);
    in.view_link = bws_view(&in.link);
    in.view_room = bws_view(&in.room);
    bws_random random = bws_random_seeded(11);
    double from[LINKS], to[LINKS] = {0}, angles[LINKS];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t step = edges ? i % EDGE_STEPS : 0;
        for (uint32_t k = 0; k < LINKS; k++) {
            if (step == 0) {
                const double reach = k == 0 ? 3.1 : 1.0;
                from[k] = bws_random_double(&random, -reach, reach);
                to[k] = from[k] + bws_random_double(&random, -0.5, 0.5);
            }
            angles[k] = from[k] + (to[k] - from[k]) * step / EDGE_STEPS;
        }
        place_links(angles, in.poses[i]);
    }
    return in;
}

static void free_input(arm_input *in)
{
    bws_mesh_free(&in->link);
    bws_mesh_free(&in->room);
    free(in->poses);
}

/* ---- one call per link ---- */

typedef struct arm {
    const arm_input *in;
    bw_tree *link, *room;
} arm;

static bw_tree *build(const bw_mesh *mesh, bool distances, bool clearance)
{
    bw_tree *tree;
    require(bw_tree_create(NULL, mesh, &tree, NULL));
    if (distances)
        require(bw_tree_prepare_distances(tree, mesh, NULL, NULL));
    if (clearance)
        require(bw_tree_prepare_clearance(tree, mesh, 0, NULL, NULL));
    return tree;
}

static void destroy_arm(void *self)
{
    arm *a = self;
    bw_tree_destroy(a->link);
    bw_tree_destroy(a->room);
    free(a);
}

static bw_body link_of(const arm *o, uint32_t i, uint32_t k)
{
    return (bw_body){o->link, &o->in->view_link, &o->in->poses[i][k]};
}

static bw_body room_of(const arm *o)
{
    return (bw_body){o->room, &o->in->view_room, NULL};
}

static uint64_t collide_links(const arm *o, double separation)
{
    const bw_body room = room_of(o);
    const bw_collide_desc desc = {.separation = separation};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < o->in->count; i++) {
        bw_collide_report report = {0};
        for (uint32_t k = 0; k < LINKS && report.hit_count == 0; k++) {
            const bw_body link = link_of(o, i, k);
            require(bw_collide(&room, &link, &desc, &report, NULL));
        }
        sum += report.hit_count > 0;
    }
    return sum;
}

static uint64_t single_collisions(void *self)
{
    return collide_links(self, 0.0);
}

static uint64_t single_separations(void *self)
{
    return collide_links(self, MARGIN);
}

static bool first(void *user, const bw_near *pair)
{
    (void)pair;
    *(bool *)user = true;
    return false;
}

static uint64_t single_within(void *self)
{
    const arm *o = self;
    const bw_body room = room_of(o);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < o->in->count; i++) {
        bool near = false;
        const bw_within_desc desc = {.distance = MARGIN, .on_pair = first, .user = &near};
        for (uint32_t k = 0; k < LINKS && !near; k++) {
            const bw_body link = link_of(o, i, k);
            bw_within_report report = {0};
            require(bw_within(&room, &link, &desc, &report, NULL));
        }
        sum += near;
    }
    return sum;
}

static uint64_t rounded(double sum)
{
    return (uint64_t)llround(1e4 * sum);
}

static uint64_t single_distances(void *self)
{
    const arm *o = self;
    const bw_body room = room_of(o);
    double sum = 0.0;
    for (uint32_t i = 0; i < o->in->count; i++) {
        double least = INFINITY;
        for (uint32_t k = 0; k < LINKS; k++) {
            const bw_body link = link_of(o, i, k);
            bw_distance_report report = {0};
            require(bw_distance(&room, &link, NULL, &report, NULL));
            least = fmin(least, report.distance);
        }
        sum += least;
    }
    return rounded(sum);
}

/* The same, each link only as far as the nearest so far: what a careful caller of single queries does. */
static uint64_t bounded_distances(void *self)
{
    const arm *o = self;
    const bw_body room = room_of(o);
    double sum = 0.0;
    for (uint32_t i = 0; i < o->in->count; i++) {
        double least = INFINITY;
        for (uint32_t k = 0; k < LINKS && least > 0.0; k++) {
            const bw_body link = link_of(o, i, k);
            bw_distance_report report = {0};
            require(bw_distance(&room, &link, &(bw_distance_desc){.max_distance = k == 0 ? 0.0 : least},
                                &report, NULL));
            least = fmin(least, report.distance);
        }
        sum += least;
    }
    return rounded(sum);
}

/* ---- one call per configuration ---- */

static void pair_links(const arm *o, uint32_t i, bw_body_pair pairs[LINKS])
{
    for (uint32_t k = 0; k < LINKS; k++)
        pairs[k] = (bw_body_pair){room_of(o), link_of(o, i, k)};
}

/* As many configurations as there are in an edge at once. */
static uint64_t collide_groups(const arm *o, double separation)
{
    bw_body_pair pairs[EDGE_STEPS * LINKS];
    bw_collide_answer answers[EDGE_STEPS];
    const bw_collide_many_desc desc = {
        .group_size = LINKS, .separation = separation, .coherent = o->in->edges};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < o->in->count; i += EDGE_STEPS) {
        bw_collide_many_report report = {0};
        for (uint32_t k = 0; k < EDGE_STEPS; k++)
            pair_links(o, i + k, pairs + (size_t)k * LINKS);
        require(bw_collide_many(pairs, EDGE_STEPS * LINKS, &desc, answers, &report, NULL));
        sum += report.hit_count;
    }
    return sum;
}

static uint64_t many_collisions(void *self)
{
    return collide_groups(self, 0.0);
}

static uint64_t many_separations(void *self)
{
    return collide_groups(self, MARGIN);
}

static uint64_t many_distances(void *self)
{
    const arm *o = self;
    bw_body_pair pairs[EDGE_STEPS * LINKS];
    bw_distance_answer answers[EDGE_STEPS];
    const bw_distance_many_desc desc = {.group_size = LINKS, .coherent = o->in->edges};
    double sum = 0.0;
    for (uint32_t i = 0; i < o->in->count; i += EDGE_STEPS) {
        for (uint32_t k = 0; k < EDGE_STEPS; k++)
            pair_links(o, i + k, pairs + (size_t)k * LINKS);
        require(bw_distance_many(pairs, EDGE_STEPS * LINKS, &desc, answers, NULL, NULL));
        for (uint32_t k = 0; k < EDGE_STEPS; k++) {
            require(answers[k].result);
            sum += answers[k].distance;
        }
    }
    return rounded(sum);
}

/* ---- cases ---- */

/* distances, clearance: what the trees, or the room, are prepared for. */
static void add(bench_case *c, const arm_input *in, const char *name, uint64_t (*run)(void *), bool distances,
                bool clearance)
{
    if (!bench_case_wants(c, name))
        return;
    arm *a = bench_alloc(1, sizeof *a);
    *a = (arm){.in = in,
               .link = build(&in->view_link, distances, false),
               .room = build(&in->view_room, distances, clearance)};
    bench_case_add(
        c, (bench_impl){.name = name,
                        .self = a,
                        .run = run,
                        .destroy = destroy_arm,
                        .exact = true,
                        .over = run != single_collisions && run != single_within && run != single_distances
                                    ? "boxwood-singles"
                                    : NULL});
}

static void run_case(bench *b, const char *question, bool edges)
{
    const uint32_t room = bench_quick(b) ? 5000 : 100000, link = bench_quick(b) ? 200 : 2000;
    const bool distance = strcmp(question, "distance") == 0;
    const uint32_t count = (distance ? 400u : 4000u) / (bench_quick(b) ? 20u : 1u);
    bench_case *c =
        bench_case_begin(b, bench_format("%s-%s", question, edges ? "edges" : "random").text, room, count);
    if (c == NULL)
        return;
    arm_input in = make_input(count, room, link, edges);
    if (distance) {
        add(c, &in, "boxwood-singles", single_distances, false, false);
        add(c, &in, "boxwood-bounded", bounded_distances, true, false);
        add(c, &in, "boxwood", many_distances, true, true);
    } else if (strcmp(question, "margin") == 0) {
        add(c, &in, "boxwood-singles", single_within, false, false);
        add(c, &in, "boxwood-separation", single_separations, false, false);
        add(c, &in, "boxwood", many_separations, false, true);
    } else {
        add(c, &in, "boxwood-singles", single_collisions, false, false);
        add(c, &in, "boxwood", many_collisions, false, true);
    }
    bench_case_measure(c);
    bench_case_end(c);
    free_input(&in);
}

void bench_arm(bench *b)
{
    for (int edges = 0; edges < 2; edges++) {
        run_case(b, "collision", edges);
        run_case(b, "margin", edges);
        run_case(b, "distance", edges);
    }
}
