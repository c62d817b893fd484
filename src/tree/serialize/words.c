/* Numbers as bytes of a fixed order, for saved trees. */
#include "tree/serialize/serialize.h"

#include <string.h>

void bw_write_word(bw_word_writer *w, uint32_t word)
{
    w->at[0] = (uint8_t)word;
    w->at[1] = (uint8_t)(word >> 8);
    w->at[2] = (uint8_t)(word >> 16);
    w->at[3] = (uint8_t)(word >> 24);
    w->at += 4;
}

void bw_write_words(bw_word_writer *w, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bw_write_word(w, words[i]);
}

void bw_write_floats(bw_word_writer *w, const float *floats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, &floats[i], sizeof word);
        bw_write_word(w, word);
    }
}

void bw_write_double(bw_word_writer *w, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bw_write_word(w, (uint32_t)bits);
    bw_write_word(w, (uint32_t)(bits >> 32));
}

static inline uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t bw_read_word(bw_word_reader *r)
{
    uint32_t word = word_at(r->at);
    r->at += 4;
    return word;
}

void bw_read_words(bw_word_reader *r, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = bw_read_word(r);
}

void bw_read_floats(bw_word_reader *r, float *floats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = bw_read_word(r);
        memcpy(&floats[i], &word, sizeof word);
    }
}

double bw_read_double(bw_word_reader *r)
{
    uint64_t bits = bw_read_word(r);
    bits |= (uint64_t)bw_read_word(r) << 32;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Four lanes of multiply and rotate, so that words do not wait for one another; every bit of a word reaches
 * the end. */
uint64_t bw_word_checksum(const uint8_t *bytes, size_t size)
{
    const uint64_t prime = 0x9e3779b185ebca87u;
    uint64_t lanes[4] = {1, 2, 3, 5};
    for (size_t i = 0; i < size / 4; i++) {
        uint64_t x = (lanes[i % 4] ^ word_at(bytes + 4 * i)) * prime;
        lanes[i % 4] = x << 29 | x >> 35;
    }
    uint64_t sum = size;
    for (int i = 0; i < 4; i++) {
        sum = (sum ^ lanes[i]) * prime;
        sum ^= sum >> 31;
    }
    return sum;
}
