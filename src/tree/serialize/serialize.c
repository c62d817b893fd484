/* Saving and loading trees: the header, its checks, and dispatch by kind. */
#include "tree/serialize/serialize.h"

#include "base/fault.h"
#include "base/serial.h"

#include "tree/kind.h"
#include "tree/wide/deferred.h"

/* Begins like no text, and shows when line ends were changed on the way. */
static const uint32_t magic[2] = {0x54574289u, 0x0a1a0a0du}; /* \x89 B W T \r \n \x1a \n */

enum { VERSION = 1, HEAD_WORDS = 11, SUM_WORDS = 2 };

static uint64_t total_words(const bw_wide_head *head, uint32_t quarantined)
{
    return HEAD_WORDS + BW_WIDE_HEAD_WORDS + (uint64_t)quarantined + bw_wide_body_words(head) + SUM_WORDS;
}

size_t bw_tree_saved_size(const bw_tree *tree)
{
    if (tree == NULL || tree->kind != &bw_kind_wide || tree->owner.box != NULL || tree->wide.node_count == 0)
        return 0;
    bw_wide_head head = bw_wide_head_of(&tree->wide);
    return (size_t)(4 * total_words(&head, tree->quarantined));
}

bw_result bw_tree_save(const bw_tree *tree, void *buffer, size_t size, bw_fault *fault)
{
    if (tree == NULL || buffer == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const size_t whole = bw_tree_saved_size(tree);
    if (whole == 0)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    if (size != whole)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_wide_complete(&tree->wide);
    bw_word_writer w = {buffer};
    bw_write_words(&w, magic, 2);
    bw_write_word(&w, VERSION);
    bw_write_word(&w, (uint32_t)tree->builder);
    bw_write_word(&w, tree->compact);
    bw_write_word(&w, tree->points);
    bw_write_word(&w, tree->edited);
    bw_write_word(&w, tree->mesh_primitives);
    bw_write_word(&w, tree->mesh_vertices);
    bw_write_word(&w, tree->primitives);
    bw_write_word(&w, tree->quarantined);
    bw_wide_head head = bw_wide_head_of(&tree->wide);
    bw_wide_write_head(&w, &head);
    bw_write_words(&w, tree->quarantine, tree->quarantined);
    bw_wide_write_body(&w, &tree->wide);
    uint64_t sum = bw_word_checksum(buffer, whole - 4 * SUM_WORDS);
    bw_write_word(&w, (uint32_t)sum);
    bw_write_word(&w, (uint32_t)(sum >> 32));
    return bw_fail(fault, BW_OK);
}

/* Ascending, in range, and none of them in the tree. */
static bool quarantine_sound(const bw_tree *tree)
{
    const uint32_t count = tree->quarantined, *list = tree->quarantine;
    for (uint32_t i = 0; i < count; i++)
        if (list[i] >= tree->mesh_primitives || (i > 0 && list[i] <= list[i - 1]))
            return false;
    for (size_t slot = 0; count > 0 && slot < (size_t)tree->wide.leaf_count * BW_WIDTH; slot++) {
        uint32_t low = 0, high = count, primitive = tree->wide.primitives[slot];
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (list[middle] < primitive)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < count && list[low] == primitive)
            return false;
    }
    return true;
}

/* The fields of the shell. False where they contradict each other. */
static bool read_shell(bw_word_reader *r, bw_tree *tree)
{
    uint32_t builder = bw_read_word(r), compact = bw_read_word(r);
    uint32_t points = bw_read_word(r), edited = bw_read_word(r);
    tree->builder = (bw_builder)builder;
    tree->compact = compact != 0;
    tree->points = points != 0;
    tree->edited = edited != 0;
    tree->mesh_primitives = bw_read_word(r);
    tree->mesh_vertices = bw_read_word(r);
    tree->primitives = bw_read_word(r);
    tree->quarantined = bw_read_word(r);
    tree->volume = BW_VOLUME_AABB;
    tree->kind = &bw_kind_wide;
    const uint64_t known = (uint64_t)tree->primitives + tree->quarantined;
    return (builder == BW_BUILDER_FAST || builder == BW_BUILDER_QUALITY || builder == BW_BUILDER_DEFAULT) &&
           compact <= 1 && points <= 1 && edited <= 1 &&
           (!tree->points || tree->mesh_primitives == tree->mesh_vertices) &&
           tree->mesh_primitives <= 1u << 30 && known <= tree->mesh_primitives &&
           (known == tree->mesh_primitives || tree->edited);
}

static bw_result read_tree(bw_word_reader *r, const bw_wide_head *head, bw_tree *tree)
{
    if (tree->quarantined > 0) {
        tree->quarantine = bw_allocate(&tree->allocator, tree->quarantined, sizeof *tree->quarantine);
        if (tree->quarantine == NULL)
            return BW_ERROR_MEMORY;
        bw_read_words(r, tree->quarantine, tree->quarantined);
    }
    bw_result result =
        bw_wide_read_body(r, head, tree->mesh_primitives, tree->mesh_vertices, &tree->allocator, &tree->wide);
    if (result == BW_OK && !quarantine_sound(tree)) {
        bw_wide_release(&tree->wide);
        result = BW_ERROR_FORMAT;
    }
    if (result != BW_OK)
        bw_release(&tree->allocator, tree->quarantine, tree->quarantined, sizeof *tree->quarantine);
    return result;
}

bw_result bw_tree_load(const void *bytes, size_t size, const bw_allocator *allocator, bw_tree **out,
                       bw_fault *fault)
{
    if (bytes == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const size_t least = 4 * (size_t)(HEAD_WORDS + BW_WIDE_HEAD_WORDS + SUM_WORDS);
    bw_word_reader r = {bytes};
    if (size < 4 * 3 || bw_read_word(&r) != magic[0] || bw_read_word(&r) != magic[1])
        return bw_fail(fault, BW_ERROR_FORMAT);
    if (bw_read_word(&r) != VERSION)
        return bw_fail(fault, BW_ERROR_VERSION);
    if (size < least || size % 4 != 0)
        return bw_fail(fault, BW_ERROR_FORMAT);
    bw_tree shell = {.allocator = bw_allocator_or_heap(allocator), .serial = bw_serial_next()};
    bw_wide_head head;
    if (!read_shell(&r, &shell) || bw_wide_read_head(&r, &head) != BW_OK ||
        head.primitive_count != shell.primitives || head.corners == shell.compact ||
        head.lists != shell.compact || 4 * total_words(&head, shell.quarantined) != size)
        return bw_fail(fault, BW_ERROR_FORMAT);
    bw_word_reader end = {(const uint8_t *)bytes + size - 4 * SUM_WORDS};
    uint64_t sum = bw_read_word(&end);
    sum |= (uint64_t)bw_read_word(&end) << 32;
    if (sum != bw_word_checksum(bytes, size - 4 * SUM_WORDS))
        return bw_fail(fault, BW_ERROR_FORMAT);
    bw_tree *tree = bw_allocate(&shell.allocator, 1, sizeof *tree);
    if (tree == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_result result = read_tree(&r, &head, &shell);
    if (result != BW_OK) {
        bw_release(&shell.allocator, tree, 1, sizeof *tree);
        return bw_fail(fault, result);
    }
    *tree = shell;
    *out = tree;
    return bw_fail(fault, BW_OK);
}
