/* Along each direction the hulls are apart from some distance on, which is where the search begins: nearer
 * distances are tried as long as they shorten the best, then directions around the best one, ever closer to
 * it. Only tried translations count, so that the search may be as simple as this. */
#include "contact/depth/escape.h"

#include "contact/unit.h"

typedef struct search {
    bw_separation *separation;
    double lower;
    double margin; /* what rounding may move a coordinate by */
    bw_escape *best;
    bw_vec3 direction; /* of the best */
    bw_result result;
} search;

/* Whether b can go that far; if so and that is shorter, it is the best. */
static bool try_length(search *s, bw_vec3 direction, double length)
{
    const bw_vec3 translation = bw_vec3_scale(direction, length);
    bool apart = false;
    if (s->result == BW_OK)
        s->result = bw_separation_try(s->separation, translation, &apart);
    if (!apart)
        return false;
    const double exact = sqrt(bw_vec3_dot(translation, translation)) * (1.0 + 0x1p-50);
    if (exact < s->best->length) {
        *s->best = (bw_escape){translation, exact};
        s->direction = direction;
    }
    return true;
}

/* Between a length that does and one that does not. */
static void bisect(search *s, bw_vec3 direction, double low, double high, double relative)
{
    while (high - low > relative * high + s->margin && s->result == BW_OK && s->separation->trials > 0) {
        const double middle = 0.5 * (low + high);
        if (try_length(s, direction, middle))
            high = middle;
        else
            low = middle;
    }
}

/* Shortens the best along its direction. Where the bodies leave each other for good a little less is not
 * enough; a body that leaves a hollow may be free earlier, which some tries far below find. */
static void shorten(search *s, bw_vec3 direction, double length)
{
    if (try_length(s, direction, length * (1.0 - 0x1p-6) - s->margin)) {
        bisect(s, direction, s->lower, length, 0x1p-14);
        return;
    }
    for (int i = 1; i <= 3 && s->result == BW_OK; i++) {
        const double less = ldexp(length, -i);
        if (less > s->lower && try_length(s, direction, less))
            bisect(s, direction, s->lower, less, 0x1p-14);
    }
}

static void begin(search *s, const bw_vec3 *directions, uint32_t count)
{
    double reach[BW_ESCAPE_DIRECTIONS];
    uint32_t order[BW_ESCAPE_DIRECTIONS];
    for (uint32_t i = 0; i < count; i++) {
        reach[i] = fmax(bw_separation_reach(s->separation, directions[i]), 0.0) + s->margin;
        uint32_t at = i;
        for (; at > 0 && reach[order[at - 1]] > reach[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t i = 0; i < count && s->result == BW_OK; i++) {
        const bw_vec3 direction = directions[order[i]];
        const double length = reach[order[i]];
        if (length < s->best->length) {
            if (try_length(s, direction, length))
                shorten(s, direction, length);
        } else if (s->best->length > s->lower && try_length(s, direction, 0.875 * s->best->length)) {
            shorten(s, direction, s->best->length);
        }
    }
}

/* A pattern search over directions: six around the best, at an angle that shrinks where none is better. */
static void descend(search *s)
{
    static const double around[6][2] = {{1.0, 0.0},  {0.5, 0.866},   {-0.5, 0.866},
                                        {-1.0, 0.0}, {-0.5, -0.866}, {0.5, -0.866}};
    for (double angle = 0.5; angle > 0x1p-14 && s->result == BW_OK && s->separation->trials > 0;) {
        const bw_vec3 centre = s->direction;
        const bw_vec3 side =
            bw_unit_cross(centre, fabs(centre.x) < 0.6 ? (bw_vec3){1.0, 0.0, 0.0} : (bw_vec3){0.0, 1.0, 0.0});
        const bw_vec3 up = bw_vec3_cross(centre, side);
        const double before = s->best->length;
        if (before <= s->lower * (1.0 + 0x1p-20))
            return;
        for (int i = 0; i < 6; i++) {
            const bw_vec3 tilt = bw_vec3_add(bw_vec3_scale(side, angle * around[i][0]),
                                             bw_vec3_scale(up, angle * around[i][1]));
            const bw_vec3 direction = bw_unit(bw_vec3_add(centre, tilt));
            const double reach = bw_separation_reach(s->separation, direction) + s->margin;
            const double wanted = s->best->length * (1.0 - 0.125 * angle * angle) - s->margin;
            if (wanted > 0.0 && try_length(s, direction, reach < wanted && reach > 0.0 ? reach : wanted))
                break;
        }
        if (s->best->length < before)
            shorten(s, s->direction, s->best->length);
        else
            angle *= 0.5;
    }
}

bw_result bw_escape_search(bw_separation *separation, const bw_vec3 *directions, uint32_t count, double lower,
                           bw_escape *best)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        const bw_vec3 axis = {k == 0, k == 1, k == 2};
        size = fmax(size, fabs(bw_separation_reach(separation, axis)));
        size = fmax(size, fabs(bw_separation_reach(separation, bw_vec3_scale(axis, -1.0))));
    }
    for (uint32_t i = 0; i < separation->whole_a.point_count; i += separation->whole_a.point_count / 8 + 1) {
        const bw_vec3 p = separation->whole_a.points[i];
        size = fmax(size, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
    search s = {.separation = separation, .lower = lower, .margin = 0x1p-44 * size, .best = best};
    if (best->length < INFINITY)
        s.direction = bw_unit(best->translation);
    begin(&s, directions, count);
    if (s.result == BW_OK && best->length < INFINITY) {
        descend(&s);
        bisect(&s, s.direction, fmax(lower, best->length * (1.0 - 0x1p-5)), best->length, 0x1p-32);
    }
    return s.result;
}
