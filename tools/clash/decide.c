/* Two parts, exactly. Of the two bodies that the library is asked about the first always stands at its final
 * coordinates and only the second has a pose, so the answers are for the coordinates that boxwood export
 * writes and boxwood check reads, not for those that a relative pose would round again. */
#include "clash/clash.h"

#include "interrupt.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>

/* Contacts that the progress line learns of at a time. */
enum { FOUND_AT_A_TIME = 256 };

static void forget(clash_worker *worker)
{
    bw_tree_destroy(worker->tree);
    worker->tree = NULL;
    worker->placed = BW_NONE;
}

void clash_worker_free(clash_worker *worker)
{
    forget(worker);
    free(worker->positions);
    free(worker->contacts);
    free(worker->regions);
    free(worker->why);
}

/* Puts part a where it stands, if that is not what the last call did. */
static bw_result place(clash_worker *worker, uint32_t part)
{
    if (worker->placed == part)
        return BW_OK;
    forget(worker);
    const assembly_part *p = &worker->assembly->parts[part];
    worker->view = *worker->held[0].view;
    size_t vertices = worker->view.vertex_count;
    if (worker->capacity < vertices) {
        worker->capacity = vertices;
        worker->positions = tool_resize(worker->positions, vertices, 3 * sizeof *worker->positions);
    }
    for (uint32_t v = 0; v < vertices; v++) {
        bw_vec3 q = bw_transform_point(p->pose, bw_mesh_vertex(&worker->view, v));
        double *to = worker->positions + 3 * (size_t)v;
        to[0] = q.x;
        to[1] = q.y;
        to[2] = q.z;
    }
    worker->view.positions = worker->positions;
    worker->view.scalar = BW_F64;
    bw_tree_desc desc = {.builder = BW_BUILDER_FAST,
                         .compact = true,
                         .quarantine = worker->wish->quarantine ? BW_DEFECTS_FATAL : 0};
    bw_result result = bw_tree_create(&desc, &worker->view, &worker->tree, NULL);
    if (result == BW_OK)
        worker->placed = part;
    return result;
}

typedef struct look {
    clash_worker *worker;
    clash *out;
    clash_bodies bodies;
    uint64_t contacts, touching;
} look;

static bw_result choose_bodies(look *l)
{
    const assembly *a = l->worker->assembly;
    const assembly_part *parts[2] = {&a->parts[l->out->a], &a->parts[l->out->b]};
    bw_body bodies[2];
    for (int i = 0; i < 2; i++)
        bodies[i] = (bw_body){l->worker->held[i].tree, l->worker->held[i].view, parts[i]->pose};
    if (parts[0]->pose && parts[1]->pose) {
        bw_result result = place(l->worker, l->out->a);
        if (result != BW_OK)
            return result;
        bodies[0] = (bw_body){l->worker->tree, &l->worker->view, NULL};
    }
    l->bodies.swapped = bodies[0].pose != NULL;
    l->bodies.first = bodies[l->bodies.swapped];
    l->bodies.second = bodies[!l->bodies.swapped];
    return BW_OK;
}

static void keep(look *l, uint32_t first, uint32_t second, bw_contact_kind kind, double distance)
{
    clash *c = l->out;
    const bool swapped = l->bodies.swapped;
    const clash_pair pair = {swapped ? second : first, swapped ? first : second, kind, distance};
    if (!c->shown)
        c->first = pair;
    c->shown = true;
    if (c->kept_count >= l->worker->wish->limit)
        return;
    /* Mostly there is but one, of each of millions. */
    if (!c->kept && !l->worker->wish->all) {
        c->kept_capacity = 1;
        c->kept = tool_alloc(1, sizeof *c->kept);
    }
    c->kept = tool_grow(c->kept, c->kept_count, &c->kept_capacity, sizeof *c->kept);
    c->kept[c->kept_count++] = pair;
}

/* Without clash_wish.all the search ends at the first crossing; until then the first touching is kept. */
static bool take_contact(void *user, const bw_hit *hit)
{
    look *l = user;
    l->contacts++;
    l->touching += hit->kind == BW_CONTACT_TOUCHING;
    if (l->worker->wish->all) {
        if (l->contacts % FOUND_AT_A_TIME == 0)
            progress_found(FOUND_AT_A_TIME);
        if (l->worker->wish->clearance < 0)
            keep(l, hit->a, hit->b, hit->kind, 0);
        return true;
    }
    if (hit->kind == BW_CONTACT_CROSSING)
        l->out->kept_count = 0;
    if (l->out->kept_count == 0)
        keep(l, hit->a, hit->b, hit->kind, 0);
    return hit->kind != BW_CONTACT_CROSSING;
}

static bool still_wanted(void *user)
{
    look *l = user;
    if (interrupt_asked())
        l->out->cut = true;
    return !l->out->cut;
}

