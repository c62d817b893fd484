/* Incremental pairs: only objects that changed look for their neighbours, so the cost follows the
 * changes. */
#include "scene/tracker.h"
#include "base/fault.h"
#include "base/sized.h"
#include "base/stack.h"
#include "scene/pair_sink.h"

#include <string.h>

#define NO_EDGE UINT32_MAX

typedef struct edge {
    uint32_t next[2], before[2]; /* in the lists of both ends; next[0] is the pool's link while free */
    uint32_t end[2];             /* objects by index */
    uint32_t ended;
} edge;

typedef struct known {
    bw_id id;         /* of the object that the edges belong to; 0: none */
    uint32_t edges;   /* the first */
    uint32_t stamp;   /* a neighbour of the object at hand, in this round */
    uint32_t changed; /* in the list */
} known;

struct bw_tracker {
    known *objects; /* by index */
    uint32_t *changed;
    uint32_t capacity, changed_count;
    uint32_t round;
    bw_slab edges;
    uint32_t edge_count;
};

bool bw_tracker_create(bw_scene *scene)
{
    scene->tracker = bw_allocate_zero(&scene->allocator, 1, sizeof *scene->tracker);
    if (scene->tracker == NULL)
        return false;
    scene->tracker->edges = bw_slab_empty(sizeof(edge), 10);
    return true;
}

void bw_tracker_destroy(bw_scene *scene)
{
    bw_tracker *t = scene->tracker;
    if (t == NULL)
        return;
    bw_release(&scene->allocator, t->objects, t->capacity, sizeof *t->objects);
    bw_release(&scene->allocator, t->changed, t->capacity, sizeof *t->changed);
    bw_slab_release(&t->edges, &scene->allocator);
    bw_release(&scene->allocator, t, 1, sizeof *t);
    scene->tracker = NULL;
}

bool bw_tracker_reserve(bw_scene *scene, uint32_t more)
{
    bw_tracker *t = scene->tracker;
    if (t == NULL || scene->table.entries.end + more <= t->capacity)
        return true;
    uint32_t wanted = scene->table.entries.end + more, capacity = t->capacity + t->capacity / 2;
    capacity = capacity < wanted ? wanted : capacity;
    known *objects = bw_allocate(&scene->allocator, capacity, sizeof *objects);
    uint32_t *changed = bw_allocate(&scene->allocator, capacity, sizeof *changed);
    if (objects == NULL || changed == NULL) {
        bw_release(&scene->allocator, objects, capacity, sizeof *objects);
        bw_release(&scene->allocator, changed, capacity, sizeof *changed);
        return false;
    }
    if (t->capacity != 0)
        memcpy(objects, t->objects, t->capacity * sizeof *objects);
    if (t->changed_count != 0)
        memcpy(changed, t->changed, t->changed_count * sizeof *changed);
    for (uint32_t i = t->capacity; i < capacity; i++)
        objects[i] = (known){.edges = NO_EDGE};
    bw_release(&scene->allocator, t->objects, t->capacity, sizeof *objects);
    bw_release(&scene->allocator, t->changed, t->capacity, sizeof *changed);
    t->objects = objects;
    t->changed = changed;
    t->capacity = capacity;
    return true;
}

void bw_tracker_touch(bw_scene *scene, uint32_t index)
{
    bw_tracker *t = scene->tracker;
    if (t == NULL || t->objects[index].changed != 0)
        return;
    t->objects[index].changed = 1;
    t->changed[t->changed_count++] = index;
}

size_t bw_tracker_bytes(const bw_scene *scene)
{
    const bw_tracker *t = scene->tracker;
    if (t == NULL)
        return 0;
    return sizeof *t + t->capacity * (sizeof *t->objects + sizeof *t->changed) + bw_slab_bytes(&t->edges);
}

static edge *edge_at(const bw_tracker *t, uint32_t index)
{
    return bw_slab_at(&t->edges, index);
}

static int end_of(const edge *e, uint32_t object)
{
    return e->end[1] == object;
}

