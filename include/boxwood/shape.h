/* Boxwood: convex shapes (spheres, capsules, boxes, half-spaces and convex hulls, each with a radius), with
 * each other and against the trees of meshes.
 *
 * What an answer is exact for. A shape is a core, placed by a pose, and everything within `radius` of it:
 *   sphere      the point bw_transform_point(pose, {0, 0, 0})
 *   capsule     the segment of the points {0, 0, -half.z} and {0, 0, half.z}, mapped by bw_transform_point
 *   box         the convex hull of the eight points {+-half.x, +-half.y, +-half.z}, mapped alike
 *   hull        the convex hull of its vertices, mapped alike
 *   half-space  all x with n . (x - p) <= 0, p as of a sphere, n the third column of the pose
 * The kind of contact (none, touching, crossing) is exact for these points as rounded, and for the radii: a
 * floating-point filter with a proven margin decides most, exact integers the rest. The half-space of radius
 * r is n . (x - p) <= r |n|. With a radius two shapes cross where the distance of their cores is below the
 * sum of the radii, touch where it is equal. Without one, kinds are those of bw_contact_kind: crossing where
 * the relative interiors meet.
 *
 * Distances, points, normals and depths are rounded, to a relative 1e-12 of the coordinates' size unless it
 * is said otherwise. docs/shapes.md says how each pair of kinds is decided. All functions only read the
 * shapes, hulls, bodies and poses they are given, and any number of threads may use these at once.
 */
#ifndef BOXWOOD_SHAPE_H
#define BOXWOOD_SHAPE_H

#include <boxwood/swept.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Hulls ---- */

/* A convex hull. Never changes after it is made. */
typedef struct bw_hull bw_hull;

/* All zero is the default. */
typedef struct bw_hull_desc {
    uint32_t size;                 /* zero, or as BW_SIZED sets it */
    const bw_allocator *allocator; /* NULL: the heap; copied */
} bw_hull_desc;

/* The convex hull of points, exactly: every given point lies in it, and no vertex in the hull of the others.
 * Points that lie in a plane, on a line or all in one place give a flat hull of as many vertices as it has
 * corners. Coordinates must be finite and zero or within [BW_EXACT_MIN, BW_COORDINATE_MAX]
 * (BW_ERROR_NOT_FINITE, BW_ERROR_RANGE: the fault names point, axis and value). BW_ERROR_EMPTY: no point.
 * desc may be NULL. */
