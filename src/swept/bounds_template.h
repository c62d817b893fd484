/* Boxes for new positions, for one level of base/simd/f32x8.h. */

#if WIDE_LEVEL == 3
/* The largest floats that are not above four doubles within the range of floats; no zero is negative. */
LANES_FN __m128 floats_down(__m256d x)
{
    const __m128 nearest = _mm256_cvtpd_ps(x);
    const __m256i above = _mm256_castpd_si256(_mm256_cmp_pd(_mm256_cvtps_pd(nearest), x, _CMP_GT_OQ));
    const __m128i step =
        _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(above, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
    /* To the float before: the bits of positive numbers descend, those of negative ones ascend. */
    const __m128i bits = _mm_castps_si128(nearest),
                  sign = _mm_or_si128(_mm_srai_epi32(bits, 31), _mm_set1_epi32(1));
    const __m128i next = _mm_sub_epi32(bits, _mm_and_si128(sign, step));
    const __m128i zero = _mm_castps_si128(_mm_cmpeq_ps(nearest, _mm_setzero_ps()));
    return _mm_castsi128_ps(
        _mm_blendv_epi8(next, _mm_and_si128(step, _mm_set1_epi32((int)0x80000001u)), zero));
}
#endif

LANES_TARGET static void bound(const bw_ccd_path *paths, uint32_t count, bw_swept_bounds *out,
                               bw_swept_floats *floats)
{
    for (uint32_t v = 0; v < count; v++) {
#if WIDE_LEVEL == 3
        const __m256d a = _mm256_loadu_pd(paths[v].at), b = _mm256_loadu_pd(paths[v].at + 4),
                      sign = _mm256_set1_pd(-0.0);
        const __m128 least = floats_down(_mm256_min_pd(a, b)),
                     most = floats_down(_mm256_xor_pd(_mm256_max_pd(a, b), sign));
        _mm256_storeu_ps(out[v].at, _mm256_insertf128_ps(_mm256_castps128_ps256(least), most, 1));
        _mm256_storeu_ps(floats[v].at, _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a)),
                                                            _mm256_cvtpd_ps(b), 1));
#else
        const double *a = paths[v].at, *b = a + 4;
        for (int k = 0; k < 4; k++) {
            out[v].at[k] = bw_float_down(a[k] < b[k] ? a[k] : b[k]) + 0.0f;
            out[v].at[4 + k] = bw_float_down(a[k] > b[k] ? -a[k] : -b[k]) + 0.0f;
            floats[v].at[k] = (float)a[k];
            floats[v].at[4 + k] = (float)b[k];
        }
#endif
    }
}

/* Of features of one to three vertices; returns what holds all of them. */
LANES_FN v8 refit_group(bw_swept_group *group, uint32_t count, int vertices, const bw_swept_bounds *bounds)
{
    v8 each[BW_WIDTH], whole = v8_all(BW_WIDE_EMPTY);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        each[lane] = v8_all(BW_WIDE_EMPTY);
        for (int k = 0; lane < count && k < vertices; k++)
            each[lane] = v8_min(each[lane], v8_load(bounds[group->vertex[k][lane]].at));
        whole = v8_min(whole, each[lane]);
    }
    v8_transpose(each);
    for (int k = 0; k < 3; k++) {
        v8_store(group->min[k], v8_add(each[k], each[3]));
        v8_store(group->max[k], v8_sub(v8_all(0), v8_add(each[4 + k], each[7])));
    }
    return whole;
}

LANES_TARGET static void refit(bw_swept *s, uint32_t begin, uint32_t end)
{
    for (uint32_t leaf = begin; leaf < end; leaf++) {
        const bw_swept_leaf *own = &s->leaves[leaf];
        bw_swept_group *group = &s->groups[own->first];
        bw_swept_bounds bounds;
        v8 whole = refit_group(group++, own->face_count, 3, s->bounds);
        for (uint32_t i = 0; i < own->vertex_count; i += BW_WIDTH)
            refit_group(group++, own->vertex_count - i, 1, s->bounds);
        for (uint32_t i = 0; i < own->edge_count; i += BW_WIDTH)
            refit_group(group++, own->edge_count - i, 2, s->bounds);
        if (own->loose_edge_count > 0)
            whole = v8_min(whole, refit_group(group++, own->loose_edge_count, 2, s->bounds));
        if (own->point_count > 0)
            whole = v8_min(whole, refit_group(group++, own->point_count, 1, s->bounds));
        v8_store(bounds.at, whole);
        const bw_wide_leaf *place = &s->tree.leaves[leaf];
        const bw_box box = bw_swept_box(&bounds);
        bw_wide_set_lane(&s->tree.nodes[place->parent], place->lane, &box);
    }
}
