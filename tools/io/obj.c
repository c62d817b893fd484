/* Wavefront OBJ, as in "Advanced Visualizer Manual, Appendix B1": the polygonal part. */
#include "io/build.h"
#include "io/readers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* Statements that say nothing about where triangles are. */
static bool is_known(const char *word, size_t length)
{
    static const char *const known[] = {
        "vt",     "vn",       "vp",       "s",    "mg",         "mtllib",    "usemap", "maplib",
        "bevel",  "c_interp", "d_interp", "lod",  "shadow_obj", "trace_obj", "ctech",  "stech",
        "cstype", "deg",      "bmat",     "step", "curv",       "curv2",     "surf",   "parm",
        "trim",   "hole",     "scrv",     "sp",   "end",        "con",       "call",   "csh"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_word(word, length, known[i]))
            return true;
    return false;
}

static bool is_identifier(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
              (i > 0 && c >= '0' && c <= '9')))
            return false;
    }
    return true;
}

/* One corner, "v", "v/vt", "v//vn" or "v/vt/vn": only v matters. Negative numbers count back from the last
 * vertex. */
static bool read_corner(text *t, build *b, fault *why)
{
    char shown[32];
    text_show(t, shown);
    size_t length;
    const char *word = text_word(t, &length);
    char *stop;
    errno = 0;
    long long number = strtoll(word, &stop, 10);
    if (stop == word || (stop != word + length && *stop != '/'))
        return text_fault(t, why, "\"%s\" is not a corner of a face", shown);
    if (number == 0)
        return text_fault(t, why, "vertices are numbered from 1, and \"%s\" names vertex 0", shown);
    long long vertex = number > 0 ? number - 1 : (long long)b->model.vertex_count + number;
    build_corner(b, errno || vertex < 0 || vertex >= UINT32_MAX ? UINT32_MAX : (uint32_t)vertex);
    return true;
}

static bool read_face(text *t, build *b, fault *why)
{
    uint32_t line = t->line;
    size_t before = b->corner_count;
    while (text_more(t))
        if (!read_corner(t, b, why))
            return false;
    if (b->corner_count - before < 3)
        return text_fault(t, why, "a face needs at least three corners");
    build_face(b, line);
    return true;
}

static void count_points(text *t, model_losses *losses)
{
    size_t length;
    while (text_more(t)) {
        text_word(t, &length);
        losses->point_faces++;
    }
}

static bool read_statement(text *t, build *b, fault *why)
{
    char shown[32];
    text_show(t, shown);
    size_t length;
    const char *word = text_word(t, &length);
    model_losses *losses = &b->model.losses;
    if (is_word(word, length, "v")) {
        double p[3];
        if (!text_vec3(t, p))
            return text_fault(t, why, "a vertex needs three numbers, not \"%s\"", text_show(t, shown));
        if (!build_vertex(b, (bw_vec3){p[0], p[1], p[2]}, t->line))
            return text_fault(t, why, "more vertices than 32-bit indices can name");
    } else if (is_word(word, length, "f") || is_word(word, length, "fo")) {
        return read_face(t, b, why);
    } else if (is_word(word, length, "o") || is_word(word, length, "g")) {
        char name[256];
        text_rest(t, name, sizeof name);
        build_part(b, name);
    } else if (is_word(word, length, "usemtl")) {
        char label[9 + 256] = "material ";
        text_rest(t, label + 9, 256);
        b->label = label[9] ? build_label(b, label) : BW_NONE;
    } else if (is_word(word, length, "l")) {
        losses->line_faces++;
    } else if (is_word(word, length, "p")) {
        count_points(t, losses);
    } else if (!is_known(word, length)) {
        if (!is_identifier(word, length))
            return text_fault(t, why, "\"%s\" is not a statement of an OBJ file", shown);
        if (losses->ignored_lines++ == 0)
            losses->first_ignored_line = t->line;
    }
    return true;
}

bool read_obj(text *t, model *out, fault *why)
{
    build b = build_start(t->file, "OBJ", true);
    while (text_more_lines(t)) {
        if (*t->at != '#' && !read_statement(t, &b, why)) {
            build_drop(&b);
            return false;
        }
        text_next_line(t);
    }
    return build_finish(&b, out, why);
}
