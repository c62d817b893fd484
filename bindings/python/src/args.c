/* Arguments: by position and keyword, after the tables made from the stub; numbers, words and poses. */
#include "core.h"

#include <math.h>
#include <string.h>

static bool set_named(const signature *s, PyObject *name, PyObject *value, PyObject **values)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (PyUnicode_CompareWithASCIIString(name, s->names[i]) == 0) {
            if (values[i] != NULL) {
                PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%s'", s->function,
                             s->names[i]);
                return false;
            }
            values[i] = value;
            return true;
        }
    }
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument %R", s->function, name);
    return false;
}

static bool complete(const signature *s, PyObject **values)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (values[i] == NULL && (s->required >> i & 1) != 0) {
            PyErr_Format(PyExc_TypeError, "%s() misses the argument '%s'", s->function, s->names[i]);
            return false;
        }
    }
    return true;
}

static bool too_many(const signature *s, Py_ssize_t count)
{
    if (count <= (Py_ssize_t)s->positional)
        return false;
    PyErr_Format(PyExc_TypeError, "%s() takes %u positional arguments, not %zd", s->function, s->positional,
                 count);
    return true;
}

bool args_parse(const signature *s, PyObject *const *args, Py_ssize_t count, PyObject *names,
                PyObject **values)
{
    if (too_many(s, count))
        return false;
    for (Py_ssize_t i = 0; i < count; i++)
        values[i] = args[i];
    const Py_ssize_t named = names == NULL ? 0 : PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < named; i++)
        if (!set_named(s, PyTuple_GetItem(names, i), args[count + i], values))
            return false;
    return complete(s, values);
}

bool args_parse_tuple(const signature *s, PyObject *args, PyObject *names, PyObject **values)
{
    const Py_ssize_t count = PyTuple_Size(args);
    if (too_many(s, count))
        return false;
    for (Py_ssize_t i = 0; i < count; i++)
        values[i] = PyTuple_GetItem(args, i);
    if (names != NULL) {
        PyObject *name, *value;
        Py_ssize_t at = 0;
        while (PyDict_Next(names, &at, &name, &value))
            if (!set_named(s, name, value, values))
                return false;
    }
    return complete(s, values);
}

/* ---- single values ---- */

static bool absent(PyObject *object)
{
    return object == NULL || object == Py_None;
}

/* Says which argument a conversion failed for. */
static bool blame(const char *name, const char *wanted, PyObject *object)
{
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError) &&
        !PyErr_ExceptionMatches(PyExc_OverflowError) && !PyErr_ExceptionMatches(PyExc_ValueError))
        return false;
    PyObject *kind =
        PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_TypeError) ? PyExc_TypeError : PyExc_ValueError;
    PyErr_Clear();
    PyErr_Format(kind, "%s must be %s, not %R", name, wanted, object);
    return false;
}

bool get_double(PyObject *object, const char *name, double *out)
{
    if (absent(object))
        return true;
    const double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred())
        return blame(name, "a number", object);
    *out = value;
    return true;
}

bool is_number(PyObject *object)
{
    if (PyFloat_Check(object) || PyLong_Check(object))
        return true;
    Py_buffer view;
    if (PyObject_CheckBuffer(object) && PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) == 0) {
        const bool number = view.ndim == 0;
        PyBuffer_Release(&view);
        return number;
    }
    PyErr_Clear();
    return PyNumber_Check(object) && !PySequence_Check(object);
}

bool get_limit(PyObject *object, const char *name, double *out)
{
    double value = INFINITY;
    if (!get_double(object, name, &value))
        return false;
    if (value <= 0) {
        PyErr_Format(PyExc_ValueError, "%s must be above 0, not %R (None: no limit)", name, object);
        return false;
    }
    *out = value == INFINITY ? 0 : value;
    return true;
}

bool get_bool(PyObject *object, const char *name, bool *out)
{
    (void)name;
    if (absent(object))
        return true;
    const int value = PyObject_IsTrue(object);
    if (value < 0)
        return false;
    *out = value != 0;
    return true;
}

bool get_u64(PyObject *object, const char *name, uint64_t *out)
{
    if (absent(object))
        return true;
    PyObject *number = PyNumber_Index(object);
    if (number == NULL)
        return blame(name, "an integer", object);
    const unsigned long long value = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (value == (unsigned long long)-1 && PyErr_Occurred())
        return blame(name, "an integer from 0 to 2**64 - 1", object);
    *out = value;
    return true;
}

