/* Part stores: what is written is read back to the last bit; every bit that is flipped, and every cut, is noticed; the cache
 * keeps to its bytes and gives threads what they ask for. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle/random.h"
#include "store/cache.h"
#include "store/writer.h"

#include <boxwood/pool.h>

static char path[64], other[80];

/* A mesh of the test's own, as it was given to the writer. */
typedef struct sample {
    double *positions; /* what is expected back, before the pose */
    float *floats;
    uint32_t *indices, *faces, *lines;
    uint32_t vertices, triangles;
    bool in_floats, points;
    bw_transform pose;
    bool posed;
} sample;

static double small_number(bws_random *r, bool as_float)
{
    double x = 4 * bws_random_unit(r) - 2;
    return as_float ? (double)(float)x : x;
}

static sample make_sample(bws_random *r)
{
    sample s = {.in_floats = bws_random_below(r, 2), .points = bws_random_below(r, 5) == 0};
    s.vertices = 3 + (uint32_t)bws_random_below(r, bws_random_below(r, 12) == 0 ? 70000 : 40);
    s.triangles = 1 + (uint32_t)bws_random_below(r, 60);
    s.positions = tool_alloc(s.vertices, 3 * sizeof *s.positions);
    s.floats = tool_alloc(s.vertices, 3 * sizeof *s.floats);
    bool as_float = s.in_floats || bws_random_below(r, 2);
    for (size_t i = 0; i < 3 * (size_t)s.vertices; i++) {
        s.positions[i] = small_number(r, as_float);
        s.floats[i] = (float)s.positions[i];
    }
    if (!s.points) {
        s.indices = tool_alloc(s.triangles, 3 * sizeof *s.indices);
        for (size_t i = 0; i < 3 * (size_t)s.triangles; i++)
            s.indices[i] = (uint32_t)bws_random_below(r, s.vertices);
        if (bws_random_below(r, 2)) {
            s.faces = tool_alloc(s.triangles, sizeof *s.faces);
            for (uint32_t i = 0; i < s.triangles; i++)
                s.faces[i] = bws_random_below(r, 3) ? i : i / 2;
        }
        if (bws_random_below(r, 2)) {
            s.lines = tool_alloc(s.triangles, sizeof *s.lines);
            for (uint32_t i = 0; i < s.triangles; i++)
                s.lines[i] = 10 + 3 * i;
        }
    }
    s.posed = bws_random_below(r, 2);
    s.pose = bw_transform_compose((bw_vec3){small_number(r, false), 3, 1}, (bw_vec3){0, 1, 2},
                                  bws_random_unit(r), (bw_vec3){1, 0.5, 2});
    return s;
}

static void free_sample(sample *s)
{
    free(s->positions);
    free(s->floats);
    free(s->indices);
    free(s->faces);
    free(s->lines);
}

static bw_mesh view_of(const sample *s)
{
    return (bw_mesh){.positions = s->in_floats ? (const void *)s->floats : s->positions,
                     .scalar = s->in_floats ? BW_F32 : BW_F64,
                     .vertex_count = s->vertices,
                     .indices = s->indices,
                     .triangle_count = s->points ? 0 : s->triangles};
}

static const bw_box some_box = {{-9, -9, -9}, {9, 9, 9}};

static void write_store(const char *to, const sample *samples, uint32_t count, uint32_t copies, bool trees)
{
    store_writer w;
    fault why;
    assert_true(store_writer_open(&w, to, &why));
    assert_true(store_writer_file(&w, "some/file.obj", &why));
    for (uint32_t i = 0; i < count; i++) {
        const sample *s = &samples[i];
        store_source source = {.view = view_of(s),
                               .faces = s->faces,
                               .lines = s->lines,
                               .pose = s->posed && copies == 1 ? &s->pose : NULL};
        store_block block;
        store_new_part part = {.first_triangle = i, .box = some_box};
        assert_true(store_encode(&source, trees, &block, &why));
        assert_true(store_writer_mesh(&w, &block, &part.mesh, &why));
        free(block.bytes);
        char name[32];
        snprintf(name, sizeof name, "part \"%" PRIu32 "\"", i);
        part.name = name;
        part.pose = s->posed ? &s->pose : NULL;
        for (uint32_t k = 0; k < copies; k++)
            assert_true(store_writer_part(&w, &part, &why));
    }
    assert_true(store_writer_close(&w, true, 0.001, 2, &why));
}

