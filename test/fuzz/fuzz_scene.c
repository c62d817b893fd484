/* Arbitrary bytes as a history of a scene: every call's result is the one that its arguments ask for, the
 * check passes after each change, and every answer equals a loop over the objects. */
#include "fuzz/bytes.h"

#include <boxwood/scene.h>
#include <math.h>

enum { MOST = 96, STEPS = 400 };

typedef struct object {
    bw_id id;
    bw_box box;
    uint64_t user;
} object;

typedef struct history {
    bytes b;
    bw_scene *scene, *child;
    bw_id instance; /* of child in scene; 0: none */
    object objects[MOST];
    uint32_t count;
    bw_id dead;
    bw_scene_paths *paths;
    const bw_region *region;
} history;

static float coordinate(bytes *b)
{
    uint8_t how = bytes_u8(b);
    if (how < 200)
        return (float)((int8_t)bytes_u8(b)) * (how < 100 ? 1.0f : 0.125f);
    float value;
    bytes_take(b, &value, sizeof value);
    return value;
}

static bw_box take_box(bytes *b)
{
    bw_box box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = coordinate(b);
        box.max[i] = bytes_u8(b) < 250 ? box.min[i] + (float)(bytes_u8(b) % 16) : coordinate(b);
    }
    return box;
}

static bw_result blame(const bw_box *box)
{
    bw_result result = BW_OK;
    for (int i = 0; i < 3; i++)
        if (!isfinite(box->min[i]) || !isfinite(box->max[i]))
            return BW_ERROR_NOT_FINITE;
    for (int i = 0; i < 3; i++) {
        if (box->min[i] > box->max[i])
            result = BW_ERROR_ARGUMENT;
        else if (result == BW_OK &&
                 (box->min[i] < -BW_SCENE_COORDINATE_MAX || box->max[i] > BW_SCENE_COORDINATE_MAX))
            result = BW_ERROR_RANGE;
    }
    return result;
}

static bw_vec3 take_vec(bytes *b)
{
    bw_vec3 v = {(double)coordinate(b), (double)coordinate(b), (double)coordinate(b)};
    return v;
}

static void insert(history *h)
{
    bytes *b = &h->b;
    if (h->count == MOST)
        return;
    object *o = &h->objects[h->count];
    o->user = bytes_u8(b);
    o->id = 0;
    bw_result result;
    if (bytes_u8(b) < 40) {
        bw_vec3 c = take_vec(b);
        double r = (double)coordinate(b);
        result = bw_scene_insert_sphere(h->scene, c, r, o->user, &o->id, NULL);
        if (result == BW_OK) {
            must(bw_scene_get(h->scene, o->id, &o->box, NULL, NULL) == BW_OK);
            must((double)o->box.min[0] <= c.x - r && (double)o->box.max[2] >= c.z + r);
        }
    } else {
        o->box = take_box(b);
        result = bw_scene_insert(h->scene, &o->box, o->user, &o->id, NULL);
        must(result == blame(&o->box));
    }
    must((result == BW_OK) == (o->id != 0));
    h->count += result == BW_OK;
}

static void insert_many(history *h)
{
    bw_box boxes[16] = {0};
    bw_id ids[16];
    uint64_t users[16] = {0};
    uint32_t count = bytes_u8(&h->b) % 17, wrong = 0;
    bw_fault fault;
    count = count < MOST - h->count ? count : MOST - h->count;
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = take_box(&h->b);
        users[i] = i;
    }
    while (wrong < count && blame(&boxes[wrong]) == BW_OK)
        wrong++;
    bw_result result = bw_scene_insert_many(h->scene, boxes, users, count, ids, &fault);
    must(result == (wrong < count ? blame(&boxes[wrong]) : BW_OK));
    must(result == BW_OK || fault.element == wrong);
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        h->objects[h->count++] = (object){ids[i], boxes[i], users[i]};
}

