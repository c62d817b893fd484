/* Pairs of convex shapes, about half of which meet: do they, where and how deep, and how far apart are they. */
#include "benches.h"
#include "peers/shape_peers.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>

enum { HULLS = 3 };

typedef struct pair_input {
    const bw_shape *a, *b;
    bw_transform *poses_a, *poses_b;
    uint32_t count;
    bw_shape_peer_query query;
} pair_input;

/* ---- ours ---- */

typedef struct ours {
    const pair_input *in;
    bw_shape_cache *caches; /* one per pair, kept from run to run; NULL: none */
    uint32_t max_points;
} ours;

static uint64_t run_ours(void *self)
{
    const ours *o = self;
    const pair_input *in = o->in;
    uint64_t meet = 0;
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < in->count; i++) {
        const bw_placed_shape a = {in->a, &in->poses_a[i]}, b = {in->b, &in->poses_b[i]};
        const bw_shape_desc desc = {.max_points = o->max_points,
                                    .cache = o->caches == NULL ? NULL : &o->caches[i]};
        bw_contact_kind kind = BW_CONTACT_NONE;
        bw_shape_contact contact;
        bw_shape_nearest nearest;
        switch (in->query) {
        case BW_PEER_OVERLAP:
            result = bw_shape_overlap(&a, &b, &kind, NULL);
            meet += kind != BW_CONTACT_NONE;
            break;
        case BW_PEER_CONTACT:
            result = bw_shape_contact_pair(&a, &b, &desc, &contact, NULL);
            meet += contact.kind != BW_CONTACT_NONE;
            break;
        default:
            result = bw_shape_distance(&a, &b, &desc, &nearest, NULL);
            meet += nearest.distance == 0;
        }
        bench_require(result == BW_OK, bw_result_string(result));
    }
    return meet;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    free(o->caches);
    free(o);
}

static void add_ours(bench_case *c, const pair_input *in, const char *name, bool warm, uint32_t max_points)
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    o->in = in;
    o->max_points = max_points;
    o->caches = warm ? bench_alloc(in->count, sizeof *o->caches) : NULL;
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = run_ours,
                                   .destroy = destroy_ours,
                                   .exact = true,
                                   .over = warm || max_points != 0 ? "boxwood" : NULL});
}

/* ---- theirs ---- */

typedef struct theirs {
    const pair_input *in;
    const bw_shape_peer *peer;
    void *a, *b;
} theirs;

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    const pair_input *in = t->in;
    return t->peer->run(t->a, in->poses_a, t->b, in->poses_b, in->count, in->query);
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->a);
    t->peer->destroy(t->b);
    free(t);
}

static void add_theirs(bench_case *c, const pair_input *in, const bw_shape_peer *peer)
{
    if (!bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){in, peer, peer->create(in->a), peer->create(in->b)};
    bench_require(t->a != NULL && t->b != NULL, "a peer cannot take the shape");
    bench_case_add(c,
                   (bench_impl){.name = peer->name, .self = t, .run = run_theirs, .destroy = destroy_theirs});
}

/* ---- cases ---- */

/* Points on a sphere, so that all are corners. */
static bw_hull *make_hull(uint32_t count, uint64_t seed)
{
    bws_random random = bws_random_seeded(seed);
    bw_vec3 *points = bench_alloc(count, sizeof *points);
    bw_hull *hull = NULL;
    for (uint32_t i = 0; i < count;) {
        const bw_vec3 p = {bws_random_double(&random, -1, 1), bws_random_double(&random, -1, 1),
                           bws_random_double(&random, -1, 1)};
        const double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        if (length > 0.1 && length < 1)
            points[i++] = (bw_vec3){p.x / length, p.y / length, p.z / length};
    }
    const bw_result result = bw_hull_create(NULL, points, count, &hull, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    free(points);
    return hull;
}

static bw_transform random_pose(bws_random *random, double reach)
{
    const bw_vec3 at = {bws_random_double(random, -reach, reach), bws_random_double(random, -reach, reach),
                        bws_random_double(random, -reach, reach)};
    const bw_vec3 axis = {bws_random_double(random, -1, 1), bws_random_double(random, -1, 1), 1.1};
    return bw_transform_compose(at, axis, bws_random_double(random, -3, 3), (bw_vec3){1, 1, 1});
}

static void run_case(bench *b, const char *name, const bw_shape *first, const bw_shape *second,
                     bw_shape_peer_query query)
{
    const uint32_t count = bench_quick(b) ? 50 : 1000;
    bench_case *c = bench_case_begin(b, name, count, count);
    if (c == NULL)
        return;
    pair_input in = {.a = first, .b = second, .count = count, .query = query};
    bws_random random = bws_random_seeded(5);
    in.poses_a = bench_alloc(count, sizeof *in.poses_a);
    in.poses_b = bench_alloc(count, sizeof *in.poses_b);
    for (uint32_t i = 0; i < count; i++) {
        in.poses_a[i] = random_pose(&random, 1.0);
        in.poses_b[i] = random_pose(&random, 1.0);
    }
    add_ours(c, &in, "boxwood", false, 0);
    if (query == BW_PEER_CONTACT) /* as peers give it: one point, but of two boxes */
        add_ours(c, &in, "boxwood-point", false, 1);
    if (query != BW_PEER_OVERLAP)
        add_ours(c, &in, "boxwood-cache", true, 0);
    for (size_t i = 0; bench_peers(b) && bw_shape_peers[i] != NULL; i++)
        add_theirs(c, &in, bw_shape_peers[i]);
    bench_case_measure(c);
    bench_case_end(c);
    free(in.poses_a);
    free(in.poses_b);
}

void bench_shapes(bench *b)
{
    static const uint32_t corners[HULLS] = {12, 30, 200};
    static const char *const queries[] = {"overlap", "contact", "distance"};
    bw_hull *hulls[HULLS];
    bw_shape shapes[3 + HULLS] = {{.kind = BW_SHAPE_SPHERE, .radius = 0.8},
                                  {.kind = BW_SHAPE_CAPSULE, .radius = 0.4, .half = {0, 0, 0.7}},
                                  {.kind = BW_SHAPE_BOX, .half = {0.5, 0.6, 0.7}}};
    static const char *const names[] = {"sphere", "capsule", "box", "hull12", "hull30", "hull200"};
    static const int pairs[][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2},
                                   {0, 4}, {2, 4}, {3, 3}, {4, 4}, {5, 5}};
    for (int i = 0; i < HULLS; i++) {
        hulls[i] = make_hull(corners[i], 7 + (uint64_t)i);
        shapes[3 + i] = (bw_shape){.kind = BW_SHAPE_HULL, .hull = hulls[i]};
    }
    for (int query = BW_PEER_OVERLAP; query <= BW_PEER_DISTANCE; query++)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            run_case(b, bench_format("%s-%s-%s", queries[query], names[pairs[i][0]], names[pairs[i][1]]).text,
                     &shapes[pairs[i][0]], &shapes[pairs[i][1]], (bw_shape_peer_query)query);
    for (int i = 0; i < HULLS; i++)
        bw_hull_destroy(hulls[i]);
}
