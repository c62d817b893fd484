/* A balanced tree, a calendar and a radix heap. */
#include "queues.h"

#include "runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/* ---- AVL tree by (key, id); ids are nodes ---- */

typedef struct avl {
    double *key;
    uint32_t (*child)[2];
    int8_t *height;
    uint32_t root;
} avl;

static void *avl_create(uint32_t ids)
{
    avl *q = bench_alloc(1, sizeof *q);
    q->key = bench_alloc(ids, sizeof *q->key);
    q->child = bench_alloc(ids, sizeof *q->child);
    q->height = bench_alloc(ids, sizeof *q->height);
    q->root = NONE;
    return q;
}

static void avl_destroy(void *queue)
{
    avl *q = queue;
    free(q->key);
    free(q->child);
    free(q->height);
    free(q);
}

static int tall(const avl *q, uint32_t node)
{
    return node == NONE ? 0 : q->height[node];
}

static void measure(avl *q, uint32_t node)
{
    int a = tall(q, q->child[node][0]), b = tall(q, q->child[node][1]);
    q->height[node] = (int8_t)((a > b ? a : b) + 1);
}

static uint32_t rotate(avl *q, uint32_t node, int side)
{
    uint32_t up = q->child[node][!side];
    q->child[node][!side] = q->child[up][side];
    q->child[up][side] = node;
    measure(q, node);
    measure(q, up);
    return up;
}

static uint32_t balance(avl *q, uint32_t node)
{
    int lean = tall(q, q->child[node][1]) - tall(q, q->child[node][0]);
    if (lean >= -1 && lean <= 1) {
        measure(q, node);
        return node;
    }
    int side = lean > 0; /* the taller */
    uint32_t child = q->child[node][side];
    if (tall(q, q->child[child][!side]) > tall(q, q->child[child][side]))
        q->child[node][side] = rotate(q, child, side);
    return rotate(q, node, !side);
}

static bool after(const avl *q, uint32_t a, uint32_t b)
{
    return queue_before((queue_item){q->key[b], b}, (queue_item){q->key[a], a});
}

static uint32_t add(avl *q, uint32_t node, uint32_t id)
{
    if (node == NONE)
        return id;
    int side = after(q, id, node);
    q->child[node][side] = add(q, q->child[node][side], id);
    return balance(q, node);
}

static uint32_t take_first(avl *q, uint32_t node, uint32_t *first)
{
    if (q->child[node][0] == NONE) {
        *first = node;
        return q->child[node][1];
    }
    q->child[node][0] = take_first(q, q->child[node][0], first);
    return balance(q, node);
}

static uint32_t take(avl *q, uint32_t node, uint32_t id)
{
    if (node != id) {
        int side = after(q, id, node);
        q->child[node][side] = take(q, q->child[node][side], id);
        return balance(q, node);
    }
    if (q->child[node][1] == NONE)
        return q->child[node][0];
    uint32_t first, rest = take_first(q, q->child[node][1], &first);
    q->child[first][0] = q->child[node][0];
    q->child[first][1] = rest;
    return balance(q, first);
}

static void avl_insert(void *queue, uint32_t id, double key)
{
    avl *q = queue;
    q->key[id] = key;
    q->child[id][0] = q->child[id][1] = NONE;
    q->height[id] = 1;
    q->root = add(q, q->root, id);
}

static void avl_remove(void *queue, uint32_t id)
{
    avl *q = queue;
    q->root = take(q, q->root, id);
}

static void avl_update(void *queue, uint32_t id, double key)
{
    avl_remove(queue, id);
    avl_insert(queue, id, key);
}

static uint32_t avl_pop(void *queue)
{
    avl *q = queue;
    uint32_t first;
    q->root = take_first(q, q->root, &first);
    return first;
}

const queue_kind queue_avl = {"boxwood-avl", avl_create, avl_destroy, avl_insert,
                              avl_update,    avl_remove, avl_pop};

/* ---- ids in lists ---- */

typedef struct lists {
    double *key;
    uint32_t *next, *prev, *list, *head;
} lists;

static lists lists_of(uint32_t ids, uint32_t heads)
{
    lists l = {bench_alloc(ids, sizeof(double)), bench_alloc(ids, sizeof(uint32_t)),
               bench_alloc(ids, sizeof(uint32_t)), bench_alloc(ids, sizeof(uint32_t)),
               bench_alloc(heads, sizeof(uint32_t))};
    memset(l.head, 0xff, heads * sizeof *l.head);
    return l;
}

static void lists_free(lists *l)
{
    free(l->key);
    free(l->next);
    free(l->prev);
    free(l->list);
    free(l->head);
}

static void link_id(lists *l, uint32_t list, uint32_t id)
{
    l->list[id] = list;
    l->prev[id] = NONE;
    l->next[id] = l->head[list];
    if (l->head[list] != NONE)
        l->prev[l->head[list]] = id;
    l->head[list] = id;
}

static void unlink_id(lists *l, uint32_t id)
{
    if (l->prev[id] == NONE)
        l->head[l->list[id]] = l->next[id];
    else
        l->next[l->prev[id]] = l->next[id];
    if (l->next[id] != NONE)
        l->prev[l->next[id]] = l->prev[id];
}

static uint32_t least_of(const lists *l, uint32_t list)
{
    uint32_t best = l->head[list];
    for (uint32_t i = best; i != NONE; i = l->next[i])
        if (queue_before((queue_item){l->key[i], i}, (queue_item){l->key[best], best}))
            best = i;
    return best;
}

/* ---- calendar: days of equal length, about one id each, in years that repeat ---- */

typedef struct calendar {
    lists lists;
    uint32_t ids, days, count;
    double day; /* its length */
    uint64_t today;
} calendar;

