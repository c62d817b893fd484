/* Faults of the library as exceptions that name element and value; objects that one thread may not change while others read. */
#include "core.h"

PyObject *error_type;
static PyObject *unsupported_type, *format_type, *stale_type;

static const char *code_of(bw_result result)
{
    static const char *const codes[] = {"ok",        "argument", "memory", "not_finite", "range",
                                        "index",     "empty",    "size",   "mismatch",   "singular",
                                        "format",    "version",  "stale",  "cycle",      "unsupported",
                                        "not_built", "layout",   "stopped"};
    const size_t at = (size_t)result;
    return at < sizeof codes / sizeof *codes ? codes[at] : "unknown";
}

static void set_number(PyObject *object, const char *name, uint32_t value)
{
    PyObject *number = value == BW_NONE ? NULL : PyLong_FromUnsignedLong(value);
    if (PyObject_SetAttrString(object, name, number == NULL ? Py_None : number) < 0)
        PyErr_Clear();
    Py_XDECREF(number);
}

PyObject *raise_fault(bw_result result, const bw_fault *fault)
{
    if (PyErr_Occurred())
        return NULL;
    if (result == BW_ERROR_MEMORY)
        return PyErr_NoMemory();
    if (result == BW_ERROR_STOPPED)
        return raise_stopped();
    bw_fault plain = {.result = result, .element = BW_NONE, .vertex = BW_NONE, .axis = BW_NONE};
    plain.text = bw_result_string(result);
    if (fault == NULL || fault->result != result)
        fault = &plain;
    char text[512];
    bw_fault_describe(fault, text, sizeof text);
    PyObject *type = result == BW_ERROR_UNSUPPORTED || result == BW_ERROR_NOT_BUILT ? unsupported_type
                     : result == BW_ERROR_FORMAT || result == BW_ERROR_VERSION      ? format_type
                     : result == BW_ERROR_STALE                                     ? stale_type
                                                                                    : error_type;
    PyObject *error = PyObject_CallFunction(type, "s", text);
    if (error == NULL)
        return NULL;
    PyObject *code = PyUnicode_FromString(code_of(result)), *value = PyFloat_FromDouble(fault->value);
    if (code == NULL || value == NULL || PyObject_SetAttrString(error, "code", code) < 0 ||
        PyObject_SetAttrString(error, "value", value) < 0)
        PyErr_Clear();
    Py_XDECREF(code);
    Py_XDECREF(value);
    set_number(error, "element", fault->element);
    set_number(error, "vertex", fault->vertex);
    set_number(error, "axis", fault->axis);
    PyErr_SetObject(type, error);
    Py_DECREF(error);
    return NULL;
}

PyObject *raise_stopped(void)
{
    PyErr_SetString(PyExc_InterruptedError, "progress ended the call");
    return NULL;
}

static bool add_error(PyObject *module, const char *name, const char *doc, PyObject *base, PyObject **out)
{
    char full[64];
    PyOS_snprintf(full, sizeof full, "boxwood.%s", name);
    *out = PyErr_NewExceptionWithDoc(full, doc, base, NULL);
    return *out != NULL && PyModule_AddObjectRef(module, name, *out) == 0;
}

bool errors_init(PyObject *module)
{
    return add_error(module, "Error", DOC_Error, PyExc_ValueError, &error_type) &&
           add_error(module, "UnsupportedError", DOC_UnsupportedError, error_type, &unsupported_type) &&
           add_error(module, "FormatError", DOC_FormatError, error_type, &format_type) &&
           add_error(module, "StaleError", DOC_StaleError, error_type, &stale_type);
}

/* ---- readers and one writer ---- */

/* The name of the class; of the core of a Tree that of the Tree. A new reference. */
static PyObject *name_of(const void *object)
{
    PyObject *type = (PyObject *)Py_TYPE((PyObject *)(uintptr_t)object);
    PyObject *name = PyObject_GetAttrString(type, "__name__");
    if (name == NULL || PyUnicode_CompareWithASCIIString(name, "_Core") != 0)
        return name;
    Py_DECREF(name);
    return PyUnicode_FromString("Tree");
}

static bool refuse(PyObject *error, const void *object, const char *what)
{
    PyObject *name = name_of(object);
    if (name != NULL)
        PyErr_Format(error, "this %U is %s", name, what);
    Py_XDECREF(name);
    return false;
}

static bool busy(const void *object, const char *what)
{
    return refuse(PyExc_RuntimeError, object, what);
}

bool is_closed(const void *object)
{
    return ((const shared *)object)->users == CLOSED;
}

bool is_open(const void *object)
{
    return !is_closed(object) || refuse(PyExc_ValueError, object, "closed");
}

bool shared_read(void *object)
{
    shared *s = object;
    if (s->users < 0)
        return is_open(object) && busy(object, "being changed by a call that is not done");
    s->users++;
    return true;
}

bool shared_write(void *object)
{
    shared *s = object;
    if (s->users != 0)
        return is_open(object) && busy(object, s->users < 0 ? "being changed by a call that is not done"
                                                            : "in use: it cannot be changed now");
    s->users = -1;
    return true;
}

void shared_done(void *object)
{
    shared *s = object;
    if (s != NULL)
        s->users = s->users < 0 ? 0 : s->users - 1;
}

bool shared_idle(void *object)
{
    if (!shared_write(object))
        return false;
    shared_done(object);
    return true;
}

/* ---- closing ---- */

PyObject *object_close(PyObject *self, bool (*may)(PyObject *), void (*release)(PyObject *))
{
    if (!is_closed(self)) {
        if (!shared_idle(self) || (may != NULL && !may(self)))
            return NULL;
        /* First, as what is let go of can call functions that try this one. */
        ((shared *)self)->users = CLOSED;
        release(self);
    }
    Py_RETURN_NONE;
}

PyObject *object_enter(PyObject *self, PyObject *none)
{
    (void)none;
    if (!is_open(self))
        return NULL;
    return Py_NewRef(self);
}

PyObject *closed_repr(PyObject *self)
{
    PyObject *name = name_of(self);
    PyObject *made = name == NULL ? NULL : PyUnicode_FromFormat("%U(closed)", name);
    Py_XDECREF(name);
    return made;
}

bool no_world_has(PyObject *object)
{
    return ((viewed *)object)->worlds == 0 || busy(object, "a body of a World: remove it there first");
}
