/* A flight through a city, with a sudden turn half-way: what is drawn without and with occlusion culling. */
#include "benches.h"
#include "scenes/balls.h"

#include <boxwood/cull.h>
#include <math.h>
#include <stdlib.h>

enum { FRAMES = 120, TURN = 60 };

typedef struct flight {
    bw_box *boxes;
    uint32_t count, houses;
    double side;
    bw_scene *scene;
    bw_cull *cull;
    bool occlusion;
    uint64_t drawn[FRAMES];
    float corners[24];
    bw_mesh mesh;
} flight;

static const uint32_t cube[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    flight *f = user;
    if (object->user >= f->houses)
        return false;
    const bw_box *box = &f->boxes[object->user];
    for (int v = 0; v < 8; v++)
        for (int a = 0; a < 3; a++)
            f->corners[3 * v + a] = (v >> a & 1) != 0 ? box->max[a] : box->min[a];
    f->mesh = (bw_mesh){.positions = f->corners, .vertex_count = 8, .indices = cube, .triangle_count = 12};
    *out = (bw_occluder){.mesh = &f->mesh, .closed = true};
    return true;
}

static bw_view view_at(const flight *f, int frame)
{
    /* Along a street at eye level, then a look back over the shoulder within one frame. */
    double t = (double)frame / FRAMES, angle = 0.15 * sin(6 * t) + (frame >= TURN ? 2.5 : 0);
    return (bw_view){.eye = {0.2 * f->side + 0.5 * f->side * t, 0.5 * f->side + 3, 2},
                     .forward = {cos(angle), sin(angle), 0.02},
                     .up = {0, 0, 1},
                     .fov_y = 1,
                     .aspect = 2};
}

static uint64_t fly(flight *f)
{
    uint64_t sum = 0;
    bw_cull_reset(f->cull);
    for (int i = 0; i < FRAMES; i++) {
        bw_view view = view_at(f, i);
        bw_cull_report report = {0};
        bw_result result = bw_cull_frame(f->cull, f->scene, &view, NULL, &report, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        f->drawn[i] = report.visible_count;
        sum += report.visible_count;
    }
    return sum;
}

static uint64_t fly_volume(flight *f)
{
    uint64_t sum = 0;
    for (int i = 0; i < FRAMES; i++) {
        bw_view view = view_at(f, i);
        bw_plane planes[6];
        uint32_t count;
        bw_scene_report report = {0};
        bool ok = bw_view_planes(&view, planes, &count, NULL) == BW_OK;
        const bw_region region = {.kind = BW_REGION_PLANES, .planes = planes, .plane_count = count};
        ok = ok && bw_scene_query(f->scene, &region, NULL, &report, NULL) == BW_OK;
        bench_require(ok, "a view query failed");
        sum += report.found_count;
    }
    return sum;
}

/* They see different things, so their results are not compared. */
static uint64_t run(void *self)
{
    (void)fly(self);
    return BENCH_NO_RESULT;
}

static uint64_t run_volume(void *self)
{
    (void)fly_volume(self);
    return BENCH_NO_RESULT;
}

static int compare_counts(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The most that a frame from begin to end draws, over the median of these frames: the steady set. */
static double worst_over_steady(const flight *f, int begin, int end)
{
    uint64_t sorted[FRAMES];
    int count = end - begin;
    for (int i = 0; i < count; i++)
        sorted[i] = f->drawn[begin + i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_counts);
    return sorted[count / 2] == 0 ? NAN : (double)sorted[count - 1] / (double)sorted[count / 2];
}

static void destroy(void *self)
{
    flight *f = self;
    bw_cull_destroy(f->cull);
    bw_scene_destroy(f->scene);
    free(f->boxes);
    free(f);
}

static flight *make(uint32_t count)
{
    flight *f = bench_alloc(1, sizeof *f);
    f->count = count;
    f->boxes = bench_alloc(count, sizeof *f->boxes);
    f->side = 100.0 * bws_city(count, 3, f->boxes, &f->houses);
    uint64_t *users = bench_alloc(count, sizeof *users);
    bw_id *ids = bench_alloc(count, sizeof *ids);
    for (uint32_t i = 0; i < count; i++)
        users[i] = i;
    bw_cull_desc desc = {.occluder_of = occluder_of, .user = f};
    bool ok = bw_scene_create(NULL, &f->scene, NULL) == BW_OK &&
              bw_scene_insert_many(f->scene, f->boxes, users, count, ids, NULL) == BW_OK &&
              bw_cull_create(&desc, &f->cull, NULL) == BW_OK;
    bench_require(ok, "the city could not be built");
    free(users);
    free(ids);
    return f;
}

void bench_occlusion(bench *b)
{
    static const uint32_t defaults[] = {100000};
    size_t count;
    const uint32_t *sizes = bench_sizes(b, defaults, 1, &count);
    for (size_t i = 0; i < count; i++) {
        bench_label size = bench_size_label(sizes[i]);
        bench_case *c = bench_case_begin(b, bench_format("city-%s", size.text).text, sizes[i], FRAMES);
        if (c == NULL)
            continue;
        flight *f = make(sizes[i]);
        bench_case_add(c,
                       (bench_impl){.name = "boxwood-occlusion", .self = f, .run = run, .destroy = destroy});
        bench_case_add(c, (bench_impl){.name = "boxwood-view-volume",
                                       .self = make(sizes[i]),
                                       .run = run_volume,
                                       .destroy = destroy});
        bench_case_measure(c);
        double with = (double)fly(f) / FRAMES, without = (double)fly_volume(f) / FRAMES;
        bench_case_metric(c, "boxwood-view-volume", "drawn", without, "objects");
        bench_case_metric(c, "boxwood-occlusion", "drawn", with, "objects");
        /* The first frame has no last one, and the first after the turn none that is like it. */
        bench_case_metric(c, "boxwood-occlusion", "first-frame", (double)f->drawn[0], "objects");
        bench_case_metric(c, "boxwood-occlusion", "frame-of-turn", (double)f->drawn[TURN], "objects");
        bench_case_metric(c, "boxwood-occlusion", "worst-before-turn-over-steady",
                          worst_over_steady(f, 0, TURN), "");
        bench_case_metric(c, "boxwood-occlusion", "worst-after-turn-over-steady",
                          worst_over_steady(f, TURN, FRAMES), "");
        bench_case_end(c);
    }
}
