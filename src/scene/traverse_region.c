/* Region queries through any tree, and through instances. */
#include "base/stack.h"
#include "scene/modern/modern.h"
#include "scene/traverse.h"

typedef struct step {
    bw_traversal_node node;
    uint32_t planes; /* PLANES: those that still cut; 0: all below is visible */
} step;

typedef struct search {
    const bw_traversal *traversal;
    const bw_region_test *test;
    bw_object_sink *sink;
    bw_stack stack;
    bool failed;
} search;

/* Planes of a mask that cut a box, with the one that turned it away last time first. */
static uint32_t cut_with_cache(const bw_region_test *test, const float box[6], uint32_t planes,
                               uint32_t number, bool *outside)
{
    bw_view_cache *cache = test->cache;
    uint8_t *last = cache != NULL && number < cache->capacity ? &cache->planes[number] : NULL;
    if (last != NULL && *last != 0 && (planes >> (*last - 1) & 1u) != 0 &&
        bw_region_plane_far(&test->planes[*last - 1], box) < 0) {
        *outside = true;
        return 0;
    }
    uint32_t cut = 0;
    for (*outside = false; planes != 0; planes &= planes - 1) {
        uint32_t p = (uint32_t)__builtin_ctz(planes);
        if (bw_region_plane_far(&test->planes[p], box) < 0) {
            if (last != NULL)
                *last = (uint8_t)(p + 1);
            *outside = true;
            return 0;
        }
        if (bw_region_plane_near(&test->planes[p], box) < 0)
            cut |= 1u << p;
    }
    return cut;
}

/* Lets a node wait that meets the region; planes are those that may cut it. */
static void push_meeting(search *s, bw_traversal_node node, const float box[6], uint32_t planes)
{
    uint32_t cut = 0;
    bool outside = false;
    if (s->test->kind != BW_REGION_PLANES) {
        outside = !bw_region_test_meets(s->test, box);
    } else if (planes != 0) {
        const bw_scene_tree *tree = s->traversal->tree;
        cut = cut_with_cache(s->test, box, planes,
                             node.path == 0 ? tree->kind->node_number(tree, node.ref) : UINT32_MAX, &outside);
    }
    if (outside)
        return;
    step *top = bw_stack_push(&s->stack);
    if (top == NULL)
        s->failed = true;
    else
        *top = (step){node, cut};
}

static void test_run(search *s, step at, const bw_object_run *run)
{
    bw_object_sink *sink = s->sink;
    uint32_t objects = run->count, n = 0;
    if (run->instances != 0)
        objects -= (uint32_t)__builtin_popcount(run->instances);
    bw_id found[BW_RUN];
    if (s->test->kind == BW_REGION_PLANES && at.planes == 0) {
        sink->report.untested_count += objects;
        if (run->instances == 0) {
            bw_object_sink_put(sink, run->ids, run->count, at.node.path);
            return;
        }
        for (uint32_t i = 0; i < run->count; i++)
            if ((run->instances >> i & 1u) == 0)
                found[n++] = run->ids[i];
    } else if (s->test->kind == BW_REGION_BOX) {
        sink->report.tested_count += objects;
        uint32_t mask =
            bw_modern_boxes_meet(s->traversal->tree->simd, run->boxes, run->count, s->test->query);
        for (mask &= ~run->instances; mask != 0; mask &= mask - 1)
            found[n++] = run->ids[__builtin_ctz(mask)];
    } else {
        sink->report.tested_count += objects;
        for (uint32_t i = 0; i < run->count; i++)
            if ((run->instances >> i & 1u) == 0 && bw_region_test_meets(s->test, run->boxes[i]))
                found[n++] = run->ids[i];
    }
    bw_object_sink_put(sink, found, n, at.node.path);
}

static void visit(search *s, step at)
{
    bw_node_contents contents;
    bw_traverse_expand(s->traversal, at.node, &contents);
    s->sink->report.node_count++;
    for (uint32_t begin = 0; begin < contents.objects && !s->sink->stopped && !s->failed; begin += BW_RUN) {
        bw_object_run run;
        bw_traverse_objects(s->traversal, at.node, &contents, begin, &run);
        test_run(s, at, &run);
        for (uint32_t mask = run.instances; mask != 0 && !s->failed; mask &= mask - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(mask);
            bool inside = s->test->kind == BW_REGION_PLANES && at.planes == 0;
            if (!inside && !bw_region_test_meets(s->test, run.boxes[i]))
                continue;
            bw_traversal_node root;
            float box[6];
            if (!bw_traverse_enter(s->traversal, at.node, run.ids[i], &root, box))
                s->failed = true;
            else if (root.ref != 0)
                push_meeting(s, root, box, at.planes);
        }
    }
    for (uint32_t c = contents.children; c-- > 0 && !s->failed;)
        push_meeting(s, (bw_traversal_node){contents.child[c], at.node.path}, contents.box[c], at.planes);
}

bw_result bw_traverse_region(const bw_traversal *traversal, const bw_region_test *test, bw_object_sink *sink)
{
    step first[256];
    search s = {.traversal = traversal, .test = test, .sink = sink};
    s.stack = bw_stack_over(first, sizeof first, sizeof *first, traversal->tree->allocator);
    if (test->kind == BW_REGION_PLANES && test->cache != NULL)
        bw_view_cache_reserve(test->cache, traversal->tree->kind->node_limit(traversal->tree));
    bw_traversal_node root = bw_traverse_root(traversal);
    if (root.ref != 0)
        push_meeting(&s, root, bw_traverse_bounds(traversal), bw_region_all_planes(test));
    while (s.stack.count != 0 && !s.failed && !sink->stopped)
        visit(&s, *(step *)bw_stack_pop(&s.stack));
    bw_stack_release(&s.stack);
    return s.failed ? BW_ERROR_MEMORY : BW_OK;
}
