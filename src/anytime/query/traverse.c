/* The traversal of a budgeted query on moments: the likeliest pair first. */
#include "anytime/query/query.h"
#include "collide/pair/narrow_phase.h"

#include <string.h>

void bw_anytime_traversal_init(bw_anytime_traversal *w, const bw_anytime_body *a, const bw_anytime_body *b,
                               const bw_relative_pose *pose, const bw_moment_map *map,
                               const bw_anytime_model *model, const bw_allocator *allocator, bw_simd simd,
                               bool both)
{
    const bw_wide *wide_a = a->anytime->wide, *wide_b = b->anytime->wide;
    bw_simd level = bw_simd_level(simd);
    w->a = &a->anytime->moments;
    w->b = &b->anytime->moments;
    w->kernels = bw_moment_kernels_for(level);
    w->model = model;
    w->map = *map;
    w->mapped_node = BW_NONE;
    w->progress.evidence = 0.0;
    w->progress.started = false;
    w->progress.steps = w->progress.pairs = 0;
    w->progress.weighed = w->progress.counted = w->progress.pruned = w->progress.remembered = 0;
    w->stack = NULL;
    w->on_pair = NULL;
    w->hit = (bw_hit){BW_NONE, BW_NONE, BW_CONTACT_NONE};
    w->desc = (bw_collide_desc){.mode = BW_COLLIDE_ANY, .hits = &w->hit, .hit_capacity = 1};
    w->sink = (bw_hit_sink){.desc = &w->desc};
    w->side_a = (bw_wide_side){wide_a, a->mesh};
    w->side_b = (bw_wide_side){wide_b, b->mesh};
    w->plan.a = &w->side_a;
    w->plan.b = &w->side_b;
    w->plan.pose = pose;
    w->plan.kernels = bw_wide_kernels_for(level);
    w->plan.self = w->plan.use_sat = w->plan.use_obbs = false;
    w->plan.allocator = *allocator;
    w->plan.fans = NULL;
    w->plan.keys = NULL;
    w->plan.rings = NULL;
    w->plan.rings_hide_contacts = false;
    w->gap = w->plan.kernels->box_bounds(&w->plan.frame, pose, &wide_a->bounds, &wide_b->bounds, both);
    w->triangles_ready = false;
    bw_traversal_init(&w->wide, &w->plan, &w->sink);
}

void bw_anytime_traversal_release(bw_anytime_traversal *w)
{
    bw_traversal_release(&w->wide);
}

void bw_anytime_traversal_start(bw_anytime_traversal *w, bw_stack *stack)
{
    w->stack = stack;
}

static void map_node(bw_anytime_traversal *w, uint32_t node)
{
    if (w->mapped_node != node) {
        w->kernels->map(&w->map, &w->b->nodes[node], &w->mapped);
        w->mapped_node = node;
    }
}

float bw_anytime_traversal_hazard(bw_anytime_traversal *w, const bw_anytime_pair *pair)
{
    const bw_wide_node *a = &w->wide.a->nodes[pair->node_a], *b = &w->wide.b->nodes[pair->node_b];
    bw_wide_meeting meeting = w->wide.kernels->box_pair(w->wide.frame, a, 1u << pair->lane_a, b,
                                                        1u << pair->lane_b, &w->wide.mapped);
    w->progress.steps++;
    w->sink.report.box_tests++;
    if ((meeting.leaves | meeting.others) == 0)
        return 0.0f;
    float distance[BW_WIDTH * BW_WIDTH];
    uint32_t bit = 8u * pair->lane_b + pair->lane_a;
    map_node(w, pair->node_b);
    w->kernels->distances(&w->a->nodes[pair->node_a], &w->mapped, (uint64_t)1 << bit, distance);
    w->progress.pairs++;
    return bw_anytime_hazard(w->model, w->a->nodes[pair->node_a].code[pair->lane_a],
                             w->b->nodes[pair->node_b].code[pair->lane_b], distance[bit]);
}

/* As bw_wide_compare_leaves, but eight pairs of triangles at a time, and no more of them once the time is
 * over: two leaves may have 64 that take an exact decision each. *whole is false then. */
