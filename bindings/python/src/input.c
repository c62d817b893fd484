/* Arrays in: by the buffer protocol, in place where the memory is as the library wants it, otherwise by one checked copy; nested
 * lists and whatever NumPy makes an array of, too. */
#include "core.h"

#include <math.h>
#include <string.h>

void array_release(array *a)
{
    if (a->buffer.obj != NULL)
        PyBuffer_Release(&a->buffer);
    PyMem_Free(a->copy);
    memset(a, 0, sizeof *a);
}

uint32_t array_count(const array *a)
{
    return (uint32_t)(a->ndim == 0 ? 0 : a->shape[0]);
}

bool count_fits(Py_ssize_t count, const char *name, uint32_t *out)
{
    if ((uint64_t)count >= UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s: %zd are more than 32-bit numbers can name", name, count);
        return false;
    }
    *out = (uint32_t)count;
    return true;
}

/* The elements of a buffer as one letter of its own size: f, d floats; 1, 2, 4, 8 signed and !, ", $, ( unsigned integers of so
 * many bytes; ? bool; 0: another. */
static char letter_of(const Py_buffer *b)
{
    const char *format = b->format == NULL ? "B" : b->format;
    const uint16_t one = 1;
    const bool little = *(const unsigned char *)&one == 1;
    if (*format == '@' || *format == '=' || *format == (little ? '<' : '>'))
        format++;
    if (format[0] == '\0' || format[1] != '\0')
        return 0;
    switch (format[0]) {
    case 'f':
    case 'd':
    case '?':
        return format[0];
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
        return (char)('0' + b->itemsize);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
        return (char)(' ' + b->itemsize);
    default:
        return 0;
    }
}

static bool is_integer(char letter)
{
    return letter != 'f' && letter != 'd' && letter != 0;
}

/* One element; integers as 64 bits, negative ones by `negative`. */
static double read_double(char letter, const char *at)
{
#define CASE(letter, type)                                                                                   \
    case letter: {                                                                                           \
        type value;                                                                                          \
        memcpy(&value, at, sizeof value);                                                                    \
        return (double)value;                                                                                \
    }
    switch (letter) {
        CASE('f', float)
        CASE('d', double)
        CASE('?', unsigned char)
        CASE('1', int8_t)
        CASE('2', int16_t)
        CASE('4', int32_t)
        CASE('8', int64_t)
        CASE('!', uint8_t)
        CASE('"', uint16_t)
        CASE('$', uint32_t)
        CASE('(', uint64_t)
    default:
        return NAN;
    }
#undef CASE
}

static uint64_t read_integer(char letter, const char *at, bool *negative)
{
#define CASE(letter, type)                                                                                   \
    case letter: {                                                                                           \
        type value;                                                                                          \
        memcpy(&value, at, sizeof value);                                                                    \
        *negative = value < 0;                                                                               \
        return (uint64_t)value;                                                                              \
    }
#define CASE_UNSIGNED(letter, type)                                                                          \
    case letter: {                                                                                           \
        type value;                                                                                          \
        memcpy(&value, at, sizeof value);                                                                    \
        return (uint64_t)value;                                                                              \
    }
    *negative = false;
    switch (letter) {
        CASE('1', int8_t)
        CASE('2', int16_t)
        CASE('4', int32_t)
        CASE('8', int64_t)
        CASE_UNSIGNED('?', unsigned char)
        CASE_UNSIGNED('!', uint8_t)
        CASE_UNSIGNED('"', uint16_t)
        CASE_UNSIGNED('$', uint32_t)
        CASE_UNSIGNED('(', uint64_t)
    default:
        return 0;
    }
#undef CASE
#undef CASE_UNSIGNED
}

static size_t size_of(char type)
{
    return type == 'd' || type == 'Q' || type == 'l' ? 8 : 4;
}

/* Why an element cannot be converted; sets the exception. */
static bool lossy(const char *name, const Py_ssize_t *at, int ndim, const char *why, PyObject *value)
{
    char place[96] = "";
    for (int i = 0; i < ndim; i++) {
        const size_t used = strlen(place);
        PyOS_snprintf(place + used, sizeof place - used, i != 0 ? ", %zd" : "[%zd", at[i]);
    }
    if (value != NULL)
        PyErr_Format(PyExc_ValueError, "%s%s%s is %R: %s", name, place, ndim != 0 ? "]" : "", value, why);
    Py_XDECREF(value);
    return false;
}

