/* Making a ray ready with AVX2: for bodies without a pose and rays that start near them. Included by
 * leaf_template.h only. */
#ifndef BW_COLLIDE_RAY_SET_AVX2_H
#define BW_COLLIDE_RAY_SET_AVX2_H

/* x, y, z, 0: in pieces, since what was just stored in pieces cannot be loaded whole for a while. */
RAY_FN __m256d ray_load(const bw_vec3 *v)
{
    __m128d x = _mm_load_sd(&v->x);
    __asm__("" : "+x"(x)); /* or the compiler makes one load of two */
    const __m128d xy = _mm_loadh_pd(x, &v->y);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(xy), _mm_load_sd(&v->z), 1);
}

/* Lanes that are too small for the exact range. */
RAY_FN __m256d ray_small(__m256d a)
{
    const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
    return _mm256_and_pd(_mm256_cmp_pd(size, _mm256_set1_pd(BW_EXACT_MIN), _CMP_LT_OQ),
                         _mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_NEQ_UQ));
}

/* The unit of bw_ray_line_of, in all lanes, for a finite ray with a direction of ordinary size whose origin is
 * not far. */
RAY_FN __m256d ray_unit(__m256d origin, __m256d along)
{
    const __m256d sign = _mm256_set1_pd(-0.0), o = _mm256_andnot_pd(sign, origin),
                  d = _mm256_andnot_pd(sign, along);
    const __m256d most = _mm256_max_pd(_mm256_unpacklo_pd(o, d), _mm256_unpackhi_pd(o, d));
    const __m128i exponents = _mm_srli_epi64(
        _mm_castpd_si128(_mm_max_pd(_mm256_castpd256_pd128(most), _mm256_extractf128_pd(most, 1))), 52);
    const __m128i k = _mm_max_epi32(_mm_sub_epi32(exponents, _mm_unpackhi_epi64(exponents, exponents)),
                                    _mm_setzero_si128());
    return _mm256_broadcastsd_pd(
        _mm_castsi128_pd(_mm_add_epi64(_mm_slli_epi64(k, 52), _mm_castpd_si128(_mm_set1_pd(1.0)))));
}

/* The x, y and z of a vector, each in all lanes: from the register, since by way of memory they would come
 * later. */
RAY_FN void ray_spread(__m128 v, v8 out[3])
{
    RAY_UNROLL
    for (int k = 0; k < 3; k++)
        out[k] = _mm256_permutevar8x32_ps(_mm256_castps128_ps256(v), _mm256_set1_epi32(k));
}

/* The points that answers are exact for, and from the first to the second. */
typedef struct ray_line {
    _Alignas(32) double from[4], through[4], along[4];
} ray_line;

RAY_FN void ray_line_put(__m256d from, __m256d through, ray_line *line)
{
    _mm256_store_pd(line->from, from);
    _mm256_store_pd(line->through, through);
    _mm256_store_pd(line->along, _mm256_sub_pd(through, from));
}

RAY_FN void ray_line_of(const bw_ray_state *s, ray_line *line)
{
    ray_line_put(ray_load(s->origin), ray_load(s->through), line);
}

RAY_FN bw_vec3 ray_line_through(const ray_line *line)
{
    return (bw_vec3){line->through[0], line->through[1], line->through[2]};
}

/* Makes a ray ready, of which `to` is the second point, or the direction where `directed`. False where it is for
 * bw_ray_ready_set. r->inverse, near and far are in b, too. A ray with a direction gets its second point, but boxes take the
 * direction itself, which is that to the second point over the unit but for rounding, and need not wait. */
