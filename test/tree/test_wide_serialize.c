/* Trees as bytes: what is saved is loaded again bit by bit, and nothing that is damaged is taken for a tree.
 */
#include "oracle/failing_allocator.h"
#include "oracle/random.h"
#include "tree/serialize/serialize.h"
#include "wide_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct saved {
    uint8_t *bytes;
    size_t size;
} saved;

static saved save(const bw_tree *tree)
{
    saved s = {NULL, bw_tree_saved_size(tree)};
    assert_true(s.size > 0);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    memset(s.bytes, 0x5a, s.size);
    assert_int_equal(bw_tree_save(tree, s.bytes, s.size, NULL), BW_OK);
    return s;
}

static bw_tree *make_tree(const bw_mesh *mesh, bw_builder builder, bool compact)
{
    bw_tree *tree = NULL;
    bw_tree_desc desc = {.builder = builder, .compact = compact, .quarantine = BW_DEFECTS_ALL};
    assert_int_equal(bw_tree_create(&desc, mesh, &tree, NULL), BW_OK);
    return tree;
}

static bws_mesh make_mesh(bws_random *random, uint32_t most)
{
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    bws_mesh mesh;
    uint32_t size = (uint32_t)bws_random_int(random, 1, most);
    bw_scalar scalar = bws_random_bool(random) ? BW_F64 : BW_F32;
    assert_int_equal(scenes[bws_random_below(random, count)].make(size, scalar, &mesh), BW_OK);
    for (uint32_t v = 0; v < mesh.vertex_count; v += 97) /* some for quarantine, if others are left */
        if (mesh.vertex_count > 300)
            bws_mesh_set_vertex(&mesh, v, (bw_vec3){1e200, 0, 0});
    return mesh;
}