static bool convert(char type, char letter, const char *from, char *to, const char *name,
                    const Py_ssize_t *at, int ndim)
{
    bool negative;
    switch (type) {
    case 'd': {
        const double value = read_double(letter, from);
        memcpy(to, &value, sizeof value);
        if (letter == '8' || letter == '(') {
            const uint64_t whole = read_integer(letter, from, &negative);
            const uint64_t size = negative ? 0 - whole : whole;
            if (size > (uint64_t)1 << 53)
                return lossy(name, at, ndim, "a double does not hold all digits of it",
                             negative ? PyLong_FromLongLong((long long)whole)
                                      : PyLong_FromUnsignedLongLong(whole));
        }
        return true;
    }
    case 'f': {
        const double value = read_double(letter, from);
        const float rounded = (float)value;
        memcpy(to, &rounded, sizeof rounded);
        return true;
    }
    default: {
        const uint64_t value = read_integer(letter, from, &negative);
        if (type == 'l') {
            memcpy(to, &value, sizeof value);
            return true;
        }
        if (negative)
            return lossy(name, at, ndim, "it must not be negative", PyLong_FromLongLong((long long)value));
        if (type == 'Q') {
            memcpy(to, &value, sizeof value);
            return true;
        }
        if (value > UINT32_MAX)
            return lossy(name, at, ndim, "it is beyond 32 bits", PyLong_FromUnsignedLongLong(value));
        const uint32_t narrow = (uint32_t)value;
        memcpy(to, &narrow, sizeof narrow);
        return true;
    }
    }
}

static bool copy_converted(char type, char letter, const Py_buffer *b, const char *name, array *out)
{
    size_t total = 1;
    for (int i = 0; i < out->ndim; i++)
        total *= (size_t)out->shape[i];
    const size_t size = size_of(type);
    char *to = PyMem_Malloc(total * size + 1);
    if (to == NULL) {
        PyErr_NoMemory();
        return false;
    }
    Py_ssize_t at[4] = {0};
    for (size_t done = 0; done < total; done++) {
        const char *from = b->buf;
        for (int i = 0; i < out->ndim; i++)
            from += at[i] * b->strides[i];
        if (!convert(type, letter, from, to + done * size, name, at, out->ndim)) {
            PyMem_Free(to);
            return false;
        }
        for (int i = out->ndim - 1; i >= 0 && ++at[i] == out->shape[i]; i--)
            at[i] = 0;
    }
    out->copy = to;
    out->data = to;
    return true;
}

static void shape_text(const Py_ssize_t *shape, int ndim, char *text, size_t size)
{
    PyOS_snprintf(text, size, "(");
    for (int i = 0; i < ndim; i++) {
        const size_t used = strlen(text);
        PyOS_snprintf(text + used, size - used, i != 0 ? ", %zd" : "%zd", shape[i]);
    }
    const size_t used = strlen(text);
    PyOS_snprintf(text + used, size - used, ndim == 1 ? ",)" : ")");
}

static bool check_shape(const Py_ssize_t *shape, int ndim, const want *w, const char *name)
{
    bool fine = ndim <= 4 &&
                (w->trailing_count == 0 ? ndim == 1 || (w->one && ndim == 0)
                                        : ndim > w->trailing_count || (w->one && ndim == w->trailing_count));
    for (int i = 0; fine && i < w->trailing_count; i++)
        fine = w->trailing[i] == 0 || w->trailing[i] == shape[ndim - w->trailing_count + i];
    if (fine)
        return true;
    char have[128], need[128] = "(n";
    shape_text(shape, ndim > 8 ? 8 : ndim, have, sizeof have);
    for (int i = 0; i < w->trailing_count; i++) {
        const size_t used = strlen(need);
        PyOS_snprintf(need + used, sizeof need - used, w->trailing[i] == 0 ? ", any" : ", %zd",
                      w->trailing[i]);
    }
    strcat(need, w->trailing_count == 0 ? ",)" : ")");
    PyErr_Format(PyExc_ValueError, "%s must have the shape %s, not %s", name,
                 w->told != NULL ? w->told : need, have);
    return false;
}

