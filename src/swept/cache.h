/* Candidates kept over steps: see cache.c. */
#ifndef BW_SWEPT_CACHE_H
#define BW_SWEPT_CACHE_H

#include "swept/search/search.h"

/* Sets what of the cache serves the search, after filling it again where it does not and where that pays;
 * kept stays NULL where nothing does. BW_ERROR_MEMORY: the cache is empty, as where the caller ends it, which sets stopped. */
bw_result bw_swept_cache_serve(bw_swept_cache *cache, bw_swept_search *search);

#endif
