/* The library itself as the judge of its package for JavaScript: reads questions that JavaScript has answered (test/record.mjs writes them)
 * and prints a hash of each answer, one per line, which must be the one that JavaScript has.
 *
 * usage: replay FILE           answers the questions of FILE
 *        replay --scenes DIR   writes the built-in scenes, as meshes for questions: DIR/NAME.mesh
 * Exit status: 0; 2 error. */
#include "reader.h"
#include "scenes/scenes.h"

#include <boxwood/boxwood.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20, OBJECTS = 4096 };

static bw_mesh meshes[OBJECTS];
static bw_tree *trees[OBJECTS];
static uint32_t tree_mesh[OBJECTS], mesh_count, tree_count;

/* ---- what questions are made of ---- */

static void read_mesh(reader *r)
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

static bw_body read_body(reader *r)
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

static hash of_hits(hash h, const bw_hit *hits, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        h = add(add(add(h, hits[i].a), hits[i].b), hits[i].kind);
    return add(h, (uint32_t)count);
}

/* ---- questions ---- */

static hash tree_question(reader *r)
{
    require(tree_count < OBJECTS, "too many trees");
    const uint32_t mesh = tree_mesh[tree_count] = read_u32(r);
    const bw_tree_desc desc = {.builder = (bw_builder)read_u32(r), .deforms = read_u32(r) != 0};
    bw_fault fault;
    succeed(bw_tree_create(&desc, &meshes[mesh], &trees[tree_count], &fault), &fault);
    return of_tree(trees[tree_count++]);
}

static hash update_question(reader *r)
{
    const uint32_t tree = read_u32(r), mesh = read_u32(r);
    const bw_update_desc desc = {.policy = (bw_update_policy)read_u32(r)};
    bw_fault fault;
    succeed(bw_tree_update(trees[tree], &meshes[mesh], &desc, NULL, &fault), &fault);
    tree_mesh[tree] = mesh;
    return of_tree(trees[tree]);
}

static hash collide_question(reader *r)
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

static hash contacts_question(reader *r)
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

static hash distance_question(reader *r)
{
    const bw_body a = read_body(r), b = read_body(r);
    bw_distance_report d = {0};
    bw_fault fault;
    succeed(bw_distance(&a, &b, NULL, &d, &fault), &fault);
    const hash h = add_double(nothing, d.distance);
    /* where they meet any pair may be told */
    return d.distance > 0 ? add_vec3(add_vec3(add(add(h, d.a), d.b), d.point_a), d.point_b) : h;
}

static hash within_question(reader *r)
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

static hash nearest_question(reader *r)
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

static hash signed_question(reader *r)
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

static hash rays_question(reader *r)
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

static hash region_question(reader *r)
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
static hash batch_question(reader *r)
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

static hash swept_question(reader *r)
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

static hash timeline_question(reader *r)
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
static hash kinetic_question(reader *r)
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

/* Every object hides by its own box. */
typedef struct solid {
    float corners[8][3];
    bw_mesh mesh;
} solid;

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    static const uint32_t triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    solid *s = user;
    bw_box box;
    succeed(bw_scene_get(object->scene, object->id, &box, NULL, NULL), NULL);
    for (int i = 0; i < 8; i++)
        for (int axis = 0; axis < 3; axis++)
            s->corners[i][axis] = (i >> axis & 1) != 0 ? box.max[axis] : box.min[axis];
    s->mesh =
        (bw_mesh){.positions = s->corners, .vertex_count = 8, .indices = triangles, .triangle_count = 12};
    *out = (bw_occluder){.mesh = &s->mesh, .closed = true};
    return true;
}

static hash of_ids(hash h, const bw_id *ids, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        h = add(add(h, (uint32_t)ids[i]), (uint32_t)(ids[i] >> 32));
    return add(h, (uint32_t)count);
}

/* From twelve numbers: eye, forward, up, fov, aspect, far. */
static bw_view view_of(const double *eye)
{
    return (bw_view){.eye = {eye[0], eye[1], eye[2]},
                     .forward = {eye[3], eye[4], eye[5]},
                     .up = {eye[6], eye[7], eye[8]},
                     .fov_y = eye[9],
                     .aspect = eye[10],
                     .far_distance = eye[11]};
}

