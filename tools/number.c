/* A grammar in front of strtod, which knows more than decimal numbers; and doubles as decimals. */
#include "number.h"

#include <math.h>
#include <stdio.h>
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

/* ---- to text ---- */

__extension__ typedef unsigned __int128 wide;

enum { LEAST_DIGITS = 15, MOST_DIGITS = 17 };

/* A double that is no power of two, from 1e-4 to below 1e15: mantissa * 2^-shift, its first digit stands for 10^power. Times 10^k
 * it is mantissa * 5^k / 2^(shift - k), whose parts have less than 64 and 128 bits: all of this is exact. */
typedef struct scaled {
    uint64_t mantissa;
    int shift, power;
} scaled;

static bool scale(double value, scaled *out)
{
    static const double powers[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                    1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    enum { FIRST = -4, COUNT = sizeof powers / sizeof *powers };
    if (!(value >= powers[0] && value < powers[COUNT - 1]))
        return false;
    int exponent, i = 0;
    const double fraction = frexp(value, &exponent);
    while (i + 2 < COUNT && value >= powers[i + 1]) /* these doubles are no less than the powers */
        i++;
    *out = (scaled){(uint64_t)ldexp(fraction, 53), 53 - exponent, FIRST + i};
    return out->mantissa != UINT64_C(1) << 52; /* the double below it is nearer than the one above */
}

static uint64_t power_of(uint64_t base, int exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= base;
    return power;
}

/* The number with so many digits, ties to even; whether it reads back. 0: it has a digit more. */
static uint64_t round_to(const scaled *s, int count, bool *same)
{
    const int k = count - 1 - s->power, down = s->shift - k;
    const uint64_t five = power_of(5, k);
    const wide exact = (wide)s->mantissa * five, half = (wide)1 << (down - 1), rest = exact & (2 * half - 1);
    const uint64_t floor = (uint64_t)(exact >> down);
    const bool up = rest > half || (rest == half && (floor & 1));
    /* Less than half a unit of the mantissa away; never just half, as that is odd. */
    *same = 2 * (up ? 2 * half - rest : rest) < five;
    return floor + up < power_of(10, count) ? floor + up : 0;
}

static void write_digits(uint64_t number, int count, int power, char *out)
{
    char all[MOST_DIGITS];
    for (int i = count; i-- > 0; number /= 10)
        all[i] = (char)('0' + number % 10);
    while (count > 1 && count - 1 > power && all[count - 1] == '0')
        count--;
    if (power < 0) {
        *out++ = '0';
        *out++ = '.';
        for (int i = -1; i > power; i--)
            *out++ = '0';
    }
    for (int i = 0; i < count; i++) {
        if (i > 0 && i == power + 1)
            *out++ = '.';
        *out++ = all[i];
    }
    *out = 0;
}

const char *number_text(double value, char buffer[32])
{
    scaled s = {0, 0, 0};
    const bool negative = value < 0, quick = scale(negative ? -value : value, &s);
    for (int count = LEAST_DIGITS; count <= MOST_DIGITS; count++) {
        bool same = false;
        const uint64_t number = quick ? round_to(&s, count, &same) : 0;
        if (number > 0) {
            buffer[0] = '-';
            write_digits(number, count, s.power, buffer + negative);
        } else {
            snprintf(buffer, 32, "%.*g", count, value);
            same = strtod(buffer, NULL) == value;
        }
        if (same)
            break;
    }
    return buffer;
}
