/* Occlusion culling over frames: section 2.2.3 of Shagam's paper, with its two weaknesses answered. There the
 * occluders are last frame's visible objects only, so a sudden turn leaves nothing to hide behind; here the
 * walk goes front to back, and what it finds visible hides what comes after. And what was let through before
 * its occluder was met is tested again at the end. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/stack.h"
#include "cull/depth.h"
#include "scene/instances.h"
#include "scene/key_map.h"
#include "scene/paths.h"
#include "scene/traverse.h"

#include <math.h>
#include <string.h>

typedef struct candidate {
    double depth; /* where its box begins, along forward */
    bw_traversal_node node;
    uint32_t planes; /* that cut it */
    float box[6];
} candidate;

typedef struct object {
    bw_id id;
    uint32_t path;
} object;

typedef struct passed {
    object object;
    bool in_front; /* reaches the near plane: nothing hides it */
    bw_footprint footprint;
} passed;

struct bw_cull {
    bw_allocator allocator;
    bw_occluder_fn *occluder_of;
    void *user;
    double occluder_pixels;
    bw_depth *depth;
    bw_array last;    /* of object: what the last frame saw */
    bw_key_map drawn; /* of these, the ones that were drawn, or refused to be, before the traversal */
};

bw_result bw_cull_create(const bw_cull_desc *desc, bw_cull **out, bw_fault *fault)
{
    static const bw_cull_desc defaults;
    if (desc == NULL)
        desc = &defaults;
    if (bw_desc_check(desc) != BW_OK)
        return bw_fail(fault, bw_desc_check(desc));
    if (out == NULL || !(desc->occluder_pixels >= 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_allocator hook = bw_allocator_or_heap(desc->allocator);
    bw_cull *cull = bw_allocate_zero(&hook, 1, sizeof *cull);
    if (cull == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    cull->allocator = hook;
    cull->occluder_of = desc->occluder_of;
    cull->user = desc->user;
    cull->occluder_pixels = desc->occluder_pixels == 0 ? 64 : desc->occluder_pixels;
    cull->last = bw_array_of(sizeof(object), &cull->allocator);
    bw_result result = bw_depth_create(&hook, desc->width == 0 ? 512 : desc->width,
                                       desc->height == 0 ? 256 : desc->height, &cull->depth, fault);
    if (result != BW_OK) {
        bw_release(&hook, cull, 1, sizeof *cull);
        return bw_fail(fault, result);
    }
    *out = cull;
    return bw_fail(fault, BW_OK);
}

void bw_cull_destroy(bw_cull *cull)
{
    if (cull == NULL)
        return;
    bw_allocator hook = cull->allocator;
    bw_depth_destroy(cull->depth);
    bw_array_release(&cull->last);
    bw_key_map_release(&cull->drawn, &hook);
    bw_release(&hook, cull, 1, sizeof *cull);
}

void bw_cull_reset(bw_cull *cull)
{
    if (cull != NULL)
        cull->last.count = 0;
}

bw_depth *bw_cull_depth(bw_cull *cull)
{
    return cull == NULL ? NULL : cull->depth;
}

typedef struct walk {
    bw_cull *cull;
    const bw_scene *scene;
    bw_scene_paths *paths; /* NULL: instances count as objects */
    bw_traversal traversal;
    bw_region_test test; /* the view's planes */
    bw_stack heap, passed;
    bw_cull_report report;
    bw_result result;
    bw_fault *fault;
} walk;

/* Pixels of a footprint inside the picture. */
static double pixels(const bw_depth *depth, const bw_footprint *f)
{
    double w = fmin(f->x1, depth->width) - fmax(f->x0, 0), h = fmin(f->y1, depth->height) - fmax(f->y0, 0);
    return w > 0 && h > 0 ? w * h : 0;
}

/* False: too small to be an occluder. */
static bool draw(walk *w, object o, bool in_front, const bw_footprint *f)
{
    bw_cull *cull = w->cull;
    if (cull->occluder_of == NULL || (!in_front && pixels(cull->depth, f) < cull->occluder_pixels))
        return false;
    const bw_path *path = o.path == 0 ? NULL : bw_path_at(w->paths, o.path);
    bw_scene_object found = {path == NULL ? w->scene : path->scene, o.id, 0, o.path};
    found.user = *bw_table_user(&found.scene->table, bw_id_index(o.id));
    bw_occluder occluder = {0};
    if (!cull->occluder_of(cull->user, &found, &occluder))
        return true;
    bw_transform pose;
    if (path != NULL) {
        pose = occluder.pose == NULL ? path->pose : bw_transform_multiply(&path->pose, occluder.pose);
        occluder.pose = &pose;
    }
    uint32_t triangles = 0;
    bw_result result = bw_depth_draw(cull->depth, &occluder, &triangles, w->fault);
    if (result != BW_OK)
        w->result = result;
    w->report.occluder_count++;
    w->report.triangle_count += triangles;
    return true;
}

static bool before(const walk *w, const candidate *a, const candidate *b)
{
    if (a->depth != b->depth)
        return a->depth < b->depth;
    return a->node.path != b->node.path ? bw_paths_compare(w->paths, a->node.path, b->node.path) < 0
                                        : a->node.ref < b->node.ref;
}

static void push(walk *w, candidate c)
{
    if (bw_stack_push(&w->heap) == NULL) {
        w->result = BW_ERROR_MEMORY;
        return;
    }
    candidate *items = (candidate *)(void *)w->heap.items;
    size_t at = w->heap.count - 1;
    for (; at > 0 && before(w, &c, &items[(at - 1) / 2]); at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = c;
}

static candidate pop(walk *w)
{
    candidate *items = (candidate *)(void *)w->heap.items;
    candidate top = items[0], last = items[--w->heap.count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < w->heap.count; at = child) {
        child += child + 1 < w->heap.count && before(w, &items[child + 1], &items[child]);
        if (!before(w, &items[child], &last))
            break;
        items[at] = items[child];
    }
    items[at] = last;
    return top;
}

/* Where a box begins along forward. */
static double begins(const bw_camera *camera, const float box[6])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double a = camera->axis[2][i];
        sum += a * ((a > 0 ? (double)box[i] : -(double)box[i + 3]) - camera->eye[i]);
    }
    return sum;
}

static void take_object(walk *w, object o, const float packed[6])
{
    passed p = {.object = o};
    bw_box box = bw_packed_box(packed);
    p.in_front = !bw_depth_footprint(w->cull->depth, &box, &p.footprint);
    if (!p.in_front && bw_depth_hides_footprint(w->cull->depth, &p.footprint)) {
        w->report.hidden_object_count++;
        return;
    }
    passed *top = bw_stack_push(&w->passed);
    if (top == NULL) {
        w->result = BW_ERROR_MEMORY;
        return;
    }
    *top = p;
    if (bw_key_map_find(&w->cull->drawn, o.id, o.path) == NULL)
        draw(w, o, p.in_front, &p.footprint);
}

/* Lets a node wait that the view's planes do not turn away. */
static void push_seen(walk *w, bw_traversal_node node, const float box[6], uint32_t planes)
{
    bool outside = false;
    uint32_t cut = planes == 0 ? 0 : bw_region_planes_cut(&w->test, box, planes, &outside);
    if (outside)
        return;
    candidate c = {begins(&w->cull->depth->camera, box), node, cut, {0}};
    memcpy(c.box, box, sizeof c.box);
    push(w, c);
}

/* Some objects of a node, nearest first; instances are entered. */
static void take_run(walk *w, const candidate *at, const bw_object_run *run)
{
    double depths[BW_RUN];
    uint32_t order[BW_RUN], count = 0;
    for (uint32_t i = 0; i < run->count && w->result == BW_OK; i++) {
        bool outside = false;
        if (at->planes != 0)
            bw_region_planes_cut(&w->test, run->boxes[i], at->planes, &outside);
        if ((run->instances >> i & 1u) != 0) {
            bw_traversal_node root;
            float box[6];
            if (outside)
                continue;
            if (!bw_traverse_enter(&w->traversal, at->node, run->ids[i], &root, box))
                w->result = BW_ERROR_MEMORY;
            else if (root.ref != 0)
                push_seen(w, root, box, at->planes);
            continue;
        }
        w->report.tested_count++;
        if (outside)
            continue;
        depths[i] = begins(&w->cull->depth->camera, run->boxes[i]);
        uint32_t k = count++;
        for (; k > 0 && depths[order[k - 1]] > depths[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (uint32_t k = 0; k < count && w->result == BW_OK; k++)
        take_object(w, (object){run->ids[order[k]], at->node.path}, run->boxes[order[k]]);
}

/* A node is tested when its turn comes: by then what is in front of it has been drawn. */
static bool node_hidden(walk *w, const float packed[6])
{
    bw_box box = bw_packed_box(packed);
    bw_footprint f;
    return bw_depth_footprint(w->cull->depth, &box, &f) && bw_depth_hides_footprint(w->cull->depth, &f);
}

static void visit(walk *w, candidate at)
{
    if (node_hidden(w, at.box)) {
        w->report.hidden_node_count++;
        return;
    }
    bw_node_contents contents;
    bw_traverse_expand(&w->traversal, at.node, &contents);
    w->report.node_count++;
    for (uint32_t begin = 0; begin < contents.objects && w->result == BW_OK; begin += BW_RUN) {
        bw_object_run run;
        bw_traverse_objects(&w->traversal, at.node, &contents, begin, &run);
        take_run(w, &at, &run);
    }
    for (uint32_t c = 0; c < contents.children && w->result == BW_OK; c++)
        push_seen(w, (bw_traversal_node){contents.child[c], at.node.path}, contents.box[c], at.planes);
}

/* The box of an object that the last frame saw. False: it is no more. */
static bool find_last(const walk *w, object o, bw_box *out)
{
    const bw_scene *scene = w->scene;
    if (o.path != 0) {
        if (w->traversal.paths == NULL || !bw_paths_follow(w->paths, o.path))
            return false;
        scene = bw_path_at(w->paths, o.path)->scene;
    }
    if (bw_table_find(&scene->table, o.id) == NULL)
        return false;
    *out = bw_packed_box(bw_object_box(scene, bw_id_index(o.id)));
    if (o.path != 0)
        *out = bw_box_transformed(out, &bw_path_at(w->paths, o.path)->pose);
    return w->traversal.paths == NULL || bw_instances_find(scene, o.id) == NULL;
}

static void draw_last(walk *w)
{
    bw_cull *cull = w->cull;
    bw_key_map_clear(&cull->drawn);
    for (size_t i = 0; cull->occluder_of != NULL && i < cull->last.count && w->result == BW_OK; i++) {
        object o = *(const object *)bw_array_at(&cull->last, i);
        bw_box box;
        float packed[6];
        if (!find_last(w, o, &box))
            continue;
        bw_packed_of(&box, packed);
        if (!bw_region_test_meets(&w->test, packed))
            continue;
        bw_footprint f = {0};
        bool in_front = !bw_depth_footprint(cull->depth, &box, &f);
        if (draw(w, o, in_front, &f) && !bw_key_map_add(&cull->drawn, &cull->allocator, o.id, o.path, 0))
            w->result = BW_ERROR_MEMORY;
    }
    w->report.last_frame_occluder_count = w->report.occluder_count;
}

static void finish(walk *w, bw_object_sink *sink)
{
    bw_cull *cull = w->cull;
    const passed *all = (const passed *)(void *)w->passed.items;
    size_t count = w->passed.count;
    if (count > cull->last.capacity && !bw_array_grow(&cull->last, count - cull->last.count)) {
        w->result = BW_ERROR_MEMORY;
        return;
    }
    cull->last.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].in_front && bw_depth_hides_footprint(cull->depth, &all[i].footprint)) {
            w->report.hidden_object_count++;
            continue;
        }
        *(object *)bw_array_push(&cull->last) = all[i].object;
    }
    const object *seen = (const object *)(void *)cull->last.items;
    w->report.visible_count = cull->last.count;
    /* Runs of one path. */
    bw_id run[256];
    for (size_t begin = 0, end; begin < cull->last.count; begin = end) {
        uint32_t n = 0;
        for (end = begin; end < cull->last.count && n < 256 && seen[end].path == seen[begin].path; end++)
            run[n++] = seen[end].id;
        if (!bw_object_sink_put(sink, run, n, seen[begin].path))
            return;
    }
}

bw_result bw_cull_frame(bw_cull *cull, const bw_scene *scene, const bw_view *view,
                        const bw_scene_output *output, bw_cull_report *report, bw_fault *fault)
{
    if (cull == NULL || scene == NULL || view == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_sizes_check(output, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(output, report));
    bw_plane planes[6];
    uint32_t plane_count;
    bw_result result = bw_view_planes(view, planes, &plane_count, NULL);
    if (result != BW_OK)
        return bw_fail(fault, result);
    (void)bw_depth_begin(cull->depth, view, NULL);
    candidate first[256];
    walk w = {.cull = cull,
              .scene = scene,
              .fault = fault,
              .paths = output == NULL ? NULL : output->paths,
              .test = {.kind = BW_REGION_PLANES, .planes = planes, .plane_count = plane_count},
              .heap = bw_stack_over(first, sizeof first, sizeof *first, &cull->allocator),
              .passed = bw_stack_over(NULL, 0, sizeof(passed), &cull->allocator)};
    if (!bw_traverse_begin(&w.traversal, scene, w.paths))
        return bw_fail(fault, BW_ERROR_MEMORY);
    draw_last(&w);
    bw_traversal_node root = bw_traverse_root(&w.traversal);
    if (root.ref != 0 && w.result == BW_OK)
        push_seen(&w, root, bw_traverse_bounds(&w.traversal), bw_region_all_planes(&w.test));
    while (w.heap.count != 0 && w.result == BW_OK)
        visit(&w, pop(&w));
    bw_object_sink sink = bw_object_sink_to(output);
    if (w.result == BW_OK)
        finish(&w, &sink);
    bw_stack_release(&w.heap);
    bw_stack_release(&w.passed);
    if (w.result == BW_OK && report != NULL) {
        w.report.status = bw_object_sink_report(&sink).status;
        bw_report_set(report, w.report);
    }
    /* A bad occluder was named where it was drawn. */
    return w.result == BW_OK || w.result == BW_ERROR_MEMORY ? bw_fail(fault, w.result) : w.result;
}
