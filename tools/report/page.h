/* The page of html.h, from page/ (made by embed.cmake): up to the title, from there to the data, and the rest. */
#ifndef TOOL_REPORT_PAGE_H
#define TOOL_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char page_head[], page_body[], page_tail[];
extern const size_t page_head_size, page_body_size, page_tail_size;

#endif
