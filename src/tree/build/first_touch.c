/* Parallel loops over fresh memory, with workers kept apart on its pages. */
#include "tree/build/first_touch.h"

#include <stdatomic.h>

enum {
    MAX_STRETCHES = 64,
    FEW = 4, /* workers: one thread clears pages about as fast as so many fill them */
    PAGE = 1 << 12,
    LEAST = 1 << 22 /* smaller blocks come from memory that is kept */
};

/* What nobody has taken of a stretch: begin, and end above it. */
typedef struct stretch {
    _Alignas(64) _Atomic uint64_t left;
} stretch;

typedef struct loop {
    bw_task_fn *fn;
    void *context;
    uint32_t grain, stretch_count;
    const bw_fresh *later;
    uint32_t later_count;
    stretch stretches[MAX_STRETCHES];
} loop;

/* ---- pages ---- */

bw_fresh bw_fresh_of_all(const bw_tasks *tasks, void *memory, size_t bytes)
{
    const bool none = memory == NULL || bytes < LEAST || bw_workers(tasks) == 1 || bw_workers(tasks) > FEW;
    return none ? (bw_fresh){NULL, 0} : (bw_fresh){memory, bytes};
}

bw_fresh bw_fresh_of_others(const bw_tasks *tasks, void *memory, size_t bytes)
{
    const bw_fresh all = bw_fresh_of_all(tasks, memory, bytes);
    const size_t first = all.bytes / bw_workers(tasks);
    return all.memory == NULL ? all : (bw_fresh){(char *)memory + first, bytes - first};
}

void bw_first_touch(const bw_fresh *fresh)
{
    volatile char *memory = fresh->memory;
    for (size_t i = 0; i < fresh->bytes; i += PAGE)
        memory[i] = 0;
}

/* ---- ranges ---- */

static inline uint32_t begin_of(uint64_t left)
{
    return (uint32_t)left;
}

static inline uint32_t end_of(uint64_t left)
{
    return (uint32_t)(left >> 32);
}

static inline uint64_t pack(uint32_t begin, uint32_t end)
{
    return (uint64_t)end << 32 | begin;
}

/* Takes a range from the front of a stretch, or from its back; false where nothing is left. */
static bool take(loop *l, uint32_t which, bool front, uint32_t *begin, uint32_t *end)
{
    _Atomic uint64_t *at = &l->stretches[which].left;
    uint64_t left = atomic_load_explicit(at, memory_order_relaxed), rest;
    do {
        *begin = begin_of(left);
        *end = end_of(left);
        if (*begin == *end)
            return false;
        if (*end - *begin > l->grain) {
            *begin = front ? *begin : *end - l->grain;
            *end = front ? *begin + l->grain : *end;
        }
        rest = front ? pack(*end, end_of(left)) : pack(begin_of(left), *begin);
    } while (
        !atomic_compare_exchange_weak_explicit(at, &left, rest, memory_order_relaxed, memory_order_relaxed));
    return true;
}

/* The stretch of which most is left. */
static uint32_t fullest(const loop *l)
{
    uint32_t best = 0, most = 0;
    for (uint32_t i = 0; i < l->stretch_count; i++) {
        const uint64_t left = atomic_load_explicit(&l->stretches[i].left, memory_order_relaxed);
        if (end_of(left) - begin_of(left) > most) {
            most = end_of(left) - begin_of(left);
            best = i;
        }
    }
    return best;
}

static void run_stretches(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    loop *l = context;
    uint32_t begin, end;
    for (uint32_t i = 0; i < l->later_count && first == 0; i++)
        bw_first_touch(&l->later[i]);
    for (uint32_t i = first; i < last; i++)
        while (take(l, i, true, &begin, &end))
            l->fn(l->context, begin, end, worker);
    while (take(l, fullest(l), false, &begin, &end))
        l->fn(l->context, begin, end, worker);
}

void bw_parallel_first_touch(const bw_tasks *tasks, bw_task_fn *fn, void *context, uint32_t count,
                             uint32_t grain, const bw_fresh *later, uint32_t later_count)
{
    uint32_t stretches = bw_workers(tasks) < MAX_STRETCHES ? bw_workers(tasks) : MAX_STRETCHES;
    stretches = stretches < count / grain ? stretches : count / grain;
    if (stretches <= 1) {
        bw_parallel(tasks, fn, context, count, grain);
        return;
    }
    loop l = {.fn = fn,
              .context = context,
              .grain = grain,
              .stretch_count = stretches,
              .later = later,
              .later_count = later_count};
    for (uint32_t i = 0; i < stretches; i++)
        atomic_init(&l.stretches[i].left, pack((uint32_t)((uint64_t)count * i / stretches),
                                               (uint32_t)((uint64_t)count * (i + 1) / stretches)));
    tasks->parallel_for(tasks->user, run_stretches, &l, stretches, 1);
}
