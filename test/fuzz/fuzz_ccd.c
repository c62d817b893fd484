/* Continuous queries on arbitrary motions: the answer against exact roots, with a separation against sampled
 * distances, two triangles against their fifteen pairs. */
#include "fuzz/bytes.h"
#include "oracle/ccd_oracle.h"

#include <boxwood/ccd.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_answer(const bw_ccd_result *answer, const bw_ccd_truth *truth)
{
    must(answer->time >= 0 && answer->time <= answer->time_after && answer->time_after <= 1);
    if (answer->answer == BW_CCD_APART)
        must(!truth->contact);
    if (answer->answer == BW_CCD_CONTACT)
        must(truth->contact && answer->time_after >= truth->after);
    if (truth->contact)
        must(answer->time <= truth->before);
}

static bw_vec3 between(const bw_vec3 *a, const bw_vec3 *b, double t)
{
    return (bw_vec3){a->x * (1 - t) + b->x * t, a->y * (1 - t) + b->y * t, a->z * (1 - t) + b->z * t};
}

/* A separation: whatever is nearer at a sampled time is found, and not later. */
static void check_near(bytes *b, const bw_vec3 start[4], const bw_vec3 end[4], bool edges)
{
    double scale = 0;
    for (int i = 0; i < 4; i++)
        scale = fmax(scale, fmax(fmax(fabs(start[i].x) + fabs(end[i].x), fabs(start[i].y) + fabs(end[i].y)),
                                 fabs(start[i].z) + fabs(end[i].z)));
    bw_ccd_desc desc = {.separation = scale * (double)(1 + bytes_u8(b)) / 1024, .tolerance = 0x1p-20};
    bw_ccd_result answer;
    must((edges ? bw_ccd_edge_edge : bw_ccd_vertex_face)(start, end, &desc, &answer) ==
         (desc.separation >= 0 ? BW_OK : BW_ERROR_ARGUMENT));
    for (int step = 0; step <= 16; step++) {
        double t = step / 16.0;
        bw_vec3 p[4];
        for (int i = 0; i < 4; i++)
            p[i] = between(&start[i], &end[i], t);
        bw_vec3 first[3] = {p[0], edges ? p[1] : p[0], p[0]},
                second[3] = {p[edges ? 2 : 1], p[edges ? 3 : 2], p[3]};
        double distance = sqrt(bw_triangle_distance2(first, second, NULL, NULL));
        if (distance < desc.separation * (1 - 1e-9) - 1e-9 * scale)
            must(answer.answer != BW_CCD_APART && answer.time <= t);
        if (answer.answer == BW_CCD_APART || t < answer.time)
            must(distance >= desc.separation * (1 - 1e-9) - 1e-9 * scale);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    uint8_t style = bytes_u8(&b), more = bytes_u8(&b);
    if (more & 1)
        bytes_go_on(&b);
    bw_vec3 start[6], end[6];
    for (int i = 0; i < 6; i++) {
        start[i].x = bytes_coordinate(&b, style);
        start[i].y = bytes_coordinate(&b, style);
        start[i].z = (more & 2) ? 1 : bytes_coordinate(&b, style);
        end[i].x = bytes_coordinate(&b, style);
        end[i].y = bytes_coordinate(&b, style);
        end[i].z = (more & 2) ? 1 : bytes_coordinate(&b, style);
    }
    bw_ccd_result answer;
    must(bw_ccd_vertex_face(start, end, NULL, &answer) == BW_OK);
    bw_ccd_truth truth = bw_oracle_ccd(false, start, end);
    check_answer(&answer, &truth);
    must(bw_ccd_edge_edge(start, end, NULL, &answer) == BW_OK);
    truth = bw_oracle_ccd(true, start, end);
    check_answer(&answer, &truth);
    check_near(&b, start, end, (more & 4) != 0);
    bw_ccd_triangle_result triangles;
    must(bw_ccd_triangle_triangle(start, end, start + 3, end + 3, NULL, &triangles) == BW_OK);
    bool meet = bw_triangle_triangle(start, start + 3) != BW_CONTACT_NONE;
    must(meet == (triangles.feature == BW_CCD_START));
    if (triangles.feature == BW_CCD_NOTHING) {
        must(triangles.first.answer == BW_CCD_APART);
        must(bw_triangle_triangle(end, end + 3) == BW_CONTACT_NONE);
    }
    return 0;
}
