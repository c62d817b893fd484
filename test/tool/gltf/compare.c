#include "tool/gltf/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/gltf/gltf.h"
#include "tool/gltf/oracle.h"

/* How far two triangles are apart, the second beginning at a corner. */
static double apart(const double *a, const double *b, size_t corner, size_t *where)
{
    double most = 0;
    for (size_t k = 0; k < 9; k++) {
        double d = fabs(a[k] - b[(k + 3 * corner) % 9]);
        if (!(d <= most)) {
            most = d;
            *where = k;
        }
    }
    return most;
}

typedef struct pair {
    const compare_desc *desc;
    const char *name;
    const model *m;
    const gltf *g;
    const oracle *o;
    size_t compared;
} pair;

static void compare_at(pair *p, const double *positions, int clip, double time, bool before)
{
    size_t count;
    double *wanted = oracle_triangles(p->o, clip, time, before, &count), low = DBL_MAX, high = -DBL_MAX;
    assert_int_equal(count, p->m->triangle_count);
    for (size_t i = 0; i < 9 * count; i++) {
        low = fmin(low, wanted[i]);
        high = fmax(high, wanted[i]);
    }
    double reach = (p->desc->accuracy > 0 ? p->desc->accuracy : 1e-6) * (high - low);
    for (size_t t = 0; t < count; t++) {
        double got[9];
        for (size_t k = 0; k < 3; k++)
            memcpy(got + 3 * k, positions + 3 * (size_t)p->m->indices[3 * t + k], 3 * sizeof *got);
        size_t k = 0, other;
        double most = apart(got, wanted + 9 * t, 0, &k);
        for (size_t corner = 1; corner < 3 && p->desc->turned; corner++)
            most = fmin(most, apart(got, wanted + 9 * t, corner, &other));
        if (!(most <= reach))
            fail_msg("%s: clip %d, %.9g s%s: triangle %zu, corner %zu, %c: %.17g instead of %.17g", p->name,
                     clip, time, before ? " (before)" : "", t, k / 3, "xyz"[k % 3], got[k],
                     wanted[9 * t + k]);
        p->compared += 3;
    }
    free(wanted);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compare_keys(const pair *p, uint32_t clip, const double *keys, size_t count)
{
    size_t merged, kept = 0;
    double *got = gltf_clip_keys(p->g, clip, &merged);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || keys[i] != keys[i - 1]) {
            assert_true(kept < merged && got[kept] == keys[i]);
            kept++;
        }
    assert_int_equal(kept, merged);
    free(got);
}

static void compare_clip(pair *p, uint32_t clip, double *out)
{
    size_t count, times = p->desc->times ? p->desc->times : 8;
    double *keys = oracle_keys(p->o, clip, &count);
    gltf_clip_info info = gltf_clip(p->g, clip);
    if (count > 0)
        qsort(keys, count, sizeof *keys, compare_times);
    if (info.strange_channels == 0)
        compare_keys(p, clip, keys, count);
    if (count > 0 && info.strange_channels == 0)
        assert_true(info.begin == keys[0] && info.end == keys[count - 1]);
    for (size_t i = 0; i < 2 * times + 2 && count > 0; i++) {
        double time = i < times        ? keys[i * (count - 1) / times]
                      : i == 2 * times ? keys[0] - 0.5
                      : i > 2 * times  ? keys[count - 1] + 0.5
                                      : keys[0] + (keys[count - 1] - keys[0]) * ((double)(i - times) + 0.37) /
                                                      (double)times;
        for (int before = 0; before < 2; before++) {
            gltf_positions(p->g, clip, time, before, out);
            compare_at(p, out, (int)clip, time, before);
        }
    }
    /* What does not bend is straight between keys. */
    for (size_t i = 0; i + 1 < count && !info.bends; i++) {
        size_t numbers = 3 * (size_t)p->m->vertex_count;
        double *ends[3], a = keys[i], b = keys[i + 1];
        if (a == b)
            continue;
        for (int k = 0; k < 3; k++)
            ends[k] = malloc((numbers + 1) * sizeof *ends[k]);
        gltf_positions(p->g, clip, a, false, ends[0]);
        gltf_positions(p->g, clip, b, true, ends[1]);
        gltf_positions(p->g, clip, a + (b - a) / 4, false, ends[2]);
        for (size_t k = 0; k < numbers; k++) {
            double straight = ends[0][k] * 0.75 + ends[1][k] * 0.25;
            assert_true(fabs(ends[2][k] - straight) <= 1e-6 * (1 + fabs(straight)));
        }
        for (int k = 0; k < 3; k++)
            free(ends[k]);
    }
    free(keys);
}

size_t compare_file(const char *name, const compare_desc *desc)
{
    gltf *g;
    model m;
    fault why;
    gltf_desc open = {.file = name, .bytes = desc->bytes, .size = desc->size, .alone = true};
    if (!gltf_open_bytes(&open, &g, &why) || !gltf_read_clips(g, &why) || !gltf_model(g, &m, &why) ||
        !model_flatten(&m, &why))
        fail_msg("%s", why.text);
    oracle *o =
        oracle_open(desc->plain ? desc->plain : desc->bytes, desc->plain ? desc->plain_size : desc->size);
    pair p = {.desc = desc, .name = name, .m = &m, .g = g, .o = o};
    assert_int_equal(m.vertex_count, gltf_vertex_count(g));
    compare_at(&p, m.positions, -1, 0, false);
    assert_int_equal(gltf_clip_count(g), oracle_clip_count(o));
    double *out = malloc((3 * (size_t)m.vertex_count + 1) * sizeof *out);
    gltf_positions(g, BW_NONE, 0, false, out);
    compare_at(&p, out, -1, 0, false);
    for (uint32_t i = 0; i < gltf_clip_count(g); i++)
        compare_clip(&p, i, out);
    free(out);
    oracle_close(o);
    gltf_close(g);
    model_free(&m);
    return p.compared;
}
