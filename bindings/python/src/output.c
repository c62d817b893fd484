/* Classes made from descriptions of C structures: records for one, tables for many. */
#include "output.h"

#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

typedef struct Record {
    PyObject_VAR_HEAD const schema *schema;
    double data[];
} Record;

static PyObject *enumerations; /* name of the class: tuple of its members */

PyObject *enum_new(const char *name, int32_t value)
{
    PyObject *members = enumerations == NULL ? NULL : PyDict_GetItemString(enumerations, name);
    if (members == NULL || value < 0 || value >= PyTuple_Size(members))
        return PyLong_FromLong(value);
    PyObject *member = PyTuple_GetItem(members, value);
    Py_XINCREF(member);
    return member;
}

static PyObject *scalar(const field *f, const char *at)
{
#define READ(type, make)                                                                                     \
    {                                                                                                        \
        type value;                                                                                          \
        memcpy(&value, at, sizeof value);                                                                    \
        return make(value);                                                                                  \
    }
    switch (f->type) {
    case 'd':
        READ(double, PyFloat_FromDouble)
    case 'f':
        READ(float, PyFloat_FromDouble)
    case 'Q':
        READ(uint64_t, PyLong_FromUnsignedLongLong)
    case 'I':
        READ(uint32_t, PyLong_FromUnsignedLong)
    case 'i':
    case 'n':
        READ(int32_t, PyLong_FromLong)
    case '?':
        READ(bool, PyBool_FromLong)
    case 's':
        READ(const char *, PyUnicode_FromString)
    default: {
        int32_t value;
        memcpy(&value, at, sizeof value);
        return enum_new(f->enumeration, value);
    }
    }
#undef READ
}

