/* The built-in scenes: meshes made by arithmetic, with the same bits on every machine, shared by tests, bench
 * and tool.
 *
 * Every descriptor of zeros asks for the defaults named beside its fields; NULL is the same. Every maker
 * fills *out, which bws_mesh_free gives back; it returns BW_ERROR_MEMORY, BW_ERROR_ARGUMENT or BW_ERROR_SIZE
 * with *out untouched. BW_F32 gives the coordinates of BW_F64 rounded to float.
 */
#ifndef BWS_SCENES_H
#define BWS_SCENES_H

#include <boxwood/motion.h>

#include "scenes/random.h"

/* A mesh that owns its memory. Makers leave it tightly packed. */
typedef struct bws_mesh {
    void *positions; /* float or double triples */
    bw_scalar scalar;
    uint32_t vertex_count;
    uint32_t *indices; /* NULL: a point cloud */
    uint32_t triangle_count;
} bws_mesh;

bw_mesh bws_view(const bws_mesh *mesh);
/* Leaves *mesh empty. Allowed on a mesh of zeros. */
void bws_mesh_free(bws_mesh *mesh);
/* The same mesh with the coordinates converted: to double exactly, to float rounded. */
bw_result bws_mesh_convert(const bws_mesh *mesh, bw_scalar scalar, bws_mesh *out);
/* Every vertex mapped by the pose, in place. */
void bws_mesh_transform(bws_mesh *mesh, const bw_transform *pose);
/* The vertex, as a double triple. */
bw_vec3 bws_mesh_vertex(const bws_mesh *mesh, uint32_t v);
void bws_mesh_set_vertex(bws_mesh *mesh, uint32_t v, bw_vec3 p);
/* The triangles of a, then those of b. Both of one scalar type, and neither a point cloud. */
bw_result bws_mesh_join(const bws_mesh *a, const bws_mesh *b, bws_mesh *out);

/* Random order of the triangles; of the vertices (their indices follow, so the geometry stays). */
void bws_shuffle_triangles(bws_mesh *mesh, uint64_t seed);
bw_result bws_shuffle_vertices(bws_mesh *mesh, uint64_t seed);

/* A cube of 6 k^2 squares blown up to a sphere, with bumps: closed, of 12 k^2 triangles of nearly equal size.
 */
typedef struct bws_sphere_desc {
    uint32_t frequency; /* k; 0: 41, which is 20,172 triangles (129: 199,692; 289: 1,002,252) */
    double radius;      /* 0: 1 */
    double amplitude;   /* height of the bumps as a part of the radius; 0: 0.1; negative: none */
    double waves;       /* bumps along a great circle, about; 0: 12 */
    uint64_t seed;      /* where the bumps stand */
} bws_sphere_desc;
bw_result bws_bumpy_sphere(const bws_sphere_desc *desc, bw_scalar scalar, bws_mesh *out);
/* The k whose 12 k^2 is nearest to the count of triangles wanted; at least 1. */
uint32_t bws_sphere_frequency(uint32_t triangles);

/* A sphere of meridian strips: triangles `aspect` times as long as wide at the equator, closed. A twist turns
 * the strips away from the axes, where boxes fit them badly. */
typedef struct bws_needle_desc {
    uint32_t triangles; /* about; 0: 20,000 */
    double aspect;      /* 0: 50 */
    double radius;      /* 0: 1 */
    double twist;       /* radians from pole to pole; 0: 2 */
} bws_needle_desc;
bw_result bws_needle_sphere(const bws_needle_desc *desc, bw_scalar scalar, bws_mesh *out);

/* A torus about the z axis, closed, of 2 segments * sides triangles. */
typedef struct bws_torus_desc {
    uint32_t segments, sides; /* 0: 144 around the hole, 72 around the tube */
    double major, minor;      /* radii; 0: 1 and 0.35 */
} bws_torus_desc;
bw_result bws_torus(const bws_torus_desc *desc, bw_scalar scalar, bws_mesh *out);

/* A teapot-like pot on the xy plane, turned about the z axis: belly, rim and knobbed lid in one closed
 * profile, with a spout and a handle, closed tubes that pass through the wall. */
typedef struct bws_lathe_desc {
    uint32_t triangles; /* about; 0: 20,000 */
    bool bare;          /* no spout, no handle */
} bws_lathe_desc;
bw_result bws_lathe(const bws_lathe_desc *desc, bw_scalar scalar, bws_mesh *out);

/* A square cloth of side `size` in the xy plane, waving along z; the triangles keep their order while it
 * moves. */
typedef struct bws_sheet_desc {
    uint32_t columns, rows; /* squares of two triangles; 0: 100 */
    double size;            /* 0: 1 */
    double amplitude;       /* of the waves, absolute; 0: 0.06 * size */
    double waves;           /* across the sheet; 0: 2 */
    double speed;           /* turns of the phase in a unit of time; 0: 1 */
    double phase;           /* turns at time 0 */
    bw_vec3 origin;         /* of the middle */
} bws_sheet_desc;
bw_result bws_sheet(const bws_sheet_desc *desc, double time, bw_scalar scalar, bws_mesh *out);
/* The positions at another time into a sheet made from the same descriptor: a few ns per vertex. */
void bws_sheet_move(const bws_sheet_desc *desc, double time, bws_mesh *sheet);

