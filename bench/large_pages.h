/* An allocator as engines have them: the heap, but large blocks ask Linux for large pages. Embree does the
 * same inside. */
#ifndef BENCH_LARGE_PAGES_H
#define BENCH_LARGE_PAGES_H

#include <boxwood/base.h>

/* Stateless, never NULL. */
const bw_allocator *bench_large_pages(void);

#endif