static void move(history *h)
{
    if (h->count == 0)
        return;
    object *o = &h->objects[bytes_u8(&h->b) % h->count];
    uint8_t how = bytes_u8(&h->b);
    bw_result result;
    bw_box box = take_box(&h->b);
    if (how < 30) {
        result = bw_scene_move_sphere(h->scene, o->id, take_vec(&h->b), (double)coordinate(&h->b), NULL);
    } else if (how < 60) {
        result = bw_scene_move_swept(h->scene, o->id, &box, take_vec(&h->b), NULL);
        must(result != BW_OK || blame(&box) == BW_OK);
    } else if (how < 120) {
        bw_id ids[2] = {o->id, o->id};
        bw_box boxes[2] = {o->box, box};
        bw_fault fault;
        result = bw_scene_move_many(h->scene, ids, boxes, 2, &fault);
        must(result == blame(&box));
        must(result == BW_OK || fault.element == 1);
    } else {
        result = bw_scene_move(h->scene, o->id, &box, NULL);
        must(result == blame(&box));
    }
    bw_box now;
    must(bw_scene_get(h->scene, o->id, &now, NULL, NULL) == BW_OK);
    must(result == BW_OK || memcmp(&now, &o->box, sizeof now) == 0);
    o->box = now;
}

static void remove_some(history *h)
{
    if (h->count == 0)
        return;
    uint32_t k = bytes_u8(&h->b) % h->count;
    bw_id ids[2] = {h->objects[k].id, h->objects[k].id};
    bw_fault fault;
    must(bw_scene_remove_many(h->scene, ids, 2, &fault) == BW_ERROR_STALE && fault.element == 1);
    must(bytes_u8(&h->b) < 128 ? bw_scene_remove(h->scene, ids[0], NULL) == BW_OK
                               : bw_scene_remove_many(h->scene, ids, 1, NULL) == BW_OK);
    h->dead = ids[0];
    h->objects[k] = h->objects[--h->count];
}

static void nest(history *h)
{
    bw_transform pose = bw_transform_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (bytes_u8(&h->b) < 60)
                pose.m[i][j] = (double)coordinate(&h->b);
    bw_id id = 0;
    if (h->instance == 0) {
        if (bw_scene_insert_scene(h->scene, h->child, &pose, 1, &id, NULL) == BW_OK)
            h->instance = id;
        else
            must(id == 0);
    } else if (bytes_u8(&h->b) < 60) {
        must(bw_scene_child(h->scene, h->instance, NULL) == h->child);
        must(bw_scene_remove(h->scene, h->instance, NULL) == BW_OK);
        h->instance = 0;
    } else {
        (void)bw_scene_set_pose(h->scene, h->instance, &pose, NULL);
    }
    must(bw_scene_insert_scene(h->child, h->child, &pose, 1, &id, NULL) != BW_OK);
    if (h->instance != 0)
        must(bw_scene_insert_scene(h->child, h->scene, &pose, 1, &id, NULL) != BW_OK);
    bw_box box = take_box(&h->b);
    (void)bw_scene_insert(h->child, &box, 0, &id, NULL);
}

/* The box of what a call through instances named, in the outermost scene. */
static bw_box found_box(const history *h, bw_id id, uint32_t number)
{
    bw_scene_path path = {0};
    bw_box box;
    must(bw_scene_paths_get(h->paths, number, &path, NULL) == BW_OK);
    must(path.instance_count == 0 ? path.scene == h->scene
                                  : path.scene == h->child && path.instances[0] == h->instance);
    must(bw_scene_get(path.scene, id, &box, NULL, NULL) == BW_OK);
    return path.instance_count == 0 ? box : bw_box_transformed(&box, &path.pose);
}

static bool look_through(void *user, const bw_id *ids, size_t id_count, uint32_t path)
{
    const history *h = user;
    for (size_t i = 0; i < id_count; i++) {
        bw_box box = found_box(h, ids[i], path);
        must(bw_region_meets(h->region, &box));
        must(ids[i] != h->instance || path != 0);
    }
    return true;
}

