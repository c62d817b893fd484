/* COMPILED: the pairs a sweep over a span of time found, ordered by the times at which they can meet. */
#include "incremental/schedule.h"

#include "base/radix_sort.h"
#include "collide/self/shared_features.h"
#include "incremental/judge.h"
#include "mesh/view.h"

bw_result bw_schedule_create(const bw_allocator *allocator, bw_mover *a, bw_mover *b, bw_schedule *out)
{
    bw_schedule s = {.from = NAN,
                     .to = NAN,
                     .order = bw_array_of(sizeof(uint32_t), allocator),
                     .keys = bw_array_of(sizeof(uint64_t), allocator),
                     .active = bw_array_of(sizeof(uint32_t), allocator)};
    bw_result result = bw_sweep_create(allocator, a, b, &s.sweep);
    if (result == BW_OK)
        *out = s;
    return result;
}

void bw_schedule_release(bw_schedule *s)
{
    if (s->sweep.allocator == NULL)
        return;
    bw_array_release(&s->order);
    bw_array_release(&s->keys);
    bw_array_release(&s->active);
    bw_sweep_release(&s->sweep);
}

size_t bw_schedule_bytes(const bw_schedule *s)
{
    return bw_sweep_bytes(&s->sweep) + s->order.capacity * s->order.element +
           s->keys.capacity * s->keys.element + s->active.capacity * s->active.element;
}

bool bw_schedule_holds(const bw_schedule *s, double time)
{
    return time >= s->from && time <= s->to;
}

static const bw_sweep_pair *pair_at(const bw_schedule *s, uint32_t i)
{
    return bw_array_at(&s->sweep.pairs, i);
}

/* Non-negative floats have the order of their bits; what trimming left below 0 begins at 0. */
static uint64_t key_of(float from)
{
    union {
        float f;
        uint32_t bits;
    } u = {from > 0.0f ? from : 0.0f};
    return u.bits;
}

static bool sort_pairs(bw_schedule *s)
{
    size_t count = s->sweep.pairs.count;
    s->order.count = s->keys.count = s->active.count = s->next = 0;
    if (count == 0)
        return true;
    uint32_t *order = bw_array_extend(&s->order, 2 * count);
    uint64_t *keys = bw_array_extend(&s->keys, 2 * count);
    if (order == NULL || keys == NULL || count >= BW_NONE)
        return false;
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
        keys[i] = key_of(pair_at(s, (uint32_t)i)->from);
    }
    bw_sort_u64(keys, order, keys + count, order + count, (uint32_t)count);
    return true;
}

bw_result bw_schedule_prepare(bw_schedule *s, double from, double to)
{
    s->from = s->to = NAN;
    bw_result result = bw_sweep_run(&s->sweep, from, to);
    if (result == BW_OK && !sort_pairs(s))
        result = BW_ERROR_MEMORY;
    if (result != BW_OK)
        return result;
    s->from = from;
    s->to = to;
    s->at = 0;
    return BW_OK;
}

/* The part of the span is rounded: looked at with a margin, which the times of pairs have as well. */
#define MARGIN 0x1p-21

bw_result bw_schedule_advance(bw_schedule *s, double time)
{
    double at = (time - s->from) / (s->to - s->from);
    size_t count = s->sweep.pairs.count, kept = 0;
    uint32_t *active = (uint32_t *)(void *)s->active.items;
    if (at < s->at)
        s->active.count = s->next = 0;
    for (size_t i = 0; i < s->active.count; i++)
        if ((double)pair_at(s, active[i])->to >= at - MARGIN)
            active[kept++] = active[i];
    s->active.count = kept;
    const uint32_t *order = (const uint32_t *)(void *)s->order.items;
    for (; s->next < count; s->next++) {
        const bw_sweep_pair *pair = pair_at(s, order[s->next]);
        if ((double)pair->from > at + MARGIN)
            break;
        if ((double)pair->to < at - MARGIN)
            continue;
        uint32_t *slot = bw_array_push(&s->active);
        if (slot == NULL) {
            s->from = s->to = NAN;
            return BW_ERROR_MEMORY;
        }
        *slot = order[s->next];
    }
    s->at = at;
    return BW_OK;
}