static PyObject *row(const field *f, const char *at)
{
    PyObject *made = PyTuple_New(f->columns);
    for (int i = 0; made != NULL && i < f->columns; i++) {
        PyObject *value = scalar(f, at + i * item_size(f->type));
        if (value == NULL || PyTuple_SetItem(made, i, value) < 0) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

static PyObject *value_of(const field *f, const char *structure)
{
    const char *at = structure + f->offset;
    if (f->columns == 0)
        return scalar(f, at);
    if (f->rows == 0)
        return row(f, at);
    PyObject *made = PyTuple_New(f->rows);
    for (int i = 0; made != NULL && i < f->rows; i++) {
        PyObject *value = row(f, at + i * f->columns * item_size(f->type));
        if (value == NULL || PyTuple_SetItem(made, i, value) < 0) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

PyObject *record_new(const schema *s, const void *structure)
{
    Record *made = (Record *)PyType_GenericAlloc(s->record_type, (Py_ssize_t)s->size);
    if (made == NULL)
        return NULL;
    made->schema = s;
    memcpy(made->data, structure, s->size);
    return (PyObject *)made;
}

static PyObject *record_get(PyObject *self, void *closure)
{
    return value_of(closure, (const char *)((Record *)self)->data);
}

/* Values in order of the fields. */
static PyObject *record_values(Record *r)
{
    PyObject *list = PyList_New(0);
    for (const field *f = r->schema->fields; list != NULL && f->name != NULL; f++) {
        PyObject *value = value_of(f, (const char *)r->data);
        if (value == NULL || PyList_Append(list, value) < 0) {
            Py_XDECREF(value);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(value);
    }
    return list;
}

static const char *class_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}

/* "name=value, ..."; enum members by their names. */
static PyObject *describe(const field *fields, const char *structure)
{
    PyObject *text = PyUnicode_FromString("");
    for (const field *f = fields; text != NULL && f->name != NULL; f++) {
        PyObject *value = value_of(f, structure);
        PyObject *name = value != NULL && f->type == 'e' ? PyObject_GetAttrString(value, "name") : NULL;
        if (name == NULL)
            PyErr_Clear();
        PyObject *more =
            value == NULL  ? NULL
            : name != NULL ? PyUnicode_FromFormat("%U%s%s=%U", text, f != fields ? ", " : "", f->name, name)
                           : PyUnicode_FromFormat("%U%s%s=%R", text, f != fields ? ", " : "", f->name, value);
        Py_XDECREF(value);
        Py_XDECREF(name);
        Py_DECREF(text);
        text = more;
    }
    return text;
}

static PyObject *record_repr(PyObject *self)
{
    Record *r = (Record *)self;
    PyObject *text = describe(r->schema->fields, (const char *)r->data);
    PyObject *made =
        text == NULL ? NULL : PyUnicode_FromFormat("%s(%U)", class_name(r->schema->record), text);
    Py_XDECREF(text);
    return made;
}

static PyObject *record_compare(PyObject *self, PyObject *other, int operation)
{
    if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(self) != Py_TYPE(other))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *a = record_values((Record *)self), *b = a == NULL ? NULL : record_values((Record *)other);
    PyObject *made = b == NULL ? NULL : PyObject_RichCompare(a, b, operation);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return made;
}

static PyObject *record_as_dict(PyObject *self, PyObject *none)
{
    (void)none;
    Record *r = (Record *)self;
    PyObject *made = PyDict_New();
    for (const field *f = r->schema->fields; made != NULL && f->name != NULL; f++) {
        PyObject *value = value_of(f, (const char *)r->data);
        const bool fine = value != NULL && PyDict_SetItemString(made, f->name, value) == 0;
        Py_XDECREF(value);
        if (!fine) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

/* ---- records and tables as bytes, for pickle and copy ---- */

/* All of them, in the order in which they are registered; they live as long as the process. */
enum { SCHEMAS = 96 };
static const schema *schemas[SCHEMAS];
static int schema_count;

static const schema *schema_named(const char *name)
{
    for (int i = 0; i < schema_count; i++)
        if ((schemas[i]->record != NULL && strcmp(class_name(schemas[i]->record), name) == 0) ||
            (schemas[i]->table != NULL && strcmp(class_name(schemas[i]->table), name) == 0))
            return schemas[i];
    PyErr_Format(PyExc_ValueError, "there is no class %s of results in this version", name);
    return NULL;
}

static size_t field_bytes(const field *f)
{
    const size_t item = f->type == 's' ? sizeof(char *) : (size_t)item_size(f->type);
    return item * (size_t)(f->rows == 0 ? 1 : f->rows) * (size_t)(f->columns == 0 ? 1 : f->columns);
}

/* The fields of some rows, and zeros where there is none; texts by their pointers are left out. */
static PyObject *bytes_of(const schema *s, const char *rows, size_t count)
{
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * s->size));
    if (made == NULL)
        return NULL;
    char *to = PyBytes_AsString(made);
    memset(to, 0, count * s->size);
    for (size_t i = 0; i < count; i++)
        for (const field *f = s->fields; f->name != NULL; f++)
            if (f->type != 's')
                memcpy(to + i * s->size + f->offset, rows + i * s->size + f->offset, field_bytes(f));
    return made;
}

/* What pickle calls to make it again. */
static PyObject *maker(const char *name)
{
    PyObject *core = PyImport_ImportModule("boxwood._core");
    PyObject *made = core == NULL ? NULL : PyObject_GetAttrString(core, name);
    Py_XDECREF(core);
    return made;
}

/* (_record, (name, bytes, texts)) */
static PyObject *record_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    const Record *r = (Record *)self;
    PyObject *texts = PyList_New(0);
    for (const field *f = r->schema->fields; texts != NULL && f->name != NULL; f++) {
        PyObject *text = f->type == 's' ? value_of(f, (const char *)r->data) : NULL;
        const bool fine = f->type != 's' || (text != NULL && PyList_Append(texts, text) == 0);
        Py_XDECREF(text);
        if (!fine)
            Py_CLEAR(texts);
    }
    PyObject *bytes = texts == NULL ? NULL : bytes_of(r->schema, (const char *)r->data, 1);
    PyObject *make = bytes == NULL ? NULL : maker("_record");
    PyObject *made =
        make == NULL ? NULL : Py_BuildValue("(O(sOO))", make, class_name(r->schema->record), bytes, texts);
    Py_XDECREF(make);
    Py_XDECREF(bytes);
    Py_XDECREF(texts);
    return made;
}

/* A text that stays: each once, as long as the process. */
static const char *text_for_ever(PyObject *text)
{
    static PyObject *kept;
    if (kept == NULL && (kept = PyDict_New()) == NULL)
        return NULL;
    PyObject *same = PyDict_GetItemWithError(kept, text);
    if (same == NULL && (PyErr_Occurred() || PyDict_SetItem(kept, text, text) < 0))
        return NULL;
    return PyUnicode_AsUTF8AndSize(same == NULL ? text : same, NULL);
}

static PyObject *record_again(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name, *bytes;
    Py_ssize_t size;
    PyObject *texts;
    if (!PyArg_ParseTuple(args, "sy#O!", &name, &bytes, &size, &PyList_Type, &texts))
        return NULL;
    const schema *s = schema_named(name);
    if (s == NULL)
        return NULL;
    if (s->record == NULL || size != (Py_ssize_t)s->size) {
        PyErr_Format(PyExc_ValueError, "these bytes are no %s of this version", name);
        return NULL;
    }
    Record *made = (Record *)record_new(s, bytes);
    Py_ssize_t next = 0;
    for (const field *f = s->fields; made != NULL && f->name != NULL; f++) {
        if (f->type != 's')
            continue;
        PyObject *text = PyList_GetItem(texts, next++);
        const char *kept = text == NULL || !PyUnicode_Check(text) ? NULL : text_for_ever(text);
        if (kept == NULL) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_ValueError, "these bytes are no %s of this version", name);
            Py_CLEAR(made);
            break;
        }
        memcpy((char *)made->data + f->offset, &kept, sizeof kept);
    }
    return (PyObject *)made;
}

