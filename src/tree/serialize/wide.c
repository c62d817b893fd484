/* Saving and loading wide trees. */
#include "tree/serialize/serialize.h"
#include "tree/wide/check.h"

#include <math.h>
#include <string.h>

enum {
    NODE_WORDS = 6 * BW_WIDTH + BW_WIDTH + 6,
    LEAF_WORDS = 2 + BW_WIDTH,
    CORNER_WORDS = 9 * BW_WIDTH + 4,
    FLAG_CORNERS = 1,
    FLAG_LISTS = 2,
    FLAG_PREORDER = 4
};

uint64_t bw_wide_body_words(const bw_wide_head *head)
{
    uint64_t words = (uint64_t)head->node_count * NODE_WORDS + (uint64_t)head->leaf_count * LEAF_WORDS;
    words += head->corners ? (uint64_t)head->leaf_count * CORNER_WORDS : 0;
    words += head->lists ? (uint64_t)head->leaf_count + head->vertex_used : 0;
    return words;
}

bw_wide_head bw_wide_head_of(const bw_wide *wide)
{
    return (bw_wide_head){.node_count = wide->node_count,
                          .leaf_count = wide->leaf_count,
                          .vertex_used = wide->vertex_used,
                          .primitive_count = wide->primitive_count,
                          .corners = wide->corners != NULL,
                          .lists = wide->vertex_first != NULL,
                          .preorder = wide->preorder,
                          .edits = wide->edits,
                          .bounds = wide->bounds,
                          .built_cost = wide->built_cost};
}

void bw_wide_write_head(bw_word_writer *w, const bw_wide_head *head)
{
    bw_write_word(w, head->node_count);
    bw_write_word(w, head->leaf_count);
    bw_write_word(w, head->vertex_used);
    bw_write_word(w, head->primitive_count);
    bw_write_word(w, (head->corners ? (uint32_t)FLAG_CORNERS : 0) | (head->lists ? (uint32_t)FLAG_LISTS : 0) |
                         (head->preorder ? (uint32_t)FLAG_PREORDER : 0));
    bw_write_word(w, head->edits);
    bw_write_floats(w, head->bounds.min, 3);
    bw_write_floats(w, head->bounds.max, 3);
    bw_write_double(w, head->built_cost);
    bw_write_double(w, 0); /* to come */
}

bw_result bw_wide_read_head(bw_word_reader *r, bw_wide_head *out)
{
    bw_wide_head head = {.node_count = bw_read_word(r)};
    head.leaf_count = bw_read_word(r);
    head.vertex_used = bw_read_word(r);
    head.primitive_count = bw_read_word(r);
    uint32_t flags = bw_read_word(r);
    head.corners = (flags & FLAG_CORNERS) != 0;
    head.lists = (flags & FLAG_LISTS) != 0;
    head.preorder = (flags & FLAG_PREORDER) != 0;
    head.edits = bw_read_word(r);
    bw_read_floats(r, head.bounds.min, 3);
    bw_read_floats(r, head.bounds.max, 3);
    head.built_cost = bw_read_double(r);
    double reserved = bw_read_double(r);
    if (flags > (FLAG_CORNERS | FLAG_LISTS | FLAG_PREORDER) || (head.corners && head.lists) ||
        !(reserved == 0) || !(head.built_cost >= 0 && head.built_cost < INFINITY) ||
        (!head.lists && head.vertex_used != 0))
        return BW_ERROR_FORMAT;
    *out = head;
    return BW_OK;
}

void bw_wide_write_body(bw_word_writer *w, const bw_wide *wide)
{
    for (uint32_t i = 0; i < wide->node_count; i++) {
        const bw_wide_node *node = &wide->nodes[i];
        bw_write_floats(w, node->min[0], sizeof node->min / sizeof(float));
        bw_write_floats(w, node->max[0], sizeof node->max / sizeof(float));
        bw_write_words(w, node->child, BW_WIDTH);
        bw_write_word(w, node->count);
        bw_write_word(w, node->parent);
        bw_write_word(w, node->parent_lane);
        bw_write_word(w, node->end);
        bw_write_floats(w, &node->built_cost, 1);
        bw_write_word(w, node->edits);
    }
    for (uint32_t i = 0; i < wide->leaf_count; i++) {
        const bw_wide_leaf *leaf = &wide->leaves[i];
        bw_write_word(w, leaf->parent);
        bw_write_word(w,
                      (uint32_t)leaf->lane | (uint32_t)leaf->count << 8 | (uint32_t)leaf->vertex_count << 16);
        bw_write_words(w, wide->primitives + (size_t)i * BW_WIDTH, BW_WIDTH);
    }
    for (uint32_t i = 0; wide->corners != NULL && i < wide->leaf_count; i++) {
        bw_write_floats(w, wide->corners[i].coordinate[0][0], 9 * BW_WIDTH);
        bw_write_floats(w, wide->corners[i].origin, 3);
        bw_write_floats(w, &wide->corners[i].magnitude, 1);
    }
    if (wide->vertex_first != NULL) {
        bw_write_words(w, wide->vertex_first, wide->leaf_count);
        bw_write_words(w, wide->vertices, wide->vertex_used);
    }
}