static void round_trip(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = make_mesh(random, 1500);
    bw_mesh view = bws_view(&mesh);
    bw_tree *tree = make_tree(&view, bws_random_bool(random) ? BW_BUILDER_FAST : BW_BUILDER_QUALITY,
                              bws_random_bool(random));
    saved s = save(tree), again;
    bw_tree *copy = NULL;
    assert_int_equal(bw_tree_load(s.bytes, s.size, NULL, &copy, NULL), BW_OK);
    assert_null(bw_tree_check(copy, &view));
    wide_test_same(&tree->wide, &copy->wide);
    uint32_t a, b;
    const uint32_t *left = bw_tree_quarantine(tree, &a), *right = bw_tree_quarantine(copy, &b);
    assert_int_equal(a, b);
    if (a > 0)
        assert_memory_equal(left, right, a * sizeof *left);
    again = save(copy);
    assert_int_equal(again.size, s.size);
    assert_memory_equal(again.bytes, s.bytes, s.size);
    assert_int_equal(bw_tree_update(copy, &view, NULL, NULL, NULL), BW_OK);
    assert_null(bw_tree_check(copy, &view));
    free(again.bytes);
    free(s.bytes);
    bw_tree_destroy(copy);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

static void test_round_trip(void **state)
{
    (void)state;
    BW_EACH_SEED(60, round_trip, NULL);
}

static void refused(const uint8_t *bytes, size_t size, bw_result want)
{
    bw_tree *tree = (bw_tree *)1;
    assert_int_equal(bw_tree_load(bytes, size, NULL, &tree, NULL), want);
    assert_true(tree == (bw_tree *)1);
}

/* Any change of any bit is noticed; so is any other length. */
static void damage(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = make_mesh(random, 200);
    bw_mesh view = bws_view(&mesh);
    bw_tree *tree = make_tree(&view, BW_BUILDER_QUALITY, bws_random_bool(random));
    saved s = save(tree);
    for (int i = 0; i < 300; i++) {
        size_t at = i < 100 ? (size_t)i : bws_random_below(random, s.size);
        uint8_t bit = (uint8_t)(1u << bws_random_below(random, 8));
        s.bytes[at] ^= bit;
        refused(s.bytes, s.size, at >= 8 && at < 12 ? BW_ERROR_VERSION : BW_ERROR_FORMAT);
        s.bytes[at] ^= bit;
    }
    for (size_t size = 0; size < s.size; size += size < 200 ? 1 : 37)
        refused(s.bytes, size, BW_ERROR_FORMAT);
    free(s.bytes);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

static void test_damage(void **state)
{
    (void)state;
    BW_EACH_SEED(20, damage, NULL);
}

/* Words changed by someone who knows the checksum: either refused, or a tree that passes its check and can be
 * worked with. */
static void forge(bws_random *random, void *user)
{
    uint32_t *accepted = user;
    bws_mesh mesh = make_mesh(random, 200);
    bw_mesh view = bws_view(&mesh);
    bw_tree *tree = make_tree(&view, BW_BUILDER_FAST, bws_random_bool(random));
    saved s = save(tree);
    uint8_t *forged = malloc(s.size);
    assert_non_null(forged);
    for (int i = 0; i < 300; i++) {
        memcpy(forged, s.bytes, s.size);
        uint32_t changes = (uint32_t)bws_random_int(random, 1, 3);
        for (uint32_t c = 0; c < changes; c++) {
            size_t at = 12 + 4 * bws_random_below(random, bws_random_bool(random) ? 27 : (s.size - 20) / 4);
            uint32_t word =
                bws_random_bool(random) ? bws_random_u32(random) : (uint32_t)bws_random_below(random, 40);
            bw_word_writer w = {forged + at};
            bw_write_word(&w, word);
        }
        uint64_t sum = bw_word_checksum(forged, s.size - 8);
        bw_word_writer w = {forged + s.size - 8};
        bw_write_word(&w, (uint32_t)sum);
        bw_write_word(&w, (uint32_t)(sum >> 32));
        bw_tree *loaded = NULL;
        bw_result result = bw_tree_load(forged, s.size, NULL, &loaded, NULL);
        if (result != BW_OK) {
            assert_int_equal(result, BW_ERROR_FORMAT);
            continue;
        }
        ++*accepted;
        const char *wrong = bw_tree_check(loaded, NULL);
        if (wrong != NULL)
            fail_msg("%s", wrong);
        if (loaded->mesh_vertices == view.vertex_count &&
            loaded->mesh_primitives == bw_mesh_primitive_count(&view) &&
            loaded->points == (view.indices == NULL)) {
            bw_result refit = bw_tree_update(loaded, &view, NULL, NULL, NULL);
            assert_true(refit == BW_OK ||
                        refit == BW_ERROR_RANGE); /* what was in quarantine may be in the tree now */
        }
        bw_tree_destroy(loaded);
    }
    free(forged);
    free(s.bytes);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

static void test_forgery(void **state)
{
    (void)state;
    uint32_t accepted = 0;
    BW_EACH_SEED(40, forge, &accepted);
    assert_true(accepted >
                0); /* fields that may be anything, such as costs, show that the checksum was right */
}

static void test_refusals(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(2);
    bws_mesh mesh = make_mesh(&random, 100);
    bw_mesh view = bws_view(&mesh);
    bw_tree *tree = make_tree(&view, BW_BUILDER_QUALITY, false);
    saved s = save(tree);
    assert_int_equal(bw_tree_save(tree, s.bytes, s.size - 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_save(NULL, s.bytes, s.size, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_save(tree, NULL, s.size, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_saved_size(NULL), 0);
#if BW_RESEARCH
    bw_tree *binary = make_tree(&view, BW_BUILDER_MIDPOINT, false);
    assert_int_equal(bw_tree_saved_size(binary), 0);
    assert_int_equal(bw_tree_save(binary, s.bytes, s.size, NULL), BW_ERROR_UNSUPPORTED);
    bw_tree_destroy(binary);
#endif
    assert_int_equal(bw_tree_load(s.bytes, s.size, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_tree *out;
    assert_int_equal(bw_tree_load(NULL, s.size, NULL, &out, NULL), BW_ERROR_ARGUMENT);
    free(s.bytes);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

static bw_result load_under_fault(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const saved *s = user;
    bw_tree *tree = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_load(s->bytes, s->size, &memory->hook, &tree, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result == BW_OK)
        bw_tree_destroy(tree);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(7);
    for (int compact = 0; compact < 2; compact++) {
        bws_mesh mesh = make_mesh(&random, 1000);
        bw_mesh view = bws_view(&mesh);
        bw_tree *tree = make_tree(&view, BW_BUILDER_FAST, compact != 0);
        saved s = save(tree);
        bw_each_allocation_failure(load_under_fault, &s, 5);
        free(s.bytes);
        bw_tree_destroy(tree);
        bws_mesh_free(&mesh);
    }
}

/* An allocator that refuses more than its user can want. */
static void *refuse_much(void *user, size_t size, size_t alignment)
{
    return size > *(const size_t *)user
               ? NULL
               : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give_back(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

/* A tree that says it is of a thousand million triangles, of which it holds a few: loading it takes no more
 * memory than the bytes that are there, and a triangle that stands in it twice is still found. */
static void test_sparse(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_soup(&(bws_soup_desc){.triangles = 60}, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_tree *tree = make_tree(&view, BW_BUILDER_FAST, false);
    uint32_t first = tree->wide.primitives[0];
    assert_int_equal(bw_tree_remove(tree, &view, &first, 1, NULL), BW_OK); /* edited: some may be missing */
    saved s = save(tree);
    size_t limit = 4 * s.size;
    const bw_allocator allocator = {refuse_much, give_back, &limit};
    bw_word_writer count = {s.bytes + 4 * 7};
    bw_write_word(&count, 1u << 30);
    for (int twice = 0; twice < 2; twice++) {
        if (twice == 1) { /* the second slot of the first leaf that has two names what is in the first */
            const uint32_t a = tree->wide.primitives[0], b = tree->wide.primitives[1];
            bool found = false;
            for (size_t at = 4 * 27; at + 8 <= s.size && !found; at += 4) {
                bw_word_reader r = {s.bytes + at};
                found = bw_read_word(&r) == a && bw_read_word(&r) == b;
                if (found) {
                    bw_word_writer w = {s.bytes + at + 4};
                    bw_write_word(&w, a);
                }
            }
            assert_true(found);
        }
        const uint64_t sum = bw_word_checksum(s.bytes, s.size - 8);
        bw_word_writer w = {s.bytes + s.size - 8};
        bw_write_word(&w, (uint32_t)sum);
        bw_write_word(&w, (uint32_t)(sum >> 32));
        bw_tree *loaded = NULL;
        assert_int_equal(bw_tree_load(s.bytes, s.size, &allocator, &loaded, NULL),
                         twice ? BW_ERROR_FORMAT : BW_OK);
        bw_tree_destroy(loaded);
    }
    free(s.bytes);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),  cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_forgery), cmocka_unit_test(test_refusals),   cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
