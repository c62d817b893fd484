/* A shape against the primitives of a tree: all that it meets, and the nearest. */
#include "shape/body.h"

#include "base/fault.h"
#include "base/sized.h"
#include "base/stack.h"
#include "geom/box.h"
#include "shape/pair.h"

bw_result bw_body_prepare(const bw_body *body, bw_metric_side *out)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL)
        return BW_ERROR_ARGUMENT;
    return bw_metric_prepare(body, out);
}

/* What boxes are compared with: a box, and of a half-space its plane. */
typedef struct region {
    double low[3], high[3];
    bool plane;
    double n[3], offset; /* n . x <= offset */
} region;

static region region_of(const bw_convex *c, double separation)
{
    region r = {.plane = c->core == BW_CORE_HALF_SPACE};
    const bw_box box = bw_convex_box(c);
    for (int k = 0; k < 3; k++) {
        r.low[k] = (double)box.min[k] - separation * (1 + 0x1p-40) - 0x1p-40 * fabs((double)box.min[k]);
        r.high[k] = (double)box.max[k] + separation * (1 + 0x1p-40) + 0x1p-40 * fabs((double)box.max[k]);
    }
    if (r.plane) {
        r.n[0] = c->edge[0].x, r.n[1] = c->edge[0].y, r.n[2] = c->edge[0].z;
        r.offset = bw_vec3_dot(c->edge[0], c->at) + (c->radius + separation) * (1 + 1e-8) + 0x1p-40 * c->size;
    }
    return r;
}

static bool may_meet(const region *r, const bw_metric_boxes *boxes, uint32_t i)
{
    for (int k = 0; k < 3; k++)
        if ((double)boxes->min[k][i] > r->high[k] || (double)boxes->max[k][i] < r->low[k])
            return false;
    double least = 0, size = 0;
    for (int k = 0; r->plane && k < 3; k++) {
        const double x = (double)(r->n[k] > 0 ? boxes->min[k][i] : boxes->max[k][i]) * r->n[k];
        least += x;
        size += fabs(x);
    }
    return !r->plane || least <= r->offset + 0x1p-40 * size;
}

typedef struct search {
    const bw_convex *shape;
    const bw_metric_side *side;
    const bw_shape_collide_desc *desc;
    bw_shape_collide_report report;
} search;

/* Takes one hit; false when the search is to end. */
static bool take(search *s, const bw_shape_hit *hit)
{
    const bw_shape_collide_desc *desc = s->desc;
    const uint64_t index = s->report.hit_count++;
    s->report.touching_count += hit->contact.kind == BW_CONTACT_TOUCHING;
    s->report.near_count += hit->contact.kind == BW_CONTACT_NONE;
    if (desc->mode == BW_COLLIDE_COUNT)
        return true;
    if (desc->hits != NULL) {
        if (index < desc->hit_capacity)
            desc->hits[index] = *hit;
        else
            s->report.status = BW_FULL;
    }
    if (desc->on_hit != NULL && !desc->on_hit(desc->user, hit)) {
        s->report.status = BW_STOPPED;
        return false;
    }
    if (desc->mode == BW_COLLIDE_ANY) {
        s->report.status = BW_FOUND;
        return false;
    }
    return true;
}

/* Whether the contact itself is wanted, or only that there is one. */
static bool wants_contacts(const bw_shape_collide_desc *desc)
{
    return desc->separation > 0 ||
           (desc->mode != BW_COLLIDE_COUNT && (desc->hits != NULL || desc->on_hit != NULL));
}

static bw_result test(search *s, uint32_t primitive, bool *go_on)
{
    bw_vec3 corners[3];
    bw_convex triangle;
    bw_shape_hit hit = {.primitive = primitive};
    if (!bw_metric_corners(s->side, primitive, corners))
        return BW_ERROR_RANGE;
    s->report.primitive_tests++;
    bw_convex_of_triangle(corners, &triangle);
    if (wants_contacts(s->desc)) {
        bw_pair_contact(s->shape, &triangle, s->desc->separation, BW_PAIR_POINTS, NULL, &hit.contact);
    } else {
        hit.contact.kind = bw_pair_overlap(s->shape, &triangle);
        hit.contact.point_count = hit.contact.kind != BW_CONTACT_NONE;
    }
    *go_on = hit.contact.point_count == 0 || take(s, &hit);
    return BW_OK;
}

