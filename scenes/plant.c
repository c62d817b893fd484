/* A plant: bays of slab, column, beam, bracket, pipe, rack, duct, tank, valve and tray. Mated faces share
 * coordinates to the bit; what is misplaced is in something else by a depth of its own. */
#include "scenes/plant.h"

#include "scenes/owned.h"
#include "scenes/trig.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SLAB,
    COLUMN,
    BEAM,
    BRACKET,
    RACK,
    PIPE,
    DUCT,
    TANK,
    VALVE,
    TRAY,
    KINDS,
    ROWS = 5,     /* of bays */
    COLUMNS = 10, /* on a level */
    SIDES = 24    /* of pipes and tanks */
};

static const char *const names[KINDS] = {
    "Structure/slab", "Structure/column", "Structure/beam", "Structure/bracket", "Piping/rack",
    "Piping/pipe",    "Air/duct",         "Process/tank",   "Piping/valve",      "Electric/tray"};

typedef enum error { NONE, LOW_PIPE, WIDE_TRAY, MOVED_TANK, LOW_VALVE, LOST_VALVE } error;

static const double deepest = 95; /* millimetres */

static bool round_part(int kind)
{
    return kind == PIPE || kind == TANK;
}

static uint32_t vertices_of(int kind)
{
    return round_part(kind) ? 2 * SIDES : 8;
}

static uint32_t triangles_of(int kind)
{
    return round_part(kind) ? 4 * SIDES - 4 : 12;
}

static error error_of(uint32_t bay)
{
    if (bay % 50 == 7)
        return LOST_VALVE;
    return bay % 5 != 0 ? NONE : (error)(LOW_PIPE + bay / 5 % 4);
}

static void put_box(bws_plant *p, bws_plant_part *part, const double low[3], const double high[3])
{
    static const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    uint32_t v = part->first_vertex;
    for (uint32_t i = 0; i < 8; i++)
        bws_mesh_set_vertex(&p->mesh, v + i,
                            (bw_vec3){(i & 1) != 0 ? high[0] : low[0], (i & 2) != 0 ? high[1] : low[1],
                                      (i & 4) != 0 ? high[2] : low[2]});
    for (uint32_t i = 0; i < 12; i++)
        bws_triangle(&p->mesh, part->first_triangle + i, v + faces[i][0], v + faces[i][1], v + faces[i][2]);
}

/* A prism about an axis (0: x, 2: z), the first of its corners straight up, or along x. */
static void put_prism(bws_plant *p, bws_plant_part *part, int axis, bw_vec3 from, double radius,
                      double length)
{
    uint32_t v = part->first_vertex, t = part->first_triangle;
    for (uint32_t i = 0; i < SIDES; i++) {
        /* Exact at the quarters, so that the outermost corners are. */
        double turn = 2 * BWS_PI * i / SIDES;
        double c = i % (SIDES / 2) == SIDES / 4 ? 0
                   : i % (SIDES / 2) == 0       ? (i == 0 ? 1 : -1)
                                                : bws_cos(turn);
        double s = i % (SIDES / 2) == 0           ? 0
                   : i % (SIDES / 2) == SIDES / 4 ? (i < SIDES / 2 ? 1 : -1)
                                                  : bws_sin(turn);
        for (uint32_t end = 0; end < 2; end++) {
            bw_vec3 q = from;
            double along = end * length;
            if (axis == 0)
                q = (bw_vec3){q.x + along, q.y + radius * c, q.z + radius * s};
            else
                q = (bw_vec3){q.x + radius * c, q.y + radius * s, q.z + along};
            bws_mesh_set_vertex(&p->mesh, v + 2 * i + end, q);
        }
    }
    for (uint32_t i = 0; i < SIDES; i++) {
        uint32_t here = v + 2 * i, next = v + 2 * ((i + 1) % SIDES);
        bws_triangle(&p->mesh, t++, here, next, next + 1);
        bws_triangle(&p->mesh, t++, here, next + 1, here + 1);
        if (i + 2 >= SIDES)
            continue;
        bws_triangle(&p->mesh, t++, v, v + 2 * (i + 2), v + 2 * (i + 1));
        bws_triangle(&p->mesh, t++, v + 1, v + 2 * (i + 1) + 1, v + 2 * (i + 2) + 1);
    }
}

/* One part of a bay, at the bay's own corner. */
static void put_part(bws_plant *p, bws_plant_part *part, int kind, bw_vec3 at, error wrong, double depth)
{
    static const double boxes[KINDS][2][3] = {
        [SLAB] = {{0, 0, -200}, {5800, 4800, 0}},
        [COLUMN] = {{200, 200, 0}, {600, 600, 3000}},
        [BEAM] = {{200, 250, 3000}, {5400, 550, 3300}},
        [BRACKET] = {{2000, 550, 3050}, {2300, 900, 3250}},
        [RACK] = {{3000, 1500, 2000}, {3200, 2500, 2400}},
        [DUCT] = {{300, 3000, 2400}, {5600, 3600, 2900}},
        [VALVE] = {{1000, 1850, 2700}, {1150, 2150, 2850}},
        [TRAY] = {{300, 4000, 2600}, {5600, 4300, 2700}},
    };
    bw_vec3 move = {0, 0, 0};
    if (kind == PIPE && wrong == LOW_PIPE)
        move.z = -depth;
    if (kind == TRAY && wrong == WIDE_TRAY)
        move.y = -400 - depth;
    if (kind == TANK && wrong == MOVED_TANK)
        move = (bw_vec3){1000 - depth - 4300, 400 - 1200, 0};
    if (kind == VALVE && wrong == LOW_VALVE)
        move.z = -100 - depth;
    if (kind == VALVE && wrong == LOST_VALVE)
        move = (bw_vec3){4140 - 1000 - depth, 1050 - 1850, 700 - 2700};
    at = (bw_vec3){at.x + move.x, at.y + move.y, at.z + move.z};
    if (kind == PIPE) {
        put_prism(p, part, 0, (bw_vec3){at.x + 300, at.y + 2000, at.z + 2500}, 100, 5300);
    } else if (kind == TANK) {
        put_prism(p, part, 2, (bw_vec3){at.x + 4300, at.y + 1200, at.z}, 400, 1500);
    } else {
        const double *low = boxes[kind][0], *high = boxes[kind][1];
        put_box(p, part, (double[3]){at.x + low[0], at.y + low[1], at.z + low[2]},
                (double[3]){at.x + high[0], at.y + high[1], at.z + high[2]});
    }
}

