/* The third set of objects that no choice was made by. */
#include "anytime_shapes.h"

#include "pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a minimal surface ---- */

/* The gyroid, within a ball. Positive outside. */
static double gyroid(bw_vec3 p)
{
    const double x = 6 * p.x, y = 6 * p.y, z = 6 * p.z;
    const double sheet = bws_sin(x) * bws_cos(y) + bws_sin(y) * bws_cos(z) + bws_sin(z) * bws_cos(x);
    return fmax(fabs(sheet) - 0.25, 3 * (sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - 1));
}

typedef struct soup {
    bw_vec3 (*corners)[3];
    size_t count, room;
} soup;

static void soup_add(soup *s, bw_vec3 a, bw_vec3 b, bw_vec3 c)
{
    if (s->count == s->room) {
        s->room = s->room == 0 ? 4096 : 2 * s->room;
        s->corners = realloc(s->corners, s->room * sizeof *s->corners);
        if (s->corners == NULL)
            piece_made(BW_ERROR_MEMORY);
    }
    s->corners[s->count][0] = a;
    s->corners[s->count][1] = b;
    s->corners[s->count++][2] = c;
}

static void soup_to_mesh(soup *s, bws_mesh *out)
{
    piece_made(bws_mesh_reserve(3 * s->count, s->count, BW_F32, out));
    for (uint32_t t = 0; t < s->count; t++) {
        for (uint32_t k = 0; k < 3; k++)
            bws_mesh_set_vertex(out, 3 * t + k, s->corners[t][k]);
        bws_triangle(out, t, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    free(s->corners);
}

static bw_vec3 between(bw_vec3 a, double va, bw_vec3 b, double vb)
{
    const double t = va / (va - vb);
    return piece_plus(a, t, piece_plus(b, -1, a));
}

/* The surface through a tetrahedron, where the values change sign. */
static void cut(soup *s, const bw_vec3 p[4], const double v[4])
{
    int in[4], out[4], ins = 0, outs = 0;
    for (int k = 0; k < 4; k++) {
        if (v[k] < 0)
            in[ins++] = k;
        else
            out[outs++] = k;
    }
    const int *one = ins == 1 ? in : out, *three = ins == 1 ? out : in;
    if (ins == 2) {
        const bw_vec3 a = between(p[in[0]], v[in[0]], p[out[0]], v[out[0]]),
                      b = between(p[in[0]], v[in[0]], p[out[1]], v[out[1]]),
                      c = between(p[in[1]], v[in[1]], p[out[1]], v[out[1]]),
                      d = between(p[in[1]], v[in[1]], p[out[0]], v[out[0]]);
        soup_add(s, a, b, c);
        soup_add(s, a, c, d);
    } else if (ins == 1 || ins == 3) {
        bw_vec3 at[3];
        for (int k = 0; k < 3; k++)
            at[k] = between(p[one[0]], v[one[0]], p[three[k]], v[three[k]]);
        soup_add(s, at[0], at[1], at[2]);
    }
}

static bool make_gyroid(bool quick, bws_mesh *out)
{
    static const int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                         {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    const int cells = quick ? 12 : 30;
    soup s = {0};
    for (int n = 0; n < cells * cells * cells; n++) {
        bw_vec3 p[8];
        double v[8];
        for (int c = 0; c < 8; c++) {
            const double side = 2.2 / cells;
            p[c] = (bw_vec3){-1.1 + side * (n % cells + (c & 1)),
                             -1.1 + side * (n / cells % cells + (c >> 1 & 1)),
                             -1.1 + side * (n / cells / cells + (c >> 2))};
            v[c] = gyroid(p[c]);
        }
        for (int t = 0; t < 6; t++) {
            bw_vec3 q[4];
            double w[4];
            for (int k = 0; k < 4; k++) {
                q[k] = p[tetrahedra[t][k]];
                w[k] = v[tetrahedra[t][k]];
            }
            cut(&s, q, w);
        }
    }
    soup_to_mesh(&s, out);
    return true;
}

/* ---- machines ---- */

/* A ring of teeth about a bore: rings 0 to 1 go around the profile, sides around the axis. */
static bw_vec3 on_gear(const void *user, double ring, double side)
{
    (void)user;
    double tooth = 18 * ring - floor(18 * ring);
    const double outer = tooth < 0.1   ? 0.8 + 2 * tooth
                         : tooth < 0.4 ? 1
                         : tooth < 0.5 ? 1 - 2 * (tooth - 0.4)
                                       : 0.8;
    const double at = 4 * side, f = at - floor(at), angle = 2 * BWS_PI * ring;
    /* the square outline of the cross-section: bore up, out along the top, rim down, back */
    const double r = at < 1   ? 0.3
                     : at < 2 ? 0.3 + f * (outer - 0.3)
                     : at < 3 ? outer
                              : outer + f * (0.3 - outer);
    const double z = at < 1 ? -0.15 + 0.3 * f : at < 2 ? 0.15 : at < 3 ? 0.15 - 0.3 * f : -0.15;
    return (bw_vec3){r * bws_cos(angle), r * bws_sin(angle), z};
}

static bool make_gear(bool quick, bws_mesh *out)
{
    piece_made(
        bws_tube(&(bws_tube_desc){quick ? 90 : 540, quick ? 8 : 20, true, on_gear, NULL}, BW_F32, out));
    return true;
}

/* A wall that stands on the plane, thin, along a line. */
static void add_wall(bws_mesh *out, double x0, double y0, double x1, double y1, double thick, double height,
                     double square)
{
    const double length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)), c = (x1 - x0) / length,
                 s = (y1 - y0) / length;
    bws_mesh wall = {0};
    piece_add_bar(&wall, (bw_vec3){0, -0.5 * thick, -0.5 * height},
                  (bw_vec3){length, 0.5 * thick, 0.5 * height}, square);
    const bw_transform place = {{{c, -s, 0, x0}, {s, c, 0, y0}, {0, 0, 1, 0}}};
    bws_mesh_transform(&wall, &place);
    piece_add(out, &wall);
}

static bool make_honeycomb(bool quick, bws_mesh *out)
{
    const double side = quick ? 0.4 : 0.2, high = side * sqrt(3.0);
    const int reach = quick ? 2 : 4;
    *out = (bws_mesh){0};
    for (int i = -reach; i <= reach; i++)
        for (int j = -reach; j <= reach; j++) {
            const double x = 1.5 * side * i, y = high * (j + 0.5 * (i & 1));
            for (int k = 0; k < 3; k++) { /* each wall once */
                const double from = BWS_PI / 3 * k, to = BWS_PI / 3 * (k + 1);
                add_wall(out, x + side * bws_cos(from), y + side * bws_sin(from), x + side * bws_cos(to),
                         y + side * bws_sin(to), 0.02, 0.5, 0.07);
            }
        }
    return true;
}

/* Round plates one over the other on four posts. */
static bool make_rack(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    for (int k = 0; k < 12; k++) {
        const double z = -1 + 2.0 * k / 11;
        piece_add_tube(out,
                       &(piece_curve){.middle = piece_straight,
                                      .radius = {0.7, 0.7},
                                      .from = {0, 0, z - 0.012},
                                      .to = {0, 0, z + 0.012}},
                       quick ? 3 : 6, quick ? 16 : 96);
    }
    for (int k = 0; k < 4; k++) {
        const double x = 0.55 * bws_cos(BWS_PI / 2 * k), y = 0.55 * bws_sin(BWS_PI / 2 * k);
        piece_add_tube(
            out,
            &(piece_curve){
                .middle = piece_straight, .radius = {0.04, 0.04}, .from = {x, y, -1.1}, .to = {x, y, 1.1}},
            quick ? 10 : 80, 10);
    }
    return true;
}

/* Struts along the axes, three cells a side. */
static bool make_lattice(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 16; n++) {
            const double u = -0.9 + 0.6 * (n % 4), v = -0.9 + 0.6 * (n / 4);
            const bw_vec3 from = {k == 0 ? -0.95 : u,
                                  k == 0   ? u
                                  : k == 1 ? -0.95
                                           : v,
                                  k == 2 ? -0.95 : v},
                          to = {k == 0 ? 0.95 : u,
                                k == 0   ? u
                                : k == 1 ? 0.95
                                         : v,
                                k == 2 ? 0.95 : v};
            piece_add_tube(
                out,
                &(piece_curve){.middle = piece_straight, .radius = {0.035, 0.035}, .from = from, .to = to},
                quick ? 10 : 50, 8);
        }
    return true;
}

