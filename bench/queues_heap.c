/* Implicit heaps of two, four and eight children a node, and a pairing heap. */
#include "queues.h"

#include "base/heap.h"
#include "runner.h"

#include <stdlib.h>

/* ---- the library's ---- */

typedef struct library {
    bw_heap heap;
    bw_allocator allocator;
} library;

static void *library_create(uint32_t ids)
{
    library *q = bench_alloc(1, sizeof *q);
    q->allocator = bw_allocator_or_heap(NULL);
    q->heap = bw_heap_over(&q->allocator);
    bench_require(bw_heap_reserve(&q->heap, ids), "out of memory");
    return q;
}

static void library_destroy(void *queue)
{
    bw_heap_release(&((library *)queue)->heap);
    free(queue);
}

static void library_insert(void *queue, uint32_t id, double key)
{
    bw_heap_insert(&((library *)queue)->heap, id, key);
}

static void library_update(void *queue, uint32_t id, double key)
{
    bw_heap_update(&((library *)queue)->heap, id, key);
}

static void library_remove(void *queue, uint32_t id)
{
    bw_heap_remove(&((library *)queue)->heap, id);
}

static uint32_t library_pop(void *queue)
{
    bw_heap_item item = {0, 0};
    bw_heap_pop(&((library *)queue)->heap, &item);
    return item.id;
}

const queue_kind queue_library = {"boxwood",      library_create, library_destroy, library_insert,
                                  library_update, library_remove, library_pop};

/* ---- implicit heaps: the children of p are arity p + 1 .. arity p + arity ---- */

typedef struct heap {
    queue_item *items;
    uint32_t *place;
    uint32_t count;
} heap;

static void *heap_create(uint32_t ids)
{
    heap *q = bench_alloc(1, sizeof *q);
    q->items = bench_alloc(ids, sizeof *q->items);
    q->place = bench_alloc(ids, sizeof *q->place);
    return q;
}

static void heap_destroy(void *queue)
{
    heap *q = queue;
    free(q->items);
    free(q->place);
    free(q);
}

static void put(heap *q, uint32_t at, queue_item item)
{
    q->items[at] = item;
    q->place[item.id] = at;
}

static inline __attribute__((always_inline)) void settle(heap *q, uint32_t at, queue_item item,
                                                         uint32_t arity)
{
    bool rose = false;
    while (at > 0 && queue_before(item, q->items[(at - 1) / arity])) {
        put(q, at, q->items[(at - 1) / arity]);
        at = (at - 1) / arity;
        rose = true;
    }
    while (!rose) {
        uint32_t first = at * arity + 1, least = first;
        if (first >= q->count)
            break;
        uint32_t end = first + arity < q->count ? first + arity : q->count;
        for (uint32_t i = first + 1; i < end; i++)
            least = queue_before(q->items[i], q->items[least]) ? i : least;
        if (!queue_before(q->items[least], item))
            break;
        put(q, at, q->items[least]);
        at = least;
    }
    put(q, at, item);
}

static inline __attribute__((always_inline)) void heap_take(heap *q, uint32_t id, uint32_t arity)
{
    uint32_t at = q->place[id];
    q->count--;
    if (at < q->count)
        settle(q, at, q->items[q->count], arity);
}

