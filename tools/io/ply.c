/* PLY, as in Greg Turk's "The PLY Polygon File Format", 1994: the data after the head. */
#include "io/ply.h"

#include "io/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t type_size(ply_type type)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

/* The place of an element in words: a line for text, a number for binary. */
static bool body_fault(ply *p, const ply_element *e, uint64_t i, const char *what)
{
    if (!p->binary)
        return text_fault(p->t, p->why, "%s %llu %s", e->name, (unsigned long long)i, what);
    return fault_set(p->why, "%s: %s %llu %s", p->t->file, e->name, (unsigned long long)i, what);
}

static uint64_t bytes_value(const ply *p, size_t size)
{
    const unsigned char *b = (const unsigned char *)p->t->at;
    uint64_t value = 0;
    for (size_t k = 0; k < size; k++)
        value |= (uint64_t)b[p->big ? size - 1 - k : k] << (8 * k);
    return value;
}

static bool read_scalar(ply *p, ply_type type, double *out)
{
    if (!p->binary)
        return text_number(p->t, out);
    size_t size = type_size(type);
    if ((size_t)(p->t->end - p->t->at) < size)
        return false;
    uint64_t bits = bytes_value(p, size);
    p->t->at += size;
    float single;
    uint32_t half = (uint32_t)bits;
    switch (type) {
    case PLY_I8:
        *out = (double)(int8_t)bits;
        break;
    case PLY_I16:
        *out = (double)(int16_t)bits;
        break;
    case PLY_I32:
        *out = (double)(int32_t)bits;
        break;
    case PLY_F32:
        memcpy(&single, &half, sizeof single);
        *out = (double)single;
        break;
    case PLY_F64:
        memcpy(out, &bits, sizeof *out);
        break;
    default:
        *out = (double)bits;
        break;
    }
    return true;
}

static bool read_list(ply *p, const ply_property *property)
{
    double count, value;
    if (!read_scalar(p, property->count, &count) || !(count >= 0 && count <= UINT32_MAX) ||
        count != floor(count))
        return false;
    p->list_count = 0;
    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        if (!read_scalar(p, property->type, &value))
            return false;
        p->list = tool_grow(p->list, p->list_count, &p->list_capacity, sizeof *p->list);
        p->list[p->list_count++] = value;
    }
    return true;
}

static uint32_t vertex_number(double value)
{
    return value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Strips: every vertex closes a triangle with the two before it, turned about every second time; -1 begins a
 * new one. */
static void add_strips(ply *p)
{
    size_t start = 0;
    for (size_t i = 0; i < p->list_count; i++) {
        if (p->list[i] < 0) {
            start = i + 1;
        } else if (i >= start + 2) {
            bool odd = (i - start) % 2 != 0;
            build_corner(&p->build, vertex_number(p->list[odd ? i - 1 : i - 2]));
            build_corner(&p->build, vertex_number(p->list[odd ? i - 2 : i - 1]));
            build_corner(&p->build, vertex_number(p->list[i]));
            build_face(&p->build, p->t->line);
        }
    }
}

static bool take_item(ply *p, const ply_element *e, uint64_t i, const double position[3])
{
    if (e->kind == PLY_VERTEX) {
        if (!build_vertex(&p->build, (bw_vec3){position[0], position[1], position[2]}, p->t->line))
            return body_fault(p, e, i, "is one more than 32-bit indices can name");
    } else if (e->kind == PLY_STRIP) {
        add_strips(p);
    } else if (e->kind == PLY_FACE) {
        for (size_t k = 0; k < p->list_count; k++) {
            if (p->list[k] != floor(p->list[k]))
                return body_fault(p, e, i, "has a fraction for a vertex number");
            build_corner(&p->build, vertex_number(p->list[k]));
        }
        build_face(&p->build, p->t->line);
    }
    return true;
}

static bool read_item(ply *p, const ply_element *e, uint64_t i)
{
    double position[3] = {0, 0, 0}, value = 0;
    if (!p->binary && !text_more_lines(p->t))
        return body_fault(p, e, i, "is missing: the file ends");
    for (size_t k = 0; k < e->property_count; k++) {
        const ply_property *property = &e->properties[k];
        if (property->count == PLY_NONE ? !read_scalar(p, property->type, &value) : !read_list(p, property))
            return body_fault(p, e, i,
                              p->binary ? "is missing: the file ends" : "has too few numbers, or no number");
        if (property->role >= PLY_X && property->role <= PLY_Z)
            position[property->role - PLY_X] = value;
        /* At once: a list after it would take its place. */
        if (property->role == PLY_CORNERS && !take_item(p, e, i, position))
            return false;
    }
    if (!p->binary && text_more(p->t))
        return body_fault(p, e, i, "has more numbers than its head says");
    if (e->kind == PLY_VERTEX && !take_item(p, e, i, position))
        return false;
    if (!p->binary)
        text_next_line(p->t);
    return true;
}

static bool read_body(ply *p)
{
    for (size_t k = 0; k < p->element_count; k++)
        for (uint64_t i = 0; i < p->elements[k].count && p->elements[k].property_count > 0; i++)
            if (!read_item(p, &p->elements[k], i))
                return false;
    return true;
}

bool read_ply(text *t, model *out, fault *why)
{
    ply p = {.t = t, .why = why};
    bool fine = ply_read_head(&p);
    p.build = build_start(t->file, p.binary ? "PLY, binary" : "PLY", !p.binary);
    fine = fine && read_body(&p);
    for (size_t k = 0; k < p.element_count; k++)
        free(p.elements[k].properties);
    free(p.elements);
    free(p.list);
    if (!fine) {
        build_drop(&p.build);
        return false;
    }
    return build_finish(&p.build, out, why);
}
