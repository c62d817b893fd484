#include "fault/ladder.h"

#include <math.h>

#include "scenes/owned.h"

bw_result ladder_make(uint32_t count, double lean, bws_mesh *out)
{
    bws_mesh mesh;
    bw_result result = bws_mesh_reserve(3 * (uint64_t)count, count, BW_F64, &mesh);
    if (result != BW_OK)
        return result;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t axis = i % 3, side = (i + 1) % 3, other = (i + 2) % 3;
        double s = ldexp(1, 99 - (int)(i / 3)), p[3][3] = {{0}};
        p[0][axis] = s;
        p[1][axis] = p[2][axis] = 0.75 * s;
        p[1][side] = 0.25 * s;
        p[2][other] = lean * s;
        for (uint32_t c = 0; c < 3; c++)
            bws_mesh_set_vertex(&mesh, 3 * i + c, (bw_vec3){p[c][0], p[c][1], p[c][2]});
        bws_triangle(&mesh, i, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    *out = mesh;
    return BW_OK;
}

bw_result telescope_make(uint32_t rows, bws_mesh *out)
{
    enum { ROW = 64 };
    bws_mesh mesh;
    bw_result result = bws_mesh_reserve(3 * ROW * (uint64_t)rows, ROW * rows, BW_F64, &mesh);
    if (result != BW_OK)
        return result;
    for (uint32_t i = 0; i < ROW * rows; i++) {
        double x = ldexp(1 + (double)(i % ROW) / ROW, 99 - 6 * (int)(i / ROW)), w = x / 256;
        bws_mesh_set_vertex(&mesh, 3 * i, (bw_vec3){x, -w, -w});
        bws_mesh_set_vertex(&mesh, 3 * i + 1, (bw_vec3){x, w, -w});
        bws_mesh_set_vertex(&mesh, 3 * i + 2, (bw_vec3){x, 0, w});
        bws_triangle(&mesh, i, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    *out = mesh;
    return BW_OK;
}
