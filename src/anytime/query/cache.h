/* What queries carry from call to call. */
#ifndef BW_ANYTIME_QUERY_CACHE_H
#define BW_ANYTIME_QUERY_CACHE_H

#include "anytime/query/query.h"

struct bw_anytime_cache {
    bw_allocator allocator;
    bw_stack stack; /* of bw_anytime_frame, kept while resumable */
    bool resumable;
    const bw_anytime *a, *b; /* of the last query, to recognise it */
    uint64_t changes_a, changes_b;
    bw_relative_pose pose;
    bw_anytime_progress progress;
    bw_collide_report report;
    bool touched; /* the last query ended with a proven contact, in these leaves */
    bw_wide_leaf_pair leaves;
    bw_anytime_frame room[BW_ANYTIME_STACK];
};

/* Whether the query of the state was of these bodies at this pose. */
bool bw_anytime_cache_fits(const bw_anytime_cache *state, const bw_anytime *a, const bw_anytime *b,
                           const bw_relative_pose *pose);

#endif
