/* Families that were added after bodies like these had shown how wrong models can be that know none such
 * (docs/BENCHMARKS.md, the objects `unseen`). */
#include "calibrate_bodies.h"

#include "pieces.h"

#include <math.h>

static uint32_t count_between(bws_random *r, uint32_t low, uint32_t high)
{
    return (uint32_t)bws_random_int(r, low, high);
}

static bw_vec3 knot_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * t, r = 1 + c->c * bws_cos(c->b * angle);
    return (bw_vec3){r * bws_cos(c->a * angle), r * bws_sin(c->a * angle), c->c * bws_sin(c->b * angle)};
}

/* A tube wound about a ring. */
static void knots(bws_random *r, bws_mesh *out)
{
    const double thick = bws_random_double(r, 0.05, 0.2);
    *out = (bws_mesh){0};
    piece_add_tube(out,
                   &(piece_curve){.middle = knot_middle,
                                  .radius = {thick, thick},
                                  .a = count_between(r, 1, 3),
                                  .b = count_between(r, 2, 7),
                                  .c = bws_random_double(r, 0.25, 0.6),
                                  .closed = true},
                   600, 16);
}

typedef struct thread {
    double turns, inner, depth, head, length;
} thread;

static bw_vec3 on_thread(const void *user, double ring, double side)
{
    const thread *t = user;
    double phase = t->turns * ring - side, radius = t->head;
    phase -= floor(phase);
    if (ring > 0.2)
        radius = t->inner + t->depth * (1 - fabs(2 * phase - 1));
    if (ring == 0 || ring == 1)
        radius = 0;
    return (bw_vec3){radius * bws_cos(2 * BWS_PI * side), radius * bws_sin(2 * BWS_PI * side),
                     t->length * (2 * ring - 1)};
}

/* Bolts with a thread. */
static void screws(bws_random *r, bws_mesh *out)
{
    const thread t = {.turns = count_between(r, 6, 20),
                      .inner = bws_random_double(r, 0.1, 0.3),
                      .depth = bws_random_double(r, 0.03, 0.15),
                      .head = bws_random_double(r, 0.2, 0.6),
                      .length = bws_random_double(r, 0.7, 1.5)};
    piece_made(bws_tube(&(bws_tube_desc){300, 40, false, on_thread, &t}, BW_F32, out));
}

static void add_straight(bws_mesh *out, bw_vec3 from, bw_vec3 to, double start, double end, uint32_t rings,
                         uint32_t sides)
{
    piece_add_tube(out,
                   &(piece_curve){.middle = piece_straight, .radius = {start, end}, .from = from, .to = to},
                   rings, sides);
}

typedef struct growth {
    double thick, bend;
    uint32_t children, rings;
} growth;

static void grow(bws_mesh *out, bws_random *r, const growth *g, bw_vec3 from, bw_vec3 along, double length,
                 uint32_t left)
{
    const bw_vec3 to = piece_plus(from, length, along);
    add_straight(out, from, to, g->thick * length, 0.7 * g->thick * length, g->rings, left > 1 ? 8 : 6);
    for (uint32_t k = 0; left > 0 && k < g->children; k++) {
        const bw_vec3 start = piece_plus(from, bws_random_double(r, 0.4, 1) * length, along);
        grow(out, r, g, start, piece_unit(piece_plus(along, g->bend, bws_random_direction(r))),
             length * bws_random_double(r, 0.5, 0.8), left - 1);
    }
}

/* Branches that leave a stem along its length, thin ones. */
static void trees(bws_random *r, bws_mesh *out)
{
    const uint32_t children = count_between(r, 2, 4);
    const growth g = {.thick = bws_random_double(r, 0.03, 0.08),
                      .bend = bws_random_double(r, 0.6, 1.4),
                      .children = children,
                      .rings = count_between(r, 6, 12)};
    *out = (bws_mesh){0};
    grow(out, r, &g, (bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 1}, 0.8, children == 2 ? 5 : children == 3 ? 4 : 3);
}

