/* Scenes in scenes: instances, who may use which scene at a time, and paths. */
#include "scene.h"

#include <string.h>

/* ---- readers and writers ---- */

static bool add_holder(scene_held *h, uint32_t *capacity, Scene *s)
{
    for (uint32_t i = 0; i < h->count; i++)
        if (h->all[i] == s)
            return true;
    if (h->count == *capacity) {
        Scene **more = PyMem_Realloc(h->all, 2 * (size_t)(*capacity + 4) * sizeof *more);
        if (more == NULL) {
            PyErr_NoMemory();
            return false;
        }
        h->all = more;
        *capacity = 2 * (*capacity + 4);
    }
    h->all[h->count++] = s;
    return true;
}

/* The scenes and all that hold them, each once. */
static bool all_holders(Scene *s, Scene *other, scene_held *h)
{
    uint32_t capacity = 0;
    h->all = NULL;
    bool fine = add_holder(h, &capacity, s) && (other == NULL || add_holder(h, &capacity, other));
    for (uint32_t i = 0; fine && i < h->count; i++)
        for (uint32_t k = 0; fine && k < h->all[i]->parent_count; k++)
            fine = add_holder(h, &capacity, h->all[i]->parents[k].scene);
    if (!fine)
        PyMem_Free(h->all);
    return fine;
}

static bool hold(Scene *s, Scene *other, bool write, scene_held *h)
{
    *h = (scene_held){.write = write};
    if (s->parent_count == 0 && other == NULL) {
        h->one[0] = s;
        h->all = h->one;
        h->count = 1;
    } else if (!all_holders(s, other, h)) {
        return false;
    }
    /* A reader holds the scene alone: writers hold all above what they write. */
    const uint32_t wanted = write ? h->count : 1;
    uint32_t done = 0;
    while (done < wanted && (write ? shared_write(h->all[done]) : shared_read(h->all[done])))
        done++;
    if (done == wanted && tasks_lend(s->pool, &h->threads)) {
        for (uint32_t i = 0; i < h->count; i++)
            keep(h->all[i]); /* none goes away meanwhile, which would write its children */
        return true;
    }
    while (done > 0)
        shared_done(h->all[--done]);
    if (h->all != h->one)
        PyMem_Free(h->all);
    return false;
}

bool scene_read(Scene *s, scene_held *out)
{
    return hold(s, NULL, false, out);
}

bool scene_write(Scene *s, Scene *other, scene_held *out)
{
    return hold(s, other, true, out);
}

void scene_done(scene_held *h)
{
    tasks_return(&h->threads);
    for (uint32_t i = 0; i < (h->write ? h->count : 1); i++)
        shared_done(h->all[i]);
    for (uint32_t i = 0; i < h->count; i++)
        drop(h->all[i]);
    if (h->all != h->one)
        PyMem_Free(h->all);
}

/* ---- instances ---- */

static bool join_child(Scene *s, Scene *child)
{
    for (uint32_t i = 0; i < child->parent_count; i++)
        if (child->parents[i].scene == s) {
            child->parents[i].count++;
            return true;
        }
    if (child->parent_count == child->parent_capacity) {
        const uint32_t capacity = 2 * (child->parent_capacity + 2);
        scene_parent *more = PyMem_Realloc(child->parents, capacity * sizeof *more);
        if (more == NULL) {
            PyErr_NoMemory();
            return false;
        }
        child->parents = more;
        child->parent_capacity = capacity;
    }
    child->parents[child->parent_count++] = (scene_parent){s, 1};
    return true;
}

static void leave_child(Scene *s, Scene *child)
{
    for (uint32_t i = 0; i < child->parent_count; i++)
        if (child->parents[i].scene == s && --child->parents[i].count == 0) {
            child->parents[i] = child->parents[--child->parent_count];
            return;
        }
}

