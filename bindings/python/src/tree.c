/* Tree: built over a mesh, updated as it deforms, edited, saved and loaded; and the bodies of queries. */
#include "core.h"

#include <string.h>
#include <structmember.h>

PyTypeObject *tree_type;

static const char *const words_builder[] = {NULL, NULL, "fast", "quality", END_OF_WORDS};
static const char *const words_policy[] = {"refit", "auto", "rebuild", END_OF_WORDS};
static const char *const words_defect[] = {NULL,    "index",     "nan",       "infinite",
                                           "range", "zero_area", END_OF_WORDS};

static const field stats_fields[] = {FIELD(bw_tree_stats, primitives, 'I'),
                                     FIELD(bw_tree_stats, quarantined, 'I'),
                                     FIELD(bw_tree_stats, nodes, 'I'),
                                     FIELD(bw_tree_stats, leaves, 'I'),
                                     FIELD(bw_tree_stats, depth, 'I'),
                                     FIELD(bw_tree_stats, mean_leaf_depth, 'd'),
                                     FIELD(bw_tree_stats, sah_cost, 'd'),
                                     FIELD(bw_tree_stats, bytes, 'Q'),
                                     END_OF_FIELDS};
static schema stats = {.record = "boxwood.TreeStats",
                       .record_doc = DOC_TreeStats,
                       .size = sizeof(bw_tree_stats),
                       .fields = stats_fields};

static const field update_fields[] = {
    FIELD_ENUM(bw_update_report, action, "Action"), FIELD(bw_update_report, reason, 's'),
    FIELD(bw_update_report, quality, 'd'), FIELD(bw_update_report, boxes, 'I'), END_OF_FIELDS};
static schema update = {.record = "boxwood.UpdateReport",
                        .record_doc = DOC_UpdateReport,
                        .size = sizeof(bw_update_report),
                        .fields = update_fields};

typedef struct node_row {
    bw_box box;
    uint32_t depth;
    bool leaf;
    uint32_t primitive_count;
} node_row;
static const field node_fields[] = {{"box", 'f', offsetof(node_row, box), 2, 3, NULL},
                                    FIELD(node_row, depth, 'I'),
                                    FIELD(node_row, leaf, '?'),
                                    FIELD(node_row, primitive_count, 'I'),
                                    END_OF_FIELDS};
static schema node = {.record = "boxwood.TreeNode",
                      .table = "boxwood.TreeNodes",
                      .record_doc = DOC_TreeNode,
                      .table_doc = DOC_TreeNodes,
                      .size = sizeof(node_row),
                      .fields = node_fields};

static PyTypeObject *core_type;
static Core *closed_core; /* of all Trees that are closed */

static void Core_dealloc(PyObject *self)
{
    bw_tree_destroy(((Core *)self)->tree);
    free_object(self);
}

/* Takes over the tree, also where it fails. */
static Core *core_new(bw_tree *tree)
{
    Core *core = new_object(core_type);
    if (core == NULL)
        bw_tree_destroy(tree);
    else
        core->tree = tree;
    return core;
}

/* Takes over the core's reference, also where it fails; a NULL core is a failure before. */
static PyObject *tree_object(PyTypeObject *type, Core *core, Mesh *mesh)
{
    if (core == NULL)
        return NULL;
    Tree *made = new_object(type);
    if (made == NULL) {
        drop(core);
        return NULL;
    }
    made->core = core;
    keep(mesh);
    made->mesh = mesh;
    return (PyObject *)made;
}

static Core *build(Mesh *mesh, bw_tree_desc *desc, PyObject *progress)
{
    bw_tree *tree = NULL;
    watch w;
    bw_fault fault;
    bw_result result;
    if (!watch_init(&w, progress, 0))
        return NULL;
    desc->progress = watch_hook(&w);
    UNLOCKED(result = bw_tree_create(desc, &mesh->mesh, &tree, &fault));
    if (!watch_end(&w)) {
        bw_tree_destroy(tree);
        return NULL;
    }
    if (result == BW_OK)
        return core_new(tree);
    raise_fault(result, &fault);
    return NULL;
}

