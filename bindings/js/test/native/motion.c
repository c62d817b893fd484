/* Questions about what moves: steps, keyframes, plans, rigid motions. */
#include "questions.h"

#include <stdlib.h>
#include <string.h>

hash swept_question(reader *r)
{
    const uint32_t from = read_u32(r), to = read_u32(r), other_from = read_u32(r), other_to = read_u32(r);
    const double separation = read_double(r);
    bw_swept *a = NULL, *b = NULL;
    bw_fault fault;
    succeed(bw_swept_create(NULL, &meshes[from], &meshes[to], &a, &fault), &fault);
    if (other_from != BW_NONE)
        succeed(bw_swept_create(NULL, &meshes[other_from], &meshes[other_to], &b, &fault), &fault);
    bw_swept_contact *contacts = room(MOST / 8, sizeof *contacts);
    bw_swept_witness *at = room(MOST / 8, sizeof *at);
    const bw_swept_query query = {
        .separation = separation, .contacts = contacts, .contact_capacity = MOST / 8};
    bw_swept_report t = {0};
    succeed(b == NULL ? bw_swept_self(a, &query, &t, &fault) : bw_swept_pair(a, b, &query, &t, &fault),
            &fault);
    require(t.contact_count <= MOST / 8, "too many contacts");
    succeed(bw_swept_witnesses(a, b, contacts, t.contact_count, at, &fault), &fault);
    hash h = add_double(nothing, t.earliest.first.time);
    for (uint64_t i = 0; i < t.contact_count; i++) {
        const bw_swept_contact *c = &contacts[i];
        h = add_double(add(add(add(h, c->feature), c->a), c->b), c->first.time);
        h = add_vec3(add_vec3(h, at[i].point_a), at[i].normal);
    }
    const bw_swept_couple couples[2] = {{a, NULL}, {a, b}};
    const bw_swept_safe_desc safe_desc = {.separation = separation};
    bw_swept_safe_report safe = {0};
    succeed(bw_swept_safe_step(couples, b == NULL ? 1 : 2, &safe_desc, &safe, &fault), &fault);
    bw_swept_destroy(a);
    bw_swept_destroy(b);
    free(contacts);
    free(at);
    return add_double(h, safe.step);
}

typedef struct moving {
    bw_mesh mesh;
    bw_motion motion;
    const void *frames[64];
} moving;

static void read_moving(reader *r, moving *out)
{
    uint32_t n;
    const double *times = read_array(r, 8, &n);
    require(n <= 64, "too many frames");
    for (uint32_t i = 0; i < n; i++) {
        out->mesh = meshes[read_u32(r)];
        out->frames[i] = out->mesh.positions;
    }
    out->motion = (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                              .vertex_count = out->mesh.vertex_count,
                              .scalar = out->mesh.scalar,
                              .frame_count = n,
                              .times = times,
                              .frames = out->frames};
}

static bool take_event(void *user, const bw_timeline_event *e)
{
    hash *h = user;
    *h = add(add(add_double(*h, e->time), e->begins), e->cut);
    *h = add(add(add(add(*h, e->object_a), e->object_b), e->triangle_a), e->triangle_b);
    return true;
}

hash timeline_question(reader *r)
{
    const bool self = read_u32(r) != 0;
    const uint32_t mode = read_u32(r), n = read_u32(r);
    moving *all = room(n, sizeof *all);
    bw_moving *objects = room(n, sizeof *objects);
    for (uint32_t i = 0; i < n; i++) {
        read_moving(r, &all[i]);
        objects[i] = (bw_moving){&all[i].mesh, &all[i].motion};
    }
    hash h = nothing;
    const bw_timeline_desc desc = {
        .mode = (bw_timeline_mode)mode, .self = self, .on_event = take_event, .user = &h};
    bw_fault fault;
    bw_timeline_report told = {0};
    succeed(bw_contact_timeline(objects, n, &desc, &told, &fault), &fault);
    free(all);
    free(objects);
    return h;
}

