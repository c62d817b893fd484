/* The policy of BW_KINETIC_AUTO: which method follows a motion at the least cost. */
#include "kinetic/kinetic.h"

#include "collide/span/prices.h"

#include <math.h>
#include <string.h>

/* Fewer frames per segment than this are refitted: at two a pass over the segment costs as much as it saves
 * (boxwood-bench kinetic-pair, l2). */
#define FRAMES 2.5

enum { CHANCES = 2, PATIENCE = 256, SAMPLES = 64, FEWEST = 4, SAMPLED = 256, RARELY = 32 };

/* Whether segments are chosen for one by one. */
static bool has_segments(const bw_kinetic *k)
{
    return (k->flight.motion.kind == BW_MOTION_KEYFRAMES || k->paired) && k->flight.plans == NULL;
}

bw_kinetic_method bw_policy_first(const bw_kinetic *k)
{
    return has_segments(k) ? BW_KINETIC_INTERPOLATED : BW_KINETIC_QUEUE;
}

bw_result bw_policy_create(bw_kinetic *k)
{
    bw_policy *a = &k->policy;
    a->segment = BW_NONE;
    a->patience = PATIENCE;
    a->choice = (bw_kinetic_choice){.method = k->method,
                                    .reason = k->method == BW_KINETIC_QUEUE
                                                  ? "plans may change: the queue, until events are many"
                                                  : "nothing is known yet: boxes blended between keyframes"};
    a->ranges = k->tree->wide.node_count / BW_POLICY_RANGE + 1;
    a->range = bw_allocate_zero(&k->allocator, a->ranges, sizeof *a->range);
    return a->range == NULL ? BW_ERROR_MEMORY : BW_OK;
}

void bw_policy_release(bw_kinetic *k)
{
    bw_release(&k->allocator, k->policy.range, k->policy.ranges, sizeof *k->policy.range);
}

size_t bw_policy_bytes(const bw_kinetic *k)
{
    return k->policy.range == NULL ? 0 : k->policy.ranges * sizeof *k->policy.range;
}

bw_result bw_policy_grow(bw_kinetic *k, uint32_t nodes)
{
    bw_policy *a = &k->policy;
    uint32_t ranges = nodes / BW_POLICY_RANGE + 1;
    if (ranges <= a->ranges)
        return BW_OK;
    bw_policy_range *more = bw_allocate_zero(&k->allocator, ranges, sizeof *more);
    if (more == NULL)
        return BW_ERROR_MEMORY;
    memcpy(more, a->range, a->ranges * sizeof *more);
    bw_release(&k->allocator, a->range, a->ranges, sizeof *more);
    a->range = more;
    a->ranges = ranges;
    return BW_OK;
}

static double blend_in(double old, double now)
{
    return old + 0.25 * (now - old);
}

/* What queries did with the frame that ends. A tree that is refitted tells nothing: what was known stays. */
static void take_note(bw_kinetic *k)
{
    bw_policy *a = &k->policy;
    const struct bw_wide_deferred *lazy = k->tree->wide.lazy;
    a->frames++;
    a->onward += a->onward < RARELY;
    if (k->method == BW_KINETIC_QUEUE) {
        a->compared = blend_in(a->compared, (double)(k->compared - a->seen_compared));
        a->seen_compared = k->compared;
    }
    a->changes = blend_in(a->changes, a->changed);
    a->changed = 0;
    if (k->method == BW_KINETIC_REFIT)
        return;
    double written = 0, visits = 0, cached = 0;
    if (lazy != NULL) {
        uint64_t total = atomic_load_explicit(&lazy->visits, memory_order_relaxed);
        visits = (double)(total - a->seen_visits);
        a->seen_visits = total;
        total = atomic_load_explicit(&lazy->cached, memory_order_relaxed);
        cached = (double)(total - a->seen_cached);
        a->seen_cached = total;
        for (uint32_t i = 0; i < lazy->node_count; i += BW_POLICY_RANGE) {
            uint32_t left = lazy->node_count - i;
            uint32_t count = bw_wide_deferred_written(
                lazy->nodes + i, left < BW_POLICY_RANGE ? left : BW_POLICY_RANGE, lazy->nodes_now);
            if (i / BW_POLICY_RANGE < a->ranges)
                a->range[i / BW_POLICY_RANGE].written += count;
            written += count;
        }
    }
    a->spent += cached;
    a->spent_frames += cached > 0;
    if (visits == 0 && cached > 0) /* which tells nothing about traversals */
        return;
    a->written = blend_in(a->written, written);
    a->visits = blend_in(a->visits, visits);
}

/* Leaves, one in SAMPLED and others in every segment, half-way through it: how much larger their blended
 * boxes are than the tight ones, and how many of their extents change hands. Most of their vertices are not
 * in any cache: a look at many would cost as much as following a small tree does. */
