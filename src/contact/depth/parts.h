/* The parts of bodies whose separation is tried: a whole body, or the triangles of one overlap. */
#ifndef BW_CONTACT_DEPTH_PARTS_H
#define BW_CONTACT_DEPTH_PARTS_H

#include "contact/depth/overlaps.h"
#include "contact/depth/separation.h"

/* Memory of a part. */
typedef struct bw_part_owner {
    bw_part part;
    bw_mesh mesh; /* of an overlap */
    bw_tree *tree;
    uint32_t *indices, *vertices;
    bw_vec3 *points;
    uint32_t vertex_capacity, point_capacity;
} bw_part_owner;

/* The whole of a body. To be released in any case, as are all parts. */
bw_result bw_part_of_body(const bw_contact_query *query, bool of_a, bw_part_owner *out);

/* The triangles of each overlap, those of its contacts and those with a vertex inside the other body, or the
 * latter only: overlap << 32 | triangle, ascending, each once. */
typedef struct bw_overlap_triangles {
    uint64_t *keys;
    uint32_t count, capacity;
} bw_overlap_triangles;

bw_result bw_overlap_triangles_find(const bw_contact_query *query, const bw_overlaps *overlaps, bool of_a,
                                    bool inside_only, bw_overlap_triangles *out);
void bw_overlap_triangles_release(const bw_contact_query *query, bw_overlap_triangles *triangles);

/* Those of one overlap, with a tree of their own where there are any, and a vertex of each piece inside. Of a
 * point cloud the whole body, given in `whole`. */
bw_result bw_part_of_overlap(const bw_contact_query *query, const bw_overlaps *overlaps,
                             const bw_overlap_triangles *triangles, uint32_t overlap, bool of_a,
                             const bw_part *whole, bw_part_owner *out);
void bw_part_release(const bw_contact_query *query, bw_part_owner *owner);

#endif