/* ---- tables ---- */

typedef struct Table {
    PyObject_HEAD const schema *schema;
    PyObject *block, *report;
    char *data;
    size_t count;
} Table;

PyObject *table_new(const schema *s, void *rows, size_t count, PyObject *report)
{
    PyObject *block = block_new(rows);
    Table *made = block == NULL ? NULL : new_object(s->table_type);
    if (made == NULL) {
        Py_XDECREF(block);
        Py_XDECREF(report);
        return NULL;
    }
    made->schema = s;
    made->block = block;
    made->report = report;
    made->data = rows;
    made->count = count;
    return (PyObject *)made;
}

const void *table_rows(PyObject *table, const schema *s, size_t *count)
{
    if (Py_TYPE(table) != s->table_type) {
        PyErr_Format(PyExc_TypeError, "a table of %s is needed, not %R", s->table, table);
        return NULL;
    }
    *count = ((Table *)table)->count;
    const void *rows = ((Table *)table)->data;
    return rows == NULL ? "" : rows;
}

static void table_dealloc(PyObject *self)
{
    Py_XDECREF(((Table *)self)->block);
    Py_XDECREF(((Table *)self)->report);
    free_object(self);
}

static PyObject *table_get(PyObject *self, void *closure)
{
    Table *t = (Table *)self;
    const field *f = closure;
    const Py_ssize_t item = item_size(f->type), each = (Py_ssize_t)t->schema->size;
    Py_ssize_t shape[3] = {(Py_ssize_t)t->count}, strides[3] = {each};
    int ndim = 1;
    if (f->rows != 0) {
        shape[ndim] = f->rows;
        strides[ndim++] = item * f->columns;
    }
    if (f->columns != 0) {
        shape[ndim] = f->columns;
        strides[ndim++] = item;
    }
    return array_view(t->block, t->data + f->offset, f->type, ndim, shape, strides);
}