RAY_FN bool ray_set_line(const bw_ray_place *place, __m256d origin, __m256d to, bool directed,
                         bw_ray_ready *r, ray_boxes *b, ray_line *line)
{
    __m256d along = to, unit = _mm256_set1_pd(1.0);
    const float *low = place->near_low, *high = place->near_high;
    if (directed) {
        unit = ray_unit(origin, along);
        to = _mm256_add_pd(origin, _mm256_mul_pd(unit, along));
    } else {
        along = _mm256_sub_pd(to, origin);
        low = place->low;
        high = place->high;
    }
    const __m128 sign = _mm_set1_ps(-0.0f), most = _mm_set1_ps(BW_RAY_INVERSE_MAX),
                 o = _mm256_cvtpd_ps(origin), d = _mm256_cvtpd_ps(along);
#if RAY_MASKS /* the lesser magnitude, with the sign of the first */
    const __m128 inverse = _mm_range_ps(_mm_div_ps(_mm_set1_ps(1.0f), d), most, 2);
#else
    const __m128 inverse =
        _mm_max_ps(_mm_min_ps(_mm_div_ps(_mm_set1_ps(1.0f), d), most), _mm_xor_ps(most, sign));
#endif
    const __m128 size_d = _mm_andnot_ps(sign, d);
    const __m128 xy = _mm_max_ss(size_d, _mm_movehdup_ps(size_d)),
                 largest = _mm_max_ss(xy, _mm_movehl_ps(size_d, size_d)),
                 step = _mm_shuffle_ps(largest, largest, 0);
    const __m128 fit =
        _mm_and_ps(_mm_cmple_ps(size_d, _mm_set1_ps(BW_RAY_STEP_MAX)),
                   _mm_and_ps(_mm_cmpge_ps(o, _mm_loadu_ps(low)), _mm_cmple_ps(o, _mm_loadu_ps(high))));
    const __m256d small = _mm256_or_pd(ray_small(origin), ray_small(to));
    const bool ok = ((_mm_movemask_ps(fit) & 7) ^ 7) + _mm256_movemask_pd(small) == 0 &&
                    _mm_comige_ss(step, _mm_set_ss(BW_RAY_STEP_MIN)) != 0;
    if (!ok)
        return false;
    ray_line_put(origin, to, line);
    r->unit = _mm256_cvtsd_f64(unit);
    /* The largest that it may be, from here: the largest of this origin would be known later. */
    const float reach = place->reach_around;
    const __m128 away = _mm_xor_ps(_mm_set1_ps(reach * BW_RAY_MARGIN), _mm_and_ps(d, sign));
    const __m128 near = _mm_mul_ps(_mm_add_ps(o, away), inverse),
                 beyond = _mm_mul_ps(_mm_sub_ps(o, away), inverse);
    ray_spread(inverse, b->inverse);
    ray_spread(near, b->near);
    ray_spread(beyond, b->far);
    _mm_storeu_ps(r->inverse, inverse); /* each a lane too long, where the next one is written */
    _mm_storeu_ps(r->near, near);
    _mm_storeu_ps(r->far, beyond);
    r->octant = (uint32_t)_mm256_movemask_pd(along) & 7; /* known before the inverse, and of the same signs */
    r->axis = (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(size_d, step)) | 4);
    r->start = 0.0;
    r->around = BW_RAY_AROUND * reach;
    r->line = -reach; /* ray_aim is still to come */
    return true;
}

/* The same for the ray of a state. */
RAY_FN bool ray_set_near(bw_ray_state *s, const bw_ray_target *t, bw_ray_ready *r, ray_boxes *b,
                         ray_line *line)
{
    const bw_ray *given = s->given;
    if (!ray_set_line(t->place, ray_load(s->origin), ray_load(s->through), given != NULL, r, b, line))
        return false;
    if (given != NULL) {
        s->second = ray_line_through(line);
        s->unit = r->unit;
        s->through = &s->second;
        s->given = NULL;
        if (given->t_max > 0.0)
            s->best.t = given->t_max / r->unit;
    }
    return true;
}

