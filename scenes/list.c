#include "scenes/owned.h"

#include <math.h>
#include <string.h>

static bw_result sphere(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_bumpy_sphere(&(bws_sphere_desc){.frequency = bws_sphere_frequency(bws_count_or(size, 20172))},
                            scalar, out);
}

static bw_result torus(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    double sides = floor(sqrt(bws_count_or(size, 20736) / 4.0) + 0.5);
    uint32_t n = sides < 3 ? 3 : (uint32_t)sides;
    return bws_torus(&(bws_torus_desc){.segments = 2 * n, .sides = n}, scalar, out);
}

static bw_result pot(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_lathe(&(bws_lathe_desc){.triangles = size}, scalar, out);
}

static bw_result sheet(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    double side = floor(sqrt(bws_count_or(size, 20000) / 2.0) + 0.5);
    uint32_t n = side < 1 ? 1 : (uint32_t)side;
    return bws_sheet(&(bws_sheet_desc){.columns = n, .rows = n}, 0, scalar, out);
}

static bw_result soup(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_soup(&(bws_soup_desc){.triangles = size}, scalar, out);
}

static bw_result needles(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_needle_sphere(&(bws_needle_desc){.triangles = size}, scalar, out);
}

static bw_result slivers(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_soup(&(bws_soup_desc){.triangles = size, .aspect = 50, .size = 0.2}, scalar, out);
}

static bw_result ball(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_points(&(bws_points_desc){.count = size}, scalar, out);
}

static bw_result clusters(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_points(&(bws_points_desc){.count = size, .shape = BWS_CLOUD_CLUSTERS}, scalar, out);
}

static bw_result pipes(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_pipes(&(bws_parts_desc){.triangles = size}, scalar, out);
}

static bw_result spikes(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_spikes(&(bws_parts_desc){.triangles = size}, scalar, out);
}

static bw_result plates(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_plates(&(bws_parts_desc){.triangles = size}, scalar, out);
}

static bw_result car(uint32_t size, bw_scalar scalar, bws_mesh *out)
{
    return bws_car(&(bws_parts_desc){.triangles = size}, scalar, out);
}

static const bws_scene scenes[] = {
    {"bumpy-sphere", "a sphere with bumps, closed, triangles of one size", 20172, sphere},
    {"torus", "a torus, closed", 20736, torus},
    {"pot", "a teapot-like lathe with spout and handle, three closed parts", 20000, pot},
    {"sheet", "a waving cloth, open", 20000, sheet},
    {"soup", "random triangles without neighbours", 10000, soup},
    {"needles", "a twisted sphere of triangles 50 times as long as wide", 20000, needles},
    {"slivers", "random triangles 50 times as long as high", 10000, slivers},
    {"points", "points in a ball", 10000, ball},
    {"clusters", "points in sixteen clusters", 10000, clusters},
    {"pipes", "sixteen bent pipes through each other, closed", 44928, pipes},
    {"spikes", "sixty long thin cones about a middle", 19800, spikes},
    {"plates", "twenty thin boxes at random places, closed", 23040, plates},
    {"car", "a car's body with windows left out, open, and four wheels", 35264, car},
};

const bws_scene *bws_scene_list(uint32_t *count)
{
    *count = sizeof scenes / sizeof scenes[0];
    return scenes;
}

const bws_scene *bws_scene_find(const char *name)
{
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (strcmp(scenes[i].name, name) == 0)
            return &scenes[i];
    return NULL;
}
