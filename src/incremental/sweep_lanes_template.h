/* Eight boxes against one, all moving on straight lines. Included once a level, with LANES_NAME, LANES_TARGET
 * and LANES_BITS (the sign bits of eight words) defined: the same arithmetic, so the same bits. */

/* a where the mask is set, b elsewhere. */
#define PICK(mask, a, b) ((floats)(((mask) & (words)(a)) | (~(mask) & (words)(b))))

LANES_TARGET uint32_t LANES_NAME(const bw_sweep_boxes *const boxes[2], const bw_sweep_box *box, float slack,
                                 float from, float to, float from_out[BW_WIDTH], float to_out[BW_WIDTH])
{
    const floats zero = {0}, margin = zero + slack;
    floats enter = zero + from, leave = zero + to;
    words dead = {0};
    floats gap[6][2]; /* by axis and side: how deep they overlap at each end */
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++) {
            const floats *min = (const floats *)(const void *)boxes[end]->min[axis];
            const floats *max = (const floats *)(const void *)boxes[end]->max[axis];
            gap[2 * axis][end] = *max - box->min[end][axis] + margin;
            gap[2 * axis + 1][end] = box->max[end][axis] - *min + margin;
        }
    for (int i = 0; i < 6; i++)
        dead |= (gap[i][0] < zero) & (gap[i][1] < zero);
    if (LANES_BITS(dead) == 0xFFu)
        return 0;
    for (int i = 0; i < 6; i++) {
        words apart_first = gap[i][0] < zero, apart_last = gap[i][1] < zero;
        floats change = gap[i][0] / (gap[i][0] - gap[i][1]); /* of use only where the signs differ */
        floats later = PICK(apart_first, change - EARLY, zero);
        floats sooner = PICK(apart_last, change + EARLY, zero + 1.0f);
        enter = PICK(later > enter, later, enter);
        leave = PICK(sooner < leave, sooner, leave);
    }
    dead |= enter > leave;
    *(floats *)(void *)from_out = enter;
    *(floats *)(void *)to_out = leave;
    return ~LANES_BITS(dead) & 0xFFu;
}

#undef PICK
#undef LANES_NAME
#undef LANES_TARGET
#undef LANES_BITS
