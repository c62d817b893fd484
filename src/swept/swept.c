/* Making a step ready: positions, swept boxes, the tree, and the features of its leaves. */
#include "base/fault.h"
#include "base/sized.h"
#include "swept/assign.h"

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
        bw_mesh_view_check(end) != BW_OK || start->indices == NULL)
        return BW_ERROR_ARGUMENT;
    return start->vertex_count == end->vertex_count && start->triangle_count == end->triangle_count
               ? BW_OK
               : BW_ERROR_MISMATCH;
}

static bw_result coordinate_fault(double x)
{
    if (!isfinite(x))
        return BW_ERROR_NOT_FINITE;
    double size = fabs(x);
    return x == 0 || (size >= BW_EXACT_MIN && size <= BW_COORDINATE_MAX) ? BW_OK : BW_ERROR_RANGE;
}

typedef struct copy_job {
    const bw_mesh *start, *end;
    bw_ccd_path *paths;
} copy_job;

/* Copies both ends of vertices. */
static void copy_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const copy_job *job = context;
    (void)worker;
    for (uint32_t v = begin; v < end; v++) {
        bw_vec3 p = bw_mesh_view_vertex(job->start, v), q = bw_mesh_view_vertex(job->end, v);
        /* No zero is negative: equal boxes have equal bits. */
        job->paths[v] =
            (bw_ccd_path){{p.x + 0.0, p.y + 0.0, p.z + 0.0, 0, q.x + 0.0, q.y + 0.0, q.z + 0.0, 0}};
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
            const bw_result result = coordinate_fault(paths[v].at[i]);
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
    bw_box *faces;
} box_job;

static void face_boxes(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const box_job *job = context;
    (void)worker;
    for (uint32_t f = begin; f < end; f++)
        job->faces[f] = bw_swept_face_box(job->s, f);
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
    bw_box *faces = bw_allocate(&s->allocator, s->triangle_count, sizeof *faces);
    if (faces == NULL)
        return BW_ERROR_MEMORY;
    box_job job = {s, faces};
    bw_parallel(tasks, face_boxes, &job, s->triangle_count, 4096);
    bw_wide_desc desc = {.builder = BW_WIDE_QUALITY, .allocator = &s->allocator, .tasks = tasks};
    shape now = {0};
    bw_result result = bw_wide_build(&desc, faces, NULL, s->triangle_count, &now.tree);
    bw_release(&s->allocator, faces, s->triangle_count, sizeof *faces);
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
    copy_job job = {start, end, s->spare};
    bw_parallel(tasks, copy_range, &job, s->vertex_count, 4096);
    return check_paths(s->spare, s->vertex_count, where);
}

/* Faces and edges, and room for positions. */
static bw_result copy_topology(bw_swept *s, const bw_mesh *mesh, bw_fault *where)
{
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count) {
            where->element = i / 3;
            where->vertex = mesh->indices[i];
            return BW_ERROR_INDEX;
        }
    bw_adjacency *adjacency;
    bw_result result = bw_adjacency_create(mesh, &s->allocator, &adjacency, NULL);
    if (result != BW_OK)
        return result;
    s->edge_count = adjacency->edge_count;
    s->faces = bw_allocate(&s->allocator, s->triangle_count, sizeof *s->faces);
    s->face_edges = bw_allocate(&s->allocator, 3 * (size_t)s->triangle_count, sizeof *s->face_edges);
    s->edges = bw_allocate(&s->allocator, s->edge_count, sizeof *s->edges);
    s->paths = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->paths);
    s->spare = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->spare);
    s->bounds = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->bounds);
    s->floats = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->floats);
    if (s->faces == NULL || s->face_edges == NULL || (s->edges == NULL && s->edge_count > 0) ||
        s->paths == NULL || s->spare == NULL || s->bounds == NULL || s->floats == NULL) {
        result = BW_ERROR_MEMORY;
    } else {
        memcpy(s->faces, mesh->indices, s->triangle_count * sizeof *s->faces);
        memcpy(s->face_edges, adjacency->triangle_edges,
               3 * (size_t)s->triangle_count * sizeof *s->face_edges);
        for (uint32_t e = 0; e < s->edge_count; e++) {
            s->edges[e][0] = adjacency->edges[e].low;
            s->edges[e][1] = adjacency->edges[e].high;
        }
    }
    bw_adjacency_destroy(adjacency);
    return result;
}

bw_result bw_swept_create(const bw_swept_desc *desc, const bw_mesh *start, const bw_mesh *end, bw_swept **out,
                          bw_fault *fault)
{
    static const bw_swept_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    bw_result result = bw_desc_check(desc);
    if (result == BW_OK && (out == NULL || bw_tasks_check(desc->tasks) != BW_OK))
        result = BW_ERROR_ARGUMENT;
    if (result == BW_OK)
        result = check_meshes(start, end);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (start->triangle_count == 0)
        return bw_fail(fault, BW_ERROR_EMPTY);
    if (start->triangle_count > 1u << 29)
        return bw_fail(fault, BW_ERROR_SIZE);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_swept *s = bw_allocate_zero(&allocator, 1, sizeof *s);
    if (s == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_fault where = BW_FAULT_NOWHERE;
    s->allocator = allocator;
    s->vertex_count = start->vertex_count;
    s->triangle_count = start->triangle_count;
    result = copy_topology(s, start, &where);
    if (result == BW_OK)
        result = read_step(s, start, end, desc->tasks, &where);
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
        (start->vertex_count != sweep->vertex_count || start->triangle_count != sweep->triangle_count))
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
    bw_release(&allocator, sweep, 1, sizeof *sweep);
}

uint32_t bw_swept_edge_count(const bw_swept *sweep)
{
    return sweep == NULL ? 0 : sweep->edge_count;
}
