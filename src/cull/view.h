/* A view with unit directions, ready to project. */
#ifndef BW_CULL_VIEW_H
#define BW_CULL_VIEW_H

#include <boxwood/cull.h>

typedef struct bw_camera {
    double eye[3];
    double axis[3][3];                      /* right, up, forward */
    double tan_x, tan_y, nearest, farthest; /* farthest may be infinite */
} bw_camera;

bw_result bw_camera_of(const bw_view *view, bw_camera *out);
/* Along right, up and forward from the eye. */
void bw_camera_see(const bw_camera *camera, const double point[3], double out[3]);

#endif
