/* A min-heap of ids by key, in which every id can be found. */
#include "base/heap.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Node p stands at items[p + PAD], so that its four children, one cache line, start at a multiple of 64
 * bytes. */
enum { ARITY = 4, PAD = ARITY - 1 };

static bool before(const bw_heap_item *a, const bw_heap_item *b)
{
    return (a->key < b->key) | ((a->key == b->key) & (a->id < b->id));
}

static bw_heap_item *node(const bw_heap *heap, uint32_t place)
{
    return heap->items + PAD + place;
}

static void put(bw_heap *heap, uint32_t place, bw_heap_item item)
{
    *node(heap, place) = item;
    heap->place[item.id] = place;
}

/* Without branches where all four are there: which of them it is nobody can foretell. */
static uint32_t least_child(const bw_heap *heap, uint32_t first)
{
    if (heap->count - first >= ARITY) {
        uint32_t a = first + before(node(heap, first + 1), node(heap, first));
        uint32_t b = first + 2 + before(node(heap, first + 3), node(heap, first + 2));
        return before(node(heap, b), node(heap, a)) ? b : a;
    }
    uint32_t least = first;
    for (uint32_t child = least + 1; child < heap->count; child++)
        least = before(node(heap, child), node(heap, least)) ? child : least;
    return least;
}

/* Both move a hole from `place` to where item belongs, and put it there. */
static void sift_up(bw_heap *heap, uint32_t place, bw_heap_item item)
{
    while (place > 0) {
        uint32_t parent = (place - 1) / ARITY;
        if (!before(&item, node(heap, parent)))
            break;
        put(heap, place, *node(heap, parent));
        place = parent;
    }
    put(heap, place, item);
}

static void sift_down(bw_heap *heap, uint32_t place, bw_heap_item item)
{
    for (;;) {
        uint64_t first = (uint64_t)place * ARITY + 1;
        if (first >= heap->count)
            break;
        uint32_t least = least_child(heap, (uint32_t)first);
        if (!before(node(heap, least), &item))
            break;
        put(heap, place, *node(heap, least));
        place = least;
    }
    put(heap, place, item);
}

static void restore(bw_heap *heap, uint32_t place, bw_heap_item item)
{
    if (place > 0 && before(&item, node(heap, (place - 1) / ARITY)))
        sift_up(heap, place, item);
    else
        sift_down(heap, place, item);
}

bool bw_heap_reserve(bw_heap *heap, uint32_t ids)
{
    if (ids <= heap->room)
        return true;
    /* Room doubles, so that adding ids one by one costs O(1) each. */
    uint32_t room = heap->room > UINT32_MAX / 2 ? UINT32_MAX : heap->room * 2;
    if (room < ids)
        room = ids;
    bw_heap_item *items = bw_allocate(heap->allocator, (size_t)room + PAD, sizeof *items);
    uint32_t *place = bw_allocate(heap->allocator, room, sizeof *place);
    if (items == NULL || place == NULL) {
        bw_release(heap->allocator, items, (size_t)room + PAD, sizeof *items);
        bw_release(heap->allocator, place, room, sizeof *place);
        return false;
    }
    if (heap->room > 0) {
        memcpy(items + PAD, heap->items + PAD, heap->count * sizeof *items);
        memcpy(place, heap->place, heap->room * sizeof *place);
    }
    for (uint32_t id = heap->room; id < room; id++)
        place[id] = BW_HEAP_ABSENT;
    uint32_t count = heap->count;
    bw_heap_release(heap);
    heap->items = items;
    heap->place = place;
    heap->room = room;
    heap->count = count;
    return true;
}

void bw_heap_release(bw_heap *heap)
{
    bw_release(heap->allocator, heap->items, (size_t)heap->room + PAD, sizeof *heap->items);
    bw_release(heap->allocator, heap->place, heap->room, sizeof *heap->place);
    *heap = bw_heap_over(heap->allocator);
}

size_t bw_heap_bytes(const bw_heap *heap)
{
    if (heap->room == 0)
        return 0;
    return ((size_t)heap->room + PAD) * sizeof *heap->items + heap->room * sizeof *heap->place;
}

void bw_heap_insert(bw_heap *heap, uint32_t id, double key)
{
    assert(id < heap->room && !bw_heap_has(heap, id) && key == key);
    sift_up(heap, heap->count++, (bw_heap_item){key, id});
}

void bw_heap_update(bw_heap *heap, uint32_t id, double key)
{
    assert(id < heap->room && bw_heap_has(heap, id) && key == key);
    restore(heap, heap->place[id], (bw_heap_item){key, id});
}

void bw_heap_remove(bw_heap *heap, uint32_t id)
{
    assert(id < heap->room && bw_heap_has(heap, id));
    uint32_t hole = heap->place[id];
    heap->place[id] = BW_HEAP_ABSENT;
    heap->count--;
    if (hole < heap->count)
        restore(heap, hole, *node(heap, heap->count));
}

void bw_heap_set(bw_heap *heap, uint32_t id, double key)
{
    const bool there = bw_heap_has(heap, id);
    if (key != INFINITY)
        (there ? bw_heap_update : bw_heap_insert)(heap, id, key);
    else if (there)
        bw_heap_remove(heap, id);
}

double bw_heap_key(const bw_heap *heap, uint32_t id)
{
    assert(id < heap->room && bw_heap_has(heap, id));
    return node(heap, heap->place[id])->key;
}

bool bw_heap_top(const bw_heap *heap, bw_heap_item *out)
{
    if (heap->count == 0)
        return false;
    *out = *node(heap, 0);
    return true;
}

bool bw_heap_second(const bw_heap *heap, bw_heap_item *out)
{
    if (heap->count < 2)
        return false;
    *out = *node(heap, 1);
    for (uint32_t child = 2; child <= ARITY && child < heap->count; child++)
        if (before(node(heap, child), out))
            *out = *node(heap, child);
    return true;
}

uint32_t bw_heap_until(const bw_heap *heap, double until, uint32_t *ids, uint32_t room)
{
    enum { LOOK = 64 }; /* places from the top: enough for the first ones, and little to look at */
    uint32_t count = 0;
    for (uint32_t place = 0; place < heap->count && place < LOOK && count < room; place++)
        if (node(heap, place)->key <= until)
            ids[count++] = node(heap, place)->id;
    return count;
}

bool bw_heap_pop(bw_heap *heap, bw_heap_item *out)
{
    if (!bw_heap_top(heap, out))
        return false;
    bw_heap_remove(heap, out->id);
    return true;
}

void bw_heap_clear(bw_heap *heap)
{
    for (uint32_t i = 0; i < heap->count; i++)
        heap->place[node(heap, i)->id] = BW_HEAP_ABSENT;
    heap->count = 0;
}

const char *bw_heap_check(const bw_heap *heap)
{
    if (heap->count > heap->room)
        return "more items than ids";
    for (uint32_t i = 0; i < heap->count; i++) {
        const bw_heap_item *item = node(heap, i);
        if (item->id >= heap->room)
            return "an item has an unknown id";
        if (heap->place[item->id] != i)
            return "the place of an id is not where it stands";
        if (i > 0 && before(item, node(heap, (i - 1) / ARITY)))
            return "a child comes before its parent";
    }
    uint32_t present = 0;
    for (uint32_t id = 0; id < heap->room; id++)
        present += bw_heap_has(heap, id);
    return present == heap->count ? NULL : "an id that is not in the heap has a place";
}