static PyObject *table_report(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *report = ((Table *)self)->report;
    if (report == NULL)
        Py_RETURN_NONE;
    Py_INCREF(report);
    return report;
}

static Py_ssize_t table_length(PyObject *self)
{
    return (Py_ssize_t)((Table *)self)->count;
}

static PyObject *table_item(PyObject *self, Py_ssize_t i)
{
    Table *t = (Table *)self;
    if (i < 0 || (size_t)i >= t->count) {
        PyErr_Format(PyExc_IndexError, "row %zd of %zu", i, t->count);
        return NULL;
    }
    return record_new(t->schema, t->data + (size_t)i * t->schema->size);
}

/* Rows by their numbers: a table of copies. */
static PyObject *table_pick(const Table *t, const Py_ssize_t *numbers, Py_ssize_t count)
{
    const size_t each = t->schema->size;
    char *rows = block_alloc((size_t)count, each);
    for (Py_ssize_t i = 0; rows != NULL && i < count; i++)
        memcpy(rows + (size_t)i * each, t->data + (size_t)numbers[i] * each, each);
    Py_XINCREF(t->report);
    if (rows != NULL)
        return table_new(t->schema, rows, (size_t)count, t->report);
    Py_XDECREF(t->report);
    return NULL;
}

/* An index; or rows by a slice, by numbers, or by one bool for each row. */
static PyObject *table_subscript(PyObject *self, PyObject *key)
{
    const Table *t = (Table *)self;
    const Py_ssize_t total = (Py_ssize_t)t->count;
    if (PyIndex_Check(key) && is_number(key)) {
        const Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred())
            return NULL;
        return table_item(self, i < 0 ? i + total : i);
    }
    if (PySlice_Check(key)) {
        Py_ssize_t start, stop, step;
        if (PySlice_Unpack(key, &start, &stop, &step) < 0)
            return NULL;
        const Py_ssize_t count = PySlice_AdjustIndices(total, &start, &stop, step);
        Py_ssize_t *numbers = PyMem_Malloc(((size_t)count + 1) * sizeof *numbers);
        if (numbers == NULL)
            return PyErr_NoMemory();
        for (Py_ssize_t i = 0; i < count; i++)
            numbers[i] = start + i * step;
        PyObject *made = table_pick(t, numbers, count);
        PyMem_Free(numbers);
        return made;
    }
    if (is_number(key)) {
        PyErr_Format(PyExc_TypeError, "rows are named by an index, a slice, indices or bools, not %R", key);
        return NULL;
    }
    array list;
    bool mask;
    if (!array_rows(key, "rows", &list, &mask))
        return NULL;
    Py_ssize_t *numbers = NULL, count = 0;
    const int64_t *wanted = list.data;
    if (mask && list.shape[0] != total)
        PyErr_Format(PyExc_IndexError, "%zd bools for %zd rows", list.shape[0], total);
    else if ((numbers = PyMem_Malloc(((size_t)list.shape[0] + 1) * sizeof *numbers)) == NULL)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; numbers != NULL && i < list.shape[0]; i++) {
        if (mask && !wanted[i])
            continue;
        const int64_t number = mask ? i : wanted[i] < 0 ? wanted[i] + total : wanted[i];
        if (number < 0 || number >= total) {
            PyErr_Format(PyExc_IndexError, "row %lld of %zd", (long long)wanted[i], total);
            PyMem_Free(numbers);
            numbers = NULL;
            break;
        }
        numbers[count++] = (Py_ssize_t)number;
    }
    array_release(&list);
    PyObject *made = numbers == NULL ? NULL : table_pick(t, numbers, count);
    PyMem_Free(numbers);
    return made;
}

/* (_table, (name, bytes, report)) */
static PyObject *table_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    const Table *t = (Table *)self;
    PyObject *bytes = bytes_of(t->schema, t->data, t->count);
    PyObject *make = bytes == NULL ? NULL : maker("_table");
    PyObject *made = make == NULL ? NULL
                                  : Py_BuildValue("(O(sOO))", make, class_name(t->schema->table), bytes,
                                                  t->report == NULL ? Py_None : t->report);
    Py_XDECREF(make);
    Py_XDECREF(bytes);
    return made;
}

