/* A tree whose primitives come and go, whose mesh grows and moves, and which is saved, damaged and loaded:
 * after every step its check holds and it holds exactly the primitives it should, or, on an error that the
 * step deserves, the ones it held. */
#include <math.h>

#include <boxwood/collide.h>

#include "fuzz/pipeline_mesh.h"
#include "tree/kind.h"
#include "tree/serialize/serialize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 256, STEPS = 40 };

typedef struct history {
    bytes b;
    fuzz_mesh m;
    uint32_t vertices, primitives; /* of the whole mesh; the view shows fewer before it grows */
    bw_tree *tree;
    bool in[MOST], out[MOST]; /* in the tree; in quarantine */
} history;

static bool collect(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    (void)box;
    (void)depth;
    bool *seen = user;
    for (uint32_t i = 0; i < count; i++) {
        if (primitives[i] >= MOST) /* damaged bytes may be the tree of a larger mesh */
            continue;
        must(!seen[primitives[i]]);
        seen[primitives[i]] = true;
    }
    return true;
}

static void expect(const bw_tree *tree, const history *h)
{
    const char *fault = bw_tree_check(tree, &h->m.mesh);
    if (fault != NULL)
        fprintf(stderr, "%s\n", fault);
    must(fault == NULL);
    bool seen[MOST] = {false};
    must(bw_tree_visit(tree, collect, seen, NULL) == BW_OK);
    must(memcmp(seen, h->in, sizeof seen) == 0);
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOST; i++)
        count += h->in[i];
    must(stats.primitives == count && isfinite(stats.sah_cost));
}

/* Mostly what can be inserted, or removed; now and then anything. */
static uint32_t take_list(history *h, bool present, uint32_t list[MOST])
{
    uint32_t count = 0, shown = bw_mesh_primitive_count(&h->m.mesh);
    uint8_t share = bytes_u8(&h->b), how = bytes_u8(&h->b);
    for (uint32_t i = 0; i < shown; i++) {
        bool able = h->in[i] == present && !h->out[i] &&
                    (present || bw_defect_result(fuzz_mesh_defect(&h->m.mesh, i)) == BW_OK);
        if ((able || how < 8) && (how >= 250 || bytes_u8(&h->b) < share))
            list[count++] = i;
    }
    if (how >= 8 && how < 16 && count < MOST)
        list[count++] = bytes_u8(&h->b) < 128 ? bytes_u8(&h->b) : UINT32_MAX;
    for (uint32_t i = count; i > 1 && how >= 128; i--) { /* in any order */
        uint32_t j = bytes_u8(&h->b) % i, other = list[i - 1];
        list[i - 1] = list[j];
        list[j] = other;
    }
    return count;
}

static void try_insert(history *h)
{
    uint32_t list[MOST], count = take_list(h, false, list), shown = bw_mesh_primitive_count(&h->m.mesh);
    bool twice[MOST] = {false}, wrong = false, any = false;
    bw_result result = bw_tree_insert(h->tree, &h->m.mesh, list, count, NULL);
    bool index = false, defect = false;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] >= shown) {
            index = true;
            continue;
        }
        wrong |= h->in[list[i]] || h->out[list[i]] || twice[list[i]];
        twice[list[i]] = true;
        bw_result blame = bw_defect_result(fuzz_mesh_defect(&h->m.mesh, list[i]));
        defect |= blame != BW_OK;
        any |= blame != BW_OK && result == blame;
    }
    if (!wrong && !index && !defect)
        must(result == BW_OK);
    else
        must((wrong && result == BW_ERROR_ARGUMENT) || (index && result == BW_ERROR_INDEX) || any);
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        h->in[list[i]] = true;
}

