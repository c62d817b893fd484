/* Who touches whom, from when to when: piece by piece of time in which everything moves straight or nearly
 * so, the span engine finds the pairs of triangles that may meet (collide/span/candidates.h), their contacts
 * are found exactly (timeline/contact_intervals.h), joined to those of the piece before, and told
 * in order. */
#include "base/cancel.h"
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/span/candidates.h"
#include "geom/vec.h"
#include "mesh/view.h"
#include "timeline/contact_intervals.h"
#include "timeline/exact/contact_times.h"
#include "timeline/moving_body.h"

#include <math.h>

/* A contact of two triangles: within a piece, or open at its end. */
typedef struct contact {
    uint32_t pair; /* of objects: row * count + column */
    uint32_t a, b; /* triangles */
    double from, to;
    bool at_start, at_end; /* of the piece */
    bool instant;
} contact;

typedef struct timeline {
    bw_allocator allocator;
    const bw_timeline_desc *desc;
    uint32_t count;
    const bw_moving *objects;
    bw_moving_body *bodies;
    bw_array pairs; /* bw_span_pair: of the last two objects */
    bw_exact_scratch *scratch;
    bw_array contacts;  /* contact: of the piece */
    bw_array open[2];   /* contact: those that last beyond the piece before, and beyond this one */
    bw_array events;    /* bw_timeline_event: of the piece */
    uint64_t *touching; /* OBJECTS: pairs of triangles in contact, by pair of objects */
    double begin, end;  /* of all */
    double best;        /* FIRST: when */
    bw_cancel *cancel;  /* NULL: nobody wants to be asked */
    bw_timeline_report report;
} timeline;

/* ---- sorting in place ---- */

typedef bool less_fn(const void *a, const void *b);

static void swap_bytes(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

static void sink_down(bw_array *array, size_t root, size_t count, less_fn *less)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && less(bw_array_at(array, child), bw_array_at(array, child + 1)))
            child++;
        if (!less(bw_array_at(array, root), bw_array_at(array, child)))
            return;
        swap_bytes(bw_array_at(array, root), bw_array_at(array, child), array->element);
    }
}

/* A heap's sort: no memory. It may be left half done by who asks not to go on. */
static void sort(bw_array *array, less_fn *less, bw_cancel *cancel)
{
    uint32_t until = 0;
    for (size_t i = array->count / 2; i-- > 0 && (cancel == NULL || bw_cancel_step(cancel, &until));)
        sink_down(array, i, array->count, less);
    for (size_t n = array->count; n > 1 && (cancel == NULL || bw_cancel_step(cancel, &until)); n--) {
        swap_bytes(bw_array_at(array, 0), bw_array_at(array, n - 1), array->element);
        sink_down(array, 0, n - 1, less);
    }
}

static int compare_triangles(const contact *x, const contact *y)
{
    if (x->pair != y->pair)
        return x->pair < y->pair ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b != y->b ? (x->b < y->b ? -1 : 1) : 0;
}

static bool contact_less(const void *a, const void *b)
{
    const contact *x = a, *y = b;
    int order = compare_triangles(x, y);
    return order != 0 ? order < 0 : x->from < y->from;
}

static bool event_less(const void *a, const void *b)
{
    const bw_timeline_event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time;
    if (x->begins != y->begins)
        return x->begins;
    contact p = {.pair = x->object_a, .a = x->object_b}, q = {.pair = y->object_a, .a = y->object_b};
    int order = compare_triangles(&p, &q);
    if (order != 0)
        return order < 0;
    p = (contact){.a = x->triangle_a, .b = x->triangle_b};
    q = (contact){.a = y->triangle_a, .b = y->triangle_b};
    return compare_triangles(&p, &q) < 0;
}

/* ---- one piece ---- */

/* The corners at both ends of the piece. */
static void corners(const bw_moving *object, uint32_t primitive, double from, double to, bw_vec3 out[2][3],
                    uint32_t vertices[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        vertices[k] = bw_mesh_view_index(object->mesh, primitive, k);
        out[0][k] = bw_motion_position(object->motion, vertices[k], from);
        out[1][k] = bw_motion_position(object->motion, vertices[k], to);
    }
}

