#include "calibrate_bodies.h"

#include "pieces.h"

#include <math.h>

static uint32_t count_between(bws_random *r, uint32_t low, uint32_t high)
{
    return (uint32_t)bws_random_int(r, low, high);
}

static bw_vec3 anywhere(bws_random *r, double reach)
{
    const double x = bws_random_double(r, -reach, reach), y = bws_random_double(r, -reach, reach);
    return (bw_vec3){x, y, bws_random_double(r, -reach, reach)};
}

static void add_rod(bws_mesh *out, bw_vec3 from, bw_vec3 to, double start, double end, uint32_t rings,
                    uint32_t sides)
{
    piece_add_tube(out,
                   &(piece_curve){.middle = piece_straight, .radius = {start, end}, .from = from, .to = to},
                   rings, sides);
}

/* An ellipsoid, a little bumpy. */
static void add_lump(bws_mesh *out, bws_random *r, bw_vec3 middle, bw_vec3 radii, uint32_t frequency)
{
    bws_mesh ball;
    piece_made(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = frequency,
                                                   .amplitude = bws_random_double(r, 0.02, 0.2),
                                                   .waves = bws_random_double(r, 4, 10),
                                                   .seed = bws_random_u64(r)},
                                BW_F32, &ball));
    const bw_transform place = {
        {{radii.x, 0, 0, middle.x}, {0, radii.y, 0, middle.y}, {0, 0, radii.z, middle.z}}};
    bws_mesh_transform(&ball, &place);
    piece_add(out, &ball);
}

static void balls(bws_random *r, bws_mesh *out)
{
    piece_made(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = count_between(r, 30, 70),
                                                   .amplitude = bws_random_double(r, 0.03, 0.35),
                                                   .waves = bws_random_double(r, 4, 25),
                                                   .seed = bws_random_u64(r)},
                                BW_F32, out));
}

static void rings(bws_random *r, bws_mesh *out)
{
    piece_made(bws_torus(&(bws_torus_desc){.minor = bws_random_double(r, 0.08, 0.55)}, BW_F32, out));
}

static void pots(bws_random *r, bws_mesh *out)
{
    piece_made(
        bws_lathe(&(bws_lathe_desc){.triangles = count_between(r, 8000, 40000), .bare = bws_random_bool(r)},
                  BW_F32, out));
}

static void sheets(bws_random *r, bws_mesh *out)
{
    piece_made(bws_sheet(&(bws_sheet_desc){.columns = count_between(r, 60, 120),
                                           .rows = 100,
                                           .amplitude = bws_random_double(r, 0.02, 0.25),
                                           .waves = bws_random_double(r, 0.5, 3)},
                         0.0, BW_F32, out));
}

static void strips(bws_random *r, bws_mesh *out)
{
    piece_made(bws_needle_sphere(&(bws_needle_desc){.triangles = count_between(r, 8000, 20000),
                                                    .aspect = bws_random_double(r, 8, 30),
                                                    .twist = bws_random_double(r, 0.3, 1.5)},
                                 BW_F32, out));
}

static bws_parts_desc parts(bws_random *r, uint32_t fewest, uint32_t most)
{
    return (bws_parts_desc){.triangles = count_between(r, 15000, 45000),
                            .parts = count_between(r, fewest, most),
                            .seed = 1000 + bws_random_below(r, 1000000)};
}

static void pipes(bws_random *r, bws_mesh *out)
{
    const bws_parts_desc desc = parts(r, 6, 40);
    piece_made(bws_pipes(&desc, BW_F32, out));
}

static void plates(bws_random *r, bws_mesh *out)
{
    const bws_parts_desc desc = parts(r, 6, 45);
    piece_made(bws_plates(&desc, BW_F32, out));
}

static void spikes(bws_random *r, bws_mesh *out)
{
    const bws_parts_desc desc = parts(r, 8, 90);
    piece_made(bws_spikes(&desc, BW_F32, out));
}

