/* The broad phase: pairs of parts whose boxes meet, by a scene, without those that the rules leave out. */
#include "clash/clash.h"

#include "order.h"

#include <boxwood/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct taking {
    const bw_scene *scene;
    const clash_wish *wish;
    cluster_slab slab;
    const bw_box *boxes;   /* as they are in the scene */
    const uint32_t *parts; /* of these */
    clash_candidates *out;
} taking;

static uint32_t place_of(const bw_scene *scene, bw_id id)
{
    uint64_t place = 0;
    bw_scene_get(scene, id, NULL, &place, NULL);
    return (uint32_t)place;
}

static bool take_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    (void)paths; /* no part is an instance */
    taking *t = user;
    clash_candidates *c = t->out;
    for (size_t i = 0; i < count; i++) {
        const uint32_t first = place_of(t->scene, pairs[i].a), second = place_of(t->scene, pairs[i].b);
        if (!cluster_slab_owns(&t->slab, &t->boxes[first], &t->boxes[second]))
            continue;
        const uint32_t a = t->parts[first], b = t->parts[second];
        double depth;
        rules_verdict verdict = rules_judge(t->wish->rules, a, b, &depth);
        if (verdict == RULES_ASIDE || verdict == RULES_ALLOWED) {
            c->aside++;
            continue;
        }
        c->list = tool_grow(c->list, c->count, &c->capacity, sizeof *c->list);
        c->list[c->count++] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    }
    return true;
}

/* A bound moved outward by a margin and into the scene's range. Both only ever make boxes overlap that did
 * not. */
static float widen(float bound, double margin, double direction)
{
    float rounded = bound;
    if (margin > 0) {
        const double wide = nextafter((double)bound + direction * margin, direction * INFINITY);
        rounded = (float)wide;
        if (direction * (double)rounded < direction * wide)
            rounded = nextafterf(rounded, (float)direction * INFINITY);
    }
    return fmaxf(-BW_SCENE_COORDINATE_MAX, fminf(BW_SCENE_COORDINATE_MAX, rounded));
}

bool clash_find_candidates(const assembly *a, const clash_wish *wish, uint32_t share, uint32_t shares,
                           const bw_tasks *tasks, clash_candidates *out, fault *why)
{
    bw_box *boxes = tool_alloc(a->part_count, sizeof *boxes);
    uint32_t *parts = tool_alloc(a->part_count, sizeof *parts);
    uint64_t *users = tool_alloc(a->part_count, sizeof *users);
    bw_id *ids = tool_alloc(a->part_count, sizeof *ids);
    uint32_t used = 0, count = 0;
    /* Half of the distance around each; a double of the smallest magnitude has no half. */
    double margin = wish->clearance > 0 ? nextafter(wish->clearance / 2, INFINITY) : 0;
    for (uint32_t i = 0; i < a->part_count; i++) {
        if (!rules_uses(wish->rules, i))
            continue;
        parts[used] = i;
        for (int k = 0; k < 3; k++) {
            boxes[used].min[k] = widen(a->parts[i].box.min[k], margin, -1);
            boxes[used].max[k] = widen(a->parts[i].box.max[k], margin, 1);
        }
        used++;
    }
    taking t = {.wish = wish,
                .slab = cluster_slab_of(boxes, used, share, shares),
                .boxes = boxes,
                .parts = parts,
                .out = out};
    for (uint32_t i = 0; i < used; i++)
        if (cluster_slab_touches(&t.slab, &boxes[i])) {
            boxes[count] = boxes[i];
            parts[count] = parts[i];
            users[count] = count;
            count++;
        }
    bw_scene *scene = NULL;
    bw_result result =
        bw_scene_create(&(bw_scene_desc){.nesting = BW_NESTING_MODERN, .tasks = tasks}, &scene, NULL);
    if (result == BW_OK && count > 0)
        result = bw_scene_insert_many(scene, boxes, users, count, ids, NULL);
    t.scene = scene;
    if (result == BW_OK)
        result = bw_scene_pairs(scene, &(bw_pair_output){.on_pairs = take_pairs, .user = &t}, NULL, NULL);
    bw_scene_destroy(scene);
    free(boxes);
    free(parts);
    free(users);
    free(ids);
    return result == BW_OK || fault_set(why, "finding pairs of parts: %s", bw_result_string(result));
}

uint32_t *clash_order(const assembly *a, clash_candidates *c)
{
    const store *s = a->store;
    uint32_t *primitives = tool_alloc(s->part_count, sizeof *primitives);
    for (uint32_t i = 0; i < s->part_count; i++)
        primitives[i] = s->meshes[s->parts[i].mesh].primitive_count;
    uint32_t *costs = cluster_order(s->boxes, s->part_count, primitives, c->list, c->count);
    free(primitives);
    return costs;
}

void clash_expect(const assembly *a, const uint64_t *pairs, size_t count)
{
    uint32_t *uses = tool_alloc(a->mesh_count, sizeof *uses);
    memset(uses, 0, a->mesh_count * sizeof *uses);
    for (size_t i = 0; i < count; i++) {
        const uint32_t parts[2] = {(uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]};
        for (int k = 0; k < 2; k++) {
            uint32_t *of = &uses[a->parts[parts[k]].mesh];
            *of += *of < UINT32_MAX; /* more: it stays until others need the room */
        }
    }
    store_cache_expect(a->cache, uses);
}
