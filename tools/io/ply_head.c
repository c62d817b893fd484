/* The head of a PLY file: formats, elements and their properties. */
#include "io/ply.h"

#include <math.h>
#include <string.h>

static ply_type type_named(const char *word, size_t length)
{
    static const struct {
        const char *name;
        ply_type type;
    } names[] = {{"char", PLY_I8},   {"int8", PLY_I8},     {"uchar", PLY_U8},   {"uint8", PLY_U8},
                 {"short", PLY_I16}, {"int16", PLY_I16},   {"ushort", PLY_U16}, {"uint16", PLY_U16},
                 {"int", PLY_I32},   {"int32", PLY_I32},   {"uint", PLY_U32},   {"uint32", PLY_U32},
                 {"float", PLY_F32}, {"float32", PLY_F32}, {"double", PLY_F64}, {"float64", PLY_F64}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && memcmp(word, names[i].name, length) == 0)
            return names[i].type;
    return PLY_NONE;
}

static bool next_is(text *t, const char *name)
{
    text before = *t;
    size_t length;
    const char *word = text_word(t, &length);
    if (length == strlen(name) && memcmp(word, name, length) == 0)
        return true;
    *t = before;
    return false;
}

static bool read_type(ply *p, ply_type *out)
{
    char buffer[32];
    const char *shown = text_show(p->t, buffer);
    size_t length;
    const char *word = text_word(p->t, &length);
    *out = type_named(word, length);
    return *out != PLY_NONE || text_fault(p->t, p->why, "\"%s\" is not a type of a PLY file", shown);
}

static bool head_element(ply *p)
{
    text *t = p->t;
    double count;
    size_t length;
    const char *word = text_word(t, &length);
    char buffer[32];
    const char *shown = text_show(t, buffer);
    if (!text_number(t, &count) || !(count >= 0 && count < 0x1p53) || count != floor(count))
        return text_fault(t, p->why, "an element needs a name and a count, not \"%s\"", shown);
    p->elements = tool_grow(p->elements, p->element_count, &p->element_capacity, sizeof *p->elements);
    ply_element *e = &p->elements[p->element_count++];
    *e = (ply_element){.count = (uint64_t)count};
    memcpy(e->name, word, length < sizeof e->name ? length : sizeof e->name - 1);
    e->kind = strcmp(e->name, "vertex") == 0      ? PLY_VERTEX
              : strcmp(e->name, "face") == 0      ? PLY_FACE
              : strcmp(e->name, "tristrips") == 0 ? PLY_STRIP
                                                  : 0;
    return true;
}

static ply_role role_named(const ply_element *e, bool list, const char *word, size_t length)
{
    if (e->kind == PLY_VERTEX && !list && length == 1 && *word >= 'x' && *word <= 'z')
        return (ply_role)(PLY_X + (*word - 'x'));
    bool corners = (length == 14 && memcmp(word, "vertex_indices", 14) == 0) ||
                   (length == 12 && memcmp(word, "vertex_index", 12) == 0);
    return e->kind > PLY_VERTEX && list && corners ? PLY_CORNERS : PLY_OTHER;
}

static bool head_property(ply *p)
{
    if (p->element_count == 0)
        return text_fault(p->t, p->why, "a property before any element");
    ply_element *e = &p->elements[p->element_count - 1];
    ply_property property = {PLY_NONE, PLY_NONE, PLY_OTHER};
    bool list = next_is(p->t, "list");
    if ((list && !read_type(p, &property.count)) || !read_type(p, &property.type))
        return false;
    if (list && property.count >= PLY_F32)
        return text_fault(p->t, p->why, "the length of a list cannot be a fraction");
    size_t length;
    const char *word = text_word(p->t, &length);
    property.role = role_named(e, list, word, length);
    e->properties = tool_grow(e->properties, e->property_count, &e->property_capacity, sizeof *e->properties);
    e->properties[e->property_count++] = property;
    return true;
}

static bool head_format(ply *p)
{
    char shown[32];
    p->binary = true;
    if (next_is(p->t, "binary_big_endian"))
        p->big = true;
    else if (next_is(p->t, "ascii"))
        p->binary = false;
    else if (!next_is(p->t, "binary_little_endian"))
        return text_fault(p->t, p->why, "\"%s\" is not a format of a PLY file", text_show(p->t, shown));
    return true;
}

static bool read_statements(ply *p)
{
    text *t = p->t;
    char shown[32];
    bool format = false;
    if (!next_is(t, "ply"))
        return text_fault(t, p->why, "not a PLY file: it begins with \"%s\"", text_show(t, shown));
    for (;;) {
        text_next_line(t);
        if (t->at == t->end)
            return text_fault(t, p->why, "the file ends inside its head");
        bool fine = true;
        if (next_is(t, "end_header"))
            break;
        if (next_is(t, "format"))
            fine = format = head_format(p);
        else if (next_is(t, "element"))
            fine = head_element(p);
        else if (next_is(t, "property"))
            fine = head_property(p);
        else if (text_more(t) && !next_is(t, "comment") && !next_is(t, "obj_info"))
            fine = text_fault(t, p->why, "\"%s\" is not a statement of a PLY head", text_show(t, shown));
        if (!fine)
            return false;
    }
    text_next_line(t);
    return format || text_fault(t, p->why, "the head names no format");
}

/* A vertex has x, y and z, and a face its corners, or the file makes no sense to us. */
static bool check_head(ply *p)
{
    bool vertices = false;
    for (size_t k = 0; k < p->element_count; k++) {
        const ply_element *e = &p->elements[k];
        unsigned roles = 0;
        for (size_t i = 0; i < e->property_count; i++)
            roles |= 1u << e->properties[i].role;
        if (e->kind == PLY_VERTEX &&
            (roles & (1u << PLY_X | 1u << PLY_Y | 1u << PLY_Z)) != (1u << PLY_X | 1u << PLY_Y | 1u << PLY_Z))
            return fault_set(p->why, "%s: the vertices have no x, y and z", p->t->file);
        if (e->kind > PLY_VERTEX && e->count > 0 && !(roles & 1u << PLY_CORNERS))
            return fault_set(p->why, "%s: element %s has no list vertex_indices", p->t->file, e->name);
        vertices |= e->kind == PLY_VERTEX;
    }
    return vertices || fault_set(p->why, "%s: the head names no vertices", p->t->file);
}

bool ply_read_head(ply *p)
{
    return read_statements(p) && check_head(p);
}