/* The tree that a mesh keeps: a borrowed reference. */
static Core *core_of(Mesh *mesh)
{
    if (!is_open(mesh))
        return NULL;
    if (mesh->core == NULL) {
        if (!shared_read(mesh)) /* so that it is not closed meanwhile */
            return NULL;
        Core *core = build(mesh, &BW_SIZED(bw_tree_desc), NULL);
        shared_done(mesh);
        if (core == NULL)
            return NULL;
        if (mesh->core == NULL)
            mesh->core = core;
        else /* another thread was faster */
            drop(core);
    }
    return mesh->core;
}

PyObject *tree_default(Mesh *mesh)
{
    Core *core = core_of(mesh);
    keep(core);
    return tree_object(tree_type, core, mesh);
}

static bool quarantine_of(PyObject *object, uint32_t *out)
{
    *out = 0;
    if (object == NULL || object == Py_None || object == Py_False)
        return true;
    if (object == Py_True) {
        *out = BW_DEFECTS_FATAL;
        return true;
    }
    PyObject *list = PySequence_List(object);
    if (list == NULL || PyUnicode_Check(object)) {
        drop(list);
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "quarantine must be True, False or a list of defects, not %R", object);
        return false;
    }
    bool fine = true;
    for (Py_ssize_t i = 0; fine && i < PyList_Size(list); i++) {
        int defect = 0;
        fine = get_choice(PyList_GetItem(list, i), "quarantine", words_defect, &defect);
        *out |= BW_DEFECT_BIT(defect);
    }
    drop(list);
    return fine;
}

bool builder_get(PyObject *object, bw_builder *out)
{
    int builder = *out;
    const bool fine = get_choice(object, "builder", words_builder, &builder);
    *out = (bw_builder)builder;
    return fine;
}

static PyObject *Tree_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Tree);
    bw_tree_desc desc = BW_SIZED(bw_tree_desc);
    tasks threads;
    Mesh *mesh = mesh_get(v[ARG_Tree_mesh], "mesh");
    if (mesh == NULL || !builder_get(v[ARG_Tree_builder], &desc.builder) ||
        !get_bool(v[ARG_Tree_compact], "compact", &desc.compact) ||
        !get_bool(v[ARG_Tree_deforms], "deforms", &desc.deforms) ||
        !quarantine_of(v[ARG_Tree_quarantine], &desc.quarantine) || !tasks_get(v[ARG_Tree_pool], &threads))
        return NULL;
    desc.tasks = threads.hook;
    Core *core = build(mesh, &desc, v[ARG_Tree_progress]);
    tasks_done(&threads);
    return tree_object(type, core, mesh);
}

/* The tree itself stays with those who have it too: a Mesh, other Trees, a World, an Anytime. */
static void Tree_release(PyObject *self)
{
    Tree *t = (Tree *)self;
    Core *core = t->core;
    Mesh *mesh = t->mesh;
    keep(closed_core);
    t->core = closed_core;
    t->mesh = NULL;
    t->last_mesh = mesh;
    drop(core);
    drop(mesh);
}

static bool core_idle(PyObject *self)
{
    return shared_idle(((Tree *)self)->core);
}

CLOSING(Tree, core_idle)

static void Tree_dealloc(PyObject *self)
{
    Tree *t = (Tree *)self;
    PyObject_GC_UnTrack(self);
    if (t->weak != NULL)
        PyObject_ClearWeakRefs(self);
    drop(t->core);
    drop(t->mesh);
    free_object(self);
}

static int Tree_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Tree *)self)->mesh);
    return 0;
}

/* ---- changes ---- */

static bool ranges_of(PyObject *object, array *out)
{
    static const want wanted = {'i', 1, {2, 0, 0}, false, NULL};
    memset(out, 0, sizeof *out);
    return object == NULL || object == Py_None || array_get(object, "ranges", &wanted, out);
}

