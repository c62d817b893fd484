/* Questions about trees and bodies that stand still. */
#include "questions.h"

#include <stdlib.h>

bw_mesh meshes[OBJECTS];
bw_tree *trees[OBJECTS];
uint32_t tree_mesh[OBJECTS], mesh_count, tree_count;

/* ---- what questions are made of ---- */

void read_mesh(reader *r)
{
    require(mesh_count < OBJECTS, "too many meshes");
    bw_mesh *m = &meshes[mesh_count++];
    uint32_t length;
    m->scalar = read_u32(r) != 0 ? BW_F64 : BW_F32;
    m->positions = read_array(r, m->scalar == BW_F64 ? 8 : 4, &length);
    m->vertex_count = length / 3;
    if (read_u32(r) != 0) {
        m->indices = read_array(r, 4, &length);
        m->triangle_count = length / 3;
    }
}

bw_body read_body(reader *r)
{
    const uint32_t tree = read_u32(r);
    require(tree < tree_count, "no such tree");
    bw_body body = {trees[tree], &meshes[tree_mesh[tree]], NULL};
    if (read_u32(r) != 0)
        body.pose = read_doubles(r, 12);
    return body;
}

static hash of_tree(const bw_tree *tree)
{
    const size_t size = bw_tree_saved_size(tree);
    unsigned char *bytes = room(size, 1);
    succeed(bw_tree_save(tree, bytes, size, NULL), NULL);
    hash h = nothing;
    for (size_t i = 0; i < size; i++)
        h = add(h, bytes[i]);
    free(bytes);
    return h;
}

hash of_hits(hash h, const bw_hit *hits, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        h = add(add(add(h, hits[i].a), hits[i].b), hits[i].kind);
    return add(h, (uint32_t)count);
}

/* ---- questions ---- */

hash tree_question(reader *r)
{
    require(tree_count < OBJECTS, "too many trees");
    const uint32_t mesh = tree_mesh[tree_count] = read_u32(r);
    const bw_tree_desc desc = {.builder = (bw_builder)read_u32(r), .deforms = read_u32(r) != 0};
    bw_fault fault;
    succeed(bw_tree_create(&desc, &meshes[mesh], &trees[tree_count], &fault), &fault);
    return of_tree(trees[tree_count++]);
}

hash update_question(reader *r)
{
    const uint32_t tree = read_u32(r), mesh = read_u32(r);
    const bw_update_desc desc = {.policy = (bw_update_policy)read_u32(r)};
    bw_fault fault;
    succeed(bw_tree_update(trees[tree], &meshes[mesh], &desc, NULL, &fault), &fault);
    tree_mesh[tree] = mesh;
    return of_tree(trees[tree]);
}

hash collide_question(reader *r)
{
    const bool self = read_u32(r) != 0;
    const bw_body a = read_body(r), b = self ? a : read_body(r);
    bw_hit *hits = room(MOST, sizeof *hits);
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
    desc.separation = read_double(r);
    desc.containment = read_u32(r) != 0;
    desc.rings = read_u32(r);
    bw_collide_report report = {0};
    bw_fault fault;
    succeed(self ? bw_collide_self(&a, &desc, &report, &fault) : bw_collide(&a, &b, &desc, &report, &fault),
            &fault);
    require(report.hit_count <= MOST, "too many hits");
    hash h = of_hits(nothing, hits, report.hit_count);
    free(hits);
    return add(add(add(h, (uint32_t)report.touching_count), (uint32_t)report.near_count), report.containment);
}

hash contacts_question(reader *r)
{
    const bw_body a = read_body(r), b = read_body(r);
    bw_contact *contacts = room(MOST / 8, sizeof *contacts);
    bw_contact_region *regions = room(4096, sizeof *regions);
    bw_contacts_desc desc = {.regions = regions, .region_capacity = 4096};
    desc.depth = read_u32(r) != 0;
    desc.volume = read_u32(r) != 0;
    desc.tolerance = read_double(r);
    bw_contacts_report t = {0};
    bw_fault fault;
    succeed(bw_contacts(&a, &b, &desc, contacts, MOST / 8, &t, &fault), &fault);
    require(t.contact_count <= MOST / 8 && t.region_count <= 4096, "too many contacts");
    hash h = nothing;
    for (uint64_t i = 0; i < t.contact_count; i++) {
        const bw_contact *c = &contacts[i];
        h = add(add(add(add(h, c->a), c->b), c->kind), c->region);
        h = add_vec3(add_vec3(add_vec3(h, c->ends[0]), c->ends[1]), c->point);
        h = add_double(add_vec3(h, c->normal), c->depth);
    }
    for (uint64_t i = 0; i < t.region_count; i++)
        h = add_double(add_double(add_vec3(add_vec3(h, regions[i].point), regions[i].translation),
                                  regions[i].depth_upper),
                       regions[i].depth_lower);
    free(contacts);
    free(regions);
    return add_double(add_double(add_double(add_vec3(h, t.translation), t.depth_upper), t.depth_lower),
                      t.volume);
}

