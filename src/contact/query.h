/* One query of bw_contacts, as its stages hand it on. */
#ifndef BW_CONTACT_QUERY_H
#define BW_CONTACT_QUERY_H

#include "contact/geometry.h"
#include "contact/inside/immersion.h"

#include <boxwood/nearest.h>

typedef struct bw_contact_query {
    bw_contact_frame frame;
    const bw_contacts_desc *desc;
    bw_allocator allocator;
    bw_hit *hits;         /* in the order of bw_collide */
    bw_contact *contacts; /* in the order of regions */
    uint32_t contact_count;
    bw_contact_region *regions;
    double *deepest; /* of each region: how deep points of its overlap are found to be in the other body */
    bool *flush;     /* of each region: faces in one plane with both bodies on the same side */
    uint32_t region_count;
    bw_immersion immersion; /* where depth or volume is wanted */
    bool stopped;           /* the caller's progress said so */
    bw_contacts_report report;
} bw_contact_query;

/* Asks the caller's progress; false where the query is to end. */
static inline bool bw_contact_query_goes_on(bw_contact_query *query)
{
    const bw_progress progress = query->desc->progress;
    query->stopped = query->stopped || (progress.go_on != NULL && !progress.go_on(progress.user));
    return !query->stopped;
}

#endif
