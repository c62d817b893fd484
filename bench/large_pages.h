/* An allocator as engines have them: the heap, but large blocks ask Linux for large pages. Embree does the
 * same inside. */
#ifndef BENCH_LARGE_PAGES_H
#define BENCH_LARGE_PAGES_H

#include <boxwood/base.h>

/* Stateless, never NULL. */
const bw_allocator *bench_large_pages(void);

/* The same, but large blocks that are given back are kept for the next who asks for as much: what is built
 * again and again meets no fresh pages, which the kernel has to clear. */
const bw_allocator *bench_kept_pages(void);
void bench_kept_pages_release(void);

#endif
