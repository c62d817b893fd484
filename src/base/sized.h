/* Descriptors and reports that begin with `uint32_t size`, the size that the caller's header gives them; 0 is
 * the one of version 0.2, which is still ours. A structure that grows must go on reading the shorter ones. */
#ifndef BW_BASE_SIZED_H
#define BW_BASE_SIZED_H

#include <boxwood/base.h>

/* BW_OK, BW_ERROR_LAYOUT for a size that no version has, BW_ERROR_UNSUPPORTED where a later version's
 * descriptor says something that this one does not know. */
bw_result bw_sized_check(const void *object, size_t own, bool read);

static inline bw_result bw_sized(const void *object, size_t own, bool read)
{
    const uint32_t size = object == NULL ? 0 : *(const uint32_t *)object;
    return size == 0 || size == own ? BW_OK : bw_sized_check(object, own, read);
}
/* For pointers to the structures; NULL passes. */
#define bw_desc_check(desc) bw_sized(desc, sizeof *(desc), true)
#define bw_report_check(report) bw_sized(report, sizeof *(report), false)
/* Both. */
#define bw_sizes_check(desc, report)                                                                         \
    (bw_desc_check(desc) != BW_OK ? bw_desc_check(desc) : bw_report_check(report))
/* Writes a report, whose size stays the caller's. */
#define bw_report_set(report, ...)                                                                           \
    do {                                                                                                     \
        const uint32_t size_of_caller = (report)->size;                                                      \
        *(report) = (__VA_ARGS__);                                                                           \
        (report)->size = size_of_caller;                                                                     \
    } while (0)

#endif