static void count(look *l, uint64_t nodes, uint64_t boxes, uint64_t primitives)
{
    clash_counts *c = &l->worker->counts;
    c->nodes_visited += nodes;
    c->box_tests += boxes;
    c->primitive_tests += primitives;
}

/* A claim that something is inside an open mesh means nothing, and may hide the opposite: the library asks
 * first whether the second body is inside the first. */
static bw_result judge_containment(look *l, bw_containment claim, clash_kind *kind)
{
    const assembly_held *held = l->worker->held;
    const bool closed[2] = {held[l->bodies.swapped].closed, held[!l->bodies.swapped].closed};
    if (claim == BW_CONTAINMENT_B_IN_A && !closed[0] && closed[1]) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .containment = true, .progress = {still_wanted, l}};
        bw_collide_report answer = {0};
        bw_result result = bw_collide(&l->bodies.second, &l->bodies.first, &desc, &answer, NULL);
        if (result == BW_ERROR_SINGULAR)
            return BW_OK; /* a flat body has nothing inside */
        if (result != BW_OK)
            return result;
        count(l, answer.nodes_visited, answer.box_tests, answer.primitive_tests);
        claim = answer.containment == BW_CONTAINMENT_B_IN_A ? BW_CONTAINMENT_A_IN_B : BW_CONTAINMENT_NONE;
    }
    if (claim == BW_CONTAINMENT_B_IN_A && closed[0])
        *kind = l->bodies.swapped ? CLASH_A_INSIDE : CLASH_B_INSIDE;
    if (claim == BW_CONTAINMENT_A_IN_B && closed[1])
        *kind = l->bodies.swapped ? CLASH_B_INSIDE : CLASH_A_INSIDE;
    return BW_OK;
}

static bw_result find_contacts(look *l)
{
    clash *c = l->out;
    bool outer = l->worker->held[0].closed || l->worker->held[1].closed;
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                            .on_hit = take_contact,
                            .user = l,
                            .containment = l->worker->wish->contain && outer,
                            .tasks = l->worker->tasks,
                            .progress = {still_wanted, l}};
    bw_collide_report answer = {0};
    bw_result result = bw_collide(&l->bodies.first, &l->bodies.second, &desc, &answer, NULL);
    if (result != BW_OK)
        return result;
    count(l, answer.nodes_visited, answer.box_tests, answer.primitive_tests);
    c->pairs = l->contacts;
    c->touching = l->touching;
    if (l->contacts > 0)
        c->kind = l->touching < l->contacts ? CLASH_CROSSING : CLASH_TOUCHING;
    else if (answer.containment != BW_CONTAINMENT_NONE)
        return judge_containment(l, answer.containment, &c->kind);
    return BW_OK;
}

static bw_result measure(look *l)
{
    clash *c = l->out;
    if (l->contacts > 0) {
        c->near_known = true;
        c->distance = 0;
        return BW_OK;
    }
    if (l->worker->wish->clearance == 0)
        return BW_OK; /* apart; the library takes 0 for no limit */
    bw_distance_desc desc = {.max_distance = l->worker->wish->clearance, .progress = {still_wanted, l}};
    bw_distance_report answer = {0};
    bw_result result = bw_distance(&l->bodies.first, &l->bodies.second, &desc, &answer, NULL);
    if (result != BW_OK)
        return result;
    count(l, answer.nodes_visited, answer.box_tests, answer.primitive_tests);
    if (answer.status == BW_LIMIT || answer.status == BW_STOPPED)
        return BW_OK;
    c->near_known = true;
    c->distance = answer.distance;
    c->point_a = l->bodies.swapped ? answer.point_b : answer.point_a;
    c->point_b = l->bodies.swapped ? answer.point_a : answer.point_b;
    if (c->kind == CLASH_NONE)
        c->kind = CLASH_NEAR;
    if (!l->worker->wish->all)
        keep(l, answer.a, answer.b, BW_CONTACT_NONE, answer.distance);
    return BW_OK;
}

/* The corners of a triangle of part a (0) or b (1) where they stand. */
static void corners_of(const look *l, int which, uint32_t primitive, bw_vec3 out[3])
{
    const assembly_part *part = &l->worker->assembly->parts[which == 0 ? l->out->a : l->out->b];
    bw_mesh_corners(l->worker->held[which].view, primitive, out);
    for (int k = 0; k < 3 && part->pose; k++)
        out[k] = bw_transform_point(part->pose, out[k]);
}

static bool take_near(void *user, const bw_near *near)
{
    look *l = user;
    bw_contact_kind kind = BW_CONTACT_NONE;
    if (near->distance == 0) {
        bw_vec3 corners[2][3];
        corners_of(l, 0, l->bodies.swapped ? near->b : near->a, corners[0]);
        corners_of(l, 1, l->bodies.swapped ? near->a : near->b, corners[1]);
        kind = bw_triangle_triangle(corners[0], corners[1]);
    }
    l->out->pairs++;
    keep(l, near->a, near->b, kind, near->distance);
    return true;
}