FUNCTION(Tree_update)
{
    ARGUMENTS(Tree_update);
    Tree *t = (Tree *)self;
    bw_update_desc desc = BW_SIZED(bw_update_desc);
    bw_update_report report = BW_SIZED(bw_update_report);
    int policy = BW_UPDATE_REFIT;
    PyObject *vertices = v[ARG_Tree_update_vertices];
    array ranges;
    if (!get_choice(v[ARG_Tree_update_policy], "policy", words_policy, &policy) ||
        !ranges_of(v[ARG_Tree_update_ranges], &ranges))
        return NULL;
    PyObject *made = NULL;
    Mesh *mesh = t->mesh;
    Core *core = t->core;
    keep(mesh);
    keep(core);
    if (!is_open(t))
        goto out;
    if (vertices != NULL && vertices != Py_None) {
        Mesh *moved = (Mesh *)mesh_with_vertices(mesh, vertices);
        if (moved == NULL)
            goto out;
        drop(mesh);
        mesh = moved;
    }
    tasks threads;
    watch w;
    if (!watch_init(&w, v[ARG_Tree_update_progress], 0) || !tasks_get(v[ARG_Tree_update_pool], &threads))
        goto out;
    if (is_open(t) && shared_write(core)) { /* open still: arguments can call functions of the caller's */
        bw_fault fault;
        bw_result result;
        desc.policy = (bw_update_policy)policy;
        desc.ranges = ranges.data;
        desc.range_count = array_count(&ranges);
        desc.tasks = threads.hook;
        desc.progress = watch_hook(&w);
        core->for_rays = false;
        UNLOCKED(result = bw_tree_update(core->tree, &mesh->mesh, &desc, &report, &fault));
        shared_done(core);
        const bool fine = watch_end(&w);
        if (result != BW_OK) {
            if (fine)
                raise_fault(result, &fault);
        } else {
            if (mesh != t->mesh) { /* the old mesh no longer has this tree */
                Mesh *old = t->mesh;
                if (old->core == core) {
                    old->core = NULL;
                    mesh->core = core;
                }
                keep(mesh);
                t->mesh = mesh;
                drop(old);
            }
            made = fine ? record_new(&update, &report) : NULL;
        }
    }
    tasks_done(&threads);
out:
    drop(core);
    drop(mesh);
    array_release(&ranges);
    return made;
}

typedef bw_result edit_fn(bw_tree *tree, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                          bw_fault *fault);

