/* Priority queues of ids with keys of double, for kinetic-queue to compare: the smallest key first, equal
 * keys by id. All can remove and redate any id. */
#ifndef BENCH_QUEUES_H
#define BENCH_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct queue_kind {
    const char *name;
    void *(*create)(uint32_t ids); /* ids below this may come */
    void (*destroy)(void *queue);
    void (*insert)(void *queue, uint32_t id, double key); /* absent; no key below the last one popped */
    void (*update)(void *queue, uint32_t id, double key); /* present */
    void (*remove)(void *queue, uint32_t id);             /* present */
    uint32_t (*pop)(void *queue);                         /* not empty */
} queue_kind;

extern const queue_kind queue_library; /* base/heap.h, what the library uses */
extern const queue_kind queue_heap2, queue_heap4, queue_heap8;
extern const queue_kind queue_pairing;
extern const queue_kind queue_avl; /* the paper's choice */
extern const queue_kind queue_calendar;
extern const queue_kind queue_radix;

typedef struct queue_item {
    double key;
    uint32_t id;
} queue_item;

static inline bool queue_before(queue_item a, queue_item b)
{
    return a.key < b.key || (a.key == b.key && a.id < b.id);
}

#endif
