/* Two parts, exactly. Of the two bodies that the library is asked about the first always stands at its final
 * coordinates and only the second has a pose, so the answers are for the coordinates that boxwood export
 * writes and boxwood check reads, not for those that a relative pose would round again. */
#include "clash.h"

#include "interrupt.h"
#include "progress.h"

#include <stdlib.h>

/* Contacts that the progress line learns of at a time. */
enum { FOUND_AT_A_TIME = 256 };

static void look_away(clash_eye *eye)
{
    bw_tree_destroy(eye->tree);
    eye->tree = NULL;
    eye->placed = BW_NONE;
}

void clash_eye_free(clash_eye *eye)
{
    look_away(eye);
    free(eye->positions);
}

/* Puts a part where it stands, if that is not what the last call did. */
static bw_result place(clash_eye *eye, uint32_t part)
{
    if (eye->placed == part)
        return BW_OK;
    look_away(eye);
    const assembly_part *p = &eye->assembly->parts[part];
    eye->view = eye->assembly->meshes[p->mesh].view;
    size_t vertices = eye->view.vertex_count;
    if (eye->capacity < vertices) {
        eye->capacity = vertices;
        eye->positions = tool_resize(eye->positions, vertices, 3 * sizeof *eye->positions);
    }
    for (uint32_t v = 0; v < vertices; v++) {
        bw_vec3 q = bw_transform_point(p->pose, bw_mesh_vertex(&eye->view, v));
        double *to = eye->positions + 3 * (size_t)v;
        to[0] = q.x;
        to[1] = q.y;
        to[2] = q.z;
    }
    eye->view.positions = eye->positions;
    bw_tree_desc desc = {.builder = BW_BUILDER_FAST,
                         .compact = true,
                         .quarantine = eye->wish->quarantine ? BW_DEFECTS_FATAL : 0};
    bw_result result = bw_tree_create(&desc, &eye->view, &eye->tree, NULL);
    if (result == BW_OK)
        eye->placed = part;
    return result;
}

typedef struct look {
    clash_eye *eye;
    clash *out;
    bw_body first, second;
    bool swapped; /* the first body is part b */
    uint64_t contacts, touching;
} look;

static bw_result choose_bodies(look *l)
{
    const assembly *a = l->eye->assembly;
    const assembly_part *parts[2] = {&a->parts[l->out->a], &a->parts[l->out->b]};
    bw_body bodies[2];
    for (int i = 0; i < 2; i++) {
        const assembly_mesh *mesh = &a->meshes[parts[i]->mesh];
        bodies[i] = (bw_body){mesh->tree, &mesh->view, parts[i]->pose};
    }
    if (parts[0]->pose && parts[1]->pose) {
        bw_result result = place(l->eye, l->out->a);
        if (result != BW_OK)
            return result;
        bodies[0] = (bw_body){l->eye->tree, &l->eye->view, NULL};
    }
    l->swapped = bodies[0].pose != NULL;
    l->first = bodies[l->swapped];
    l->second = bodies[!l->swapped];
    return BW_OK;
}

static void keep(look *l, uint32_t first, uint32_t second, bw_contact_kind kind, double distance)
{
    clash *c = l->out;
    if (c->kept_count >= l->eye->wish->limit)
        return;
    c->kept = tool_grow(c->kept, c->kept_count, &c->kept_capacity, sizeof *c->kept);
    c->kept[c->kept_count++] =
        (clash_pair){l->swapped ? second : first, l->swapped ? first : second, kind, distance};
}

/* Without clash_wish.all the search ends at the first crossing; until then the first touching is kept. */
static bool take_contact(void *user, const bw_hit *hit)
{
    look *l = user;
    l->contacts++;
    l->touching += hit->kind == BW_CONTACT_TOUCHING;
    if (l->eye->wish->all) {
        if (l->contacts % FOUND_AT_A_TIME == 0)
            progress_found(FOUND_AT_A_TIME);
        if (l->eye->wish->within < 0)
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
    clash_counts *c = &l->eye->counts;
    c->nodes_visited += nodes;
    c->box_tests += boxes;
    c->primitive_tests += primitives;
}

/* A claim that something is inside an open mesh means nothing, and may hide the opposite: the library asks
 * first whether the second body is inside the first. */
static bw_result judge_containment(look *l, bw_containment claim, clash_kind *kind)
{
    const assembly *a = l->eye->assembly;
    const bool closed[2] = {a->meshes[a->parts[l->swapped ? l->out->b : l->out->a].mesh].closed,
                            a->meshes[a->parts[l->swapped ? l->out->a : l->out->b].mesh].closed};
    if (claim == BW_CONTAINMENT_B_IN_A && !closed[0] && closed[1]) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .containment = true, .progress = {still_wanted, l}};
        bw_collide_report report = {0};
        bw_result result = bw_collide(&l->second, &l->first, &desc, &report, NULL);
        if (result == BW_ERROR_SINGULAR)
            return BW_OK; /* a flat body has nothing inside */
        if (result != BW_OK)
            return result;
        count(l, report.nodes_visited, report.box_tests, report.primitive_tests);
        claim = report.containment == BW_CONTAINMENT_B_IN_A ? BW_CONTAINMENT_A_IN_B : BW_CONTAINMENT_NONE;
    }
    if (claim == BW_CONTAINMENT_B_IN_A && closed[0])
        *kind = l->swapped ? CLASH_A_INSIDE : CLASH_B_INSIDE;
    if (claim == BW_CONTAINMENT_A_IN_B && closed[1])
        *kind = l->swapped ? CLASH_B_INSIDE : CLASH_A_INSIDE;
    return BW_OK;
}