static bw_result traverse(search *s, bw_stack *stack)
{
    const region r = region_of(s->shape, s->desc->separation);
    bw_metric_boxes boxes;
    bool go_on = true;
    uint32_t *top = bw_stack_push(stack);
    if (top == NULL)
        return BW_ERROR_MEMORY;
    *top = 0;
    while (go_on && (top = bw_stack_pop(stack)) != NULL) {
        const uint32_t ref = *top;
        bw_metric_children(s->side, ref, &boxes);
        s->report.nodes_visited++;
        for (uint32_t k = 0; go_on && k < boxes.count; k++) {
            /* Of a leaf in order, of a node the last first: it is taken last. */
            const bool leaf = (ref & BW_WIDE_LEAF) != 0;
            const uint32_t i = leaf ? k : boxes.count - 1 - k;
            if (!may_meet(&r, &boxes, i))
                continue;
            if (leaf) {
                const bw_result result = test(s, boxes.child[i], &go_on);
                if (result != BW_OK)
                    return result;
                continue;
            }
            top = bw_stack_push(stack);
            if (top == NULL)
                return BW_ERROR_MEMORY;
            *top = boxes.child[i];
        }
    }
    return BW_OK;
}

bw_result bw_shape_collide_body(const bw_placed_shape *shape, const bw_body *body,
                                const bw_shape_collide_desc *desc, bw_shape_collide_report *report,
                                bw_fault *fault)
{
    static const bw_shape_collide_desc defaults = {0};
    bw_convex c;
    bw_metric_side side;
    desc = desc == NULL ? &defaults : desc;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if (shape == NULL || report == NULL ||
        !(desc->separation >= 0 && desc->separation <= BW_COORDINATE_MAX) ||
        (unsigned)desc->mode > BW_COLLIDE_COUNT)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_convex_place(shape->shape, shape->pose, &c);
    if (result != BW_OK)
        return bw_convex_fail(shape->shape, shape->pose, result, 0, fault);
    result = bw_body_prepare(body, &side);
    if (result != BW_OK)
        return bw_fail_at(fault, result, 1);
    uint32_t memory[1024];
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_stack stack = bw_stack_over(memory, sizeof memory, sizeof *memory, &allocator);
    search s = {&c, &side, desc, {.status = BW_DONE}};
    if (side.tree->node_count > 0)
        result = traverse(&s, &stack);
    bw_stack_release(&stack);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_report_set(report, s.report);
    return bw_fail(fault, BW_OK);
}

/* ---- The nearest primitive ---- */

typedef struct item {
    double bound; /* of the distance */
    uint32_t ref;
} item;

/* A lower bound of the distance of a box to the shape. */
static double box_bound(const region *r, const bw_metric_boxes *boxes, uint32_t i)
{
    double sum = 0;
    if (r->plane) {
        double least = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            const double x = (double)(r->n[k] > 0 ? boxes->min[k][i] : boxes->max[k][i]) * r->n[k];
            least += x;
            size += fabs(x);
        }
        return bw_larger(0, (least - r->offset - 0x1p-40 * size) * (1 - 1e-8));
    }
    for (int k = 0; k < 3; k++) {
        const double gap = bw_larger(
            0, bw_larger((double)boxes->min[k][i] - r->high[k], r->low[k] - (double)boxes->max[k][i]));
        sum += gap * gap;
    }
    return sqrt(sum) * (1 - 0x1p-48);
}

