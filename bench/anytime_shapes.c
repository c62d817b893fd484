#include "anytime_shapes.h"

#include "anytime_files.h"
#include "pieces.h"

#include <math.h>

/* ---- the first set ---- */

static bw_vec3 knot_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * t, r = 1 + 0.4 * bws_cos(c->b * angle);
    return (bw_vec3){r * bws_cos(c->a * angle), r * bws_sin(c->a * angle), 0.4 * bws_sin(c->b * angle)};
}

static bool make_knot(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    piece_add_tube(
        out, &(piece_curve){.middle = knot_middle, .radius = {0.12, 0.12}, .a = 2, .b = 5, .closed = true},
        quick ? 80 : 600, quick ? 8 : 24);
    return true;
}

/* A threaded bolt: the surface stands out where the turn follows the length. */
static bw_vec3 on_screw(const void *user, double ring, double side)
{
    (void)user;
    double r = 0.26, phase = 14 * ring - side;
    phase -= floor(phase);
    if (ring > 0.25)
        r = 0.2 + 0.06 * (1 - fabs(2 * phase - 1));
    else if (ring > 0.02) { /* the head, a hexagon */
        double sixth = 6 * side - floor(6 * side) - 0.5;
        r = 0.4 / bws_cos(sixth * BWS_PI / 3);
    }
    if (ring == 0 || ring == 1)
        r = 0;
    return (bw_vec3){r * bws_cos(2 * BWS_PI * side), r * bws_sin(2 * BWS_PI * side), 2 * ring - 1};
}

static bool make_screw(bool quick, bws_mesh *out)
{
    piece_made(
        bws_tube(&(bws_tube_desc){quick ? 60 : 300, quick ? 16 : 48, false, on_screw, NULL}, BW_F32, out));
    return true;
}

static void add_branch(bws_mesh *whole, bws_random *r, bw_vec3 from, bw_vec3 along, double length, int depth,
                       uint32_t rings)
{
    const bw_vec3 to = piece_plus(from, length, along);
    piece_add_tube(
        whole,
        &(piece_curve){
            .middle = piece_straight, .radius = {0.06 * length, 0.04 * length}, .from = from, .to = to},
        rings, depth > 2 ? 10 : 6);
    for (int k = 0; depth > 0 && k < 3; k++) {
        const bw_vec3 aside = bws_random_direction(r);
        add_branch(whole, r, piece_plus(from, bws_random_double(r, 0.6, 1) * length, along),
                   piece_unit(piece_plus(along, 0.9, aside)), length * bws_random_double(r, 0.6, 0.75),
                   depth - 1, rings);
    }
}

static bool make_tree(bool quick, bws_mesh *out)
{
    bws_random r = bws_random_seeded(501);
    *out = (bws_mesh){0};
    add_branch(out, &r, (bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 1}, 0.8, quick ? 2 : 4, quick ? 4 : 9);
    return true;
}

static bool make_chair(bool quick, bws_mesh *out)
{
    const double square = quick ? 0.1 : 0.025;
    *out = (bws_mesh){0};
    for (int k = 0; k < 4; k++) { /* legs, those behind up to the back */
        const double x = k % 2 == 0 ? -0.45 : 0.4, y = k / 2 == 0 ? -0.45 : 0.4;
        piece_add_bar(out, (bw_vec3){x, y, -1}, (bw_vec3){x + 0.06, y + 0.06, k / 2 == 0 ? 0 : 1}, square);
    }
    piece_add_bar(out, (bw_vec3){-0.5, -0.5, 0}, (bw_vec3){0.5, 0.5, 0.05}, square);
    for (int k = 0; k < 4; k++) { /* rungs below, rails of the back */
        const double z = 0.25 + 0.2 * k;
        piece_add_bar(out, (bw_vec3){-0.4, 0.42, z}, (bw_vec3){0.4, 0.45, z + 0.08}, square);
        const double y = k < 2 ? -0.44 : 0.41;
        piece_add_bar(out, (bw_vec3){-0.4, y, -0.6 + 0.2 * (k % 2)},
                      (bw_vec3){0.4, y + 0.04, -0.56 + 0.2 * (k % 2)}, square);
    }
    return true;
}

/* A lump with limbs, ears and dents: a sphere pushed out and in by random bells. */
static bool make_blob(bool quick, bws_mesh *out)
{
    enum { BELLS = 40 };
    bw_vec3 at[BELLS];
    double height[BELLS], narrow[BELLS];
    bws_random r = bws_random_seeded(502);
    for (int k = 0; k < BELLS; k++) {
        at[k] = bws_random_direction(&r);
        height[k] = k < 6 ? bws_random_double(&r, 0.4, 0.9) : bws_random_double(&r, -0.12, 0.12);
        narrow[k] = k < 6 ? bws_random_double(&r, 8, 40) : bws_random_double(&r, 10, 80);
    }
    piece_made(
        bws_bumpy_sphere(&(bws_sphere_desc){.frequency = quick ? 12 : 45, .amplitude = -1}, BW_F32, out));
    for (uint32_t v = 0; v < out->vertex_count; v++) {
        const bw_vec3 p = bws_mesh_vertex(out, v);
        double s = 0.6;
        for (int k = 0; k < BELLS; k++)
            s += height[k] * exp(-narrow[k] * (1 - (p.x * at[k].x + p.y * at[k].y + p.z * at[k].z)));
        bws_mesh_set_vertex(out, v, piece_plus((bw_vec3){0, 0, 0}, s, p));
    }
    return true;
}