static void corners_at(const bw_moment *moment, const bw_mesh *mesh, uint32_t primitive, bw_vec3 out[3])
{
    const bw_motion *motion = moment->motion;
    if (motion->kind == BW_MOTION_KEYFRAMES &&
        motion->scalar == BW_F32) { /* the common case, the same sums */
        size_t stride = bw_motion_stride(motion);
        const char *first = motion->frames[moment->segment], *last = motion->frames[moment->segment + 1];
        double s = moment->s, r = 1 - s;
        for (uint32_t k = 0; k < 3; k++) {
            size_t at = bw_mesh_view_index(mesh, primitive, k) * stride;
            const float *a = (const float *)(const void *)(first + at);
            const float *b = (const float *)(const void *)(last + at);
            out[k].x = (double)((float)(r * (double)a[0] + s * (double)b[0]) + 0.0f);
            out[k].y = (double)((float)(r * (double)a[1] + s * (double)b[1]) + 0.0f);
            out[k].z = (double)((float)(r * (double)a[2] + s * (double)b[2]) + 0.0f);
        }
        return;
    }
    for (uint32_t k = 0; k < 3; k++)
        out[k] = bw_moment_position(moment, bw_mesh_view_index(mesh, primitive, k));
}

void bw_schedule_collide(bw_schedule *s, double time, bw_hit_sink *sink)
{
    const bw_mover *a = s->sweep.a, *b = s->sweep.b;
    bw_moment at_a = bw_moment_of(&a->motion, time), at_b = bw_moment_of(&b->motion, time);
    bw_judge judge;
    bw_judge_init(&judge, sink, a == b ? a->mesh.indices : NULL);
    const uint32_t *active = (uint32_t *)(void *)s->active.items;
    for (size_t i = 0; i < s->active.count; i++) {
        const bw_sweep_pair *pair = pair_at(s, active[i]);
        bw_vec3 corners_a[3], corners_b[3];
        corners_at(&at_a, &a->mesh, pair->a, corners_a);
        corners_at(&at_b, &b->mesh, pair->b, corners_b);
        if (!bw_judge_pair(&judge, pair->a, corners_a, pair->b, corners_b))
            return;
    }
    bw_judge_finish(&judge);
}

static bool counts_now(const bw_schedule *s, uint32_t a, uint32_t b)
{
    const uint32_t *active = (uint32_t *)(void *)s->active.items;
    for (size_t i = 0; i < s->active.count; i++)
        if (pair_at(s, active[i])->a == a && pair_at(s, active[i])->b == b)
            return true;
    return false;
}

const char *bw_schedule_check(const bw_schedule *s, double time)
{
    const bw_mover *a = s->sweep.a, *b = s->sweep.b;
    bw_moment at_a = bw_moment_of(&a->motion, time), at_b = bw_moment_of(&b->motion, time);
    for (uint32_t i = 0; i < bw_mesh_view_primitives(&a->mesh); i++)
        for (uint32_t j = a == b ? i + 1 : 0; j < bw_mesh_view_primitives(&b->mesh); j++) {
            bw_vec3 corners_a[3], corners_b[3];
            corners_at(&at_a, &a->mesh, i, corners_a);
            corners_at(&at_b, &b->mesh, j, corners_b);
            bool exact, mesh = a == b && a->mesh.indices != NULL;
            bw_contact kind =
                mesh ? bw_contact_beyond_shared(corners_a, a->mesh.indices + 3 * (size_t)i, corners_b,
                                                a->mesh.indices + 3 * (size_t)j, &exact)
                     : bw_triangle_triangle(corners_a, corners_b);
            if (kind != BW_CONTACT_NONE && !counts_now(s, i, j))
                return "a pair of triangles that meets is not looked at";
        }
    return NULL;
}