/* Triangles anywhere in a cube, each with its own three vertices. */
typedef struct bws_soup_desc {
    uint32_t triangles; /* 0: 10,000 */
    double spread;      /* side of the cube of their middles, about the origin; 0: 1 */
    double size;        /* length of the longest edge; 0: spread / cbrt(triangles) */
    double aspect; /* longest edge over the height on it; 0: any shape; the apex stands anywhere above it, so
                      both needles (a short edge) and caps (a wide angle) occur */
    uint64_t seed;
} bws_soup_desc;
bw_result bws_soup(const bws_soup_desc *desc, bw_scalar scalar, bws_mesh *out);

/* Objects of many parts, about a unit in radius. */
typedef struct bws_parts_desc {
    uint32_t triangles; /* about; 0: pipes 45,000, spikes and plates 20,000, car 40,000 */
    uint32_t parts;     /* 0: 16 pipes, 60 spikes, 20 plates; a car has what it has */
    uint64_t seed;      /* where they stand; of no matter to a car */
} bws_parts_desc;
/* Bent pipes through each other, closed tubes. */
bw_result bws_pipes(const bws_parts_desc *desc, bw_scalar scalar, bws_mesh *out);
/* Long thin cones about a middle. */
bw_result bws_spikes(const bws_parts_desc *desc, bw_scalar scalar, bws_mesh *out);
/* Thin boxes at random places, closed. */
bw_result bws_plates(const bws_parts_desc *desc, bw_scalar scalar, bws_mesh *out);
/* The body of a car: one open shell with windows and wheel arches left out, and four wheels. */
bw_result bws_car(const bws_parts_desc *desc, bw_scalar scalar, bws_mesh *out);

/* Points without triangles. */
typedef enum bws_cloud { BWS_CLOUD_BALL = 0, BWS_CLOUD_SPHERE = 1, BWS_CLOUD_CLUSTERS = 2 } bws_cloud;
typedef struct bws_points_desc {
    uint32_t count; /* 0: 10,000 */
    bws_cloud shape;
    double radius; /* 0: 1 */
    uint64_t seed;
} bws_points_desc;
bw_result bws_points(const bws_points_desc *desc, bw_scalar scalar, bws_mesh *out);

/* A mesh of floats in motion: a position of every vertex at every keyframe. */
typedef struct bws_film {
    bws_mesh mesh; /* with the positions of the first keyframe */
    uint32_t frame_count;
    double *times; /* equal steps from 0 on */
    void **frames; /* tight triples of floats */
} bws_film;

typedef struct bws_film_desc {
    uint32_t triangles; /* about; 0: 20,000 */
    uint32_t keyframes; /* at least 2; 0: 8 */
    double step;        /* seconds from one to the next; 0: 1/30, as baked animation has */
} bws_film_desc;

/* A square cloth that falls on a table and drapes: strong deformation, simulated. */
bw_result bws_tablecloth(const bws_film_desc *desc, bws_film *out);
/* A dress that swings over a walking body: gentle deformation. */
bw_result bws_dress(const bws_film_desc *desc, bws_film *out);
/* The body under that dress: it touches it at the hips. */
bw_result bws_dress_body(const bws_film_desc *desc, bws_film *out);
/* The table under that cloth: top and sides, about so many triangles (0: 2,000). */
bw_result bws_table(uint32_t triangles, bw_scalar scalar, bws_mesh *out);
/* The film as a motion, a view of it. */
bw_motion bws_film_motion(const bws_film *film);
void bws_film_free(bws_film *film);

/* Two spheres of together about so many triangles (0: 40,000) that expand and come to touch after 0.4
 * seconds: a mesh of floats and a velocity a vertex, given back with free(). */
bw_result bws_expanding(uint32_t triangles, bws_mesh *out, float **velocities);
/* The same as a film, in which they come to touch: vertices that meet the plane between the spheres go
 * back the way they came. */
bw_result bws_expanding_film(const bws_film_desc *desc, bws_film *out);

/* A rotation, all equally likely, then a translation by up to `reach` along each axis. */
bw_transform bws_random_rigid(bws_random *random, double reach);
/* The same after a scale along each axis by a factor within [low, high], now and then mirrored if mirror is
 * set. */
typedef struct bws_pose_desc {
    double reach;     /* 0: no translation */
    double low, high; /* 0 and 0: 0.5 to 2 */
    bool mirror;
} bws_pose_desc;
bw_transform bws_random_pose(bws_random *random, const bws_pose_desc *desc);
/* A point on the unit sphere, all equally likely. */
bw_vec3 bws_random_direction(bws_random *random);

/* The scenes by name, each of about as many primitives as asked for (0: its default). */
typedef struct bws_scene {
    const char *name, *what;
    uint32_t default_size;
    bw_result (*make)(uint32_t size, bw_scalar scalar, bws_mesh *out);
} bws_scene;
const bws_scene *bws_scene_list(uint32_t *count);
/* NULL where there is none of that name. */
const bws_scene *bws_scene_find(const char *name);

#endif