static void look_ahead(bw_kinetic *k, const bw_piece *piece)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_motion *m = &k->flight.motion;
    bw_policy *a = &k->policy;
    const bool keyed = m->kind == BW_MOTION_KEYFRAMES;
    double blended = 0, tight = 0;
    uint32_t samples = wide->leaf_count / SAMPLED, eventful = 0;
    samples = samples > SAMPLES ? SAMPLES : samples < FEWEST ? FEWEST : samples;
    samples = samples < wide->leaf_count ? samples : wide->leaf_count;
    for (uint32_t i = 0; i < samples; i++) {
        uint32_t leaf =
            (uint32_t)(((uint64_t)wide->leaf_count * i / samples + a->sampled) % wide->leaf_count);
        if (wide->leaves[leaf].count == 0) /* a hole that an edit left behind */
            continue;
        double size[3], half[3];
        for (int axis = 0; axis < 3; axis++) {
            double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
            double low_to = 0, high_to = 0;
            for (uint32_t j = 0; j < wide->leaves[leaf].vertex_count; j++) {
                uint32_t v = wide->vertices[wide->vertex_first[leaf] + j];
                double x[3] = {keyed ? bw_motion_stored(m, m->frames[piece->number], v, axis)
                                     : bw_motion_coordinate(m, v, axis, piece->from),
                               0,
                               keyed ? bw_motion_stored(m, m->frames[piece->number + 1], v, axis)
                                     : bw_motion_coordinate(m, v, axis, piece->to)};
                x[1] = 0.5 * (x[0] + x[2]);
                low_to = x[0] < low[0] ? x[2] : low_to;
                high_to = x[0] > high[0] ? x[2] : high_to;
                for (int at = 0; at < 3; at++) {
                    low[at] = fmin(low[at], x[at]);
                    high[at] = fmax(high[at], x[at]);
                }
            }
            eventful += (low_to != low[2] ? 1u : 0u) + (high_to != high[2] ? 1u : 0u);
            size[axis] = 0.5 * ((high[0] - low[0]) + (high[2] - low[2]));
            half[axis] = high[1] - low[1];
        }
        blended += size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
        tight += half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
    }
    /* The gap is like a parabola, two thirds of its height on average; inner boxes have about as many events
     * as leaves have. */
    double looseness = tight > 0 ? 2.0 / 3 * (blended / tight - 1) : 0;
    double events = samples == 0 ? 0 : 2.0 * eventful * wide->leaf_count / samples;
    a->looseness = a->sampled == 0 ? looseness : blend_in(a->looseness, looseness);
    a->events = a->sampled == 0 ? events : blend_in(a->events, events);
    a->sampled += 97; /* no leaf again soon */
}

/* The method's memory; without it the tree is refitted, which needs none. */
static void become(bw_kinetic *k, bw_kinetic_method method, const char *reason)
{
    bw_policy *a = &k->policy;
    bool lines = method == BW_KINETIC_COMPILED || method == BW_KINETIC_INTERPOLATED;
    a->choice.reason = reason;
    a->choice.switches += k->method != method;
    if (!(lines && bw_kinetic_has_lines(k))) {
        bw_kinetic_drop_method(k);
        k->method = method;
        if (bw_kinetic_make_method(k, k->now, &k->total) != BW_OK) {
            bw_kinetic_drop_method(k);
            k->method = BW_KINETIC_REFIT;
            a->choice.reason = "there is no memory for anything else";
        }
    }
    if (lines && k->method != BW_KINETIC_REFIT)
        k->method = method;
    a->choice.method = k->method;
}

static double refit_cost(const bw_kinetic *k)
{
    return k->tree->wide.node_count * (BW_PRICE_REFIT + BW_PRICE_SAMPLE);
}

/* Which ranges of nodes are worth their events: those where queries look. Returns their share. */
static double choose_ranges(bw_kinetic *k)
{
    bw_policy *a = &k->policy;
    double nodes = k->tree->wide.node_count, tight = 0;
    double events = a->events / nodes * BW_PRICE_COMPILED_EVENT +
                    (BW_PRICE_COMPILE - BW_PRICE_BLEND); /* a node and segment */
    double visit = a->written > 0 ? a->visits / a->written * BW_PRICE_VISIT * a->looseness : 0;
    for (uint32_t i = 0; i < a->ranges; i++) {
        double written = a->range[i].written; /* in the segment that ends, of as many frames */
        a->range[i] = (bw_policy_range){0, written * visit > events * BW_POLICY_RANGE};
        tight += a->range[i].tight;
    }
    return tight / a->ranges;
}

/* What a frame of the segment that ends cost where queries were answered from what they remember. */
static void take_stock(bw_policy *a, double frames)
{
    bool mostly = 2.0 * a->spent_frames > frames;
    if (mostly)
        a->remembered = a->remembered == 0 ? a->spent / a->spent_frames
                                           : blend_in(a->remembered, a->spent / a->spent_frames);
    else if (a->spent_frames > 0)
        a->remembered = 0;
    a->chances = a->spent_frames > 0 ? 0 : a->chances < CHANCES ? a->chances + 1 : CHANCES;
    a->spent = 0;
    a->spent_frames = 0;
}

