/* The external merge sort: runs that were sorted in memory, one after the other in a file, merged by a heap of their heads. */
#define _POSIX_C_SOURCE 200809L
#include "shard/sorter.h"

#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGN = 8, LEAST_WINDOW = 1 << 16 };

/* A record stands as its size (8 bytes), its key and its bytes, each filled up to ALIGN. */
typedef struct run {
    uint64_t begin, end; /* in the file */
    uint64_t at;         /* what is read from next */
    unsigned char *window;
    size_t room, filled, used; /* of the window; used: where the present record begins */
} run;

struct record_sorter {
    size_t key_bytes, key_room;
    record_compare *compare;
    size_t memory; /* for records; grows with the runs, so that one pass merges them all */
    uint64_t count;
    /* those in memory */
    unsigned char *bytes;
    size_t size, capacity;
    size_t *list; /* where they begin */
    size_t list_count, list_capacity, next;
    bool sorted;
    bool stay; /* nothing more goes to the file */
    /* those in the file */
    FILE *out;
    run *runs;
    size_t run_count, run_capacity;
    uint32_t *heap; /* runs, by their present keys; run_count: those in memory */
    size_t heap_count;
    bool begun; /* the first of the heap was given out */
};

static size_t filled_up(size_t size)
{
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

record_sorter *record_sorter_create(size_t key_bytes, record_compare *compare, size_t memory)
{
    record_sorter *s = tool_alloc(1, sizeof *s);
    *s = (record_sorter){
        .key_bytes = key_bytes, .key_room = filled_up(key_bytes), .compare = compare, .memory = memory};
    return s;
}

void record_sorter_destroy(record_sorter *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->run_count; i++)
        free(s->runs[i].window);
    if (s->out)
        fclose(s->out);
    free(s->bytes);
    free(s->list);
    free(s->runs);
    free(s->heap);
    free(s);
}

uint64_t record_sorter_count(const record_sorter *s)
{
    return s->count;
}

static uint64_t size_at(const unsigned char *record)
{
    uint64_t size;
    memcpy(&size, record, sizeof size);
    return size;
}

static const unsigned char *key_in_memory(const record_sorter *s, size_t record)
{
    return s->bytes + record + sizeof(uint64_t);
}

/* Merges sorted halves: a comparison that qsort calls knows nothing of the sorter. */
static void sort_list(record_sorter *s)
{
    const size_t n = s->list_count;
    size_t *from = s->list, *to = tool_alloc(n, sizeof *to), *room = to;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n, high = middle + width < n ? middle + width : n;
            for (size_t i = low, j = middle, k = low; k < high; k++) {
                const bool first = i < middle && (j == high || s->compare(key_in_memory(s, from[i]),
                                                                          key_in_memory(s, from[j])) <= 0);
                to[k] = first ? from[i++] : from[j++];
            }
        }
        size_t *other = from;
        from = to;
        to = other;
    }
    if (from == room && n > 0)
        memcpy(s->list, from, n * sizeof *from);
    free(room);
    s->sorted = true;
}

static bool write_run(record_sorter *s, fault *why)
{
    if (!s->out) {
        s->out = output_open_unnamed(why);
        if (!s->out)
            return false;
    }
    sort_list(s);
    const uint64_t begin = s->run_count > 0 ? s->runs[s->run_count - 1].end : 0;
    uint64_t end = begin;
    bool fine = true;
    for (size_t i = 0; i < s->list_count && fine; i++) {
        const unsigned char *record = s->bytes + s->list[i];
        const size_t bytes = sizeof(uint64_t) + s->key_room + filled_up((size_t)size_at(record));
        fine = fwrite(record, bytes, 1, s->out) == 1;
        end += bytes;
    }
    if (!fine || fflush(s->out) != 0)
        return fault_set(why,
                         "%s: a file for what does not fit into memory: %s (TMPDIR names another folder)",
                         output_unnamed_folder(), strerror(errno));
    s->runs = tool_grow(s->runs, s->run_count, &s->run_capacity, sizeof *s->runs);
    s->runs[s->run_count++] = (run){.begin = begin, .end = end};
    s->size = s->list_count = 0;
    /* A window for each run must fit, too: with records of n bytes in all, memory never exceeds what one pass over them needs,
     * about the root of n * LEAST_WINDOW. */
    if (s->memory / LEAST_WINDOW <= s->run_count)
        s->memory = s->memory > LEAST_WINDOW ? 2 * s->memory : 2 * LEAST_WINDOW;
    return true;
}

/* Room for so many bytes more: up to the memory, and for one record in any case. */
static bool make_room(record_sorter *s, size_t wanted, fault *why)
{
    if (s->list_count > 0 && (s->size > s->memory || wanted > s->memory - s->size) && !write_run(s, why))
        return false;
    if (s->capacity - s->size < wanted) {
        const size_t doubled = s->capacity < s->memory / 2 ? 2 * s->capacity : s->memory,
                     needed = s->size + wanted;
        s->capacity = doubled > needed ? doubled : needed;
        s->bytes = tool_resize(s->bytes, s->capacity, 1);
    }
    return true;
}

bool record_sorter_add(record_sorter *s, const void *key, const void *bytes, size_t size, fault *why)
{
    const size_t wanted = sizeof(uint64_t) + s->key_room + filled_up(size);
    if (!make_room(s, wanted, why))
        return false;
    unsigned char *to = s->bytes + s->size;
    memset(to, 0, wanted);
    memcpy(to, &(uint64_t){size}, sizeof(uint64_t));
    memcpy(to + sizeof(uint64_t), key, s->key_bytes);
    if (size > 0)
        memcpy(to + sizeof(uint64_t) + s->key_room, bytes, size);
    s->list = tool_grow(s->list, s->list_count, &s->list_capacity, sizeof *s->list);
    s->list[s->list_count++] = s->size;
    s->size += wanted;
    s->count++;
    s->sorted = false;
    return true;
}