static bw_result find_contacts(look *l)
{
    const assembly *a = l->eye->assembly;
    clash *c = l->out;
    bool outer = a->meshes[a->parts[c->a].mesh].closed || a->meshes[a->parts[c->b].mesh].closed;
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                            .on_hit = take_contact,
                            .user = l,
                            .containment = l->eye->wish->contain && outer,
                            .tasks = l->eye->tasks,
                            .progress = {still_wanted, l}};
    bw_collide_report report = {0};
    bw_result result = bw_collide(&l->first, &l->second, &desc, &report, NULL);
    if (result != BW_OK)
        return result;
    count(l, report.nodes_visited, report.box_tests, report.primitive_tests);
    c->pairs = l->contacts;
    c->touching = l->touching;
    if (l->contacts > 0)
        c->kind = l->touching < l->contacts ? CLASH_CROSSING : CLASH_TOUCHING;
    else if (report.containment != BW_CONTAINMENT_NONE)
        return judge_containment(l, report.containment, &c->kind);
    return BW_OK;
}

static bw_result measure(look *l)
{
    clash *c = l->out;
    if (l->contacts > 0) {
        c->measured = true;
        c->distance = 0;
        return BW_OK;
    }
    if (l->eye->wish->within == 0)
        return BW_OK; /* apart; the library takes 0 for no limit */
    bw_distance_desc desc = {.max_distance = l->eye->wish->within, .progress = {still_wanted, l}};
    bw_distance_report report = {0};
    bw_result result = bw_distance(&l->first, &l->second, &desc, &report, NULL);
    if (result != BW_OK)
        return result;
    count(l, report.nodes_visited, report.box_tests, report.primitive_tests);
    if (report.status == BW_LIMIT || report.status == BW_STOPPED)
        return BW_OK;
    c->measured = true;
    c->distance = report.distance;
    c->point_a = l->swapped ? report.point_b : report.point_a;
    c->point_b = l->swapped ? report.point_a : report.point_b;
    if (c->kind == CLASH_NONE)
        c->kind = CLASH_NEAR;
    if (!l->eye->wish->all)
        keep(l, report.a, report.b, BW_CONTACT_NONE, report.distance);
    return BW_OK;
}

static bool take_near(void *user, const bw_near *near)
{
    look *l = user;
    bw_contact_kind kind = BW_CONTACT_NONE;
    if (near->distance == 0) {
        bw_vec3 corners[2][3];
        const clash *c = l->out;
        assembly_corners(l->eye->assembly, c->a, l->swapped ? near->b : near->a, corners[0]);
        assembly_corners(l->eye->assembly, c->b, l->swapped ? near->a : near->b, corners[1]);
        kind = bw_triangle_triangle(corners[0], corners[1]);
    }
    l->out->pairs++;
    keep(l, near->a, near->b, kind, near->distance);
    return true;
}

static bw_result list_near(look *l)
{
    bw_within_desc desc = {
        .distance = l->eye->wish->within, .on_pair = take_near, .user = l, .progress = {still_wanted, l}};
    bw_within_report report = {0};
    l->out->pairs = 0;
    bw_result result = bw_within(&l->first, &l->second, &desc, &report, NULL);
    if (result == BW_OK)
        count(l, report.nodes_visited, report.box_tests, report.primitive_tests);
    return result;
}

bw_result clash_look(clash_eye *eye, uint32_t a, uint32_t b, clash *out)
{
    *out = (clash){.a = a, .b = b};
    look l = {.eye = eye, .out = out};
    bw_result result = choose_bodies(&l);
    if (result == BW_OK)
        result = find_contacts(&l);
    if (result == BW_OK && eye->wish->within >= 0 && !out->cut)
        result = measure(&l);
    if (result == BW_OK && !out->cut && eye->wish->within >= 0 && eye->wish->all && out->measured)
        result = list_near(&l);
    return result;
}
