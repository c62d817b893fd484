#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *count_cell(cell *out, uint64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out->text[at++] = ',';
        out->text[at++] = digits[i];
    }
    out->text[at] = 0;
    return out->text;
}

/* Three digits and the largest unit that leaves at least one before the point. */
static const char *scaled(cell *out, double value, const char *const *units, int count)
{
    int unit = 0;
    while (unit + 1 < count && value >= 999.5) {
        value /= 1000;
        unit++;
    }
    int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(out->text, sizeof out->text, "%.*f %s", decimals, value, units[unit]);
    return out->text;
}

const char *bytes_cell(cell *out, double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    return scaled(out, bytes, units, 5);
}

const char *time_cell(cell *out, double seconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return scaled(out, seconds * 1e9, units, 4);
}

const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
