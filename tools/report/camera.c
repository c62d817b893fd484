/* A camera for a finding. */
#include "report/camera.h"

#include <math.h>

static bw_vec3 unit(bw_vec3 v)
{
    double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return length > 0 ? (bw_vec3){v.x / length, v.y / length, v.z / length} : (bw_vec3){0, 0, 1};
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double reach(bw_vec3 low, bw_vec3 high)
{
    return sqrt((high.x - low.x) * (high.x - low.x) + (high.y - low.y) * (high.y - low.y) +
                (high.z - low.z) * (high.z - low.z));
}

typedef struct extent {
    bw_vec3 middle;
    double reach;
} extent;

static extent extent_of(const report *r, uint32_t part)
{
    bw_vec3 low, high;
    if (!report_part_box(r, part, &low, &high))
        return (extent){{0, 0, 0}, 0};
    return (extent){{0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)},
                    reach(low, high)};
}

/* As wide as what meets, and enough of the smaller part to know it by, unless that is far larger. */
static double width_of(const report_finding *f, double smaller, double larger)
{
    double width = f->low.x <= f->high.x ? 1.5 * reach(f->low, f->high) : 0;
    width = fmax(width, fmin(1.2 * smaller, 8 * fmax(width, 0.02 * larger)));
    return width > 0 && isfinite(width) ? width : 1;
}

/* The way back from the place to the eye: a little from above, on that of four sides on which the smaller part is, so that the
 * larger does not hide it. Axes: up, and the two across. */
static bw_vec3 back_of(const report_finding *f, const extent *small, const bw_vec3 axes[3])
{
    const bw_vec3 to = {small->middle.x - f->place.x, small->middle.y - f->place.y,
                        small->middle.z - f->place.z};
    bw_vec3 best = {0, 0, 0};
    double most = -INFINITY;
    for (int side = 0; side < 4; side++) {
        const double across[2] = {side == 0 || side == 3 ? 1 : -1, side < 2 ? -1.4 : 1.4};
        const bw_vec3 back = unit((bw_vec3){0.8 * axes[0].x + across[0] * axes[1].x + across[1] * axes[2].x,
                                            0.8 * axes[0].y + across[0] * axes[1].y + across[1] * axes[2].y,
                                            0.8 * axes[0].z + across[0] * axes[1].z + across[1] * axes[2].z});
        double along = back.x * to.x + back.y * to.y + back.z * to.z;
        if (along > most + 1e-3 * small->reach) { /* otherwise the front stays */
            most = along;
            best = back;
        }
    }
    return best;
}

report_camera report_camera_of(const report *r, const report_finding *f)
{
    static const bw_vec3 frames[4][3] = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                         {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
                                         {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
    const bw_vec3 *axes = frames[(unsigned)r->up < 4 ? (unsigned)r->up : 0];
    const extent a = extent_of(r, f->a), b = extent_of(r, f->b);
    const extent *small = a.reach < b.reach ? &a : &b, *large = a.reach < b.reach ? &b : &a;
    bw_vec3 back = back_of(f, small, axes);
    report_camera c = {.target = f->place, .angle = 45, .look = {-back.x, -back.y, -back.z}};
    double away = 1.3 * width_of(f, small->reach, large->reach);
    c.eye = (bw_vec3){f->place.x + away * back.x, f->place.y + away * back.y, f->place.z + away * back.z};
    bw_vec3 right = unit(cross(c.look, axes[0]));
    c.up = cross(right, c.look);
    return c;
}