/* ---- the second set ---- */

static bw_vec3 helix_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * c->a * t;
    return (bw_vec3){c->b * bws_cos(angle), c->b * bws_sin(angle), 2 * t - 1};
}

static bool make_spring(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    piece_add_tube(out, &(piece_curve){.middle = helix_middle, .radius = {0.06, 0.06}, .a = 7, .b = 0.6},
                   quick ? 100 : 800, quick ? 8 : 14);
    return true;
}

/* A link of a chain: an oval in the plane of x and y, or of x and z. */
static bw_vec3 link_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * t, aside = 0.16 * bws_sin(angle);
    return (bw_vec3){c->b + 0.28 * bws_cos(angle), c->a == 0 ? aside : 0, c->a == 0 ? 0 : aside};
}

static bool make_chain(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    for (int k = 0; k < 6; k++)
        piece_add_tube(out,
                       &(piece_curve){.middle = link_middle,
                                      .radius = {0.05, 0.05},
                                      .a = k % 2,
                                      .b = -0.95 + 0.38 * k,
                                      .closed = true},
                       quick ? 24 : 96, quick ? 6 : 16);
    return true;
}

/* A plate with fins, as electronics are cooled with. */
static bool make_fins(bool quick, bws_mesh *out)
{
    const double square = quick ? 0.2 : 0.07;
    *out = (bws_mesh){0};
    piece_add_bar(out, (bw_vec3){-1, -1, -0.1}, (bw_vec3){1, 1, 0}, square);
    for (int k = 0; k < 14; k++) {
        const double x = -1 + 2.0 * k / 13.5;
        piece_add_bar(out, (bw_vec3){x, -1, 0}, (bw_vec3){x + 0.04, 1, 0.8}, square);
    }
    return true;
}

/* A cube with square holes through it, and through what is left, as Menger described. */
static void add_sponge(bws_mesh *whole, bw_vec3 low, double side, int depth)
{
    if (depth == 0) {
        piece_add_bar(whole, low, (bw_vec3){low.x + side, low.y + side, low.z + side}, side);
        return;
    }
    for (int k = 0; k < 27; k++) {
        const int x = k % 3, y = k / 3 % 3, z = k / 9;
        if ((x == 1) + (y == 1) + (z == 1) < 2)
            add_sponge(whole, (bw_vec3){low.x + x * side / 3, low.y + y * side / 3, low.z + z * side / 3},
                       side / 3, depth - 1);
    }
}

static bool make_sponge(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    add_sponge(out, (bw_vec3){-1, -1, -1}, 2, quick ? 1 : 2);
    return true;
}

static bw_vec3 rim_middle(const piece_curve *c, double t)
{
    return (bw_vec3){c->b * bws_cos(2 * BWS_PI * t), c->b * bws_sin(2 * BWS_PI * t), 0};
}

static bool make_wheel(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    piece_add_tube(out,
                   &(piece_curve){.middle = rim_middle, .radius = {0.07, 0.07}, .b = 0.93, .closed = true},
                   quick ? 40 : 200, quick ? 8 : 20);
    piece_add_tube(
        out,
        &(piece_curve){
            .middle = piece_straight, .radius = {0.1, 0.1}, .from = {0, 0, -0.2}, .to = {0, 0, 0.2}},
        quick ? 6 : 20, quick ? 8 : 24);
    for (int k = 0; k < 24; k++) {
        const double angle = 2 * BWS_PI * k / 24;
        const bw_vec3 hub = {0.08 * bws_cos(angle), 0.08 * bws_sin(angle), k % 2 == 0 ? 0.15 : -0.15},
                      rim = {0.93 * bws_cos(angle), 0.93 * bws_sin(angle), 0};
        piece_add_tube(
            out, &(piece_curve){.middle = piece_straight, .radius = {0.012, 0.012}, .from = hub, .to = rim},
            quick ? 8 : 40, 6);
    }
    return true;
}

/* ---- files ---- */

/* Modelled animals, of Debian's glmark2-data. */
static bool make_horse(bool quick, bws_mesh *out)
{
    return !quick && anytime_read_3ds("/usr/share/glmark2/models/horse.3ds", out);
}

static bool make_cat(bool quick, bws_mesh *out)
{
    return !quick && anytime_read_3ds("/usr/share/glmark2/models/cat.3ds", out);
}

/* The first frames of simulated scenes, of the folder that BOXWOOD_DATA names. */
static bool make_twisted(bool quick, bws_mesh *out)
{
    return !quick && anytime_read_scene("rod-twist", out);
}

static bool make_draped(bool quick, bws_mesh *out)
{
    return !quick && anytime_read_scene("cloth-funnel", out);
}

static const anytime_shape sets[2][8] = {
    {{"knot", make_knot},
     {"screw", make_screw},
     {"tree", make_tree},
     {"chair", make_chair},
     {"blob", make_blob},
     {"horse", make_horse},
     {"twisted", make_twisted}},
    {{"spring", make_spring},
     {"chain", make_chain},
     {"fins", make_fins},
     {"sponge", make_sponge},
     {"wheel", make_wheel},
     {"cat", make_cat},
     {"draped", make_draped}},
};

const anytime_shape *anytime_shape_of(uint32_t set, uint32_t i)
{
    if (set == 2)
        return anytime_last_shape_of(i);
    return i < 8 && sets[set][i].name != NULL ? &sets[set][i] : NULL;
}