static bw_vec3 coil_middle(const piece_curve *c, double t)
{
    const double angle = 2 * BWS_PI * 9 * t;
    return (bw_vec3){c->a + 0.22 * bws_cos(angle), c->b + 0.22 * bws_sin(angle), 2 * t - 1};
}

/* Springs side by side. */
static bool make_springs(bool quick, bws_mesh *out)
{
    *out = (bws_mesh){0};
    for (int k = 0; k < 7; k++) {
        const double angle = BWS_PI / 3 * k, r = k == 6 ? 0 : 0.5;
        piece_add_tube(out,
                       &(piece_curve){.middle = coil_middle,
                                      .radius = {0.025, 0.025},
                                      .a = r * bws_cos(angle),
                                      .b = r * bws_sin(angle)},
                       quick ? 100 : 360, 6);
    }
    return true;
}

/* Steps about a pole. */
static bool make_stairs(bool quick, bws_mesh *out)
{
    const double square = quick ? 0.2 : 0.04;
    *out = (bws_mesh){0};
    piece_add_tube(
        out,
        &(piece_curve){
            .middle = piece_straight, .radius = {0.06, 0.06}, .from = {0, 0, -1.1}, .to = {0, 0, 1.1}},
        quick ? 20 : 100, 12);
    for (int k = 0; k < 20; k++) {
        const double angle = 2 * BWS_PI * k / 11, c = bws_cos(angle), s = bws_sin(angle);
        bws_mesh board = {0};
        piece_add_bar(&board, (bw_vec3){0, -0.12, -0.02}, (bw_vec3){0.75, 0.12, 0.02}, square);
        const bw_transform place = {{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, -1 + 0.1 * k}}};
        bws_mesh_transform(&board, &place);
        piece_add(out, &board);
    }
    return true;
}