/* A vertex within the piece, as the factors of 1, s, s^2, s^3, where s is the part of it, given its places at
 * both ends; returns how far a coordinate may be from the true one. */
static double curve_of(const bw_motion *motion, uint32_t v, double from, double to, bw_vec3 first,
                       bw_vec3 last, bw_vec3 out[4])
{
    if (motion->kind != BW_MOTION_PLANS) {
        out[0] = first;
        out[1] = bw_vec3_sub(last, first);
        out[2] = out[3] = (bw_vec3){0, 0, 0};
        return 0;
    }
    const bw_plan *plan = &motion->plans[v];
    double u = from - plan->origin, h = to - from;
    double far = fabs(u) + h, most = 0, x[4][3];
    for (int axis = 0; axis < 3; axis++) {
        double c[4];
        for (int k = 0; k < 4; k++)
            c[k] = bw_vec3_at(&plan->c[k], axis);
        x[0][axis] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
        x[1][axis] = h * (c[1] + u * (2 * c[2] + 3 * u * c[3]));
        x[2][axis] = h * h * (c[2] + 3 * u * c[3]);
        x[3][axis] = h * h * h * c[3];
        most = fmax(most, fabs(c[0]) + far * (fabs(c[1]) + far * (fabs(c[2]) + far * fabs(c[3]))));
    }
    for (int k = 0; k < 4; k++)
        out[k] = (bw_vec3){x[k][0], x[k][1], x[k][2]};
    return 0x1p-49 * most; /* ten roundings at most of each term, and these sum up to as much */
}

static bool share_any(const uint32_t a[3], const uint32_t b[3])
{
    bool any = false;
    for (int i = 0; i < 9; i++)
        any = any || a[i / 3] == b[i % 3];
    return any;
}

static double time_at(double s, double from, double to)
{
    return s <= 0 ? from : s >= 1 ? to : from + s * (to - from);
}

static const bw_plan *const *plans_of(const bw_motion *motion, const uint32_t vertices[3],
                                      const bw_plan *out[3])
{
    for (int k = 0; k < 3 && motion->kind == BW_MOTION_PLANS; k++)
        out[k] = &motion->plans[vertices[k]];
    return motion->kind == BW_MOTION_PLANS ? out : NULL;
}

static bool look_closely(timeline *t, uint32_t i, uint32_t j, const bw_span_pair *pair, double from,
                         double to)
{
    const bw_moving *oa = &t->objects[i], *ob = &t->objects[j];
    const bw_motion *ma = oa->motion, *mb = ob->motion;
    bw_vec3 a[2][3], b[2][3];
    uint32_t vertices_a[3], vertices_b[3];
    corners(oa, pair->a, from, to, a, vertices_a);
    corners(ob, pair->b, from, to, b, vertices_b);
    bool neighbours = i == j && oa->mesh->indices != NULL && share_any(vertices_a, vertices_b);
    bw_moving_triangles both = {.a = (const bw_vec3(*)[3])a,
                                .b = (const bw_vec3(*)[3])b,
                                .vertices_a = neighbours ? vertices_a : NULL,
                                .vertices_b = neighbours ? vertices_b : NULL,
                                .begin = from,
                                .end = to,
                                .scratch = t->scratch};
    bw_vec3 curves_a[3][4], curves_b[3][4];
    const bw_plan *plans_a[3], *plans_b[3];
    if (ma->kind == BW_MOTION_PLANS || mb->kind == BW_MOTION_PLANS) {
        both.plans_a = plans_of(ma, vertices_a, plans_a);
        both.plans_b = plans_of(mb, vertices_b, plans_b);
        for (int k = 0; k < 3; k++) {
            both.error =
                fmax(both.error, curve_of(ma, vertices_a[k], from, to, a[0][k], a[1][k], curves_a[k]));
            both.error =
                fmax(both.error, curve_of(mb, vertices_b[k], from, to, b[0][k], b[1][k], curves_b[k]));
        }
        both.curves_a = (const bw_vec3(*)[4])curves_a;
        both.curves_b = (const bw_vec3(*)[4])curves_b;
    }
    bw_contact_span spans[BW_SPANS];
    t->report.candidates++;
    uint32_t count = bw_contact_spans(&both, (double)pair->from, (double)pair->to, spans);
    for (uint32_t k = 0; k < count; k++) {
        contact *slot = bw_array_push(&t->contacts);
        if (slot == NULL)
            return false;
        *slot = (contact){.pair = i * t->count + j,
                          .a = pair->a,
                          .b = pair->b,
                          .from = time_at(spans[k].from, from, to),
                          .to = time_at(spans[k].to, from, to),
                          .at_start = spans[k].from <= 0,
                          .at_end = spans[k].to >= 1,
                          .instant = spans[k].instant};
        t->best = fmin(t->best, slot->from);
    }
    return true;
}

