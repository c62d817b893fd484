/* The module: its types and functions, topic by topic. */
#include "core.h"

bool add_functions(PyObject *module, PyMethodDef *methods)
{
    return PyModule_AddFunctions(module, methods) == 0;
}

bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type == NULL)
        return false;
    *out = (PyTypeObject *)type;
    PyObject *name = PyObject_GetAttrString(type, "__name__");
    const char *text = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
    const bool fine = text != NULL && PyModule_AddObjectRef(module, text, type) == 0;
    Py_XDECREF(name);
    return fine;
}

void *new_object(PyTypeObject *type)
{
    return PyType_GenericAlloc(type, 0);
}

void free_object(void *object)
{
    PyTypeObject *type = Py_TYPE((PyObject *)object);
    if ((PyType_GetFlags(type) & Py_TPFLAGS_HAVE_GC) != 0)
        PyObject_GC_Del(object);
    else
        PyObject_Free(object);
    Py_DECREF((PyObject *)type);
}

static int fill(PyObject *module)
{
    /* Types are kept in variables of the library: one interpreter of a process can have them. */
    if (mesh_type != NULL) {
        PyErr_SetString(PyExc_ImportError, "boxwood can be imported by one interpreter of a process only");
        return -1;
    }
    const bool fine =
        errors_init(module) && output_init(module) && pool_init(module) && mesh_init(module) &&
        tree_init(module) && collide_init(module) && distance_init(module) && ray_init(module) &&
        nearest_init(module) && contact_init(module) && shape_init(module) && swept_init(module) &&
        exact_init(module) && scene_init(module) && cull_init(module) && user_init(module) &&
        separation_init(module) && kinetic_init(module) && timeline_init(module) && anytime_init(module) &&
        world_init(module) && PyModule_AddStringConstant(module, "__version__", bw_version_string()) == 0;
    return fine ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "boxwood._core", .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
