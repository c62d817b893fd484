/* How deep two parts are in each other, how much they share, and where: by bw_contacts. */
#include "clash/clash.h"

#include "interrupt.h"

#include <math.h>
#include <stdlib.h>

static bool still_wanted(void *user)
{
    (void)user;
    return !interrupt_asked();
}

/* All contacts and regions, in the worker's room: counted first, so that depths are computed once. */
static bw_result ask(clash_worker *w, const clash_bodies *bodies, bw_contacts_desc *desc,
                     bw_contacts_report *out)
{
    bw_collide_report count = {0};
    bw_result result =
        bw_collide(&bodies->first, &bodies->second,
                   &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .tasks = w->tasks, .progress = desc->progress},
                   &count, NULL);
    if (result != BW_OK)
        return result;
    if (count.hit_count > w->contact_capacity) {
        w->contact_capacity = count.hit_count + count.hit_count / 2;
        w->contacts = tool_resize(w->contacts, w->contact_capacity, sizeof *w->contacts);
        w->regions = tool_resize(w->regions, w->contact_capacity, sizeof *w->regions);
    }
    desc->regions = w->regions;
    desc->region_capacity = w->contact_capacity;
    return bw_contacts(&bodies->first, &bodies->second, desc, w->contacts, w->contact_capacity, out, NULL);
}

static void widen(clash *c, bw_vec3 p)
{
    c->low = (bw_vec3){fmin(c->low.x, p.x), fmin(c->low.y, p.y), fmin(c->low.z, p.z)};
    c->high = (bw_vec3){fmax(c->high.x, p.x), fmax(c->high.y, p.y), fmax(c->high.z, p.z)};
}

static void take_contacts(const clash_worker *w, const clash_bodies *bodies, uint64_t count, clash *c)
{
    const clash_wish *wish = w->wish;
    if (wish->curves) {
        c->segments = tool_alloc(count, sizeof *c->segments);
        c->segment_count = count;
    }
    /* Only what counts is listed. */
    bool list = wish->all && wish->clearance < 0;
    if (list)
        c->kept_count = 0;
    for (uint64_t i = 0; i < count; i++) {
        const bw_contact *contact = &w->contacts[i];
        widen(c, contact->ends[0]);
        widen(c, contact->ends[1]);
        c->pierce = fmax(c->pierce, contact->depth);
        if (wish->curves)
            c->segments[i] = (report_segment){{contact->ends[0], contact->ends[1]}};
        if (!list || c->kept_count >= wish->limit)
            continue;
        c->kept = tool_grow(c->kept, c->kept_count, &c->kept_capacity, sizeof *c->kept);
        c->kept[c->kept_count++] = (clash_pair){bodies->swapped ? contact->b : contact->a,
                                                bodies->swapped ? contact->a : contact->b, contact->kind, 0};
    }
}

/* The middle of the deepest region, of equally deep ones the longest. */
static void take_place(const clash_worker *w, uint64_t count, clash *c)
{
    const bw_contact_region *best = NULL;
    for (uint64_t i = 0; i < count; i++) {
        const bw_contact_region *r = &w->regions[i];
        if (!best || r->depth_upper > best->depth_upper ||
            (r->depth_upper == best->depth_upper && r->length > best->length))
            best = r;
    }
    if (best)
        c->place = best->point;
}

/* Of a part inside another: its box and its middle. */
static void take_inner(const assembly *a, clash *c)
{
    const bw_box *box = &a->parts[c->kind == CLASH_A_INSIDE ? c->a : c->b].box;
    c->low = (bw_vec3){(double)box->min[0], (double)box->min[1], (double)box->min[2]};
    c->high = (bw_vec3){(double)box->max[0], (double)box->max[1], (double)box->max[2]};
    c->place =
        (bw_vec3){0.5 * (c->low.x + c->high.x), 0.5 * (c->low.y + c->high.y), 0.5 * (c->low.z + c->high.z)};
}

bw_result clash_measure(clash_worker *w, const clash_bodies *bodies, double tolerance, clash *c)
{
    bw_contacts_desc desc = {.depth = true,
                             .volume = true,
                             .tolerance = tolerance,
                             .tasks = w->tasks,
                             .progress = {still_wanted, NULL}};
    bw_contacts_report answer = {0};
    const bool inside = c->kind == CLASH_A_INSIDE || c->kind == CLASH_B_INSIDE;
    bw_result result = ask(w, bodies, &desc, &answer);
    /* Flat poses, points: where they meet, and no depth. */
    bool deep = result == BW_OK;
    if (result == BW_ERROR_SINGULAR || result == BW_ERROR_UNSUPPORTED || result == BW_ERROR_RANGE) {
        desc = (bw_contacts_desc){.tasks = w->tasks, .progress = {still_wanted, NULL}};
        result = ask(w, bodies, &desc, &answer);
    }
    if (result != BW_OK)
        return result;
    if (answer.status == BW_STOPPED) {
        c->cut = true;
        return BW_OK;
    }
    if (!inside && answer.contact_count == 0) { /* nothing is left above the tolerance */
        c->kind = CLASH_NONE;
        w->counts.shallow++;
        return BW_OK;
    }
    c->measured = true;
    c->low = (bw_vec3){INFINITY, INFINITY, INFINITY};
    c->high = (bw_vec3){-INFINITY, -INFINITY, -INFINITY};
    if (inside) {
        take_inner(w->assembly, c);
    } else {
        take_contacts(w, bodies, answer.contact_count, c);
        take_place(w, answer.region_count, c);
        /* Faces that lie on each other have triangles that cross in their plane: of solids depth decides. */
        bool hard = deep && answer.closed_a && answer.closed_b ? answer.depth_upper > 0
                                                               : answer.touching_count < answer.contact_count;
        c->kind = hard ? CLASH_CROSSING : CLASH_TOUCHING;
    }
    if (w->wish->clearance < 0 || !w->wish->all)
        c->pairs = answer.contact_count;
    c->touching = answer.touching_count;
    c->regions = answer.region_count;
    double sign = bodies->swapped ? -1 : 1;
    c->depth_lower = deep ? answer.depth_lower : 0;
    c->depth_upper = deep ? answer.depth_upper : (double)INFINITY;
    c->volume = deep ? answer.volume : 0;
    c->volume_error = deep ? answer.volume_error : (double)INFINITY;
    if (deep)
        c->translation =
            (bw_vec3){sign * answer.translation.x, sign * answer.translation.y, sign * answer.translation.z};
    return BW_OK;
}
