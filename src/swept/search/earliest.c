/* The search for the earliest contact alone. Parts come in rounds, spread over the meshes so that the first
 * find a contact soon where there are some: each round knows the earliest of those before it, and each part
 * what it found itself, whoever does it. So the answer and the work are the same for any number of threads.
 */
#include "swept/search/earliest.h"
#include "swept/search/shorten.h"

#include "geom/box.h"

#include <math.h>
#include <string.h>

enum { FIRST_ROUND = 8 }; /* parts; each round after the second has twice as many as the one before */

/* Boxes for less of the step are made where those of edges shrink by this part, and not later than after this
 * part of the parts: to make them costs about an eighth of a search (the bench ccd-scene). */
static const double shorten_worth = 0.25, shorten_before = 0.75;
enum { SAMPLES = 512 };

/* The next rounds walk boxes up to a time. */
static bool walk_until(bw_swept_search *s, bw_swept shorter[2], double until)
{
    for (int side = 0; side < 2; side++)
        bw_swept_shorter_release(&shorter[side], s->allocator);
    bool good = bw_swept_shorten(s->a, until, s->allocator, s->query->tasks, &shorter[0]);
    if (good && s->a != s->b)
        good = bw_swept_shorten(s->b, until, s->allocator, s->query->tasks, &shorter[1]);
    s->walked_a = good ? &shorter[0] : s->a;
    s->walked_b = good ? &shorter[s->a != s->b] : s->b;
    double slack = 0x1p-20 * bw_swept_extent(s->a, s->b);
    s->walked_grow = bw_float_up((double)s->grow + slack);
    return good;
}

/* Along the axis where each is largest, about: how far vertices move during the step, and how large the boxes
 * of edges are. Where there are no edges these are as large. */
typedef struct sizes {
    double motion, box;
} sizes;

static sizes sizes_of(const bw_swept *s)
{
    sizes sum = {0, 0};
    const uint32_t vertex_step = s->vertex_count / SAMPLES + 1, edge_step = s->edge_count / SAMPLES + 1;
    for (uint32_t v = 0; v < s->vertex_count; v += vertex_step) {
        const double *at = s->paths[v].at;
        sum.motion += vertex_step * fmax(fabs(at[4] - at[0]), fmax(fabs(at[5] - at[1]), fabs(at[6] - at[2])));
    }
    sum.motion /= s->vertex_count;
    for (uint32_t e = 0; e < s->edge_count; e += edge_step) {
        const bw_box box = bw_swept_edge_box(s, e);
        sum.box += edge_step * (double)fmaxf(box.max[0] - box.min[0],
                                             fmaxf(box.max[1] - box.min[1], box.max[2] - box.min[2]));
    }
    sum.box = s->edge_count > 0 ? sum.box / s->edge_count : sum.motion;
    return sum;
}

/* Whether boxes up to a time are enough smaller than those up to a later one. */
static bool worth(const sizes *of, double until, double walked)
{
    return (walked - until) * of->motion > shorten_worth * (of->box - (1 - walked) * of->motion);
}

/* Odd, and about the golden part of the count: its multiples are spread evenly. */
static uint32_t stride_of(uint32_t count)
{
    uint32_t stride = (uint32_t)(0.618 * count) | 1;
    for (;; stride += 2) { /* until it shares no divisor with the count */
        uint32_t x = count, y = stride % count;
        while (y != 0) {
            uint32_t rest = x % y;
            x = y;
            y = rest;
        }
        if (x == 1)
            return stride;
    }
}

/* The earliest of the parts of a round. */
static double earliest_of(const bw_swept_search *s, uint32_t first, uint32_t count, uint32_t stride)
{
    double latest = s->latest;
    for (uint32_t i = 0; i < count; i++) {
        const bw_swept_contact *c = &bw_swept_part_of(s, first + i, stride)->report.earliest;
        if (c->feature != BW_CCD_NOTHING && c->first.time < latest)
            latest = c->first.time;
    }
    return latest;
}

bool bw_swept_run_earliest(bw_swept_search *s, bw_swept_worker *workers)
{
    bw_swept shorter[2];
    memset(shorter, 0, sizeof shorter);
    double walked = 1; /* up to which time boxes are */
    const sizes a = sizes_of(s->a), b = sizes_of(s->b), both = {a.motion + b.motion, a.box + b.box};
    bool good = true;
    uint32_t stride = s->part_count > 1 ? stride_of(s->part_count) : 1, count;
    for (uint32_t first = 0; good && first < s->part_count; first += count) {
        double until = bw_swept_until(s->latest, workers[0].tolerance);
        if (worth(&both, until, walked) && first < shorten_before * s->part_count) {
            good = walk_until(s, shorter, until);
            walked = until;
        }
        uint32_t left = s->part_count - first;
        count = first < FIRST_ROUND ? FIRST_ROUND : first;
        count = count < left ? count : left;
        if (good)
            bw_swept_run_round(s, workers, first, count, stride);
        s->latest = earliest_of(s, first, count, stride);
    }
    for (int side = 0; side < 2; side++)
        bw_swept_shorter_release(&shorter[side], s->allocator);
    return good;
}

/* Of the contacts that were met on the way the earliest counts. */
void bw_swept_keep_earliest(bw_swept_report *r)
{
    bw_ccd_feature feature = r->earliest.feature;
    r->contact_count = feature != BW_CCD_NOTHING;
    r->vertex_face_count = feature == BW_CCD_VERTEX_FACE || feature == BW_CCD_FACE_VERTEX;
    r->edge_edge_count = feature == BW_CCD_EDGE_EDGE;
    r->vertex_edge_count = feature == BW_CCD_VERTEX_EDGE || feature == BW_CCD_EDGE_VERTEX;
    r->vertex_vertex_count = feature == BW_CCD_VERTEX_VERTEX;
    r->close_count = r->earliest.first.answer == BW_CCD_CLOSE;
}
