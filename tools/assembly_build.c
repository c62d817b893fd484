/* The trees, boxes and edges of an assembly's meshes. */
#include "assembly.h"

#include "progress.h"
#include "weld.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Meshes of so many primitives are built one after the other, each by all threads; the rest side by side. */
enum { LARGE_MESH = 100000 };

typedef struct tree_job {
    assembly *a;
    bw_tree_desc desc;
} tree_job;

/* Trees are asked a few times each, so what counts is the time to build them and their memory. */
static void build_mesh(const tree_job *job, assembly_mesh *mesh, const bw_tasks *tasks)
{
    bw_tree_desc desc = job->desc;
    desc.tasks = tasks;
    mesh->result = bw_tree_create(&desc, &mesh->view, &mesh->tree, &mesh->defect);
    progress_done(bw_mesh_primitive_count(&mesh->view));
}

static void build_small(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const tree_job *job = context;
    for (uint32_t i = begin; i < end; i++)
        if (bw_mesh_primitive_count(&job->a->meshes[i].view) < LARGE_MESH)
            build_mesh(job, &job->a->meshes[i], NULL);
}

static void build_trees(const tree_job *job, const bw_tasks *tasks)
{
    assembly *a = job->a;
    uint64_t primitives = 0;
    for (uint32_t i = 0; i < a->mesh_count; i++)
        primitives += bw_mesh_primitive_count(&a->meshes[i].view);
    progress_step("building %" PRIu32 " trees", a->mesh_count);
    progress_total(primitives);
    for (uint32_t i = 0; i < a->mesh_count; i++)
        if (bw_mesh_primitive_count(&a->meshes[i].view) >= LARGE_MESH)
            build_mesh(job, &a->meshes[i], tasks);
    tasks->parallel_for(tasks->user, build_small, (void *)job, a->mesh_count, 1);
    progress_end();
}

/* The smallest box of the mapped corners of all primitives in the tree, so that it holds what queries see. */
static bw_box placed_box(const assembly_part *part, const assembly_mesh *mesh)
{
    uint32_t left_out, next = 0;
    const uint32_t *quarantine = bw_tree_quarantine(mesh->tree, &left_out);
    bw_vec3 ends[2] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < bw_mesh_primitive_count(&mesh->view); i++) {
        if (next < left_out && quarantine[next] == i) {
            next++;
            continue;
        }
        bw_vec3 corners[3];
        bw_mesh_corners(&mesh->view, i, corners);
        for (int k = 0; k < 3; k++) {
            bw_vec3 p = bw_transform_point(part->pose, corners[k]);
            ends[0] = (bw_vec3){fmin(ends[0].x, p.x), fmin(ends[0].y, p.y), fmin(ends[0].z, p.z)};
            ends[1] = (bw_vec3){fmax(ends[1].x, p.x), fmax(ends[1].y, p.y), fmax(ends[1].z, p.z)};
        }
    }
    return bw_box_of_points(ends, 2);
}

static void find_boxes(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    assembly *a = context;
    for (uint32_t i = begin; i < end; i++) {
        assembly_part *part = &a->parts[i];
        const assembly_mesh *mesh = &a->meshes[part->mesh];
        if (mesh->tree)
            part->box = part->pose ? placed_box(part, mesh) : bw_tree_bounds(mesh->tree);
    }
}

static bool pose_is_sound(const assembly_part *part)
{
    for (int i = 0; i < 12 && part->pose; i++)
        if (!isfinite(part->pose->m[i / 4][i % 4]))
            return false;
    for (int k = 0; k < 3; k++)
        if (!(part->box.min[k] >= -(float)BW_COORDINATE_MAX && part->box.max[k] <= (float)BW_COORDINATE_MAX))
            return false;
    return true;
}

/* Why a part cannot take part; true if it can. */
static bool part_is_sound(const assembly *a, uint32_t i, const assembly_desc *desc, fault *why)
{
    const assembly_part *part = &a->parts[i];
    const assembly_mesh *mesh = &a->meshes[part->mesh];
    char name[4096];
    assembly_name(a, i, name, sizeof name);
    if (mesh->result == BW_OK)
        return pose_is_sound(part) ||
               fault_set(why, "%s: its place moves a coordinate out of the range in which answers are exact",
                         name);
    if (mesh->result == BW_ERROR_EMPTY || mesh->result != bw_defect_result(mesh->defect.defect))
        return fault_set(why, "%s: %s", name, bw_result_string(mesh->result));
    bw_fault where = mesh->defect;
    where.element += mesh->first_triangle;
    where.vertex += mesh->first_vertex;
    fault first;
    body_defect(&a->files[mesh->file].body, &where, &first);
    return fault_set(why, "%.4000s (%s leaves such triangles and points out)", first.text,
                     desc->quarantine_option ? desc->quarantine_option : "--quarantine");
}

static bool drop_bad_parts(assembly *a, const assembly_desc *desc, fault *why)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->part_count; i++) {
        if (part_is_sound(a, i, desc, why)) {
            a->parts[kept++] = a->parts[i];
            continue;
        }
        if (!desc->keep_going)
            return false;
        char name[4096];
        assembly_name(a, i, name, sizeof name);
        warn("%s; %s is skipped", why->text, name);
        a->skipped_parts++;
    }
    a->part_count = kept;
    return kept > 0 || fault_set(why, "none of the parts can be used");
}

bool assembly_build(assembly *a, const assembly_desc *desc, const bw_tasks *tasks, fault *why)
{
    tree_job job = {.a = a,
                    .desc = {.builder = BW_BUILDER_FAST,
                             .compact = true,
                             .quarantine = desc->quarantine ? BW_DEFECTS_FATAL : 0}};
    build_trees(&job, tasks);
    tasks->parallel_for(tasks->user, find_boxes, a, a->part_count, 16);
    if (!drop_bad_parts(a, desc, why))
        return false;
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        bw_tree_stats stats = {.bytes = 0};
        if (a->meshes[i].tree)
            bw_tree_get_stats(a->meshes[i].tree, &stats);
        a->tree_bytes += stats.bytes;
    }
    for (uint32_t i = 0; i < a->part_count; i++) {
        const assembly_mesh *mesh = &a->meshes[a->parts[i].mesh];
        uint32_t left_out;
        bw_tree_quarantine(mesh->tree, &left_out);
        a->triangles += bw_mesh_primitive_count(&mesh->view);
        a->quarantined += left_out;
    }
    return true;
}

static bool is_closed(const assembly_mesh *mesh)
{
    uint32_t left_out = 0;
    if (!mesh->tree || !mesh->view.indices || bw_tree_quarantine(mesh->tree, &left_out))
        return false;
    return weld_closed(&mesh->view);
}

static void close_meshes(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    assembly *a = context;
    for (uint32_t i = begin; i < end; i++) {
        a->meshes[i].closed = is_closed(&a->meshes[i]);
        progress_done(1);
    }
}

void assembly_close(assembly *a, const bw_tasks *tasks)
{
    a->find_closed = true;
    if (a->store) /* each when it is held first */
        return;
    progress_step("finding closed parts");
    progress_total(a->mesh_count);
    tasks->parallel_for(tasks->user, close_meshes, a, a->mesh_count, 1);
    progress_end();
}