static PyObject *table_again(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name, *bytes;
    Py_ssize_t size;
    PyObject *report;
    if (!PyArg_ParseTuple(args, "sy#O", &name, &bytes, &size, &report))
        return NULL;
    const schema *s = schema_named(name);
    if (s == NULL)
        return NULL;
    const size_t count = (size_t)size / s->size;
    if (s->table == NULL || count * s->size != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "these bytes are no %s of this version", name);
        return NULL;
    }
    void *rows = block_alloc(count, s->size);
    if (rows == NULL)
        return NULL;
    memcpy(rows, bytes, (size_t)size);
    Py_INCREF(report);
    if (report == Py_None)
        Py_CLEAR(report);
    return table_new(s, rows, count, report);
}

static PyObject *table_repr(PyObject *self)
{
    Table *t = (Table *)self;
    PyObject *text = PyUnicode_FromFormat("%s(%zu rows", class_name(t->schema->table), t->count);
    for (const field *f = t->schema->fields; text != NULL && f->name != NULL; f++) {
        PyObject *more =
            PyUnicode_FromFormat("%U%s%s", text, f == t->schema->fields ? " of " : ", ", f->name);
        Py_DECREF(text);
        text = more;
    }
    if (text == NULL)
        return NULL;
    PyObject *made = PyUnicode_FromFormat("%U)", text);
    Py_DECREF(text);
    return made;
}

