/* Trees over primitives that only their owner knows, by their boxes; and contacts by a test of the owner's. */
#include "core.h"

#include <string.h>

typedef struct UserTree {
    PyObject_HEAD int users;
    bw_tree *tree;
    bw_box *boxes; /* that the tree asks for */
    uint32_t count;
} UserTree;
static PyTypeObject *user_tree_type;

static void box_of(void *user, uint32_t primitive, bw_box *out)
{
    *out = ((const UserTree *)user)->boxes[primitive];
}

static PyObject *UserTree_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(UserTree);
    bw_tree_desc desc = BW_SIZED(bw_tree_desc);
    tasks threads;
    bool one;
    bw_fault fault;
    bw_result result;
    if (!builder_get(v[ARG_UserTree_builder], &desc.builder))
        return NULL;
    UserTree *t = new_object(type);
    if (t == NULL)
        return NULL;
    t->boxes = boxes_get(v[ARG_UserTree_boxes], &t->count, &one);
    if (t->boxes == NULL || !tasks_get(v[ARG_UserTree_pool], &threads)) {
        drop(t);
        return NULL;
    }
    const bw_primitives primitives = {t->count, box_of, t};
    watch w;
    watch_init(&w, NULL, 0);
    desc.tasks = threads.hook;
    desc.progress = watch_hook(&w);
    UNLOCKED(result = bw_tree_create_user(&desc, &primitives, &t->tree, &fault));
    tasks_done(&threads);
    const bool fine = watch_end(&w);
    if (fine && result == BW_OK)
        return (PyObject *)t;
    drop(t);
    return fine ? raise_fault(result, &fault) : NULL;
}

static void UserTree_release(PyObject *self)
{
    UserTree *t = (UserTree *)self;
    bw_tree_destroy(t->tree);
    PyMem_Free(t->boxes);
    t->tree = NULL;
    t->boxes = NULL;
}

CLOSING(UserTree, NULL)

static void UserTree_dealloc(PyObject *self)
{
    UserTree_release(self);
    free_object(self);
}

