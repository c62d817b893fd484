/* Poses to train on and to measure with: Zachmann's procedure ("Minimal hierarchical collision detection",
 * VRST 2002), two bodies at a distance, turned at random; and the same drawn in to their first contact. */
#include "anytime/train/draw.h"
#include "base/fault.h"

#include "anytime/anytime.h"
#include "collide/pair/sat.h"

#include <math.h>

static double measure(const bw_box *box, double middle[3])
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * ((double)box->min[k] + (double)box->max[k]);
        size = fmax(size, (double)box->max[k] - (double)box->min[k]);
    }
    return size;
}

/* b turned about its middle, which stands at a distance from a's. */
static bw_transform pose_at(const bw_draw *s, double m[3][3], const double along[3], double distance)
{
    bw_transform t;
    for (int i = 0; i < 3; i++) {
        t.m[i][3] = s->middle_a[i] + along[i] * distance;
        for (int j = 0; j < 3; j++) {
            t.m[i][j] = m[i][j];
            t.m[i][3] -= m[i][j] * s->middle_b[j];
        }
    }
    return t;
}

static bool boxes_meet(const bw_draw *s, const bw_transform *pose)
{
    bw_box a = bw_tree_bounds(s->a.tree), b = bw_tree_bounds(s->b.tree);
    bw_sat sat;
    bw_sat_prepare(&sat, pose, &a, &b, BW_BOX_TEST_SAT);
    return bw_sat_separates(&sat, a.min, a.max, b.min, b.max) < 0;
}

static bw_result meet(const bw_draw *s, const bw_transform *pose, bool *out)
{
    bw_body b = s->b;
    bw_collide_report report = {0};
    b.pose = pose;
    bw_result result = bw_collide(
        &s->a, &b, &(bw_collide_desc){.mode = BW_COLLIDE_ANY, .allocator = s->allocator}, &report, NULL);
    *out = result == BW_OK && report.hit_count > 0;
    return result;
}

/* The largest distance, to a part of the size, at which bodies that come from afar meet; *found is false
 * where they pass each other. */
static bw_result first_contact(const bw_draw *s, double m[3][3], const double along[3], double part,
                               double *out, bool *found)
{
    enum { STEPS = 24 };
    double apart = 2.0 * s->size, together = 0.0;
    bw_transform pose;
    bw_result result = BW_OK;
    *found = false;
    for (int k = STEPS; k-- > 0 && result == BW_OK && !*found;) {
        together = 2.0 * s->size * k / STEPS;
        pose = pose_at(s, m, along, together);
        if (boxes_meet(s, &pose))
            result = meet(s, &pose, found);
        if (!*found)
            apart = together;
    }
    while (result == BW_OK && *found && apart - together > part * s->size) {
        double between = 0.5 * (apart + together);
        bool met;
        pose = pose_at(s, m, along, between);
        result = meet(s, &pose, &met);
        if (met)
            together = between;
        else
            apart = between;
    }
    *out = together;
    return result;
}

/* One attempt; *taken is false where the pose is not of the kind. */
static bw_result attempt(bw_draw *s, bw_anytime_poses kind, bw_transform *out, bool *taken)
{
    double m[3][3], along[3], distance;
    bw_random_turn(&s->random, m);
    bw_random_direction(&s->random, 3, along);
    double share = bw_random_unit(&s->random);
    if (kind == BW_ANYTIME_POSES_SPREAD) {
        *out = pose_at(s, m, along, s->size * (0.2 + 0.85 * share));
        *taken = boxes_meet(s, out);
        return BW_OK;
    }
    bw_result result = first_contact(s, m, along, 1e-5, &distance, taken);
    if (result == BW_OK && *taken)
        *out = pose_at(s, m, along, distance + s->size * (0.05 * share - 0.025));
    return result;
}

static bw_result attempt_line(bw_draw *s, bw_transform *out, uint32_t count, bool *taken)
{
    double m[3][3], along[3], distance;
    bw_random_turn(&s->random, m);
    bw_random_direction(&s->random, 3, along);
    bw_result result = first_contact(s, m, along, 4e-3, &distance, taken);
    for (uint32_t k = 0; k < count && result == BW_OK && *taken; k++) {
        double share = (k + bw_random_unit(&s->random)) / count;
        out[k] = pose_at(s, m, along, distance + s->size * (0.05 * share - 0.025 + 0.002));
    }
    return result;
}

void bw_draw_init(bw_draw *s, const bw_body *a, const bw_body *b, const bw_allocator *allocator,
                  uint64_t seed)
{
    bw_box box_a = bw_tree_bounds(a->tree), box_b = bw_tree_bounds(b->tree);
    *s = (bw_draw){.a = *a, .b = *b, .allocator = allocator, .random = {seed * 0x632be59bd9b4e019u + 1}};
    s->size = 0.5 * (measure(&box_a, s->middle_a) + measure(&box_b, s->middle_b));
}

enum { MOST_MISSES = 10000 };

bw_result bw_draw_next(bw_draw *s, bw_anytime_poses kind, bw_transform *out)
{
    bw_result result = BW_OK;
    bool taken = false;
    for (uint32_t misses = 0; result == BW_OK && !taken && misses <= MOST_MISSES; misses++)
        result = attempt(s, kind, out, &taken);
    return result == BW_OK && !taken ? BW_ERROR_EMPTY : result;
}

bw_result bw_draw_line(bw_draw *s, bw_transform *out, uint32_t count)
{
    bw_result result = BW_OK;
    bool taken = false;
    for (uint32_t misses = 0; result == BW_OK && !taken && misses <= MOST_MISSES / 100; misses++)
        result = attempt_line(s, out, count, &taken);
    return result == BW_OK && !taken ? BW_ERROR_EMPTY : result;
}

static bool is_body(const bw_anytime_body *body)
{
    return body != NULL && body->anytime != NULL && body->mesh != NULL;
}

bw_result bw_anytime_draw_poses(const bw_anytime_body *a, const bw_anytime_body *b, bw_anytime_poses kind,
                                uint64_t seed, bw_transform *out, uint32_t count, bw_fault *fault)
{
    if (!is_body(a) || !is_body(b) || (unsigned)kind > BW_ANYTIME_POSES_CONTACT || (out == NULL && count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_body body_a = {a->anytime->tree, a->mesh, NULL}, body_b = {b->anytime->tree, b->mesh, NULL};
    bw_result result = bw_tree_accepts(body_a.tree, body_a.mesh);
    if (result == BW_OK)
        result = bw_tree_accepts(body_b.tree, body_b.mesh);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (body_a.tree->primitives == 0 || body_b.tree->primitives == 0)
        return bw_fail(fault, BW_ERROR_EMPTY);
    bw_draw draw;
    bw_draw_init(&draw, &body_a, &body_b, NULL, seed);
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        result = bw_draw_next(&draw, kind, &out[i]);
    return bw_fail(fault, result);
}
