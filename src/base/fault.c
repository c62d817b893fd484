/* Faults: what failed and where, as numbers and in words. */
#include "base/fault.h"

#include <stdio.h>

void bw_fault_write(bw_fault *fault, bw_result result, const bw_fault *where)
{
    *fault = *where;
    fault->result = result;
    if (fault->text == NULL)
        fault->text =
            where->defect != BW_DEFECT_NONE ? bw_defect_string(where->defect) : bw_result_string(result);
}

int bw_fault_describe(const bw_fault *fault, char *buffer, size_t size)
{
    char place[96] = "";
    int used = 0;
    if (fault->element != BW_NONE)
        used = snprintf(place, sizeof place, "element %lu", (unsigned long)fault->element);
    if (fault->vertex != BW_NONE)
        used += snprintf(place + used, sizeof place - (size_t)used, "%svertex %lu", used > 0 ? ", " : "",
                         (unsigned long)fault->vertex);
    if (fault->axis <= 2)
        used += snprintf(place + used, sizeof place - (size_t)used, "%s%c = %.17g", used > 0 ? ", " : "",
                         "xyz"[fault->axis], fault -> value);
    const char *text = fault->text != NULL ? fault->text : bw_result_string(fault->result);
    return snprintf(buffer, size, "%s%s%s", place, used > 0 ? ": " : "", text);
}