static void compare_mesh(const store *s, uint32_t mesh, const sample *from, uint32_t copies)
{
    store_buffer buffer = {NULL, 0};
    store_geometry g;
    fault why;
    assert_true(store_read(s, mesh, &buffer, &g, &why));
    assert_int_equal(g.view.vertex_count, from->vertices);
    for (uint32_t v = 0; v < from->vertices; v++) {
        const double *p = from->positions + 3 * (size_t)v;
        bw_vec3 wanted = {p[0], p[1], p[2]}, got = bw_mesh_vertex(&g.view, v);
        if (from->posed && copies == 1)
            wanted = bw_transform_point(&from->pose, wanted);
        assert_memory_equal(&wanted, &got, sizeof got);
    }
    assert_int_equal(bw_mesh_primitive_count(&g.view), from->points ? from->vertices : from->triangles);
    if (!from->points)
        assert_memory_equal(g.view.indices, from->indices, 12 * (size_t)from->triangles);
    for (uint32_t i = 0; i < from->triangles && !from->points; i++) {
        assert_int_equal(g.faces ? g.faces[i] : i, from->faces ? from->faces[i] : i);
        assert_int_equal(g.lines ? g.lines[i] : 0, from->lines ? from->lines[i] : 0);
    }
    bw_tree *tree = NULL;
    assert_true(store_tree(s, mesh, &g, &tree, &why));
    assert_null(bw_tree_check(tree, &g.view));
    bw_tree_destroy(tree);
    store_geometry_free(&g);
    free(buffer.bytes);
}

static void round_trip(bws_random *r, void *user)
{
    (void)user;
    sample samples[6];
    uint32_t copies = 1 + (uint32_t)bws_random_below(r, 2);
    bool trees = bws_random_below(r, 2);
    for (int i = 0; i < 6; i++)
        samples[i] = make_sample(r);
    write_store(path, samples, 6, copies, trees);
    store s;
    fault why;
    if (!store_open(&s, path, &why))
        fail_msg("%s", why.text);
    assert_int_equal(s.part_count, 6 * copies);
    assert_int_equal(s.mesh_count, 6);
    assert_string_equal(store_file_path(&s, 0), "some/file.obj");
    assert_true(s.tail.unit == 0.001 && s.tail.up == 2);
    for (uint32_t i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "part \"%" PRIu32 "\"", i);
        assert_string_equal(store_part_name(&s, i * copies), name);
        assert_int_equal(s.parts[i * copies].first_triangle, i);
        assert_memory_equal(&s.boxes[i], &some_box, sizeof some_box);
        assert_true((store_part_pose(&s, i * copies) != NULL) == (samples[i].posed && copies > 1));
        compare_mesh(&s, i, &samples[i], copies);
    }
    store_close(&s);
    for (int i = 0; i < 6; i++)
        free_sample(&samples[i]);
}

static void test_round_trip(void **state)
{
    (void)state;
    BW_EACH_SEED(40, round_trip, NULL);
}

/* Whether anything of a store can be read, and why not. */
static bool all_readable(const char *file, fault *why)
{
    store s;
    store_buffer buffer = {NULL, 0};
    if (!store_open(&s, file, why))
        return false;
    bool fine = true;
    for (uint32_t i = 0; i < s.mesh_count && fine; i++) {
        store_geometry g;
        fine = store_read(&s, i, &buffer, &g, why);
        if (fine)
            store_geometry_free(&g);
    }
    free(buffer.bytes);
    store_close(&s);
    return fine;
}

