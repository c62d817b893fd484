/* Figure 3: pairs of nodes in a priority queue, the likeliest first; "collision" once k_min pairs have
 * reached p_min. No triangle is ever looked at. */
#include "anytime/paper/query.h"

#include "anytime/paper/paper.h"
#include "base/best_first.h"
#include "collide/pair/sat.h"

#include <math.h>

typedef struct entry {
    double p;
    uint32_t a, b, order; /* equal probabilities in the order in which they came */
} entry;

typedef struct queue {
    bw_array heap;
    uint32_t order;
} queue;

static bool before(const entry *x, const entry *y)
{
    return x->p > y->p || (x->p == y->p && x->order < y->order);
}

BW_BEST_FIRST(queue, entry, before)

static bool insert(queue *q, uint32_t a, uint32_t b, double p)
{
    if (bw_array_push(&q->heap) == NULL)
        return false;
    queue_put((entry *)(void *)q->heap.items, q->heap.count, (entry){p, a, b, q->order++});
    return true;
}

static entry pop(queue *q)
{
    entry *items = (entry *)(void *)q->heap.items, top = items[0], last = items[--q->heap.count];
    queue_replace(items, q->heap.count, last);
    return top;
}

typedef struct search {
    const bw_paper *a, *b;
    const bw_transform *map;
    bw_sat sat;
    queue q;
    double p_min;
    uint32_t k_min;
    double best, left; /* the likeliest pair so far; the likeliest that was given up */
    bool sure;         /* nothing but boxes apart has ended a branch */
    entry found;
    bw_anytime_answer *out;
} search;

/* One pair of children; false where memory runs out. */
static bool consider(search *s, uint32_t a, uint32_t b)
{
    const bw_paper_node *na = &s->a->nodes[a], *nb = &s->b->nodes[b];
    s->out->box_tests++;
    if (bw_sat_separates(&s->sat, na->box.min, na->box.max, nb->box.min, nb->box.max) >= 0)
        return true;
    double p = bw_paper_probability(s->a, a, s->b, b, s->map);
    s->out->pairs++;
    if (p > s->best) {
        s->best = p;
        s->found = (entry){p, a, b, 0};
    }
    if (p >= s->p_min && p > 0.0)
        s->out->counted++;
    bool leaves = na->end == a + 1 && nb->end == b + 1;
    if (p > 0.0 && !leaves)
        return insert(&s->q, a, b, p);
    s->sure = false; /* what the cells do not show, or what there is no finer view of */
    s->left = p > s->left ? p : s->left;
    return true;
}

/* The children of a node, or the node itself where it has none. */
static uint32_t first_child(const bw_paper *t, uint32_t node)
{
    return t->nodes[node].end == node + 1 ? node : node + 1;
}

static bool expand(search *s, const entry *pair)
{
    uint32_t end_a = s->a->nodes[pair->a].end, end_b = s->b->nodes[pair->b].end;
    for (uint32_t a = first_child(s->a, pair->a); a < end_a; a = s->a->nodes[a].end)
        for (uint32_t b = first_child(s->b, pair->b); b < end_b; b = s->b->nodes[b].end) {
            if (!consider(s, a, b))
                return false;
            if (s->out->counted >= s->k_min)
                return true;
        }
    return true;
}

static bool spent(bw_anytime_limits *l, uint64_t steps, bw_anytime_reason *status)
{
    bool stopped = l->go_on != NULL && !l->go_on(l->user);
    if (stopped || steps >= l->max_steps || bw_deadline_over(&l->watch, BW_STEP_PLAIN)) {
        *status = stopped ? BW_ANYTIME_STOPPED : BW_ANYTIME_BUDGET;
        return true;
    }
    return false;
}

static bw_result run(search *s, bw_anytime_limits *limits, bw_anytime_reason *status)
{
    if (!insert(&s->q, 0, 0, 1.0)) /* as the paper starts */
        return BW_ERROR_MEMORY;
    while (s->q.heap.count > 0) {
        if (spent(limits, s->out->steps, status))
            return BW_OK;
        entry pair = pop(&s->q);
        s->out->steps++;
        if (!expand(s, &pair))
            return BW_ERROR_MEMORY;
        if (s->out->counted >= s->k_min) {
            *status = BW_ANYTIME_ENOUGH;
            return BW_OK;
        }
    }
    *status = s->sure ? BW_ANYTIME_PROVEN : BW_ANYTIME_PRUNED;
    return BW_OK;
}