void record_sorter_stay(record_sorter *s)
{
    s->stay = true;
    s->memory = SIZE_MAX >> 1;
}

/* ---- reading ---- */

static const unsigned char *key_of(const record_sorter *s, uint32_t number)
{
    if (number == s->run_count)
        return key_in_memory(s, s->list[s->next]);
    const run *r = &s->runs[number];
    return r->window + r->used + sizeof(uint64_t);
}

/* Makes sure that so many bytes of the run stand in its window from `used` on. */
static bool bring(record_sorter *s, run *r, size_t bytes, fault *why)
{
    if (r->filled - r->used >= bytes)
        return true;
    memmove(r->window, r->window + r->used, r->filled - r->used);
    r->filled -= r->used;
    r->used = 0;
    if (bytes > r->room) {
        r->room = bytes;
        r->window = tool_resize(r->window, r->room, 1);
    }
    while (r->filled < bytes) {
        const uint64_t left = r->end - r->at;
        const size_t some = r->room - r->filled < left ? r->room - r->filled : (size_t)left;
        const ssize_t got = some > 0 ? pread(fileno(s->out), r->window + r->filled, some, (off_t)r->at) : 0;
        if (got <= 0)
            return fault_set(why, "%s: what was written there cannot be read: %s", output_unnamed_folder(),
                             got < 0 ? strerror(errno) : "it is cut");
        r->filled += (size_t)got;
        r->at += (uint64_t)got;
    }
    return true;
}

/* The record at `used`, whole. */
static bool bring_record(record_sorter *s, run *r, fault *why)
{
    if (!bring(s, r, sizeof(uint64_t), why))
        return false;
    const uint64_t size = size_at(r->window + r->used);
    if (size > r->end - r->begin)
        return fault_set(why, "%s: what was written there has changed", output_unnamed_folder());
    return bring(s, r, sizeof(uint64_t) + s->key_room + filled_up((size_t)size), why);
}

/* Runs of equal keys in their order, as they were added. */
static bool run_before(const record_sorter *s, uint32_t a, uint32_t b)
{
    const int order = s->compare(key_of(s, a), key_of(s, b));
    return order < 0 || (order == 0 && a < b);
}

static void sift_down(record_sorter *s, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child < 2 * at + 3 && child < s->heap_count; child++)
            if (run_before(s, s->heap[child], s->heap[least]))
                least = child;
        if (least == at)
            return;
        const uint32_t other = s->heap[at];
        s->heap[at] = s->heap[least];
        s->heap[least] = other;
        at = least;
    }
}

/* What is left in memory becomes the last run. */
static bool end_runs(record_sorter *s, fault *why)
{
    if (s->list_count > 0 && s->stay) {
        if (!s->sorted)
            sort_list(s);
        return true;
    }
    if (s->list_count > 0 && !write_run(s, why))
        return false;
    free(s->bytes);
    s->bytes = NULL;
    s->capacity = 0;
    return true;
}

static bool start_runs(record_sorter *s, fault *why)
{
    if (!end_runs(s, why))
        return false;
    const size_t share = s->stay ? 0 : s->memory / s->run_count,
                 window = share > LEAST_WINDOW ? share : LEAST_WINDOW;
    s->heap = tool_resize(s->heap, s->run_count + 1, sizeof *s->heap);
    for (size_t i = 0; i < s->run_count; i++) {
        run *r = &s->runs[i];
        if (!r->window) {
            r->room = window;
            r->window = tool_alloc(window, 1);
        }
        r->at = r->begin;
        r->filled = r->used = 0;
        if (!bring_record(s, r, why))
            return false;
        s->heap[i] = (uint32_t)i;
    }
    s->heap_count = s->run_count;
    if (s->list_count > 0)
        s->heap[s->heap_count++] = (uint32_t)s->run_count;
    for (size_t i = s->heap_count; i-- > 0;)
        sift_down(s, i);
    s->begun = false;
    return true;
}

bool record_sorter_start(record_sorter *s, fault *why)
{
    s->next = 0;
    if (s->run_count > 0)
        return start_runs(s, why);
    if (!s->sorted)
        sort_list(s);
    return true;
}

/* The run whose record was given out goes on to its next. */
static bool go_on(record_sorter *s, fault *why)
{
    if (s->heap[0] == s->run_count) {
        if (++s->next == s->list_count)
            s->heap[0] = s->heap[--s->heap_count];
        if (s->heap_count > 0)
            sift_down(s, 0);
        return true;
    }
    run *r = &s->runs[s->heap[0]];
    r->used += sizeof(uint64_t) + s->key_room + filled_up((size_t)size_at(r->window + r->used));
    if (r->used < r->filled || r->at < r->end) {
        if (!bring_record(s, r, why))
            return false;
    } else {
        s->heap[0] = s->heap[--s->heap_count];
    }
    if (s->heap_count > 0)
        sift_down(s, 0);
    return true;
}

const void *record_sorter_next(record_sorter *s, size_t *size, fault *why)
{
    const unsigned char *key = NULL;
    *size = 0;
    if (s->run_count == 0) {
        key = s->next < s->list_count ? key_in_memory(s, s->list[s->next++]) : NULL;
    } else {
        if (s->begun && s->heap_count > 0 && !go_on(s, why)) {
            *size = 1;
            return NULL;
        }
        s->begun = true;
        key = s->heap_count > 0 ? key_of(s, s->heap[0]) : NULL;
    }
    if (!key)
        return NULL;
    *size = (size_t)size_at(key - sizeof(uint64_t));
    return key + s->key_room;
}
