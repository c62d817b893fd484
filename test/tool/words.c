/* Numbers and names as the command takes and shows them: against the C library and a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "oracle/random.h"
#include "printable.h"

/* A state machine for sign, digits, point, digits, exponent: written another way than the reader. Returns the
 * length of the longest number at the beginning; 0: none. */
static size_t longest(const char *s)
{
    enum { START, SIGN, WHOLE, POINT, FRACTION, E, E_SIGN, POWER } state = START;
    size_t best = 0;
    for (size_t i = 0;; i++) {
        bool digit = s[i] >= '0' && s[i] <= '9', sign = s[i] == '+' || s[i] == '-';
        bool e = s[i] == 'e' || s[i] == 'E';
        if (digit)
            state = state <= WHOLE ? WHOLE : state <= FRACTION ? FRACTION : POWER;
        else if (sign && (state == START || state == E))
            state = state == START ? SIGN : E_SIGN;
        else if (s[i] == '.' && state <= SIGN)
            state = POINT;
        else if (s[i] == '.' && state == WHOLE)
            state = FRACTION;
        else if (e && (state == WHOLE || state == FRACTION))
            state = E;
        else
            return best;
        if (state == WHOLE || state == FRACTION || state == POWER)
            best = i + 1;
    }
}

static void any_letters(bws_random *random, void *user)
{
    (void)user;
    static const char letters[] = "0123456789012345+-..eExXpPaf,_ nif";
    for (int n = 0; n < 200; n++) {
        char text[16];
        size_t length = (size_t)bws_random_below(random, sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = letters[bws_random_below(random, sizeof letters - 1)];
        text[length] = 0;
        const char *end = NULL;
        double value = -1;
        size_t wanted = longest(text);
        char *stop;
        double truth = strtod(text, &stop);
        /* Hexadecimal goes on where the grammar ends. */
        bool hex = wanted > 0 && stop != text + wanted;
        bool found = number_begins(text, &end, &value);
        assert_int_equal(found, wanted > 0 && !hex);
        if (found) {
            assert_ptr_equal(end, text + wanted);
            assert_true(value == truth);
        }
        double whole;
        assert_int_equal(number_read(text, &whole), found && wanted == length && isfinite(truth));
        uint64_t count, most = bws_random_below(random, 2) ? UINT64_MAX : 1000;
        bool digits = length > 0 && strspn(text, "0123456789") == length;
        unsigned long long number = digits ? strtoull(text, NULL, 10) : 0;
        assert_int_equal(number_count(text, most, &count), digits && number <= most);
        if (digits && number <= most)
            assert_true(count == number);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    BW_EACH_SEED(500, any_letters, NULL);
    uint64_t count;
    assert_true(number_count("18446744073709551615", UINT64_MAX, &count) && count == UINT64_MAX);
    assert_false(number_count("18446744073709551616", UINT64_MAX, &count));
    assert_false(number_count("99999999999999999999999999", UINT64_MAX, &count));
}

static void shows(const char *text, const char *wanted)
{
    assert_string_equal(printable(text), wanted);
    char cut[8];
    printable_to(cut, sizeof cut, text);
    assert_true(strlen(cut) < sizeof cut && strncmp(cut, wanted, strlen(cut)) == 0);
}

static void test_names(void **state)
{
    (void)state;
    const char *plain = "Pump A/Geh\xC3\xA4use \xF0\x9F\x94\xA7 C:\\x";
    assert_ptr_equal(printable(plain), plain);
    shows("a\nb\rc\td", "a\\nb\\rc\\td");
    shows("\x1b[2J\x7f\x01", "\\x1b[2J\\x7f\\x01");
    shows("\x9b"
          "31m",
          "\\x9b31m");
    shows("\xC2\x9b"
          "31m",
          "\\u009b31m");
    shows("\xE2\x80\xAE", "\\u202e");
    /* Overlong, a surrogate, beyond U+10FFFF, cut short. */
    shows("\xC0\xAF", "\\xc0\\xaf");
    shows("\xED\xA0\x80", "\\xed\\xa0\\x80");
    shows("\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    shows("\xE2\x82", "\\xe2\\x82");
}

/* Any bytes: what is shown is plain, and plain text stays. Sixteen copies live at a time. */
static void any_bytes(bws_random *random, void *user)
{
    (void)user;
    char texts[16][40];
    const char *shown[16];
    char kept[16][300];
    for (int k = 0; k < 16; k++) {
        size_t length = (size_t)bws_random_below(random, sizeof texts[k]);
        for (size_t i = 0; i < length; i++)
            texts[k][i] = (char)(1 + bws_random_below(random, 255));
        texts[k][length] = 0;
        shown[k] = printable(texts[k]);
        snprintf(kept[k], sizeof kept[k], "%s", shown[k]);
        assert_ptr_equal(printable(kept[k]), kept[k]);
    }
    for (int k = 0; k < 16; k++)
        assert_string_equal(shown[k], kept[k]);
}

static void test_bytes(void **state)
{
    (void)state;
    BW_EACH_SEED(2000, any_bytes, NULL);
}

/* As the C library writes and reads them. */
static const char *plain_text(double value, char buffer[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

static void check_text(double value)
{
    char text[32], plain[32];
    assert_string_equal(number_text(value, text), plain_text(value, plain));
    assert_string_equal(number_text(-value, text), plain_text(-value, plain));
}

static void numbers_as_text(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(4);
    for (int i = 0; i < 300000; i++) {
        const int power = (int)bws_random_below(&random, 24) - 6;
        const double some = (double)bws_random_u64(&random) * 0x1p-64 * pow(10, power);
        check_text(some);
        check_text(round(some * 1000) / 1000); /* few digits */
        check_text((double)(float)some);
        check_text((double)bws_random_below(&random, 1u << 20) * 0x1p-10); /* ties */
        check_text(ldexp((double)(bws_random_u64(&random) >> 11), -(int)bws_random_below(&random, 70)));
    }
    for (double power = 1e-7; power < 1e19; power *= 10) { /* and neighbours: more nines than digits */
        double below = power, above = power;
        for (int i = 0; i < 40; i++) {
            check_text(below);
            check_text(above);
            below = nextafter(below, 0);
            above = nextafter(above, INFINITY);
        }
    }
    for (int i = -1074; i < 1024; i++)
        check_text(ldexp(1, i));
    const double others[] = {0.0, 0x1p-1074, 1.7976931348623157e308, 9007199254740993.0, 0.1, 0.3, 1.0 / 3};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_text(others[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_names),
                                       cmocka_unit_test(numbers_as_text), cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
