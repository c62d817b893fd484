/* Data URIs (base64 or percent-encoded) and relative names of files. */
#include "io/gltf/uri.h"

#include "io/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool uri_is_data(const char *uri)
{
    return strncasecmp(uri, "data:", 5) == 0;
}

static int sextet(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* With or without the padding at the end. */
static bool decode_base64(const path *at, const char *from, uint8_t **bytes, size_t *size)
{
    size_t length = strlen(from);
    for (int k = 0; k < 2 && length > 0 && length % 4 == (size_t)(k == 0 ? 0 : 3) && from[length - 1] == '=';
         k++)
        length--;
    if (length % 4 == 1)
        return path_fault(at, "base64 of %zu characters is cut short", length);
    uint8_t *out = tool_alloc(length / 4 * 3 + 3, 1);
    uint32_t bits = 0;
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        int six = sextet(from[i]);
        if (six < 0) {
            free(out);
            return path_fault(at, "base64 has the character 0x%02x at %zu", (unsigned char)from[i], i);
        }
        bits = bits << 6 | (uint32_t)six;
        if (i % 4 == 3) {
            out[count++] = (uint8_t)(bits >> 16);
            out[count++] = (uint8_t)(bits >> 8);
            out[count++] = (uint8_t)bits;
        }
    }
    if (length % 4 == 2)
        out[count++] = (uint8_t)(bits >> 4);
    if (length % 4 == 3) {
        out[count++] = (uint8_t)(bits >> 10);
        out[count++] = (uint8_t)(bits >> 2);
    }
    *bytes = out;
    *size = count;
    return true;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* A percent sign that two hexadecimal digits do not follow stands for itself. */
static char *decode_percent(const char *from, size_t *size)
{
    char *out = tool_alloc(strlen(from) + 1, 1);
    size_t count = 0;
    while (*from) {
        if (from[0] == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0) {
            out[count++] = (char)(hex(from[1]) << 4 | hex(from[2]));
            from += 3;
        } else {
            out[count++] = *from++;
        }
    }
    out[count] = 0;
    *size = count;
    return out;
}

bool uri_data(const path *at, const char *uri, uint8_t **bytes, size_t *size)
{
    const char *comma = strchr(uri, ',');
    if (!comma)
        return path_fault(at, "a data URI without a comma");
    if (comma - uri >= 7 && strncasecmp(comma - 7, ";base64", 7) == 0)
        return decode_base64(at, comma + 1, bytes, size);
    *bytes = (uint8_t *)decode_percent(comma + 1, size);
    return true;
}

/* "scheme:", by RFC 3986, which a drive letter is, too. */
static size_t scheme_length(const char *uri)
{
    size_t i = 0;
    if (!isalpha((unsigned char)uri[0]))
        return 0;
    while (isalnum((unsigned char)uri[i]) || uri[i] == '+' || uri[i] == '-' || uri[i] == '.')
        i++;
    return uri[i] == ':' ? i : 0;
}

static bool read_beside(const char *file, const char *name, text *out, fault *why)
{
    const char *slash = strrchr(file, '/');
    size_t folder = slash ? (size_t)(slash - file) + 1 : 0, length = folder + strlen(name) + 1;
    char *whole = tool_alloc(length, 1);
    snprintf(whole, length, "%.*s%s", (int)folder, file, name);
    bool fine = text_open(whole, out, why);
    free(whole);
    return fine;
}

bool uri_file(const path *at, const char *file, const char *uri, uint8_t **bytes, size_t *size)
{
    size_t scheme = scheme_length(uri), length;
    if (scheme > 0)
        return path_fault(at,
                          "\"%.100s\": only data URIs and relative names of files are read, not \"%.*s:\"",
                          uri, (int)scheme, uri);
    if (uri[0] == '/' || uri[0] == '\\')
        return path_fault(at, "\"%.100s\" is an absolute path: only names relative to the file are read",
                          uri);
    char *name = decode_percent(uri, &length);
    if (length == 0 || strlen(name) != length) {
        free(name);
        return path_fault(at, "\"%.100s\" is not the name of a file", uri);
    }
    text whole;
    fault why;
    /* Some writers do not encode: then the name is what stands there. */
    bool fine = read_beside(file, name, &whole, &why) ||
                (strcmp(name, uri) != 0 && read_beside(file, uri, &whole, &(fault){.text = ""}));
    free(name);
    if (!fine)
        return path_fault(at, "%s", why.text);
    *bytes = (uint8_t *)whole.data;
    *size = whole.size;
    return true;
}
