/* Boxwood: a view of the caller's mesh, what is wrong with it, and who its neighbours are. */
#ifndef BOXWOOD_MESH_H
#define BOXWOOD_MESH_H

#include <boxwood/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Trees bound coordinates by float boxes and map them by poses, so meshes keep a margin below the largest
 * float: a coordinate must be zero or have a magnitude in [BW_EXACT_MIN, BW_COORDINATE_MAX]. */
#define BW_COORDINATE_MAX 0x1p100 /* about 1.27e30 */

typedef enum bw_scalar { BW_F32 = 0, BW_F64 = 1 } bw_scalar;

/* A view: the library never owns or changes what it points to. All zero is an empty cloud of points. */
typedef struct bw_mesh {
    const void *positions; /* x, y, z of each vertex, aligned for its scalar */
    bw_scalar scalar;      /* the type of each coordinate */
    uint32_t vertex_count;
    uint32_t stride; /* bytes from one vertex to the next; 0: tight; a multiple of the scalar's size */
    /* three per triangle; NULL: every vertex is a primitive of its own (a point cloud) */
    const uint32_t *indices;
    uint32_t triangle_count; /* ignored when indices is NULL */
} bw_mesh;

/* Triangles, or vertices of a point cloud. */
BW_API uint32_t bw_mesh_primitive_count(const bw_mesh *mesh);
/* v < vertex_count. Floats become doubles exactly. */
BW_API bw_vec3 bw_mesh_vertex(const bw_mesh *mesh, uint32_t v);
/* The corners of a triangle; a point cloud's primitive is a triangle whose corners coincide. The primitive
 * and its indices must be in range. */
BW_API void bw_mesh_corners(const bw_mesh *mesh, uint32_t primitive, bw_vec3 out[3]);

/* A set of defects is the sum of these bits. */
#define BW_DEFECT_BIT(defect) (1u << (defect))
/* Defects that make a primitive unusable. A triangle without area is usable: it is answered as a segment or
 * point. */
#define BW_DEFECTS_FATAL                                                                                     \
    (BW_DEFECT_BIT(BW_DEFECT_INDEX) | BW_DEFECT_BIT(BW_DEFECT_NAN) | BW_DEFECT_BIT(BW_DEFECT_INFINITE) |     \
     BW_DEFECT_BIT(BW_DEFECT_RANGE))
#define BW_DEFECTS_ALL (BW_DEFECTS_FATAL | BW_DEFECT_BIT(BW_DEFECT_ZERO_AREA))

typedef struct bw_mesh_report {
    uint32_t size;                    /* zero, or as BW_SIZED sets it */
    uint32_t primitives;              /* looked at */
    uint32_t defective;               /* primitives with any defect */
    uint32_t counts[BW_DEFECT_COUNT]; /* by defect; [BW_DEFECT_NONE] counts the sound ones */
    bw_defect first;                  /* defect of the first defective primitive, or BW_DEFECT_NONE */
    uint32_t first_primitive;         /* its index */
    uint32_t first_vertex; /* the vertex at fault (the index itself for BW_DEFECT_INDEX); 0 for zero area */
    uint32_t first_axis;   /* the axis of the coordinate at fault: 0, 1, 2 */
    double first_value;    /* the coordinate at fault */
    uint32_t unused_vertices; /* vertices that no triangle names (not a defect) */
} bw_mesh_report;

/* Looks at every primitive. BW_OK means the check ran; the report tells what it found. Refuses (with
 * BW_ERROR_ARGUMENT) only a view that cannot be read at all: NULL positions with vertices, a stride that is
 * too small or misaligned. unused_vertices needs a bit per vertex from the allocator (NULL: the heap). */
BW_API bw_result bw_mesh_validate(const bw_mesh *mesh, const bw_allocator *allocator, bw_mesh_report *report,
                                  bw_fault *fault);
/* The result code that a fatal defect is reported with; BW_OK for BW_DEFECT_NONE and BW_DEFECT_ZERO_AREA. */
BW_API bw_result bw_defect_result(bw_defect defect);

/* The edges of a mesh and the triangles at each. Vertices are told apart by index, not by position. */
typedef struct bw_edge {
    uint32_t low, high; /* vertices, low < high (equal indices in a triangle make no edge) */
    uint32_t first_use; /* into bw_adjacency.edge_uses, which lists 3 * triangle + corner */
    uint32_t use_count; /* 1: boundary, 2: inner, more: not a manifold */
} bw_edge;

typedef struct bw_adjacency {
    uint32_t edge_count;
    const bw_edge *edges;             /* sorted by (low, high) */
    const uint32_t *edge_uses;        /* each 3 * triangle + corner: the edge from that corner to the next */
    const uint32_t *triangle_edges;   /* three per triangle; BW_NONE where the two corners are one vertex */
    const uint32_t *vertex_first;     /* vertex_count + 1 offsets into vertex_triangles */
    const uint32_t *vertex_triangles; /* the triangles around each vertex, ascending, each once */
    uint32_t boundary_edges, nonmanifold_edges;
    bool closed;   /* every edge is used by exactly two triangles */
    bool oriented; /* and those two run through it in opposite directions (given closed) */
} bw_adjacency;

/* The mesh must have sound indices (BW_ERROR_INDEX otherwise); a point cloud gives BW_ERROR_ARGUMENT.
 * The result is one block, which bw_adjacency_destroy gives back. */
BW_API bw_result bw_adjacency_create(const bw_mesh *mesh, const bw_allocator *allocator, bw_adjacency **out,
                                     bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_adjacency_destroy(bw_adjacency *adjacency);

#ifdef __cplusplus
}
#endif
#endif
