/* The queries of bench.py's batches in a bare loop of C: what is left of a batch's time is what Python costs. bench.py compiles
 * this against the library that BOXWOOD_LIBRARY names. */
#include <boxwood/boxwood.h>

uint64_t collide_loop(const double *vertices, uint32_t vertex_count, const uint32_t *faces,
                      uint32_t face_count, const double *poses, uint32_t count, uint32_t repeats);

/* How many of `count` poses (3x4, sixteen doubles apart) of a second body touch the first; BW_NONE: it failed. */
uint64_t collide_loop(const double *vertices, uint32_t vertex_count, const uint32_t *faces,
                      uint32_t face_count, const double *poses, uint32_t count, uint32_t repeats)
{
    const bw_mesh mesh = {.positions = vertices,
                          .scalar = BW_F64,
                          .vertex_count = vertex_count,
                          .indices = faces,
                          .triangle_count = face_count};
    bw_tree *trees[2] = {NULL, NULL};
    uint64_t found = 0;
    for (int i = 0; i < 2; i++)
        if (bw_tree_create(NULL, &mesh, &trees[i], NULL) != BW_OK)
            found = BW_NONE;
    const bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    for (uint32_t k = 0; k < repeats && found != BW_NONE; k++)
        for (uint32_t i = 0; i < count && found != BW_NONE; i++) {
            const bw_body a = {trees[0], &mesh, NULL};
            const bw_body b = {trees[1], &mesh, (const bw_transform *)(const void *)(poses + 16 * (size_t)i)};
            bw_collide_report report = BW_SIZED(bw_collide_report);
            if (bw_collide(&a, &b, &desc, &report, NULL) != BW_OK)
                found = BW_NONE;
            else
                found += report.hit_count != 0;
        }
    for (int i = 0; i < 2; i++)
        bw_tree_destroy(trees[i]);
    return found;
}