static bool compare_in_time(bw_anytime_traversal *w, uint32_t leaf_a, uint32_t leaf_b, bool *whole)
{
    bw_traversal *wide = &w->wide;
    bw_wide_ready *a = bw_wide_leaf_ready(&wide->leaves_a, leaf_a),
                  *b = bw_wide_leaf_ready(&wide->leaves_b, leaf_b);
    bw_wide_gap gap;
    uint64_t mask = wide->kernels->leaf_pair(a, b, &gap);
    wide->last = (bw_wide_leaf_pair){leaf_a, leaf_b};
    w->sink.report.box_tests += (uint64_t)a->count * b->count;
    while (mask != 0) {
        mask = wide->kernels->append(a, b, &gap, mask, &wide->batch);
        if (!bw_wide_decide_all(wide))
            return false;
        if (mask != 0 && bw_deadline_passed(&w->limits.watch)) {
            *whole = false;
            return true;
        }
    }
    return true;
}

bw_result bw_anytime_traversal_leaves(bw_anytime_traversal *w, uint32_t leaf_a, uint32_t leaf_b, bool *meet,
                                      bool *whole)
{
    w->progress.steps++;
    if (!w->triangles_ready) {
        w->plan.kernels->triangle_bounds(&w->plan.frame, w->plan.pose, &w->wide.a->bounds, &w->wide.b->bounds,
                                         w->gap);
        w->triangles_ready = true;
    }
    *whole = true;
    bool apart = w->limits.watch.set ? compare_in_time(w, leaf_a, leaf_b, whole)
                                     : bw_wide_compare_leaves(&w->wide, (bw_wide_leaf_pair){leaf_a, leaf_b});
    *meet = !apart && w->wide.result == BW_OK;
    return w->wide.result;
}

static bw_anytime_pair pair_at(const bw_anytime_frame *f, uint32_t bit, float hazard)
{
    return (bw_anytime_pair){f->a, f->b, (uint16_t)(bit & 7), (uint16_t)(bit >> 3), hazard};
}

/* The first pairs that count, for places and for the next query. */
static void remember(bw_anytime_progress *p, const bw_anytime_frame *f, uint64_t counting)
{
    for (; counting != 0 && p->remembered < BW_ANYTIME_REMEMBERED; counting &= counting - 1) {
        uint32_t k = bw_wide_lowest(counting);
        p->pair[p->remembered++] = pair_at(f, f->list.bit[k], f->list.hazard[k]);
    }
}

static void tell_pairs(const bw_anytime_traversal *w, const bw_anytime_frame *f, uint64_t mask)
{
    const bw_moment_node *a = &w->a->nodes[f->a], *b = &w->b->nodes[f->b];
    float distance[BW_WIDTH * BW_WIDTH];
    w->kernels->distances(a, &w->mapped, mask, distance);
    for (uint32_t k = 0; k < f->count; k++) {
        uint32_t bit = f->list.bit[k];
        bw_anytime_pair pair = pair_at(f, bit, f->list.hazard[k]);
        w->on_pair(w->on_pair_user, &pair, bw_moment_class(a->code[bit & 7], b->code[bit >> 3]),
                   distance[bit]);
    }
}

/* Fills a frame with the pairs of the mask, less those that are pruned. True where that is enough. */
static bool weigh(bw_anytime_traversal *w, uint64_t mask, bw_anytime_frame *f)
{
    const bw_anytime_limits *l = &w->limits;
    bw_anytime_progress *p = &w->progress;
    bw_moment_scale scale = {w->model->hazard, l->prune_at, l->count_at};
    map_node(w, f->b);
    bw_moment_weights found = w->kernels->weigh(&w->a->nodes[f->a], &w->mapped, mask, &scale, &f->list);
    f->left = found.kept;
    f->count = found.count;
    f->next = found.likeliest;
    f->next_value = found.value;
    p->weighed++;
    p->evidence += (double)found.sum;
    p->pairs += found.count;
    p->pruned += found.count - bw_moment_bits(found.kept);
    if (w->on_pair != NULL)
        tell_pairs(w, f, mask);
    if (l->sure != NULL && p->evidence >= (double)l->sure[bw_anytime_stage(p->steps)])
        return true;
    if (found.counting == 0)
        return false;
    p->counted += bw_moment_bits(found.counting);
    remember(p, f, found.counting);
    return p->counted >= l->k_min;
}