static bool wrong_type(const char *name, const char *format, char type)
{
    PyErr_Format(PyExc_TypeError, "%s has elements of the type '%s'; %s are needed", name, format,
                 type == 'd' || type == 'f' ? "floats or integers in the byte order of this machine"
                                            : "integers in the byte order of this machine");
    return false;
}

static bool take_buffer(const char *name, const want *w, array *out)
{
    Py_buffer *b = &out->buffer;
    const char letter = letter_of(b);
    const bool number = w->type == 'd' || w->type == 'f';
    if (letter == 0 || (!number && !is_integer(letter)))
        return wrong_type(name, b->format == NULL ? "B" : b->format, w->type);
    if (!check_shape(b->shape, b->ndim, w, name))
        return false;
    out->ndim = b->ndim;
    for (int i = 0; i < b->ndim; i++)
        out->shape[i] = b->shape[i];
    const size_t size = size_of(w->type);
    /* A negative index of 32 bits is one out of range, which is found where indices are checked. */
    const bool same = w->type == 'd'   ? letter == 'd'
                      : w->type == 'f' ? letter == 'f'
                      : w->type == 'Q' ? letter == '('
                      : w->type == 'l' ? letter == '8'
                                       : letter == '$' || (w->type == 'i' && letter == '4');
    if (same && PyBuffer_IsContiguous(b, 'C') && (uintptr_t)b->buf % size == 0) {
        out->data = b->buf;
        return true;
    }
    if (b->suboffsets != NULL) {
        for (int i = 0; i < b->ndim; i++)
            if (b->suboffsets[i] >= 0) {
                PyErr_Format(PyExc_BufferError, "%s is an array of pointers to arrays", name);
                return false;
            }
    }
    if (!copy_converted(w->type, letter, b, name, out))
        return false;
    PyBuffer_Release(b);
    memset(b, 0, sizeof *b);
    return true;
}

/* Lists and tuples of numbers, nested: shape and elements. */
typedef struct nested {
    char type;
    const char *name;
    Py_ssize_t shape[4];
    int ndim;
    char *data;
    size_t count, capacity;
} nested;

static bool nested_shape(nested *n, PyObject *object)
{
    PyObject *level = object;
    Py_INCREF(level);
    for (n->ndim = 0; PyList_Check(level) || PyTuple_Check(level);) {
        if (n->ndim == 4) {
            Py_DECREF(level);
            PyErr_Format(PyExc_ValueError, "%s is nested more than four deep", n->name);
            return false;
        }
        const Py_ssize_t length = PySequence_Size(level);
        n->shape[n->ndim++] = length;
        if (length == 0)
            break;
        PyObject *first = PySequence_GetItem(level, 0);
        Py_DECREF(level);
        if (first == NULL)
            return false;
        level = first;
    }
    Py_DECREF(level);
    return true;
}

static bool nested_number(nested *n, PyObject *object, const Py_ssize_t *at)
{
    const size_t size = size_of(n->type);
    char *to = n->data + n->count++ * size;
    if (n->type == 'd' || n->type == 'f') {
        const double value = PyFloat_AsDouble(object);
        if (value == -1 && PyErr_Occurred())
            return false;
        return convert(n->type, 'd', (const char *)&value, to, n->name, at, n->ndim);
    }
    PyObject *whole = PyNumber_Index(object);
    if (whole == NULL)
        return false;
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(whole, &overflow);
    unsigned long long large = 0;
    if (overflow > 0)
        large = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        Py_INCREF(object);
        return lossy(n->name, at, n->ndim, "it is beyond 64 bits", object);
    }
    const uint64_t whole_value = overflow > 0 ? large : (uint64_t)value;
    return overflow > 0 ? convert(n->type, '(', (const char *)&whole_value, to, n->name, at, n->ndim)
                        : convert(n->type, '8', (const char *)&whole_value, to, n->name, at, n->ndim);
}

