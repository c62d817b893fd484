/* Any polygon: it is cut into triangles whose edges are its own, and those of one that is said to be cut are
 * not turned over. */
#include "fuzz/bytes.h"

#include "io/polygon/ears.h"
#include "io/polygon/sweep.h"
#include "io/triangulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 64 };

static void need(bool good)
{
    if (!good)
        abort();
}

static void look_at(uint32_t count, uint32_t (*triangles)[3])
{
    int edges[MOST][MOST] = {{0}};
    for (uint32_t t = 0; t + 2 < count; t++)
        for (int k = 0; k < 3; k++) {
            need(triangles[t][k] < count);
            edges[triangles[t][k]][triangles[t][(k + 1) % 3]]++;
        }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++)
            need(edges[a][b] - edges[b][a] == (b == (a + 1) % count) - (a == (b + 1) % count));
}

static void none_turned(const plane_polygon *p, bool with_area)
{
    need(p->done == p->count - 2);
    for (uint32_t t = 0; t < p->done; t++)
        need(plane_side(p, p->triangles[t][0], p->triangles[t][1], p->triangles[t][2]) >= with_area);
}

/* Places on a small grid, where corners meet often, or any doubles. */
static double take(bytes *b, int kind)
{
    if (kind == 0)
        return bytes_u8(b) % 8;
    if (kind == 1)
        return (double)(int8_t)bytes_u8(b) / 16;
    double value;
    bytes_take(b, &value, sizeof value);
    return isfinite(value) ? value : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    int kind = bytes_u8(&b) % 3;
    uint32_t count = 3 + bytes_u8(&b) % (MOST - 3);
    bw_vec3 *at =
        malloc(count * sizeof *at); /* blocks of their own, so that reading past their ends is seen */
    uint32_t(*triangles)[3] = malloc((count - 2) * sizeof *triangles);
    for (uint32_t i = 0; i < count; i++)
        at[i] = (bw_vec3){take(&b, kind), take(&b, kind), kind == 0 ? 0 : take(&b, kind)};
    if (bw_exact_range(at, count)) {
        triangulate(at, count, triangles);
        look_at(count, triangles);
        plane_polygon p = {at, count, triangles, 0};
        for (uint32_t i = 0; i < count; i++)
            at[i].z = 0;
        sweep_answer answer = count > 3 ? sweep_cut(&p) : SWEEP_TOUCHES;
        if (answer == SWEEP_CUT) {
            none_turned(&p, true);
            look_at(count, triangles);
        }
        bool ears = count > 3 && ears_cut(&p);
        need(answer != SWEEP_CUT || ears); /* what is simple has ears */
        if (ears) {
            none_turned(&p, answer == SWEEP_CUT);
            look_at(count, triangles);
        }
    }
    free(at);
    free(triangles);
    return 0;
}