#define HEAP(ARITY)                                                                                          \
    static void heap##ARITY##_insert(void *queue, uint32_t id, double key)                                   \
    {                                                                                                        \
        heap *q = queue;                                                                                     \
        settle(q, q->count++, (queue_item){key, id}, ARITY);                                                 \
    }                                                                                                        \
    static void heap##ARITY##_update(void *queue, uint32_t id, double key)                                   \
    {                                                                                                        \
        heap *q = queue;                                                                                     \
        settle(q, q->place[id], (queue_item){key, id}, ARITY);                                               \
    }                                                                                                        \
    static void heap##ARITY##_remove(void *queue, uint32_t id)                                               \
    {                                                                                                        \
        heap_take(queue, id, ARITY);                                                                         \
    }                                                                                                        \
    static uint32_t heap##ARITY##_pop(void *queue)                                                           \
    {                                                                                                        \
        uint32_t id = ((heap *)queue)->items[0].id;                                                          \
        heap_take(queue, id, ARITY);                                                                         \
        return id;                                                                                           \
    }                                                                                                        \
    const queue_kind queue_heap##ARITY = {"boxwood-heap" #ARITY, heap_create,          heap_destroy,         \
                                          heap##ARITY##_insert,  heap##ARITY##_update, heap##ARITY##_remove, \
                                          heap##ARITY##_pop};

HEAP(2)
HEAP(4)
HEAP(8)

/* ---- pairing heap: children as a list; prev is the parent for the first of them ---- */

enum { NONE = UINT32_MAX };

typedef struct pairing {
    double *key;
    uint32_t *child, *next, *prev;
    uint32_t root;
} pairing;

static void *pairing_create(uint32_t ids)
{
    pairing *q = bench_alloc(1, sizeof *q);
    q->key = bench_alloc(ids, sizeof *q->key);
    q->child = bench_alloc(ids, sizeof *q->child);
    q->next = bench_alloc(ids, sizeof *q->next);
    q->prev = bench_alloc(ids, sizeof *q->prev);
    q->root = NONE;
    return q;
}

static void pairing_destroy(void *queue)
{
    pairing *q = queue;
    free(q->key);
    free(q->child);
    free(q->next);
    free(q->prev);
    free(q);
}

/* Both are roots without siblings. */
static uint32_t meld(pairing *q, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    if (queue_before((queue_item){q->key[b], b}, (queue_item){q->key[a], a})) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    q->next[b] = q->child[a];
    if (q->child[a] != NONE)
        q->prev[q->child[a]] = b;
    q->prev[b] = a;
    q->child[a] = b;
    return a;
}

/* A list of siblings becomes one tree: in pairs from left to right, then all from right to left. */
static uint32_t meld_list(pairing *q, uint32_t first)
{
    uint32_t pairs = NONE, all = NONE;
    while (first != NONE) {
        uint32_t a = first, b = q->next[a], rest = b == NONE ? NONE : q->next[b];
        q->next[a] = NONE;
        if (b != NONE)
            q->next[b] = NONE;
        a = meld(q, a, b);
        q->next[a] = pairs;
        pairs = a;
        first = rest;
    }
    while (pairs != NONE) {
        uint32_t rest = q->next[pairs];
        q->next[pairs] = NONE;
        all = meld(q, all, pairs);
        pairs = rest;
    }
    return all;
}

static void pairing_insert(void *queue, uint32_t id, double key)
{
    pairing *q = queue;
    q->key[id] = key;
    q->child[id] = q->next[id] = q->prev[id] = NONE;
    q->root = meld(q, q->root, id);
}

static void pairing_remove(void *queue, uint32_t id)
{
    pairing *q = queue;
    if (id == q->root) {
        q->root = meld_list(q, q->child[id]);
        return;
    }
    uint32_t prev = q->prev[id];
    if (q->child[prev] == id)
        q->child[prev] = q->next[id];
    else
        q->next[prev] = q->next[id];
    if (q->next[id] != NONE)
        q->prev[q->next[id]] = prev;
    q->root = meld(q, q->root, meld_list(q, q->child[id]));
}

static void pairing_update(void *queue, uint32_t id, double key)
{
    pairing_remove(queue, id);
    pairing_insert(queue, id, key);
}

static uint32_t pairing_pop(void *queue)
{
    uint32_t id = ((pairing *)queue)->root;
    pairing_remove(queue, id);
    return id;
}

const queue_kind queue_pairing = {"boxwood-pairing", pairing_create, pairing_destroy, pairing_insert,
                                  pairing_update,    pairing_remove, pairing_pop};