static void *calendar_create(uint32_t ids)
{
    calendar *q = bench_alloc(1, sizeof *q);
    *q = (calendar){.lists = lists_of(ids, 2), .ids = ids, .days = 2, .day = 1};
    return q;
}

static void calendar_destroy(void *queue)
{
    lists_free(&((calendar *)queue)->lists);
    free(queue);
}

static uint64_t date_of(const calendar *q, double key)
{
    return (uint64_t)(key / q->day);
}

/* Other days: their number follows that of the ids, their length the spread of the keys. */
static void renew(calendar *q, uint32_t days)
{
    uint32_t *all = bench_alloc(q->count + 1, sizeof *all), count = 0;
    double low = INFINITY, high = 0, sum = 0;
    for (uint32_t d = 0; d < q->days; d++)
        for (uint32_t i = q->lists.head[d]; i != NONE; i = q->lists.next[i]) {
            all[count++] = i;
            low = fmin(low, q->lists.key[i]);
            high = fmax(high, q->lists.key[i]);
            sum += q->lists.key[i];
        }
    double middle = sum / count - low; /* half of them are earlier, about: a few far ones do not matter */
    q->day = middle > 0 ? 2 * middle / count : high > 0 ? high : 1;
    q->day = fmax(q->day, high * 0x1p-50);
    q->days = days;
    free(q->lists.head);
    q->lists.head = bench_alloc(days, sizeof *q->lists.head);
    memset(q->lists.head, 0xff, days * sizeof *q->lists.head);
    for (uint32_t i = 0; i < count; i++)
        link_id(&q->lists, (uint32_t)(date_of(q, q->lists.key[all[i]]) & (days - 1)), all[i]);
    q->today = date_of(q, low);
    free(all);
}

static void calendar_insert(void *queue, uint32_t id, double key)
{
    calendar *q = queue;
    q->lists.key[id] = key;
    uint64_t date = date_of(q, key);
    if (q->count == 0 || date < q->today)
        q->today = date;
    link_id(&q->lists, (uint32_t)(date & (q->days - 1)), id);
    if (++q->count > 2 * q->days)
        renew(q, 2 * q->days);
}

static void calendar_remove(void *queue, uint32_t id)
{
    calendar *q = queue;
    unlink_id(&q->lists, id);
    if (--q->count < q->days / 4 && q->days > 2)
        renew(q, q->days / 2);
}

static void calendar_update(void *queue, uint32_t id, double key)
{
    calendar_remove(queue, id);
    calendar_insert(queue, id, key);
}

static uint32_t calendar_pop(void *queue)
{
    calendar *q = queue;
    for (uint32_t day = 0; day < q->days; day++, q->today++) {
        uint32_t best = NONE;
        for (uint32_t i = q->lists.head[q->today & (q->days - 1)]; i != NONE; i = q->lists.next[i])
            if (date_of(q, q->lists.key[i]) == q->today &&
                (best == NONE ||
                 queue_before((queue_item){q->lists.key[i], i}, (queue_item){q->lists.key[best], best})))
                best = i;
        if (best != NONE) {
            calendar_remove(q, best);
            return best;
        }
    }
    uint32_t best = NONE; /* a year without any: look at all */
    for (uint32_t d = 0; d < q->days; d++) {
        uint32_t i = least_of(&q->lists, d);
        if (i != NONE && (best == NONE || queue_before((queue_item){q->lists.key[i], i},
                                                       (queue_item){q->lists.key[best], best})))
            best = i;
    }
    q->today = date_of(q, q->lists.key[best]);
    calendar_remove(q, best);
    return best;
}

const queue_kind queue_calendar = {"boxwood-calendar", calendar_create, calendar_destroy, calendar_insert,
                                   calendar_update,    calendar_remove, calendar_pop};

/* ---- radix heap: by the highest bit in which a key differs from the last one popped. Keys are not
 * negative, so that they are in the order of their bits. ---- */

typedef struct radix {
    lists lists;
    double last;
} radix;

enum { LISTS = 65 };

static uint64_t bits_of(double key)
{
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

static uint32_t list_of(const radix *q, double key)
{
    uint64_t differ = bits_of(key) ^ bits_of(q->last);
    return differ == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(differ);
}

static void *radix_create(uint32_t ids)
{
    radix *q = bench_alloc(1, sizeof *q);
    q->lists = lists_of(ids, LISTS);
    return q;
}

static void radix_destroy(void *queue)
{
    lists_free(&((radix *)queue)->lists);
    free(queue);
}

static void radix_insert(void *queue, uint32_t id, double key)
{
    radix *q = queue;
    q->lists.key[id] = key;
    link_id(&q->lists, list_of(q, key), id);
}

static void radix_remove(void *queue, uint32_t id)
{
    unlink_id(&((radix *)queue)->lists, id);
}

static void radix_update(void *queue, uint32_t id, double key)
{
    radix_remove(queue, id);
    radix_insert(queue, id, key);
}

static uint32_t radix_pop(void *queue)
{
    radix *q = queue;
    uint32_t list = 0;
    while (q->lists.head[list] == NONE)
        list++;
    uint32_t best = least_of(&q->lists, list);
    if (list > 0) {
        q->last = q->lists.key[best];
        for (uint32_t i = q->lists.head[list], next; i != NONE; i = next) {
            next = q->lists.next[i];
            unlink_id(&q->lists, i);
            link_id(&q->lists, list_of(q, q->lists.key[i]), i);
        }
    }
    unlink_id(&q->lists, best);
    return best;
}

const queue_kind queue_radix = {"boxwood-radix", radix_create, radix_destroy, radix_insert,
                                radix_update,    radix_remove, radix_pop};
