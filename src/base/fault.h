/* Returning from public functions: every return tells the caller's fault, where one is given, what happened.
 */
#ifndef BW_BASE_FAULT_H
#define BW_BASE_FAULT_H

#include <boxwood/base.h>

/* A fault without a place. */
#define BW_FAULT_NOWHERE ((bw_fault){.element = BW_NONE, .vertex = BW_NONE, .axis = BW_NONE})

/* Writes the fault: the result, the rest from `where`; the text is that of its own, or of the defect, or of the result. */
void bw_fault_write(bw_fault *fault, bw_result result, const bw_fault *where);

/* The result, told to fault (may be NULL): without a place, at an element, or at a place found. */
static inline bw_result bw_fail(bw_fault *fault, bw_result result)
{
    if (fault != NULL)
        bw_fault_write(fault, result, &BW_FAULT_NOWHERE);
    return result;
}
static inline bw_result bw_fail_with(bw_fault *fault, bw_result result, const bw_fault *where)
{
    if (fault != NULL)
        bw_fault_write(fault, result, where);
    return result;
}
static inline bw_result bw_fail_at(bw_fault *fault, bw_result result, uint32_t element)
{
    bw_fault where = BW_FAULT_NOWHERE;
    where.element = element;
    return bw_fail_with(fault, result, &where);
}

#endif
