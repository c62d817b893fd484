/* A reader in a process of its own: what it answers arrives, and if it crashes, ends or breaks off, that is a
 * fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "io/build.h"
#include "io/isolate.h"

static bool two_squares(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish;
    build b = build_start(file, "test", false);
    for (uint32_t part = 0; part < 2; part++) {
        build_part(&b, part == 0 ? "first" : "");
        for (uint32_t k = 0; k < 4; k++) {
            build_vertex(&b, (bw_vec3){part + (k == 1 || k == 2), k > 1, 0.1}, 0);
            build_corner(&b, 4 * part + k);
        }
        build_face(&b, 0);
    }
    b.model.losses.animations = 7;
    return build_finish(&b, out, why);
}

static bool three_points(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish;
    build b = build_start(file, "test", false);
    for (int k = 0; k < 3; k++)
        build_vertex(&b, (bw_vec3){k, 0, 0}, 0);
    return build_finish(&b, out, why);
}

static bool refuses(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish, (void)out;
    return fault_set(why, "%s: not today", file);
}

static bool crashes(const char *file, const void *wish, model *out, fault *why)
{
    (void)file, (void)wish, (void)out, (void)why;
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would report it as a bug of this test */
    raise(SIGSEGV);
    return true;
}

static bool ends(const char *file, const void *wish, model *out, fault *why)
{
    (void)file, (void)wish, (void)out, (void)why;
    _Exit(0);
}

static void test_model(void **state)
{
    (void)state;
    model here, there;
    fault why;
    assert_true(two_squares("name", NULL, &here, &why));
    assert_true(isolate_read(two_squares, "name", NULL, &there, &why));
    assert_string_equal(there.file, "name");
    assert_string_equal(there.format, "test");
    assert_int_equal(there.vertex_count, 8);
    assert_int_equal(there.triangle_count, 4);
    assert_memory_equal(there.positions, here.positions, 24 * sizeof(double));
    assert_memory_equal(there.indices, here.indices, 12 * sizeof(uint32_t));
    assert_memory_equal(there.faces, here.faces, 4 * sizeof(uint32_t));
    assert_int_equal(there.part_count, 2);
    assert_string_equal(there.parts[0].name, "first");
    assert_string_equal(there.parts[1].name, "");
    assert_int_equal(there.parts[1].first_triangle, 2);
    assert_int_equal(there.losses.animations, 7);
    assert_null(there.triangle_lines);
    model_free(&here);
    model_free(&there);
}

static void test_points(void **state)
{
    (void)state;
    model m;
    fault why;
    assert_true(isolate_read(three_points, "name", NULL, &m, &why));
    assert_int_equal(m.vertex_count, 3);
    assert_null(m.indices);
    assert_int_equal(m.part_count, 0);
    model_free(&m);
}

static void test_failures(void **state)
{
    (void)state;
    model m;
    fault why;
    assert_false(isolate_read(refuses, "name", NULL, &m, &why));
    assert_string_equal(why.text, "name: not today");
    assert_false(isolate_read(crashes, "name", NULL, &m, &why));
    assert_non_null(strstr(why.text, "name: the importer crashed on this file"));
    assert_false(isolate_read(ends, "name", NULL, &m, &why));
    assert_string_equal(why.text, "name: the importer ended without an answer");
}

/* A film of two squares: at a time t everything is moved by t along z; at 2 it has jumped by ten more. */
static void at_time(void *self, double time, bool before, double *out)
{
    const model *m = self;
    for (size_t i = 0; i < 3 * (size_t)m->vertex_count; i++)
        out[i] = m->positions[i] + (i % 3 == 2 ? time + (time > 2 || (time == 2 && !before) ? 10 : 0) : 0);
}

static void dies_at_three(void *self, double time, bool before, double *out)
{
    at_time(self, time, before, out);
    signal(SIGSEGV, SIG_DFL);
    if (time >= 3)
        raise(SIGSEGV);
}

static bool plays(const char *file, const animation_desc *desc, model *out, sampler *s, fault *why)
{
    static model m;
    if (!two_squares(file, NULL, &m, why))
        return false;
    m.unit = 0.01;
    m.up = MODEL_UP_Y;
    m.clips = tool_alloc(1, sizeof *m.clips);
    m.clips[m.clip_count++] = (model_clip){tool_copy("lift"), 0, 4, 1, 5};
    *out = m;
    *s = (sampler){.positions = desc->fps == 3 ? dies_at_three : at_time, .self = &m};
    s->keys = tool_alloc(5, sizeof *s->keys);
    s->jumps = tool_alloc(1, sizeof *s->jumps);
    for (; s->key_count < 5; s->key_count++)
        s->keys[s->key_count] = (double)s->key_count;
    s->jumps[s->jump_count++] = 2;
    return sampler_find_clip(out, desc->clip, &s->clip, why);
}

static void test_frames(void **state)
{
    (void)state;
    static const double times[6] = {0, 1, 2, 2, 3, 4}, lifts[6] = {0, 1, 2, 12, 13, 14};
    model m;
    stream frames;
    fault why;
    float frame[24];
    assert_true(isolate_play(plays, "name", &(animation_desc){.rate = 1}, &m, &frames, &why));
    assert_int_equal(m.vertex_count, 8);
    assert_true(m.unit == 0.01 && m.up == MODEL_UP_Y);
    assert_int_equal(m.clip_count, 1);
    assert_string_equal(m.clips[0].name, "lift");
    assert_string_equal(frames.clip, "lift");
    assert_int_equal(frames.frame_count, 6);
    assert_memory_equal(frames.times, times, sizeof times);
    for (int i = 0; i < 6; i++) {
        assert_true(stream_next(&frames, &m, frame, &why));
        for (size_t k = 0; k < 24; k++)
            assert_true(frame[k] == (float)(m.positions[k] + (k % 3 == 2 ? lifts[i] : 0)));
    }
    stream_close(&frames);
    model_free(&m);
    /* A reader that stops early ends the child. */
    assert_true(isolate_play(plays, "name", &(animation_desc){.rate = 1}, &m, &frames, &why));
    assert_true(stream_next(&frames, &m, frame, &why));
    stream_close(&frames);
    model_free(&m);
    /* Crashes, and a fault before the first frame. */
    assert_true(isolate_play(plays, "name", &(animation_desc){.rate = 1, .fps = 3}, &m, &frames, &why));
    int got = 0;
    while (stream_next(&frames, &m, frame, &why))
        got++;
    assert_true(got <= 4); /* what waits in the pipe's buffer is lost with the child */
    assert_string_equal(why.text, "name: the importer ended before its last frame");
    stream_close(&frames);
    model_free(&m);
    assert_false(isolate_play(plays, "name", &(animation_desc){.clip = "drop"}, &m, &frames, &why));
    assert_string_equal(why.text, "name: no animation \"drop\"; there are 1: \"lift\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_model), cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_failures), cmocka_unit_test(test_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
