/* Arrays of results: the memory that they share (blocks), and views of it by the buffer protocol (columns). */
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <structmember.h>

_Static_assert(sizeof(size_t) == 8, "sizes are told as 64 bits");

/* ---- blocks ---- */

static long block_count; /* changed with the GIL, or atomically */

void *block_resize(void *block, size_t count, size_t size)
{
    const size_t bytes = count * size + (count == 0);
    if (size != 0 && count > (SIZE_MAX - 1) / size)
        return NULL;
    void *made = realloc(block, bytes);
    if (made != NULL && block == NULL)
        __atomic_add_fetch(&block_count, 1, __ATOMIC_RELAXED);
    return made;
}

void *block_alloc(size_t count, size_t size)
{
    void *made = block_resize(NULL, count, size);
    if (made == NULL)
        PyErr_NoMemory();
    return made;
}

void block_free(void *block)
{
    if (block == NULL)
        return;
    __atomic_sub_fetch(&block_count, 1, __ATOMIC_RELAXED);
    free(block);
}

bool grown_add(grown *g, const void *elements, size_t count)
{
    if (g->count + count > g->capacity) {
        size_t capacity = g->capacity < 64 ? 64 : g->capacity * 2;
        if (capacity < g->count + count)
            capacity = g->count + count;
        void *data = block_resize(g->data, capacity, g->size);
        if (data == NULL) {
            g->failed = true;
            return false;
        }
        g->data = data;
        g->capacity = capacity;
    }
    memcpy((char *)g->data + g->count * g->size, elements, count * g->size);
    g->count += count;
    return true;
}

typedef struct Block {
    PyObject_HEAD void *data;
} Block;
static PyTypeObject *block_type;

static void block_dealloc(PyObject *self)
{
    block_free(((Block *)self)->data);
    free_object(self);
}

/* Takes over data, also where it fails. */
PyObject *block_new(void *data)
{
    Block *made = new_object(block_type);
    if (made == NULL)
        block_free(data);
    else
        made->data = data;
    return (PyObject *)made;
}

/* ---- columns ---- */

typedef struct Column {
    PyObject_HEAD PyObject *owner;
    void *data;
    Py_ssize_t itemsize, shape[3], strides[3];
    int ndim;
    bool readonly;
    char format[2];
} Column;
static PyTypeObject *column_type;

static void column_dealloc(PyObject *self)
{
    Py_XDECREF(((Column *)self)->owner);
    free_object(self);
}

static int column_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Column *c = (Column *)self;
    if (c->readonly && (flags & PyBUF_WRITABLE) != 0) {
        PyErr_SetString(PyExc_BufferError, "this array cannot be written");
        return -1;
    }
    Py_ssize_t bytes = c->itemsize;
    for (int i = 0; i < c->ndim; i++)
        bytes *= c->shape[i];
    *view = (Py_buffer){.buf = c->data,
                        .len = bytes,
                        .itemsize = c->itemsize,
                        .readonly = c->readonly,
                        .ndim = c->ndim,
                        .format = (flags & PyBUF_FORMAT) != 0 ? c->format : NULL,
                        .shape = c->shape,
                        .strides = c->strides};
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !PyBuffer_IsContiguous(view, 'C')) {
        PyErr_SetString(PyExc_BufferError, "this array is not contiguous");
        return -1;
    }
    Py_INCREF(self);
    view->obj = self;
    return 0;
}

static PyType_Slot block_slots[] = {{Py_tp_dealloc, block_dealloc}, {0, NULL}};
static PyType_Spec block_spec = {"boxwood._core._Block", sizeof(Block), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, block_slots};
static PyType_Slot column_slots[] = {
    {Py_tp_dealloc, column_dealloc}, {Py_bf_getbuffer, column_buffer}, {0, NULL}};
static PyType_Spec column_spec = {"boxwood._core._Column", sizeof(Column), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, column_slots};

Py_ssize_t item_size(char type)
{
    return type == 'd' || type == 'Q' ? 8 : type == '?' ? 1 : 4;
}

/* numpy.asarray where there is NumPy, else memoryview. Looked up once, when the first array is made. */
static PyObject *make_array;

static PyObject *as_array(PyObject *column)
{
    if (column == NULL)
        return NULL;
    if (make_array == NULL) {
        PyObject *numpy = PyImport_ImportModule("numpy");
        if (numpy != NULL) {
            make_array = PyObject_GetAttrString(numpy, "asarray");
            Py_DECREF(numpy);
        } else if (PyErr_ExceptionMatches(PyExc_ImportError)) {
            PyErr_Clear();
            PyObject *builtins = PyImport_ImportModule("builtins");
            make_array = builtins == NULL ? NULL : PyObject_GetAttrString(builtins, "memoryview");
            Py_XDECREF(builtins);
        }
        if (make_array == NULL) {
            Py_DECREF(column);
            return NULL;
        }
    }
    PyObject *made = PyObject_CallFunctionObjArgs(make_array, column, NULL);
    Py_DECREF(column);
    return made;
}

PyObject *array_view(PyObject *owner, const void *data, char type, int ndim, const Py_ssize_t *shape,
                     const Py_ssize_t *strides)
{
    Column *c = new_object(column_type);
    if (c == NULL)
        return NULL;
    Py_INCREF(owner);
    c->owner = owner;
    static double nothing; /* readers of an array without elements want an address all the same */
    c->data = data == NULL ? &nothing : (void *)(uintptr_t)data;
    c->itemsize = item_size(type);
    c->ndim = ndim;
    c->format[0] = type == 'e' || type == 'n' ? 'i' : type;
    c->readonly = Py_TYPE(owner) != block_type;
    Py_ssize_t step = c->itemsize;
    for (int i = ndim - 1; i >= 0; i--) {
        c->shape[i] = shape[i];
        c->strides[i] = strides != NULL ? strides[i] : step;
        step *= shape[i];
    }
    return as_array((PyObject *)c);
}

PyObject *array_new(void *data, char type, int ndim, const Py_ssize_t *shape)
{
    PyObject *block = block_new(data);
    PyObject *made = block == NULL ? NULL : array_view(block, data, type, ndim, shape, NULL);
    Py_XDECREF(block);
    return made;
}

PyObject *array_copy(const void *data, char type, int ndim, const Py_ssize_t *shape)
{
    size_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= (size_t)shape[i];
    void *copy = block_alloc(count, (size_t)item_size(type));
    if (copy == NULL)
        return NULL;
    if (count != 0)
        memcpy(copy, data, count * (size_t)item_size(type));
    return array_new(copy, type, ndim, shape);
}

PyObject *tuple_vec3(bw_vec3 p)
{
    return Py_BuildValue("(ddd)", p.x, p.y, p.z);
}

static PyObject *live_blocks(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    return PyLong_FromLong(__atomic_load_n(&block_count, __ATOMIC_RELAXED));
}

static PyMethodDef functions[] = {{"_live_blocks", live_blocks, METH_NOARGS, NULL}, END_OF_METHODS};

bool arrays_init(PyObject *module)
{
    return add_type(module, &block_spec, &block_type) && add_type(module, &column_spec, &column_type) &&
           add_functions(module, functions);
}
