/* Where to stand to see a finding: the place in the middle, both parts around it as far as they matter. */
#ifndef TOOL_REPORT_CAMERA_H
#define TOOL_REPORT_CAMERA_H

#include "report/report.h"

typedef struct report_camera {
    bw_vec3 eye, target;
    bw_vec3 look, up; /* unit; up is at a right angle to look */
    double angle;     /* of view, from bottom to top, in degrees */
} report_camera;

/* A little from above, by the report's up axis (z where nobody says), and from the side of the smaller part. */
report_camera report_camera_of(const report *report, const report_finding *finding);

#endif
