/* Questions about shapes and worlds. */
#include "questions.h"

#include <stdlib.h>
#include <string.h>

/* Shapes by kind, radius and halves, each with a pose: every two of them, and each against a body. */
hash shapes_question(reader *r)
{
    const bw_body body = read_body(r);
    uint32_t n;
    const double *rows = read_array(r, 8, &n); /* kind, radius, half, pose */
    n /= 17;
    bw_shape shapes[16];
    bw_transform poses[16];
    bw_shape_hit *hits = room(65536, sizeof *hits);
    require(n <= 16, "too many shapes");
    for (uint32_t i = 0; i < n; i++, rows += 17) {
        shapes[i] = (bw_shape){
            .kind = (bw_shape_kind)rows[0], .radius = rows[1], .half = {rows[2], rows[3], rows[4]}};
        memcpy(&poses[i], rows + 5, sizeof poses[i]);
    }
    hash h = nothing;
    bw_fault fault;
    for (uint32_t i = 0; i < n; i++) {
        const bw_placed_shape a = {&shapes[i], &poses[i]};
        for (uint32_t k = 0; k < i; k++) {
            const bw_placed_shape b = {&shapes[k], &poses[k]};
            bw_shape_contact c;
            succeed(bw_shape_contact_pair(&a, &b, NULL, &c, &fault), &fault);
            h = add_double(add_double(add_vec3(add(h, c.kind), c.normal), c.depth), c.depth_lower);
            bw_shape_nearest near;
            succeed(bw_shape_distance(&a, &b, NULL, &near, &fault), &fault);
            h = add_double(h, near.distance);
        }
        bw_shape_collide_report t = {0};
        const bw_shape_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = 65536};
        succeed(bw_shape_collide_body(&a, &body, &desc, &t, &fault), &fault);
        require(t.hit_count <= 65536, "too many hits");
        for (uint64_t k = 0; k < t.hit_count; k++)
            h = add_double(add(add(h, hits[k].primitive), hits[k].contact.kind), hits[k].contact.depth);
    }
    free(hits);
    return h;
}

static hash of_contacts(hash h, const bw_world_contact *contacts, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const bw_world_contact *c = &contacts[i];
        h = add_id(add_id(add_id(h, c->id), c->a), c->b);
        h = add(add(add(add(add(h, c->primitive_a), c->primitive_b), c->feature), c->kind), c->event);
        h = add_double(add_vec3(add_vec3(h, c->point), c->normal), c->depth);
    }
    return add(h, (uint32_t)count);
}

/* Copies of a mesh, the first of them fixed, and shapes: the copies move from step to step; then rays, and what is at a ball. */
hash world_question(reader *r)
{
    enum { MESHES = 64 };
    const bw_body body = read_body(r);
    const uint32_t n = read_u32(r), steps = read_u32(r);
    require(n >= 1 && n <= MESHES, "too many bodies");
    bw_world_body bodies[MESHES + 16] = {0};
    bw_id ids[MESHES + 16];
    bw_shape shapes[16];
    uint32_t count;
    const bw_transform *poses = read_array(r, 8, &count); /* n for each step */
    require(count == 12 * n * steps, "other poses");
    const double *rows = read_array(r, 8, &count); /* kind, radius, half, pose */
    count /= 17;
    require(count <= 16, "too many shapes");
    for (uint32_t i = 0; i < n; i++)
        bodies[i] = (bw_world_body){.tree = body.tree, .mesh = body.mesh, .pose = &poses[i], .fixed = i == 0};
    for (uint32_t i = 0; i < count; i++, rows += 17) {
        shapes[i] = (bw_shape){
            .kind = (bw_shape_kind)rows[0], .radius = rows[1], .half = {rows[2], rows[3], rows[4]}};
        bodies[n + i] =
            (bw_world_body){.shape = &shapes[i], .pose = (const bw_transform *)(const void *)(rows + 5)};
    }
    bw_world *world = NULL;
    bw_fault fault;
    succeed(bw_world_create(&(bw_world_desc){.separation = read_double(r)}, &world, &fault), &fault);
    succeed(bw_world_insert_many(world, bodies, n + count, ids, &fault), &fault);
    hash h = nothing;
    for (uint32_t step = 0; step < steps; step++) {
        succeed(bw_world_move_many(world, ids, poses + (size_t)step * n, n, &fault), &fault);
        bw_world_step_report t = {0};
        succeed(bw_world_step(world, NULL, &t, &fault), &fault);
        h = of_contacts(of_contacts(h, t.contacts, t.contact_count), t.ended, t.ended_count);
        for (uint32_t i = 0; i < t.pair_count; i++)
            h = add(add(add_id(add_id(h, t.pairs[i].a), t.pairs[i].b), t.pairs[i].event), t.pairs[i].count);
    }
    const double *ray = read_array(r, 8, &count);
    for (; count > 0; count -= 6, ray += 6) {
        const bw_ray one = {.origin = {ray[0], ray[1], ray[2]}, .direction = {ray[3], ray[4], ray[5]}};
        bw_world_ray_hit hit;
        succeed(bw_world_raycast_many(world, &one, 1, NULL, &hit, &fault), &fault);
        h = add_id(h, hit.id);
        if (hit.id != 0)
            h = add_double(add(h, hit.primitive), hit.t);
    }
    const double *ball = read_doubles(r, 4);
    const bw_transform at = {{{1, 0, 0, ball[0]}, {0, 1, 0, ball[1]}, {0, 0, 1, ball[2]}}};
    const bw_shape sphere = {.kind = BW_SHAPE_SPHERE, .radius = ball[3]};
    const bw_placed_shape placed = {&sphere, &at};
    uint32_t found;
    succeed(bw_world_overlap(world, &placed, NULL, ids, MESHES + 16, &found, &fault), &fault);
    for (uint32_t i = 0; i < found; i++)
        h = add_id(h, ids[i]);
    bw_world_distance_report d = {0};
    succeed(bw_world_distance(world, &placed, 0, NULL, &d, &fault), &fault);
    h = add_double(add_id(h, d.id), d.distance);
    bw_world_destroy(world);
    return h;
}