static void choose_keyed(bw_kinetic *k, const bw_piece *piece)
{
    bw_policy *a = &k->policy;
    double l = a->frames_a_segment, nodes = k->tree->wide.node_count, query = a->visits * BW_PRICE_VISIT;
    if (l >= FRAMES && a->visits > 0 &&
        a->remembered == 0) /* who does not look does not mind how large boxes are */
        look_ahead(k, piece);
    bw_kinetic_choice *c = &a->choice;
    c->refit = refit_cost(k) + query;
    c->interpolated = nodes * BW_PRICE_BLEND / l + a->written * BW_PRICE_WRITE + query * (1 + a->looseness);
    c->compiled = (nodes * BW_PRICE_COMPILE + a->events * BW_PRICE_COMPILED_EVENT) / l +
                  a->written * BW_PRICE_WRITE + query;
    c->remembered = a->remembered > 0 ? nodes * BW_PRICE_BLEND / l + a->remembered : 0;
    c->queue = 0;
    if (k->paired)
        c->compiled = 0;
    double lines = c->compiled > 0 ? fmin(c->interpolated, c->compiled) : c->interpolated;
    bool remember = c->remembered > 0 && c->remembered < lines;
    bool rests = k->method == BW_KINETIC_REFIT;
    double bias = rests ? 1.1 : 0.95; /* no change for a trifle */
    if (l < FRAMES || (remember ? c->remembered : lines) * bias >= c->refit) {
        if (!rests || c->method != BW_KINETIC_REFIT)
            become(k, BW_KINETIC_REFIT,
                   l < FRAMES ? "too few frames between keyframes for anything but a refit"
                              : "queries look at so much that tight boxes for all are cheaper");
        return;
    }
    if (rests) /* the lines' memory first */
        become(k, BW_KINETIC_INTERPOLATED, "queries look at less, or frames are more, than when it was left");
    if (!bw_kinetic_has_lines(k))
        return;
    c->compiled_share = choose_ranges(k);
    /* Nothing can be remembered of compiled lines: it must have had its chance before. */
    bool untried = a->chances < CHANCES && k->method == BW_KINETIC_INTERPOLATED;
    if (remember || untried || k->paired)
        c->compiled_share = 0;
    if (remember)
        become(k, BW_KINETIC_INTERPOLATED,
               "queries remember which triangles can meet until the next keyframe, and look at no box");
    else if (c->compiled_share > 0)
        become(k, BW_KINETIC_COMPILED,
               "queries look at these boxes so often that it pays to keep them tight");
    else
        become(k, BW_KINETIC_INTERPOLATED,
               "blended boxes are hardly larger than tight ones, and cost nothing between keyframes");
}

/* Motions without keyframes, and plans of single vertices: the queue, or refitting. */
static void choose_free(bw_kinetic *k)
{
    bw_policy *a = &k->policy;
    double changes = a->changed > a->changes ? a->changed : a->changes;
    double queue = fmax(a->compared * BW_PRICE_COMPARE, changes * BW_PRICE_PLAN);
    bw_kinetic_choice *c = &a->choice;
    c->refit = refit_cost(k);
    c->queue = queue;
    c->interpolated = c->compiled = c->compiled_share = 0;
    if (k->method == BW_KINETIC_QUEUE && queue > c->refit) {
        become(k, BW_KINETIC_REFIT,
               changes * BW_PRICE_PLAN > c->refit ? "more plans change than a queue can follow"
                                                  : "events are so many that fitting all boxes is cheaper");
        a->idle = 0;
        a->compared = 0;
    } else if (k->method == BW_KINETIC_REFIT && ++a->idle > a->patience &&
               changes * BW_PRICE_PLAN < 0.5 * c->refit) {
        become(k, BW_KINETIC_QUEUE, "plans have changed seldom for a while: the queue again");
        a->seen_compared = k->compared;
        a->patience = a->patience < UINT32_MAX / 4 ? 2 * a->patience : a->patience;
        a->idle = 0;
    }
}

void bw_policy_step(bw_kinetic *k, double time)
{
    bw_policy *a = &k->policy;
    take_note(k);
    if (!has_segments(k)) {
        choose_free(k);
        return;
    }
    bw_piece piece = bw_piece_at(&k->pieces, time);
    if (piece.number == a->segment)
        return;
    if (a->segment != BW_NONE) {
        double frames = a->frames;
        a->frames_a_segment = a->frames_a_segment == 0 ? frames : 0.5 * (a->frames_a_segment + frames);
        take_stock(a, frames);
        choose_keyed(k, &piece);
    }
    a->segment = piece.number;
    a->frames = 0;
}

/* A jump back now and then is not what a frame costs; who goes back again and again pays for a start each
 * time, and that counts. */
void bw_policy_restarted(bw_kinetic *k)
{
    bw_policy *a = &k->policy;
    if (a->onward >= RARELY)
        a->seen_compared = k->compared;
    a->onward = 0;
}

void bw_policy_change(bw_kinetic *k, uint32_t plans)
{
    bw_policy *a = &k->policy;
    a->changed += plans;
    bw_wide_complete(&k->tree->wide); /* what was handed out stays good, should the change fail */
    bw_deferred_end(k);
    if (bw_kinetic_has_lines(k))
        become(k, BW_KINETIC_REFIT, "plans of single vertices have changed");
    else if (k->method == BW_KINETIC_QUEUE)
        choose_free(k);
}
