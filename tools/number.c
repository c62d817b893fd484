/* A grammar in front of strtod, which knows more than decimal numbers. */
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

bool number_begins(const char *text, const char **end, double *out)
{
    const char *s = text + (*text == '+' || *text == '-');
    size_t before = strspn(s, digits), after = 0;
    s += before;
    if (*s == '.') {
        after = strspn(s + 1, digits);
        s += 1 + after;
    }
    if (before + after == 0)
        return false;
    if (*s == 'e' || *s == 'E') {
        const char *power = s + 1 + (s[1] == '+' || s[1] == '-');
        size_t length = strspn(power, digits);
        if (length > 0)
            s = power + length;
    }
    char *stop;
    double value = strtod(text, &stop);
    if (stop != s)
        return false;
    *end = s;
    *out = value;
    return true;
}

bool number_read(const char *text, double *out)
{
    const char *end;
    double value;
    if (!number_begins(text, &end, &value) || *end || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool number_count(const char *text, uint64_t most, uint64_t *out)
{
    size_t length = strspn(text, digits);
    if (length == 0 || text[length])
        return false;
    uint64_t value = 0;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    if (value > most)
        return false;
    *out = value;
    return true;
}

bool number_bytes(const char *text, size_t *out)
{
    char plain[32];
    size_t length = strlen(text), shift = 0;
    if (length == 0 || length >= sizeof plain)
        return false;
    memcpy(plain, text, length + 1);
    switch (plain[length - 1]) {
    case 'G':
    case 'g':
        shift = 30;
        break;
    case 'M':
    case 'm':
        shift = 20;
        break;
    case 'K':
    case 'k':
        shift = 10;
        break;
    default:
        break;
    }
    plain[length - (shift > 0)] = 0;
    uint64_t value;
    if (!number_count(plain, SIZE_MAX >> 1 >> shift, &value))
        return false;
    *out = (size_t)value << shift;
    return true;
}