/* Fills a frame with the pairs of the mask as they are: what is known of the pair that they are parts of is
 * shared by them. */
static void share_out(bw_anytime_traversal *w, uint64_t mask, float hazard, bw_anytime_frame *f)
{
    f->left = mask;
    f->count = 0;
    f->next = bw_traversal_nearest(&w->wide, &w->wide.a->nodes[f->a], mask);
    f->next_value = hazard / (float)bw_moment_bits(mask);
    w->progress.evidence += (double)hazard;
}

static bw_anytime_pair next_pair(const bw_anytime_frame *f)
{
    return pair_at(f, f->count == 0 ? f->next : f->list.bit[f->next], f->next_value);
}

bw_anytime_pair bw_anytime_frame_take(const bw_moment_kernels *kernels, bw_anytime_frame *f)
{
    bw_anytime_pair pair = next_pair(f);
    f->left ^= (uint64_t)1 << f->next;
    if (f->left == 0)
        return pair;
    if (f->count == 0) {
        f->next = bw_wide_lowest(f->left);
    } else {
        f->next = kernels->likeliest(&f->list, f->left);
        f->next_value = f->list.hazard[f->next];
    }
    return pair;
}

/* The frame whose next pair is the next of all. */
static bw_anytime_frame *next_frame(const bw_stack *stack)
{
    bw_anytime_frame *frames = (bw_anytime_frame *)(void *)stack->items, *last = frames + stack->count - 1,
                     *best = last;
    if (last->count > 0) /* then none is plain */
        for (bw_anytime_frame *f = frames; f < last; f++)
            best = f->next_value > best->next_value ? f : best;
    return best;
}

/* Less than all of it where the list is short. */
static void move_frame(bw_anytime_frame *to, const bw_anytime_frame *from)
{
    to->left = from->left;
    to->a = from->a;
    to->b = from->b;
    to->next = from->next;
    to->next_value = from->next_value;
    to->count = from->count;
    for (uint32_t k = 0; k < from->count; k += BW_WIDTH) {
        memcpy(&to->list.hazard[k], &from->list.hazard[k], BW_WIDTH * sizeof *to->list.hazard);
        memcpy(&to->list.bit[k], &from->list.bit[k], BW_WIDTH);
    }
}

static void take(bw_anytime_traversal *w, bw_anytime_frame *f)
{
    bw_stack *stack = w->stack;
    bw_anytime_frame *last = (bw_anytime_frame *)(void *)stack->items + stack->count - 1;
    w->progress.evidence -= (double)bw_anytime_frame_take(w->kernels, f).hazard;
    if (f->left == 0) { /* a frame that is done needs no room */
        if (f != last)
            move_frame(f, last);
        stack->count--;
    }
}

/* Children of two nodes that are to be compared. */
typedef struct opened {
    uint32_t a, b, lanes, rows;
    float hazard; /* of the pair that they are parts of */
    bool plain;
} opened;

static opened open_pair(const bw_anytime_traversal *w, const bw_anytime_pair *pair, bool plain)
{
    const bw_wide_node *a = &w->wide.a->nodes[pair->node_a], *b = &w->wide.b->nodes[pair->node_b];
    uint32_t child_a = a->child[pair->lane_a], child_b = b->child[pair->lane_b];
    const bw_wide_opening open =
        bw_wide_open_larger(child_a, bw_wide_lane_size(a->min, a->max, pair->lane_a), child_b,
                            bw_wide_lane_size(b->min, b->max, pair->lane_b) * w->map.scale);
    return (opened){open.a ? child_a : pair->node_a,
                    open.b ? child_b : pair->node_b,
                    open.a ? 0xFFu : 1u << pair->lane_a,
                    open.b ? 0xFFu : 1u << pair->lane_b,
                    pair->hazard,
                    plain || w->progress.weighed >= w->limits.most_weighed};
}