/* The part for triangles, once a box is met. */
RAY_FN void ray_aim(const bw_ray_target *t, const ray_line *line, bw_ray_ready *r)
{
    static const _Alignas(16) int32_t across[3][4] = {{1, 2, 1, 2}, {2, 0, 2, 0}, {0, 1, 0, 1}};
    const uint32_t axis = r->axis;
    const float reach = -r->line;
    const __m256d slope = _mm256_div_pd(_mm256_load_pd(line->along), _mm256_set1_pd(line->along[axis])),
                  offset = _mm256_sub_pd(_mm256_load_pd(line->from),
                                         _mm256_mul_pd(slope, _mm256_set1_pd(line->from[axis])));
    const __m128i pick = _mm_load_si128((const __m128i *)(const void *)across[axis]);
    const __m128 slopes = _mm_permutevar_ps(_mm256_cvtpd_ps(slope), pick),
                 offsets = _mm_permutevar_ps(_mm256_cvtpd_ps(offset), pick);
    _mm_storeu_ps(r->slope, _mm_movelh_ps(slopes, offsets));
    const __m128 sizes = _mm_andnot_ps(_mm_set1_ps(-0.0f), offsets);
    const float far = _mm_cvtss_f32(_mm_max_ss(sizes, _mm_movehdup_ps(sizes)));
    const float error = BW_RAY_ERROR * (t->roundings * t->place->reach + 2.0f * far) + BW_RAY_DOUBLE * reach;
    r->line = BW_RAY_LINE * error;
    r->square = BW_RAY_SQUARE * error * error;
}

/* ---- four rays at once, each coordinate in a register ---- */

/* Rows of four rays become columns: v[0] has the first of each. */
RAY_FN void ray_turn_doubles(__m256d v[4])
{
    const __m256d a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]),
                  c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
    v[0] = _mm256_permute2f128_pd(a, c, 0x20);
    v[1] = _mm256_permute2f128_pd(b, d, 0x20);
    v[2] = _mm256_permute2f128_pd(a, c, 0x31);
    v[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

/* Four numbers of each ray, to the same place in each: at, in floats from the start of a bw_ray_ready. */
RAY_FN void ray_put(bw_ray_ready out[4], size_t at, __m128 a, __m128 b, __m128 c, __m128 d)
{
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps((float *)(void *)&out[0] + at, a);
    _mm_storeu_ps((float *)(void *)&out[1] + at, b);
    _mm_storeu_ps((float *)(void *)&out[2] + at, c);
    _mm_storeu_ps((float *)(void *)&out[3] + at, d);
}

_Static_assert(offsetof(bw_ray_ready, near) == 12 && offsetof(bw_ray_ready, far) == 24 &&
                   offsetof(bw_ray_ready, slope) == 36 && offsetof(bw_ray_ready, offset) == 44 &&
                   offsetof(bw_ray_ready, line) == 52 && offsetof(bw_ray_ready, square) == 56 &&
                   offsetof(bw_ray_ready, around) == 60 && offsetof(bw_ray_ready, axis) == 64 &&
                   offsetof(bw_ray_ready, octant) == 68,
               "as ray_set_four writes them");

/* The largest of three magnitudes, in each of four rays. */
RAY_FN __m256d ray_largest(const __m256d v[3])
{
    const __m256d sign = _mm256_set1_pd(-0.0);
    return _mm256_max_pd(_mm256_max_pd(_mm256_andnot_pd(sign, v[0]), _mm256_andnot_pd(sign, v[1])),
                         _mm256_andnot_pd(sign, v[2]));
}

/* bw_ray_line_of for finite rays of ordinary size: the second points p, and the unit in p[3]. d are the
 * directions, or the second points where `between` is set; they become what the boxes take (see
 * bw_ray_state), in units that are returned. */
RAY_FN __m256d ray_lines(const __m256d o[3], __m256d between, __m256d d[3], __m256d p[4])
{
    const __m256d one = _mm256_set1_pd(1.0), largest = ray_largest(o);
    const __m256i from = _mm256_srli_epi64(
                      _mm256_castpd_si256(_mm256_min_pd(largest, _mm256_set1_pd(BW_RAY_FAR))), 52),
                  step = _mm256_srli_epi64(_mm256_castpd_si256(ray_largest(d)), 52);
    const __m256i k = _mm256_max_epi32(_mm256_sub_epi32(from, step), _mm256_setzero_si256());
    const __m256d stretched =
        _mm256_castsi256_pd(_mm256_add_epi64(_mm256_slli_epi64(k, 52), _mm256_castpd_si256(one)));
    const __m256d far = _mm256_or_pd(between, _mm256_cmp_pd(largest, _mm256_set1_pd(BW_RAY_FAR), _CMP_GE_OQ));
    p[3] = _mm256_blendv_pd(stretched, one, between);
    RAY_UNROLL
    for (int i = 0; i < 3; i++) {
        p[i] = _mm256_blendv_pd(_mm256_add_pd(o[i], _mm256_mul_pd(stretched, d[i])), d[i], between);
        d[i] = _mm256_blendv_pd(d[i], _mm256_sub_pd(p[i], o[i]), far);
    }
    return _mm256_blendv_pd(p[3], one, far);
}

/* Which of four rays pass by a box, by the formulas of the nodes. */
RAY_FN uint32_t ray_pass_four(const bw_box *box, const __m128 inverse[3], const __m128 near[3],
                              const __m128 far[3])
{
    __m128 enter = _mm_setzero_ps(), leave = _mm_set1_ps(INFINITY);
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        const __m128 low = _mm_set1_ps(box->min[k]), high = _mm_set1_ps(box->max[k]);
        enter = _mm_max_ps(enter, _mm_fmsub_ps(_mm_blendv_ps(low, high, inverse[k]), inverse[k], near[k]));
        leave = _mm_min_ps(leave, _mm_fmsub_ps(_mm_blendv_ps(high, low, inverse[k]), inverse[k], far[k]));
    }
    return (uint32_t)_mm_movemask_ps(_mm_cmpgt_ps(enter, leave));
}

