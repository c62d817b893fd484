/* Vertex against face and edge against edge under linear motion: the public functions. The quick stages
 * decide nearly everything; docs/lab/continuous.md lists all. */
#include "base/sized.h"
#include "geom/ccd/quick.h"

/* The best that the processor has. */
static inline bw_ccd_quick_answer quickly(bool edges, const bw_vec3 start[4], const bw_vec3 end[4],
                                          double tolerance, bw_ccd_bracket *out)
{
#if BW_SIMD_X86
    if (__builtin_cpu_supports("avx2"))
        return bw_ccd_quick_avx2(edges, start, end, tolerance, out);
#endif
    return bw_ccd_quick(edges, start, end, tolerance, out);
}

bw_ccd_result bw_ccd_decide(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                            double tolerance)
{
    bw_ccd_bracket root;
    bw_ccd_quick_answer quick = quickly(kind == &bw_ccd_edge_edge_kind, start, end, tolerance, &root);
    if (quick == BW_CCD_QUICK_APART)
        return bw_ccd_never(false);
    if (quick == BW_CCD_QUICK_CONTACT)
        return (bw_ccd_result){BW_CCD_CONTACT, false, root.low, root.high};
    return bw_ccd_decide_slowly(kind, start, end, tolerance, quick, &root);
}

/* ---- Public functions ---- */

static bool sound(double x)
{
    return (fabs(x) >= BW_EXACT_MIN && fabs(x) <= BW_EXACT_MAX) || x == 0;
}

/* Which points are not as they must be: looked for only where the quick test was not sure. */
static bw_result check_points(const bw_vec3 start[4], const bw_vec3 end[4])
{
    bw_result result = BW_OK;
    for (int i = 0; i < 8; i++) {
        const bw_vec3 *p = i < 4 ? &start[i] : &end[i - 4];
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
            return BW_ERROR_NOT_FINITE;
        if (!sound(p->x) || !sound(p->y) || !sound(p->z))
            result = BW_ERROR_RANGE;
    }
    return result;
}

static bool good_descriptor(const bw_ccd_desc *desc)
{
    return bw_desc_check(desc) == BW_OK && desc->separation >= 0 && desc->separation <= BW_EXACT_MAX &&
           (desc->tolerance == 0 || (desc->tolerance >= 0x1p-50 && desc->tolerance <= 1));
}

static inline bw_result answer(bool edges, const bw_ccd_kind *kind, const bw_vec3 start[4],
                               const bw_vec3 end[4], const bw_ccd_desc *desc, bw_ccd_result *out)
{
    if (start == NULL || end == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    if (desc != NULL && !good_descriptor(desc))
        return bw_desc_check(desc) != BW_OK ? bw_desc_check(desc) : BW_ERROR_ARGUMENT;
    double tolerance = desc == NULL || desc->tolerance == 0 ? BW_CCD_TOLERANCE : desc->tolerance;
    bool near = desc != NULL && desc->separation > 0;
    bw_ccd_bracket root;
    bw_ccd_quick_answer quick = near ? BW_CCD_QUICK_RANGE : quickly(edges, start, end, tolerance, &root);
    if (quick == BW_CCD_QUICK_APART) {
        *out = bw_ccd_never(false);
        return BW_OK;
    }
    if (quick == BW_CCD_QUICK_CONTACT) {
        *out = (bw_ccd_result){BW_CCD_CONTACT, false, root.low, root.high};
        return BW_OK;
    }
    if (quick == BW_CCD_QUICK_RANGE) {
        bw_result result = check_points(start, end);
        if (result != BW_OK)
            return result;
    }
    *out = near ? bw_ccd_decide_near(kind, start, end, desc->separation, tolerance)
                : bw_ccd_decide_slowly(kind, start, end, tolerance, quick, &root);
    return BW_OK;
}

bw_result bw_ccd_vertex_face(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                             bw_ccd_result *out)
{
    return answer(false, &bw_ccd_vertex_face_kind, start, end, desc, out);
}

bw_result bw_ccd_edge_edge(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                           bw_ccd_result *out)
{
    return answer(true, &bw_ccd_edge_edge_kind, start, end, desc, out);
}