static void read_arrays(bw_word_reader *r, bw_wide *wide)
{
    for (uint32_t i = 0; i < wide->node_count; i++) {
        bw_wide_node *node = &wide->nodes[i];
        bw_read_floats(r, node->min[0], sizeof node->min / sizeof(float));
        bw_read_floats(r, node->max[0], sizeof node->max / sizeof(float));
        bw_read_words(r, node->child, BW_WIDTH);
        uint32_t count = bw_read_word(r), parent = bw_read_word(r), parent_lane = bw_read_word(r);
        bw_wide_init_node(node, count, parent, parent_lane);
        node->end = bw_read_word(r);
        bw_read_floats(r, &node->built_cost, 1);
        node->edits = bw_read_word(r);
    }
    for (uint32_t i = 0; i < wide->leaf_count; i++) {
        uint32_t parent = bw_read_word(r), word = bw_read_word(r);
        wide->leaves[i] = (bw_wide_leaf){parent, (uint8_t)word, (uint8_t)(word >> 8), (uint16_t)(word >> 16)};
        bw_read_words(r, wide->primitives + (size_t)i * BW_WIDTH, BW_WIDTH);
    }
    for (uint32_t i = 0; wide->corners != NULL && i < wide->leaf_count; i++) {
        bw_read_floats(r, wide->corners[i].coordinate[0][0], 9 * BW_WIDTH);
        bw_read_floats(r, wide->corners[i].origin, 3);
        bw_read_floats(r, &wide->corners[i].magnitude, 1);
        memset(wide->corners[i].reserved, 0, sizeof wide->corners[i].reserved);
    }
    if (wide->vertex_first != NULL) {
        bw_read_words(r, wide->vertex_first, wide->leaf_count);
        bw_read_words(r, wide->vertices, wide->vertex_used);
    }
}

/* What bw_wide_check does not look at. */
static bool costs_and_vertices_sound(const bw_wide *wide, uint32_t mesh_vertices)
{
    bool good = true;
    for (uint32_t i = 0; i < wide->node_count; i++)
        good &= wide->nodes[i].built_cost >= 0 && wide->nodes[i].built_cost < INFINITY;
    for (uint32_t i = 0; i < wide->vertex_used; i++)
        good &= wide->vertices[i] < mesh_vertices;
    return good;
}

static bool make_room(const bw_wide_head *head, bw_wide *wide)
{
    if (head->corners) {
        wide->corners = bw_allocate(&wide->allocator, wide->leaf_capacity, sizeof *wide->corners);
        return wide->corners != NULL;
    }
    if (!head->lists)
        return true;
    wide->vertex_used = wide->vertex_capacity = head->vertex_used;
    wide->vertex_first = bw_allocate(&wide->allocator, wide->leaf_capacity, sizeof *wide->vertex_first);
    wide->vertices = bw_allocate(&wide->allocator, wide->vertex_capacity, sizeof *wide->vertices);
    return wide->vertex_first != NULL && wide->vertices != NULL;
}

bw_result bw_wide_read_body(bw_word_reader *r, const bw_wide_head *head, uint32_t mesh_primitives,
                            uint32_t mesh_vertices, const bw_allocator *allocator, bw_wide *out)
{
    if (head->node_count == 0 || head->leaf_count == 0 || (head->lists && head->vertex_used == 0))
        return BW_ERROR_FORMAT;
    bw_wide wide;
    bw_result result = bw_wide_reserve(allocator, head->node_count, head->leaf_count, &wide);
    if (result != BW_OK)
        return result;
    wide.primitive_count = head->primitive_count;
    wide.preorder = head->preorder;
    wide.edits = head->edits;
    wide.bounds = head->bounds;
    wide.built_cost = head->built_cost;
    if (make_room(head, &wide)) {
        read_arrays(r, &wide);
        const char *wrong = bw_wide_check(&wide, NULL, mesh_primitives);
        if (wrong == bw_wide_check_no_memory)
            result = BW_ERROR_MEMORY;
        else if (wrong != NULL || !costs_and_vertices_sound(&wide, mesh_vertices))
            result = BW_ERROR_FORMAT;
        else
            result = bw_wide_fit_obbs(&wide, NULL);
    } else {
        result = BW_ERROR_MEMORY;
    }
    if (result != BW_OK)
        bw_wide_release(&wide);
    else
        *out = wide;
    return result;
}
