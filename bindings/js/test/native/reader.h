/* Bytes of a file as numbers and arrays, each aligned to eight bytes, and a hash that JavaScript computes alike. */
#ifndef BWX_READER_H
#define BWX_READER_H

#include <boxwood/boxwood.h>
#include <stddef.h>

/* Each ends the program where it cannot do what it is for. */
void require(bool good, const char *what);
void succeed(bw_result result, const bw_fault *fault);
void *room(size_t count, size_t size);

typedef struct reader {
    unsigned char *bytes;
    size_t size, at;
} reader;

reader read_file(const char *path);
const void *read_bytes(reader *r, size_t size);
uint32_t read_u32(reader *r);
double read_double(reader *r);
const void *read_doubles(reader *r, size_t count);
const void *read_array(reader *r, size_t element, uint32_t *count);

/* ---- the hash: of words of 32 bits ---- */

typedef struct hash {
    uint32_t low, high;
} hash;
extern const hash nothing;

hash add(hash h, uint32_t word);
hash add_id(hash h, uint64_t id);
hash add_double(hash h, double value);
hash add_vec3(hash h, bw_vec3 v);

#endif