static void query_through(history *h, const bw_region *region, bw_result expected)
{
    h->region = region;
    const bw_scene_output output = {.on_objects = look_through, .user = h, .paths = h->paths};
    must(bw_scene_query(h->scene, region, &output, NULL, NULL) == expected);
    const bw_scene_search search = {.paths = h->paths};
    bw_scene_hit hit = {0};
    if (bw_scene_cast(h->scene, &region->ray, &search, &hit, NULL) == BW_OK && hit.id != 0) {
        const bw_region ray = {.kind = BW_REGION_RAY, .ray = region->ray};
        bw_box box = found_box(h, hit.id, hit.path);
        must(bw_region_meets(&ray, &box));
    }
    bw_scene_hit hits[5];
    uint32_t count = 0;
    if (bw_scene_nearest(h->scene, region->centre, &search, hits, 5, &count, NULL) == BW_OK)
        for (uint32_t i = 0; i < count; i++) {
            (void)found_box(h, hits[i].id, hits[i].path);
            must(i == 0 || hits[i - 1].value <= hits[i].value);
        }
    bw_pair pairs[64];
    bw_pair_path pair_paths[64];
    bw_pair_report report = {0};
    const bw_pair_output pairs_to = {
        .pairs = pairs, .pair_paths = pair_paths, .pair_capacity = 64, .paths = h->paths};
    must(bw_scene_pairs(h->scene, &pairs_to, &report, NULL) == BW_OK);
    for (uint64_t i = 0; i < report.found_count && i < 64; i++) {
        bw_box a = found_box(h, pairs[i].a, pair_paths[i].a), b = found_box(h, pairs[i].b, pair_paths[i].b);
        must(bw_box_overlaps(&a, &b));
    }
    if (count == 3) {
        bw_scene_paths_reset(h->paths);
        bw_view_cache_reset(region->cache);
    }
}

static void query(history *h, bw_view_cache *cache)
{
    bytes *b = &h->b;
    bw_plane planes[4];
    for (int p = 0; p < 4; p++)
        planes[p] = (bw_plane){{coordinate(b), coordinate(b), coordinate(b)}, coordinate(b)};
    bw_region region = {.kind = (bw_region_kind)(bytes_u8(b) % 5),
                        .box = take_box(b),
                        .centre = take_vec(b),
                        .radius = (double)coordinate(b),
                        .ray = {take_vec(b), take_vec(b), (double)coordinate(b), bytes_u8(b) < 40},
                        .planes = planes,
                        .plane_count = bytes_u8(b) % 5,
                        .cache = cache};
    region.end = region.ray.origin;
    bw_id ids[MOST + 1];
    bw_scene_output output = {.ids = ids, .id_capacity = MOST + 1};
    bw_scene_report report = {0}, many = {0};
    bw_result result = bw_scene_query(h->scene, &region, &output, &report, NULL);
    must(bw_scene_query_many(h->scene, &region, 1, &output, &many, NULL) == result);
    query_through(h, &region, result);
    bw_box box;
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < h->count; i++)
        wanted += bw_region_meets(&region, &h->objects[i].box);
    if (h->instance != 0) {
        must(bw_scene_get(h->scene, h->instance, &box, NULL, NULL) == BW_OK);
        wanted += bw_region_meets(&region, &box);
    }
    must(report.found_count == wanted && many.found_count == wanted);
    for (uint32_t i = 0; i < report.found_count; i++) {
        must(bw_scene_get(h->scene, ids[i], &box, NULL, NULL) == BW_OK);
        must(bw_region_meets(&region, &box));
    }
    bw_scene_hit hit = {0}, hits[5];
    uint32_t found = 0;
    if (bw_scene_cast(h->scene, &region.ray, &(bw_scene_search){.any = bytes_u8(b) < 128}, &hit, NULL) ==
            BW_OK &&
        hit.id != 0) {
        region.kind = BW_REGION_RAY;
        must(bw_scene_get(h->scene, hit.id, &box, NULL, NULL) == BW_OK && bw_region_meets(&region, &box));
    }
    if (bw_scene_nearest(h->scene, region.centre, NULL, hits, 5, &found, NULL) == BW_OK) {
        must(found == (bw_scene_count(h->scene) < 5 ? bw_scene_count(h->scene) : 5));
        for (uint32_t i = 1; i < found; i++)
            must(hits[i - 1].value <= hits[i].value);
    }
}

