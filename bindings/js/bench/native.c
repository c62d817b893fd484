/* The native side of bench/native.mjs: the same work on the same mesh, CPU milliseconds of each, best of several, one per line.
 * usage: native FILE ROUNDS */
#include "../test/native/reader.h"

#include <inttypes.h>
#include <time.h>

static bw_mesh mesh;
static bw_tree *tree, *deforming;
static uint32_t pose_count, point_count, ray_count;
static const bw_transform *poses;
static const bw_vec3 *points;
static bw_ray *rays;
static bw_hit *hits;
static bw_nearest_hit *nearest;
static bw_ray_hit *ray_hits;
enum { MOST = 1 << 20, CLOSE = 8 };

static void any(void)
{
    for (uint32_t i = 0; i < pose_count; i++) {
        const bw_body a = {tree, &mesh, NULL}, b = {tree, &mesh, &poses[i]};
        bw_collide_report report = {0};
        succeed(bw_collide(&a, &b, NULL, &report, NULL), NULL);
    }
}
static void all(void)
{
    for (uint32_t i = 0; i < CLOSE; i++) {
        const bw_body a = {tree, &mesh, NULL}, b = {tree, &mesh, &poses[i]};
        const bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
        bw_collide_report report = {0};
        succeed(bw_collide(&a, &b, &desc, &report, NULL), NULL);
    }
}
static void near_points(void)
{
    const bw_body body = {tree, &mesh, NULL};
    succeed(bw_nearest_many(&body, points, point_count, NULL, nearest, NULL, NULL), NULL);
}
static void cast(void)
{
    const bw_body body = {tree, &mesh, NULL};
    succeed(bw_raycast_many(&body, rays, ray_count, NULL, ray_hits, NULL, NULL), NULL);
}
static void refit(void)
{
    succeed(bw_tree_update(deforming, &mesh, NULL, NULL, NULL), NULL);
}
static void build(bw_builder builder)
{
    bw_tree *made = NULL;
    succeed(bw_tree_create(&(bw_tree_desc){.builder = builder}, &mesh, &made, NULL), NULL);
    bw_tree_destroy(made);
}
static void build_fast(void)
{
    build(BW_BUILDER_FAST);
}
static void build_quality(void)
{
    build(BW_BUILDER_QUALITY);
}

int main(int count, char **words)
{
    require(count == 3, "usage: native FILE ROUNDS");
    reader r = read_file(words[1]);
    const int rounds = atoi(words[2]);
    uint32_t n;
    mesh.positions = read_array(&r, 4, &n);
    mesh.vertex_count = n / 3;
    mesh.indices = read_array(&r, 4, &n);
    mesh.triangle_count = n / 3;
    poses = read_array(&r, 8, &n);
    pose_count = n / 12;
    points = read_array(&r, 8, &n);
    point_count = n / 3;
    const double *rows = read_array(&r, 8, &n);
    ray_count = n / 6;
    rays = room(ray_count, sizeof *rays);
    hits = room(MOST, sizeof *hits);
    nearest = room(point_count, sizeof *nearest);
    ray_hits = room(ray_count, sizeof *ray_hits);
    for (uint32_t i = 0; i < ray_count; i++, rows += 6)
        rays[i] = (bw_ray){.origin = {rows[0], rows[1], rows[2]}, .direction = {rows[3], rows[4], rows[5]}};
    succeed(bw_tree_create(NULL, &mesh, &tree, NULL), NULL);
    succeed(bw_tree_create(&(bw_tree_desc){.deforms = true}, &mesh, &deforming, NULL), NULL);
    static void (*const works[])(void) = {any, all, near_points, cast, refit, build_fast, build_quality};
    for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
        double best = 1e300;
        for (int k = 0; k < rounds; k++) {
            int times = 0;
            const clock_t start = clock();
            do {
                works[w]();
                times++;
            } while (clock() - start < CLOCKS_PER_SEC / 50);
            const double ms = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC / times;
            best = ms < best ? ms : best;
        }
        printf("%.6f\n", best);
    }
    bw_tree_destroy(tree);
    bw_tree_destroy(deforming);
    free(rays);
    free(hits);
    free(nearest);
    free(ray_hits);
    free(r.bytes);
    return 0;
}
