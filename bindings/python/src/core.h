/* What the files of the extension share: arguments, arrays in and out, results, faults, and calls that can be
 * interrupted. Python's limited API of 3.11 only, so that one binary serves 3.11 and every later version.
 *
 * Signatures and docstrings are not written here: signatures.h is generated from boxwood/_core.pyi. */
#ifndef BOXWOOD_PYTHON_CORE_H
#define BOXWOOD_PYTHON_CORE_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <boxwood/boxwood.h>
#include <boxwood/pool.h>

/* References of objects of any type; NULL is allowed. */
static inline void keep(void *object)
{
    Py_XINCREF((PyObject *)object);
}
static inline void drop(void *object)
{
    Py_XDECREF((PyObject *)object);
}

/* ---- arguments ---- */

typedef struct signature {
    const char *function;
    const char *const *names;
    uint32_t count, positional;
    uint64_t required; /* bits */
} signature;

#include "signatures.h"

/* values[i] receives a borrowed reference or stays NULL. */
bool args_parse(const signature *signature, PyObject *const *args, Py_ssize_t count, PyObject *names,
                PyObject **values);
bool args_parse_tuple(const signature *signature, PyObject *args, PyObject *names, PyObject **values);

#define ARGUMENTS(name)                                                                                      \
    PyObject *v[COUNT_##name + 1] = {NULL};                                                                  \
    if (!args_parse(&SIGNATURE_##name, args, count, names, v))                                               \
    return NULL
#define CONSTRUCTOR(name)                                                                                    \
    PyObject *v[COUNT_##name + 1] = {NULL};                                                                  \
    if (!args_parse_tuple(&SIGNATURE_##name, args, names, v))                                                \
    return NULL
#define FUNCTION(name)                                                                                       \
    static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
/* The same, for a table in another file. */
#define METHOD(name) PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
#define ENTRY(python, c)                                                                                     \
    {                                                                                                        \
        python, (PyCFunction)(void (*)(void))c, METH_FASTCALL | METH_KEYWORDS, DOC_##c                       \
    }
#define END_OF_METHODS                                                                                       \
    {                                                                                                        \
        NULL, NULL, 0, NULL                                                                                  \
    }

/* Each leaves *out as it is for NULL and None; false with an exception that names the argument. */
bool get_double(PyObject *object, const char *name, double *out);
/* Whether it is one number, of Python or NumPy, rather than an array of them. */
bool is_number(PyObject *object);
/* A bound of which None and infinity mean none, which the library writes as 0. */
bool get_limit(PyObject *object, const char *name, double *out);
bool get_bool(PyObject *object, const char *name, bool *out);
bool get_u32(PyObject *object, const char *name, uint32_t *out);
bool get_u64(PyObject *object, const char *name, uint64_t *out);
bool get_vec3(PyObject *object, const char *name, bw_vec3 *out);
/* choices: words by their values, NULL where a value has none; the last is END_OF_WORDS. */
#define END_OF_WORDS ((const char *)1)
bool get_choice(PyObject *object, const char *name, const char *const *choices, int *out);
/* An affine map as a 3x4 or 4x4 matrix; *pose becomes storage, or NULL for None. */
bool get_pose(PyObject *object, const char *name, bw_transform *storage, const bw_transform **pose);

/* ---- arrays in ---- */

typedef struct array {
    const void *data;
    Py_ssize_t shape[4];
    int ndim;
    Py_buffer buffer; /* held where buffer.obj is not NULL */
    void *copy;       /* ours where the elements had to be converted */
} array;

/* What is wanted of an array: elements of one type ('d' double, 'f' float, 'I' 32-bit index, 'i' the same, 'Q'
 * 64-bit, 'l' 64-bit with a sign), C-contiguous; at most four dimensions. trailing: the last dimensions, e.g. {3} of (n, 3); 0: any.
 * With `one` the leading dimension may be missing. */
typedef struct want {
    char type;
    int trailing_count;
    Py_ssize_t trailing[3];
    bool one;
    const char *told; /* the shape as errors tell it; NULL: as it follows from the rest */
} want;
/* Arrays of the wanted form are read in place, others converted; what would change a number is an error. */
bool array_get(PyObject *object, const char *name, const want *want, array *out);
void array_release(array *array);
bool array_points(PyObject *object, const char *name, array *out);  /* (n, 3) or (3,) doubles */
bool array_indices(PyObject *object, const char *name, array *out); /* (n,) 32-bit */
bool array_doubles(PyObject *object, const char *name, array *out); /* (n,) */
/* (n,) integers of 64 bits with a sign, or bools as such: mask tells which. */
bool array_rows(PyObject *object, const char *name, array *out, bool *mask);
uint32_t array_count(const array *array);
/* Checks that a count fits 32 bits. */
bool count_fits(Py_ssize_t count, const char *name, uint32_t *out);

/* Poses of a batch, (k, 3, 4) or (k, 4, 4), or with `links` (k, links, 3, 4) or (k, links, 4, 4). */
typedef struct poses {
    array array;
    Py_ssize_t count, links;
    Py_ssize_t stride; /* doubles from one to the next */
} poses;
bool poses_get(PyObject *object, const char *name, Py_ssize_t links, poses *out);
const bw_transform *poses_at(const poses *poses, Py_ssize_t i, Py_ssize_t link);

/* The vertices of a mesh: in place for float and double with rows of three next to each other, whatever the
 * distance of rows. */
bool array_vertices(PyObject *object, const char *name, array *out, bw_scalar *scalar, uint32_t *stride);

/* Replaces vertices that are `stride` bytes apart by a copy in which rows of `each` bytes follow each other. */
bool array_close_rows(array *array, uint32_t stride, size_t each);

/* ---- results ---- */

/* A field of a C structure: a type of array elements, or 'e' an enum (32 bits), 'n' an index of which
 * BW_NONE is -1, 's' a pointer to text. rows, columns: of fields that are arrays; 0: none. */
typedef struct field {
    const char *name;
    char type;
    size_t offset;
    int rows, columns;
    const char *enumeration; /* the Python class of an 'e' */
} field;

#define FIELD(structure, member, type)                                                                       \
    {                                                                                                        \
#        member, type, offsetof(structure, member), 0, 0, NULL                                               \
    }
#define FIELD_AS(name, structure, member, type)                                                              \
    {                                                                                                        \
        name, type, offsetof(structure, member), 0, 0, NULL                                                  \
    }
#define FIELD_ENUM(structure, member, enumeration)                                                           \
    {                                                                                                        \
#        member, 'e', offsetof(structure, member), 0, 0, enumeration                                         \
    }
#define FIELD_VEC3(structure, member)                                                                        \
    {                                                                                                        \
#        member, 'd', offsetof(structure, member), 0, 3, NULL                                                \
    }
#define FIELD_ROW(name, structure, member, type, columns)                                                    \
    {                                                                                                        \
        name, type, offsetof(structure, member), 0, columns, NULL                                            \
    }
#define END_OF_FIELDS                                                                                        \
    {                                                                                                        \
        NULL, 0, 0, 0, 0, NULL                                                                               \
    }

/* A C structure as a Python class: one of it (record) and many (table, which has the fields as arrays). */
typedef struct schema {
    const char *record, *table; /* names of the classes, e.g. "boxwood.Hit"; NULL: there is none */
    const char *record_doc, *table_doc;
    size_t size;
    const field *fields;
    PyTypeObject *record_type, *table_type; /* filled in by schema_register */
} schema;
bool schema_register(PyObject *module, schema *schema);
/* New references; NULL with an exception. */
PyObject *record_new(const schema *schema, const void *structure);
/* Takes over `rows` (of block_alloc; NULL with 0), also where it fails. report may be NULL; its reference is
 * taken over, too. */
PyObject *table_new(const schema *schema, void *rows, size_t count, PyObject *report);
/* The rows of a table of that schema; NULL with TypeError. */
const void *table_rows(PyObject *table, const schema *schema, size_t *count);
/* An array of one type; takes over data (of block_alloc). shape: ndim entries. */
PyObject *array_new(void *data, char type, int ndim, const Py_ssize_t *shape);
/* A copy of a small array. */
PyObject *array_copy(const void *data, char type, int ndim, const Py_ssize_t *shape);
/* An array that reads the memory of an object, which it keeps alive. */
PyObject *array_view(PyObject *owner, const void *data, char type, int ndim, const Py_ssize_t *shape,
                     const Py_ssize_t *strides);
/* The same array, or lists instead of a memoryview, which cannot be pickled; takes over the reference. */
PyObject *array_plain(PyObject *array);
PyObject *tuple_vec3(bw_vec3 v);
/* The member of an enumeration by its name and value. */
PyObject *enum_new(const char *name, int32_t value);
/* Memory of results: counted, so that tests can tell that none is lost. NULL with MemoryError. */
void *block_alloc(size_t count, size_t size);
void *block_resize(void *block, size_t count, size_t size);
void block_free(void *block);
bool output_init(PyObject *module);

/* A growing array of results that callbacks of the library fill without the GIL. */
typedef struct grown {
    void *data;
    size_t count, capacity, size;
    bool failed; /* no memory */
} grown;
bool grown_add(grown *grown, const void *elements, size_t count); /* false: no memory */

/* ---- faults ---- */

/* Sets the exception that says what failed and returns NULL. */
PyObject *raise_fault(bw_result result, const bw_fault *fault);
bool errors_init(PyObject *module);
extern PyObject *error_type;

/* Objects are read by any number of threads or changed by one: what would break that is a RuntimeError. */
typedef struct shared {
    PyObject_HEAD int users; /* readers, or -1 */
} shared;
bool shared_read(void *object);
bool shared_write(void *object);
void shared_done(void *object); /* NULL is allowed */
bool shared_idle(void *object); /* nobody reads or changes it; false with RuntimeError */

/* Objects that give back what they hold when they are told, by close() or at the end of a `with`, not only when they go. Afterwards
 * shared_read, shared_write and is_open raise ValueError: what uses an object goes through one of them. */
#define CLOSED (-2) /* as users */
bool is_closed(const void *object);
bool is_open(const void *object); /* false with ValueError */
PyObject *closed_repr(PyObject *self);
/* may: whether nothing else stands on the object, false with an exception; NULL: nothing ever does. */
PyObject *object_close(PyObject *self, bool (*may)(PyObject *), void (*release)(PyObject *));
PyObject *object_enter(PyObject *self, PyObject *none);
/* By NAME_release, which leaves the object with nothing. */
#define CLOSING(name, may)                                                                                   \
    static PyObject *name##_close(PyObject *self, PyObject *unused)                                          \
    {                                                                                                        \
        (void)unused;                                                                                        \
        return object_close(self, may, name##_release);                                                      \
    }
#define CLOSING_ENTRIES(name)                                                                                \
    {"close", name##_close, METH_NOARGS, DOC_##name##_close},                                                \
        {"__enter__", object_enter, METH_NOARGS, NULL},                                                      \
    {                                                                                                        \
        "__exit__", name##_close, METH_VARARGS, NULL                                                         \
    }

/* ---- long calls ---- */

/* The GIL is given up between `unlocked` and the end; now and then signals are looked at and `progress` is
 * called. */
typedef struct watch {
    PyObject *progress; /* borrowed; NULL: none */
    bool bar;           /* it is an object with update(n), such as a tqdm bar */
    uint64_t next;      /* nanoseconds */
    uint64_t done, told, total;
    PyObject *type, *value, *traceback; /* what was raised meanwhile */
    bool stopped;                       /* progress returned False */
} watch;
bool watch_init(watch *watch, PyObject *progress, uint64_t total);
/* Called without the GIL, from any thread: false to stop. */
bool watch_go_on(void *watch);
/* Called without the GIL between the parts of a batch, with how much is done. */
bool watch_part(watch *watch, uint64_t done);
bw_progress watch_hook(watch *watch);
/* How many of `left` elements the next part of a batch takes, so that signals are looked at between parts even where each element
 * takes long: few at first, then as many as take the time of `intervals` looks by what the last part took, at most `most`. */
typedef struct pace {
    uint32_t most, intervals;
    uint32_t part;  /* 0: nothing was timed */
    uint64_t began; /* nanoseconds */
} pace;
enum { PACE_TRIAL = 16 };
uint32_t pace_next(pace *pace, uint32_t left);
/* With the GIL, at the end: false where something was raised meanwhile. */
bool watch_end(watch *watch);

#define UNLOCKED(statement)                                                                                  \
    do {                                                                                                     \
        PyThreadState *state_ = PyEval_SaveThread();                                                         \
        statement;                                                                                           \
        PyEval_RestoreThread(state_);                                                                        \
    } while (0)

/* A function of the caller's that the library calls meanwhile: each call takes the GIL. What it raises is kept until the
 * end, and no further call is made. */
typedef struct callback {
    PyObject *function; /* borrowed; NULL: none */
    PyObject *type, *value, *traceback;
} callback;
bool callback_get(PyObject *object, const char *name, callback *out);
/* With the GIL: what it returns for these arguments, a new reference; takes over args. NULL: nothing, now or before. */
PyObject *callback_call(callback *callback, PyObject *args);
/* Without the GIL, with arguments as by Py_BuildValue: whether it returns something true; or anything but False. */
bool callback_true(callback *callback, const char *format, ...);
bool callback_go_on(callback *callback, const char *format, ...);
/* With the GIL, at the end: false where it has raised, which is raised then. */
bool callback_end(callback *callback);
/* The same as callback_go_on of a record. */
bool callback_record(callback *callback, const schema *schema, const void *structure);

typedef struct Pool Pool;
/* The threads of a Pool argument, for one call: NULL and no lock where it is None or in use. */
typedef struct tasks {
    const bw_tasks *hook;
    Pool *pool;
    const bw_tasks *before; /* what the thread had been lent */
} tasks;
bool tasks_get(PyObject *object, tasks *out);
void tasks_done(tasks *tasks);
/* For objects that keep a task hook: one that has the threads of the Pool only between lend and return, in the thread that
 * lends them, and is serial otherwise. *pool becomes a reference, or NULL for None. */
bool tasks_of_object(PyObject *object, PyObject **pool, bw_tasks *out);
bool tasks_lend(PyObject *pool, tasks *out);
void tasks_return(tasks *tasks);
bool pool_init(PyObject *module);

/* ---- bodies ---- */

typedef struct Mesh {
    PyObject_HEAD int users;
    bw_mesh mesh;
    array vertices, faces;
    PyObject *vertices_object, *faces_object; /* as given, where they are read in place; else NULL */
    struct Core *core;                        /* the tree of mesh.tree, made when first needed; NULL */
    PyObject *weak;
} Mesh;
extern PyTypeObject *mesh_type;
bool mesh_init(PyObject *module);
/* Borrowed; NULL with an exception where the object is no Mesh, or closed. Its arrays stay as long as it lives. */
Mesh *mesh_get(PyObject *object, const char *name);
/* A new Mesh of these vertices with the triangles of another. */
PyObject *mesh_with_vertices(Mesh *mesh, PyObject *vertices);

/* A tree of the library; a Mesh and several Tree objects may share one. */
typedef struct Core {
    PyObject_HEAD int users;
    bw_tree *tree;
    bool for_rays; /* prepared for rays, and not changed since */
} Core;

typedef struct Tree {
    PyObject_HEAD int
        users;  /* as of other objects where it is closed; else readers and writers are the core's */
    Core *core; /* one that is closed where the Tree is */
    Mesh *mesh; /* NULL: closed */
    const Mesh *last_mesh; /* of a closed Tree, to compare: not kept */
    PyObject *weak;
} Tree;
extern PyTypeObject *tree_type;
bool tree_init(PyObject *module);
bool tree_for_rays(const void *object); /* whether this, of a held, is a tree prepared for rays */
PyObject *tree_default(Mesh *mesh);     /* the Tree of mesh.tree: a new reference */

/* A body for the length of one call: a Tree, a Mesh by the tree that it keeps, or a KineticMesh at its time. */
typedef struct held {
    bw_body body;
    bw_transform pose;
    void *object; /* that is read; a reference of ours */
    Mesh *mesh;   /* the same */
} held;
bool held_get(PyObject *object, PyObject *pose, const char *name, const char *pose_name, held *out);
void held_done(held *held);
bool builder_get(PyObject *object, bw_builder *out);
/* Boxes (n, 2, 3), or (2, 3) for one, as floats rounded outward: of PyMem_Malloc. */
bw_box *boxes_get(PyObject *object, uint32_t *count, bool *one);

/* ---- topics: each adds its functions and types ---- */
bool add_functions(PyObject *module, PyMethodDef *methods);
bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out);
void *new_object(PyTypeObject *type);
void free_object(void *object);

/* Many poses of two bodies, or of two lists of bodies of which each pair counts: one group per pose. */
typedef struct batch_side {
    held *bodies;
    Py_ssize_t count;
    poses poses;
} batch_side;
typedef struct batch {
    batch_side a, b;
    array pairs; /* (p, 2), which bodies of a and b are of interest; no data: each with each */
    uint32_t count, group;
} batch;
bool batch_get(PyObject *a, PyObject *b, PyObject *poses_a, PyObject *poses_b, PyObject *pairs, batch *out);
void batch_done(batch *batch);
void batch_pairs(const batch *batch, uint32_t first, uint32_t count, bw_body_pair *out);
uint32_t batch_part(const batch *batch);
bool batch_failed(const batch *batch, uint32_t group, uint32_t pair, bw_result result);
/* *held is what shared_done takes afterwards. */
bool pair_cache_get(PyObject *object, bw_pair_cache **out, void **held);

/* The contacts that a query finds: all of them to a table, and each to a function of the caller's. */
typedef struct hit_list {
    grown rows;
    callback visit;
} hit_list;
bool hits_begin(PyObject *visit, hit_list *list, bw_collide_desc *desc);
PyObject *hits_end(hit_list *list, watch *watch, bw_result result, const bw_collide_report *report,
                   const bw_fault *fault);

/* Rays from arrays of origins and directions (or second points), either of which may be one for all. */
typedef struct ray_set {
    array origins, directions, limits;
    double limit;
    uint32_t count;
    bool one, between;
} ray_set;
bool ray_set_get(PyObject *origins, PyObject *directions, PyObject *t_max, bool between, ray_set *out);
void ray_set_fill(const ray_set *set, uint32_t first, uint32_t count, bw_ray *out);
void ray_set_release(ray_set *set);

/* A region of space from the arguments that name one. */
typedef struct region_holder {
    bw_region region;
    bw_plane planes[BW_REGION_PLANES_MAX];
} region_holder;
bool region_get(PyObject *box, PyObject *sphere, PyObject *capsule, PyObject *planes, PyObject *radius,
                region_holder *out);
/* The smallest box of floats around six doubles; false where it is inverted or not a number. */
bool box_get(const double *numbers, bw_box *out);

/* What a World only views, so that it must not be closed meanwhile: how a Shape and a KineticMesh begin. */
typedef struct viewed {
    PyObject_HEAD int users;
    uint32_t worlds; /* bodies of worlds that are of it */
} viewed;
bool no_world_has(PyObject *object); /* false with RuntimeError */

typedef struct Shape {
    PyObject_HEAD int users;
    uint32_t worlds;
    bw_shape shape;
    bw_hull *hull; /* that the shape is of; NULL */
} Shape;
bool is_shape(PyObject *object);
/* Where the object is a Shape, it is read between the two. */
bool shape_enter(PyObject *object);
void shape_leave(PyObject *object);
/* Of one that is read. */
bool shape_get(PyObject *object, const char *name, const bw_shape **out);
/* A rigid motion from one pose to another; *out NULL: at rest. */
bool motion_get(PyObject *start, PyObject *end, const char *name, bw_rigid_motion *storage,
                const bw_rigid_motion **out);

/* A mesh and how it moves; false with TypeError where the object is no Motion. */
bool moving_get(PyObject *object, const char *name, bw_moving *out);
/* Vertices and as many polynomials of the time since origin, for calls that change plans. */
typedef struct plan_list {
    array vertices;
    bw_plan *plans;
    uint32_t count;
} plan_list;
bool plans_get(PyObject *vertices, PyObject *plans, double origin, plan_list *out);
void plans_done(plan_list *list);
bool is_kinetic(PyObject *object);
/* The body of a KineticMesh at its present time, which is read until shared_done; out->pose stays. */
bool kinetic_body(PyObject *object, bw_body *out);
bw_kinetic *kinetic_of(PyObject *object);
bool kinetic_lazy(PyObject *object);

/* Sets InterruptedError, for a call that progress ended and that has no whole answer. */
PyObject *raise_stopped(void);

bool collide_init(PyObject *module);
bool distance_init(PyObject *module);
bool ray_init(PyObject *module);
bool nearest_init(PyObject *module);
bool contact_init(PyObject *module);
bool shape_init(PyObject *module);
bool swept_init(PyObject *module);
bool exact_init(PyObject *module);
bool scene_init(PyObject *module);
bool cull_init(PyObject *module);
bool separation_init(PyObject *module);
bool user_init(PyObject *module);
bool kinetic_init(PyObject *module);
bool timeline_init(PyObject *module);
bool anytime_init(PyObject *module);
bool world_init(PyObject *module);

#endif
