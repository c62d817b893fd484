/* All pairs of objects whose boxes overlap, in any tree and through instances: each run of a node's objects
 * looks for its neighbours together. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/stack.h"
#include "scene/modern/modern.h"
#include "scene/paths.h"
#include "scene/traverse.h"

typedef struct finder {
    bw_traversal traversal;
    bw_pair_sink *sink;
    bw_stack nodes, around; /* of bw_traversal_node: to be taken in turn, and to be searched for neighbours */
    bool failed;
} finder;

static void push(finder *f, bw_stack *stack, bw_traversal_node node)
{
    bw_traversal_node *top = bw_stack_push(stack);
    if (top == NULL)
        f->failed = true;
    else
        *top = node;
}

/* Of two that meet, found once from either side, the first reports. Its order does not depend on the numbers
 * of paths. */
static bool precedes(const finder *f, bw_id a, uint32_t a_path, bw_id b, uint32_t b_path)
{
    if (a != b)
        return a < b;
    return a_path != b_path && bw_paths_compare(f->traversal.paths, a_path, b_path) < 0;
}

/* The objects of a run against one other. */
static void meet(finder *f, const bw_object_run *run, uint32_t path, const float box[6], bw_id id,
                 uint32_t id_path)
{
    float query[8] = {0};
    bw_packed_query(box, query);
    uint32_t mask = bw_modern_boxes_meet(f->traversal.tree->simd, run->boxes, run->count, query);
    f->sink->report.tested_count += run->count;
    for (mask &= ~run->instances; mask != 0; mask &= mask - 1) {
        bw_id own = run->ids[__builtin_ctz(mask)];
        if (precedes(f, own, path, id, id_path))
            bw_pair_sink_put(f->sink, (bw_pair){own, id}, (bw_pair_path){path, id_path});
    }
}

static void enter(finder *f, bw_stack *stack, bw_traversal_node node, bw_id instance)
{
    bw_traversal_node root;
    float box[6];
    if (!bw_traverse_enter(&f->traversal, node, instance, &root, box))
        f->failed = true;
    else if (root.ref != 0)
        push(f, stack, root);
}

/* Everything that overlaps a box around a run's objects, against them. */
static void find_neighbours(finder *f, const bw_object_run *run, uint32_t path, const float around[6])
{
    push(f, &f->around, bw_traverse_root(&f->traversal));
    while (f->around.count != 0 && !f->failed && !f->sink->stopped) {
        bw_traversal_node node = *(bw_traversal_node *)bw_stack_pop(&f->around);
        bw_node_contents contents;
        bw_traverse_expand(&f->traversal, node, &contents);
        for (uint32_t c = contents.children; c-- > 0 && !f->failed;)
            if (bw_packed_overlap(contents.box[c], around))
                push(f, &f->around, (bw_traversal_node){contents.child[c], node.path});
        for (uint32_t begin = 0; begin < contents.objects; begin += BW_RUN) {
            bw_object_run others;
            bw_traverse_objects(&f->traversal, node, &contents, begin, &others);
            for (uint32_t i = 0; i < others.count && !f->failed; i++) {
                if (!bw_packed_overlap(others.boxes[i], around))
                    continue;
                if ((others.instances >> i & 1u) != 0)
                    enter(f, &f->around, node, others.ids[i]);
                else
                    meet(f, run, path, others.boxes[i], others.ids[i], node.path);
            }
        }
    }
    f->around.count = 0;
}

static void visit(finder *f, bw_traversal_node node)
{
    bw_node_contents contents;
    bw_traverse_expand(&f->traversal, node, &contents);
    for (uint32_t c = contents.children; c-- > 0 && !f->failed;)
        push(f, &f->nodes, (bw_traversal_node){contents.child[c], node.path});
    for (uint32_t begin = 0; begin < contents.objects && !f->failed; begin += BW_RUN) {
        bw_object_run run;
        bw_traverse_objects(&f->traversal, node, &contents, begin, &run);
        float around[6];
        bw_packed_clear(around);
        for (uint32_t i = 0; i < run.count && !f->failed; i++) {
            if ((run.instances >> i & 1u) != 0)
                enter(f, &f->nodes, node, run.ids[i]);
            else
                bw_packed_grow(around, run.boxes[i]);
        }
        if (around[0] != __builtin_inff())
            find_neighbours(f, &run, node.path, around);
    }
}

static bw_result find_pairs(const bw_scene *scene, const bw_traversal *traversal, bw_pair_sink *sink)
{
    bw_traversal_node first[64], around[64];
    finder f = {.traversal = *traversal, .sink = sink};
    f.nodes = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    f.around = bw_stack_over(around, sizeof around, sizeof *around, &scene->allocator);
    bw_traversal_node root = bw_traverse_root(traversal);
    if (root.ref != 0)
        push(&f, &f.nodes, root);
    while (f.nodes.count != 0 && !f.failed && !sink->stopped)
        visit(&f, *(bw_traversal_node *)bw_stack_pop(&f.nodes));
    bw_stack_release(&f.nodes);
    bw_stack_release(&f.around);
    return f.failed ? BW_ERROR_MEMORY : BW_OK;
}

bw_result bw_scene_pairs(const bw_scene *scene, const bw_pair_output *output, bw_pair_report *report,
                         bw_fault *fault)
{
    if (scene == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_sizes_check(output, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(output, report));
    bw_pair_sink sink;
    bw_pair_sink_begin(&sink, output);
    bw_traversal traversal;
    if (!bw_traverse_begin(&traversal, scene, sink.to.paths))
        return bw_fail(fault, BW_ERROR_MEMORY);
    const bw_scene_kind *kind = scene->tree->kind;
    bw_result result = traversal.paths == NULL && kind->pairs != NULL ? kind->pairs(scene->tree, &sink)
                                                                      : find_pairs(scene, &traversal, &sink);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_pair_sink_flush(&sink);
    if (report != NULL)
        bw_report_set(report, bw_pair_sink_report(&sink));
    return bw_fail(fault, BW_OK);
}