/* Whether the caller wants the rest. */
static bool still_wanted(timeline *t)
{
    if (!bw_cancel_go_on(t->cancel))
        t->report.status = BW_STOPPED;
    return t->report.status != BW_STOPPED;
}

/* An object from the present to the end of the piece. */
static bw_result side_of(timeline *t, uint32_t i, double to, bw_body *body, bw_span_side *out)
{
    bw_result result = bw_moving_body_show(&t->bodies[i], body);
    if (result != BW_OK)
        return result;
    const bw_wide *wide = &body->tree->wide;
    *out = (bw_span_side){.tree = wide, .mesh = body->mesh, .part = 1};
    if (t->bodies[i].kinetic == NULL)
        return BW_OK;
    if (wide->lazy == NULL) /* there was no memory to follow its course */
        return BW_ERROR_MEMORY;
    out->course = &wide->lazy->course;
    out->part = bw_span_part(out->course, to);
    return BW_OK;
}

static bw_result look_at_pair(timeline *t, uint32_t i, uint32_t j, double from, double to)
{
    bw_body bodies[2];
    bw_span_desc desc = {.self = i == j,
                         .simd = bw_simd_level(BW_SIMD_AUTO),
                         .allocator = &t->allocator,
                         .pairs = &t->pairs,
                         .most = SIZE_MAX,
                         .cancel = t->cancel};
    bw_span_counts counts;
    bw_result result = side_of(t, i, to, &bodies[0], &desc.a);
    if (result == BW_OK)
        result = side_of(t, j, to, &bodies[1], &desc.b);
    if (result == BW_OK)
        result = bw_span_find(&desc, &counts);
    if (result == BW_ERROR_STOPPED) {
        t->report.status = BW_STOPPED;
        return BW_OK;
    }
    for (size_t k = 0; k < t->pairs.count && result == BW_OK && still_wanted(t); k++) {
        const bw_span_pair *pair = bw_array_at(&t->pairs, k);
        bool late =
            t->desc->mode == BW_TIMELINE_FIRST && time_at((double)pair->from - 0x1p-20, from, to) > t->best;
        if (!late && !look_closely(t, i, j, pair, from, to))
            result = BW_ERROR_MEMORY;
    }
    return result;
}

static bool add_event(timeline *t, const contact *c, bool begins, double time, bool cut)
{
    bw_timeline_event *slot = bw_array_push(&t->events);
    if (slot != NULL)
        *slot = (bw_timeline_event){.time = time,
                                    .begins = begins,
                                    .cut = cut,
                                    .object_a = c->pair / t->count,
                                    .object_b = c->pair % t->count,
                                    .triangle_a = c->a,
                                    .triangle_b = c->b};
    return slot != NULL;
}

