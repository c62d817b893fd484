/* Two films for the tests of separation lists, and the list as numbers to compare. */
#ifndef BW_TEST_TIMELINE_STAGE_H
#define BW_TEST_TIMELINE_STAGE_H

#include <boxwood/timeline.h>

#include "kinetic/film.h"

typedef struct stage {
    film films[2];
    bw_mesh meshes[2];
    bw_moving moving[2];
    double begin, end; /* common */
} stage;

/* Two films of the same kind of motion or not, the second across the first. */
void stage_make(const film_desc *a, const film_desc *b, bws_random *random, stage *out);
void stage_free(stage *st);
film_desc stage_any(bws_random *random);
bw_separation *stage_separation(const stage *st, bw_separation_method method, bool self);

/* Every entry of a list, as bytes. */
typedef struct listing {
    bw_separation_entry *entries;
    size_t count, capacity;
} listing;

bool listing_add(void *user, const bw_separation_entry *entry);
void listing_equal(const listing *a, const listing *b);

/* All contacts at the present time, sorted. */
typedef struct contacts {
    bw_hit *hits;
    uint64_t count;
} contacts;
contacts contacts_of(bw_separation *separation);
void contacts_equal(const contacts *a, const contacts *b);

/* Some time of the stage to go to: mostly soon after now, now itself, or anywhere. */
double stage_time(const stage *st, double now, bws_random *r);

#endif