static bool nested_fill(nested *n, PyObject *object, int level, Py_ssize_t *at)
{
    if (level >= 4 || level == n->ndim)
        return nested_number(n, object, at);
    if (!PyList_Check(object) && !PyTuple_Check(object)) {
        PyErr_Format(PyExc_ValueError, "%s: rows are not all of the same depth", n->name);
        return false;
    }
    if (PySequence_Size(object) != n->shape[level]) {
        PyErr_Format(PyExc_ValueError, "%s: a row has %zd entries, the first one %zd", n->name,
                     PySequence_Size(object), n->shape[level]);
        return false;
    }
    for (Py_ssize_t i = 0; i < n->shape[level]; i++) {
        PyObject *inner = PySequence_GetItem(object, i);
        at[level] = i;
        const bool fine = inner != NULL && nested_fill(n, inner, level + 1, at);
        Py_XDECREF(inner);
        if (!fine)
            return false;
    }
    return true;
}

/* Whether what is innermost is an array itself, as in a list of arrays. */
static bool holds_arrays(PyObject *object)
{
    PyObject *level = object;
    Py_INCREF(level);
    for (int depth = 0; depth < 4 && (PyList_Check(level) || PyTuple_Check(level)); depth++) {
        PyObject *first = PySequence_Size(level) > 0 ? PySequence_GetItem(level, 0) : NULL;
        Py_DECREF(level);
        PyErr_Clear();
        if (first == NULL)
            return false;
        level = first;
    }
    const bool found =
        !PyFloat_Check(level) && !PyLong_Check(level) && !PyBytes_Check(level) && PyObject_CheckBuffer(level);
    /* Scalars of NumPy are buffers, too, without a dimension. */
    Py_buffer view;
    bool dimensions = false;
    if (found && PyObject_GetBuffer(level, &view, PyBUF_FULL_RO) == 0) {
        dimensions = view.ndim > 0;
        PyBuffer_Release(&view);
    }
    PyErr_Clear();
    Py_DECREF(level);
    return dimensions;
}

static bool take_nested(PyObject *object, const char *name, const want *w, array *out)
{
    nested n = {.type = w->type, .name = name};
    if (!nested_shape(&n, object))
        return false;
    /* [] of (n, 3) has no row to tell that it would have three. */
    while (n.ndim > 0 && n.ndim < 4 && n.shape[0] == 0 && n.ndim < w->trailing_count + 1) {
        n.shape[n.ndim] = w->trailing[n.ndim - 1];
        n.ndim++;
    }
    if (!check_shape(n.shape, n.ndim, w, name))
        return false;
    size_t total = 1;
    for (int i = 0; i < n.ndim; i++)
        total *= (size_t)n.shape[i];
    n.data = PyMem_Malloc(total * size_of(w->type) + 1);
    if (n.data == NULL) {
        PyErr_NoMemory();
        return false;
    }
    Py_ssize_t at[4] = {0};
    if (total != 0 && !nested_fill(&n, object, 0, at)) {
        PyMem_Free(n.data);
        return false;
    }
    out->ndim = n.ndim;
    memcpy(out->shape, n.shape, sizeof out->shape);
    out->copy = n.data;
    out->data = n.data;
    return true;
}

static bool not_numbers(PyObject *object, const char *name)
{
    PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    if (type != NULL)
        PyErr_Format(PyExc_TypeError, "%s must be an array or nested lists of numbers, not %U", name, type);
    Py_XDECREF(type);
    return false;
}

/* Elements that are read one by one, as Python's numbers: halves, objects, and numbers in the other byte order. */
static bool by_elements(const char *format)
{
    if (format == NULL)
        return false;
    const bool swapped = *format == '>' || *format == '<' || *format == '!';
    format += swapped || *format == '@' || *format == '=';
    return format[0] != '\0' && format[1] == '\0' &&
           strchr(swapped ? "efdhHiIlLqQ" : "eO", format[0]) != NULL;
}