static bw_result list_near(look *l)
{
    bw_within_desc desc = {.distance = l->worker->wish->clearance,
                           .on_pair = take_near,
                           .user = l,
                           .progress = {still_wanted, l}};
    bw_within_report answer = {0};
    l->out->pairs = 0;
    bw_result result = bw_within(&l->bodies.first, &l->bodies.second, &desc, &answer, NULL);
    if (result == BW_OK)
        count(l, answer.nodes_visited, answer.box_tests, answer.primitive_tests);
    return result;
}

/* Two that may touch, by the rules, or that are no deeper than the tolerance, do not clash. */
static bw_result apply_rules(look *l)
{
    clash *c = l->out;
    const clash_wish *wish = l->worker->wish;
    double allowed = 0, tolerance = wish->tolerance;
    bool touch = rules_judge(wish->rules, c->a, c->b, &allowed) == RULES_TOUCH;
    tolerance = fmax(tolerance, allowed);
    if (c->kind == CLASH_NEAR) {
        if (touch) {
            l->worker->counts.shallow++;
            c->kind = CLASH_NONE;
        }
        return BW_OK;
    }
    bw_result result = BW_OK;
    if (wish->measure || tolerance > 0)
        result = clash_measure(l->worker, &l->bodies, tolerance, c);
    if (result == BW_OK && touch && c->kind == CLASH_TOUCHING && !(c->measured && c->depth_lower > 0)) {
        l->worker->counts.shallow++;
        c->kind = CLASH_NONE;
    }
    return result;
}

static report_triangle triangle_of(const look *l, int which, uint32_t primitive)
{
    const assembly_part *part = &l->worker->assembly->parts[which == 0 ? l->out->a : l->out->b];
    const assembly_held *held = &l->worker->held[which];
    return (report_triangle){.index = part->first_triangle + primitive,
                             .face = !held->view->indices ? BW_NONE
                                     : held->faces        ? held->faces[primitive]
                                                          : primitive,
                             .line = held->lines ? held->lines[primitive] : 0};
}

static report_pair pair_of(const look *l, const clash_pair *pair)
{
    bw_vec3 corners[2][3];
    report_pair out = {triangle_of(l, 0, pair->a), triangle_of(l, 1, pair->b), pair->distance, {0}};
    if (pair->kind != BW_CONTACT_NONE) {
        corners_of(l, 0, pair->a, corners[0]);
        corners_of(l, 1, pair->b, corners[1]);
        bw_triangle_triangle_contact(corners[0], corners[1], &out.contact);
    }
    return out;
}

/* While the meshes are here. */
static void tell_pairs(const look *l)
{
    clash *c = l->out;
    c->told = tool_alloc(c->kept_count + 1, sizeof *c->told);
    for (size_t i = 0; i < c->kept_count; i++)
        c->told[i] = pair_of(l, &c->kept[i]);
    c->told[c->kept_count] = c->shown ? pair_of(l, &c->first) : (report_pair){.distance = 0};
}

static bool hold_both(clash_worker *worker, uint32_t a, uint32_t b)
{
    const assembly *all = worker->assembly;
    const uint32_t meshes[2] = {all->parts[a].mesh, all->parts[b].mesh};
    fault why;
    if (assembly_hold(all, worker->number, meshes[0], &worker->held[0], &why)) {
        if (assembly_hold(all, worker->number, meshes[1], &worker->held[1], &why))
            return true;
        assembly_release(all, &worker->held[0]);
    }
    worker->why = tool_resize(worker->why, 1, sizeof why);
    *worker->why = why;
    return false;
}

static bw_result decide(clash_worker *worker, clash *out)
{
    look l = {.worker = worker, .out = out};
    bw_result result = choose_bodies(&l);
    if (result == BW_OK)
        result = find_contacts(&l);
    if (result == BW_OK && worker->wish->clearance >= 0 && !out->cut)
        result = measure(&l);
    if (result == BW_OK && !out->cut && worker->wish->clearance >= 0 && worker->wish->all && out->near_known)
        result = list_near(&l);
    if (result == BW_OK && !out->cut && out->kind != CLASH_NONE)
        result = apply_rules(&l);
    if (result == BW_OK && out->kind != CLASH_NONE && worker->assembly->store)
        tell_pairs(&l);
    return result;
}

bw_result clash_decide(clash_worker *worker, uint32_t a, uint32_t b, clash *out)
{
    *out = (clash){.a = a, .b = b};
    if (!hold_both(worker, a, b))
        return BW_ERROR_FORMAT;
    bw_result result = decide(worker, out);
    assembly_release(worker->assembly, &worker->held[0]);
    assembly_release(worker->assembly, &worker->held[1]);
    return result;
}