/* A sphere pushed out and in by bells: limbs, ears, dents. */
static void blobs(bws_random *r, bws_mesh *out)
{
    enum { BELLS = 40 };
    bw_vec3 at[BELLS];
    double height[BELLS], narrow[BELLS];
    const int limbs = (int)count_between(r, 0, 8);
    for (int k = 0; k < BELLS; k++) {
        at[k] = bws_random_direction(r);
        height[k] = k < limbs ? bws_random_double(r, 0.3, 1.2) : bws_random_double(r, -0.15, 0.15);
        narrow[k] = k < limbs ? bws_random_double(r, 8, 60) : bws_random_double(r, 8, 80);
    }
    piece_made(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = count_between(r, 24, 50), .amplitude = -1},
                                BW_F32, out));
    for (uint32_t v = 0; v < out->vertex_count; v++) {
        const bw_vec3 p = bws_mesh_vertex(out, v);
        double s = 0.6;
        for (int k = 0; k < BELLS; k++) { /* about exp(-x), by plain arithmetic */
            const double x = narrow[k] * (1 - (p.x * at[k].x + p.y * at[k].y + p.z * at[k].z)),
                         q = 1 + 0.25 * x;
            s += height[k] / (q * q * q * q);
        }
        bws_mesh_set_vertex(out, v, piece_plus((bw_vec3){0, 0, 0}, s, p));
    }
}

/* Seats: legs, a board, a back of rails, rungs. */
static void chairs(bws_random *r, bws_mesh *out)
{
    const double thick = bws_random_double(r, 0.03, 0.1), high = bws_random_double(r, 0.3, 1.2),
                 square = 0.035;
    const uint32_t rails = count_between(r, 1, 6), rungs = count_between(r, 0, 3);
    *out = (bws_mesh){0};
    for (int k = 0; k < 4; k++) {
        const double x = k % 2 == 0 ? -0.5 : 0.5 - thick, y = k / 2 == 0 ? -0.5 : 0.5 - thick;
        piece_add_bar(out, (bw_vec3){x, y, -1}, (bw_vec3){x + thick, y + thick, k / 2 == 0 ? 0 : high},
                      square);
    }
    piece_add_bar(out, (bw_vec3){-0.5, -0.5, 0}, (bw_vec3){0.5, 0.5, 0.6 * thick}, square);
    for (uint32_t k = 0; k < rails; k++) {
        const double z = high * (k + 1) / (rails + 1);
        piece_add_bar(out, (bw_vec3){-0.5 + thick, 0.5 - thick, z},
                      (bw_vec3){0.5 - thick, 0.5 - 0.5 * thick, z + 0.4 * high / (rails + 1)}, square);
    }
    for (uint32_t k = 0; k < rungs; k++) {
        const double z = -0.8 + 0.2 * k;
        piece_add_bar(out, (bw_vec3){-0.5 + thick, -0.5, z},
                      (bw_vec3){0.5 - thick, -0.5 + 0.5 * thick, z + 0.5 * thick}, square);
    }
}

static bw_vec3 sheaf_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * (c->b * (t - 0.5)) + c->c, about = c->a;
    return (bw_vec3){about * bws_cos(angle), about * bws_sin(angle), 2 * t - 1};
}

/* Many thin strands side by side, apart, and turned as wholes or not. */
static void sheaves(bws_random *r, bws_mesh *out)
{
    const uint32_t count = count_between(r, 8, 60);
    const double reach = bws_random_double(r, 0.1, 0.6), turns = bws_random_double(r, 0, 1.5),
                 thick = reach / sqrt((double)count) * bws_random_double(r, 0.15, 0.6);
    *out = (bws_mesh){0};
    for (uint32_t k = 0; k < count; k++) /* spread over the round as seeds are in a sunflower */
        piece_add_tube(out,
                       &(piece_curve){.middle = sheaf_middle,
                                      .radius = {thick, thick},
                                      .a = reach * sqrt((k + 0.5) / count),
                                      .b = turns,
                                      .c = 2.399963 * k},
                       80, 6);
}

static void (*const families[])(bws_random *r, bws_mesh *out) = {
    knots, screws, trees, blobs, chairs, sheaves,
};

bool calibrate_later_body(uint32_t family, bws_random *r, bws_mesh *out)
{
    if (family >= sizeof families / sizeof families[0])
        return false;
    families[family](r, out);
    return true;
}
