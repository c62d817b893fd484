/* STL of 3D Systems, 1989: both forms. Every triangle has three vertices of its own. */
#include "io/build.h"
#include "io/readers.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { STL_HEAD = 84, STL_FACET = 50 };

static uint32_t little_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float little_float(const char *bytes)
{
    uint32_t bits = little_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool add_facet(build *b, const double corners[3][3], uint32_t line)
{
    for (int k = 0; k < 3; k++) {
        build_corner(b, b->model.vertex_count);
        if (!build_vertex(b, (bw_vec3){corners[k][0], corners[k][1], corners[k][2]}, line))
            return false;
    }
    build_face(b, line);
    return true;
}

static bool read_binary(text *t, build *b, fault *why)
{
    uint32_t count = little_u32(t->data + 80);
    uint64_t needed = STL_HEAD + (uint64_t)STL_FACET * count;
    if (needed > t->size)
        return fault_set(why, "%s: binary STL of %u triangles needs %llu bytes, and the file has %zu",
                         t->file, count, (unsigned long long)needed, t->size);
    for (uint32_t i = 0; i < count; i++) {
        const char *facet = t->data + STL_HEAD + (size_t)STL_FACET * i + 12; /* after the normal */
        double corners[3][3];
        for (int k = 0; k < 9; k++)
            corners[k / 3][k % 3] = (double)little_float(facet + 4 * k);
        if (!add_facet(b, corners, 0))
            return fault_set(why, "%s: more vertices than 32-bit indices can name", t->file);
    }
    return true;
}

static bool take_word(text *t, const char *name)
{
    if (!text_more_lines(t))
        return false;
    text before = *t;
    size_t length;
    const char *word = text_word(t, &length);
    bool same = length == strlen(name);
    for (size_t i = 0; same && i < length; i++)
        same = tolower((unsigned char)word[i]) == name[i];
    if (!same)
        *t = before;
    return same;
}

static bool expect(text *t, const char *name, fault *why)
{
    char shown[32];
    return take_word(t, name) || text_fault(t, why, "expected \"%s\", not \"%s\"", name, text_show(t, shown));
}

static bool read_facet(text *t, build *b, fault *why)
{
    double corners[3][3], normal[3];
    char shown[32];
    uint32_t line = t->line;
    if (!expect(t, "normal", why))
        return false;
    /* The normal is not used, and writers put NaN and worse there. */
    if (!text_vec3(t, normal))
        text_next_line(t);
    if (!expect(t, "outer", why) || !expect(t, "loop", why))
        return false;
    for (int k = 0; k < 3; k++) {
        if (!expect(t, "vertex", why))
            return false;
        if (!text_vec3(t, corners[k]))
            return text_fault(t, why, "a vertex needs three numbers, not \"%s\"", text_show(t, shown));
    }
    if (!expect(t, "endloop", why) || !expect(t, "endfacet", why))
        return false;
    return add_facet(b, (const double(*)[3])corners, line) ||
           text_fault(t, why, "more vertices than 32-bit indices can name");
}

static bool read_ascii(text *t, build *b, fault *why)
{
    while (text_more_lines(t)) {
        char name[256];
        if (!expect(t, "solid", why))
            return false;
        text_rest(t, name, sizeof name);
        build_part(b, name);
        while (take_word(t, "facet"))
            if (!read_facet(t, b, why))
                return false;
        if (!expect(t, "endsolid", why))
            return false;
        text_next_line(t);
    }
    return true;
}

bool stl_is_binary(const file_head *head)
{
    return head->size >= STL_HEAD &&
           head->file_size == STL_HEAD + (uint64_t)STL_FACET * little_u32(head->data + 80);
}

/* Binary files may begin with "solid" too: an exact fit of the size decides first, then that text has no
 * zeros, of which the count and the numbers of a binary file have some. */
static bool is_ascii(text t)
{
    enum { LOOK = 1024 };
    file_head head = {t.data, t.size, t.size};
    return !stl_is_binary(&head) && !memchr(t.data, 0, t.size < LOOK ? t.size : LOOK) &&
           take_word(&t, "solid");
}

bool read_stl(text *t, model *out, fault *why)
{
    bool ascii = is_ascii(*t);
    if (!ascii && t->size < STL_HEAD)
        return fault_set(why, "%s: neither an ASCII STL file nor long enough for the head of a binary one",
                         t->file);
    build b = build_start(t->file, ascii ? "STL" : "STL, binary", ascii);
    if (!(ascii ? read_ascii(t, &b, why) : read_binary(t, &b, why))) {
        build_drop(&b);
        return false;
    }
    return build_finish(&b, out, why);
}
