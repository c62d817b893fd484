/* Occlusion culling over frames: section 2.2.3 of Shagam's paper, with its two weaknesses answered. There the
 * occluders are last frame's visible objects only, so a sudden turn leaves nothing to hide behind; here the
 * walk goes front to back, and what it finds visible hides what comes after. And what was let through before
 * its occluder was met is asked again at the end. */
#include "base/stack.h"
#include "cull/depth.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

typedef struct candidate {
    double depth; /* where its box begins, along forward */
    bw_stage_ref ref;
    uint32_t planes; /* that cut it */
    float box[6];
} candidate;

typedef struct passed {
    bw_id id;
    bool in_front; /* reaches the near plane: nothing hides it */
    bw_footprint footprint;
} passed;

struct bw_cull {
    bw_allocator allocator;
    bw_occluder_fn *occluder_of;
    void *user;
    double least;
    bw_depth *depth;
    bw_id *last; /* what the last frame saw */
    size_t last_count, last_capacity;
    uint32_t *drawn; /* by object index: the frame in which it was drawn as an occluder */
    uint32_t drawn_capacity, frame;
};

bw_result bw_cull_create(const bw_cull_desc *desc, bw_cull **out)
{
    static const bw_cull_desc defaults;
    if (desc == NULL)
        desc = &defaults;
    if (out == NULL || !(desc->least_occluder >= 0))
        return BW_ERROR_ARGUMENT;
    bw_allocator hook = bw_allocator_or_heap(desc->allocator);
    bw_cull *cull = bw_allocate_zero(&hook, 1, sizeof *cull);
    if (cull == NULL)
        return BW_ERROR_MEMORY;
    cull->allocator = hook;
    cull->occluder_of = desc->occluder_of;
    cull->user = desc->user;
    cull->least = desc->least_occluder == 0 ? 64 : desc->least_occluder;
    bw_result result = bw_depth_create(&hook, desc->width == 0 ? 512 : desc->width,
                                       desc->height == 0 ? 256 : desc->height, &cull->depth);
    if (result != BW_OK) {
        bw_release(&hook, cull, 1, sizeof *cull);
        return result;
    }
    *out = cull;
    return BW_OK;
}

void bw_cull_destroy(bw_cull *cull)
{
    if (cull == NULL)
        return;
    bw_allocator hook = cull->allocator;
    bw_depth_destroy(cull->depth);
    bw_release(&hook, cull->last, cull->last_capacity, sizeof *cull->last);
    bw_release(&hook, cull->drawn, cull->drawn_capacity, sizeof *cull->drawn);
    bw_release(&hook, cull, 1, sizeof *cull);
}

void bw_cull_reset(bw_cull *cull)
{
    if (cull != NULL)
        cull->last_count = 0;
}

bw_depth *bw_cull_depth(bw_cull *cull)
{
    return cull == NULL ? NULL : cull->depth;
}

typedef struct walk {
    bw_cull *cull;
    const bw_scene *scene;
    bw_zone test; /* the view's planes */
    bw_stack heap, passed;
    bw_cull_report report;
    bw_result result;
} walk;

/* Pixels of a footprint inside the picture. */
static double pixels(const bw_depth *depth, const bw_footprint *f)
{
    double w = fmin(f->x1, depth->width) - fmax(f->x0, 0), h = fmin(f->y1, depth->height) - fmax(f->y0, 0);
    return w > 0 && h > 0 ? w * h : 0;
}

static void draw(walk *w, bw_id id, bool in_front, const bw_footprint *f)
{
    bw_cull *cull = w->cull;
    uint32_t index = bw_id_index(id);
    if (cull->occluder_of == NULL || cull->drawn[index] == cull->frame ||
        (!in_front && pixels(cull->depth, f) < cull->least))
        return;
    cull->drawn[index] = cull->frame;
    bw_occluder occluder = {0};
    if (!cull->occluder_of(cull->user, id, *bw_table_user(&w->scene->table, index), &occluder))
        return;
    uint32_t triangles = 0;
    bw_result result = bw_depth_draw(cull->depth, &occluder, &triangles);
    if (result != BW_OK)
        w->result = result;
    w->report.occluders++;
    w->report.triangles += triangles;
}

