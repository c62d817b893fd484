/* Making a step ready: positions, swept boxes, the tree, and the features of its leaves. */
#include "base/fault.h"
#include "base/sized.h"
#include "swept/assign.h"
#include "swept/topology.h"

#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/build/build.h"

#include <math.h>

/* A tree and what its leaves hold: made whole before the old one goes. */
typedef struct shape {
    bw_wide tree;
    bw_swept_assignment features;
} shape;

/* What the walk of a query takes, in builds of the tree, where areas alone count: it grows with the tree's
 * cost. */
static const double query_price = 2;

static bw_result check_meshes(const bw_mesh *start, const bw_mesh *end)
{
    if (start == NULL || end == NULL || bw_mesh_view_check(start) != BW_OK ||
        bw_mesh_view_check(end) != BW_OK)
        return BW_ERROR_ARGUMENT;
    return start->vertex_count == end->vertex_count && bw_swept_triangles(start) == bw_swept_triangles(end)
               ? BW_OK
               : BW_ERROR_MISMATCH;
}

typedef struct copy_job {
    const bw_mesh *start, *end;
    const bw_ccd_path *before; /* the step before, which has the thicknesses */
    bw_ccd_path *paths;
} copy_job;

/* Copies both ends of vertices. */
static void copy_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const copy_job *job = context;
    (void)worker;
    for (uint32_t v = begin; v < end; v++) {
        bw_vec3 p = bw_mesh_view_vertex(job->start, v), q = bw_mesh_view_vertex(job->end, v);
        double thickness = bw_swept_thickness(&job->before[v]);
        /* No zero is negative: equal boxes have equal bits. */
        job->paths[v] = (bw_ccd_path){
            {p.x + 0.0, p.y + 0.0, p.z + 0.0, 0.0 - thickness, q.x + 0.0, q.y + 0.0, q.z + 0.0, thickness}};
    }
}

/* On a bad coordinate its code, and the vertex. */
static bw_result check_paths(const bw_ccd_path *paths, uint32_t count, bw_fault *where)
{
    for (uint32_t v = 0; v < count; v++) {
        unsigned good = 1;
        for (int i = 0; i < 8; i++) {
            double size = fabs(paths[v].at[i]);
            good &= (unsigned)(size <= BW_COORDINATE_MAX) &
                    ((unsigned)(size >= BW_EXACT_MIN) | (unsigned)(size == 0));
        }
        for (int i = 0; good == 0 && i < 8; i++) {
            const bw_result result = bw_swept_coordinate(paths[v].at[i]);
            if (result != BW_OK) {
                where->vertex = v;
                where->axis = (uint32_t)i % 4;
                where->value = paths[v].at[i];
                return result;
            }
        }
    }
    return BW_OK;
}

typedef struct box_job {
    const bw_swept *s;
    bw_box *boxes;
} box_job;

static void primitive_boxes(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const box_job *job = context;
    const bw_swept *s = job->s;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t edge = i - s->triangle_count + s->face_edge_count; /* where it is no triangle */
        job->boxes[i] = i < s->triangle_count  ? bw_swept_face_box(s, i)
                        : edge < s->edge_count ? bw_swept_edge_box(s, edge)
                                               : bw_swept_box(&s->bounds[s->points[edge - s->edge_count]]);
    }
}

static void release_shape(const bw_swept *s, shape *now)
{
    const bw_swept_assignment *f = &now->features;
    bw_release(&s->allocator, f->leaves, f->leaf_count, sizeof *f->leaves);
    bw_release(&s->allocator, f->groups, f->group_count, sizeof *f->groups);
    if (now->tree.nodes != NULL)
        bw_wide_release(&now->tree);
}

static shape current(const bw_swept *s)
{
    return (shape){s->tree, {s->leaves, s->groups, s->leaf_count, s->group_count}};
}

/* A tree for the boxes as they are. On failure the old one stands. */
static bw_result build(bw_swept *s, const bw_tasks *tasks)
{
    const uint32_t count = bw_swept_primitive_count(s);
    bw_box *boxes = bw_allocate(&s->allocator, count, sizeof *boxes);
    if (boxes == NULL)
        return BW_ERROR_MEMORY;
    box_job job = {s, boxes};
    bw_parallel(tasks, primitive_boxes, &job, count, 4096);
    bw_wide_desc desc = {.builder = BW_WIDE_QUALITY, .allocator = &s->allocator, .tasks = tasks};
    shape now = {0};
    bw_result result = bw_wide_build(&desc, boxes, NULL, count, &now.tree);
    bw_release(&s->allocator, boxes, count, sizeof *boxes);
    if (result == BW_OK)
        result = bw_swept_assign(s, &now.tree, tasks, &now.features);
    if (result != BW_OK) {
        release_shape(s, &now);
        return result;
    }
    shape before = current(s);
    release_shape(s, &before);
    s->tree = now.tree;
    s->leaves = now.features.leaves;
    s->groups = now.features.groups;
    s->leaf_count = now.features.leaf_count;
    s->group_count = now.features.group_count;
    bw_swept_refit(s, tasks);
    s->built_cost = bw_wide_cost(&s->tree);
    s->excess = 0;
    return BW_OK;
}

/* The spare paths become those of the step, and the other way round. */
static void exchange(bw_swept *s, const bw_tasks *tasks)
{
    bw_ccd_path *paths = s->spare;
    s->spare = s->paths;
    s->paths = paths;
    bw_swept_bound(s, tasks);
}

