/* The quick stages of single continuous queries, for any processor. */
#include "geom/ccd/quick_template.h"

bw_ccd_quick_answer bw_ccd_quick(bool edges, const bw_vec3 start[4], const bw_vec3 end[4], double tolerance,
                                 bw_ccd_bracket *out)
{
    return edges ? quick_decide(true, start, end, tolerance, out)
                 : quick_decide(false, start, end, tolerance, out);
}
