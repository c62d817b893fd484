/* Allocators that show what memory costs: the library's own default asks for large pages, as Embree does
 * inside. */
#ifndef BENCH_PAGES_H
#define BENCH_PAGES_H

#include <boxwood/base.h>

/* malloc as it is. Stateless, never NULL. */
const bw_allocator *bench_small_pages(void);

/* Large pages, and large blocks that are given back are kept for the next who asks for as much: what is built
 * again and again meets no fresh pages, which the kernel has to clear. */
const bw_allocator *bench_kept_pages(void);
void bench_kept_pages_release(void);

#endif
