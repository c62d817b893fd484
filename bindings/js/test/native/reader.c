/* Reads numbers and arrays, and hashes answers. */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void require(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "replay: %s\n", what);
        exit(2);
    }
}

void succeed(bw_result result, const bw_fault *fault)
{
    require(result == BW_OK, fault != NULL ? fault->text : bw_result_string(result));
}

void *room(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    require(memory != NULL, "no memory");
    return memory;
}

reader read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL && fseek(file, 0, SEEK_END) == 0, "the file cannot be read");
    const long size = ftell(file);
    require(size >= 0 && fseek(file, 0, SEEK_SET) == 0, "the file cannot be read");
    reader r = {room((size_t)size, 1), (size_t)size, 0};
    require(fread(r.bytes, 1, r.size, file) == r.size, "the file cannot be read");
    fclose(file);
    return r;
}

const void *read_bytes(reader *r, size_t size)
{
    const size_t rounded = (size + 7) & ~(size_t)7;
    require(rounded <= r->size - r->at, "the file ends early");
    const void *at = r->bytes + r->at;
    r->at += rounded;
    return at;
}

uint32_t read_u32(reader *r)
{
    uint32_t value;
    memcpy(&value, read_bytes(r, 4), 4);
    return value;
}

double read_double(reader *r)
{
    double value;
    memcpy(&value, read_bytes(r, 8), 8);
    return value;
}

const void *read_doubles(reader *r, size_t count)
{
    return read_bytes(r, 8 * count);
}

const void *read_array(reader *r, size_t element, uint32_t *count)
{
    *count = read_u32(r);
    return read_bytes(r, element * *count);
}

/* ---- the hash: of words of 32 bits ---- */

const hash nothing = {0x811C9DC5u, 0x9E3779B9u};

hash add(hash h, uint32_t word)
{
    h.low = (h.low ^ word) * 0x01000193u;
    h.high = ((h.high << 13 | h.high >> 19) ^ word) * 0x85EBCA6Bu;
    return h;
}

hash add_double(hash h, double value)
{
    uint32_t words[2];
    memcpy(words, &value, 8);
    return add(add(h, words[0]), words[1]);
}

hash add_id(hash h, uint64_t id)
{
    return add(add(h, (uint32_t)id), (uint32_t)(id >> 32));
}

hash add_vec3(hash h, bw_vec3 v)
{
    return add_double(add_double(add_double(h, v.x), v.y), v.z);
}