/* A trunk with a head and limbs of two parts each. */
static void figures(bws_random *r, bws_mesh *out)
{
    *out = (bws_mesh){0};
    const double length = bws_random_double(r, 0.5, 1.1), girth = bws_random_double(r, 0.2, 0.45);
    add_lump(out, r, (bw_vec3){0, 0, 0}, (bw_vec3){girth, girth, length}, 24);
    add_lump(out, r, (bw_vec3){0, bws_random_double(r, 0, 0.3), length * 1.1},
             (bw_vec3){0.6 * girth, 0.6 * girth, 0.8 * girth}, 14);
    const uint32_t limbs = count_between(r, 3, 6);
    for (uint32_t k = 0; k < limbs; k++) {
        const bw_vec3 out_of = bws_random_direction(r), aside = bws_random_direction(r);
        const bw_vec3 start = {0.8 * girth * out_of.x, 0.8 * girth * out_of.y, length * out_of.z};
        const double reach = bws_random_double(r, 0.3, 0.8), thick = bws_random_double(r, 0.04, 0.13);
        const bw_vec3 knee = piece_plus(start, reach, piece_unit((bw_vec3){out_of.x, out_of.y, 0.3})),
                      end = piece_plus(knee, reach, piece_unit(piece_plus(out_of, 0.8, aside)));
        add_rod(out, start, knee, thick, 0.8 * thick, 30, 14);
        add_rod(out, knee, end, 0.8 * thick, 0.5 * thick, 30, 14);
    }
}

/* Rods between points that lie near each other. */
static void trusses(bws_random *r, bws_mesh *out)
{
    enum { POINTS = 24 };
    bw_vec3 at[POINTS];
    const uint32_t count = count_between(r, 8, POINTS);
    const double thick = bws_random_double(r, 0.015, 0.06), flat = bws_random_double(r, 0.3, 1);
    *out = (bws_mesh){0};
    for (uint32_t i = 0; i < count; i++) {
        at[i] = anywhere(r, 1);
        at[i].z *= flat;
        uint32_t nearest[2] = {0, 0};
        double distance[2] = {1e9, 1e9};
        for (uint32_t k = 0; k < i; k++) {
            const bw_vec3 d = piece_plus(at[i], -1, at[k]);
            const double d2 = d.x * d.x + d.y * d.y + d.z * d.z;
            const int slot = d2 < distance[0] ? 0 : 1;
            if (slot == 0) {
                distance[1] = distance[0];
                nearest[1] = nearest[0];
            }
            if (d2 < distance[slot]) {
                distance[slot] = d2;
                nearest[slot] = k;
            }
        }
        for (uint32_t k = 0; k < 2 && k < i; k++)
            add_rod(out, at[i], at[nearest[k]], thick, thick, 30, 8);
    }
}

static void grow(bws_mesh *out, bws_random *r, bw_vec3 from, bw_vec3 along, double length, double thick,
                 uint32_t left)
{
    const bw_vec3 to = piece_plus(from, length, along);
    add_rod(out, from, to, thick, 0.8 * thick, 14, 8);
    for (uint32_t k = 0; left > 0 && k < 2; k++)
        grow(out, r, to,
             piece_unit(piece_plus(along, bws_random_double(r, 0.5, 1.5), bws_random_direction(r))),
             length * bws_random_double(r, 0.65, 0.95), 0.75 * thick, left - 1);
}

/* Branches that fork at their ends. */
static void corals(bws_random *r, bws_mesh *out)
{
    *out = (bws_mesh){0};
    grow(out, r, (bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 1}, 0.5, bws_random_double(r, 0.02, 0.1),
         count_between(r, 4, 6));
}

static bw_vec3 strand_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * (c->b * t + c->c);
    return (bw_vec3){c->a * bws_cos(angle), c->a * bws_sin(angle), c->to.z * (2 * t - 1)};
}

/* Long strands side by side, wound about each other or not, apart or not. */
static void bundles(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 2, 7);
    const double about = bws_random_double(r, 0.08, 0.4), turns = bws_random_double(r, 0, 2.5),
                 thick = about * bws_random_double(r, 0.2, 0.9) * (count < 4 ? 1 : 0.7);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++)
        piece_add_tube(out,
                       &(piece_curve){.middle = strand_middle,
                                      .radius = {thick, thick},
                                      .a = about,
                                      .b = turns,
                                      .c = (double)k / count,
                                      .to = {0, 0, 1}},
                       160, 14);
}

