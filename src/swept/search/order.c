/* What a search found, sorted by feature, then a, then b. */
#include "swept/search/order.h"

#include "base/radix_sort.h"

/* What sorting a record takes: where it is, its key, its place in the order, and room for both. */
enum { SORT_BYTES = sizeof(void *) + 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) };

static bw_swept_candidate name_of(const void *record)
{
    bw_swept_candidate name;
    memcpy(&name, record, sizeof name);
    return name;
}

/* Records of one feature after those of another, each by a and b. */
static void sort(const bw_swept_search *s, bw_swept_order *o)
{
    uint32_t count[BW_SWEPT_FEATURES + 1] = {0}, next = 0;
    for (uint32_t i = 0; i < s->part_count; i++)
        for (size_t j = 0; j < s->parts[i].found.count; j++) {
            o->at[next] = bw_array_at(&s->parts[i].found, j);
            count[name_of(o->at[next++]).feature + 1]++;
        }
    for (int f = 1; f <= BW_SWEPT_FEATURES; f++)
        count[f] += count[f - 1]; /* where feature f begins */
    for (uint32_t i = 0; i < o->count; i++) {
        const bw_swept_candidate name = name_of(o->at[i]);
        uint32_t slot = count[name.feature]++;
        o->keys[slot] = (uint64_t)name.a << 32 | name.b;
        o->places[slot] = i;
    }
    for (int f = 0; f < BW_SWEPT_FEATURES; f++) {
        uint32_t begin = f > 0 ? count[f - 1] : 0;
        bw_sort_u64(o->keys + begin, o->places + begin, o->key_room, o->place_room, count[f] - begin);
    }
}

bw_result bw_swept_order_make(const bw_swept_search *s, bw_swept_order *out)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->part_count; i++)
        count += s->parts[i].found.count;
    *out = (bw_swept_order){0};
    if (count == 0)
        return BW_OK;
    if (count > UINT32_MAX)
        return BW_ERROR_SIZE;
    out->at = bw_allocate(s->allocator, count, SORT_BYTES);
    if (out->at == NULL)
        return BW_ERROR_MEMORY;
    out->count = (uint32_t)count;
    out->keys = (uint64_t *)(void *)(out->at + count);
    out->key_room = out->keys + count;
    out->places = (uint32_t *)(void *)(out->key_room + count);
    out->place_room = out->places + count;
    sort(s, out);
    return BW_OK;
}

void bw_swept_order_release(const bw_swept_search *s, bw_swept_order *order)
{
    bw_release(s->allocator, order->at, order->count, SORT_BYTES);
}