hash distance_question(reader *r)
{
    const bw_body a = read_body(r), b = read_body(r);
    bw_distance_report d = {0};
    bw_fault fault;
    succeed(bw_distance(&a, &b, NULL, &d, &fault), &fault);
    const hash h = add_double(nothing, d.distance);
    /* where they meet any pair may be told */
    return d.distance > 0 ? add_vec3(add_vec3(add(add(h, d.a), d.b), d.point_a), d.point_b) : h;
}

hash within_question(reader *r)
{
    const bw_body a = read_body(r), b = read_body(r);
    bw_near *pairs = room(MOST, sizeof *pairs);
    const bw_within_desc desc = {.distance = read_double(r), .pairs = pairs, .pair_capacity = MOST};
    bw_within_report t = {0};
    bw_fault fault;
    succeed(bw_within(&a, &b, &desc, &t, &fault), &fault);
    hash h = nothing;
    for (uint64_t i = 0; i < t.pair_count && i < MOST; i++)
        h = add_double(add(add(h, pairs[i].a), pairs[i].b), pairs[i].distance);
    free(pairs);
    return h;
}

hash nearest_question(reader *r)
{
    const bw_body body = read_body(r);
    uint32_t n;
    const bw_vec3 *points = read_array(r, 8, &n);
    n /= 3;
    bw_nearest_hit *hits = room(n, sizeof *hits);
    bw_fault fault;
    succeed(bw_nearest_many(&body, points, n, NULL, hits, NULL, &fault), &fault);
    hash h = nothing;
    for (uint32_t i = 0; i < n; i++)
        h = add_double(add_vec3(add(h, hits[i].primitive), hits[i].point), hits[i].distance);
    free(hits);
    return h;
}

hash signed_question(reader *r)
{
    const bw_body body = read_body(r);
    uint32_t n;
    const bw_vec3 *points = read_array(r, 8, &n);
    n /= 3;
    bw_signed_hit *hits = room(n, sizeof *hits);
    bw_contains_report t = {0};
    bw_fault fault;
    succeed(bw_signed_distance_many(&body, points, n, NULL, hits, &t, &fault), &fault);
    hash h = add(nothing, t.closed);
    for (uint32_t i = 0; i < n; i++) {
        const bw_surface_point *at = &hits[i].nearest;
        h = add(add(add(add_double(h, hits[i].distance), hits[i].location.side), at->primitive), at->feature);
        h = add_vec3(add_vec3(h, at->point), at->normal);
        for (int k = 0; k < 3; k++)
            h = add_double(h, at->weights[k]);
    }
    free(hits);
    return h;
}

static hash of_ray_hit(hash h, const bw_ray_hit *hit)
{
    return add_double(add(add(h, hit->primitive), hit->kind), hit->t);
}

hash rays_question(reader *r)
{
    const bw_body body = read_body(r);
    const bool between = read_u32(r) != 0;
    uint32_t n;
    const double *rows = read_array(r, 8, &n);
    n /= 6;
    bw_ray *rays = room(n, sizeof *rays);
    bw_ray_hit *hits = room(n, sizeof *hits);
    for (uint32_t i = 0; i < n; i++, rows += 6)
        rays[i] = (bw_ray){.origin = {rows[0], rows[1], rows[2]},
                           .direction = {rows[3], rows[4], rows[5]},
                           .between = between};
    bw_fault fault;
    succeed(bw_raycast_many(&body, rays, n, NULL, hits, NULL, &fault), &fault);
    hash h = nothing;
    for (uint32_t i = 0; i < n; i++)
        h = of_ray_hit(h, &hits[i]);
    free(rays);
    free(hits);
    return h;
}

hash region_question(reader *r)
{
    const bw_body body = read_body(r);
    const double *c = read_doubles(r, 7);
    const bw_region region = {
        .kind = BW_REGION_CAPSULE, .centre = {c[0], c[1], c[2]}, .end = {c[3], c[4], c[5]}, .radius = c[6]};
    bw_region_hit *hits = room(MOST, sizeof *hits);
    const bw_region_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
    bw_region_report t = {0};
    bw_fault fault;
    succeed(bw_collide_region(&body, &region, &desc, &t, &fault), &fault);
    hash h = nothing;
    for (uint64_t i = 0; i < t.hit_count; i++)
        h = add(add(h, hits[i].primitive), hits[i].inside);
    free(hits);
    return h;
}

