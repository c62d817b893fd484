/* Trees as bytes. All numbers are little-endian words of 32 bits; the last two are a checksum of all before.
 */
#ifndef BW_TREE_SERIALIZE_SERIALIZE_H
#define BW_TREE_SERIALIZE_SERIALIZE_H

#include "tree/tree.h"

/* Words on their way out; the buffer is large enough. */
typedef struct bw_word_writer {
    uint8_t *at;
} bw_word_writer;

void bw_write_word(bw_word_writer *w, uint32_t word);
void bw_write_words(bw_word_writer *w, const uint32_t *words, size_t count);
void bw_write_floats(bw_word_writer *w, const float *floats, size_t count);
void bw_write_double(bw_word_writer *w, double x);

/* Words on their way in; how many there are has been checked. */
typedef struct bw_word_reader {
    const uint8_t *at;
} bw_word_reader;

uint32_t bw_read_word(bw_word_reader *r);
void bw_read_words(bw_word_reader *r, uint32_t *words, size_t count);
void bw_read_floats(bw_word_reader *r, float *floats, size_t count);
double bw_read_double(bw_word_reader *r);

/* Of whole words. */
uint64_t bw_word_checksum(const uint8_t *bytes, size_t size);

/* The part of a file that holds a wide tree: a head of so many words, then arrays whose size the head tells.
 */
enum { BW_WIDE_HEAD_WORDS = 16 };

typedef struct bw_wide_head {
    uint32_t node_count, leaf_count, vertex_used, primitive_count;
    bool corners, lists, preorder;
    uint32_t edits;
    bw_box bounds;
    double built_cost;
} bw_wide_head;

uint64_t bw_wide_body_words(const bw_wide_head *head);
bw_wide_head bw_wide_head_of(const bw_wide *wide);
void bw_wide_write_head(bw_word_writer *w, const bw_wide_head *head);
void bw_wide_write_body(bw_word_writer *w, const bw_wide *wide);
/* BW_ERROR_FORMAT for flags that this version does not know. */
bw_result bw_wide_read_head(bw_word_reader *r, bw_wide_head *out);
/* Reads and checks; BW_ERROR_FORMAT, BW_ERROR_MEMORY. Primitives and vertices must be below these counts. */
bw_result bw_wide_read_body(bw_word_reader *r, const bw_wide_head *head, uint32_t mesh_primitives,
                            uint32_t mesh_vertices, const bw_allocator *allocator, bw_wide *out);

#endif