/* The id of the live object at an index, or 0. */
static bw_id live(const bw_scene *scene, uint32_t index)
{
    if (index >= scene->table.entries.end)
        return 0;
    uint32_t generation = bw_table_entry(&scene->table, index)->generation;
    return (generation & 1) != 0 ? bw_id_of(index, generation) : 0;
}

static bool still(const bw_scene *scene, const edge *e)
{
    const bw_tracker *t = scene->tracker;
    for (int k = 0; k < 2; k++)
        if (live(scene, e->end[k]) != t->objects[e->end[k]].id)
            return false;
    return bw_packed_overlap(bw_object_box(scene, e->end[0]), bw_object_box(scene, e->end[1]));
}

static void unlink_edge(bw_tracker *t, uint32_t index)
{
    edge *e = edge_at(t, index);
    for (int k = 0; k < 2; k++) {
        if (e->next[k] != NO_EDGE) {
            edge *next = edge_at(t, e->next[k]);
            next->before[end_of(next, e->end[k])] = e->before[k];
        }
        if (e->before[k] != NO_EDGE) {
            edge *before = edge_at(t, e->before[k]);
            before->next[end_of(before, e->end[k])] = e->next[k];
        } else {
            t->objects[e->end[k]].edges = e->next[k];
        }
    }
    bw_slab_give(&t->edges, index);
    t->edge_count--;
}

static void link_edge(bw_tracker *t, uint32_t a, uint32_t b)
{
    uint32_t index = bw_slab_take(&t->edges);
    edge *e = edge_at(t, index);
    *e = (edge){.before = {NO_EDGE, NO_EDGE}, .end = {a, b}};
    for (int k = 0; k < 2; k++) {
        e->next[k] = t->objects[e->end[k]].edges;
        if (e->next[k] != NO_EDGE) {
            edge *next = edge_at(t, e->next[k]);
            next->before[end_of(next, e->end[k])] = index;
        }
        t->objects[e->end[k]].edges = index;
    }
    t->edge_count++;
}

typedef struct found {
    uint32_t a, b;
} found;

typedef struct collector {
    const bw_scene *scene;
    bw_stack *pairs;
    uint32_t object;
    bool failed;
} collector;

static bool collect(void *user, const bw_id *ids, size_t count, uint32_t path)
{
    (void)path; /* an instance counts as one object */
    collector *c = user;
    const bw_tracker *t = c->scene->tracker;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = bw_id_index(ids[i]);
        const known *k = &t->objects[other];
        /* Of two that changed the lower one reports. */
        if (other == c->object || k->stamp == t->round || (k->changed != 0 && other < c->object))
            continue;
        found *pair = bw_stack_push(c->pairs);
        if (pair == NULL) {
            c->failed = true;
            return false;
        }
        *pair = (found){c->object, other};
    }
    return true;
}

/* Finds what ended around a changed object (flags the edges and lists them) and what began. */
static bool look_at(bw_scene *scene, uint32_t object, bw_stack *ended, bw_stack *began)
{
    bw_tracker *t = scene->tracker;
    if (++t->round == 0) {
        for (uint32_t i = 0; i < t->capacity; i++)
            t->objects[i].stamp = 0;
        t->round = 1;
    }
    for (uint32_t index = t->objects[object].edges; index != NO_EDGE;) {
        edge *e = edge_at(t, index);
        int k = end_of(e, object);
        if (still(scene, e)) {
            t->objects[e->end[1 - k]].stamp = t->round;
        } else if (e->ended == 0) {
            uint32_t *top = bw_stack_push(ended);
            if (top == NULL)
                return false;
            *top = index;
            e->ended = 1;
        }
        index = e->next[k];
    }
    if (live(scene, object) == 0)
        return true;
    const float *box = bw_object_box(scene, object);
    bw_region region = {.kind = BW_REGION_BOX, .box = bw_packed_box(box)};
    collector c = {scene, began, object, false};
    bw_scene_output output = {.on_objects = collect, .user = &c};
    bw_result result = bw_scene_query(scene, &region, &output, NULL, NULL);
    return result == BW_OK && !c.failed;
}

static void report_pair(const bw_tracker *t, bw_pair_sink *sink, uint32_t a, uint32_t b)
{
    bw_pair_sink_put(sink, bw_pair_of(t->objects[a].id, t->objects[b].id), (bw_pair_path){0});
}