/* The child of an instance, borrowed, or NULL. */
static Scene *child_of(const Scene *s, bw_id id)
{
    PyObject *key = s->instances == NULL ? NULL : PyLong_FromUnsignedLongLong(id);
    PyObject *child = key == NULL ? NULL : PyDict_GetItemWithError(s->instances, key);
    Py_XDECREF(key);
    return (Scene *)child;
}

void scene_forget(Scene *s, bw_id id)
{
    Scene *child = child_of(s, id);
    PyObject *key = child == NULL ? NULL : PyLong_FromUnsignedLongLong(id);
    if (key == NULL)
        return;
    leave_child(s, child);
    PyDict_DelItem(s->instances, key);
    Py_DECREF(key);
}

void scene_leave(Scene *s)
{
    PyObject *id, *child, *instances = s->instances;
    Py_ssize_t at = 0;
    while (instances != NULL && PyDict_Next(instances, &at, &id, &child))
        leave_child(s, (Scene *)child);
    s->instances = NULL;
    PyMem_Free(s->parents);
    s->parents = NULL;
    s->parent_capacity = 0;
    drop(instances);
}

bool scene_may_close(PyObject *self)
{
    const Scene *s = (Scene *)self;
    PyObject *id, *child;
    Py_ssize_t at = 0;
    if (s->parent_count != 0) {
        PyErr_SetString(PyExc_RuntimeError, "this Scene is in another Scene: remove it there first");
        return false;
    }
    while (s->instances != NULL && PyDict_Next(s->instances, &at, &id, &child))
        if (!shared_idle(child)) /* they are told that it goes */
            return false;
    return true;
}

METHOD(Scene_insert_scene)
{
    ARGUMENTS(Scene_insert_scene);
    Scene *s = (Scene *)self, *child = (Scene *)v[ARG_Scene_insert_scene_child];
    bw_transform at = bw_transform_identity();
    const bw_transform *pose;
    uint64_t user = 0;
    bw_id id = 0;
    bw_fault fault;
    bw_result result;
    scene_held held_scenes;
    if (Py_TYPE((PyObject *)child) != scene_type) {
        PyErr_Format(PyExc_TypeError, "child must be a boxwood.Scene, not %R", (PyObject *)child);
        return NULL;
    }
    if (!get_pose(v[ARG_Scene_insert_scene_pose], "pose", &at, &pose) ||
        !get_u64(v[ARG_Scene_insert_scene_user], "user", &user))
        return NULL;
    if (!is_open(s) || !is_open(child) || (s->instances == NULL && (s->instances = PyDict_New()) == NULL))
        return NULL;
    if (!scene_write(s, child, &held_scenes))
        return NULL;
    UNLOCKED(result = bw_scene_insert_scene(s->scene, child->scene, &at, user, &id, &fault));
    PyObject *made = result == BW_OK ? PyLong_FromUnsignedLongLong(id) : raise_fault(result, &fault);
    const bool kept = made != NULL && join_child(s, child);
    if (kept && PyDict_SetItem(s->instances, made, (PyObject *)child) == 0) {
        scene_done(&held_scenes);
        return made;
    }
    if (kept)
        leave_child(s, child);
    if (result == BW_OK) /* no memory to remember it: as it was */
        bw_scene_remove(s->scene, id, NULL);
    scene_done(&held_scenes);
    Py_XDECREF(made);
    return NULL;
}

