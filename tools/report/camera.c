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

/* As wide as what meets, and enough of the smaller part to know it by. */
static double width_of(const report *r, const report_finding *f)
{
    double parts[2] = {0, 0}, width = f->low.x <= f->high.x ? 1.5 * reach(f->low, f->high) : 0;
    const uint32_t of[2] = {f->a, f->b};
    for (int k = 0; k < 2; k++) {
        bw_vec3 low, high;
        if (report_part_box(r, of[k], &low, &high))
            parts[k] = reach(low, high);
    }
    width =
        fmax(width, fmin(0.6 * fmin(parts[0], parts[1]), 8 * fmax(width, 0.02 * fmax(parts[0], parts[1]))));
    return width > 0 && isfinite(width) ? width : 1;
}

report_camera report_camera_of(const report *r, const report_finding *f)
{
    static const bw_vec3 ups[4] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const bw_vec3 from[4] = {{1, -1.4, 0.8}, {0.8, 1, -1.4}, {1, 0.8, 1.4}, {1, -1.4, 0.8}};
    const unsigned axis = (unsigned)r->up < 4 ? (unsigned)r->up : 0;
    bw_vec3 back = unit(from[axis]);
    report_camera c = {.target = f->place, .angle = 45, .look = {-back.x, -back.y, -back.z}};
    double away = 1.3 * width_of(r, f);
    c.eye = (bw_vec3){f->place.x + away * back.x, f->place.y + away * back.y, f->place.z + away * back.z};
    bw_vec3 right = unit(cross(c.look, ups[axis]));
    c.up = cross(right, c.look);
    return c;
}