static bool measure(const bw_convex *shape, const bw_metric_side *side, uint32_t primitive,
                    double max_distance, bw_shape_distance_report *best)
{
    bw_vec3 corners[3];
    bw_convex triangle;
    bw_shape_nearest nearest;
    if (!bw_metric_corners(side, primitive, corners))
        return false;
    bw_convex_of_triangle(corners, &triangle);
    best->primitive_tests++;
    const double limit = bw_lesser(best->nearest.distance, max_distance);
    if (!bw_pair_distance_within(shape, &triangle, limit, NULL, &nearest))
        return true;
    if (nearest.distance < best->nearest.distance ||
        (nearest.distance == best->nearest.distance && primitive < best->primitive)) {
        best->nearest = nearest;
        best->primitive = primitive;
    }
    return true;
}

/* The children of one node or leaf: primitives are measured, nodes pushed, the nearest last. */
static bw_result open_node(const bw_convex *shape, const bw_metric_side *side, const region *r, uint32_t ref,
                           double max_distance, bw_stack *stack, bw_shape_distance_report *best)
{
    bw_metric_boxes boxes;
    item items[BW_WIDTH];
    uint32_t count = 0;
    bw_metric_children(side, ref, &boxes);
    best->nodes_visited++;
    for (uint32_t i = 0; i < boxes.count; i++) { /* sorted, the farthest first */
        const item new_item = {box_bound(r, &boxes, i), boxes.child[i]};
        uint32_t k = count++;
        for (; k > 0 && items[k - 1].bound < new_item.bound; k--)
            items[k] = items[k - 1];
        items[k] = new_item;
    }
    if ((ref & BW_WIDE_LEAF) != 0) {
        for (uint32_t i = count; i-- > 0;)
            if (items[i].bound <= bw_lesser(best->nearest.distance, max_distance) &&
                !measure(shape, side, items[i].ref, max_distance, best))
                return BW_ERROR_RANGE;
        return BW_OK;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].bound > bw_lesser(best->nearest.distance, max_distance))
            continue;
        item *slot = bw_stack_push(stack);
        if (slot == NULL)
            return BW_ERROR_MEMORY;
        *slot = items[i];
    }
    return BW_OK;
}

bw_result bw_body_distance(const bw_convex *shape, const bw_metric_side *side, double max_distance,
                           const bw_allocator *given, bw_shape_distance_report *out)
{
    item memory[256];
    const bw_allocator allocator = bw_allocator_or_heap(given);
    bw_stack stack = bw_stack_over(memory, sizeof memory, sizeof *memory, &allocator);
    const region r = region_of(shape, 0);
    bw_result result = BW_OK;
    *out = (bw_shape_distance_report){.status = BW_DONE, .primitive = BW_NONE};
    out->nearest.distance = (double)INFINITY;
    if (side->tree->node_count > 0)
        *(item *)bw_stack_push(&stack) = (item){0, 0};
    const item *top;
    while (result == BW_OK && (top = bw_stack_pop(&stack)) != NULL)
        if (top->bound <= bw_lesser(out->nearest.distance, max_distance))
            result = open_node(shape, side, &r, top->ref, max_distance, &stack, out);
    bw_stack_release(&stack);
    out->status = out->primitive == BW_NONE ? BW_LIMIT : BW_DONE;
    return result;
}

bw_result bw_shape_distance_body(const bw_placed_shape *shape, const bw_body *body,
                                 const bw_shape_distance_desc *desc, bw_shape_distance_report *report,
                                 bw_fault *fault)
{
    static const bw_shape_distance_desc defaults = {0};
    bw_convex c;
    bw_metric_side side;
    bw_shape_distance_report out;
    desc = desc == NULL ? &defaults : desc;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if (shape == NULL || report == NULL || !(desc->max_distance >= 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_convex_place(shape->shape, shape->pose, &c);
    if (result != BW_OK)
        return bw_convex_fail(shape->shape, shape->pose, result, 0, fault);
    result = bw_body_prepare(body, &side);
    if (result != BW_OK)
        return bw_fail_at(fault, result, 1);
    result = bw_body_distance(&c, &side, desc->max_distance == 0 ? (double)INFINITY : desc->max_distance,
                              desc->allocator, &out);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_report_set(report, out);
    return bw_fail(fault, BW_OK);
}