bw_result bw_scene_pairs_changed(bw_scene *scene, const bw_pair_output *began_to,
                                 const bw_pair_output *ended_to, bw_pair_report *began_report,
                                 bw_pair_report *ended_report, bw_fault *fault)
{
    if (scene == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_tracker *t = scene->tracker;
    if (t == NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_result sizes = bw_sizes_check(began_to, began_report);
    if (sizes == BW_OK)
        sizes = bw_sizes_check(ended_to, ended_report);
    if (sizes != BW_OK)
        return bw_fail(fault, sizes);
    bw_stack ended = bw_stack_over(NULL, 0, sizeof(uint32_t), &scene->allocator);
    bw_stack began = bw_stack_over(NULL, 0, sizeof(found), &scene->allocator);
    bool ok = true;
    for (uint32_t i = 0; i < t->changed_count && ok; i++)
        ok = look_at(scene, t->changed[i], &ended, &began);
    ok = ok && began.count < UINT32_MAX - t->edges.end &&
         bw_slab_reserve(&t->edges, &scene->allocator, (uint32_t)began.count);
    const uint32_t *gone = (const uint32_t *)(void *)ended.items;
    const found *fresh = (const found *)(void *)began.items;
    if (!ok) {
        for (size_t i = 0; i < ended.count; i++)
            edge_at(t, gone[i])->ended = 0;
        bw_stack_release(&ended);
        bw_stack_release(&began);
        return bw_fail(fault, BW_ERROR_MEMORY);
    }
    bw_pair_sink ended_sink, began_sink;
    bw_pair_sink_begin(&ended_sink, ended_to);
    bw_pair_sink_begin(&began_sink, began_to);
    for (size_t i = 0; i < ended.count; i++) {
        const edge *e = edge_at(t, gone[i]);
        report_pair(t, &ended_sink, e->end[0], e->end[1]);
        unlink_edge(t, gone[i]);
    }
    for (uint32_t i = 0; i < t->changed_count; i++) {
        known *k = &t->objects[t->changed[i]];
        k->id = live(scene, t->changed[i]);
        k->changed = 0;
    }
    t->changed_count = 0;
    for (size_t i = 0; i < began.count; i++) {
        link_edge(t, fresh[i].a, fresh[i].b);
        report_pair(t, &began_sink, fresh[i].a, fresh[i].b);
    }
    bw_pair_sink_flush(&ended_sink);
    bw_pair_sink_flush(&began_sink);
    if (t->edge_count == 0)
        bw_slab_release(&t->edges, &scene->allocator);
    if (ended_report != NULL)
        bw_report_set(ended_report, bw_pair_sink_report(&ended_sink));
    if (began_report != NULL)
        bw_report_set(began_report, bw_pair_sink_report(&began_sink));
    bw_stack_release(&ended);
    bw_stack_release(&began);
    return bw_fail(fault, BW_OK);
}

const char *bw_tracker_check(const bw_scene *scene)
{
    const bw_tracker *t = scene->tracker;
    if (t == NULL)
        return NULL;
    uint64_t ends = 0;
    for (uint32_t i = 0; i < t->capacity; i++) {
        if (t->objects[i].id == 0 && t->objects[i].edges != NO_EDGE)
            return "pairs of an object that is not known";
        if (t->objects[i].changed == 0 && t->objects[i].id != live(scene, i))
            return "a change of an object went unseen";
        uint32_t before = NO_EDGE;
        for (uint32_t index = t->objects[i].edges, next; index != NO_EDGE; before = index, index = next) {
            const edge *e = edge_at(t, index);
            int k = end_of(e, i);
            if (e->end[k] != i || e->before[k] != before || e->ended != 0)
                return "the list of an object's pairs is broken";
            if (e->end[1 - k] == i)
                return "an object is paired with itself";
            if (++ends > 2ull * t->edge_count)
                return "the lists of pairs hold more ends than there are";
            next = e->next[k];
        }
    }
    return ends == 2ull * t->edge_count && t->edge_count == bw_slab_live(&t->edges) ? NULL : "a pair is lost";
}
