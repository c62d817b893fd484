/* What the files of results share. */
#ifndef BOXWOOD_PYTHON_OUTPUT_H
#define BOXWOOD_PYTHON_OUTPUT_H

#include "core.h"

/* Takes over data, also where it fails. */
PyObject *block_new(void *data);
Py_ssize_t item_size(char type);
bool arrays_init(PyObject *module);

#endif