static PyObject *table_as_dict(PyObject *self, PyObject *none)
{
    (void)none;
    PyObject *made = PyDict_New();
    for (const field *f = ((Table *)self)->schema->fields; made != NULL && f->name != NULL; f++) {
        PyObject *value = table_get(self, (void *)(uintptr_t)f);
        const bool fine = value != NULL && PyDict_SetItemString(made, f->name, value) == 0;
        Py_XDECREF(value);
        if (!fine) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

/* Of a column of vectors or matrices one of one number: its name ends as said. */
static bool add_column(PyObject *columns, const Table *t, const field *f, const char *ending, size_t offset)
{
    const Py_ssize_t shape[1] = {(Py_ssize_t)t->count}, strides[1] = {(Py_ssize_t)t->schema->size};
    PyObject *name = PyUnicode_FromFormat("%s%s", f->name, ending);
    PyObject *column =
        name == NULL ? NULL : array_view(t->block, t->data + f->offset + offset, f->type, 1, shape, strides);
    const bool fine = column != NULL && PyDict_SetItem(columns, name, column) == 0;
    Py_XDECREF(column);
    Py_XDECREF(name);
    return fine;
}

static PyObject *table_as_columns(PyObject *self, PyObject *none)
{
    (void)none;
    const Table *t = (Table *)self;
    PyObject *made = PyDict_New();
    for (const field *f = t->schema->fields; made != NULL && f->name != NULL; f++) {
        const int rows = f->rows == 0 ? 1 : f->rows, columns = f->columns == 0 ? 1 : f->columns;
        bool fine = true;
        for (int i = 0; fine && i < rows * columns; i++) {
            char ending[32] = "", row[16] = "";
            if (f->rows != 0)
                PyOS_snprintf(row, sizeof row, "_%d", i / columns);
            if (f->columns == 3 && f->type != 'n')
                PyOS_snprintf(ending, sizeof ending, "%s_%c", row, 'x' + i % 3);
            else if (f->columns != 0)
                PyOS_snprintf(ending, sizeof ending, "%s_%d", row, i % columns);
            fine = add_column(made, t, f, ending, (size_t)i * (size_t)item_size(f->type));
        }
        if (!fine)
            Py_CLEAR(made);
    }
    return made;
}

static PyMethodDef record_methods[] = {
    {"as_dict", record_as_dict, METH_NOARGS, "as_dict($self, /)\n--\n\nThe fields by name."},
    {"__reduce__", record_reduce, METH_NOARGS, NULL},
    END_OF_METHODS};
static PyMethodDef table_methods[] = {
    {"as_dict", table_as_dict, METH_NOARGS, "as_dict($self, /)\n--\n\nThe columns by name, as arrays."},
    {"as_columns", table_as_columns, METH_NOARGS,
     "as_columns($self, /)\n--\n\n"
     "The columns by name, vectors taken apart (point_x, point_y, point_z), as pandas.DataFrame wants "
     "them.\n\n"
     ">>> import boxwood as bw\n"
     ">>> sorted(bw.nearest(bw.samples.cube(), [[3, 0, 0]]).as_columns())\n"
     "['distance', 'point_x', 'point_y', 'point_z', 'primitive']"},
    {"__reduce__", table_reduce, METH_NOARGS, NULL},
    END_OF_METHODS};

/* ---- classes from descriptions ---- */

/* Lives as long as the process, as the types do. */
static PyGetSetDef *getters(const schema *s, getter get, bool with_report)
{
    size_t count = 0;
    while (s->fields[count].name != NULL)
        count++;
    PyGetSetDef *made = calloc(count + 2, sizeof *made);
    for (size_t i = 0; made != NULL && i < count; i++)
        made[i] = (PyGetSetDef){s->fields[i].name, get, NULL, NULL, (void *)(uintptr_t)&s->fields[i]};
    if (made != NULL && with_report)
        made[count] = (PyGetSetDef){"report", table_report, NULL, "How the query ended, or None.", NULL};
    return made;
}

bool schema_register(PyObject *module, schema *s)
{
    if (schema_count == SCHEMAS) {
        PyErr_SetString(PyExc_ImportError, "boxwood can be imported once in a process");
        return false;
    }
    schemas[schema_count++] = s;
    if (s->record != NULL) {
        PyGetSetDef *get = getters(s, record_get, false);
        PyType_Slot slots[] = {{Py_tp_repr, record_repr},
                               {Py_tp_richcompare, record_compare},
                               {Py_tp_methods, record_methods},
                               {Py_tp_getset, get},
                               {Py_tp_doc, (void *)(uintptr_t)s->record_doc},
                               {Py_tp_dealloc, free_object},
                               {Py_tp_hash, PyObject_HashNotImplemented},
                               {0, NULL}};
        PyType_Spec spec = {s->record, sizeof(Record), 1,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
        if (get == NULL || !add_type(module, &spec, &s->record_type))
            return false;
    }
    if (s->table != NULL) {
        PyGetSetDef *get = getters(s, table_get, true);
        PyType_Slot slots[] = {{Py_tp_repr, table_repr},
                               {Py_sq_length, table_length},
                               {Py_sq_item, table_item},
                               {Py_mp_length, table_length},
                               {Py_mp_subscript, table_subscript},
                               {Py_tp_methods, table_methods},
                               {Py_tp_getset, get},
                               {Py_tp_doc, (void *)(uintptr_t)s->table_doc},
                               {Py_tp_dealloc, table_dealloc},
                               {0, NULL}};
        PyType_Spec spec = {s->table, sizeof(Table), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
        if (get == NULL || !add_type(module, &spec, &s->table_type))
            return false;
    }
    return true;
}

static PyObject *set_enumerations(PyObject *self, PyObject *members)
{
    (void)self;
    Py_INCREF(members);
    Py_XDECREF(enumerations);
    enumerations = members;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {{"_set_enumerations", set_enumerations, METH_O, NULL},
                                  {"_record", record_again, METH_VARARGS, NULL},
                                  {"_table", table_again, METH_VARARGS, NULL},
                                  END_OF_METHODS};

bool output_init(PyObject *module)
{
    return arrays_init(module) && add_functions(module, functions);
}
