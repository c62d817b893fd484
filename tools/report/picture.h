/* Pictures of a report without a browser or a graphics card, by the library's depth buffer: for terminals, mails and
 * files that hold pictures. The two parts of a finding are orange and blue, the others see-through; where surfaces
 * meet is yellow, fainter where it is behind something. Shading and edges come from the depths alone. */
#ifndef TOOL_REPORT_PICTURE_H
#define TOOL_REPORT_PICTURE_H

#include "report/report.h"

#include <boxwood/cull.h>

#include <stdio.h>

#define REPORT_NO_FINDING SIZE_MAX

/* All zero: the first finding (the whole scene where there is none), 1200 by 800 pixels. */
typedef struct report_picture_desc {
    uint32_t width, height;
    size_t finding;      /* REPORT_NO_FINDING: the whole scene */
    bool alone;          /* without the other parts */
    const bw_view *view; /* NULL: report_camera_of, or everything seen from the front, the left and above */
    bool at_time;        /* of films: at `time`; otherwise when the finding is deepest, or the first frame */
    double time;
} report_picture_desc;

/* Red, green and blue of each pixel, row by row from the top left, for the caller to free. desc may be NULL.
 * NULL with a fault: no memory, or a size beyond BW_DEPTH_SIZE_MAX / 2. */
uint8_t *report_picture(const report *report, const report_picture_desc *desc, fault *why);

#ifdef BOXWOOD_PNG
enum { REPORT_PNG = true };
#else
enum { REPORT_PNG = false };
#endif
/* As PNG. False: with a fault, or an empty one where the file could not be written, as ferror(out) tells. Without
 * REPORT_PNG always a fault that says so. */
bool report_write_png(const report *report, FILE *out, const report_picture_desc *desc, fault *why);
/* The same into a file: whole, or an error and no file. */
bool report_png_file(const report *report, const char *file, const report_picture_desc *desc, fault *why);

#endif
