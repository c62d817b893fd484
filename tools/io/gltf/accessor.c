/* Accessors, by section 3.6.2 of the specification. */
#include "io/gltf/accessor.h"

#include "io/gltf/buffer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned rows, columns;
} types[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
             {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
enum { TYPE_COUNT = sizeof types / sizeof *types };

static size_t component_size(component c)
{
    return c == COMPONENT_BYTE || c == COMPONENT_UBYTE     ? 1
           : c == COMPONENT_SHORT || c == COMPONENT_USHORT ? 2
                                                           : 4;
}

static const char *component_name(component c)
{
    return c == COMPONENT_BYTE     ? "byte"
           : c == COMPONENT_UBYTE  ? "unsigned byte"
           : c == COMPONENT_SHORT  ? "short"
           : c == COMPONENT_USHORT ? "unsigned short"
           : c == COMPONENT_UINT   ? "unsigned int"
                                   : "float";
}

size_t accessor_width(const accessor *a)
{
    return (size_t)a->rows * a->columns;
}

const char *accessor_kind(const accessor *a, char out[64])
{
    const char *type = "";
    for (int i = 0; i < TYPE_COUNT; i++)
        if (types[i].rows == a->rows && types[i].columns == a->columns)
            type = types[i].name;
    snprintf(out, 64, "%s of %s%s", type, a->normalized ? "normalised " : "", component_name(a->component));
    return out;
}

/* Columns of a matrix begin at multiples of four bytes. */
static size_t column_size(const accessor *a)
{
    size_t size = a->rows * component_size(a->component);
    return a->columns > 1 ? (size + 3) / 4 * 4 : size;
}

static size_t element_size(const accessor *a)
{
    return a->columns * column_size(a);
}

static bool takes_component(const accessor *a, unsigned takes)
{
    switch (a->component) {
    case COMPONENT_FLOAT:
        return takes & TAKES_FLOAT;
    case COMPONENT_UINT:
        return takes & TAKES_INDICES && !a->normalized;
    case COMPONENT_UBYTE:
    case COMPONENT_USHORT:
        return takes & (a->normalized ? TAKES_NORMALIZED_8_16 : TAKES_PLAIN_8_16 | TAKES_INDICES);
    default:
        return takes & (a->normalized ? TAKES_SIGNED_NORMALIZED_8_16 : TAKES_PLAIN_8_16);
    }
}

static bool read_type(const path *at, accessor *a)
{
    const char *name = "";
    uint64_t number = 0;
    path type = path_key(at, "type"), which = path_key(at, "componentType");
    if (!path_need(at, "type") || !path_string(at, "type", &name) || !path_need(at, "componentType") ||
        !path_count(at, "componentType", UINT32_MAX, &number))
        return false;
    for (int i = 0; i < TYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0) {
            a->rows = types[i].rows;
            a->columns = types[i].columns;
        }
    if (a->rows == 0)
        return path_fault(&type, "\"%.40s\" is not known", name);
    a->component = (component)number;
    if (number < COMPONENT_BYTE || number > COMPONENT_FLOAT || number == 5124)
        return path_fault(&which, "%" PRIu64 " is not known", number);
    return true;
}

bool accessor_open(gltf *g, const path *from, unsigned rows, unsigned columns, unsigned takes, accessor *out)
{
    accessor a = {.view = BW_NONE};
    if (!path_index_here(from, g->counts[LIST_ACCESSORS], "accessors", &a.index))
        return false;
    path at = gltf_item(g, LIST_ACCESSORS, a.index), offset = path_key(&at, "byteOffset"),
         count_at = path_key(&at, "count");
    uint64_t count = 0;
    if (!read_type(&at, &a) || !path_need(&at, "count") ||
        !path_count(&at, "count", UINT32_MAX - 1, &count) || !path_flag(&at, "normalized", &a.normalized) ||
        !path_index(&at, "bufferView", g->counts[LIST_VIEWS], "bufferViews", &a.view) ||
        !path_count(&at, "byteOffset", UINT64_C(1) << 53, &a.offset))
        return false;
    if (count == 0)
        return path_fault(&count_at, "0 elements");
    if (offset.value && a.view == BW_NONE)
        return path_fault(&offset, "is there without a bufferView");
    a.count = (uint32_t)count;
    char kind[64];
    if ((rows > 0 && (a.rows != rows || a.columns != columns)) || !takes_component(&a, takes))
        return path_fault(from, "accessors[%" PRIu32 "] is %s, which cannot stand here", a.index,
                          accessor_kind(&a, kind));
    *out = a;
    return true;
}

double accessor_normalize(component c, double value)
{
    switch (c) {
    case COMPONENT_BYTE:
        return fmax(value / 127, -1);
    case COMPONENT_UBYTE:
        return value / 255;
    case COMPONENT_SHORT:
        return fmax(value / 32767, -1);
    case COMPONENT_USHORT:
        return value / 65535;
    case COMPONENT_UINT:
        return value / 4294967295.0;
    default:
        return value;
    }
}

/* Little-endian, whatever we run on. */
static double number_at(const uint8_t *p, component c)
{
    uint32_t low = p[0];
    if (component_size(c) >= 2)
        low |= (uint32_t)p[1] << 8;
    if (component_size(c) == 4)
        low |= (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    float real;
    switch (c) {
    case COMPONENT_BYTE:
        return low < 0x80 ? (double)low : (double)low - 0x100;
    case COMPONENT_SHORT:
        return low < 0x8000 ? (double)low : (double)low - 0x10000;
    case COMPONENT_FLOAT:
        memcpy(&real, &low, sizeof real);
        return (double)real;
    default:
        return low;
    }
}

static void read_element(const accessor *a, const uint8_t *p, double *out)
{
    for (unsigned c = 0; c < a->columns; c++)
        for (unsigned r = 0; r < a->rows; r++) {
            double value = number_at(p + c * column_size(a) + r * component_size(a->component), a->component);
            out[c * a->rows + r] = a->normalized ? accessor_normalize(a->component, value) : value;
        }
}

/* Elements that stand in a view one after the other; the stride is that of the view, or their size. */
static bool elements(gltf *g, const path *at, const accessor *a, bool strided, const uint8_t **out,
                     size_t *stride)
{
    const uint8_t *bytes;
    size_t size, own;
    path view_at = path_key(at, "bufferView");
    if (!buffer_view(g, a->view, &bytes, &size, &own))
        return false;
    *stride = strided && own > 0 ? own : element_size(a);
    char kind[64];
    if (*stride < element_size(a)) {
        path view = gltf_item(g, LIST_VIEWS, a->view), stride_at = path_key(&view, "byteStride");
        return path_fault(
            &stride_at, "%zu bytes from element to element, and accessors[%" PRIu32 "] (%s) has %zu in each",
            own, a->index, accessor_kind(a, kind), element_size(a));
    }
    uint64_t end = a->offset + (uint64_t)(a->count - 1) * *stride + element_size(a);
    if (end > size)
        return path_fault(&view_at,
                          "%" PRIu32 " elements from byte %" PRIu64 " on end at %" PRIu64
                          ", and bufferViews[%" PRIu32 "] has %zu bytes",
                          a->count, a->offset, end, a->view, size);
    *out = bytes + a->offset;
    return true;
}

static bool open_sparse(gltf *g, const path *sparse, const accessor *a, accessor *indices, accessor *values)
{
    path at[2] = {path_key(sparse, "indices"), path_key(sparse, "values")},
         count_at = path_key(sparse, "count");
    uint64_t count = 0, number = 0;
    *indices = (accessor){.index = a->index, .rows = 1, .columns = 1};
    *values = *a;
    if (!path_need(sparse, "count") || !path_need(sparse, "indices") || !path_need(sparse, "values") ||
        !path_is_object(&at[0]) || !path_is_object(&at[1]) ||
        !path_count(sparse, "count", UINT32_MAX, &count) || !path_need(&at[0], "componentType") ||
        !path_count(&at[0], "componentType", UINT32_MAX, &number))
        return false;
    path which = path_key(&at[0], "componentType");
    if (number != COMPONENT_UBYTE && number != COMPONENT_USHORT && number != COMPONENT_UINT)
        return path_fault(&which, "%" PRIu64 " is not an unsigned type", number);
    if (count == 0 || count > a->count)
        return path_fault(&count_at, "%" PRIu64 " of %" PRIu32 " elements", count, a->count);
    indices->component = (component)number;
    for (int i = 0; i < 2; i++) {
        accessor *to = i == 0 ? indices : values;
        to->count = (uint32_t)count;
        to->offset = 0;
        if (!path_need(&at[i], "bufferView") ||
            !path_index(&at[i], "bufferView", g->counts[LIST_VIEWS], "bufferViews", &to->view) ||
            !path_count(&at[i], "byteOffset", UINT64_C(1) << 53, &to->offset))
            return false;
    }
    return true;
}

static bool read_sparse(gltf *g, const path *sparse, const accessor *a, double *out)
{
    accessor indices, values;
    const uint8_t *index_bytes, *value_bytes;
    size_t index_stride, value_stride;
    path index_at = path_key(sparse, "indices"), value_at = path_key(sparse, "values");
    if (!open_sparse(g, sparse, a, &indices, &values) ||
        !elements(g, &index_at, &indices, false, &index_bytes, &index_stride) ||
        !elements(g, &value_at, &values, false, &value_bytes, &value_stride))
        return false;
    double before = -1;
    for (uint32_t i = 0; i < indices.count; i++) {
        double index = number_at(index_bytes + i * index_stride, indices.component);
        if (index <= before)
            return path_fault(&index_at, "element %" PRIu32 " is %.0f after %.0f: they must ascend", i, index,
                              before);
        if (index >= a->count)
            return path_fault(
                &index_at, "element %" PRIu32 " is %.0f, and accessors[%" PRIu32 "] has %" PRIu32 " elements",
                i, index, a->index, a->count);
        read_element(a, value_bytes + i * value_stride, out + (size_t)index * accessor_width(a));
        before = index;
    }
    return true;
}

bool accessor_read(gltf *g, const accessor *a, const double **out)
{
    if (!g->decoded[a->index]) {
        path at = gltf_item(g, LIST_ACCESSORS, a->index), sparse = path_key(&at, "sparse");
        const uint8_t *bytes = NULL;
        size_t stride = 0, width = accessor_width(a);
        if (!path_is_object(&sparse) || (a->view != BW_NONE && !elements(g, &at, a, true, &bytes, &stride)))
            return false;
        double *numbers = gltf_block(g, &at, a->count, width * sizeof *numbers);
        if (!numbers)
            return false;
        for (uint32_t i = 0; bytes && i < a->count; i++)
            read_element(a, bytes + i * stride, numbers + i * width);
        if (sparse.value && !read_sparse(g, &sparse, a, numbers))
            return false;
        g->decoded[a->index] = numbers;
    }
    *out = g->decoded[a->index];
    return true;
}
