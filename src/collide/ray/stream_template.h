/* Many rays in flight, for one level of base/simd/f32x8.h, on trees with a layout for rays.
 *
 * Each step takes up a node of every ray that is at one, then the leaves once there are enough of them, then
 * the triangles that are met; new rays take the place of those that are done. What one ray waits for is asked
 * for when it is known, and the others work meanwhile. Where a ray goes next cannot be predicted: lists that
 * are appended to without a branch say. */
#ifndef BW_COLLIDE_RAY_STREAM_TEMPLATE_H
#define BW_COLLIDE_RAY_STREAM_TEMPLATE_H

#include "collide/ray/trace_template.h"

enum { STREAM_RAYS = 16, STREAM_LEAVES = 8 };

typedef struct stream_group { /* ray_group */
    _Alignas(64) float enter[BW_WIDTH];
    uint64_t node;
    const uint8_t *order;
    uint64_t mask;
} stream_group;

typedef struct stream_ray {
    bw_ray_ready ready;
    ray_rows rows;
    float limit; /* of T */
    uint32_t index;
    uint64_t ref; /* what it takes up next */
    bw_ray_sight sight;
    stream_group *top;
    bw_ray_state state;
    bw_vec3 through;
    double unit; /* as bw_ray_line has it */
    /* The first is the layout's last node, below which nothing is: taking it up says that the ray is done. */
    stream_group stack[BW_RAY_STREAM_DEPTH + 1];
} stream_ray;

typedef struct stream_list {
    stream_ray *ray[STREAM_RAYS + 1]; /* one more is written than is kept */
    uint32_t count;
} stream_list;

typedef struct stream {
    const char *base;
    stream_list nodes, leaves, done;
    uint64_t leaf_count; /* visited */
} stream;

/* Appends a ray to the list of what it does next, where `ready`, and asks for what it will read. A ray that is
 * done goes to the leaves, which will see that. */
RAY_FN void stream_route(stream *st, stream_ray *r, uint64_t ref, uint32_t ready)
{
    const uint32_t leaf = (uint32_t)ref & BW_RAY_LEAF;
    ray_fetch(st->base, ref);
    st->nodes.ray[st->nodes.count] = r;
    st->nodes.count += ready & (leaf ^ 1);
    st->leaves.ray[st->leaves.count] = r;
    st->leaves.count += ready & leaf;
}

/* The topmost of what waits. */
RAY_FN uint64_t stream_pop(const char *base, stream_ray *r)
{
    stream_group *g = r->top - 1;
    const uint64_t mask = g->mask;
    const uint32_t lane = ray_first_of(g->order, mask);
    g->mask = mask & ~((uint64_t)1 << lane);
    r->top = g + (g->mask != 0);
    return ray_child(base + g->node, lane, true);
}

/* Where met is 0: a becomes b, c becomes d and e becomes f, all of 64 bits. */
#if WIDE_LEVEL == 3 && defined(__x86_64__) /* compilers make branches of it */
#    define STREAM_WHERE_NONE(met, a, b, c, d, e, f)                                                         \
        __asm__("test %3, %3\n\tcmovz %4, %0\n\tcmovz %5, %1\n\tcmovz %6, %2"                                \
                : "+&r"(a), "+&r"(c), "+&r"(e)                                                               \
                : "r"(met), "rm"(b), "rm"(d), "rm"(f)                                                        \
                : "cc")
#else
#    define STREAM_WHERE_NONE(met, a, b, c, d, e, f)                                                         \
        ((a) = (met) != 0 ? (a) : (b), (c) = (met) != 0 ? (c) : (d), (e) = (met) != 0 ? (e) : (f))
#endif

/* Takes up a node, and goes on to the first of its children that is met, or to what waits. */
RAY_FN uint64_t stream_node(const char *base, stream_ray *r, int mode)
{
    const bw_ray_ready *d = &r->ready;
    uint64_t at = bw_ray_offset(r->ref);
    const uint8_t *order = ray_order(r->sight, r->ref);
    const char *node = base + at;
    v8 in[3], out[3];
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        const v8 inverse = v8_all(d->inverse[k]);
        in[k] = RAY_MUL_SUB(ray_row(node, r->rows.first[k]), inverse, v8_all(d->near[k]));
        out[k] = RAY_MUL_SUB(ray_row(node, r->rows.last[k]), inverse, v8_all(d->far[k]));
    }
    const v8 enter = v8_max(v8_max(in[0], in[1]), v8_max(in[2], v8_all(0.0f)));
    const v8 leave = v8_min(v8_min(out[0], out[1]), v8_min(out[2], v8_all(r->limit)));
    const uint64_t met = RAY_WITHIN(enter, leave);
    stream_group *top = r->top;
    const stream_group *before = top - 1;
    if (mode == BW_RAY_NEAR)
        v8_store(top->enter, enter);
    top->node = at;
    top->order = order;
    /* Its own children, or those of the group before where none is met: not by a branch, which takes longer. */
    uint64_t mask = met;
    STREAM_WHERE_NONE(met, mask, before->mask, at, before->node, order, before->order);
    top -= met == 0;
    const uint32_t lane = ray_first_of(order, mask);
    const uint64_t left = mask & ~((uint64_t)1 << lane);
    top->mask = left;
    r->top = top + (left != 0);
    return ray_child(base + at, lane, true);
}

