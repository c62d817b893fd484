/* Text from outside made fit for a terminal. */
#include "printable.h"

#include "fault.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

size_t utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
               (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
    return bad ? 0 : length;
}

enum { LONGEST = 8 }; /* bytes that one character becomes, with the zero */

/* What the character at s becomes; NULL: it stays. *length is how many bytes it has. */
static const char *escape(const char *text, size_t *length, char out[LONGEST])
{
    const unsigned char *s = (const unsigned char *)text;
    *length = utf8_length(text);
    unsigned code = 0;
    if (*length == 2)
        code = (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu);
    else if (*length == 3)
        code = (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
    if (*length == 0) {
        *length = 1;
        snprintf(out, LONGEST, "\\x%02x", s[0]);
    } else if (*s == '\n' || *s == '\r' || *s == '\t') {
        snprintf(out, LONGEST, "\\%c", *s == '\n' ? 'n' : *s == '\r' ? 'r' : 't');
    } else if (*s < 0x20 || *s == 0x7f) {
        snprintf(out, LONGEST, "\\x%02x", s[0]);
    } else if ((code >= 0x80 && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
               (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) {
        snprintf(out, LONGEST, "\\u%04x", code);
    } else {
        return NULL;
    }
    return out;
}

static bool is_plain(const char *s)
{
    char out[LONGEST];
    for (size_t length; *s; s += length)
        if (escape(s, &length, out))
            return false;
    return true;
}

void printable_to(char *to, size_t size, const char *s)
{
    char out[LONGEST];
    size_t used = 0;
    for (size_t length; *s; s += length) {
        const char *as = escape(s, &length, out);
        size_t bytes = as ? strlen(as) : length;
        if (used + bytes >= size)
            break;
        memcpy(to + used, as ? as : s, bytes);
        used += bytes;
    }
    to[used] = 0;
}

const char *printable(const char *text)
{
    enum { COPIES = 16 };
    static struct {
        char *text;
        size_t size;
    } copies[COPIES];
    static unsigned next;
    if (is_plain(text))
        return text;
    unsigned at = next++ % COPIES;
    size_t size = (LONGEST - 1) * strlen(text) + 1;
    if (copies[at].size < size) {
        copies[at].text = tool_resize(copies[at].text, size, 1);
        copies[at].size = size;
    }
    printable_to(copies[at].text, size, text);
    return copies[at].text;
}
