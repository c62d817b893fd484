/* Trees when memory runs out: nothing is made, changed or left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <boxwood/tree.h>

#include "fault/ladder.h"
#include "oracle/failing_allocator.h"
#include "oracle/tree_forms.h"

typedef struct subject {
    bw_mesh mesh, moved, moved_part; /* moved_part: only the first quarter of the vertices */
    bw_tree_form form;
    uint32_t quarantine;
    bw_update_desc update;
} subject;

/* A number of everything that can be seen of a tree. */
static bool mix(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    uint64_t *h = user;
    uint32_t words[7] = {depth};
    memcpy(words + 1, box, sizeof *box);
    for (int i = 0; i < 7; i++)
        *h = (*h ^ words[i]) * 1099511628211u;
    for (uint32_t i = 0; i < count; i++)
        *h = (*h ^ primitives[i]) * 1099511628211u;
    return true;
}

static uint64_t fingerprint(const bw_tree *tree)
{
    uint64_t h = 1469598103934665603u;
    assert_int_equal(bw_tree_visit(tree, mix, &h, NULL), BW_OK);
    uint32_t count;
    const uint32_t *quarantine = bw_tree_quarantine(tree, &count);
    for (uint32_t i = 0; i < count; i++)
        h = (h ^ quarantine[i]) * 1099511628211u;
    return h;
}

static bw_tree_desc description(bw_failing_allocator *memory, const subject *s)
{
    return (bw_tree_desc){.builder = s->form.builder,
                          .volume = s->form.volume,
                          .compact = s->form.compact,
                          .quarantine = s->quarantine,
                          .allocator = &memory->hook};
}

static bw_result create(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_tree *untouched = (bw_tree *)user, *tree = untouched;
    bw_tree_desc desc = description(memory, s);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_create(&desc, &s->mesh, &tree, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_ptr_equal(tree, untouched);
        return result;
    }
    assert_null(bw_tree_check(tree, &s->mesh));
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes); /* statistics tell all that is held */
    bw_tree_destroy(tree);
    return result;
}

/* A tree of the subject, for the functions that need one. */
static bw_tree *made(bw_failing_allocator *memory, const subject *s)
{
    bw_tree *tree = NULL;
    bw_tree_desc desc = description(memory, s);
    assert_int_equal(bw_tree_create(&desc, &s->mesh, &tree, NULL), BW_OK);
    return tree;
}

static bw_result refit(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_tree *tree = made(memory, s);
    uint64_t before = fingerprint(tree);
    bw_update_report report = {0}, blank = {0};
    memset(&report, 0x77, sizeof report);
    report.size = 0;
    blank = report;
    bw_failing_allocator_fail(memory, n);
    bw_result result =
        bw_tree_update(tree, &s->moved, &(bw_update_desc){.count_changed = true}, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_true(fingerprint(tree) == before);
        assert_null(bw_tree_check(tree, &s->mesh));
        assert_memory_equal(&report, &blank, sizeof report);
    } else {
        assert_true(fingerprint(tree) != before);
        assert_null(bw_tree_check(tree, &s->moved));
    }
    bw_tree_destroy(tree);
    return result;
}

/* By every policy. What failed without memory succeeds when there is some. */
static bw_result update(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_tree *tree = made(memory, s);
    uint64_t before = fingerprint(tree);
    bw_update_report report = {0}, blank = {0};
    memset(&report, 0x77, sizeof report);
    report.size = 0;
    blank = report;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_update(tree, &s->moved, &s->update, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_true(fingerprint(tree) == before);
        assert_null(bw_tree_check(tree, &s->mesh));
        assert_memory_equal(&report, &blank, sizeof report);
        assert_int_equal(bw_tree_update(tree, &s->moved, &s->update, &report, NULL), BW_OK);
    }
    assert_null(bw_tree_check(tree, &s->moved));
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    bw_tree_destroy(tree);
    return result;
}

