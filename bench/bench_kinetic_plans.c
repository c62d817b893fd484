/* Two expanding spheres, of whose vertices some reverse their velocity in every frame: the queue takes the
 * new plans and goes on, against a refit of everything. The rows `-whole` time everything: taking the plans,
 * positions and boxes (kinetic_script.h). */
#include "benches.h"
#include "kinetic_script.h"

#include "kinetic/kinetic.h"

#include <math.h>
#include <stdlib.h>

enum { FRAMES = 40 };

static double a_little; /* the queue's time over the refit's with the fewest changes */

/* So many vertices of each frame, none twice, in random order. */
static void write_script(kinetic_script *s, uint32_t changes)
{
    uint32_t n = s->mesh.vertex_count;
    bench_require(changes * FRAMES <= n, "more changes than vertices");
    uint32_t *order = bench_alloc(n, sizeof *order);
    bws_random r = bws_random_seeded(7);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t j = (uint32_t)bws_random_below(&r, v + 1);
        order[v] = order[j];
        order[j] = v;
    }
    for (uint32_t i = 0; i < changes * FRAMES; i++)
        kinetic_script_turn(s, i / changes, order[i]);
    free(order);
}

static void run_case(bench *b, uint32_t size, double percent)
{
    bench_label label = bench_size_label(size);
    bench_case *c =
        bench_case_begin(b, bench_format("spheres-%s-%g%%", label.text, percent).text, size, FRAMES);
    if (c == NULL)
        return;
    bench_case_steps(c, FRAMES);
    kinetic_script in;
    kinetic_script_make(&in, size, FRAMES);
    uint32_t changes = (uint32_t)(percent / 100 * in.mesh.vertex_count + 0.999);
    write_script(&in, changes);
    kinetic_follower_add(c, &in, "boxwood-refit", BW_KINETIC_REFIT, false);
    kinetic_follower *queue = kinetic_follower_add(c, &in, "boxwood-queue", BW_KINETIC_QUEUE, false);
    kinetic_follower *chosen = kinetic_follower_add(c, &in, "boxwood-auto", BW_KINETIC_AUTO, false);
    kinetic_follower_add(c, &in, "boxwood-refit-whole", BW_KINETIC_REFIT, true);
    kinetic_follower_add(c, &in, "boxwood-auto-whole", BW_KINETIC_AUTO, true);
    bench_case_measure(c);
    if (queue != NULL) {
        bw_kinetic_stats stats = {0};
        bw_kinetic_get_stats(queue->kinetic, &stats);
        bench_case_metric(c, "boxwood-queue", "events-per-frame", (double)queue->events / FRAMES, "");
        bench_case_metric(c, "boxwood-queue", "changes-per-frame", changes, "");
        bench_case_metric(c, "boxwood-queue", "bytes-per-triangle",
                          (double)stats.bytes / in.mesh.triangle_count, "B");
    }
    if (chosen != NULL)
        bench_case_metric(c, "boxwood-auto", "method", chosen->kinetic->method, "");
    if (percent == 0.02 && queue != NULL)
        a_little = bench_case_time(c, "boxwood-queue") / bench_case_time(c, "boxwood-refit");
    /* The cost of the queue grows with the changes, by the power between two cases: where it meets the
     * refit's. */
    if (percent == 0.1 && queue != NULL) {
        double more = bench_case_time(c, "boxwood-queue") / bench_case_time(c, "boxwood-refit");
        double slope = log(more / a_little) / log(0.1 / 0.02);
        bench_case_metric(c, "boxwood-queue", "break-even", 0.02 * pow(1 / a_little, 1 / slope), "%");
    }
    bench_case_end(c);
    kinetic_script_free(&in);
}

void bench_kinetic_plans(bench *b)
{
    static const uint32_t sizes[] = {40000};
    static const double percents[] = {0.02, 0.1, 0.3, 1};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 1, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sizeof percents / sizeof *percents; j++)
            run_case(b, chosen[i], percents[j]);
}
