/* The traversal of figure 3. */
#ifndef BW_ANYTIME_PAPER_QUERY_H
#define BW_ANYTIME_PAPER_QUERY_H

#include "anytime/anytime.h"
#include "anytime/query/query.h"

/* limits: hazards are not used, p_min and k_min are. Neither tree is empty. */
bw_result bw_paper_query(const bw_anytime_body *a, const bw_anytime_body *b, const bw_relative_pose *pose,
                         bw_anytime_limits *limits, double p_min, const bw_anytime_query_desc *desc,
                         bw_anytime_answer *out);

#endif
