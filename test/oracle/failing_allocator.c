#define _POSIX_C_SOURCE 200809L
#include "oracle/failing_allocator.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HEADER = 64, GUARD = 16, FILL = 0xa5, DEAD = 0x5e, FENCE = 0xfd };
#define MAGIC 0x626f78776f6f6421u

typedef struct header {
    uint64_t magic;
    size_t size;
    bw_failing_allocator *owner;
    unsigned char fence[HEADER - 2 * sizeof(uint64_t) - sizeof(void *)];
} header;
_Static_assert(sizeof(header) == HEADER, "the block after the header keeps 64-byte alignment");

static void refuse(const char *why)
{
    fprintf(stderr, "allocator misused: %s\n", why);
    abort();
}

static void *take(void *user, size_t size, size_t alignment)
{
    bw_failing_allocator *memory = user;
    if (size == 0)
        refuse("asked for nothing");
    if (alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0)
        refuse("asked for an alignment that is no power of two up to 64");
    uint64_t call = atomic_fetch_add(&memory->calls, 1) + 1;
    if (call == atomic_load(&memory->fail_at)) {
        atomic_fetch_add(&memory->refused, 1);
        return NULL;
    }
    void *block = NULL;
    if (size > SIZE_MAX - HEADER - GUARD || posix_memalign(&block, 64, HEADER + size + GUARD) != 0)
        return NULL;
    header *head = block;
    *head = (header){.magic = MAGIC, .size = size, .owner = memory};
    memset(head->fence, FENCE, sizeof head->fence);
    unsigned char *bytes = (unsigned char *)block + HEADER;
    memset(bytes, FILL, size);
    memset(bytes + size, FENCE, GUARD);
    atomic_fetch_add(&memory->live_blocks, 1);
    atomic_fetch_add(&memory->live_bytes, size);
    return bytes;
}

static bool all_fence(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != FENCE)
            return false;
    return true;
}

static void give(void *user, void *pointer, size_t size)
{
    bw_failing_allocator *memory = user;
    if (pointer == NULL)
        refuse("freed NULL");
    unsigned char *bytes = pointer;
    header *head = (header *)(void *)(bytes - HEADER);
    if (head->magic != MAGIC || head->owner != memory)
        refuse("freed a pointer that is not live here");
    if (head->size != size)
        refuse("freed with another size than was asked for");
    if (!all_fence(head->fence, sizeof head->fence) || !all_fence(bytes + size, GUARD))
        refuse("bytes beside the block were written");
    atomic_fetch_sub(&memory->live_blocks, 1);
    atomic_fetch_sub(&memory->live_bytes, size);
    memset(head, DEAD, HEADER + size);
    free(head);
}

void bw_failing_allocator_init(bw_failing_allocator *memory)
{
    memset(memory, 0, sizeof *memory);
    memory->hook = (bw_allocator){take, give, memory};
}

void bw_failing_allocator_fail(bw_failing_allocator *memory, uint64_t n)
{
    atomic_store(&memory->fail_at, atomic_load(&memory->calls) + n);
}

void bw_failing_allocator_fail_none(bw_failing_allocator *memory)
{
    atomic_store(&memory->fail_at, 0);
}

uint64_t bw_each_allocation_failure(bw_fault_fn *body, void *user, uint64_t at_least)
{
    for (uint64_t n = 1;; n++) {
        bw_failing_allocator memory;
        bw_failing_allocator_init(&memory);
        bw_result result = body(&memory, n, user);
        if (memory.live_blocks != 0)
            fail_msg("allocation %" PRIu64 " refused: %" PRIu64 " blocks of %" PRIu64 " bytes are left", n,
                     (uint64_t)memory.live_blocks, (uint64_t)memory.live_bytes);
        if (memory.refused == 0) {
            if (result != BW_OK)
                fail_msg("nothing refused, yet: %s", bw_result_string(result));
            if (n - 1 < at_least)
                fail_msg("only %" PRIu64 " allocations were seen, expected %" PRIu64, n - 1, at_least);
            return n - 1;
        }
        if (result != BW_ERROR_MEMORY)
            fail_msg("allocation %" PRIu64 " refused, but: %s", n, bw_result_string(result));
    }
}