static bool before(const candidate *a, const candidate *b)
{
    return a->depth < b->depth || (a->depth == b->depth && a->ref < b->ref);
}

static void push(walk *w, candidate c)
{
    if (bw_stack_push(&w->heap) == NULL) {
        w->result = BW_ERROR_MEMORY;
        return;
    }
    candidate *items = (candidate *)(void *)w->heap.items;
    size_t at = w->heap.count - 1;
    for (; at > 0 && before(&c, &items[(at - 1) / 2]); at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = c;
}

static candidate pop(walk *w)
{
    candidate *items = (candidate *)(void *)w->heap.items;
    candidate top = items[0], last = items[--w->heap.count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < w->heap.count; at = child) {
        child += child + 1 < w->heap.count && before(&items[child + 1], &items[child]);
        if (!before(&items[child], &last))
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

typedef struct near_object {
    double depth;
    uint32_t slot;
} near_object;

static void take_object(walk *w, bw_id id, const float packed[6])
{
    passed p = {.id = id};
    bw_box box = bw_anchor_unpack(packed);
    p.in_front = !bw_depth_footprint(w->cull->depth, &box, &p.footprint);
    if (!p.in_front && bw_depth_hides_footprint(w->cull->depth, &p.footprint)) {
        w->report.objects_hidden++;
        return;
    }
    passed *top = bw_stack_push(&w->passed);
    if (top == NULL) {
        w->result = BW_ERROR_MEMORY;
        return;
    }
    *top = p;
    draw(w, id, p.in_front, &p.footprint);
}

/* The objects of a node, nearest first, in runs that fit the stack. */
static void take_objects(walk *w, const bw_stage_expansion *x, uint32_t planes)
{
    enum { RUN = 64 };
    for (uint32_t begin = 0; begin < x->objects && w->result == BW_OK; begin += RUN) {
        near_object order[RUN];
        uint32_t count = 0;
        for (uint32_t i = begin; i < x->objects && i < begin + RUN; i++) {
            bool outside = false;
            if (planes != 0)
                bw_zone_planes_cut(&w->test, x->boxes[i], planes, &outside);
            w->report.tested++;
            if (outside)
                continue;
            near_object o = {begins(&w->cull->depth->camera, x->boxes[i]), i};
            uint32_t at = count++;
            for (; at > 0 && order[at - 1].depth > o.depth; at--)
                order[at] = order[at - 1];
            order[at] = o;
        }
        for (uint32_t k = 0; k < count && w->result == BW_OK; k++)
            take_object(w, x->ids[order[k].slot], x->boxes[order[k].slot]);
    }
}

/* A node is asked when its turn comes: by then what is in front of it has been drawn. */
static bool node_hidden(walk *w, const float packed[6])
{
    bw_box box = bw_anchor_unpack(packed);
    bw_footprint f;
    return bw_depth_footprint(w->cull->depth, &box, &f) && bw_depth_hides_footprint(w->cull->depth, &f);
}

static void visit(walk *w, candidate at)
{
    if (node_hidden(w, at.box)) {
        w->report.nodes_hidden++;
        return;
    }
    bw_stage_expansion x;
    bw_stage_expand(w->scene, at.ref, &x);
    w->report.nodes++;
    take_objects(w, &x, at.planes);
    for (uint32_t c = 0; c < x.children && w->result == BW_OK; c++) {
        bool outside = false;
        uint32_t cut = at.planes == 0 ? 0 : bw_zone_planes_cut(&w->test, x.box[c], at.planes, &outside);
        if (outside)
            continue;
        candidate child = {begins(&w->cull->depth->camera, x.box[c]), x.child[c], cut, {0}};
        memcpy(child.box, x.box[c], sizeof child.box);
        push(w, child);
    }
}

static bool reserve_drawn(bw_cull *cull, uint32_t end)
{
    if (end <= cull->drawn_capacity)
        return true;
    uint32_t capacity = cull->drawn_capacity + cull->drawn_capacity / 2;
    capacity = capacity < end ? end : capacity;
    uint32_t *drawn = bw_allocate_zero(&cull->allocator, capacity, sizeof *drawn);
    if (drawn == NULL)
        return false;
    bw_release(&cull->allocator, cull->drawn, cull->drawn_capacity, sizeof *drawn);
    cull->drawn = drawn; /* the frames noted so far are past */
    cull->drawn_capacity = capacity;
    return true;
}

static void draw_last(walk *w)
{
    bw_cull *cull = w->cull;
    for (size_t i = 0; i < cull->last_count && w->result == BW_OK; i++) {
        if (bw_table_find(&w->scene->table, cull->last[i]) == NULL)
            continue;
        const float *packed = bw_stage_object_box(w->scene, bw_id_index(cull->last[i]));
        if (!bw_zone_meets(&w->test, packed))
            continue;
        bw_footprint f = {0};
        bw_box box = bw_anchor_unpack(packed);
        bool in_front = !bw_depth_footprint(cull->depth, &box, &f);
        draw(w, cull->last[i], in_front, &f);
    }
    w->report.from_last_frame = w->report.occluders;
}

static void finish(walk *w, bw_object_sink *sink)
{
    bw_cull *cull = w->cull;
    passed *all = (passed *)(void *)w->passed.items;
    size_t kept = 0;
    if (cull->last_capacity < w->passed.count) {
        bw_id *last = bw_allocate(&cull->allocator, w->passed.count, sizeof *last);
        if (last == NULL) {
            w->result = BW_ERROR_MEMORY;
            return;
        }
        bw_release(&cull->allocator, cull->last, cull->last_capacity, sizeof *last);
        cull->last = last;
        cull->last_capacity = w->passed.count;
    }
    for (size_t i = 0; i < w->passed.count; i++) {
        if (!all[i].in_front && bw_depth_hides_footprint(cull->depth, &all[i].footprint)) {
            w->report.objects_hidden++;
            continue;
        }
        cull->last[kept++] = all[i].id;
    }
    cull->last_count = kept;
    w->report.visible = kept;
    bw_object_sink_put(sink, cull->last, kept);
}

bw_result bw_cull_frame(bw_cull *cull, const bw_scene *scene, const bw_view *view,
                        const bw_scene_output *output, bw_cull_report *report)
{
    if (cull == NULL || scene == NULL || view == NULL)
        return BW_ERROR_ARGUMENT;
    bw_plane planes[6];
    uint32_t plane_count;
    bw_result result = bw_view_planes(view, planes, &plane_count);
    if (result != BW_OK)
        return result;
    if (!reserve_drawn(cull, scene->table.entries.end))
        return BW_ERROR_MEMORY;
    if (++cull->frame == 0) {
        memset(cull->drawn, 0, cull->drawn_capacity * sizeof *cull->drawn);
        cull->frame = 1;
    }
    (void)bw_depth_begin(cull->depth, view);
    candidate first[256];
    walk w = {.cull = cull,
              .scene = scene,
              .test = {.kind = BW_REGION_PLANES, .planes = planes, .plane_count = plane_count},
              .heap = bw_stack_over(first, sizeof first, sizeof *first, &cull->allocator),
              .passed = bw_stack_over(NULL, 0, sizeof(passed), &cull->allocator)};
    draw_last(&w);
    bool outside;
    uint32_t cut = bw_zone_planes_cut(&w.test, bw_stage_bounds(scene), (1u << plane_count) - 1u, &outside);
    if (bw_stage_root(scene) != 0 && !outside) {
        candidate root = {-INFINITY, bw_stage_root(scene), cut, {0}};
        memcpy(root.box, bw_stage_bounds(scene), sizeof root.box);
        push(&w, root);
    }
    while (w.heap.count != 0 && w.result == BW_OK)
        visit(&w, pop(&w));
    bw_object_sink sink = bw_object_sink_to(output);
    if (w.result == BW_OK)
        finish(&w, &sink);
    bw_stack_release(&w.heap);
    bw_stack_release(&w.passed);
    if (w.result == BW_OK && report != NULL) {
        w.report.status = bw_object_sink_report(&sink).status;
        *report = w.report;
    }
    return w.result;
}
