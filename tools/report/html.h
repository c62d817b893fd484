/* A report as one page that opens anywhere, from the file system too, and loads nothing: the scene in 3D, the
 * findings as a list, films with a slider. The page itself is in page/; the data stand inside it, packed
 * (pack.h), in chunks of which only those that are looked at are unpacked. */
#ifndef TOOL_REPORT_HTML_H
#define TOOL_REPORT_HTML_H

#include "report/report.h"

#include <stdio.h>

/* All zero: the defaults. */
typedef struct report_html_desc {
    /* Where the meshes have more triangles than this (each once, however many parts show it), parts become
     * their boxes, those of the largest meshes first, until there are not. 0: 4 million. Parts of findings,
     * and others of their meshes, always are whole. */
    uint64_t triangle_limit;
    /* Where the frames of films take more bytes than this, only every n-th is in the page. 0: 256 MB. */
    uint64_t frame_bytes;
} report_html_desc;

/* What was written. */
typedef struct report_html_size {
    uint64_t bytes;          /* of the file */
    uint64_t geometry_bytes; /* of these, meshes */
    uint64_t film_bytes, finding_bytes, layer_bytes;
    uint64_t page_bytes; /* the same for every report */
    uint32_t boxes;      /* parts that became boxes */
    uint32_t frame_step; /* every n-th frame is there */
    uint64_t dropped;    /* triangles that cannot be drawn */
} report_html_size;

/* desc and size may be NULL. What was left out stands on the page. False: with a
 * fault, or an empty one where the file could not be written, as ferror(out) tells. */
bool report_write_html(const report *report, FILE *out, const report_html_desc *desc, report_html_size *size,
                       fault *why);
/* The same into a file: whole, or an error and no file. */
bool report_html_file(const report *report, const char *file, const report_html_desc *desc,
                      report_html_size *size, fault *why);

#endif
