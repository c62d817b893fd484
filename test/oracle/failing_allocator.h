/* An allocator that counts what is live, checks what is given back, and can be told to fail one allocation.
 */
#ifndef BW_ORACLE_FAILING_ALLOCATOR_H
#define BW_ORACLE_FAILING_ALLOCATOR_H

#include <boxwood/base.h>
#include <stdatomic.h>

/* Any number of threads may use the hook at once. It aborts, naming why, on a size or alignment outside the
 * promise of bw_allocator, on a free with another size than was asked for, on a pointer it never gave, and
 * where bytes beside the block were written. Fresh memory is filled with 0xa5, so that a read before a write
 * shows. */
typedef struct bw_failing_allocator {
    bw_allocator hook;
    atomic_uint_fast64_t calls;   /* allocations asked for */
    atomic_uint_fast64_t fail_at; /* the call to refuse, counted from 1; 0: none */
    atomic_uint_fast64_t refused; /* how many were */
    atomic_uint_fast64_t live_blocks, live_bytes;
} bw_failing_allocator;

/* *memory must not move while the hook is in use. */
void bw_failing_allocator_init(bw_failing_allocator *memory);
/* Refuses the n-th allocation from now, n >= 1, and only that. */
void bw_failing_allocator_fail(bw_failing_allocator *memory, uint64_t n);
void bw_failing_allocator_fail_none(bw_failing_allocator *memory);

/* Sets up what it needs, arms memory with bw_failing_allocator_fail(memory, n), calls the function under
 * test, disarms, checks that all objects are as they were if it failed, gives everything back, and returns
 * its result. */
typedef bw_result bw_fault_fn(bw_failing_allocator *memory, uint64_t n, void *user);

/* Calls body for n = 1, 2, ... until nothing was refused. Fails the cmocka test unless each refusal led to
 * BW_ERROR_MEMORY, the last run to BW_OK, and no run left a block behind. Returns the number of allocations
 * of the whole run; at_least is the number there must be, so that a test cannot pass by allocating from
 * elsewhere. */
uint64_t bw_each_allocation_failure(bw_fault_fn *body, void *user, uint64_t at_least);

#endif