bool get_u32(PyObject *object, const char *name, uint32_t *out)
{
    if (absent(object))
        return true;
    uint64_t value = 0;
    if (!get_u64(object, name, &value))
        return false;
    if (value >= UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s must be below 2**32 - 1, not %R", name, object);
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

bool get_vec3(PyObject *object, const char *name, bw_vec3 *out)
{
    if (absent(object))
        return true;
    static const want wanted = {'d', 1, {3, 0, 0}, true, NULL};
    array a;
    if (!array_get(object, name, &wanted, &a))
        return false;
    const bool fine = a.ndim == 1;
    if (fine)
        memcpy(out, a.data, sizeof *out);
    else
        PyErr_Format(PyExc_ValueError, "%s must be three numbers", name);
    array_release(&a);
    return fine;
}

bool get_choice(PyObject *object, const char *name, const char *const *choices, int *out)
{
    if (absent(object))
        return true;
    if (PyUnicode_Check(object)) {
        for (int i = 0; choices[i] != END_OF_WORDS; i++) {
            if (choices[i] != NULL && PyUnicode_CompareWithASCIIString(object, choices[i]) == 0) {
                *out = i;
                return true;
            }
        }
    }
    char text[256] = "";
    for (int i = 0; choices[i] != END_OF_WORDS; i++) {
        if (choices[i] != NULL && strlen(text) + strlen(choices[i]) + 5 < sizeof text) {
            strcat(text, text[0] != '\0' ? ", '" : "'");
            strcat(text, choices[i]);
            strcat(text, "'");
        }
    }
    PyErr_Format(PyUnicode_Check(object) ? PyExc_ValueError : PyExc_TypeError, "%s must be one of %s, not %R",
                 name, text, object);
    return false;
}

/* ---- poses ---- */

/* The last row of a 4x4 matrix, where there is one, must be that of an affine map. */
static bool affine(const double *matrix, Py_ssize_t rows, const char *name, Py_ssize_t index)
{
    if (rows == 3 || (matrix[12] == 0 && matrix[13] == 0 && matrix[14] == 0 && matrix[15] == 1))
        return true;
    PyObject *row = Py_BuildValue("(dddd)", matrix[12], matrix[13], matrix[14], matrix[15]);
    if (row != NULL && index >= 0)
        PyErr_Format(PyExc_ValueError, "%s[%zd]: the last row of a pose must be (0, 0, 0, 1), not %R", name,
                     index, row);
    else if (row != NULL)
        PyErr_Format(PyExc_ValueError, "%s: the last row of a pose must be (0, 0, 0, 1), not %R", name, row);
    Py_XDECREF(row);
    return false;
}

static bool bad_pose(const char *name, const array *a, const char *wanted)
{
    char shape[96] = "(";
    for (int i = 0; i < a->ndim; i++) {
        const size_t used = strlen(shape);
        PyOS_snprintf(shape + used, sizeof shape - used, i != 0 ? ", %zd" : "%zd", a->shape[i]);
    }
    PyErr_Format(PyExc_ValueError, "%s must have the shape %s, not %s)", name, wanted, shape);
    return false;
}

bool get_pose(PyObject *object, const char *name, bw_transform *storage, const bw_transform **pose)
{
    *pose = NULL;
    if (absent(object))
        return true;
    static const want wanted = {'d', 1, {4, 0, 0}, false, "(4, 4) or (3, 4)"};
    array a;
    if (!array_get(object, name, &wanted, &a))
        return false;
    bool fine = a.ndim == 2 && (a.shape[0] == 3 || a.shape[0] == 4);
    if (!fine)
        bad_pose(name, &a, "(4, 4) or (3, 4)");
    else
        fine = affine(a.data, a.shape[0], name, -1);
    if (fine)
        memcpy(storage, a.data, sizeof *storage);
    array_release(&a);
    *pose = fine ? storage : NULL;
    return fine;
}

bool poses_get(PyObject *object, const char *name, Py_ssize_t links, poses *out)
{
    memset(out, 0, sizeof *out);
    out->count = -1; /* none given */
    out->links = links;
    if (absent(object))
        return true;
    static const want wanted = {'d', 1, {4, 0, 0}, false, "(k, 4, 4) or (k, 3, 4)"};
    array *a = &out->array;
    if (!array_get(object, name, &wanted, a))
        return false;
    const Py_ssize_t rows = a->ndim >= 2 ? a->shape[a->ndim - 2] : 0;
    bool fine =
        (rows == 3 || rows == 4) && ((a->ndim == 3 && links == 1) || (a->ndim == 4 && a->shape[1] == links));
    if (!fine && links == 1)
        bad_pose(name, a, "(k, 4, 4) or (k, 3, 4)");
    else if (!fine)
        bad_pose(name, a, "(k, bodies, 4, 4) or (k, bodies, 3, 4)");
    if (fine) {
        out->count = a->shape[0];
        out->stride = rows * 4;
        for (Py_ssize_t i = 0; fine && rows == 4 && i < out->count * links; i++)
            fine = affine((const double *)a->data + i * 16, rows, name, i / links);
    }
    if (!fine)
        array_release(a);
    return fine;
}

const bw_transform *poses_at(const poses *p, Py_ssize_t i, Py_ssize_t link)
{
    if (p->count < 0)
        return NULL;
    return (const bw_transform *)(const void *)((const double *)p->array.data +
                                                (i * p->links + link) * p->stride);
}
