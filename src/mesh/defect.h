/* Finding what is wrong with the primitives of a mesh whose view can be read. */
#ifndef BW_MESH_DEFECT_H
#define BW_MESH_DEFECT_H

#include <boxwood/mesh.h>

/* Where a defect stands: the fields of bw_mesh_report. */
typedef struct bw_defect_place {
    uint32_t vertex, axis;
    double value;
} bw_defect_place;

/* A defect of a primitive as a fault. */
bw_fault bw_defect_fault(bw_defect defect, uint32_t primitive, const bw_defect_place *place);

/* The first defect of one primitive, in the order of bw_defect; zero area only where look_for names it. */
bw_defect bw_mesh_defect_of(const bw_mesh *mesh, uint32_t primitive, uint32_t look_for,
                            bw_defect_place *place);

/* Whether every coordinate of every vertex is finite and in range: one pass at the speed of memory. */
bool bw_mesh_coordinates_sound(const bw_mesh *mesh);
/* Whether every index is below vertex_count. */
bool bw_mesh_indices_sound(const bw_mesh *mesh);

/* What a scan found. */
typedef struct bw_mesh_scan_result {
    bw_mesh_report
        report; /* zero areas are counted only where `quarantine` names them; unused vertices never */
    uint32_t *
        quarantine; /* the primitives to leave out, ascending, or NULL if none; from the allocator, exactly */
    uint32_t quarantined; /* this many */
} bw_mesh_scan_result;

/* Looks at every primitive, and lists those with a defect of the set. For a fatal defect outside the set: its
 * bw_defect_result, nothing is allocated, and the report names the first such primitive. A sound mesh costs
 * two passes at the speed of memory. On failure only out->report is filled, and not for BW_ERROR_MEMORY. */
bw_result bw_mesh_scan(const bw_mesh *mesh, uint32_t quarantine, const bw_allocator *allocator,
                       const bw_tasks *tasks, bw_mesh_scan_result *out);

#endif
