/* What queries carry from call to call. */
#ifndef BW_ANYTIME_QUERY_STATE_H
#define BW_ANYTIME_QUERY_STATE_H

#include "anytime/query/query.h"

struct bw_adb_state {
    bw_allocator allocator;
    bw_stack stack; /* of bw_adb_frame, kept while resumable */
    bool resumable;
    const bw_adb *a, *b; /* of the last query, to recognise it */
    uint64_t changes_a, changes_b;
    bw_relative_pose pose;
    bw_adb_progress progress;
    bw_collide_report report;
    bool touched; /* the last query ended with a proven contact, in these leaves */
    bw_wide_leaf_pair leaves;
    bw_adb_frame room[BW_ADB_STACK];
};

/* Whether the query of the state was of these bodies at this pose. */
bool bw_adb_state_fits(const bw_adb_state *state, const bw_adb *a, const bw_adb *b,
                       const bw_relative_pose *pose);

#endif