static void try_remove(history *h)
{
    uint32_t list[MOST], count = take_list(h, true, list);
    bool twice[MOST] = {false}, good = true;
    bw_result result = bw_tree_remove(h->tree, &h->m.mesh, list, count, NULL);
    for (uint32_t i = 0; i < count; i++) {
        good = good && list[i] < MOST && h->in[list[i]] && !twice[list[i]];
        if (good)
            twice[list[i]] = true;
    }
    must(result == (good ? BW_OK : BW_ERROR_ARGUMENT));
    for (uint32_t i = 0; i < count && good; i++)
        h->in[list[i]] = false;
}

/* Shows more of the mesh; the tree learns of it by an insertion, of nothing for a start. */
static void grow(history *h)
{
    bw_mesh before = h->m.mesh;
    uint32_t v = h->vertices - before.vertex_count, t = h->primitives - before.triangle_count;
    h->m.mesh.vertex_count += bytes_u8(&h->b) % (v + 1);
    if (before.indices != NULL)
        h->m.mesh.triangle_count += bytes_u8(&h->b) % (t + 1);
    must(bw_tree_insert(h->tree, &h->m.mesh, NULL, 0, NULL) == BW_OK);
    if (h->m.mesh.vertex_count != before.vertex_count || h->m.mesh.triangle_count != before.triangle_count) {
        must(bw_tree_insert(h->tree, &before, NULL, 0, NULL) == BW_ERROR_MISMATCH);
        must(bw_tree_remove(h->tree, &before, NULL, 0, NULL) == BW_ERROR_MISMATCH);
    }
}

/* Moves a range of at most half of the vertices, or all. */
static void move(history *h)
{
    char *before = malloc(h->m.bytes + 1);
    must(before != NULL);
    memcpy(before, h->m.positions, h->m.bytes);
    uint32_t shown = h->m.mesh.vertex_count;
    uint8_t how = bytes_u8(&h->b);
    bw_vertex_range range = {bytes_u8(&h->b) % (shown + 1), 0};
    range.count = (shown - range.first) / 2;
    bw_update_desc desc = {.policy = (bw_update_policy)(how % 3), .count_changed = (how & 8) != 0};
    fuzz_mesh_move(&h->m, &h->b);
    if (how & 16) {
        desc.ranges = &range;
        desc.range_count = 1;
        size_t from = fuzz_mesh_offset(&h->m, range.first);
        size_t to = fuzz_mesh_offset(&h->m, range.first + range.count);
        memcpy(h->m.positions, before, from < h->m.bytes ? from : h->m.bytes);
        if (to < h->m.bytes)
            memcpy((char *)h->m.positions + to, before + to, h->m.bytes - to);
    }
    bw_result blame = BW_OK;
    for (uint32_t i = 0; i < MOST && blame == BW_OK; i++)
        if (h->in[i])
            blame = bw_defect_result(fuzz_mesh_defect(&h->m.mesh, i));
    must(bw_tree_update(h->tree, &h->m.mesh, &desc, NULL, NULL) == blame);
    if (blame != BW_OK)
        memcpy(h->m.positions, before, h->m.bytes);
    free(before);
}

/* Bytes of which some were changed, with a checksum that says they were not. */
static void damage(history *h, uint8_t *saved, size_t size)
{
    uint32_t words = (uint32_t)(size / 4 - 2), changes = 1 + bytes_u8(&h->b) % 4;
    for (uint32_t i = 0; i < changes; i++) {
        uint16_t where;
        bytes_take(&h->b, &where, sizeof where);
        uint8_t *at = saved + 4 * (where % words), how = bytes_u8(&h->b);
        if (how < 128)
            at[how % 4] ^= (uint8_t)(1u << (how / 4 % 8));
        else
            bytes_take(&h->b, at, 4);
    }
    uint64_t sum = bw_word_checksum(saved, size - 8);
    bw_word_writer w = {saved + size - 8};
    bw_write_word(&w, (uint32_t)sum);
    bw_write_word(&w, (uint32_t)(sum >> 32));
}