/* Joins the contacts of a piece to those open before it: events, and what stays open. */
static bool join(timeline *t, double from, double to)
{
    bw_array *before = &t->open[0], *after = &t->open[1];
    size_t k = 0;
    after->count = t->events.count = 0;
    sort(&t->contacts, contact_less, t->cancel);
    if (!still_wanted(t))
        return true;
    for (size_t i = 0; i < t->contacts.count; i++) {
        const contact *c = bw_array_at(&t->contacts, i);
        for (; k < before->count && compare_triangles(bw_array_at(before, k), c) < 0; k++)
            if (!add_event(t, bw_array_at(before, k), false, from, false))
                return false;
        bool goes_on = c->at_start && k < before->count && compare_triangles(bw_array_at(before, k), c) == 0;
        k += goes_on;
        if (!goes_on) {
            if (!add_event(t, c, true, c->from, c->at_start && from == t->begin))
                return false;
            t->report.contact_count += t->desc->mode == BW_TIMELINE_TRIANGLES;
            t->report.instant_count += c->instant && !c->at_end;
        }
        if (!c->at_end) {
            if (!add_event(t, c, false, c->to, false))
                return false;
            continue;
        }
        contact *slot = bw_array_push(after);
        if (slot == NULL)
            return false;
        *slot = *c;
    }
    for (; k < before->count; k++)
        if (!add_event(t, bw_array_at(before, k), false, from, false))
            return false;
    for (size_t i = 0; i < after->count && to == t->end; i++)
        if (!add_event(t, bw_array_at(after, i), false, to, true))
            return false;
    bw_array swap = t->open[0];
    t->open[0] = t->open[1];
    t->open[1] = swap;
    sort(&t->events, event_less, t->cancel);
    still_wanted(t);
    return true;
}

/* False: the callback asked to stop. */
static bool tell(timeline *t)
{
    const bw_timeline_desc *desc = t->desc;
    for (size_t i = 0; i < t->events.count; i++) {
        bw_timeline_event event = *(const bw_timeline_event *)bw_array_at(&t->events, i);
        if (desc->mode == BW_TIMELINE_OBJECTS) {
            uint64_t *touching = &t->touching[event.object_a * t->count + event.object_b];
            bool change = event.begins ? (*touching)++ == 0 : --*touching == 0;
            if (!change)
                continue;
            event.triangle_a = event.triangle_b = BW_NONE;
        }
        if (event.begins) {
            t->report.first = fmin(t->report.first, event.time);
            t->report.contact_count += desc->mode != BW_TIMELINE_TRIANGLES;
        }
        if (desc->on_event != NULL && !desc->on_event(desc->user, &event)) {
            t->report.status = BW_STOPPED;
            return false;
        }
        if (desc->mode == BW_TIMELINE_FIRST) {
            t->report.status = BW_FOUND;
            return false;
        }
    }
    return true;
}

static bw_result run_piece(timeline *t, double from, double to, bool *go_on)
{
    bw_result result = BW_OK;
    t->contacts.count = 0;
    t->best = INFINITY;
    t->report.spans++;
    for (uint32_t i = 0; i < t->count && result == BW_OK; i++)
        result = bw_moving_body_advance(&t->bodies[i], from);
    for (uint32_t i = 0; i < t->count && result == BW_OK; i++)
        for (uint32_t j = t->desc->self ? i : i + 1; j < t->count && result == BW_OK; j++)
            if (still_wanted(t))
                result = look_at_pair(t, i, j, from, to);
    if (t->report.status != BW_STOPPED && result == BW_OK && !join(t, from, to))
        result = BW_ERROR_MEMORY;
    *go_on = t->report.status != BW_STOPPED && result == BW_OK && tell(t);
    return result;
}

/* ---- all of it ---- */

static void release(timeline *t)
{
    for (uint32_t i = 0; i < t->count && t->bodies != NULL; i++)
        bw_moving_body_release(&t->bodies[i]);
    bw_array_release(&t->pairs);
    bw_array_release(&t->contacts);
    bw_array_release(&t->open[0]);
    bw_array_release(&t->open[1]);
    bw_array_release(&t->events);
    bw_release(&t->allocator, t->bodies, t->count, sizeof *t->bodies);
    bw_release(&t->allocator, t->scratch, 1, bw_exact_scratch_size());
    bw_release(&t->allocator, t->touching, (size_t)t->count * t->count, sizeof *t->touching);
}