METHOD(Scene_set_pose)
{
    ARGUMENTS(Scene_set_pose);
    Scene *s = (Scene *)self;
    bw_transform at = bw_transform_identity();
    const bw_transform *pose;
    uint64_t id = 0;
    bw_fault fault;
    bw_result result;
    scene_held held_scenes;
    if (!get_u64(v[ARG_Scene_set_pose_id], "id", &id) ||
        !get_pose(v[ARG_Scene_set_pose_pose], "pose", &at, &pose) || !scene_write(s, NULL, &held_scenes))
        return NULL;
    UNLOCKED(result = bw_scene_set_pose(s->scene, id, &at, &fault));
    scene_done(&held_scenes);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

static PyObject *matrix_of(const bw_transform *pose)
{
    double matrix[16] = {[15] = 1};
    memcpy(matrix, pose, sizeof *pose);
    const Py_ssize_t shape[2] = {4, 4};
    return array_copy(matrix, 'd', 2, shape);
}

METHOD(Scene_child)
{
    ARGUMENTS(Scene_child);
    Scene *s = (Scene *)self;
    uint64_t id = 0;
    bw_transform pose;
    bw_fault fault;
    scene_held held_scenes;
    if (!get_u64(v[ARG_Scene_child_id], "id", &id) || !scene_read(s, &held_scenes))
        return NULL;
    const bw_result result = bw_scene_get(s->scene, id, NULL, NULL, &fault);
    const bool instance = result == BW_OK && bw_scene_child(s->scene, id, &pose) != NULL;
    scene_done(&held_scenes);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    if (!instance)
        Py_RETURN_NONE;
    PyObject *matrix = matrix_of(&pose);
    return matrix == NULL ? NULL : Py_BuildValue("(ON)", (PyObject *)child_of(s, id), matrix);
}

/* ---- paths ---- */

typedef struct ScenePaths {
    PyObject_HEAD int users;
    bw_scene_paths *paths;
    Scene *scene; /* the outermost; NULL: not used yet */
} ScenePaths;
static PyTypeObject *paths_type;

static PyObject *ScenePaths_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(ScenePaths);
    ScenePaths *made = new_object(type);
    if (made == NULL)
        return NULL;
    const bw_result result = bw_scene_paths_create(NULL, &made->paths);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, NULL);
}

static void ScenePaths_release(PyObject *self)
{
    ScenePaths *p = (ScenePaths *)self;
    Scene *scene = p->scene;
    bw_scene_paths_destroy(p->paths);
    p->paths = NULL;
    p->scene = NULL;
    drop(scene);
}

CLOSING(ScenePaths, NULL)

static void ScenePaths_dealloc(PyObject *self)
{
    ScenePaths_release(self);
    free_object(self);
}

bool paths_get(PyObject *object, Scene *scene, bw_scene_paths **out, void **held_paths)
{
    *out = NULL;
    *held_paths = NULL;
    if (object == NULL || object == Py_None)
        return true;
    if (Py_TYPE(object) != paths_type) {
        PyErr_Format(PyExc_TypeError, "paths must be boxwood.ScenePaths, not %R", object);
        return false;
    }
    ScenePaths *p = (ScenePaths *)object;
    if (p->scene != NULL && p->scene != scene) {
        PyErr_SetString(PyExc_ValueError, "these paths are of another scene: reset() them, or make others");
        return false;
    }
    if (!shared_write(p))
        return false;
    if (p->scene == NULL) {
        keep(scene);
        p->scene = scene;
    }
    *out = p->paths;
    *held_paths = p;
    return true;
}

FUNCTION(ScenePaths_reset)
{
    ARGUMENTS(ScenePaths_reset);
    ScenePaths *p = (ScenePaths *)self;
    if (!shared_write(p))
        return NULL;
    bw_scene_paths_reset(p->paths);
    Scene *old = p->scene;
    p->scene = NULL;
    shared_done(p);
    drop(old);
    Py_RETURN_NONE;
}

