/* Nodes and leaves written when a query first visits them. */
#include "tree/wide/deferred.h"

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#    define PAUSE() __builtin_ia32_pause()
#else
#    define PAUSE() ((void)0)
#endif

/* Whether the caller is the one to write; otherwise it is written when this returns. */
static bool claim(_Atomic uint32_t *number, uint32_t now)
{
    uint32_t seen = atomic_load_explicit(number, memory_order_acquire);
    if (seen != now && seen != now - 1 &&
        atomic_compare_exchange_strong_explicit(number, &seen, now - 1, memory_order_acquire,
                                                memory_order_acquire))
        return true;
    while (atomic_load_explicit(number, memory_order_acquire) != now)
        PAUSE();
    return false;
}

void bw_wide_deferred_node(struct bw_wide_deferred *lazy, uint32_t node)
{
    if (!claim(&lazy->nodes[node], lazy->nodes_now))
        return;
    lazy->write_node(lazy->user, node);
    atomic_store_explicit(&lazy->nodes[node], lazy->nodes_now, memory_order_release);
}

void bw_wide_deferred_block(struct bw_wide_deferred *lazy, uint32_t block)
{
    if (!claim(&lazy->blocks[block], lazy->blocks_now))
        return;
    lazy->write_block(lazy->user, block);
    atomic_store_explicit(&lazy->blocks[block], lazy->blocks_now, memory_order_release);
}

void bw_wide_deferred_leaf(const bw_wide *wide, uint32_t leaf)
{
    struct bw_wide_deferred *lazy = wide->lazy;
    const uint32_t *vertex = wide->vertices + wide->vertex_first[leaf];
    for (uint32_t i = 0, last = BW_NONE; i < wide->leaves[leaf].vertex_count; i++) {
        uint32_t block = vertex[i] / BW_DEFERRED_BLOCK;
        if (block != last &&
            atomic_load_explicit(&lazy->blocks[block], memory_order_acquire) != lazy->blocks_now)
            bw_wide_deferred_block(lazy, block);
        last = block;
    }
}

void bw_wide_complete(const bw_wide *wide)
{
    struct bw_wide_deferred *lazy = wide->lazy;
    if (lazy == NULL)
        return;
    for (uint32_t block = 0; !lazy->all_blocks && block < lazy->block_count; block++)
        bw_wide_deferred_block(lazy, block);
    for (uint32_t node = 0; node < lazy->node_count; node++)
        bw_wide_need_node(wide, node);
}

void bw_wide_deferred_forget(_Atomic uint32_t *numbers, uint32_t count, uint32_t *now)
{
    if (*now >= UINT32_MAX - 2) { /* start counting again */
        for (uint32_t i = 0; i < count; i++)
            atomic_store_explicit(&numbers[i], 0, memory_order_relaxed);
        *now = 0;
    }
    *now += 2;
}

uint32_t bw_wide_deferred_written(const _Atomic uint32_t *numbers, uint32_t count, uint32_t now)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++)
        written += atomic_load_explicit(&numbers[i], memory_order_relaxed) == now;
    return written;
}