/* A masked array with masked elements has no value there. */
static bool is_whole(PyObject *object, const char *name)
{
    static PyTypeObject *plain; /* numpy.ndarray, once it was seen: compared, never followed */
    if (Py_TYPE(object) == plain || PyMemoryView_Check(object))
        return true;
    PyObject *mask = PyObject_GetAttrString(object, "mask");
    PyObject *any = mask == NULL ? NULL : PyObject_CallMethod(mask, "any", NULL);
    const int masked = any == NULL ? 0 : PyObject_IsTrue(any);
    Py_XDECREF(any);
    if (mask == NULL) {
        PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
        if (type != NULL && PyUnicode_CompareWithASCIIString(type, "ndarray") == 0)
            plain = Py_TYPE(object);
        Py_XDECREF(type);
    }
    Py_XDECREF(mask);
    PyErr_Clear();
    if (masked > 0)
        PyErr_Format(PyExc_ValueError, "%s has masked elements", name);
    return masked <= 0;
}

/* What NumPy makes of an object that is neither a buffer nor a list (tensors, frames): a new reference. */
static PyObject *by_numpy(PyObject *object, const char *name)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *made = numpy == NULL ? NULL : PyObject_CallMethod(numpy, "asarray", "O", object);
    Py_XDECREF(numpy);
    if (made != NULL && PyObject_CheckBuffer(made))
        return made;
    Py_XDECREF(made);
    PyErr_Clear();
    not_numbers(object, name);
    return NULL;
}

/* Fills in out->buffer with strides and format; the exception names the argument. */
static bool open_buffer(PyObject *object, const char *name, array *out)
{
    if (!is_whole(object, name))
        return false;
    if (PyObject_GetBuffer(object, &out->buffer, PyBUF_FULL_RO) == 0) {
        if (out->buffer.ndim > 0 && out->buffer.strides == NULL) {
            PyBuffer_Release(&out->buffer);
            memset(out, 0, sizeof *out);
            PyErr_Format(PyExc_BufferError, "%s: a buffer without strides", name);
            return false;
        }
        return true;
    }
    memset(out, 0, sizeof *out);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyErr_Format(PyExc_TypeError, "%s cannot be read as an array: %S", name, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return false;
}

bool array_get(PyObject *object, const char *name, const want *w, array *out)
{
    memset(out, 0, sizeof *out);
    if (object == NULL || object == Py_None) {
        PyErr_Format(PyExc_TypeError, "%s must be an array, not None", name);
        return false;
    }
    PyObject *made = NULL, *given = object;
    if (Py_TYPE(object) == &PyRange_Type) {
        PyObject *list = PySequence_List(object);
        const bool fine = list != NULL && take_nested(list, name, w, out);
        Py_XDECREF(list);
        return fine;
    }
    if (PyList_Check(object) || PyTuple_Check(object)) {
        if (!holds_arrays(object))
            return take_nested(object, name, w, out);
        made = by_numpy(object, name);
        if (made == NULL)
            return false;
        object = made;
    }
    if (!PyObject_CheckBuffer(object)) {
        if (PyFloat_Check(object) || PyLong_Check(object) || PyUnicode_Check(object)) {
            PyErr_Format(PyExc_TypeError, "%s must be an array, not %R", name, object);
            return false;
        }
        made = by_numpy(object, name);
        if (made == NULL)
            return false;
        object = made;
    }
    bool fine = open_buffer(object, name, out);
    if (fine && letter_of(&out->buffer) == 0 && by_elements(out->buffer.format)) {
        const bool any = out->buffer.ndim > 0;
        array_release(out);
        memset(out, 0, sizeof *out);
        PyObject *list = any ? PyObject_CallMethod(object, "tolist", NULL) : NULL;
        if (list == NULL || !PyList_Check(list) || holds_arrays(list)) {
            PyErr_Clear();
            fine = not_numbers(given, name);
        } else {
            fine = take_nested(list, name, w, out);
        }
        Py_XDECREF(list);
    } else if (fine && !take_buffer(name, w, out)) {
        array_release(out);
        fine = false;
    }
    Py_XDECREF(made);
    return fine;
}

bool array_points(PyObject *object, const char *name, array *out)
{
    static const want wanted = {'d', 1, {3, 0, 0}, true, NULL};
    if (!array_get(object, name, &wanted, out))
        return false;
    if (out->ndim > 2) {
        array_release(out);
        PyErr_Format(PyExc_ValueError, "%s must have the shape (n, 3)", name);
        return false;
    }
    uint32_t fits;
    if (out->ndim == 2 && !count_fits(out->shape[0], name, &fits)) {
        array_release(out);
        return false;
    }
    return true;
}

static bool flat(PyObject *object, const char *name, char type, array *out)
{
    const want wanted = {type, 0, {0, 0, 0}, false, NULL};
    uint32_t fits;
    if (!array_get(object, name, &wanted, out))
        return false;
    if (count_fits(out->shape[0], name, &fits))
        return true;
    array_release(out);
    return false;
}

bool array_rows(PyObject *object, const char *name, array *out, bool *mask)
{
    static const want wanted = {'l', 0, {0, 0, 0}, false, NULL};
    PyObject *first = (PyList_Check(object) || PyTuple_Check(object)) && PySequence_Size(object) > 0
                          ? PySequence_GetItem(object, 0)
                          : NULL;
    Py_buffer view;
    *mask = first != NULL && PyBool_Check(first);
    Py_XDECREF(first);
    if (PyObject_CheckBuffer(object)) {
        if (PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) == 0) {
            *mask = view.format != NULL && strcmp(view.format, "?") == 0;
            PyBuffer_Release(&view);
        }
        PyErr_Clear();
    }
    return array_get(object, name, &wanted, out);
}