FUNCTION(UserTree_update)
{
    ARGUMENTS(UserTree_update);
    UserTree *t = (UserTree *)self;
    uint32_t total = 0;
    bool one;
    bw_fault fault;
    bw_result result = BW_OK;
    bw_box *boxes = boxes_get(v[ARG_UserTree_update_boxes], &total, &one);
    if (boxes == NULL)
        return NULL;
    bool fine = total == t->count;
    if (!fine)
        PyErr_Format(PyExc_ValueError, "%u boxes for a tree of %u", total, t->count);
    if (fine && (fine = shared_write(t))) {
        bw_box *old = t->boxes;
        t->boxes = boxes;
        UNLOCKED(result = bw_tree_refit_user(t->tree, &fault));
        if (result != BW_OK) /* the tree is as it was */
            t->boxes = old;
        boxes = result != BW_OK ? boxes : old;
        shared_done(t);
    }
    PyMem_Free(boxes);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

static PyObject *UserTree_get_bounds(PyObject *self, void *closure)
{
    (void)closure;
    UserTree *t = (UserTree *)self;
    if (!shared_read(t))
        return NULL;
    const bw_box box = bw_tree_bounds(t->tree);
    shared_done(t);
    const Py_ssize_t shape[2] = {2, 3};
    return array_copy(&box, 'f', 2, shape);
}

FUNCTION(UserTree_check)
{
    ARGUMENTS(UserTree_check);
    UserTree *t = (UserTree *)self;
    const char *fault;
    if (!shared_read(t))
        return NULL;
    UNLOCKED(fault = bw_tree_check(t->tree, NULL));
    shared_done(t);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

static Py_ssize_t UserTree_length(PyObject *self)
{
    return is_open(self) ? (Py_ssize_t)((UserTree *)self)->count : -1;
}

static PyObject *UserTree_repr(PyObject *self)
{
    return is_closed(self) ? closed_repr(self)
                           : PyUnicode_FromFormat("UserTree(%u boxes)", ((UserTree *)self)->count);
}

/* ---- contacts ---- */

static bw_contact_kind every_pair(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    (void)a;
    (void)b;
    return BW_CONTACT_TOUCHING;
}

/* What the owner says of a pair: None and False that it does not meet, True that it crosses, or a Kind. */
static bw_contact_kind ask(void *user, uint32_t a, uint32_t b)
{
    callback *test = user;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = callback_call(test, Py_BuildValue("(II)", a, b));
    long kind = BW_CONTACT_NONE;
    if (answer == Py_True) {
        kind = BW_CONTACT_CROSSING;
    } else if (answer != NULL && answer != Py_None && answer != Py_False) {
        PyObject *number = PyNumber_Index(answer);
        kind = number == NULL ? -1 : PyLong_AsLong(number);
        Py_XDECREF(number);
        if (kind < BW_CONTACT_NONE || kind > BW_CONTACT_NEAR) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError,
                         "test must return a bool, a boxwood.Kind or None, not %R (of %u and %u)", answer, a,
                         b);
            PyErr_Fetch(&test->type, &test->value, &test->traceback);
            kind = BW_CONTACT_NONE;
        }
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return (bw_contact_kind)kind;
}

/* Ends the query where the test has raised. */
typedef struct asking {
    watch w;
    callback test;
} asking;

static bool go_on(void *user)
{
    asking *q = user;
    return q->test.type == NULL && watch_go_on(&q->w);
}

static bool body_get(PyObject *object, PyObject *pose, const char *name, const char *pose_name, held *out)
{
    if (Py_TYPE(object) != user_tree_type) {
        if (Py_TYPE(object) == tree_type || Py_TYPE(object) == mesh_type || is_kinetic(object))
            return held_get(object, pose, name, pose_name, out);
        PyErr_Format(PyExc_TypeError, "%s must be a boxwood.UserTree, Tree, Mesh or KineticMesh, not %R",
                     name, object);
        return false;
    }
    memset(out, 0, sizeof *out);
    if (!get_pose(pose, pose_name, &out->pose, &out->body.pose) || !shared_read(object))
        return false;
    keep(object);
    out->object = object;
    out->body.tree = ((UserTree *)object)->tree;
    return true;
}

FUNCTION(collide_user)
{
    (void)self;
    ARGUMENTS(collide_user);
    bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    bw_collide_report report = BW_SIZED(bw_collide_report);
    held a, b;
    hit_list l;
    asking q;
    bw_fault fault;
    bw_result result;
    if (!callback_get(v[ARG_collide_user_test], "test", &q.test) ||
        !watch_init(&q.w, v[ARG_collide_user_progress], 0) ||
        !hits_begin(v[ARG_collide_user_visit], &l, &desc) ||
        !body_get(v[ARG_collide_user_a], v[ARG_collide_user_pose_a], "a", "pose_a", &a))
        return NULL;
    if (!body_get(v[ARG_collide_user_b], v[ARG_collide_user_pose_b], "b", "pose_b", &b)) {
        held_done(&a);
        return NULL;
    }
    desc.progress = (bw_progress){go_on, &q};
    bw_user_pair_fn *test = q.test.function != NULL ? ask : every_pair;
    UNLOCKED(result = bw_collide_user(&a.body, &b.body, test, &q.test, &desc, &report, &fault));
    held_done(&a);
    held_done(&b);
    callback_end(&q.test);
    return hits_end(&l, &q.w, result, &report, &fault);
}

static PyMethodDef methods[] = {ENTRY("update", UserTree_update), ENTRY("check", UserTree_check),
                                CLOSING_ENTRIES(UserTree), END_OF_METHODS};
static PyGetSetDef getters[] = {{"bounds", UserTree_get_bounds, NULL, DOC_UserTree_bounds, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, UserTree_new},         {Py_tp_dealloc, UserTree_dealloc},
                              {Py_tp_repr, UserTree_repr},       {Py_tp_methods, methods},
                              {Py_tp_getset, getters},           {Py_sq_length, UserTree_length},
                              {Py_tp_doc, (void *)DOC_UserTree}, {0, NULL}};
static PyType_Spec spec = {"boxwood.UserTree", sizeof(UserTree), 0, Py_TPFLAGS_DEFAULT, slots};
static PyMethodDef functions[] = {ENTRY("collide_user", collide_user), END_OF_METHODS};

bool user_init(PyObject *module)
{
    return add_type(module, &spec, &user_tree_type) && add_functions(module, functions);
}