/* Compares the children of two nodes, and puts those to be looked into on the stack; false when the query
 * ends. */
static bool visit(bw_anytime_traversal *w, const opened *pair, bw_anytime_reason *status, bw_result *result)
{
    const bw_wide_node *a = &w->wide.a->nodes[pair->a], *b = &w->wide.b->nodes[pair->b];
    uint32_t lanes = pair->lanes & ((1u << a->count) - 1), rows = pair->rows & ((1u << b->count) - 1);
    bw_wide_meeting meeting = w->wide.kernels->box_pair(w->wide.frame, a, lanes, b, rows, &w->wide.mapped);
    uint64_t mask = meeting.leaves | meeting.others;
    w->progress.steps++;
    w->sink.report.box_tests += bw_wide_bits(lanes) * bw_wide_bits(rows);
    if (mask == 0)
        return true;
    bw_anytime_frame *f = bw_stack_push(w->stack);
    if (f == NULL) {
        *result = BW_ERROR_MEMORY;
        return false;
    }
    f->a = pair->a;
    f->b = pair->b;
    if (pair->plain) {
        share_out(w, mask, pair->hazard, f);
    } else if (weigh(w, mask, f)) {
        *status = BW_ANYTIME_ENOUGH;
        return false;
    }
    w->stack->count -= f->left == 0;
    return true;
}

/* Whether the budget allows no further step. */
static bool spent(bw_anytime_traversal *w, bw_deadline_step step, bw_anytime_reason *status)
{
    bw_anytime_limits *l = &w->limits;
    if (l->go_on != NULL && !l->go_on(l->user)) {
        *status = BW_ANYTIME_STOPPED;
        return true;
    }
    if (w->progress.steps >= l->max_steps || bw_deadline_over(&l->watch, step)) {
        *status = BW_ANYTIME_BUDGET;
        return true;
    }
    return false;
}

static bw_deadline_step kind_of_step(const bw_anytime_traversal *w, bool leaves, bool plain)
{
    if (leaves)
        return w->triangles_ready ? BW_STEP_LEAVES : BW_STEP_FIRST_LEAVES;
    return plain || w->progress.weighed >= w->limits.most_weighed ? BW_STEP_PLAIN : BW_STEP_WEIGHED;
}

/* Looks into the next pair; there is one. False when the query ends. */
static bool step(bw_anytime_traversal *w, bw_anytime_reason *status, bw_result *result)
{
    bw_anytime_frame *f = next_frame(w->stack);
    bw_anytime_pair next = next_pair(f);
    uint32_t child_a = w->wide.a->nodes[next.node_a].child[next.lane_a],
             child_b = w->wide.b->nodes[next.node_b].child[next.lane_b];
    bool leaves = (child_a & child_b & BW_WIDE_LEAF) != 0, plain = f->count == 0, meet, whole;
    if (spent(w, kind_of_step(w, leaves, plain), status))
        return false;
    if (!leaves) {
        take(w, f);
        opened pair = open_pair(w, &next, plain);
        return visit(w, &pair, status, result);
    }
    *result = bw_anytime_traversal_leaves(w, child_a & ~BW_WIDE_LEAF, child_b & ~BW_WIDE_LEAF, &meet, &whole);
    *status = whole ? BW_ANYTIME_PROVEN : BW_ANYTIME_BUDGET;
    if (whole) /* else it is still to be looked into */
        take(w, f);
    return *result == BW_OK && !meet && whole;
}

bw_result bw_anytime_traversal_run(bw_anytime_traversal *w, bw_anytime_reason *status)
{
    bw_result result = BW_OK;
    if (!w->progress.started) {
        if (spent(w, BW_STEP_WEIGHED, status))
            return BW_OK;
        w->progress.started = true;
        if (!visit(w, &(opened){0, 0, 0xFFu, 0xFFu, 0.0f, false}, status, &result))
            return result;
    }
    while (w->stack->count > 0)
        if (!step(w, status, &result))
            return result;
    *status = w->progress.pruned > 0 ? BW_ANYTIME_PRUNED : BW_ANYTIME_PROVEN;
    return BW_OK;
}