static void save_and_load(history *h)
{
    size_t size = bw_tree_saved_size(h->tree);
    uint8_t *saved = malloc(size + 4);
    bw_tree *loaded = NULL;
    must(saved != NULL);
    if (size == 0) {
        must(bw_tree_save(h->tree, saved, 0, NULL) == BW_ERROR_UNSUPPORTED);
        free(saved);
        return;
    }
    must(bw_tree_save(h->tree, saved, size - 4, NULL) == BW_ERROR_ARGUMENT);
    must(bw_tree_save(h->tree, saved, size, NULL) == BW_OK);
    must(bw_tree_load(saved, size, NULL, &loaded, NULL) == BW_OK && bw_tree_saved_size(loaded) == size);
    expect(loaded, h);
    uint8_t *again = malloc(size);
    must(again != NULL && bw_tree_save(loaded, again, size, NULL) == BW_OK &&
         memcmp(saved, again, size) == 0);
    free(again);
    bw_tree_destroy(h->tree);
    h->tree = loaded; /* and go on with it */
    must(bw_tree_load(saved, bytes_u8(&h->b) % size, NULL, &loaded, NULL) == BW_ERROR_FORMAT);
    damage(h, saved, size);
    bw_result result = bw_tree_load(saved, size, NULL, &loaded, NULL);
    must(result == BW_OK || result == BW_ERROR_FORMAT || result == BW_ERROR_VERSION);
    if (result == BW_OK) { /* whatever it is, it is a tree */
        must(bw_tree_check(loaded, NULL) == NULL);
        bool seen[MOST] = {false};
        must(bw_tree_visit(loaded, collect, seen, NULL) == BW_OK);
        (void)bw_tree_check(loaded, &h->m.mesh);
        bw_tree_destroy(loaded);
    }
    free(saved);
}

static bool begin(history *h)
{
    uint8_t how = bytes_u8(&h->b);
    fuzz_mesh_take(&h->m, &h->b);
    if (!h->m.readable) {
        fuzz_mesh_free(&h->m);
        return false;
    }
    h->vertices = h->m.mesh.vertex_count;
    h->primitives = h->m.mesh.triangle_count;
    if (how & 8) { /* a part of it, for a start */
        h->m.mesh.vertex_count -= h->vertices / 3;
        h->m.mesh.triangle_count -= h->primitives / 2;
    }
    bw_tree_desc desc = {.builder = how & 1 ? BW_BUILDER_FAST : BW_BUILDER_QUALITY,
                         .compact = (how & 2) != 0,
                         .quarantine = how & 4 ? BW_DEFECTS_ALL : BW_DEFECTS_FATAL};
    if (bw_tree_create(&desc, &h->m.mesh, &h->tree, NULL) != BW_OK) {
        fuzz_mesh_free(&h->m);
        return false;
    }
    if (how & 16) /* as if its leaves were long: the first edit has to drop them */
        must(bw_wide_make_obbs(&h->tree->wide, NULL) == BW_OK);
    uint32_t quarantined, shown = bw_mesh_primitive_count(&h->m.mesh);
    const uint32_t *quarantine = bw_tree_quarantine(h->tree, &quarantined);
    for (uint32_t i = 0; i < quarantined; i++)
        h->out[quarantine[i]] = true;
    for (uint32_t i = 0; i < shown; i++)
        h->in[i] = !h->out[i];
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static history h;
    memset(&h, 0, sizeof h);
    h.b = (bytes){data, size, 0};
    uint8_t steps = bytes_u8(&h.b);
    if (steps >= 128)
        bytes_go_on(&h.b);
    if (!begin(&h))
        return 0;
    expect(h.tree, &h);
    for (int step = 0; step < steps % STEPS; step++) {
        uint8_t what = bytes_u8(&h.b) % 8;
        if (what < 3)
            try_insert(&h);
        else if (what < 5)
            try_remove(&h);
        else if (what == 5)
            move(&h);
        else if (what == 6)
            grow(&h);
        else
            save_and_load(&h);
        expect(h.tree, &h);
    }
    bw_tree_destroy(h.tree);
    fuzz_mesh_free(&h.m);
    return 0;
}