FUNCTION(ScenePaths_get)
{
    ARGUMENTS(ScenePaths_get);
    ScenePaths *p = (ScenePaths *)self;
    uint32_t number = 0;
    bw_scene_path path = BW_SIZED(bw_scene_path);
    bw_fault fault;
    if (!get_u32(v[ARG_ScenePaths_get_path], "path", &number) || !is_open(p))
        return NULL;
    if (p->scene == NULL) {
        PyErr_SetString(PyExc_ValueError, "no query has been given these paths yet");
        return NULL;
    }
    if (!is_open(p->scene) || !shared_write(p))
        return NULL;
    const bw_result result = bw_scene_paths_get(p->paths, number, &path, &fault);
    PyObject *made = NULL;
    if (result == BW_OK) {
        Scene *inner = p->scene;
        for (uint32_t i = 0; inner != NULL && i < path.instance_count; i++)
            inner = child_of(inner, path.instances[i]);
        const Py_ssize_t shape[1] = {path.instance_count};
        PyObject *ids = inner == NULL ? NULL : array_copy(path.instances, 'Q', 1, shape);
        PyObject *matrix = ids == NULL ? NULL : matrix_of(&path.pose);
        if (matrix != NULL)
            made = Py_BuildValue("(OOO)", (PyObject *)inner, ids, matrix);
        Py_XDECREF(ids);
        Py_XDECREF(matrix);
        if (inner == NULL)
            raise_fault(BW_ERROR_STALE, NULL);
    } else {
        raise_fault(result, &fault);
    }
    shared_done(p);
    return made;
}

static PyMethodDef methods[] = {ENTRY("get", ScenePaths_get), ENTRY("reset", ScenePaths_reset),
                                CLOSING_ENTRIES(ScenePaths), END_OF_METHODS};
static PyType_Slot slots[] = {{Py_tp_new, ScenePaths_new},
                              {Py_tp_dealloc, ScenePaths_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_doc, (void *)DOC_ScenePaths},
                              {0, NULL}};
static PyType_Spec spec = {"boxwood.ScenePaths", sizeof(ScenePaths), 0, Py_TPFLAGS_DEFAULT, slots};

/* ---- what queries find ---- */

static const field object_fields[] = {FIELD(found_object, id, 'Q'), FIELD(found_object, path, 'I'),
                                      END_OF_FIELDS};
static schema object_schema = {.record = "boxwood.SceneObject",
                               .table = "boxwood.SceneObjects",
                               .record_doc = DOC_SceneObject,
                               .table_doc = DOC_SceneObjects,
                               .size = sizeof(found_object),
                               .fields = object_fields};

static bool add_objects(void *user, const bw_id *ids, size_t id_count, uint32_t path)
{
    found *f = user;
    if (!f->with_paths && !grown_add(&f->rows, ids, id_count))
        return false;
    for (size_t i = 0; f->with_paths && i < id_count; i++)
        if (!grown_add(&f->rows, &(found_object){ids[i], path}, 1))
            return false;
    for (size_t i = 0; f->visit.function != NULL && i < id_count; i++)
        if (!callback_go_on(&f->visit, "(KI)", (unsigned long long)ids[i], path)) {
            f->rows.count -= id_count - i - 1; /* the others were not visited */
            return false;
        }
    return true;
}

bool found_begin(PyObject *visit, bool with_paths, found *f, bw_scene_output *output)
{
    *f = (found){.rows = {.size = with_paths ? sizeof(found_object) : sizeof(bw_id)},
                 .with_paths = with_paths};
    output->on_objects = add_objects;
    output->user = f;
    return callback_get(visit, "visit", &f->visit);
}

PyObject *found_end(found *f, bw_result result, const bw_fault *fault)
{
    const Py_ssize_t shape[1] = {(Py_ssize_t)f->rows.count};
    const bool fine = callback_end(&f->visit);
    if (fine && result == BW_OK && !f->rows.failed)
        return f->with_paths ? table_new(&object_schema, f->rows.data, f->rows.count, NULL)
                             : array_new(f->rows.data, 'Q', 1, shape);
    block_free(f->rows.data);
    return !fine ? NULL : f->rows.failed ? PyErr_NoMemory() : raise_fault(result, fault);
}

bool nested_init(PyObject *module)
{
    return schema_register(module, &object_schema) && add_type(module, &spec, &paths_type);
}