/* Lenses: none, or all, and statistics tell. */
static bw_result prepare(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_tree *tree = made(memory, s);
    const uint64_t before = fingerprint(tree), bytes = memory->live_bytes;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_prepare_distances(tree, &s->mesh, NULL, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true(fingerprint(tree) == before);
    assert_null(bw_tree_check(tree, &s->mesh));
    assert_true(result == BW_OK ? memory->live_bytes > bytes : memory->live_bytes == bytes);
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    bw_tree_destroy(tree);
    return result;
}

static void try_updates(subject *s)
{
    bool wide = s->form.volume == BW_VOLUME_AABB && s->form.builder != BW_BUILDER_MIDPOINT;
    if (wide)
        bw_each_allocation_failure(prepare, s, 1);
    for (int policy = BW_UPDATE_REFIT; policy <= BW_UPDATE_REBUILD; policy++) {
        s->update = (bw_update_desc){.policy = (bw_update_policy)policy};
        bw_each_allocation_failure(update, s, policy == BW_UPDATE_REBUILD);
        if (!wide)
            continue;
        /* Fewer than half of the vertices, as otherwise all are taken. */
        uint32_t quarter = s->mesh.vertex_count / 4;
        bw_vertex_range ranges[] = {{quarter / 2, quarter - quarter / 2}, {0, quarter * 2 / 3}};
        s->update.ranges = ranges;
        s->update.range_count = 2;
        bw_mesh moved = s->moved;
        s->moved = s->moved_part;
        bw_each_allocation_failure(update, s, policy != BW_UPDATE_AUTO);
        s->moved = moved;
    }
}

/* The layout for rays: as a whole, or as it was, which is none the first time. */
static bw_result prepare_rays(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_tree *tree = made(memory, s);
    bw_result result = BW_OK;
    bw_tree_stats before = {0}, after = {0};
    for (int again = 0; again < 2 && result == BW_OK; again++) {
        bw_tree_get_stats(tree, &before);
        bw_failing_allocator_fail(memory, n);
        result = bw_tree_prepare_rays(tree, &s->mesh, NULL, NULL);
        bw_failing_allocator_fail_none(memory);
        bw_tree_get_stats(tree, &after);
        assert_true(
            after.bytes == memory->live_bytes &&
            (result == BW_OK && again == 0 ? after.bytes > before.bytes : after.bytes == before.bytes));
        assert_null(bw_tree_check(tree, &s->mesh));
    }
    bw_tree_destroy(tree);
    return result;
}

static bw_result visit(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_tree *tree = made(memory, s);
    uint64_t before = fingerprint(tree), h = 1;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_visit(tree, mix, &h, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true(fingerprint(tree) == before);
    bw_tree_destroy(tree);
    return result;
}

/* A check without memory cannot tell; it must say so instead of finding the tree good. */
static bw_result check(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_tree *tree = made(memory, s);
    bw_failing_allocator_fail(memory, n);
    const char *fault = bw_tree_check(tree, &s->mesh);
    bw_failing_allocator_fail_none(memory);
    if (fault != NULL)
        assert_non_null(strstr(fault, "memory"));
    assert_null(bw_tree_check(tree, &s->mesh));
    bw_tree_destroy(tree);
    return fault == NULL ? BW_OK : BW_ERROR_MEMORY;
}

static void try_all(subject *s, bool deep)
{
    for (int i = 0; i < BW_TREE_FORMS; i++) {
        s->form = bw_tree_forms[i];
        bool reference = s->form.builder == BW_BUILDER_MIDPOINT && s->form.volume == BW_VOLUME_AABB;
        bool wide = s->form.builder != BW_BUILDER_MIDPOINT && s->form.volume == BW_VOLUME_AABB;
        bw_each_allocation_failure(create, s, 2);
        bw_each_allocation_failure(refit, s, s->form.volume == BW_VOLUME_OBB); /* which is rebuilt */
        try_updates(s);
        if (wide)
            bw_each_allocation_failure(prepare_rays, s, 2);
        bw_each_allocation_failure(visit, s, deep && reference);
        bw_each_allocation_failure(check, s, reference);
    }
}

static void try_mesh(bws_mesh *owned, bool deep)
{
    bws_mesh moved, part;
    assert_int_equal(bws_mesh_convert(owned, owned->scalar, &moved), BW_OK);
    assert_int_equal(bws_mesh_convert(owned, owned->scalar, &part), BW_OK);
    bw_transform pose = {{{1, 0.5, 0, 0}, {0, 2, 0, 0}, {0, 0, 0.25, 0}}};
    bws_mesh_transform(&moved, &pose);
    for (uint32_t v = 0; v < owned->vertex_count / 4; v++)
        bws_mesh_set_vertex(&part, v, bws_mesh_vertex(&moved, v));
    subject s = {.mesh = bws_view(owned), .moved = bws_view(&moved), .moved_part = bws_view(&part)};
    try_all(&s, deep);

    /* Some vertices that are not numbers: their triangles go to quarantine. */
    for (uint32_t v = 0; v < owned->vertex_count; v += 7) {
        bws_mesh_set_vertex(owned, v, (bw_vec3){NAN, 0, 0});
        bws_mesh_set_vertex(&moved, v, (bw_vec3){0, INFINITY, 0});
        bws_mesh_set_vertex(&part, v, (bw_vec3){0, INFINITY, 0});
    }
    s.quarantine = BW_DEFECTS_FATAL;
    try_all(&s, false);
    bws_mesh_free(&moved);
    bws_mesh_free(&part);
}

static void test_surface(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 16, .sides = 10}, BW_F32, &mesh), BW_OK);
    try_mesh(&mesh, false);
    bws_mesh_free(&mesh);
}

static void test_deep_tree(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(ladder_make(730, 0.1, &mesh), BW_OK);
    try_mesh(&mesh, true);
    bws_mesh_free(&mesh);
}

static void test_points(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_points(&(bws_points_desc){.count = 300}, BW_F64, &mesh), BW_OK);
    try_mesh(&mesh, false);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surface),
        cmocka_unit_test(test_deep_tree),
        cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
