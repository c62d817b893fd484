/* OFF, as in the Geomview manual, "OFF Files". Numbers after the coordinates or the corners (normals,
 * colours) are skipped. */
#include "io/build.h"
#include "io/readers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* To the next word that is no comment, over line ends. */
static bool next_word(text *t)
{
    while (text_more_lines(t)) {
        if (*t->at != '#')
            return true;
        text_next_line(t);
    }
    return false;
}

/* [ST][C][N]OFF; 4OFF and nOFF have other coordinates. The keyword is optional. */
static bool read_keyword(text *t, fault *why)
{
    if (!next_word(t))
        return text_fault(t, why, "the file ends before its counts");
    char shown[32];
    text_show(t, shown);
    const char *word = t->at;
    size_t length, skip = 0;
    text_word(t, &length);
    if (strspn(word, "0123456789") == length) {
        t->at = word;
        return true;
    }
    if (length >= 2 && memcmp(word, "ST", 2) == 0)
        skip = 2;
    while (skip < length && (word[skip] == 'C' || word[skip] == 'N'))
        skip++;
    if (length - skip != 3 || memcmp(word + skip, "OFF", 3) != 0)
        return text_fault(t, why, "\"%s\" is not the head of an OFF file with three coordinates a vertex",
                          shown);
    if (text_more(t) && strncmp(t->at, "BINARY", 6) == 0)
        return text_fault(t, why, "binary OFF files are not read");
    if (!next_word(t))
        return text_fault(t, why, "the file ends before its counts");
    return true;
}

static bool read_count(text *t, const char *what, double most, uint64_t *out, fault *why)
{
    char shown[32];
    const char *word = text_show(t, shown);
    double value;
    if (!text_number(t, &value) || !(value >= 0 && value <= most) || value != floor(value))
        return text_fault(t, why, "expected a count of %s of at most %.0f, not \"%s\"", what, most, word);
    *out = (uint64_t)value;
    return true;
}

static bool read_face(text *t, build *b, uint64_t face, fault *why)
{
    uint64_t corners = 0;
    uint32_t line = t->line;
    if (!read_count(t, "corners", UINT32_MAX, &corners, why))
        return false;
    for (uint64_t i = 0; i < corners; i++) {
        const text before = *t;
        double index;
        char shown[32];
        if (!text_number(t, &index) || index != floor(index)) {
            *t = before;
            return text_fault(t, why, "face %" PRIu64 " needs %" PRIu64 " vertex numbers, not \"%s\"", face,
                              corners, text_show(t, shown));
        }
        build_corner(b, index >= 0 && index < UINT32_MAX ? (uint32_t)index : UINT32_MAX);
    }
    build_face(b, line);
    return true;
}

static bool read_body(text *t, build *b, fault *why)
{
    uint64_t vertices = 0, faces = 0;
    if (!read_keyword(t, why) || !read_count(t, "vertices", UINT32_MAX - 1, &vertices, why) ||
        !read_count(t, "faces", 1e15, &faces, why))
        return false;
    text_next_line(t);
    for (uint64_t v = 0; v < vertices; v++) {
        double p[3];
        char shown[32];
        if (!next_word(t))
            return text_fault(t, why, "the file ends after %" PRIu64 " of %" PRIu64 " vertices", v, vertices);
        if (!text_vec3(t, p))
            return text_fault(t, why, "vertex %" PRIu64 " needs three numbers, not \"%s\"", v,
                              text_show(t, shown));
        build_vertex(b, (bw_vec3){p[0], p[1], p[2]}, t->line);
        text_next_line(t);
    }
    for (uint64_t f = 0; f < faces; f++) {
        if (!next_word(t))
            return text_fault(t, why, "the file ends after %" PRIu64 " of %" PRIu64 " faces", f, faces);
        if (!read_face(t, b, f, why))
            return false;
        text_next_line(t);
    }
    return true;
}

bool read_off(text *t, model *out, fault *why)
{
    build b = build_start(t->file, "OFF", true);
    if (!read_body(t, &b, why)) {
        build_drop(&b);
        return false;
    }
    return build_finish(&b, out, why);
}