static bw_vec3 loop_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * t;
    return (bw_vec3){bws_cos(angle) + c->a * bws_cos(3 * angle + c->c),
                     bws_sin(angle) + c->b * bws_sin(2 * angle),
                     c->a * bws_sin(4 * angle) + c->b * bws_cos(angle)};
}

/* Closed curves of some waves. */
static void loops(bws_random *r, bws_mesh *out)
{
    const double thick = bws_random_double(r, 0.05, 0.3);
    *out = (bws_mesh){0};
    piece_add_tube(out,
                   &(piece_curve){.middle = loop_middle,
                                  .radius = {thick, thick},
                                  .a = bws_random_double(r, 0, 0.7),
                                  .b = bws_random_double(r, 0, 0.9),
                                  .c = bws_random_double(r, 0, 6),
                                  .closed = true},
                   500, 20);
}

/* Boxes that stand in each other, along the axes, large and small. */
static void blocks(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 2, 9);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++) {
        const bw_vec3 m = anywhere(r, k == 0 ? 0 : 0.8),
                      h = {bws_random_double(r, 0.03, 0.6), bws_random_double(r, 0.03, 0.6),
                           bws_random_double(r, 0.03, 0.6)};
        piece_add_bar(out, piece_plus(m, -1, h), piece_plus(m, 1, h), 0.05);
    }
}

/* Boards and posts: a table, a shelf, a crate. */
static void furniture(bws_random *r, bws_mesh *out)
{
    const double thick = bws_random_double(r, 0.03, 0.1), x = bws_random_double(r, 0.4, 1),
                 y = bws_random_double(r, 0.3, 1);
    const uint32_t boards = count_between(r, 1, 4);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < 4; k++) {
        const double px = k % 2 == 0 ? -x : x - thick, py = k / 2 == 0 ? -y : y - thick;
        piece_add_bar(out, (bw_vec3){px, py, -1}, (bw_vec3){px + thick, py + thick, 1}, 0.03);
    }
    for (uint32_t k = 0; k < boards; k++) {
        const double z = boards == 1 ? 1 : -0.9 + 1.9 * k / (boards - 1);
        piece_add_bar(out, (bw_vec3){-x, -y, z}, (bw_vec3){x, y, z + 0.5 * thick}, 0.05);
    }
}

typedef struct turned {
    double radius[8], length;
} turned;

static bw_vec3 on_turned(const void *user, double ring, double side)
{
    const turned *t = user;
    const double at = ring * 7, f = at - floor(at);
    const uint32_t k = at >= 7 ? 6 : (uint32_t)at;
    double radius = t->radius[k] * (1 - f) + t->radius[k + 1] * f;
    if (ring == 0 || ring == 1)
        radius = 0;
    return (bw_vec3){radius * bws_cos(2 * BWS_PI * side), radius * bws_sin(2 * BWS_PI * side),
                     t->length * (2 * ring - 1)};
}

/* Pins, bottles, columns: what is turned on a lathe, thick and thin. */
static void pins(bws_random *r, bws_mesh *out)
{
    turned t = {.length = bws_random_double(r, 0.5, 2.5)};
    for (int k = 0; k < 8; k++)
        t.radius[k] = bws_random_double(r, 0.1, 0.5);
    piece_made(bws_tube(&(bws_tube_desc){160, 48, false, on_turned, &t}, BW_F32, out));
}

/* Lumps that overlap, as clay does, in a row or about a middle. */
static void clusters(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 3, 8);
    const double spread = bws_random_double(r, 0.4, 1.2), flat = bws_random_double(r, 0, 1);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++) {
        bw_vec3 m = anywhere(r, spread);
        m.z *= flat;
        add_lump(out, r, m,
                 (bw_vec3){bws_random_double(r, 0.1, 0.5), bws_random_double(r, 0.1, 0.5),
                           bws_random_double(r, 0.1, 0.5)},
                 16);
    }
}