/* ray_set_near and ray_aim. Returns which of the rays it is for: bit i, ray i. *passed: which of these pass by
 * the whole tree; nothing is written where all do. */
RAY_FN uint32_t ray_set_four(const bw_ray_target *t, const bw_ray rays[4], double through[4][4],
                             bw_ray_ready out[4], uint32_t *passed)
{
    __m256d o[4], d[4], p[4], small = _mm256_setzero_pd();
    RAY_UNROLL
    for (int i = 0; i < 4; i++) {
        o[i] = _mm256_loadu_pd(&rays[i].origin.x);
        d[i] = _mm256_loadu_pd(&rays[i].direction.x);
    }
    ray_turn_doubles(o);
    ray_turn_doubles(d);
    const __m256i between = _mm256_setr_epi64x(-(int64_t)rays[0].between, -(int64_t)rays[1].between,
                                               -(int64_t)rays[2].between, -(int64_t)rays[3].between);
    const __m256d unit = ray_lines(o, _mm256_castsi256_pd(between), d, p);
    const __m128 sign = _mm_set1_ps(-0.0f), most = _mm_set1_ps(BW_RAY_INVERSE_MAX), zero = _mm_setzero_ps();
    __m128 from[3], inverse[3], near[3], far[3], step = zero, size = zero, fit = _mm_cmpeq_ps(zero, zero);
    __m128 size_d[3];
    __m128i octant = _mm_setzero_si128();
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        small = _mm256_or_pd(small, _mm256_or_pd(ray_small(o[k]), ray_small(p[k])));
        const __m128 along = _mm256_cvtpd_ps(d[k]);
        from[k] = _mm256_cvtpd_ps(o[k]);
        size_d[k] = _mm_andnot_ps(sign, along);
        step = _mm_max_ps(step, size_d[k]);
        size = _mm_max_ps(size, _mm_andnot_ps(sign, from[k]));
        fit = _mm_and_ps(fit, _mm_and_ps(_mm_cmple_ps(size_d[k], _mm_set1_ps(BW_RAY_STEP_MAX)),
                                         _mm_and_ps(_mm_cmpge_ps(from[k], _mm_set1_ps(t->place->low[k])),
                                                    _mm_cmple_ps(from[k], _mm_set1_ps(t->place->high[k])))));
        inverse[k] =
            _mm_max_ps(_mm_min_ps(_mm_div_ps(_mm_set1_ps(1.0f), along), most), _mm_xor_ps(most, sign));
        octant = _mm_or_si128(octant, _mm_slli_epi32(_mm_srli_epi32(_mm_castps_si128(inverse[k]), 31), k));
    }
    const __m128 reach = _mm_add_ps(size, _mm_set1_ps(t->place->reach)),
                 margin = _mm_mul_ps(reach, _mm_set1_ps(BW_RAY_MARGIN));
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        const __m128 away = _mm_xor_ps(margin, _mm_and_ps(inverse[k], sign));
        near[k] = _mm_mul_ps(_mm_add_ps(from[k], away), inverse[k]);
        far[k] = _mm_mul_ps(_mm_sub_ps(from[k], away), inverse[k]);
    }
    fit = _mm_and_ps(fit, _mm_cmpge_ps(step, _mm_set1_ps(BW_RAY_STEP_MIN)));
    const uint32_t fits = (uint32_t)(_mm_movemask_ps(fit) & ~_mm256_movemask_pd(small));
    *passed = ray_pass_four(&t->side.tree->bounds, inverse, near, far) & fits;
    if (*passed == 15)
        return fits;
    /* The axis of the largest step, the first of equal ones. */
    const __m128 is_x = _mm_cmpeq_ps(size_d[0], step),
                 is_y = _mm_andnot_ps(is_x, _mm_cmpeq_ps(size_d[1], step));
    const __m256d wide_x = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(is_x))),
                  wide_y = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(is_y)));
    const __m256d fastest = _mm256_blendv_pd(_mm256_blendv_pd(d[2], d[1], wide_y), d[0], wide_x),
                  at = _mm256_blendv_pd(_mm256_blendv_pd(o[2], o[1], wide_y), o[0], wide_x);
    __m128 slope[3], offset[3], offset_size = zero;
    const __m256d shrink = _mm256_div_pd(_mm256_set1_pd(1.0), fastest);
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        const __m256d a = _mm256_mul_pd(d[k], shrink);
        slope[k] = _mm256_cvtpd_ps(a);
        offset[k] = _mm256_cvtpd_ps(_mm256_sub_pd(o[k], _mm256_mul_pd(a, at)));
        offset_size = _mm_max_ps(offset_size, _mm_andnot_ps(sign, offset[k])); /* 0 along the axis itself */
    }
    const __m128 error = _mm_add_ps(
        _mm_mul_ps(_mm_set1_ps(BW_RAY_ERROR), _mm_add_ps(_mm_set1_ps(t->roundings * t->place->reach),
                                                         _mm_add_ps(offset_size, offset_size))),
        _mm_mul_ps(reach, _mm_set1_ps(BW_RAY_DOUBLE)));
    const __m128 line = _mm_mul_ps(error, _mm_set1_ps(BW_RAY_LINE)),
                 square = _mm_mul_ps(_mm_mul_ps(error, error), _mm_set1_ps(BW_RAY_SQUARE)),
                 around = _mm_mul_ps(reach, _mm_set1_ps(BW_RAY_AROUND));
    const __m128i axis = _mm_add_epi32(
        _mm_set1_epi32(2), _mm_add_epi32(_mm_slli_epi32(_mm_castps_si128(is_x), 1), _mm_castps_si128(is_y)));
    /* The axes across: y and z for x, z and x for y, x and y for z. */
#define RAY_ACROSS(v, x, y, z) _mm_blendv_ps(_mm_blendv_ps((v)[z], (v)[y], is_y), (v)[x], is_x)
    ray_put(out, 0, inverse[0], inverse[1], inverse[2], near[0]);
    ray_put(out, 4, near[1], near[2], far[0], far[1]);
    ray_put(out, 8, far[2], RAY_ACROSS(slope, 1, 2, 0), RAY_ACROSS(slope, 2, 0, 1),
            RAY_ACROSS(offset, 1, 2, 0));
    ray_put(out, 12, RAY_ACROSS(offset, 2, 0, 1), line, square, around);
    ray_turn_doubles(p);
    double units[4];
    _mm256_storeu_pd(units, unit);
    uint32_t axes[4], octants[4];
    _mm_storeu_si128((__m128i *)(void *)axes, axis);
    _mm_storeu_si128((__m128i *)(void *)octants, octant);
    RAY_UNROLL
    for (int i = 0; i < 4; i++) {
        out[i].axis = axes[i];
        out[i].octant = octants[i];
        out[i].start = 0.0;
        out[i].unit = units[i];
        _mm256_storeu_pd(through[i], p[i]);
    }
    return fits;
}

#endif