/* Reads a step into the spare paths. */
static bw_result read_step(bw_swept *s, const bw_mesh *start, const bw_mesh *end, const bw_tasks *tasks,
                           bw_fault *where)
{
    copy_job job = {start, end, s->paths, s->spare};
    bw_parallel(tasks, copy_range, &job, s->vertex_count, 4096);
    return check_paths(s->spare, s->vertex_count, where);
}

static bw_result check_create(const bw_swept_desc *desc, const bw_mesh *start, const bw_mesh *end,
                              bw_swept *const *out)
{
    bw_result result = bw_desc_check(desc);
    if (result == BW_OK && (out == NULL || bw_tasks_check(desc->tasks) != BW_OK ||
                            (desc->edges == NULL && desc->edge_count > 0)))
        result = BW_ERROR_ARGUMENT;
    if (result == BW_OK)
        result = check_meshes(start, end);
    if (result != BW_OK)
        return result;
    /* Numbers of primitives and of edges, three a triangle, fit 32 bits with room to spare. */
    uint64_t primitives = (uint64_t)bw_swept_triangles(start) + desc->edge_count + start->vertex_count;
    if (bw_swept_triangles(start) == 0 && desc->edge_count == 0 &&
        (start->vertex_count == 0 || (start->indices != NULL && !desc->points)))
        return BW_ERROR_EMPTY;
    return bw_swept_triangles(start) > 1u << 29 || desc->edge_count > 1u << 29 || primitives > 1u << 31
               ? BW_ERROR_SIZE
               : BW_OK;
}

bw_result bw_swept_create(const bw_swept_desc *desc, const bw_mesh *start, const bw_mesh *end, bw_swept **out,
                          bw_fault *fault)
{
    static const bw_swept_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    bw_result result = check_create(desc, start, end, out);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_swept *s = bw_allocate_zero(&allocator, 1, sizeof *s);
    if (s == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_fault where = BW_FAULT_NOWHERE;
    s->allocator = allocator;
    s->vertex_count = start->vertex_count;
    s->triangle_count = bw_swept_triangles(start);
    result = bw_swept_copy_topology(s, desc, start, &where);
    if (result == BW_OK)
        result = read_step(s, start, end, desc->tasks, &where);
    if (result == BW_OK && bw_swept_primitive_count(s) == 0)
        result = BW_ERROR_EMPTY;
    if (result == BW_OK) {
        exchange(s, desc->tasks);
        result = build(s, desc->tasks);
    }
    if (result != BW_OK) {
        bw_swept_destroy(s);
        return bw_fail_with(fault, result, &where);
    }
    *out = s;
    return bw_fail(fault, BW_OK);
}

bw_result bw_swept_update(bw_swept *sweep, const bw_mesh *start, const bw_mesh *end, const bw_tasks *tasks,
                          bw_fault *fault)
{
    if (sweep == NULL || bw_tasks_check(tasks) != BW_OK)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = check_meshes(start, end);
    if (result == BW_OK &&
        (start->vertex_count != sweep->vertex_count || bw_swept_triangles(start) != sweep->triangle_count))
        result = BW_ERROR_MISMATCH;
    bw_fault where = BW_FAULT_NOWHERE;
    if (result == BW_OK)
        result = read_step(sweep, start, end, tasks, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    exchange(sweep, tasks);
    bw_swept_refit(sweep, tasks);
    /* Like renting skis (tree/rebuild/rebuild.h): once queries have lost what a build takes, the tree is
     * built.
     */
    double excess = sweep->excess;
    sweep->excess += query_price * fmax(0, bw_wide_cost(&sweep->tree) / sweep->built_cost - 1);
    if (sweep->excess < 1)
        return bw_fail(fault, BW_OK);
    result = build(sweep, tasks);
    if (result != BW_OK) { /* back to the step before */
        exchange(sweep, tasks);
        bw_swept_refit(sweep, tasks);
        sweep->excess = excess;
    }
    return bw_fail(fault, result);
}

void bw_swept_destroy(bw_swept *sweep)
{
    if (sweep == NULL)
        return;
    bw_allocator allocator = sweep->allocator;
    shape now = current(sweep);
    release_shape(sweep, &now);
    bw_release(&allocator, sweep->paths, sweep->vertex_count, sizeof *sweep->paths);
    bw_release(&allocator, sweep->spare, sweep->vertex_count, sizeof *sweep->spare);
    bw_release(&allocator, sweep->floats, sweep->vertex_count, sizeof *sweep->floats);
    bw_release(&allocator, sweep->bounds, sweep->vertex_count, sizeof *sweep->bounds);
    bw_release(&allocator, sweep->faces, sweep->triangle_count, sizeof *sweep->faces);
    bw_release(&allocator, sweep->face_edges, 3 * (size_t)sweep->triangle_count, sizeof *sweep->face_edges);
    bw_release(&allocator, sweep->edges, sweep->edge_count, sizeof *sweep->edges);
    bw_release(&allocator, sweep->points, sweep->point_count, sizeof *sweep->points);
    bw_release(&allocator, sweep, 1, sizeof *sweep);
}

uint32_t bw_swept_edge_count(const bw_swept *sweep)
{
    return sweep == NULL ? 0 : sweep->edge_count;
}
