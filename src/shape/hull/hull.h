/* What a convex hull is made of. */
#ifndef BW_SHAPE_HULL_H
#define BW_SHAPE_HULL_H

#include "base/simd/level.h"

#include <boxwood/shape.h>

/* A face: a set of triangles that are in one plane but for roundings, and its corners around it. */
typedef struct bw_hull_face {
    bw_vec3 normal;        /* outward, of length 1 */
    double offset;         /* normal . x <= offset for every vertex, to some roundings */
    uint32_t first, count; /* of bw_hull.loops, counter-clockwise seen from outside */
} bw_hull_face;

/* Vectors by rows: three of `padded` coordinates, a multiple of 16, where the first vector fills what is left. */
typedef struct bw_hull_rows {
    uint32_t padded;
    double *xyz;
    float *floats; /* the same times a power of two that leaves none above 1 */
} bw_hull_rows;

/* The number of the vector farthest in a direction; of several as far by rounded products, the first. */
typedef uint32_t bw_hull_scan_fn(const bw_hull_rows *rows, bw_vec3 direction);

enum {
    BW_MAP_POINTS = 256,
    BW_MAP_FEW = 64, /* up to so many points edges stand in bytes; beyond there are regions */
    BW_MAP_HALF = 4, /* cells of a table of directions */
    BW_MAP_SIDE = 2 * BW_MAP_HALF,
    BW_MAP_CELLS = 2 * BW_MAP_SIDE * BW_MAP_SIDE
};

/* Two points, two facets. */
typedef struct bw_hull_edge {
    uint16_t from, to, first, second;
} bw_hull_edge;

/* The directions in which each point of a solid is the farthest: on the sphere a polygon, whose corners are the normals of the facets
 * around it. Neighbours are in the same eight most often. */
typedef struct bw_hull_regions {
    /* Six, of point_rows: a middle of length 1; how far normals are along it at least, and beside it at most; the least offset of a
     * facet, infinite beyond the last region. */
    float *by_rows;
    float *planes; /* of each edge those of its two facets, and beyond the last those of one that has none */
    uint16_t *
        first; /* of each eight regions and the end: the first edge that is of one of them and a later region */
    uint8_t *one;      /* of each edge a bit: which of the eight */
    uint8_t *other;    /* the later region; there is room for 32 more */
    uint8_t *farthest; /* of each cell of directions a point that is far along it */
} bw_hull_regions;

/* The Gauss map of a solid of few vertices: facets, and edges between them. Floats are of coordinates relative to the centre, times the
 * scale, a power of two that leaves none above 1. */
typedef struct bw_hull_map {
    uint32_t points, faces, edges;             /* 0: there is none */
    uint32_t point_rows, face_rows, edge_rows; /* multiples of 8, and of 32 */
    double scale;
    size_t bytes;
    bw_vec3 *normal;       /* of each face; begins the block of all that follows */
    float *points_by_rows; /* three; the first again beyond the last */
    float *planes_by_rows; /* four: normal and offset, which is infinite beyond the last face */
    bw_hull_edge *edge;
    uint16_t *face;          /* of bw_hull.faces the one that it is of */
    uint8_t *vertex;         /* one of each face */
    uint8_t *edges_by_rows;  /* of few points, four: two points, two faces */
    bw_hull_regions regions; /* of more */
} bw_hull_map;

struct bw_hull {
    bw_allocator allocator;
    int dimension; /* 0 to 3 */
    uint32_t vertex_count, triangle_count, face_count, loop_count;
    bw_vec3 *vertices;
    bw_hull_rows rows; /* the same, for bw_hull_scan_fn */
    uint32_t *indices;
    bw_hull_face *faces; /* dimension 2: both sides; below: none */
    uint32_t *loops;
    bw_hull_rows normals; /* of the faces: the scan finds the face that looks along a direction */
    bw_vec3 centre;       /* a point of the hull but for roundings; of a ball inside of it */
    double inner;         /* the radius of that; 0: none is known */
    double reach;         /* of a vertex from the origin */
    double least;         /* the smallest coordinate that is not zero */
    bw_hull_scan_fn *scan;
    bw_hull_map map;
};

/* The triangles of the hull of points, by exact signs; at least four that are not in one plane. The arrays come
 * from the allocator: corners, the numbers of the points that are corners, ascending, and triangles, three
 * numbers of these corners each. */
typedef struct bw_hull_surface {
    uint32_t *corners, *triangles;
    uint32_t corner_count, triangle_count;
} bw_hull_surface;

/* first: four points that are not in one plane. */
bw_result bw_hull_build(const bw_allocator *allocator, const bw_vec3 *points, uint32_t count,
                        const uint32_t first[4], bw_hull_surface *out);
/* Faces and loops, from vertices and triangles. */
bw_result bw_hull_make_faces(bw_hull *hull);
/* After all else; none where there are too many vertices, or many of a hull that is not round, facets without a direction, or the
 * origin is very far away. */
bw_result bw_hull_make_map(bw_hull *hull);
/* Of a map that is made but for them; edges are put into their order. */
void bw_hull_make_regions(bw_hull_map *map);
/* The cell of a direction whose coordinates sum up to BW_MAP_HALF: z is needed for its sign. */
static inline uint32_t bw_hull_cell(float x, float y, float z)
{
    const int i = (int)(x + BW_MAP_HALF), j = (int)(y + BW_MAP_HALF), last = BW_MAP_SIDE - 1;
    return (uint32_t)(((z < 0) * BW_MAP_SIDE + (i < last ? i : last)) * BW_MAP_SIDE + (j < last ? j : last));
}
/* The normal of a triangle, and twice its area; both 0 where it is too small for a direction. */
bw_vec3 bw_hull_normal(const bw_hull *hull, uint32_t triangle, double *length);
void bw_hull_surface_release(const bw_allocator *allocator, bw_hull_surface *surface);

uint32_t bw_hull_scan_128(const bw_hull_rows *rows, bw_vec3 direction);
uint32_t bw_hull_scan_avx2(const bw_hull_rows *rows, bw_vec3 direction);
/* A power of two that brings a direction whose coordinates sum up to `size` to the size of 1; for zero any. */
double bw_hull_scan_scale(double size);

bw_hull_scan_fn *bw_hull_scan_of(bw_simd level);

/* The rounded product of vector i and a direction. */
static inline double bw_hull_along(const bw_hull_rows *rows, uint32_t i, bw_vec3 d)
{
    const double *x = rows->xyz + i, *y = x + rows->padded, *z = y + rows->padded;
    return (*x * d.x + *y * d.y) + *z * d.z;
}

static inline uint32_t bw_hull_support(const bw_hull *hull, bw_vec3 direction)
{
    return hull->scan(&hull->rows, direction);
}

/* The face whose normal is nearest to a direction; there is one. */
static inline uint32_t bw_hull_face_along(const bw_hull *hull, bw_vec3 direction)
{
    return hull->scan(&hull->normals, direction);
}

#endif
