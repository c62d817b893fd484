/* When two moving triangles meet, on arbitrary motions: at times in a row against exact algebra, and written
 * as plans against themselves. They share what their indices share. */
#include "fuzz/bytes.h"
#include "oracle/moving_oracle.h"
#include "timeline/contact_intervals.h"
#include "timeline/exact/contact_times.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VERTICES = 6, TIMES = 12 };

static bool covered(const bw_contact_span *spans, uint32_t count, double t, double margin)
{
    for (uint32_t i = 0; i < count; i++)
        if (t >= spans[i].from + margin && t <= spans[i].to - margin)
            return true;
    return false;
}

static bool true_contact(const bw_moving_pair *pair, double t)
{
    bw_real x;
    bw_real_init(&x);
    mpq_set_d(x.low, t);
    bool contact = bw_oracle_moving_contact(pair, &x);
    bw_real_clear(&x);
    return contact;
}

/* The same motion as plans. Sums of few bits only: the differences are exact. */
static void compare_plans(const bw_moving_triangles *straight, const bw_contact_span *spans, uint32_t count)
{
    static bw_contact_span other[BW_SPANS];
    bw_plan plans[2][3];
    const bw_plan *at[2][3];
    bw_vec3 curves[2][3][4];
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            const bw_vec3 s = t == 0 ? straight->a[0][i] : straight->b[0][i];
            const bw_vec3 e = t == 0 ? straight->a[1][i] : straight->b[1][i];
            plans[t][i] = (bw_plan){.origin = 2, .c = {s, {e.x - s.x, e.y - s.y, e.z - s.z}}};
            memcpy(curves[t][i], plans[t][i].c, sizeof curves[t][i]);
            at[t][i] = &plans[t][i];
        }
    bw_moving_triangles curved = *straight;
    curved.curves_a = (const bw_vec3(*)[4])curves[0];
    curved.curves_b = (const bw_vec3(*)[4])curves[1];
    curved.plans_a = at[0];
    curved.plans_b = at[1];
    curved.begin = 2;
    curved.end = 3;
    uint32_t found = bw_contact_spans(&curved, 0, 1, other);
    for (int i = 0; i <= TIMES; i++) {
        double t = (double)i / TIMES;
        must(!covered(spans, count, t, 1e-4) || covered(other, found, t, 0));
        must(!covered(other, found, t, 1e-4) || covered(spans, count, t, 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    uint8_t style = bytes_u8(&b);
    if ((style & 128) != 0)
        bytes_go_on(&b);
    bw_vec3 p[2][VERTICES];
    for (int v = 0; v < VERTICES; v++)
        for (int end = 0; end < 2; end++)
            p[end][v] = (bw_vec3){bytes_coordinate(&b, style), bytes_coordinate(&b, style),
                                  bytes_coordinate(&b, style)};
    bw_vec3 a[2][3], c[2][3];
    uint32_t index_a[3], index_b[3];
    bool shared = false;
    for (int i = 0; i < 3; i++) {
        index_a[i] = bytes_u8(&b) % VERTICES;
        index_b[i] = bytes_u8(&b) % VERTICES;
        for (int end = 0; end < 2; end++) {
            a[end][i] = p[end][index_a[i]];
            c[end][i] = p[end][index_b[i]];
        }
    }
    for (int i = 0; i < 9; i++)
        shared = shared || index_a[i / 3] == index_b[i % 3];
    static bw_exact_scratch *scratch;
    if (scratch == NULL)
        scratch = malloc(bw_exact_scratch_size());
    bw_moving_triangles pair = {.a = (const bw_vec3(*)[3])a,
                                .b = (const bw_vec3(*)[3])c,
                                .vertices_a = shared ? index_a : NULL,
                                .vertices_b = shared ? index_b : NULL,
                                .scratch = scratch};
    static bw_contact_span spans[BW_SPANS];
    uint32_t count = bw_contact_spans(&pair, 0, 1, spans);
    for (uint32_t i = 0; i < count; i++)
        must(spans[i].from >= 0 && spans[i].from <= spans[i].to && spans[i].to <= 1 &&
             (i == 0 || spans[i - 1].to <= spans[i].from));
    bw_moving_pair oracle;
    bw_oracle_moving_pair((const bw_vec3(*)[3])a, index_a, (const bw_vec3(*)[3])c, index_b, &oracle);
    for (int i = 0; i <= TIMES; i++) {
        double t = (double)i / TIMES;
        bool contact = true_contact(&oracle, t);
        must(!contact || covered(spans, count, t, 0));
        /* Doubles may be off by more at a grazing angle; and what parts for an instant only goes on. */
        if (!contact && covered(spans, count, t, shared ? 0x1p-50 : 1e-4))
            must(true_contact(&oracle, t - 0x1p-40) && true_contact(&oracle, t + 0x1p-40));
    }
    if (style % 4 < 2)
        compare_plans(&pair, spans, count);
    return 0;
}
