#include "scenes/owned.h"
#include "scenes/trig.h"

static bw_vec3 at(const void *user, double ring, double side)
{
    const bws_torus_desc *desc = user;
    double around = 2 * BWS_PI * ring, across = 2 * BWS_PI * side;
    /* Side by side, ring direction and the turn of the tube must make a right-handed screw: inward first. */
    double radius = desc->major - desc->minor * bws_cos(across);
    return (bw_vec3){radius * bws_cos(around), radius * bws_sin(around), desc->minor * bws_sin(across)};
}

bw_result bws_torus(const bws_torus_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_torus_desc desc = given == NULL ? (bws_torus_desc){0} : *given;
    desc.segments = bws_count_or(desc.segments, 144);
    desc.sides = bws_count_or(desc.sides, 72);
    desc.major = bws_or(desc.major, 1);
    desc.minor = bws_or(desc.minor, 0.35);
    return bws_tube(&(bws_tube_desc){desc.segments, desc.sides, true, at, &desc}, scalar, out);
}
