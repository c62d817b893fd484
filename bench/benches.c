#include "benches.h"

const bench_entry bench_entries[] = {
    {"predicates", "exact orient3d and triangle tests: ordinary, touching and coplanar pairs",
     bench_predicates},
    {"build", "building a tree over a mesh, and how good it is", bench_build},
    {"refit", "fitting a tree to a deformed mesh", bench_refit},
    {"rigid-any", "do two rigid meshes meet? The first contact, over many poses", bench_rigid_any},
    {"rigid-all", "every pair of triangles that meet, over many poses", bench_rigid_all},
    {"deform-pair", "two deforming meshes: refit both, then every pair of triangles that meet",
     bench_deform_pair},
    {"self", "a mesh against itself: pairs that meet beyond what they share", bench_self},
    {"distance", "the distance of two meshes, and of points to a mesh", bench_distance},
    {"ray", "rays at a mesh: the first contact, and any", bench_ray},
    {"bergen", "van den Bergen's comparison: AABB, OBB and k-DOP trees, full and lite tests", bench_bergen},
    {"kinetic-update", "following a mesh between keyframes: queue, compiled and interpolated against refit",
     bench_kinetic_update},
    {"kinetic-plans", "two expanding spheres whose vertices change their plans, against refit",
     bench_kinetic_plans},
    {NULL, NULL, NULL},
};