static bw_result prepare(timeline *t, uint32_t *bad)
{
    t->contacts = bw_array_of(sizeof(contact), &t->allocator);
    t->open[0] = t->open[1] = bw_array_of(sizeof(contact), &t->allocator);
    t->events = bw_array_of(sizeof(bw_timeline_event), &t->allocator);
    t->pairs = bw_array_of(sizeof(bw_span_pair), &t->allocator);
    t->bodies = bw_allocate_zero(&t->allocator, t->count, sizeof *t->bodies);
    t->touching = bw_allocate_zero(&t->allocator, (size_t)t->count * t->count, sizeof *t->touching);
    t->scratch = bw_allocate(&t->allocator, 1, bw_exact_scratch_size());
    if (t->bodies == NULL || t->touching == NULL || t->scratch == NULL)
        return BW_ERROR_MEMORY;
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < t->count && result == BW_OK; i++) {
        bw_kinetic_desc desc = {.method = BW_KINETIC_INTERPOLATED,
                                .builder = t->desc->builder,
                                .time = t->begin,
                                .allocator = &t->allocator,
                                .tasks = t->desc->tasks};
        bw_kinetic_use use = {.least_pieces = 1}; /* a velocity is exactly straight, and must not be cut */
        result = bw_moving_body_create(&use, &desc, &t->objects[i], &t->bodies[i]);
        if (result != BW_OK && result != BW_ERROR_MEMORY)
            *bad = i;
    }
    return result;
}

static bw_result run(timeline *t)
{
    bw_result result = BW_OK;
    bool go_on = true;
    for (double from = t->begin, to; from < t->end && go_on && result == BW_OK; from = to) {
        to = t->end;
        for (uint32_t i = 0; i < t->count; i++)
            if (t->bodies[i].kinetic != NULL)
                to = fmin(to, bw_piece_at(&t->bodies[i].kinetic->pieces, from).to);
        result = run_piece(t, from, to, &go_on);
    }
    return result;
}

bw_result bw_contact_timeline(const bw_moving *objects, uint32_t count, const bw_timeline_desc *desc,
                              bw_timeline_report *report, bw_fault *fault)
{
    static const bw_timeline_desc defaults = {.mode = BW_TIMELINE_TRIANGLES};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if (objects == NULL || report == NULL || count < (desc->self ? 1u : 2u) || count > 65535 ||
        (unsigned)desc->mode > BW_TIMELINE_FIRST || (unsigned)desc->builder > BW_BUILDER_QUALITY ||
        bw_tasks_check(desc->tasks) != BW_OK || !(desc->from <= desc->to))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (desc->builder == BW_BUILDER_MIDPOINT)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    timeline t = {.allocator = bw_allocator_or_heap(desc->allocator),
                  .desc = desc,
                  .count = count,
                  .objects = objects,
                  .begin = -INFINITY,
                  .end = INFINITY,
                  .report = {.first = INFINITY}};
    for (uint32_t i = 0; i < count; i++) {
        bw_result result = bw_moving_check(&objects[i]);
        if (result != BW_OK)
            return bw_fail_at(fault, result, i);
        double begin, end;
        bw_motion_span(objects[i].motion, &begin, &end);
        t.begin = fmax(t.begin, begin);
        t.end = fmin(t.end, end);
    }
    if (desc->from < desc->to) {
        t.begin = fmax(t.begin, desc->from);
        t.end = fmin(t.end, desc->to);
    }
    if (!(t.begin < t.end)) /* nothing in common, or an instant: not a span */
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_cancel cancel;
    t.cancel = bw_cancel_init(&cancel, desc->progress);
    uint32_t bad = BW_NONE;
    bw_result result = prepare(&t, &bad);
    if (result == BW_OK)
        result = run(&t);
    release(&t);
    if (result == BW_OK)
        bw_report_set(report, t.report);
    return bw_fail_at(fault, result, bad);
}