static PyObject *edit(Tree *t, PyObject *primitives, edit_fn *change)
{
    array list;
    if (!array_indices(primitives, "primitives", &list))
        return NULL;
    bw_fault fault;
    bw_result result = BW_OK;
    const bool fine = shared_write(t->core);
    if (fine) {
        t->core->for_rays = false;
        UNLOCKED(result = change(t->core->tree, &t->mesh->mesh, list.data, array_count(&list), &fault));
        shared_done(t->core);
    }
    array_release(&list);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

FUNCTION(Tree_insert)
{
    ARGUMENTS(Tree_insert);
    return edit((Tree *)self, v[ARG_Tree_insert_primitives], bw_tree_insert);
}

FUNCTION(Tree_remove)
{
    ARGUMENTS(Tree_remove);
    return edit((Tree *)self, v[ARG_Tree_remove_primitives], bw_tree_remove);
}

static bw_result prepare_distances(bw_tree *tree, const bw_mesh *mesh, uint32_t cells, const bw_tasks *hook,
                                   bw_fault *fault)
{
    (void)cells;
    return bw_tree_prepare_distances(tree, mesh, hook, fault);
}

static bw_result prepare_rays(bw_tree *tree, const bw_mesh *mesh, uint32_t cells, const bw_tasks *hook,
                              bw_fault *fault)
{
    (void)cells;
    return bw_tree_prepare_rays(tree, mesh, hook, fault);
}

enum { RAYS = 1 };
static const char *const words_prepare[] = {"distances", "rays", "clearance", END_OF_WORDS};

FUNCTION(Tree_prepare)
{
    ARGUMENTS(Tree_prepare);
    Tree *t = (Tree *)self;
    int what = 0;
    uint32_t cells = 0;
    tasks threads;
    if (!get_choice(v[ARG_Tree_prepare_what], "what", words_prepare, &what) ||
        !get_u32(v[ARG_Tree_prepare_cells], "cells", &cells) ||
        !tasks_get(v[ARG_Tree_prepare_pool], &threads))
        return NULL;
    static bw_result (*const prepare[])(bw_tree *, const bw_mesh *, uint32_t, const bw_tasks *,
                                        bw_fault *) = {prepare_distances, prepare_rays,
                                                       bw_tree_prepare_clearance};
    bw_fault fault;
    bw_result result = BW_OK;
    const bool fine = shared_write(t->core);
    if (fine) {
        UNLOCKED(result = prepare[what](t->core->tree, &t->mesh->mesh, cells, threads.hook, &fault));
        t->core->for_rays |= result == BW_OK && what == RAYS;
        shared_done(t->core);
    }
    tasks_done(&threads);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

bool tree_for_rays(const void *object)
{
    return Py_TYPE((PyObject *)(uintptr_t)object) == core_type && ((const Core *)object)->for_rays;
}

/* ---- looking inside ---- */

FUNCTION(Tree_stats)
{
    ARGUMENTS(Tree_stats);
    Tree *t = (Tree *)self;
    bw_tree_stats out = BW_SIZED(bw_tree_stats);
    if (!shared_read(t->core))
        return NULL;
    bw_tree_get_stats(t->core->tree, &out);
    shared_done(t->core);
    return record_new(&stats, &out);
}

FUNCTION(Tree_check)
{
    ARGUMENTS(Tree_check);
    Tree *t = (Tree *)self;
    const char *fault;
    if (!shared_read(t->core))
        return NULL;
    UNLOCKED(fault = bw_tree_check(t->core->tree, &t->mesh->mesh));
    shared_done(t->core);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

static bool visit(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    const node_row row = {*box, depth, primitives != NULL, count};
    return grown_add(user, &row, 1);
}

FUNCTION(Tree_nodes)
{
    ARGUMENTS(Tree_nodes);
    Tree *t = (Tree *)self;
    grown rows = {.size = sizeof(node_row)};
    bw_fault fault;
    bw_result result;
    if (!shared_read(t->core))
        return NULL;
    UNLOCKED(result = bw_tree_visit(t->core->tree, visit, &rows, &fault));
    shared_done(t->core);
    if (result != BW_OK || rows.failed) {
        block_free(rows.data);
        return result != BW_OK ? raise_fault(result, &fault) : PyErr_NoMemory();
    }
    return table_new(&node, rows.data, rows.count, NULL);
}

static bool visit_node(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                       uint32_t count)
{
    const Py_ssize_t corners[2] = {2, 3}, size[1] = {count};
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *bounds = array_copy(box, 'f', 2, corners);
    PyObject *list = bounds == NULL       ? NULL
                     : primitives == NULL ? Py_NewRef(Py_None)
                                          : array_copy(primitives, 'I', 1, size);
    PyObject *answer = callback_call(user, list == NULL ? NULL : Py_BuildValue("(OIO)", bounds, depth, list));
    const bool fine = answer != NULL && answer != Py_False;
    Py_XDECREF(bounds);
    Py_XDECREF(list);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return fine;
}

FUNCTION(Tree_visit)
{
    ARGUMENTS(Tree_visit);
    Tree *t = (Tree *)self;
    callback visitor;
    bw_fault fault;
    bw_result result;
    if (!callback_get(v[ARG_Tree_visit_visitor], "visitor", &visitor))
        return NULL;
    if (visitor.function == NULL) {
        PyErr_SetString(PyExc_TypeError, "visitor must be a function, not None");
        return NULL;
    }
    if (!shared_read(t->core))
        return NULL;
    UNLOCKED(result = bw_tree_visit(t->core->tree, visit_node, &visitor, &fault));
    shared_done(t->core);
    if (!callback_end(&visitor))
        return NULL;
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

static PyObject *Tree_get_bounds(PyObject *self, void *closure)
{
    (void)closure;
    Tree *t = (Tree *)self;
    if (!shared_read(t->core))
        return NULL;
    const bw_box box = bw_tree_bounds(t->core->tree);
    shared_done(t->core);
    const Py_ssize_t shape[2] = {2, 3};
    return array_copy(&box, 'f', 2, shape);
}

FUNCTION(Tree_bounds_at)
{
    ARGUMENTS(Tree_bounds_at);
    Tree *t = (Tree *)self;
    bw_transform storage;
    const bw_transform *pose;
    if (!get_pose(v[ARG_Tree_bounds_at_pose], "pose", &storage, &pose) || !shared_read(t->core))
        return NULL;
    bw_box box = bw_tree_bounds(t->core->tree);
    shared_done(t->core);
    if (pose != NULL)
        box = bw_box_transformed(&box, pose);
    const Py_ssize_t shape[2] = {2, 3};
    return array_copy(&box, 'f', 2, shape);
}

static PyObject *Tree_get_quarantined(PyObject *self, void *closure)
{
    (void)closure;
    Tree *t = (Tree *)self;
    if (!shared_read(t->core))
        return NULL;
    uint32_t count = 0;
    const uint32_t *list = bw_tree_quarantine(t->core->tree, &count);
    const Py_ssize_t shape[1] = {count};
    PyObject *made = array_copy(list, 'I', 1, shape);
    shared_done(t->core);
    return made;
}

static PyObject *Tree_get_mesh(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? Py_NewRef((PyObject *)((Tree *)self)->mesh) : NULL;
}

static PyObject *Tree_repr(PyObject *self)
{
    Tree *t = (Tree *)self;
    bw_tree_stats out = BW_SIZED(bw_tree_stats);
    if (is_closed(t))
        return closed_repr(self);
    if (!shared_read(t->core))
        return NULL;
    bw_tree_get_stats(t->core->tree, &out);
    shared_done(t->core);
    return PyUnicode_FromFormat("Tree(%u primitives, %u nodes, %zu bytes)", out.primitives, out.nodes,
                                out.bytes);
}

/* ---- bytes ---- */

FUNCTION(Tree_save)
{
    ARGUMENTS(Tree_save);
    Tree *t = (Tree *)self;
    if (!shared_read(t->core))
        return NULL;
    const size_t size = bw_tree_saved_size(t->core->tree);
    bw_fault fault;
    bw_result result = BW_ERROR_UNSUPPORTED;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (made != NULL) {
        char *bytes = PyBytes_AsString(made);
        UNLOCKED(result = bw_tree_save(t->core->tree, bytes, size, &fault));
    }
    shared_done(t->core);
    if (made != NULL && result != BW_OK) {
        drop(made);
        return raise_fault(result, &fault);
    }
    return made;
}

/* Whether the mesh can be the one of a tree from bytes: what queries would read of it is there. */
static bool fits(const bw_tree *tree, const bw_mesh *mesh)
{
    uint32_t quarantined = 0;
    const uint32_t *left_out = bw_tree_quarantine(tree, &quarantined);
    const uint32_t primitives = bw_mesh_primitive_count(mesh);
    bw_tree_stats out = BW_SIZED(bw_tree_stats);
    bw_tree_get_stats(tree, &out);
    if (out.primitives + out.quarantined > primitives)
        return false;
    for (uint32_t i = 0, next = 0; mesh->indices != NULL && i < primitives; i++) {
        if (next < quarantined && left_out[next] == i) {
            next++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            if (mesh->indices[3 * (size_t)i + (size_t)k] >= mesh->vertex_count)
                return false;
    }
    return true;
}

static PyObject *Tree_load(PyObject *type, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    ARGUMENTS(Tree_load);
    Mesh *mesh = mesh_get(v[ARG_Tree_load_mesh], "mesh");
    Py_buffer data;
    if (mesh == NULL || PyObject_GetBuffer(v[ARG_Tree_load_data], &data, PyBUF_SIMPLE) < 0)
        return NULL;
    bw_tree *tree = NULL;
    bw_fault fault;
    bw_result result;
    bool fine = true;
    PyThreadState *state = PyEval_SaveThread();
    result = bw_tree_load(data.buf, (size_t)data.len, NULL, &tree, &fault);
    if (result == BW_OK)
        fine = fits(tree, &mesh->mesh);
    PyEval_RestoreThread(state);
    PyBuffer_Release(&data);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    if (!fine) {
        bw_tree_destroy(tree);
        return raise_fault(BW_ERROR_MISMATCH, NULL);
    }
    return tree_object((PyTypeObject *)type, core_new(tree), mesh);
}

/* (Tree.load, (bytes, mesh)) */
static PyObject *Tree_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    PyObject *bytes = Tree_save(self, NULL, 0, NULL);
    PyObject *load = bytes == NULL ? NULL : PyObject_GetAttrString((PyObject *)Py_TYPE(self), "load");
    PyObject *made = load == NULL ? NULL : Py_BuildValue("(O(OO))", load, bytes, ((Tree *)self)->mesh);
    drop(bytes);
    drop(load);
    return made;
}

/* ---- bodies of queries ---- */

bool held_get(PyObject *object, PyObject *pose, const char *name, const char *pose_name, held *out)
{
    memset(out, 0, sizeof *out);
    if (!get_pose(pose, pose_name, &out->pose, &out->body.pose))
        return false;
    Core *core;
    if (Py_TYPE(object) == tree_type) {
        core = ((Tree *)object)->core;
        out->mesh = ((Tree *)object)->mesh;
    } else if (Py_TYPE(object) == mesh_type) {
        out->mesh = (Mesh *)object;
        core = core_of(out->mesh);
        if (core == NULL)
            return false;
    } else if (is_kinetic(object)) {
        if (!kinetic_body(object, &out->body))
            return false;
        keep(object);
        out->object = object;
        return true;
    } else {
        PyErr_Format(PyExc_TypeError, "%s must be a boxwood.Tree, Mesh or KineticMesh, not %R", name, object);
        return false;
    }
    if (!shared_read(core))
        return false;
    keep(core);
    keep(out->mesh);
    out->object = core;
    out->body.tree = core->tree;
    out->body.mesh = &out->mesh->mesh;
    return true;
}

void held_done(held *h)
{
    if (h->object == NULL)
        return;
    shared_done(h->object);
    drop(h->object);
    drop(h->mesh);
    h->object = NULL;
}

static PyMethodDef methods[] = {ENTRY("update", Tree_update),
                                ENTRY("insert", Tree_insert),
                                ENTRY("remove", Tree_remove),
                                ENTRY("prepare", Tree_prepare),
                                ENTRY("bounds_at", Tree_bounds_at),
                                ENTRY("stats", Tree_stats),
                                ENTRY("check", Tree_check),
                                ENTRY("nodes", Tree_nodes),
                                ENTRY("visit", Tree_visit),
                                ENTRY("save", Tree_save),
                                CLOSING_ENTRIES(Tree),
                                {"load", (PyCFunction)(void (*)(void))Tree_load,
                                 METH_FASTCALL | METH_KEYWORDS | METH_CLASS, DOC_Tree_load},
                                {"__reduce__", Tree_reduce, METH_NOARGS, NULL},
                                END_OF_METHODS};
static PyGetSetDef getters[] = {{"mesh", Tree_get_mesh, NULL, DOC_Tree_mesh, NULL},
                                {"bounds", Tree_get_bounds, NULL, DOC_Tree_bounds, NULL},
                                {"quarantined", Tree_get_quarantined, NULL, DOC_Tree_quarantined, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(Tree, weak), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_new, Tree_new},    {Py_tp_dealloc, Tree_dealloc}, {Py_tp_traverse, Tree_traverse},
    {Py_tp_repr, Tree_repr},  {Py_tp_methods, methods},      {Py_tp_getset, getters},
    {Py_tp_members, members}, {Py_tp_doc, (void *)DOC_Tree}, {0, NULL}};
static PyType_Spec spec = {"boxwood.Tree", sizeof(Tree), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
static PyType_Slot core_slots[] = {{Py_tp_dealloc, Core_dealloc}, {0, NULL}};
static PyType_Spec core_spec = {"boxwood._core._Core", sizeof(Core), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, core_slots};

bool tree_init(PyObject *module)
{
    if (!schema_register(module, &stats) || !schema_register(module, &update) ||
        !schema_register(module, &node) || !add_type(module, &core_spec, &core_type) ||
        !add_type(module, &spec, &tree_type) || (closed_core = new_object(core_type)) == NULL)
        return false;
    closed_core->users = CLOSED;
    return true;
}
