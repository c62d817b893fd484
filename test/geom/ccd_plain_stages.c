/* The stages of geom/ccd/query.c, ccd_quick.c, ccd_late.c and ccd_twofold.c once more, in plain doubles,
 * under other names. */
#define BW_D2_PLAIN
#define bw_ccd_decide bw_ccd_decide_plain
#define bw_ccd_quick bw_ccd_quick_plain
#define bw_ccd_decide_late bw_ccd_decide_late_plain
#define bw_ccd_vertex_face bw_ccd_vertex_face_plain
#define bw_ccd_edge_edge bw_ccd_edge_edge_plain
#define bw_ccd_cubic_twofold bw_ccd_cubic_plain
#define bw_ccd_inside_twofold bw_ccd_inside_plain
#define bw_ccd_areas_twofold bw_ccd_areas_plain

#include "geom/ccd/query.c"