/* Drops what is beyond the limit; returns the new top. */
RAY_FN stream_group *stream_pack(stream_group *stack, stream_group *top, v8 end)
{
    stream_group *kept = stack;
    for (stream_group *g = stack; g != top; g++) {
        const v8 enter = v8_load(g->enter);
        const uint64_t mask = g->mask & RAY_WITHIN(enter, end);
        v8_store(kept->enter, enter);
        kept->node = g->node;
        kept->order = g->order;
        kept->mask = mask;
        kept += mask != 0;
    }
    return kept;
}

RAY_FN bool stream_leaves(stream *st, int mode)
{
    struct {
        stream_ray *ray;
        uint32_t maybe, crossed;
    } met[STREAM_RAYS + 1];
    uint32_t met_count = 0;
    const uint32_t count = st->leaves.count;
    st->leaves.count = 0;
    st->leaf_count += count;
    for (uint32_t i = 0; i < count; i++) { /* what is appended meanwhile comes before i */
        stream_ray *r = st->leaves.ray[i];
        if (r->ref == BW_RAY_NO_CHILD) {
            st->done.ray[st->done.count++] = r;
            st->leaf_count--;
            continue;
        }
        float longest;
        uint32_t crossed;
        const bw_ray_leaf *leaf = ray_leaf(NULL, st->base, r->ref, true, NULL, &longest);
        const uint32_t maybe = ray_meet_leaf(&r->ready, leaf, longest, &crossed), passed = maybe == 0;
        met[met_count].ray = r;
        met[met_count].maybe = maybe;
        met[met_count].crossed = crossed;
        met_count += passed ^ 1;
        /* What it goes on to where it passes; else everything stays as it is. */
        stream_group *g = r->top - 1;
        const uint64_t mask = g->mask;
        const uint32_t lane = ray_first_of(g->order, mask);
        const uint64_t left = mask & ~((uint64_t)passed << lane),
                       next = ray_child(st->base + g->node, lane, true);
        g->mask = left;
        r->top = g + (left != 0);
        r->ref ^= (r->ref ^ next) & ((uint64_t)0 - passed);
        stream_route(st, r, r->ref, passed);
    }
    for (uint32_t i = 0; i < met_count; i++) {
        stream_ray *r = met[i].ray;
        float longest;
        const bw_ray_leaf *leaf = ray_leaf(NULL, st->base, r->ref, true, NULL, &longest);
        const double before = r->state.best.t;
        const uint32_t kept = r->state.target->floats ? 0xFFu : 0;
        ray_line line;
        ray_line_of(&r->state, &line);
        if (!ray_decide(&r->state, &line, leaf, met[i].maybe, met[i].crossed, kept, mode, NULL, NULL)) {
            if (r->state.result != BW_OK)
                return false;
            st->done.ray[st->done.count++] = r;
        } else {
            if (mode == BW_RAY_NEAR && r->state.best.t != before) {
                r->limit = bw_ray_limit(&r->ready, r->state.best.t);
                r->top = stream_pack(r->stack + 1, r->top, v8_all(r->limit));
            }
            r->ref = stream_pop(st->base, r);
            stream_route(st, r, r->ref, 1);
        }
    }
    return true;
}

/* Rays made ready ahead of time, four at once where that can be done. Each set has a bit per ray. */
typedef struct stream_feeder {
    bw_ray_ready ready[4];
    double through[4][4]; /* x, y, z and the unit of each */
    uint32_t first, last; /* of the rays that are looked at */
    uint32_t fit;         /* ready, or known to pass by; the others go one by one */
    uint32_t passed;      /* of these, those that pass by the whole tree */
} stream_feeder;

/* Makes this ray and the next three ready where it is time for them. */
RAY_FN void stream_prepare(const bw_ray_job *job, stream_feeder *f, uint32_t index)
{
#if WIDE_LEVEL == 3
    if (job->target->side.map == NULL && index >= f->last && job->last - index >= 4) {
        f->fit = ray_set_four(job->target, &job->rays[index], f->through, f->ready, &f->passed);
        f->first = index;
        f->last = index + 4;
    }
#else
    (void)job, (void)f, (void)index;
#endif
}