/* ---- nature ---- */

/* Land: a square of heights, made rough by halves. */
static bool make_terrain(bool quick, bws_mesh *out)
{
    enum { MOST = 129 };
    const int n = quick ? 17 : MOST;
    static double h[MOST][MOST];
    bws_random r = bws_random_seeded(901);
    memset(h, 0, sizeof h);
    double rough = 0.35;
    for (int step = n - 1; step > 1; step /= 2, rough *= 0.55) {
        const int half = step / 2;
        for (int y = half; y < n; y += step)
            for (int x = half; x < n; x += step)
                h[y][x] = 0.25 * (h[y - half][x - half] + h[y - half][x + half] + h[y + half][x - half] +
                                  h[y + half][x + half]) +
                          rough * bws_random_double(&r, -1, 1);
        for (int y = 0; y < n; y += half)
            for (int x = (y / half) % 2 == 0 ? half : 0; x < n; x += step) {
                const double west = x >= half ? h[y][x - half] : h[y][x + half],
                             east = x + half < n ? h[y][x + half] : h[y][x - half],
                             north = y >= half ? h[y - half][x] : h[y + half][x],
                             south = y + half < n ? h[y + half][x] : h[y - half][x];
                h[y][x] = 0.25 * (west + east + north + south) + rough * bws_random_double(&r, -1, 1);
            }
    }
    piece_made(
        bws_mesh_reserve((uint64_t)n * (uint64_t)n, 2 * (uint64_t)(n - 1) * (uint64_t)(n - 1), BW_F32, out));
    for (int y = 0, t = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            const uint32_t at = (uint32_t)(y * n + x), wide = (uint32_t)n;
            bws_mesh_set_vertex(out, at, (bw_vec3){2.0 * x / (n - 1) - 1, 2.0 * y / (n - 1) - 1, h[y][x]});
            if (x + 1 < n && y + 1 < n) {
                bws_triangle(out, (uint32_t)t++, at, at + 1, at + wide + 1);
                bws_triangle(out, (uint32_t)t++, at, at + wide + 1, at + wide);
            }
        }
    return true;
}

