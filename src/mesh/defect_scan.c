/* Validation of whole meshes: how many defects of each kind, and the first that is not allowed. */
#include "base/fault.h"
#include "base/sized.h"
#include "mesh/defect.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/view.h"

/* Vertices, and triangles, that a task looks at. */
enum { GRAIN = 1 << 15 };

typedef struct look {
    const bw_mesh *mesh;
    bool bad[BW_MAX_WORKERS];
} look;

static void look_at_vertices(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    look *l = context;
    bw_mesh part = *l->mesh;
    part.positions = (const char *)part.positions + begin * bw_mesh_view_stride(&part);
    part.vertex_count = end - begin;
    l->bad[worker] |= !bw_mesh_coordinates_sound(&part);
}

static void look_at_triangles(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    look *l = context;
    bw_mesh part = *l->mesh;
    part.indices += 3 * (size_t)begin;
    part.triangle_count = end - begin;
    l->bad[worker] |= !bw_mesh_indices_sound(&part);
}

/* Whether every index and every coordinate is sound, those that no triangle uses included. */
static bool all_sound(const bw_mesh *mesh, const bw_tasks *tasks)
{
    look l = {.mesh = mesh};
    if (mesh->indices != NULL)
        bw_parallel(tasks, look_at_triangles, &l, mesh->triangle_count, GRAIN);
    bw_parallel(tasks, look_at_vertices, &l, mesh->vertex_count, GRAIN);
    bool bad = false;
    for (uint32_t worker = 0; worker < BW_MAX_WORKERS; worker++)
        bad |= l.bad[worker];
    return !bad;
}

static void name_first(bw_mesh_report *report, bw_defect defect, uint32_t primitive,
                       const bw_defect_place *place)
{
    report->first = defect;
    report->first_primitive = primitive;
    report->first_vertex = place->vertex;
    report->first_axis = place->axis;
    report->first_value = place->value;
}

/* Counts the defects; returns the first fatal one outside `allowed`, which the report then names. */
static bw_defect count_defects(const bw_mesh *mesh, uint32_t look_for, uint32_t allowed,
                               const bw_tasks *tasks, bw_mesh_report *report)
{
    bw_defect offender = BW_DEFECT_NONE;
    uint32_t primitives = bw_mesh_view_primitives(mesh);
    *report = (bw_mesh_report){.primitives = primitives};
    bool sound = all_sound(mesh, tasks);
    bool areas = mesh->indices != NULL && (look_for & BW_DEFECT_BIT(BW_DEFECT_ZERO_AREA)) != 0;
    if (sound && !areas) {
        report->counts[BW_DEFECT_NONE] = primitives;
        return BW_DEFECT_NONE;
    }
    for (uint32_t i = 0; i < primitives; i++) {
        bw_defect_place place;
        bw_defect defect = bw_mesh_defect_of(mesh, i, look_for, &place);
        report->counts[defect]++;
        if (defect == BW_DEFECT_NONE)
            continue;
        bool fatal = (BW_DEFECT_BIT(defect) & BW_DEFECTS_FATAL & ~allowed) != 0;
        if (report->defective++ == 0 || (fatal && offender == BW_DEFECT_NONE))
            name_first(report, defect, i, &place);
        if (fatal && offender == BW_DEFECT_NONE)
            offender = defect;
    }
    return offender;
}

bw_result bw_mesh_scan(const bw_mesh *mesh, uint32_t quarantine, const bw_allocator *allocator,
                       const bw_tasks *tasks, bw_mesh_scan_result *out)
{
    bw_mesh_report report = {0};
    bw_defect offender = count_defects(mesh, quarantine, quarantine, tasks, &report);
    if (offender != BW_DEFECT_NONE) {
        out->report = report;
        return bw_defect_result(offender);
    }
    /* Every defect that was counted is now one of the set. */
    uint32_t *list = NULL;
    if (report.defective > 0) {
        list = bw_allocate(allocator, report.defective, sizeof *list);
        if (list == NULL)
            return BW_ERROR_MEMORY;
        uint32_t found = 0;
        for (uint32_t i = report.first_primitive; found < report.defective; i++) {
            bw_defect_place place;
            if (bw_mesh_defect_of(mesh, i, quarantine, &place) != BW_DEFECT_NONE)
                list[found++] = i;
        }
    }
    *out = (bw_mesh_scan_result){report, list, report.defective};
    return BW_OK;
}

static uint32_t count_unused(const bw_mesh *mesh, uint64_t *used)
{
    uint32_t unused = mesh->vertex_count;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        uint32_t v = mesh->indices[i];
        if (v >= mesh->vertex_count)
            continue;
        uint64_t bit = (uint64_t)1 << (v % 64);
        unused -= (used[v / 64] & bit) == 0;
        used[v / 64] |= bit;
    }
    return unused;
}

bw_result bw_mesh_validate(const bw_mesh *mesh, const bw_allocator *given, bw_mesh_report *out,
                           bw_fault *fault)
{
    bw_result result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (out == NULL || bw_report_check(out) != BW_OK)
        return bw_fail(fault, out == NULL ? BW_ERROR_ARGUMENT : BW_ERROR_LAYOUT);
    const uint32_t size = out->size;
    uint32_t unused = 0;
    if (mesh->indices != NULL && mesh->vertex_count > 0) {
        bw_allocator allocator = bw_allocator_or_heap(given);
        size_t words = ((size_t)mesh->vertex_count + 63) / 64;
        uint64_t *used = bw_allocate_zero(&allocator, words, sizeof *used);
        if (used == NULL)
            return bw_fail(fault, BW_ERROR_MEMORY);
        unused = count_unused(mesh, used);
        bw_release(&allocator, used, words, sizeof *used);
    }
    count_defects(mesh, BW_DEFECTS_ALL, BW_DEFECTS_ALL, NULL, out);
    out->unused_vertices = unused;
    out->size = size;
    return bw_fail(fault, BW_OK);
}