static void conclude(const search *s, bw_anytime_reason status, bw_anytime_answer *out)
{
    double likely = status == BW_ANYTIME_PRUNED ? s->left : s->best;
    out->reason = status;
    out->proven = status == BW_ANYTIME_PROVEN;
    out->collision = status == BW_ANYTIME_ENOUGH;
    if (status == BW_ANYTIME_BUDGET || status == BW_ANYTIME_STOPPED) {
        likely = out->steps == 0 ? 0.5 : likely;
        out->collision = likely > 0.5;
    }
    likely = out->collision ? likely : 1.0 - likely;
    out->confidence = out->proven ? 1.0 : likely > 0.5 ? likely : 0.5;
}

/* The likeliest pair: the middle of a's box, towards b's. */
static void place(const search *s, const bw_transform *pose_a, bw_anytime_region *out)
{
    const bw_box *a = &s->a->nodes[s->found.a].box, *b = &s->b->nodes[s->found.b].box;
    double middle[2][3], normal[3], length2 = 0.0;
    for (int k = 0; k < 3; k++) {
        middle[0][k] = 0.5 * ((double)a->min[k] + (double)a->max[k]);
        middle[1][k] = 0.5 * ((double)b->min[k] + (double)b->max[k]);
    }
    bw_vec3 p = {middle[0][0], middle[0][1], middle[0][2]};
    bw_vec3 q = bw_transform_point(s->map, (bw_vec3){middle[1][0], middle[1][1], middle[1][2]});
    *out = (bw_anytime_region){.box = *a, .probability = s->found.p, .a = BW_NONE, .b = BW_NONE};
    out->point = (bw_vec3){0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    if (pose_a != NULL) {
        bw_vec3 corners[8];
        for (int k = 0; k < 8; k++)
            corners[k] =
                bw_transform_point(pose_a, (bw_vec3){(double)((k & 1) != 0 ? a->max[0] : a->min[0]),
                                                     (double)((k & 2) != 0 ? a->max[1] : a->min[1]),
                                                     (double)((k & 4) != 0 ? a->max[2] : a->min[2])});
        out->box = bw_box_of_points(corners, 8);
        out->point = bw_transform_point(pose_a, out->point);
        p = bw_transform_point(pose_a, p);
        q = bw_transform_point(pose_a, q);
    }
    normal[0] = q.x - p.x;
    normal[1] = q.y - p.y;
    normal[2] = q.z - p.z;
    for (int k = 0; k < 3; k++)
        length2 += normal[k] * normal[k];
    if (length2 > 1e-300 && length2 < 1e300) {
        double length = sqrt(length2);
        out->normal = (bw_vec3){normal[0] / length, normal[1] / length, normal[2] / length};
    }
}

bw_result bw_paper_query(const bw_anytime_body *a, const bw_anytime_body *b, const bw_relative_pose *pose,
                         bw_anytime_limits *limits, double p_min, const bw_anytime_query_desc *desc,
                         bw_anytime_answer *out)
{
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    search s = {.a = &a->anytime->paper,
                .b = &b->anytime->paper,
                .map = &pose->map,
                .q = {bw_array_of(sizeof(entry), &allocator), 0},
                .p_min = p_min,
                .k_min = limits->k_min,
                .sure = true,
                .out = out};
    bw_anytime_reason status = BW_ANYTIME_PROVEN;
    bw_sat_prepare(&s.sat, &pose->map, &s.a->nodes[0].box, &s.b->nodes[0].box, BW_BOX_TEST_SAT_LITE);
    bw_result result = run(&s, limits, &status);
    if (result == BW_OK) {
        conclude(&s, status, out);
        if (s.best > 0.0 && desc->region_capacity > 0) {
            place(&s, a->pose, desc->regions);
            out->region_count = 1;
        }
    }
    bw_array_release(&s.q.heap);
    return result;
}