RAY_FN bool stream_ready(bw_ray_job *job, const stream_feeder *f, uint32_t index, stream_ray *r)
{
    const bw_ray *ray = &job->rays[index];
    r->state.origin = &ray->origin;
#if WIDE_LEVEL == 3
    if (index < f->last && (f->fit >> (index - f->first) & 1) != 0) {
        /* In the pieces in which it was written: a copy of larger ones would wait for them. */
        const bw_ray_ready *ready = &f->ready[index - f->first];
        const double *through = f->through[index - f->first];
        for (int i = 0; i < 16; i += 4)
            _mm_storeu_ps((float *)(void *)&r->ready + i,
                          _mm_loadu_ps((const float *)(const void *)ready + i));
        r->ready.axis = ready->axis;
        r->ready.octant = ready->octant;
        r->ready.start = 0.0;
        r->ready.unit = ready->unit;
        r->through = (bw_vec3){through[0], through[1], through[2]};
        r->unit = through[3];
        return true;
    }
#else
    (void)f;
#endif
    const bw_ray_line line = bw_ray_line_of(ray);
    r->through = line.through;
    r->unit = line.unit;
    return bw_ray_ready_set(job->target, &ray->origin, &r->through, &r->ready);
}

/* The next ray of ordinary size, if there is one; others are answered on the way. */
RAY_FN bool stream_feed(bw_ray_job *job, stream_feeder *f, stream_ray *r)
{
    while (job->next < job->last) {
        const uint32_t index = job->next++;
        stream_prepare(job, f, index);
        if (index < f->last && (f->passed >> (index - f->first) & 1) != 0) {
            bw_ray_hit *hit = &job->hits[index];
            hit->primitive = BW_NONE;
            hit->kind = BW_CONTACT_NONE;
            hit->t = (double)INFINITY;
            job->nodes++; /* the root, which it visits at other levels: counts are the same everywhere */
            continue;
        }
        if (stream_ready(job, f, index, r)) {
            const double t_max = job->rays[index].t_max;
            r->index = index;
            r->rows = rows_of[r->ready.octant];
            r->sight = bw_ray_sight_of(r->ready.octant);
            r->ref = job->target->layout->root;
            r->stack[0].mask = 1;
            r->top = r->stack + 1;
            r->state.best.primitive = BW_NONE;
            r->state.best.kind = BW_CONTACT_NONE;
            r->state.best.t = (double)INFINITY;
            r->limit = INFINITY;
            if (t_max > 0.0) {
                r->state.best.t = t_max / r->unit;
                r->limit = bw_ray_limit(&r->ready, r->state.best.t);
            }
            return true;
        }
        if (!job->cast_other(job, index))
            job->next = job->last;
    }
    return false;
}

RAY_FN void ray_stream(bw_ray_job *job, int mode)
{
    stream_ray rays[STREAM_RAYS];
    stream st;
    stream_feeder feeder;
    feeder.first = feeder.last = feeder.fit = feeder.passed = 0;
    st.base = (const char *)job->target->layout->nodes;
    st.nodes.count = st.leaves.count = st.done.count = 0;
    st.leaf_count = 0;
    for (uint32_t i = 0; i < STREAM_RAYS; i++) {
        rays[i].stack[0].node = (uint64_t)job->target->layout->node_count * sizeof(bw_ray_node);
        rays[i].stack[0].order = bw_ray_first_lane[0][0];
        rays[i].state = (bw_ray_state){.target = job->target, .through = &rays[i].through};
        st.done.ray[st.done.count++] = &rays[i];
    }
    bool fresh = true;
    for (;;) {
        for (uint32_t i = 0; i < st.done.count; i++) {
            stream_ray *r = st.done.ray[i];
            if (!fresh) {
                const bool found = r->state.best.primitive != BW_NONE;
                bw_ray_hit *hit = &job->hits[r->index];
                hit->primitive = r->state.best.primitive;
                hit->kind = r->state.best.kind;
                hit->t = found ? r->state.best.t * r->unit : (double)INFINITY;
                job->found += found;
            }
            if (stream_feed(job, &feeder, r))
                st.nodes.ray[st.nodes.count++] = r;
        }
        fresh = false;
        st.done.count = 0;
        if (st.nodes.count + st.leaves.count == 0)
            break;
        const uint32_t count = st.nodes.count;
        st.nodes.count = 0;
        job->nodes += count;
        for (uint32_t i = 0; i < count; i++) { /* what is appended meanwhile comes before i, or is i */
            stream_ray *r = st.nodes.ray[i];
            r->ref = stream_node(st.base, r, mode);
            stream_route(&st, r, r->ref, 1);
        }
        if ((st.leaves.count >= STREAM_LEAVES || st.nodes.count == 0) && !stream_leaves(&st, mode)) {
            job->result = BW_ERROR_RANGE;
            break;
        }
    }
    job->leaves += st.leaf_count;
}

RAY_TARGET static void stream_near(bw_ray_job *job)
{
    ray_stream(job, BW_RAY_NEAR);
}

RAY_TARGET static void stream_some(bw_ray_job *job)
{
    ray_stream(job, BW_RAY_SOME);
}

#endif