static void add_clash(bws_plant *p, uint32_t bay, int a, int b, double depth, bool contained)
{
    uint32_t first = bay * KINDS + (uint32_t)a, second = bay * KINDS + (uint32_t)b;
    if (first < p->part_count && second < p->part_count)
        p->clashes[p->clash_count++] = (bws_plant_clash){first, second, depth, contained};
}

/* What of a bay meets what, by its making. */
static void tell_bay(bws_plant *p, uint32_t bay, error wrong, double depth)
{
    add_clash(p, bay, SLAB, COLUMN, 0, false);
    add_clash(p, bay, COLUMN, BEAM, 0, false);
    add_clash(p, bay, BEAM, BRACKET, 0, false);
    add_clash(p, bay, SLAB, TANK, 0, false);
    add_clash(p, bay, RACK, PIPE, wrong == LOW_PIPE ? depth : 0, false);
    if (wrong == WIDE_TRAY)
        add_clash(p, bay, DUCT, TRAY, depth, false);
    if (wrong == MOVED_TANK)
        add_clash(p, bay, COLUMN, TANK, depth, false);
    if (wrong == LOW_VALVE)
        add_clash(p, bay, PIPE, VALVE, depth, false);
    /* Out along -x: from its far side, 10 and more before the axis, to the corner of the tank. */
    if (wrong == LOST_VALVE)
        add_clash(p, bay, TANK, VALVE, 390 - depth, true);
}

static int by_depth(const void *a, const void *b)
{
    const bws_plant_clash *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

bw_result bws_plant_make(uint32_t wanted, bws_plant *out)
{
    bws_plant p = {.part_count = bws_count_or(wanted, 2000)};
    uint32_t bays = (p.part_count + KINDS - 1) / KINDS;
    uint64_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < p.part_count; i++) {
        vertices += vertices_of((int)(i % KINDS));
        triangles += triangles_of((int)(i % KINDS));
    }
    p.parts = malloc(p.part_count * sizeof *p.parts);
    p.clashes = malloc((size_t)bays * 6 * sizeof *p.clashes);
    double *depths = malloc(bays * sizeof *depths);
    bw_result result = p.parts && p.clashes && depths ? bws_mesh_reserve(vertices, triangles, BW_F64, &p.mesh)
                                                      : BW_ERROR_MEMORY;
    if (result != BW_OK) {
        free(p.parts);
        free(p.clashes);
        free(depths);
        return result;
    }
    /* A depth for each bay, all different, in no order. */
    bws_random random = bws_random_seeded(2000);
    for (uint32_t i = 0; i < bays; i++)
        depths[i] = deepest * (i + 1) / bays;
    for (uint32_t i = bays; i > 1; i--) {
        uint32_t k = (uint32_t)bws_random_below(&random, i);
        double last = depths[i - 1];
        depths[i - 1] = depths[k];
        depths[k] = last;
    }
    uint32_t vertex = 0, triangle = 0;
    for (uint32_t i = 0; i < p.part_count; i++) {
        uint32_t bay = i / KINDS, level = bay / (ROWS * COLUMNS), of = bay % (ROWS * COLUMNS);
        int kind = (int)(i % KINDS);
        p.parts[i] = (bws_plant_part){.first_triangle = triangle,
                                      .triangle_count = triangles_of(kind),
                                      .first_vertex = vertex,
                                      .vertex_count = vertices_of(kind)};
        snprintf(p.parts[i].name, sizeof p.parts[i].name, "Level %u/Bay %u/%s", level + 1, of + 1,
                 names[kind]);
        put_part(&p, &p.parts[i], kind,
                 (bw_vec3){6000.0 * (of % COLUMNS), 5000.0 * (of / COLUMNS), 4000.0 * level}, error_of(bay),
                 depths[bay]);
        triangle += p.parts[i].triangle_count;
        vertex += p.parts[i].vertex_count;
        if (kind == KINDS - 1 || i + 1 == p.part_count)
            tell_bay(&p, bay, error_of(bay), depths[bay]);
    }
    free(depths);
    qsort(p.clashes, p.clash_count, sizeof *p.clashes, by_depth);
    *out = p;
    return BW_OK;
}

void bws_plant_free(bws_plant *p)
{
    bws_mesh_free(&p->mesh);
    free(p->parts);
    free(p->clashes);
    *p = (bws_plant){.part_count = 0};
}
