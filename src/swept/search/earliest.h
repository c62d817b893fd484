/* The search for the earliest contact alone: see earliest.c. */
#ifndef BW_SWEPT_SEARCH_EARLIEST_H
#define BW_SWEPT_SEARCH_EARLIEST_H

#include "swept/search/search.h"

/* Mode EARLIEST: all parts. False when memory runs out. */
bool bw_swept_run_earliest(bw_swept_search *search, bw_swept_worker *workers);
/* Of the contacts that were met on the way only the earliest counts. */
void bw_swept_keep_earliest(bw_swept_report *report);

#endif
