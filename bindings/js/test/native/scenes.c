/* Questions about scenes, views, and scenes in scenes. */
#include "questions.h"

#include <math.h>
#include <stdlib.h>

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

hash scene_question(reader *r)
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
hash nested_question(reader *r)
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