BW_API bw_result bw_hull_create(const bw_hull_desc *desc, const bw_vec3 *points, uint32_t point_count,
                                bw_hull **out, bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_hull_destroy(bw_hull *hull);
/* NULL if the invariants hold, otherwise a sentence about the first that does not: the surface is closed and
 * convex (by bw_orient3d), every vertex is a corner, the tables beside it agree. */
BW_API const char *bw_hull_check(const bw_hull *hull);
/* A view of the surface: its vertices (BW_F64) and triangles, counter-clockwise seen from outside; of a flat
 * hull with area the triangles of both sides, of a segment or a point none. As long as the hull lives. */
BW_API bw_mesh bw_hull_mesh(const bw_hull *hull);

/* ---- Shapes ---- */

typedef enum bw_shape_kind {
    BW_SHAPE_SPHERE = 0,
    BW_SHAPE_CAPSULE = 1,
    BW_SHAPE_BOX = 2,
    BW_SHAPE_HALF_SPACE = 3,
    BW_SHAPE_HULL = 4
} bw_shape_kind;

/* Plain data; all zero is a point at the origin. */
typedef struct bw_shape {
    bw_shape_kind kind;
    double radius;       /* grows every kind; at least 0 */
    bw_vec3 half;        /* box: half its edges; capsule: z, half the length of its segment; at least 0 */
    const bw_hull *hull; /* BW_SHAPE_HULL only */
} bw_shape;

/* A shape where it stands. */
typedef struct bw_placed_shape {
    const bw_shape *shape;
    const bw_transform *pose; /* NULL: identity. A rotation and a translation, to 1e-9 (bw_transform_rigid) */
} bw_placed_shape;

/* Whether the shape and its pose can be used, as every function below checks, too: BW_ERROR_ARGUMENT for a
 * NULL, an unknown kind, a negative or missing size, or a pose that is not rigid to 1e-9;
 * BW_ERROR_NOT_FINITE; BW_ERROR_RANGE for what is beyond BW_COORDINATE_MAX, or places a point of the core
 * below BW_EXACT_MIN. A fault's element is 0 for the first shape of a pair and 1 for the second, its text says which of these it is. */
BW_API bw_result bw_shape_check(const bw_placed_shape *shape, bw_fault *fault);

/* The box of a shape, rounded outward, for bw_scene and the like; of a half-space +-BW_COORDINATE_MAX
 * wherever it has no end. */
BW_API bw_result bw_shape_bounds(const bw_placed_shape *shape, bw_box *out, bw_fault *fault);

/* ---- Two shapes ---- */

/* How two shapes meet, exactly. */
BW_API bw_result bw_shape_overlap(const bw_placed_shape *a, const bw_placed_shape *b, bw_contact_kind *kind,
                                  bw_fault *fault);

/* What one pair of shapes remembers from query to query, the caller's: zero it first. It makes queries on
 * shapes that have moved little faster, and never changes a kind of contact. Any contents are safe. */
typedef struct bw_shape_cache {
    uint32_t count;      /* vertices kept below */
    uint32_t a[4], b[4]; /* of both cores */
    bw_vec3 axis;        /* along which they were apart, or met; zero: none */
} bw_shape_cache;

/* One point of a contact. */
typedef struct bw_shape_point {
    bw_vec3 point_a, point_b; /* on the surfaces of both */
    double depth;             /* along the normal; negative: a gap */
    uint32_t feature; /* the parts of the surfaces that meet there: the same number while they are the same */
} bw_shape_point;

/* How two shapes meet, and how deep. Moved by normal * depth, b no longer crosses a. */
typedef struct bw_shape_contact {
    bw_contact_kind kind; /* exact. NONE with points: nearer than the separation */
    bw_vec3 normal;       /* of length 1, from a towards b; zero without points */
    /* An upper bound of the least translation that separates them; negative where they are apart: their
     * distance. -infinity without points */
    double depth;
    double depth_lower;   /* a lower bound of it */
    uint32_t point_count; /* 0: farther apart than the separation, or (separation 0) not in contact */
    bw_shape_point points[4];
} bw_shape_contact;

/* All zero is the default. */
typedef struct bw_shape_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* bw_shape_contact_pair: at most so many points, 1 to 4; 0: 4. The deepest is among them, and takes less
     * time alone. */
    uint32_t max_points;
    double separation;     /* bw_shape_contact_pair: shapes this near get points, too; at least 0 */
    bw_shape_cache *cache; /* of this pair, written; NULL: none */
} bw_shape_desc;

/* The contact of two shapes, of up to four points. Exchanging the shapes exchanges the answer: the normal
 * turns round, the points change sides. Needs no memory. Writes the cache. */
BW_API bw_result bw_shape_contact_pair(const bw_placed_shape *a, const bw_placed_shape *b,
                                       const bw_shape_desc *desc, bw_shape_contact *out, bw_fault *fault);

typedef struct bw_shape_nearest {
    double distance;          /* zero exactly where the shapes meet */
    bw_vec3 point_a, point_b; /* on them; where they meet, a point of both, rounded (of needles roughly) */
    bw_vec3 normal;           /* from a towards b, of length 1; zero where they meet */
} bw_shape_nearest;

/* The distance of two shapes and a pair of points that realises it. desc may be NULL; writes its cache. */
BW_API bw_result bw_shape_distance(const bw_placed_shape *a, const bw_placed_shape *b,
                                   const bw_shape_desc *desc, bw_shape_nearest *out, bw_fault *fault);

typedef struct bw_shape_ray_hit {
    bool hit;
    double t;       /* of the first point of the ray in the shape: how many times the direction; 0: inside */
    bw_vec3 point;  /* there */
    bw_vec3 normal; /* outward, of length 1; zero where the ray begins inside */
} bw_shape_ray_hit;

/* The first point of a ray in a shape, to a relative 1e-12 of the coordinates' size: a ray that passes the
 * shape at such a distance may be said to meet it, or not. Without a hit t is infinite. */
BW_API bw_result bw_shape_raycast(const bw_placed_shape *shape, const bw_ray *ray, bw_shape_ray_hit *out,
                                  bw_fault *fault);

/* All zero is the default. */
typedef struct bw_shape_sweep_desc {
    uint32_t size;                 /* zero, or as BW_SIZED sets it */
    double tolerance;              /* shapes this near are in contact; 0: a millionth of their size */
    uint32_t max_steps;            /* 0: 1000 */
    const bw_allocator *allocator; /* bw_shape_sweep_body; NULL: the heap */
} bw_shape_sweep_desc;