bool array_indices(PyObject *object, const char *name, array *out)
{
    return flat(object, name, 'i', out);
}

bool array_doubles(PyObject *object, const char *name, array *out)
{
    return flat(object, name, 'd', out);
}

bool array_vertices(PyObject *object, const char *name, array *out, bw_scalar *scalar, uint32_t *stride)
{
    memset(out, 0, sizeof *out);
    *stride = 0;
    *scalar = BW_F64;
    static const want wanted = {'d', 1, {3, 0, 0}, false, NULL};
    if (object != NULL && PyObject_CheckBuffer(object)) {
        if (!open_buffer(object, name, out))
            return false;
        Py_buffer *b = &out->buffer;
        const char letter = letter_of(b);
        if ((letter == 'f' || letter == 'd') && b->ndim == 2 && b->shape[1] == 3 &&
            b->strides[1] == b->itemsize && b->suboffsets == NULL &&
            (uintptr_t)b->buf % (size_t)b->itemsize == 0 &&
            (b->strides[0] >= 3 * b->itemsize || b->shape[0] <= 1) && b->strides[0] % b->itemsize == 0 &&
            b->strides[0] < INT32_MAX) {
            *scalar = letter == 'f' ? BW_F32 : BW_F64;
            *stride = b->shape[0] <= 1 ? 0 : (uint32_t)b->strides[0];
            out->data = b->buf;
            out->ndim = 2;
            out->shape[0] = b->shape[0];
            out->shape[1] = 3;
            return true;
        }
        PyBuffer_Release(b);
        memset(out, 0, sizeof *out);
        /* Floats that lie otherwise stay floats: the copy has the same coordinates. */
        if (letter == 'f') {
            static const want floats = {'f', 1, {3, 0, 0}, false, NULL};
            *scalar = BW_F32;
            if (!array_get(object, name, &floats, out))
                return false;
            goto check;
        }
    }
    if (!array_get(object, name, &wanted, out))
        return false;
check:
    if (out->ndim == 2)
        return true;
    array_release(out);
    PyErr_Format(PyExc_ValueError, "%s must have the shape (n, 3)", name);
    return false;
}

bool array_close_rows(array *a, uint32_t stride, size_t each)
{
    const size_t rows = (size_t)a->shape[0];
    char *copy = PyMem_Malloc(rows * each + 1);
    if (copy == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < rows; i++)
        memcpy(copy + i * each, (const char *)a->data + i * stride, each);
    PyBuffer_Release(&a->buffer);
    memset(&a->buffer, 0, sizeof a->buffer);
    a->copy = copy;
    a->data = copy;
    return true;
}