/* Poses of b against a, by mode ANY, and their distances. */
hash batch_question(reader *r)
{
    const bw_body a = read_body(r), b = read_body(r);
    uint32_t n;
    const bw_transform *poses = read_array(r, 8, &n);
    n /= 12;
    bw_body_pair *pairs = room(n, sizeof *pairs);
    bw_collide_answer *any = room(n, sizeof *any);
    bw_distance_answer *far = room(n, sizeof *far);
    for (uint32_t i = 0; i < n; i++) {
        pairs[i] = (bw_body_pair){a, b};
        pairs[i].b.pose = &poses[i];
    }
    bw_fault fault;
    succeed(bw_collide_many(pairs, n, NULL, any, NULL, &fault), &fault);
    succeed(bw_distance_many(pairs, n, NULL, far, NULL, &fault), &fault);
    hash h = nothing;
    for (uint32_t i = 0; i < n; i++)
        h = add_double(add(add(h, any[i].hit.a), any[i].hit.b), far[i].distance);
    free(pairs);
    free(any);
    free(far);
    return h;
}

/* ---- user primitives ---- */

static void user_box(void *user, uint32_t primitive, bw_box *out)
{
    *out = (*(const bw_box **)user)[primitive];
}

static bw_contact_kind user_test(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    return (bw_contact_kind)((7 * a + 3 * b) % 4);
}

static bw_contact_kind every_pair(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    (void)a;
    (void)b;
    return BW_CONTACT_TOUCHING;
}

/* Boxes against boxes, against a mesh, and against themselves when they have moved. */
hash user_question(reader *r)
{
    uint32_t n, m;
    const bw_box *boxes = read_array(r, 4, &n), *moved = read_array(r, 4, &m);
    require(n == m, "other boxes");
    const bw_transform *pose = read_doubles(r, 12);
    const bw_body body = read_body(r);
    const bw_primitives primitives = {n / 6, user_box, (void *)&boxes};
    bw_tree *tree = NULL;
    bw_fault fault;
    succeed(bw_tree_create_user(NULL, &primitives, &tree, &fault), &fault);
    bw_hit *hits = room(MOST, sizeof *hits);
    hash h = nothing;
    for (int round = 0; round < 2; round++) {
        const bw_body a = {tree, NULL, NULL}, b = {tree, NULL, pose};
        const bw_collide_desc all = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
        bw_collide_report t = {0};
        for (int i = 0; i < 4; i++) {
            succeed(bw_collide_user(i < 2 ? &a : &body, &b, i % 2 == 0 ? every_pair : user_test, NULL, &all,
                                    &t, &fault),
                    &fault);
            require(t.hit_count <= MOST, "too many hits");
            h = add(of_hits(h, hits, t.hit_count), (uint32_t)t.touching_count);
        }
        const bw_box bounds = bw_tree_bounds(tree);
        for (int k = 0; k < 3; k++)
            h = add_double(add_double(h, bounds.min[k]), bounds.max[k]);
        boxes = moved;
        succeed(bw_tree_refit_user(tree, &fault), &fault);
    }
    bw_tree_destroy(tree);
    free(hits);
    return h;
}

hash anytime_question(reader *r)
{
    const bw_body a = read_body(r), b = read_body(r);
    const uint32_t tries = read_u32(r), steps = read_u32(r);
    uint32_t n;
    const bw_transform *poses = read_array(r, 8, &n);
    n /= 12;
    bw_anytime *of[2];
    bw_fault fault;
    const bw_anytime_desc desc = {.tries = tries};
    succeed(bw_anytime_create(&desc, a.tree, a.mesh, &of[0], &fault), &fault);
    succeed(bw_anytime_create(&desc, b.tree, b.mesh, &of[1], &fault), &fault);
    hash h = nothing;
    for (uint32_t i = 0; i < n; i++) {
        const bw_anytime_body x = {of[0], a.mesh, NULL}, y = {of[1], b.mesh, &poses[i]};
        const bw_anytime_query_desc query = {.limit_steps = steps != BW_NONE, .max_steps = steps};
        bw_anytime_answer answer = {0};
        succeed(bw_anytime_query(&x, &y, &query, &answer, &fault), &fault);
        h = add_double(add(add(add(h, answer.collision), answer.proven), (uint32_t)answer.steps),
                       answer.confidence);
    }
    bw_anytime_destroy(of[0]);
    bw_anytime_destroy(of[1]);
    return h;
}