/* A bar, turned and moved anywhere. */
static void add_board(bws_mesh *out, bws_random *r, bw_vec3 half, double reach)
{
    bws_mesh board = {0};
    const bw_transform pose = bws_random_rigid(r, reach);
    piece_add_bar(&board, piece_plus((bw_vec3){0, 0, 0}, -1, half), half, 0.06);
    bws_mesh_transform(&board, &pose);
    piece_add(out, &board);
}

/* Long boards through each other. */
static void slats(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 5, 30);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++)
        add_board(out, r, (bw_vec3){bws_random_double(r, 0.4, 0.9), bws_random_double(r, 0.08, 0.25), 0.012},
                  0.5);
}

/* Flat discs through each other. */
static void discs(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 5, 30);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++) {
        const double radius = bws_random_double(r, 0.2, 0.6);
        bws_mesh disc = {0};
        const bw_transform pose = bws_random_rigid(r, 0.6);
        add_lump(&disc, r, (bw_vec3){0, 0, 0}, (bw_vec3){radius, radius, 0.015}, 10);
        bws_mesh_transform(&disc, &pose);
        piece_add(out, &disc);
    }
}

/* Straight rods through each other. */
static void sticks(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 12, 70);
    const double thick = bws_random_double(r, 0.008, 0.025);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++) {
        const bw_vec3 middle = anywhere(r, 0.5), along = bws_random_direction(r);
        const double half = bws_random_double(r, 0.4, 0.8);
        add_rod(out, piece_plus(middle, -half, along), piece_plus(middle, half, along), thick, thick, 30, 6);
    }
}

/* Bristles that stand on a board. */
static void brushes(bws_random *r, bws_mesh *out)
{
    const uint32_t side = count_between(r, 4, 10);
    const double thick = bws_random_double(r, 0.01, 0.03), bend = bws_random_double(r, 0, 0.3);
    *out = (bws_mesh){0};
    piece_add_bar(out, (bw_vec3){-0.7, -0.7, -0.06}, (bw_vec3){0.7, 0.7, 0}, 0.08);
    for (uint32_t k = 0; k < side * side; k++) {
        const bw_vec3 from = {-0.65 + 1.3 * (k % side) / (side - 1), -0.65 + 1.3 * (k / side) / (side - 1),
                              0};
        bw_vec3 to = piece_plus(from, bend, anywhere(r, 1));
        to.z = bws_random_double(r, 0.6, 1.1);
        add_rod(out, from, to, thick, 0.6 * thick, 14, 6);
    }
}

static bw_vec3 wire_middle(const piece_curve *c, double t)
{
    const double s = 1 - t;
    const bw_vec3 bent = {c->a, c->b, c->c};
    return piece_plus(piece_plus(piece_plus((bw_vec3){0, 0, 0}, s * s, c->from), 2 * s * t, bent), t * t,
                      c->to);
}

/* Thin wires, bent. */
static void wires(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 10, 60);
    const double thick = bws_random_double(r, 0.008, 0.025);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++) {
        const bw_vec3 by = anywhere(r, 1.2);
        piece_add_tube(out,
                       &(piece_curve){.middle = wire_middle,
                                      .radius = {thick, thick},
                                      .a = by.x,
                                      .b = by.y,
                                      .c = by.z,
                                      .from = anywhere(r, 0.9),
                                      .to = anywhere(r, 0.9)},
                       40, 6);
    }
}

static void (*const families[])(bws_random *r, bws_mesh *out) = {
    balls,   rings, pots,   sheets,    strips, pipes,    plates, spikes, figures, trusses, corals,
    bundles, loops, blocks, furniture, pins,   clusters, slats,  sticks, discs,   brushes, wires,
};

bool calibrate_body(uint32_t family, uint32_t member, bws_mesh *out)
{
    enum { FIRST = sizeof families / sizeof families[0] };
    bws_random r = bws_random_seeded(7000 + 100 * (uint64_t)family + member);
    if (family >= FIRST)
        return calibrate_later_body(family - FIRST, &r, out);
    families[family](&r, out);
    return true;
}