static unsigned char *whole_file(const char *file, size_t *size)
{
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static void write_bytes(const char *file, const unsigned char *bytes, size_t size)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static bool is_padding(const store_tail *t, size_t at)
{
    for (int i = 0; i < STORE_TABLES; i++) {
        uint64_t end = t->tables[i].offset + t->tables[i].bytes;
        if (at >= end && at < (end + STORE_ALIGN - 1) / STORE_ALIGN * STORE_ALIGN)
            return true;
    }
    return false;
}

static sample small_sample(bws_random *r)
{
    sample s = make_sample(r);
    while (s.vertices > 20 || s.points) {
        free_sample(&s);
        s = make_sample(r);
    }
    return s;
}

static void test_every_flipped_bit_is_noticed(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(bw_random_seed_from_env(1));
    sample samples[2] = {small_sample(&r), small_sample(&r)};
    write_store(path, samples, 2, 1, true);
    size_t size;
    unsigned char *bytes = whole_file(path, &size);
    store_tail tail;
    memcpy(&tail, bytes + size - sizeof tail, sizeof tail);
    fault why;
    assert_true(all_readable(path, &why));
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= (unsigned char)(1 << bws_random_below(&r, 8));
        unsigned char changed = bytes[at];
        write_bytes(other, bytes, size);
        bool fine = all_readable(other, &why);
        if (fine != is_padding(&tail, at))
            fail_msg("byte %zu of %zu was changed to %u: %s", at, size, changed,
                     fine ? "nobody noticed" : why.text);
        if (!fine)
            assert_memory_equal(why.text, other, strlen(other)); /* names the file */
        free(bytes);
        bytes = whole_file(path, &size);
    }
    for (size_t cut = 0; cut < size; cut += 1 + cut / 40) {
        write_bytes(other, bytes, cut);
        assert_false(all_readable(other, &why));
        assert_memory_equal(why.text, other, strlen(other));
    }
    free(bytes);
    free_sample(&samples[0]);
    free_sample(&samples[1]);
}

static void test_unfinished_stores_leave_nothing(void **state)
{
    (void)state;
    write_bytes(path, (const unsigned char *)"kept", 4);
    store_writer w;
    fault why;
    assert_true(store_writer_open(&w, path, &why));
    store_writer second;
    assert_false(store_writer_open(&second, path, &why)); /* one at a time */
    assert_true(store_writer_file(&w, "a", &why));
    assert_false(store_writer_close(&w, false, 0, 0, &why));
    size_t size;
    unsigned char *bytes = whole_file(path, &size);
    assert_int_equal(size, 4);
    free(bytes);
    snprintf(other, sizeof other, "%s.unfinished", path);
    assert_int_equal(access(other, F_OK), -1);
    assert_false(store_writer_open(&w, "/nowhere/at/all", &why));
    assert_non_null(strstr(why.text, "/nowhere/at/all"));
}

typedef struct asking {
    store_cache *cache;
    const sample *samples;
    uint32_t count;
    uint64_t seed;
} asking;

static void ask(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const asking *a = context;
    for (uint32_t i = begin; i < end; i++) {
        bws_random r = bws_random_seeded(a->seed + i);
        uint32_t mesh[2] = {(uint32_t)bws_random_below(&r, a->count),
                            (uint32_t)bws_random_below(&r, a->count)};
        store_held held[2];
        fault why;
        for (int k = 0; k < 2; k++)
            if (!store_cache_hold(a->cache, worker, mesh[k], &held[k], &why))
                abort();
        for (int k = 0; k < 2; k++) {
            const sample *s = &a->samples[mesh[k]];
            if (held[k].view->vertex_count != s->vertices || bw_tree_check(held[k].tree, held[k].view))
                abort();
        }
        for (int k = 0; k < 2; k++)
            store_cache_release(a->cache, &held[k]);
    }
}

static void test_cache(void **state)
{
    (void)state;
    enum { COUNT = 60, ASKED = 4000 };
    bws_random r = bws_random_seeded(bw_random_seed_from_env(1));
    sample samples[COUNT];
    for (int i = 0; i < COUNT; i++)
        samples[i] = small_sample(&r);
    write_store(path, samples, COUNT, 1, false);
    store s;
    fault why;
    assert_true(store_open(&s, path, &why));
    bw_pool *pool = NULL;
    assert_int_equal(bw_pool_create(4, &pool, NULL), BW_OK);
    const bw_tasks *tasks = bw_pool_tasks(pool);
    uint64_t reads = 0;
    const size_t limits[3] = {0, 40000, SIZE_MAX / 2};
    for (int k = 0; k < 3; k++) {
        asking a = {store_cache_create(&s, limits[k], 4), samples, COUNT, bw_random_seed_from_env(1)};
        tasks->parallel_for(tasks->user, ask, &a, ASKED, 8);
        store_cache_counts counts = store_cache_get_counts(a.cache);
        assert_int_equal(counts.used, 2 * ASKED);
        assert_true(counts.reads >= COUNT && (k == 0 || counts.reads <= reads));
        if (k == 1) /* eight meshes may be held or on their way beyond it, each of less than 10 kB */
            assert_true(counts.most_bytes <= 40000 + 8 * 10000);
        if (k == 2)
            assert_int_equal(counts.reads, COUNT);
        reads = counts.reads;
        store_cache_destroy(a.cache);
    }
    bw_pool_destroy(pool);
    store_close(&s);
    for (int i = 0; i < COUNT; i++)
        free_sample(&samples[i]);
}