/* A stem, twigs, and leaves that are flat. */
static bool make_leaves(bool quick, bws_mesh *out)
{
    bws_random r = bws_random_seeded(902);
    soup s = {0};
    *out = (bws_mesh){0};
    for (int k = 0; k < (quick ? 12 : 40); k++) {
        const bw_vec3 from = {0, 0, bws_random_double(&r, -0.2, 0.9)}, along = bws_random_direction(&r);
        const bw_vec3 to = piece_plus(from, bws_random_double(&r, 0.4, 0.8), along);
        piece_add_tube(
            out, &(piece_curve){.middle = piece_straight, .radius = {0.02, 0.01}, .from = from, .to = to},
            quick ? 4 : 12, 6);
        for (int l = 0; l < 12; l++) {
            const bw_vec3 at = piece_plus(from, bws_random_double(&r, 0.3, 1), piece_plus(to, -1, from));
            const bw_vec3 u = bws_random_direction(&r), v = bws_random_direction(&r);
            const bw_vec3 tip = piece_plus(at, 0.16, u), left = piece_plus(piece_plus(at, 0.08, u), 0.05, v),
                          right = piece_plus(piece_plus(at, 0.08, u), -0.05, v);
            soup_add(&s, at, left, tip);
            soup_add(&s, at, tip, right);
        }
    }
    piece_add_tube(
        out,
        &(piece_curve){.middle = piece_straight, .radius = {0.07, 0.04}, .from = {0, 0, -1}, .to = {0, 0, 1}},
        quick ? 8 : 40, 10);
    bws_mesh leaves;
    soup_to_mesh(&s, &leaves);
    piece_add(out, &leaves);
    return true;
}

/* ---- writing ---- */

/* B, O, X of strokes that stand up. */
static bool make_letters(bool quick, bws_mesh *out)
{
    static const double strokes[][4] = {
        {-1.3, -0.5, -1.3, 0.5},  {-1.3, 0.5, -0.8, 0.35},   {-0.8, 0.35, -0.85, 0.05},
        {-0.85, 0.05, -1.3, 0},   {-0.85, 0, -0.7, -0.25},   {-0.7, -0.25, -0.8, -0.5},
        {-0.8, -0.5, -1.3, -0.5}, {-0.35, -0.5, -0.4, 0.5},  {-0.4, 0.5, 0.3, 0.5},
        {0.3, 0.5, 0.35, -0.5},   {0.35, -0.5, -0.35, -0.5}, {0.65, -0.5, 1.3, 0.5},
        {0.65, 0.5, 1.3, -0.5},
    };
    *out = (bws_mesh){0};
    for (size_t k = 0; k < sizeof strokes / sizeof strokes[0]; k++)
        add_wall(out, strokes[k][0], strokes[k][1], strokes[k][2], strokes[k][3], 0.12, 0.3,
                 quick ? 0.2 : 0.025);
    return true;
}

static const anytime_shape shapes[] = {
    {"gyroid", make_gyroid},   {"gear", make_gear},       {"honeycomb", make_honeycomb},
    {"rack", make_rack},       {"lattice", make_lattice}, {"springs", make_springs},
    {"stairs", make_stairs},   {"terrain", make_terrain}, {"leaves", make_leaves},
    {"letters", make_letters},
};

const anytime_shape *anytime_last_shape_of(uint32_t i)
{
    return i < sizeof shapes / sizeof shapes[0] ? &shapes[i] : NULL;
}
