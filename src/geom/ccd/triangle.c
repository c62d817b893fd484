/* Two moving triangles: while they are apart, the first contact is that of a vertex with a face or of two
 * edges, so all fifteen pairs are asked. */
#include "geom/ccd/ccd.h"

static bool earlier(const bw_ccd_result *now, const bw_ccd_result *best)
{
    return now->answer != BW_CCD_APART && (best->answer == BW_CCD_APART || now->time < best->time);
}

static bw_result ask(bool vertex, const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                     bw_ccd_feature feature, uint32_t a, uint32_t b, bw_ccd_triangle_result *best)
{
    bw_ccd_result now;
    bw_result result =
        vertex ? bw_ccd_vertex_face(start, end, desc, &now) : bw_ccd_edge_edge(start, end, desc, &now);
    if (result == BW_OK && earlier(&now, &best->first))
        *best = (bw_ccd_triangle_result){now, feature, a, b};
    return result;
}

bw_result bw_ccd_triangle_triangle(const bw_vec3 a_start[3], const bw_vec3 a_end[3], const bw_vec3 b_start[3],
                                   const bw_vec3 b_end[3], const bw_ccd_desc *desc,
                                   bw_ccd_triangle_result *out)
{
    if (a_start == NULL || a_end == NULL || b_start == NULL || b_end == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    const bw_vec3 *triangle[2][2] = {{a_start, a_end}, {b_start, b_end}};
    bw_ccd_triangle_result best = {bw_ccd_never(false), BW_CCD_NOTHING, 0, 0};
    /* The six before the static test: they check every coordinate. */
    for (int side = 0; side < 2; side++)
        for (uint32_t corner = 0; corner < 3; corner++) {
            bw_vec3 points[2][4];
            for (int time = 0; time < 2; time++) {
                points[time][0] = triangle[side][time][corner];
                for (int i = 0; i < 3; i++)
                    points[time][i + 1] = triangle[1 - side][time][i];
            }
            bw_result result =
                ask(true, points[0], points[1], desc, side == 0 ? BW_CCD_VERTEX_FACE : BW_CCD_FACE_VERTEX,
                    side == 0 ? corner : 0, side == 0 ? 0 : corner, &best);
            if (result != BW_OK)
                return result;
        }
    if (bw_triangle_triangle(a_start, b_start) != BW_CONTACT_NONE) {
        *out = (bw_ccd_triangle_result){{BW_CCD_CONTACT, false, 0.0, 0.0}, BW_CCD_START, 0, 0};
        return BW_OK;
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++) {
            bw_vec3 points[2][4];
            for (int time = 0; time < 2; time++) {
                points[time][0] = triangle[0][time][i];
                points[time][1] = triangle[0][time][(i + 1) % 3];
                points[time][2] = triangle[1][time][j];
                points[time][3] = triangle[1][time][(j + 1) % 3];
            }
            bw_result result = ask(false, points[0], points[1], desc, BW_CCD_EDGE_EDGE, i, j, &best);
            if (result != BW_OK)
                return result;
        }
    *out = best;
    return BW_OK;
}
