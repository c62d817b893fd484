/* Queries through instances. Boxes of inner scenes are taken to the outermost one, as the paper's
 * section 2.2.2 does, and tested there: those of nodes and instances with a margin for rounding, those of
 * objects as they are. */
#include "base/stack.h"
#include "scene/instances.h"

typedef struct frame {
    const bw_scene *scene;
    bw_transform pose; /* to the outermost scene */
    uint32_t above;    /* the frame that holds the instance */
    bw_id instance;    /* in that frame's scene */
    uint32_t depth;
} frame;

typedef struct step {
    bw_stage_ref ref;
    uint32_t frame;
} step;

typedef struct walker {
    bw_stack frames, steps, path;
    const bw_zone *test;
    bw_scene_place_fn *on_object;
    void *user;
    bw_scene_report report;
    bool stopped, failed;
} walker;

static bool meets(const bw_zone *test, const bw_box *box)
{
    float packed[6];
    bw_anchor_pack(box, packed);
    return bw_zone_meets(test, packed);
}

static frame *frame_at(walker *w, uint32_t index)
{
    return (frame *)(void *)w->frames.items + index;
}

static bool meets_around(walker *w, uint32_t index, const float packed[6])
{
    const frame *f = frame_at(w, index);
    bw_box box = bw_anchor_unpack(packed);
    if (f->depth != 0)
        box = bw_family_box_around(&box, &f->pose);
    return meets(w->test, &box);
}

static void enter(walker *w, uint32_t index)
{
    const bw_scene *scene = frame_at(w, index)->scene;
    if (bw_stage_root(scene) == 0 || !meets_around(w, index, bw_stage_bounds(scene)))
        return;
    step *top = bw_stack_push(&w->steps);
    if (top == NULL)
        w->failed = true;
    else
        *top = (step){bw_stage_root(scene), index};
}

static void hand_out(walker *w, uint32_t index, bw_id id, const bw_box *box)
{
    const frame *f = frame_at(w, index);
    w->report.found++;
    if (w->on_object == NULL)
        return;
    w->path.count = 0;
    if (f->depth > w->path.capacity && !bw_stack_grow(&w->path, f->depth)) {
        w->failed = true;
        return;
    }
    bw_id *path = (bw_id *)(void *)w->path.items;
    for (const frame *up = f; up->depth != 0; up = frame_at(w, up->above))
        path[up->depth - 1] = up->instance;
    bw_scene_place place = {f->scene, id, path, f->depth, f->depth == 0 ? NULL : &f->pose, *box};
    w->stopped = !w->on_object(w->user, &place);
}

static void go_into(walker *w, uint32_t index, const bw_family_instance *instance)
{
    frame *top = bw_stack_push(&w->frames);
    if (top == NULL) {
        w->failed = true;
        return;
    }
    const frame *f = frame_at(w, index);
    *top = (frame){instance->child,
                   f->depth == 0 ? instance->pose : bw_transform_multiply(&f->pose, &instance->pose), index,
                   instance->id, f->depth + 1};
    enter(w, (uint32_t)(w->frames.count - 1));
}

static void visit(walker *w, step at)
{
    const bw_scene *scene = frame_at(w, at.frame)->scene;
    bw_stage_expansion x;
    bw_stage_expand(scene, at.ref, &x);
    w->report.nodes++;
    for (uint32_t i = 0; i < x.objects && !w->stopped && !w->failed; i++) {
        const bw_family_instance *instance = bw_family_find(scene, x.ids[i]);
        if (instance != NULL) {
            if (meets_around(w, at.frame, x.boxes[i]))
                go_into(w, at.frame, instance);
            continue;
        }
        const frame *f = frame_at(w, at.frame);
        bw_box box = bw_anchor_unpack(x.boxes[i]);
        if (f->depth != 0)
            box = bw_box_transformed(&box, &f->pose);
        w->report.tested++;
        if (meets(w->test, &box))
            hand_out(w, at.frame, x.ids[i], &box);
    }
    for (uint32_t c = x.children; c-- > 0 && !w->failed;) {
        if (!meets_around(w, at.frame, x.box[c]))
            continue;
        step *top = bw_stack_push(&w->steps);
        if (top == NULL)
            w->failed = true;
        else
            *top = (step){x.child[c], at.frame};
    }
}

bw_result bw_scene_query_through(const bw_scene *scene, const bw_region *region, bw_scene_place_fn *on_object,
                                 void *user, bw_scene_report *report)
{
    if (scene == NULL || region == NULL)
        return BW_ERROR_ARGUMENT;
    bw_zone test = {0};
    bw_result result = bw_zone_prepare(region, &test);
    if (result != BW_OK)
        return result;
    frame frames[8];
    step steps[128];
    bw_id path[16];
    walker w = {.test = &test, .on_object = on_object, .user = user};
    w.frames = bw_stack_over(frames, sizeof frames, sizeof *frames, &scene->allocator);
    w.steps = bw_stack_over(steps, sizeof steps, sizeof *steps, &scene->allocator);
    w.path = bw_stack_over(path, sizeof path, sizeof *path, &scene->allocator);
    *(frame *)bw_stack_push(&w.frames) = (frame){.scene = scene};
    enter(&w, 0);
    while (w.steps.count != 0 && !w.stopped && !w.failed)
        visit(&w, *(step *)bw_stack_pop(&w.steps));
    bw_stack_release(&w.frames);
    bw_stack_release(&w.steps);
    bw_stack_release(&w.path);
    if (w.failed)
        return BW_ERROR_MEMORY;
    if (report != NULL) {
        w.report.status = w.stopped ? BW_SCENE_STOPPED : BW_SCENE_COMPLETE;
        *report = w.report;
    }
    return BW_OK;
}
