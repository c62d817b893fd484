/* Cameras: projection of points and boxes, and the planes of the view volume. */
#include "cull/view.h"

#include "base/fault.h"
#include "geom/sine.h"
#include "geom/vec.h"

#include <math.h>

static bool finite3(bw_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool unit(bw_vec3 v, double out[3])
{
    double length = sqrt(bw_vec3_dot(v, v));
    if (!(length > 1e-150) || !isfinite(length))
        return false;
    out[0] = v.x / length;
    out[1] = v.y / length;
    out[2] = v.z / length;
    return true;
}

bw_result bw_camera_of(const bw_view *view, bw_camera *out)
{
    if (!finite3(view->eye) || !finite3(view->forward) || !finite3(view->up) || !isfinite(view->fov_y) ||
        !isfinite(view->aspect) || !isfinite(view->near_distance) || isnan(view->far_distance))
        return BW_ERROR_NOT_FINITE;
    double fov = view->fov_y == 0 ? 1 : view->fov_y, aspect = view->aspect == 0 ? 1 : view->aspect;
    const double most = BW_SCENE_COORDINATE_MAX;
    /* Nothing of a scene is farther from an eye than 2 sqrt(3) times the largest coordinate. */
    bw_camera c = {.eye = {view->eye.x, view->eye.y, view->eye.z},
                   .nearest = view->near_distance == 0 ? 0.1 : view->near_distance,
                   .farthest = view->far_distance == 0 || view->far_distance > 4 * most ? INFINITY
                                                                                        : view->far_distance};
    bw_vec3 right = bw_vec3_cross(view->forward, view->up);
    if (!unit(view->forward, c.axis[2]) || !unit(right, c.axis[0]) ||
        !unit(bw_vec3_cross(right, view->forward), c.axis[1]))
        return BW_ERROR_ARGUMENT;
    if (!(fov > 0 && fov < 3.14) || !(aspect > 0) || !(c.nearest > 0) || !(c.farthest > c.nearest))
        return BW_ERROR_ARGUMENT;
    c.tan_y = bw_sine(0.5 * fov) / bw_cosine(0.5 * fov);
    c.tan_x = c.tan_y * aspect;
    /* Beyond this the planes of the view would be refused as a region. */
    if (!(fabs(c.eye[0]) <= most && fabs(c.eye[1]) <= most && fabs(c.eye[2]) <= most) ||
        !(c.nearest <= most) || !(aspect <= most))
        return BW_ERROR_RANGE;
    *out = c;
    return BW_OK;
}

void bw_camera_see(const bw_camera *camera, const double point[3], double out[3])
{
    double from[3] = {point[0] - camera->eye[0], point[1] - camera->eye[1], point[2] - camera->eye[2]};
    for (int i = 0; i < 3; i++)
        out[i] = (camera->axis[i][0] * from[0] + camera->axis[i][1] * from[1]) + camera->axis[i][2] * from[2];
}

bw_result bw_view_planes(const bw_view *view, bw_plane planes[6], uint32_t *plane_count, bw_fault *fault)
{
    if (view == NULL || planes == NULL || plane_count == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_camera c;
    bw_result result = bw_camera_of(view, &c);
    if (result != BW_OK)
        return bw_fail(fault, result);
    uint32_t n = isfinite(c.farthest) ? 6 : 5;
    for (uint32_t p = 0; p < n; p++) {
        /* A side contains the eye; its normal is the side's direction, turned inward. */
        double normal[3], d = 0, length = 0;
        for (int i = 0; i < 3; i++) {
            double along = p == 0   ? c.axis[0][i]
                           : p == 1 ? -c.axis[0][i]
                           : p == 2 ? c.axis[1][i]
                                    : -c.axis[1][i];
            double slope = p < 2 ? c.tan_x : c.tan_y;
            normal[i] = p < 4 ? along + slope * c.axis[2][i] : p == 4 ? c.axis[2][i] : -c.axis[2][i];
            length += normal[i] * normal[i];
        }
        length = sqrt(length);
        for (int i = 0; i < 3; i++) {
            normal[i] /= length;
            d -= normal[i] * c.eye[i];
        }
        d += p == 4 ? -c.nearest : p == 5 ? c.farthest : 0;
        /* Rounding to float turns the plane a little: push it out, so that nothing seen is lost near the
         * origin's scale. */
        double reach = fabs(c.eye[0]) + fabs(c.eye[1]) + fabs(c.eye[2]) + fabs(d);
        for (int i = 0; i < 3; i++)
            planes[p].n[i] = (float)normal[i];
        planes[p].d = (float)(d + 0x1p-20 * reach);
    }
    *plane_count = n;
    return bw_fail(fault, BW_OK);
}

bool bw_view_project(const bw_view *view, uint32_t width, uint32_t height, bw_vec3 point, double *x,
                     double *y, double *depth)
{
    bw_camera c;
    if (view == NULL || x == NULL || y == NULL || depth == NULL || bw_camera_of(view, &c) != BW_OK)
        return false;
    double seen[3];
    bw_camera_see(&c, (const double[3]){point.x, point.y, point.z}, seen);
    if (!(seen[2] > c.nearest))
        return false;
    *x = 0.5 * width * (1 + seen[0] / (seen[2] * c.tan_x));
    *y = 0.5 * height * (1 - seen[1] / (seen[2] * c.tan_y));
    *depth = seen[2];
    return true;
}
