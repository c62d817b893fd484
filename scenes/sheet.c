#include "scenes/owned.h"
#include "scenes/trig.h"

static bws_sheet_desc completed(const bws_sheet_desc *given)
{
    bws_sheet_desc desc = given == NULL ? (bws_sheet_desc){0} : *given;
    desc.columns = bws_count_or(desc.columns, 100);
    desc.rows = bws_count_or(desc.rows, 100);
    desc.size = bws_or(desc.size, 1);
    desc.amplitude = bws_or(desc.amplitude, 0.06 * desc.size);
    desc.waves = bws_or(desc.waves, 2);
    desc.speed = bws_or(desc.speed, 1);
    return desc;
}

/* One direction of the wave at place u in [-1/2, 1/2]. The whole is a sum and a product of such terms, so
 * that a frame costs a sine for each row and column only. */
typedef struct term {
    double along; /* the coordinate in the plane: it swings a little, as cloth does */
    double sum, product;
} term;

static term term_at(const bws_sheet_desc *desc, double u, double turn, double skew)
{
    double angle = 2 * BWS_PI * (desc->waves * u + turn);
    return (term){desc->size * u + 0.2 * desc->amplitude * bws_cos(angle),
                  0.5 * desc->amplitude * bws_sin(angle), bws_sin(skew * angle + 1)};
}

void bws_sheet_move(const bws_sheet_desc *given, double time, bws_mesh *sheet)
{
    bws_sheet_desc desc = completed(given);
    double turn = desc.phase + desc.speed * time;
    enum { BLOCK = 128 };
    term column[BLOCK];
    for (uint32_t from = 0; from <= desc.columns; from += BLOCK) {
        uint32_t count = desc.columns + 1 - from < BLOCK ? desc.columns + 1 - from : BLOCK;
        for (uint32_t i = 0; i < count; i++)
            column[i] = term_at(&desc, (double)(from + i) / desc.columns - 0.5, -turn, 0.7);
        for (uint32_t j = 0; j <= desc.rows; j++) {
            term row = term_at(&desc, (double)j / desc.rows - 0.5, -0.6 * turn, 0.9);
            uint32_t v = j * (desc.columns + 1) + from;
            for (uint32_t i = 0; i < count; i++) {
                double z = column[i].sum + row.sum + 0.4 * desc.amplitude * (column[i].product * row.product);
                bws_mesh_set_vertex(
                    sheet, v + i,
                    (bw_vec3){desc.origin.x + column[i].along, desc.origin.y + row.along, desc.origin.z + z});
            }
        }
    }
}

bw_result bws_sheet(const bws_sheet_desc *given, double time, bw_scalar scalar, bws_mesh *out)
{
    bws_sheet_desc desc = completed(given);
    bws_mesh mesh;
    uint64_t columns = desc.columns, rows = desc.rows;
    if (columns > UINT16_MAX || rows > UINT16_MAX)
        return BW_ERROR_SIZE;
    bw_result result = bws_mesh_reserve((columns + 1) * (rows + 1), 2 * columns * rows, scalar, &mesh);
    if (result != BW_OK)
        return result;
    uint32_t t = 0;
    for (uint32_t j = 0; j < desc.rows; j++) {
        for (uint32_t i = 0; i < desc.columns; i++) {
            uint32_t a = j * (desc.columns + 1) + i, b = a + 1, d = a + desc.columns + 1, c = d + 1;
            bws_triangle(&mesh, t++, a, b, c);
            bws_triangle(&mesh, t++, a, c, d);
        }
    }
    bws_sheet_move(&desc, time, &mesh);
    *out = mesh;
    return BW_OK;
}
