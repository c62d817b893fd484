/* Insertion, removal, saved trees and trees of user primitives when memory runs out: nothing is made, changed
 * or left behind. Parts that are rebuilt to mend a tree are rebuilt if there is memory: without it an edit
 * succeeds all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <boxwood/tree.h>

#include "oracle/failing_allocator.h"
#include "scenes/scenes.h"

typedef struct subject {
    bw_mesh mesh;
    bool compact;
    uint32_t *list; /* what comes, or goes */
    uint32_t count;
    bool insert;
    uint64_t mended; /* refusals after which the edit succeeded */
} subject;

static bw_tree *made(bw_failing_allocator *memory, const subject *s)
{
    bw_tree *tree = NULL;
    bw_tree_desc desc = {.compact = s->compact, .allocator = &memory->hook};
    assert_int_equal(bw_tree_create(&desc, &s->mesh, &tree, NULL), BW_OK);
    if (s->insert)
        assert_int_equal(bw_tree_remove(tree, &s->mesh, s->list, s->count, NULL), BW_OK);
    return tree;
}

static bw_result edit(bw_tree *tree, const subject *s)
{
    return s->insert ? bw_tree_insert(tree, &s->mesh, s->list, s->count, NULL)
                     : bw_tree_remove(tree, &s->mesh, s->list, s->count, NULL);
}

/* All that is seen of a tree: the bytes it is saved as. */
static uint8_t *picture(const bw_tree *tree, size_t *size)
{
    *size = bw_tree_saved_size(tree);
    uint8_t *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    if (*size > 0)
        assert_int_equal(bw_tree_save(tree, bytes, *size, NULL), BW_OK);
    return bytes;
}

static void edit_without_memory(subject *s)
{
    uint32_t left = s->mesh.triangle_count - (s->insert ? 0 : s->count);
    for (uint64_t n = 1;; n++) {
        bw_failing_allocator memory;
        bw_failing_allocator_init(&memory);
        bw_tree *tree = made(&memory, s);
        size_t size, after_size;
        uint8_t *before = picture(tree, &size);
        bw_failing_allocator_fail(&memory, n);
        bw_result result = edit(tree, s);
        uint64_t refused = memory.refused;
        bw_failing_allocator_fail_none(&memory);
        if (result != BW_OK) {
            assert_int_equal(result, BW_ERROR_MEMORY);
            assert_true(refused > 0);
            uint8_t *after = picture(tree, &after_size);
            assert_int_equal(size, after_size);
            assert_memory_equal(before, after, size);
            free(after);
            assert_int_equal(edit(tree, s), BW_OK);
        } else {
            s->mended += refused;
        }
        assert_null(bw_tree_check(tree, &s->mesh));
        bw_tree_stats stats = {0};
        bw_tree_get_stats(tree, &stats);
        assert_int_equal(stats.primitives, left);
        assert_int_equal(stats.bytes, memory.live_bytes);
        bw_tree_destroy(tree);
        free(before);
        assert_int_equal(memory.live_blocks, 0);
        if (refused == 0) {
            assert_true(n > 1); /* there was something to refuse */
            return;
        }
    }
}

static void test_edits(void **state)
{
    (void)state;
    bws_mesh torus;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 24, .sides = 12}, BW_F32, &torus), BW_OK);
    subject s = {.mesh = bws_view(&torus)};
    const uint32_t n = s.mesh.triangle_count, counts[] = {1, 20, n / 5, n / 2, n - 1, n};
    s.list = malloc(n * sizeof *s.list);
    assert_non_null(s.list);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int form = 0; form < 4; form++) {
            s.compact = form & 1;
            s.insert = form & 2;
            s.count = counts[i];
            for (uint32_t k = 0; k < s.count; k++)
                s.list[k] =
                    (uint32_t)((uint64_t)k * 97 % n); /* all over the tree: 97 and n have no divisor */
            edit_without_memory(&s);
        }
    assert_true(s.mended > 0);
    free(s.list);
    bws_mesh_free(&torus);
}

typedef struct saved {
    uint8_t *bytes;
    size_t size;
    const bw_mesh *mesh;
} saved;

static bw_result load(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const saved *s = user;
    bw_tree *untouched = (bw_tree *)user, *tree = untouched;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_load(s->bytes, s->size, &memory->hook, &tree, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_ptr_equal(tree, untouched);
        return result;
    }
    assert_null(bw_tree_check(tree, s->mesh));
    bw_tree_destroy(tree);
    return result;
}

static void test_saved(void **state)
{
    (void)state;
    bws_mesh torus;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 16, .sides = 10}, BW_F64, &torus), BW_OK);
    bws_mesh_set_vertex(&torus, 3, (bw_vec3){NAN, 0, 0});
    bw_mesh mesh = bws_view(&torus);
    for (int i = 0; i < 2; i++) {
        bw_tree *tree = NULL;
        bw_tree_desc desc = {.compact = i, .quarantine = BW_DEFECTS_FATAL};
        assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
        saved s = {NULL, 0, &mesh};
        s.bytes = picture(tree, &s.size);
        bw_each_allocation_failure(load, &s, 5);
        free(s.bytes);
        bw_tree_destroy(tree);
    }
    bws_mesh_free(&torus);
}

static void give_box(void *user, uint32_t primitive, bw_box *out)
{
    float shift = *(float *)user, x = (float)(primitive % 17), y = (float)(primitive / 17);
    *out = (bw_box){{x + shift, y, 0}, {x + shift + 2, y + 1.5f, 1}};
}

static bw_result create_user(bw_failing_allocator *memory, uint64_t n, void *user)
{
    float shift = 0;
    bw_primitives primitives = {300, give_box, &shift};
    bw_tree *untouched = user, *tree = untouched;
    bw_tree_desc desc = {.allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_create_user(&desc, &primitives, &tree, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_ptr_equal(tree, untouched);
        return result;
    }
    assert_null(bw_tree_check(tree, NULL));
    bw_tree_destroy(tree);
    return result;
}

static bw_result refit_user(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    float shift = 0;
    bw_primitives primitives = {300, give_box, &shift};
    bw_tree *tree = NULL;
    bw_tree_desc desc = {.allocator = &memory->hook};
    assert_int_equal(bw_tree_create_user(&desc, &primitives, &tree, NULL), BW_OK);
    shift = 100;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_refit_user(tree, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true(bw_tree_bounds(tree).min[0] == (result == BW_OK ? 100.0f : 0.0f));
    assert_null(bw_tree_check(tree, NULL));
    bw_tree_destroy(tree);
    return result;
}

static void test_user(void **state)
{
    bw_each_allocation_failure(create_user, state, 3);
    bw_each_allocation_failure(refit_user, state, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