static hash scene_question(reader *r)
{
    uint32_t n, moved, views;
    const bw_box *boxes = read_array(r, 4, &n);
    n /= 6;
    bw_id *ids = room(n, sizeof *ids), *found = room(n, sizeof *found);
    bw_scene *scene = NULL;
    bw_fault fault;
    succeed(bw_scene_create(NULL, &scene, &fault), &fault);
    succeed(bw_scene_insert_many(scene, boxes, NULL, n, ids, &fault), &fault);
    const uint32_t *which = read_array(r, 4, &moved);
    const bw_box *to = read_array(r, 4, &views);
    bw_id *movers = room(moved, sizeof *movers);
    for (uint32_t i = 0; i < moved; i++)
        movers[i] = ids[which[i]];
    succeed(bw_scene_move_many(scene, movers, to, moved, &fault), &fault);
    bw_pair *pairs = room(MOST, sizeof *pairs);
    bw_pair_report t = {0};
    hash h = nothing;
    if (read_u32(r) != 0) {
        succeed(bw_scene_pairs(scene, &(bw_pair_output){.pairs = pairs, .pair_capacity = MOST}, &t, &fault),
                &fault);
        require(t.found_count <= MOST, "too many pairs");
        h = of_ids(h, &pairs[0].a, 2 * t.found_count);
    }
    const double *ball = read_doubles(r, 4);
    const bw_region region = {
        .kind = BW_REGION_SPHERE, .centre = {ball[0], ball[1], ball[2]}, .radius = ball[3]};
    const bw_scene_output output = {.ids = found, .id_capacity = n};
    bw_scene_report told = {0};
    succeed(bw_scene_query(scene, &region, &output, &told, &fault), &fault);
    h = of_ids(h, found, told.found_count);
    const double *eyes = read_array(r, 8, &views); /* eye, forward, up, fov, aspect, far */
    views /= 12;
    solid box;
    bw_cull *cull = NULL;
    succeed(bw_cull_create(&(bw_cull_desc){.occluder_of = occluder_of, .user = &box}, &cull, &fault), &fault);
    for (uint32_t i = 0; i < views; i++, eyes += 12) {
        const bw_view view = view_of(eyes);
        bw_cull_report seen = {0};
        succeed(bw_cull_frame(cull, scene, &view, &output, &seen, &fault), &fault);
        h = of_ids(h, found, seen.visible_count);
    }
    bw_cull_destroy(cull);
    bw_scene_destroy(scene);
    free(pairs);
    free(movers);
    free(found);
    free(ids);
    return h;
}

/* ---- scenes in scenes ---- */

typedef struct found_list {
    hash h;
    uint32_t top; /* the greatest path */
} found_list;

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool take_found(void *user, const bw_id *ids, size_t count, uint32_t path)
{
    found_list *l = user;
    for (size_t i = 0; i < count; i++)
        l->h = add(add(add(l->h, (uint32_t)ids[i]), (uint32_t)(ids[i] >> 32)), path);
    l->top = greater(l->top, path);
    return true;
}

static bool take_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    found_list *l = user;
    for (size_t i = 0; i < count; i++) {
        const bw_pair_path path = paths == NULL ? (bw_pair_path){0, 0} : paths[i];
        l->h = add(add(of_ids(l->h, &pairs[i].a, 2), path.a), path.b);
        l->top = greater(l->top, greater(path.a, path.b));
    }
    return true;
}

/* Objects that are a little behind their boxes, and some that are not there: as test/record.mjs has them. */
static double behind(void *user, bw_id id, uint32_t path, double bound, double limit)
{
    (void)user;
    (void)path;
    (void)limit;
    return id % 5 == 0 ? -1 : bound + 0.25 * (double)(id & 3);
}

static double farther(void *user, bw_id id, uint32_t path, double bound, double limit)
{
    const double d = behind(user, id, path, sqrt(bound), limit);
    return d < 0 ? -1 : d * d;
}

static void take_hit(found_list *l, const bw_scene_hit *hit, double value)
{
    l->h = add(add_double(of_ids(l->h, &hit->id, 1), value), hit->path);
    l->top = greater(l->top, hit->path);
}

static void place_all(bw_scene *scene, bw_scene *child, const bw_transform *poses, uint32_t count,
                      bw_id *last)
{
    bw_fault fault;
    for (uint32_t i = 0; i < count; i++)
        succeed(bw_scene_insert_scene(scene, child, &poses[i], i, last, &fault), &fault);
}

