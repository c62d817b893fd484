/* The traversal of figure 3. */
#ifndef BW_ANYTIME_PAPER_QUERY_H
#define BW_ANYTIME_PAPER_QUERY_H

#include "anytime/adb.h"
#include "anytime/query/query.h"

/* limits: hazards are not used, p_min and k_min are. Neither tree is empty. */
bw_result bw_paper_query(const bw_adb_body *a, const bw_adb_body *b, const bw_relative_pose *pose,
                         bw_adb_limits *limits, double p_min, const bw_adb_query_desc *desc,
                         bw_adb_answer *out);

#endif