/* Two kinetic bodies and a separation list, at some times. */
hash kinetic_question(reader *r)
{
    moving all[2];
    read_moving(r, &all[0]);
    read_moving(r, &all[1]);
    uint32_t n;
    const double *times = read_array(r, 8, &n);
    bw_kinetic *kinetic[2];
    bw_fault fault;
    const bw_kinetic_desc desc = {.method = (bw_kinetic_method)read_u32(r)};
    const bw_moving moves[2] = {{&all[0].mesh, &all[0].motion}, {&all[1].mesh, &all[1].motion}};
    for (int i = 0; i < 2; i++)
        succeed(bw_kinetic_create(&desc, &all[i].mesh, &all[i].motion, &kinetic[i], &fault), &fault);
    bw_separation *separation = NULL;
    succeed(bw_separation_create(NULL, &moves[0], &moves[1], &separation, &fault), &fault);
    bw_hit *hits = room(MOST, sizeof *hits);
    const bw_collide_desc query = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
    hash h = nothing;
    for (uint32_t k = 0; k < n; k++) {
        bw_body body[2];
        bw_collide_report t = {0};
        for (int i = 0; i < 2; i++) {
            succeed(bw_kinetic_advance(kinetic[i], times[k], NULL, &fault), &fault);
            succeed(bw_kinetic_query_body(kinetic[i], &body[i], &fault), &fault);
        }
        succeed(bw_collide(&body[0], &body[1], &query, &t, &fault), &fault);
        h = of_hits(h, hits, t.hit_count);
        succeed(bw_separation_advance(separation, times[k], NULL, &fault), &fault);
        succeed(bw_separation_collide(separation, &query, &t, &fault), &fault);
        h = of_hits(h, hits, t.hit_count);
    }
    bw_separation_destroy(separation);
    bw_kinetic_destroy(kinetic[0]);
    bw_kinetic_destroy(kinetic[1]);
    free(hits);
    return h;
}

/* ---- plans ---- */

static bw_plan *read_plans(reader *r, double origin, uint32_t *count)
{
    const double *rows = read_array(r, 8, count); /* position, velocity, factors of t^2 and t^3 */
    *count /= 12;
    bw_plan *plans = room(*count, sizeof *plans);
    for (uint32_t i = 0; i < *count; i++, rows += 12) {
        plans[i].origin = origin;
        memcpy(plans[i].c, rows, sizeof plans[i].c);
    }
    return plans;
}

/* A mesh that moves by plans, against a body that stands still; at the middle time some vertices get others. */
hash plans_question(reader *r)
{
    const uint32_t mesh = read_u32(r);
    uint32_t n, changed, times;
    bw_plan *plans = read_plans(r, 0, &n);
    const bw_body body = read_body(r);
    const double *at = read_array(r, 8, &times);
    const uint32_t *vertices = read_array(r, 4, &changed);
    bw_plan *others = read_plans(r, at[times / 2], &changed);
    bw_mesh moved = meshes[mesh];
    moved.scalar = BW_F64;
    const bw_motion motion = {
        .kind = BW_MOTION_PLANS, .vertex_count = n, .scalar = BW_F64, .plans = plans, .end = at[times - 1]};
    require(moved.vertex_count == n, "other plans");
    bw_kinetic *kinetic = NULL;
    bw_fault fault;
    succeed(
        bw_kinetic_create(&(bw_kinetic_desc){.method = BW_KINETIC_QUEUE}, &moved, &motion, &kinetic, &fault),
        &fault);
    bw_hit *hits = room(MOST, sizeof *hits);
    const bw_collide_desc query = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
    hash h = nothing;
    for (uint32_t k = 0; k < times; k++) {
        succeed(bw_kinetic_advance(kinetic, at[k], NULL, &fault), &fault);
        if (k == times / 2)
            succeed(bw_kinetic_set_plans(kinetic, vertices, others, changed, &fault), &fault);
        bw_body now;
        bw_collide_report t = {0};
        succeed(bw_kinetic_query_body(kinetic, &now, &fault), &fault);
        succeed(bw_collide(&now, &body, &query, &t, &fault), &fault);
        require(t.hit_count <= MOST, "too many hits");
        h = of_hits(h, hits, t.hit_count);
        succeed(bw_kinetic_body(kinetic, &now, &fault), &fault);
        for (uint32_t i = 0; i < 3 * n; i++)
            h = add_double(h, ((const double *)now.mesh->positions)[i]);
    }
    bw_kinetic_destroy(kinetic);
    free(hits);
    free(plans);
    free(others);
    return h;
}

hash rigid_question(reader *r)
{
    const bw_body a = read_body(r), b = read_body(r);
    bw_rigid_motion motions[2];
    for (int i = 0; i < 2; i++) {
        const bw_transform *start = read_doubles(r, 12);
        const double *m = read_doubles(r, 10); /* centre, axis, angle, translation */
        motions[i] =
            (bw_rigid_motion){*start, {m[0], m[1], m[2]}, {m[3], m[4], m[5]}, m[6], {m[7], m[8], m[9]}};
    }
    bw_swept_rigid_report t = {0};
    bw_fault fault;
    succeed(bw_swept_rigid(&a, &motions[0], &b, &motions[1], NULL, &t, &fault), &fault);
    return add_double(add_double(add(nothing, t.status), t.time), t.distance);
}