typedef struct bw_shape_sweep_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* BW_DONE: never within the tolerance. BW_FOUND: within the tolerance at `time`, and farther apart
     * before. BW_LIMIT: apart up to `time`; the steps ran out. */
    bw_status status;
    double time;              /* never later than the first contact; 1 when apart */
    double distance;          /* at that time */
    bw_vec3 point_a, point_b; /* at that time, on them */
    bw_vec3 normal;           /* from a towards b; zero where they meet */
    uint32_t primitive;       /* of the body; BW_NONE for two shapes, and without one */
    uint32_t steps;           /* distances measured */
} bw_shape_sweep_report;

/* When two shapes that move and turn first come within the tolerance, by conservative advancement. The
 * motions' start is the pose at time 0, rigid; NULL: at rest, without a pose. desc may be NULL. */
BW_API bw_result bw_shape_sweep(const bw_shape *a, const bw_rigid_motion *a_motion, const bw_shape *b,
                                const bw_rigid_motion *b_motion, const bw_shape_sweep_desc *desc,
                                bw_shape_sweep_report *report, bw_fault *fault);

/* ---- A shape and the primitives of a body: trees of BW_BUILDER_FAST and BW_BUILDER_QUALITY over a mesh
 * (others: BW_ERROR_UNSUPPORTED). Corners are mapped by the body's pose, any affine map, as bw_transform_point
 * maps, and must stay zero or within [BW_EXACT_MIN, BW_COORDINATE_MAX] (BW_ERROR_RANGE); a triangle is its
 * three mapped corners, exactly, with nothing inside a closed mesh. ---- */

/* A primitive that meets the shape, or is nearer than the separation. */
typedef struct bw_shape_hit {
    uint32_t primitive;
    bw_shape_contact contact; /* the shape is a, the primitive b */
} bw_shape_hit;
typedef bool bw_shape_hit_fn(void *user, const bw_shape_hit *hit); /* returns false to stop */

/* All zero: is there any contact? */
typedef struct bw_shape_collide_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_collide_mode mode;
    double separation;       /* primitives this near are hits, too; at least 0 */
    bw_shape_hit *hits;      /* ANY: one hit; ALL: up to hit_capacity; may be NULL */
    uint64_t hit_capacity;   /* hits that fit */
    bw_shape_hit_fn *on_hit; /* called for each hit, in the same order; may be NULL */
    void *user;              /* given to on_hit */
    const bw_allocator
        *allocator; /* for the traversal stack when it outgrows its first 4 KB; NULL: the heap */
} bw_shape_collide_desc;

typedef struct bw_shape_collide_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_status status;
    uint64_t hit_count;      /* found */
    uint64_t touching_count; /* of these, touching only */
    uint64_t near_count;     /* of these, neither touching nor crossing, but within the separation */
    uint64_t nodes_visited, primitive_tests;
} bw_shape_collide_report;

/* Every primitive of a body that a shape meets, in an order that is the same for equal input. desc may be
 * NULL. On failure hits may hold a part of the answer, the report is untouched. */
BW_API bw_result bw_shape_collide_body(const bw_placed_shape *shape, const bw_body *body,
                                       const bw_shape_collide_desc *desc, bw_shape_collide_report *report,
                                       bw_fault *fault);

/* All zero: the distance, whatever it is. */
typedef struct bw_shape_distance_desc {
    uint32_t size;                 /* zero, or as BW_SIZED sets it */
    double max_distance;           /* nothing farther is wanted; 0: no limit */
    const bw_allocator *allocator; /* for the traversal; NULL: the heap */
} bw_shape_distance_desc;

typedef struct bw_shape_distance_report {
    uint32_t size;            /* zero, or as BW_SIZED sets it */
    bw_status status;         /* BW_DONE, or BW_LIMIT: nothing within max_distance */
    uint32_t primitive;       /* BW_NONE where there is none */
    bw_shape_nearest nearest; /* the shape is a, the primitive b; distance infinite where there is none */
    uint64_t nodes_visited, primitive_tests;
} bw_shape_distance_report;

/* The distance of a shape to a body's surface; of several primitives at the same distance the lowest. */
BW_API bw_result bw_shape_distance_body(const bw_placed_shape *shape, const bw_body *body,
                                        const bw_shape_distance_desc *desc, bw_shape_distance_report *report,
                                        bw_fault *fault);

/* When a shape and a body that move and turn first come within the tolerance; the shape is a, the body b, and
 * bw_body.pose is not looked at. */
BW_API bw_result bw_shape_sweep_body(const bw_shape *shape, const bw_rigid_motion *shape_motion,
                                     const bw_body *body, const bw_rigid_motion *body_motion,
                                     const bw_shape_sweep_desc *desc, bw_shape_sweep_report *report,
                                     bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