/* Meshes are given up when they were held as often as was said; who asks more often is served all the same. */
static void test_cache_that_knows_its_uses(void **state)
{
    (void)state;
    enum { COUNT = 60, ASKED = 4000 };
    bws_random r = bws_random_seeded(bw_random_seed_from_env(1));
    const uint64_t seed = bw_random_seed_from_env(1);
    sample samples[COUNT];
    for (int i = 0; i < COUNT; i++)
        samples[i] = small_sample(&r);
    write_store(path, samples, COUNT, 1, false);
    store s;
    fault why;
    assert_true(store_open(&s, path, &why));
    bw_pool *pool = NULL;
    assert_int_equal(bw_pool_create(4, &pool, NULL), BW_OK);
    const bw_tasks *tasks = bw_pool_tasks(pool);
    asking a = {store_cache_create(&s, SIZE_MAX / 2, 4), samples, COUNT, seed};
    uint32_t *uses = calloc(COUNT, sizeof *uses);
    assert_non_null(uses);
    for (uint32_t i = 0; i < ASKED; i++) { /* as ask does */
        bws_random own = bws_random_seeded(seed + i);
        uses[bws_random_below(&own, COUNT)]++;
        uses[bws_random_below(&own, COUNT)]++;
    }
    store_cache_expect(a.cache, uses);
    tasks->parallel_for(tasks->user, ask, &a, ASKED, 8);
    assert_int_equal(store_cache_get_counts(a.cache).reads, COUNT); /* none was given up too early */
    tasks->parallel_for(tasks->user, ask, &a, ASKED, 8);
    assert_true(store_cache_get_counts(a.cache).reads >= 2 * COUNT); /* all were, at the end */
    store_cache_destroy(a.cache);
    bw_pool_destroy(pool);
    store_close(&s);
    for (int i = 0; i < COUNT; i++)
        free_sample(&samples[i]);
}

/* A mesh that cannot be read is told to everybody who asks, and asked for again afterwards. */
static void test_cache_of_a_damaged_store(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(bw_random_seed_from_env(1));
    sample samples[2] = {small_sample(&r), small_sample(&r)};
    write_store(path, samples, 2, 1, false);
    size_t size;
    unsigned char *bytes = whole_file(path, &size);
    bytes[sizeof(store_head) + 5] ^= 4;
    write_bytes(path, bytes, size);
    free(bytes);
    store s;
    fault why;
    store_held held;
    assert_true(store_open(&s, path, &why));
    store_cache *cache = store_cache_create(&s, 1 << 20, 1);
    for (int i = 0; i < 3; i++) {
        assert_false(store_cache_hold(cache, 0, 0, &held, &why));
        assert_non_null(strstr(why.text, "mesh 0 at byte 64 is damaged (checksum)"));
        assert_true(store_cache_hold(cache, 0, 1, &held, &why));
        store_cache_release(cache, &held);
    }
    store_cache_destroy(cache);
    store_close(&s);
    free_sample(&samples[0]);
    free_sample(&samples[1]);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/boxwood-store-%ld.bws", (long)getpid());
    snprintf(other, sizeof other, "%s.other", path);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_every_flipped_bit_is_noticed),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cache_that_knows_its_uses),
        cmocka_unit_test(test_cache_of_a_damaged_store),
        cmocka_unit_test(test_unfinished_stores_leave_nothing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(other, sizeof other, "%s.other", path);
    remove(path);
    remove(other);
    return failed;
}