static void pairs(history *h)
{
    bw_pair_report report = {0}, began = {0}, ended = {0};
    must(bw_scene_pairs(h->scene, NULL, &report, NULL) == BW_OK);
    must(bw_scene_pairs_changed(h->scene, NULL, NULL, &began, &ended, NULL) == BW_OK);
    must(bw_scene_pairs_changed(h->scene, NULL, NULL, &began, &ended, NULL) == BW_OK);
    must(began.found_count == 0 && ended.found_count == 0);
    uint64_t wanted = 0;
    bw_box all[MOST + 1];
    uint32_t count = 0;
    for (; count < h->count; count++)
        all[count] = h->objects[count].box;
    if (h->instance != 0)
        must(bw_scene_get(h->scene, h->instance, &all[count++], NULL, NULL) == BW_OK);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            wanted += bw_box_overlaps(&all[i], &all[k]);
    must(report.found_count == wanted);
}

static bool visit(void *user, const bw_box *box, uint32_t depth, const bw_id *ids, uint32_t count)
{
    (void)box;
    (void)depth;
    (void)ids;
    *(uint32_t *)user += count;
    return true;
}

static void look(history *h)
{
    bw_scene_stats stats = {0};
    bw_scene_get_stats(h->scene, &stats);
    uint32_t seen = 0;
    must(bw_scene_visit(h->scene, visit, &seen, NULL) == BW_OK);
    must(stats.object_count == seen && seen == h->count + (h->instance != 0));
    bw_box bounds = bw_scene_bounds(h->scene);
    for (uint32_t i = 0; i < h->count; i++) {
        must(bw_scene_has(h->scene, h->objects[i].id));
        must(bw_scene_set_user(h->scene, h->objects[i].id, i, NULL) == BW_OK);
        for (int a = 0; a < 3; a++)
            must(bounds.min[a] <= h->objects[i].box.min[a] && bounds.max[a] >= h->objects[i].box.max[a]);
    }
    must(!bw_scene_has(h->scene, h->dead));
    bw_box region = take_box(&h->b);
    bw_prepare_report report = {0};
    bool whole = bytes_u8(&h->b) < 100;
    bw_result result = bw_scene_prepare(h->scene, whole ? NULL : &region, &report, NULL);
    must(result == (whole ? BW_OK : blame(&region)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static history h;
    memset(&h, 0, sizeof h);
    h.b = (bytes){data, size, 0};
    bw_scene_desc desc = {.nesting = (bw_nesting)(bytes_u8(&h.b) % 7),
                          .leafy = bytes_u8(&h.b) % 2 == 0,
                          .split_threshold = 2 + bytes_u8(&h.b) % 8,
                          .track_pairs = true};
    if (!BW_RESEARCH && desc.nesting != BW_NESTING_AUTO && desc.nesting != BW_NESTING_MODERN) {
        must(bw_scene_create(&desc, &h.scene, NULL) == BW_ERROR_NOT_BUILT);
        desc.nesting = BW_NESTING_MODERN;
    }
    must(bw_scene_create(&desc, &h.scene, NULL) == BW_OK && bw_scene_create(NULL, &h.child, NULL) == BW_OK);
    bw_view_cache *cache;
    must(bw_view_cache_create(NULL, &cache) == BW_OK && bw_scene_paths_create(NULL, &h.paths) == BW_OK);
    for (int step = 0; step < STEPS && h.b.left != 0; step++) {
        switch (bytes_u8(&h.b) % 10) {
        case 0:
        case 1:
            insert(&h);
            break;
        case 2:
            insert_many(&h);
            break;
        case 3:
        case 4:
        case 5:
            move(&h);
            break;
        case 6:
            remove_some(&h);
            break;
        case 7:
            nest(&h);
            break;
        case 8:
            query(&h, cache);
            break;
        default:
            pairs(&h);
            look(&h);
            break;
        }
        const char *fault = bw_scene_check(h.scene);
        if (fault != NULL)
            fprintf(stderr, "%s\n", fault);
        must(fault == NULL);
    }
    bw_view_cache_destroy(cache);
    bw_scene_paths_destroy(h.paths);
    bool child_first = bytes_u8(&h.b) < 128; /* the other one must let go of it */
    bw_scene_destroy(child_first ? h.child : h.scene);
    bw_scene_destroy(child_first ? h.scene : h.child);
    return 0;
}