/* A scene in a scene in a scene, and once more beside it: regions, pairs, rays, nearest objects and cameras go through, and paths are named. */
static hash nested_question(reader *r)
{
    uint32_t n[5], rays, points, views;
    const bw_box *boxes = read_array(r, 4, &n[0]), *others = read_array(r, 4, &n[1]);
    const bw_transform *in_middle = read_array(r, 8, &n[2]), *in_outer = read_array(r, 8, &n[3]),
                       *beside = read_array(r, 8, &n[4]);
    const double *ball = read_doubles(r, 4), *rows = read_array(r, 8, &rays), *at = read_array(r, 8, &points),
                 *eyes = read_array(r, 8, &views);
    bw_scene *child = NULL, *middle = NULL, *outer = NULL, *tracked = NULL;
    bw_scene_paths *paths = NULL;
    bw_fault fault;
    bw_id *ids = room(n[0] / 6 + n[1] / 6, sizeof *ids), id;
    succeed(bw_scene_create(NULL, &child, &fault), &fault);
    succeed(bw_scene_create(NULL, &middle, &fault), &fault);
    succeed(bw_scene_create(NULL, &outer, &fault), &fault);
    succeed(bw_scene_paths_create(NULL, &paths), NULL);
    succeed(bw_scene_insert_many(child, boxes, NULL, n[0] / 6, ids, &fault), &fault);
    place_all(middle, child, in_middle, n[2] / 12, &id);
    place_all(outer, middle, in_outer, n[3] / 12, &id);
    place_all(outer, child, beside, n[4] / 12, &id);
    succeed(bw_scene_set_pose(outer, id, &beside[0], &fault), &fault);
    succeed(bw_scene_insert_many(middle, others, NULL, n[1] / 6, ids + n[0] / 6, &fault), &fault);
    const bw_vec3 centre = {ball[0], ball[1], ball[2]}, way = {0.5, 0.25, 0.125};
    succeed(bw_scene_insert_sphere(child, centre, ball[3], 7, &id, &fault), &fault);
    succeed(bw_scene_move_sphere(child, id, centre, ball[3] / 2, &fault), &fault);
    succeed(bw_scene_move_swept(child, ids[0], &boxes[0], way, &fault), &fault);
    found_list l = {nothing, 0};
    const bw_scene_output output = {.on_objects = take_found, .user = &l, .paths = paths};
    const bw_region region = {.kind = BW_REGION_SPHERE, .centre = centre, .radius = ball[3]};
    succeed(bw_scene_query(outer, &region, &output, NULL, &fault), &fault);
    succeed(bw_scene_pairs(outer, &(bw_pair_output){.on_pairs = take_pairs, .user = &l, .paths = paths}, NULL,
                           &fault),
            &fault);
    const bw_scene_search search = {.paths = paths}, ray_search = {.paths = paths, .value_of = behind},
                          near_search = {.paths = paths, .value_of = farther};
    for (; rays > 0; rays -= 6, rows += 6) {
        const bw_ray ray = {.origin = {rows[0], rows[1], rows[2]}, .direction = {rows[3], rows[4], rows[5]}};
        bw_scene_hit hit[2];
        succeed(bw_scene_cast(outer, &ray, &search, &hit[0], &fault), &fault);
        succeed(bw_scene_cast(outer, &ray, &ray_search, &hit[1], &fault), &fault);
        for (int i = 0; i < 2; i++)
            if (hit[i].id != 0)
                take_hit(&l, &hit[i], hit[i].value);
    }
    for (; points > 0; points -= 3, at += 3) {
        bw_scene_hit hits[10];
        uint32_t found[2];
        const bw_vec3 point = {at[0], at[1], at[2]};
        succeed(bw_scene_nearest(outer, point, &search, hits, 5, &found[0], &fault), &fault);
        succeed(bw_scene_nearest(outer, point, &near_search, hits + 5, 5, &found[1], &fault), &fault);
        for (uint32_t i = 0; i < 10; i++)
            if (i % 5 < found[i / 5])
                take_hit(&l, &hits[i], sqrt(hits[i].value));
    }
    solid box;
    bw_cull *cull = NULL;
    succeed(bw_cull_create(&(bw_cull_desc){.occluder_of = occluder_of, .user = &box}, &cull, &fault), &fault);
    for (; views > 0; views -= 12, eyes += 12) {
        const bw_view view = view_of(eyes);
        succeed(bw_cull_frame(cull, outer, &view, &output, NULL, &fault), &fault);
    }
    for (uint32_t i = 0; i <= l.top; i++) {
        bw_scene_path path = {0};
        succeed(bw_scene_paths_get(paths, i, &path, &fault), &fault);
        l.h = of_ids(l.h, path.instances, path.instance_count);
        for (int k = 0; k < 12; k++)
            l.h = add_double(l.h, path.pose.m[k / 4][k % 4]);
    }
    /* the pairs of a scene, and what changes */
    succeed(bw_scene_create(&(bw_scene_desc){.track_pairs = true}, &tracked, &fault), &fault);
    succeed(bw_scene_insert_many(tracked, boxes, NULL, n[0] / 6, ids, &fault), &fault);
    const bw_pair_output changes = {.on_pairs = take_pairs, .user = &l};
    succeed(bw_scene_pairs_changed(tracked, &changes, &changes, NULL, NULL, &fault), &fault);
    for (uint32_t i = 0; i < n[0] / 6; i += 2)
        succeed(bw_scene_move_swept(tracked, ids[i], &boxes[i], way, &fault), &fault);
    succeed(bw_scene_pairs_changed(tracked, &changes, &changes, NULL, NULL, &fault), &fault);
    bw_cull_destroy(cull);
    bw_scene_paths_destroy(paths);
    bw_scene_destroy(tracked);
    bw_scene_destroy(outer);
    bw_scene_destroy(middle);
    bw_scene_destroy(child);
    free(ids);
    return l.h;
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
static hash plans_question(reader *r)
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
static hash user_question(reader *r)
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

static hash anytime_question(reader *r)
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

static hash rigid_question(reader *r)
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

/* Shapes by kind, radius and halves, each with a pose: every two of them, and each against a body. */
static hash shapes_question(reader *r)
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

static hash add_id(hash h, uint64_t id)
{
    return add(add(h, (uint32_t)id), (uint32_t)(id >> 32));
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
static hash world_question(reader *r)
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

/* The order is that of `questions` in test/record.mjs. */
static hash (*const questions[])(reader *) = {
    tree_question,    update_question,  collide_question,  contacts_question, distance_question,
    within_question,  nearest_question, signed_question,   rays_question,     region_question,
    batch_question,   swept_question,   timeline_question, kinetic_question,  scene_question,
    anytime_question, rigid_question,   shapes_question,   world_question,    nested_question,
    user_question,    plans_question};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* ---- the scenes ---- */

static void write_mesh(const char *folder, const char *name, bws_mesh *mesh)
{
    const bw_mesh view = bws_view(mesh);
    char path[4096];
    require(snprintf(path, sizeof path, "%s/%s.mesh", folder, name) < (int)sizeof path, "a long path");
    FILE *file = fopen(path, "wb");
    require(file != NULL, "a scene cannot be written");
    const uint32_t head[4] = {view.scalar == BW_F64, view.vertex_count, view.triangle_count, 0};
    const size_t scalar = view.scalar == BW_F64 ? 8 : 4;
    require(view.stride == 0 || view.stride == 3 * scalar, "a mesh with gaps");
    fwrite(head, sizeof head, 1, file);
    fwrite(view.positions, scalar, (size_t)3 * view.vertex_count, file);
    fwrite(view.indices, 4, (size_t)3 * view.triangle_count, file);
    require(fclose(file) == 0, "a scene cannot be written");
    bws_mesh_free(mesh);
}

static void write_scenes(const char *folder)
{
    bws_mesh mesh;
    const bws_sphere_desc sphere = {.frequency = 16, .seed = 1}, large = {.frequency = 40, .seed = 2};
    succeed(bws_bumpy_sphere(&sphere, BW_F32, &mesh), NULL);
    write_mesh(folder, "bumpy", &mesh);
    succeed(bws_bumpy_sphere(&sphere, BW_F64, &mesh), NULL);
    write_mesh(folder, "bumpy-double", &mesh);
    succeed(bws_bumpy_sphere(&large, BW_F32, &mesh), NULL);
    write_mesh(folder, "bumpy-large", &mesh);
    succeed(bws_lathe(&(bws_lathe_desc){.triangles = 3000}, BW_F32, &mesh), NULL);
    write_mesh(folder, "pot", &mesh);
    succeed(bws_needle_sphere(&(bws_needle_desc){.triangles = 3000}, BW_F32, &mesh), NULL);
    write_mesh(folder, "needles", &mesh);
    succeed(bws_soup(&(bws_soup_desc){.triangles = 1500, .size = 0.15, .seed = 4}, BW_F64, &mesh), NULL);
    write_mesh(folder, "soup", &mesh);
    for (int i = 0; i < 4; i++) {
        char name[16];
        const bws_sheet_desc sheet = {
            .columns = 30, .rows = 30, .size = 3, .amplitude = 0.5, .origin = {0, 0, 1.6 - 0.5 * i}};
        succeed(bws_sheet(&sheet, 0.2 * i, BW_F64, &mesh), NULL);
        (void)snprintf(name, sizeof name, "sheet-%d", i);
        write_mesh(folder, name, &mesh);
    }
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--scenes") == 0) {
        write_scenes(words[2]);
        return 0;
    }
    require(count == 2, "usage: replay FILE | replay --scenes DIR");
    reader r = read_file(words[1]);
    while (r.at < r.size) {
        const uint32_t question = read_u32(&r);
        if (question == QUESTIONS) {
            read_mesh(&r);
            continue;
        }
        require(question < QUESTIONS, "no such question");
        const hash h = questions[question](&r);
        printf("%08" PRIx32 "%08" PRIx32 "\n", h.high, h.low);
    }
    for (uint32_t i = 0; i < tree_count; i++)
        bw_tree_destroy(trees[i]);
    free(r.bytes);
    return 0;
}
