/* Scenes of boxes that come, go and move: objects, and questions about them. */
#include "scene.h"

#include <string.h>

PyTypeObject *scene_type;

static const field stats_fields[] = {FIELD(bw_scene_stats, object_count, 'I'),
                                     FIELD(bw_scene_stats, node_count, 'I'),
                                     FIELD(bw_scene_stats, leaf_count, 'I'),
                                     FIELD(bw_scene_stats, depth, 'I'),
                                     FIELD(bw_scene_stats, largest_leaf_count, 'I'),
                                     FIELD(bw_scene_stats, split_count, 'Q'),
                                     FIELD(bw_scene_stats, merge_count, 'Q'),
                                     FIELD(bw_scene_stats, reinserted_count, 'Q'),
                                     FIELD(bw_scene_stats, rebuilt_count, 'Q'),
                                     FIELD(bw_scene_stats, bytes, 'Q'),
                                     FIELD(bw_scene_stats, reason, 's'),
                                     END_OF_FIELDS};
static schema stats_schema = {.record = "boxwood.SceneStats",
                              .record_doc = DOC_SceneStats,
                              .size = sizeof(bw_scene_stats),
                              .fields = stats_fields};
static const field prepare_fields[] = {FIELD(bw_prepare_report, split_count, 'I'),
                                       FIELD(bw_prepare_report, recalculated_count, 'I'),
                                       FIELD(bw_prepare_report, pending_count, 'I'), END_OF_FIELDS};
static schema prepare_schema = {.record = "boxwood.PrepareReport",
                                .record_doc = DOC_PrepareReport,
                                .size = sizeof(bw_prepare_report),
                                .fields = prepare_fields};

static PyObject *Scene_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Scene);
    bw_scene_desc desc = BW_SIZED(bw_scene_desc);
    bw_fault fault;
    PyObject *pool;
    bw_tasks hook;
    if (!get_bool(v[ARG_Scene_track_pairs], "track_pairs", &desc.track_pairs) ||
        !tasks_of_object(v[ARG_Scene_pool], &pool, &hook))
        return NULL;
    Scene *made = new_object(type);
    if (made == NULL) {
        drop(pool);
        return NULL;
    }
    made->pool = pool;
    desc.tasks = pool == NULL ? NULL : &hook;
    const bw_result result = bw_scene_create(&desc, &made->scene, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void Scene_release(PyObject *self)
{
    Scene *s = (Scene *)self;
    PyObject *pool = s->pool;
    bw_scene_destroy(s->scene);
    s->scene = NULL;
    s->pool = NULL;
    scene_leave(s);
    drop(pool);
}

CLOSING(Scene, scene_may_close)

static void Scene_dealloc(PyObject *self)
{
    Scene_release(self);
    free_object(self);
}

bw_box *boxes_get(PyObject *object, uint32_t *count, bool *one)
{
    static const want wanted = {'d', 2, {2, 3, 0}, true, NULL};
    array a;
    if (!array_get(object, "boxes", &wanted, &a))
        return NULL;
    *one = a.ndim == 2;
    bw_box *boxes = NULL;
    if (a.ndim > 3) {
        PyErr_SetString(PyExc_ValueError, "boxes must have the shape (n, 2, 3)");
    } else if (count_fits(*one ? 1 : a.shape[0], "boxes", count)) {
        boxes = PyMem_Malloc(*count * sizeof *boxes + 1);
        if (boxes == NULL)
            PyErr_NoMemory();
        for (uint32_t i = 0; boxes != NULL && i < *count; i++)
            box_get((const double *)a.data + 6 * (size_t)i, &boxes[i]);
    }
    array_release(&a);
    return boxes;
}

/* Ids, one or many. */
static bool ids_get(PyObject *object, array *out, uint64_t *single, const bw_id **ids, uint32_t *count)
{
    static const want wanted = {'Q', 0, {0, 0, 0}, false, NULL};
    memset(out, 0, sizeof *out);
    if (PyLong_Check(object)) {
        *ids = single;
        *count = 1;
        return get_u64(object, "ids", single);
    }
    if (!array_get(object, "ids", &wanted, out))
        return false;
    *ids = out->data;
    *count = array_count(out);
    return true;
}

static PyObject *changed(bw_result result, const bw_fault *fault)
{
    if (result != BW_OK)
        return raise_fault(result, fault);
    Py_RETURN_NONE;
}

FUNCTION(Scene_insert)
{
    ARGUMENTS(Scene_insert);
    Scene *s = (Scene *)self;
    scene_held h;
    uint32_t total;
    bool one;
    bw_box *boxes = boxes_get(v[ARG_Scene_insert_boxes], &total, &one);
    if (boxes == NULL)
        return NULL;
    array users = {.ndim = 0};
    uint64_t single = 0;
    const bw_id *list = NULL;
    uint32_t user_count = total;
    PyObject *made = NULL;
    bool fine = v[ARG_Scene_insert_users] == NULL || v[ARG_Scene_insert_users] == Py_None ||
                ids_get(v[ARG_Scene_insert_users], &users, &single, &list, &user_count);
    if (fine && user_count != total) {
        PyErr_Format(PyExc_ValueError, "%u users for %u boxes", user_count, total);
        fine = false;
    }
    bw_id *ids = fine ? block_alloc(total, sizeof *ids) : NULL;
    if (ids != NULL && scene_write(s, NULL, &h)) {
        bw_fault fault;
        bw_result result;
        UNLOCKED(result = bw_scene_insert_many(s->scene, boxes, list, total, ids, &fault));
        scene_done(&h);
        const Py_ssize_t shape[1] = {total};
        if (result != BW_OK)
            raise_fault(result, &fault);
        else if (one)
            made = PyLong_FromUnsignedLongLong(ids[0]);
        else {
            made = array_new(ids, 'Q', 1, shape);
            ids = NULL;
        }
    }
    block_free(ids);
    array_release(&users);
    PyMem_Free(boxes);
    return made;
}

FUNCTION(Scene_move)
{
    ARGUMENTS(Scene_move);
    Scene *s = (Scene *)self;
    scene_held h;
    uint32_t total, id_count = 0;
    bool one;
    array held_ids;
    uint64_t single;
    const bw_id *ids;
    bw_box *boxes = boxes_get(v[ARG_Scene_move_boxes], &total, &one);
    if (boxes == NULL)
        return NULL;
    PyObject *made = NULL;
    if (ids_get(v[ARG_Scene_move_ids], &held_ids, &single, &ids, &id_count)) {
        if (id_count != total) {
            PyErr_Format(PyExc_ValueError, "%u ids for %u boxes", id_count, total);
        } else if (scene_write(s, NULL, &h)) {
            bw_fault fault;
            bw_result result;
            UNLOCKED(result = bw_scene_move_many(s->scene, ids, boxes, total, &fault));
            scene_done(&h);
            made = changed(result, &fault);
        }
        array_release(&held_ids);
    }
    PyMem_Free(boxes);
    return made;
}

FUNCTION(Scene_insert_sphere)
{
    ARGUMENTS(Scene_insert_sphere);
    Scene *s = (Scene *)self;
    scene_held h;
    bw_vec3 centre = {0, 0, 0};
    double radius = 0;
    uint64_t user = 0;
    bw_id id = 0;
    bw_fault fault;
    if (!get_vec3(v[ARG_Scene_insert_sphere_centre], "centre", &centre) ||
        !get_double(v[ARG_Scene_insert_sphere_radius], "radius", &radius) ||
        !get_u64(v[ARG_Scene_insert_sphere_user], "user", &user) || !scene_write(s, NULL, &h))
        return NULL;
    const bw_result result = bw_scene_insert_sphere(s->scene, centre, radius, user, &id, &fault);
    scene_done(&h);
    return result != BW_OK ? raise_fault(result, &fault) : PyLong_FromUnsignedLongLong(id);
}

FUNCTION(Scene_move_sphere)
{
    ARGUMENTS(Scene_move_sphere);
    Scene *s = (Scene *)self;
    scene_held h;
    bw_vec3 centre = {0, 0, 0};
    double radius = 0;
    uint64_t id = 0;
    bw_fault fault;
    if (!get_u64(v[ARG_Scene_move_sphere_id], "id", &id) ||
        !get_vec3(v[ARG_Scene_move_sphere_centre], "centre", &centre) ||
        !get_double(v[ARG_Scene_move_sphere_radius], "radius", &radius) || !scene_write(s, NULL, &h))
        return NULL;
    const bw_result result = bw_scene_move_sphere(s->scene, id, centre, radius, &fault);
    scene_done(&h);
    return changed(result, &fault);
}

FUNCTION(Scene_move_swept)
{
    ARGUMENTS(Scene_move_swept);
    Scene *s = (Scene *)self;
    scene_held h;
    bw_vec3 way = {0, 0, 0};
    uint64_t id = 0;
    uint32_t total;
    bool one;
    bw_fault fault;
    if (!get_u64(v[ARG_Scene_move_swept_id], "id", &id) ||
        !get_vec3(v[ARG_Scene_move_swept_displacement], "displacement", &way))
        return NULL;
    bw_box *box = boxes_get(v[ARG_Scene_move_swept_box], &total, &one);
    PyObject *made = NULL;
    if (box != NULL && !one) {
        PyErr_SetString(PyExc_ValueError, "box must have the shape (2, 3)");
    } else if (box != NULL && scene_write(s, NULL, &h)) {
        const bw_result result = bw_scene_move_swept(s->scene, id, box, way, &fault);
        scene_done(&h);
        made = changed(result, &fault);
    }
    PyMem_Free(box);
    return made;
}

FUNCTION(Scene_remove)
{
    ARGUMENTS(Scene_remove);
    Scene *s = (Scene *)self;
    scene_held h;
    array held_ids;
    uint64_t single;
    const bw_id *ids;
    uint32_t total;
    if (!ids_get(v[ARG_Scene_remove_ids], &held_ids, &single, &ids, &total))
        return NULL;
    PyObject *made = NULL;
    if (scene_write(s, NULL, &h)) {
        bw_fault fault;
        bw_result result;
        UNLOCKED(result = bw_scene_remove_many(s->scene, ids, total, &fault));
        for (uint32_t i = 0; result == BW_OK && s->instances != NULL && i < total; i++)
            scene_forget(s, ids[i]);
        scene_done(&h);
        made = changed(result, &fault);
    }
    array_release(&held_ids);
    return made;
}

FUNCTION(Scene_prepare)
{
    ARGUMENTS(Scene_prepare);
    Scene *s = (Scene *)self;
    scene_held h;
    bw_prepare_report report = BW_SIZED(bw_prepare_report);
    bw_box *region = NULL;
    bw_fault fault;
    bw_result result;
    if (v[ARG_Scene_prepare_box] != NULL && v[ARG_Scene_prepare_box] != Py_None) {
        uint32_t total;
        bool one;
        region = boxes_get(v[ARG_Scene_prepare_box], &total, &one);
        if (region == NULL)
            return NULL;
        if (!one) {
            PyMem_Free(region);
            PyErr_SetString(PyExc_ValueError, "box must have the shape (2, 3)");
            return NULL;
        }
    }
    if (!scene_write(s, NULL, &h)) {
        PyMem_Free(region);
        return NULL;
    }
    UNLOCKED(result = bw_scene_prepare(s->scene, region, &report, &fault));
    scene_done(&h);
    PyMem_Free(region);
    return result != BW_OK ? raise_fault(result, &fault) : record_new(&prepare_schema, &report);
}

FUNCTION(Scene_get)
{
    ARGUMENTS(Scene_get);
    Scene *s = (Scene *)self;
    scene_held h;
    uint64_t id = 0, user = 0;
    bw_box box;
    bw_fault fault;
    if (!get_u64(v[ARG_Scene_get_id], "id", &id) || !scene_read(s, &h))
        return NULL;
    const bw_result result = bw_scene_get(s->scene, id, &box, &user, &fault);
    scene_done(&h);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    const Py_ssize_t shape[2] = {2, 3};
    PyObject *corners = array_copy(&box, 'f', 2, shape);
    return corners == NULL ? NULL : Py_BuildValue("(NK)", corners, (unsigned long long)user);
}

static bool visit_node(void *user, const bw_box *box, uint32_t depth, const bw_id *ids, uint32_t id_count)
{
    const Py_ssize_t corners[2] = {2, 3}, size[1] = {id_count};
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *bounds = array_copy(box, 'f', 2, corners);
    PyObject *list = bounds == NULL ? NULL : array_copy(ids, 'Q', 1, size);
    PyObject *args = list == NULL ? NULL : Py_BuildValue("(OIO)", bounds, depth, list);
    PyObject *answer = callback_call(user, args);
    const bool fine = answer != NULL && answer != Py_False;
    Py_XDECREF(bounds);
    Py_XDECREF(list);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return fine;
}

FUNCTION(Scene_visit)
{
    ARGUMENTS(Scene_visit);
    Scene *s = (Scene *)self;
    scene_held h;
    callback visitor;
    bw_fault fault;
    bw_result result;
    if (!callback_get(v[ARG_Scene_visit_visitor], "visitor", &visitor))
        return NULL;
    if (visitor.function == NULL) {
        PyErr_SetString(PyExc_TypeError, "visitor must be a function, not None");
        return NULL;
    }
    if (!scene_read(s, &h))
        return NULL;
    UNLOCKED(result = bw_scene_visit(s->scene, visit_node, &visitor, &fault));
    scene_done(&h);
    return callback_end(&visitor) ? changed(result, &fault) : NULL;
}

FUNCTION(Scene_stats)
{
    ARGUMENTS(Scene_stats);
    Scene *s = (Scene *)self;
    scene_held h;
    bw_scene_stats out = BW_SIZED(bw_scene_stats);
    if (!scene_read(s, &h))
        return NULL;
    bw_scene_get_stats(s->scene, &out);
    scene_done(&h);
    return record_new(&stats_schema, &out);
}

static Py_ssize_t Scene_length(PyObject *self)
{
    return is_open(self) ? (Py_ssize_t)bw_scene_count(((Scene *)self)->scene) : -1;
}

static int Scene_has(PyObject *self, PyObject *id)
{
    uint64_t value = 0;
    return get_u64(id, "id", &value) && is_open(self) ? bw_scene_has(((Scene *)self)->scene, value) : -1;
}

static PyObject *Scene_repr(PyObject *self)
{
    const Scene *s = (Scene *)self;
    if (is_closed(s))
        return closed_repr(self);
    const Py_ssize_t scenes = s->instances == NULL ? 0 : PyDict_Size(s->instances);
    return scenes == 0 ? PyUnicode_FromFormat("Scene(%u objects)", bw_scene_count(s->scene))
                       : PyUnicode_FromFormat("Scene(%u objects, %zd of them scenes)",
                                              bw_scene_count(s->scene), scenes);
}

FUNCTION(Scene_set_user)
{
    ARGUMENTS(Scene_set_user);
    Scene *s = (Scene *)self;
    scene_held h;
    uint64_t id = 0, user = 0;
    bw_fault fault;
    if (!get_u64(v[ARG_Scene_set_user_id], "id", &id) ||
        !get_u64(v[ARG_Scene_set_user_user], "user", &user) || !scene_write(s, NULL, &h))
        return NULL;
    const bw_result result = bw_scene_set_user(s->scene, id, user, &fault);
    scene_done(&h);
    return changed(result, &fault);
}

FUNCTION(Scene_check)
{
    ARGUMENTS(Scene_check);
    Scene *s = (Scene *)self;
    scene_held h;
    const char *fault;
    if (!scene_read(s, &h))
        return NULL;
    UNLOCKED(fault = bw_scene_check(s->scene));
    scene_done(&h);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

static PyObject *Scene_get_bounds(PyObject *self, void *closure)
{
    (void)closure;
    scene_held h;
    if (!scene_read((Scene *)self, &h))
        return NULL;
    const bw_box box = bw_scene_bounds(((Scene *)self)->scene);
    const bool empty = bw_scene_count(((Scene *)self)->scene) == 0;
    scene_done(&h);
    if (empty)
        Py_RETURN_NONE;
    const Py_ssize_t shape[2] = {2, 3};
    return array_copy(&box, 'f', 2, shape);
}

static PyMethodDef scene_methods[] = {ENTRY("insert", Scene_insert),
                                      ENTRY("check", Scene_check),
                                      ENTRY("set_user", Scene_set_user),
                                      ENTRY("insert_scene", Scene_insert_scene),
                                      ENTRY("set_pose", Scene_set_pose),
                                      ENTRY("child", Scene_child),
                                      ENTRY("move", Scene_move),
                                      ENTRY("remove", Scene_remove),
                                      ENTRY("insert_sphere", Scene_insert_sphere),
                                      ENTRY("move_sphere", Scene_move_sphere),
                                      ENTRY("move_swept", Scene_move_swept),
                                      ENTRY("query_many", Scene_query_many),
                                      ENTRY("prepare", Scene_prepare),
                                      ENTRY("get", Scene_get),
                                      ENTRY("query", Scene_query),
                                      ENTRY("pairs", Scene_pairs),
                                      ENTRY("pairs_changed", Scene_pairs_changed),
                                      ENTRY("nearest", Scene_nearest),
                                      ENTRY("cast", Scene_cast),
                                      ENTRY("visit", Scene_visit),
                                      ENTRY("stats", Scene_stats),
                                      CLOSING_ENTRIES(Scene),
                                      END_OF_METHODS};
static PyGetSetDef scene_getters[] = {{"bounds", Scene_get_bounds, NULL, DOC_Scene_bounds, NULL},
                                      {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot scene_slots[] = {
    {Py_tp_new, Scene_new},         {Py_tp_dealloc, Scene_dealloc}, {Py_tp_repr, Scene_repr},
    {Py_tp_methods, scene_methods}, {Py_tp_getset, scene_getters},  {Py_sq_length, Scene_length},
    {Py_sq_contains, Scene_has},    {Py_tp_doc, (void *)DOC_Scene}, {0, NULL}};
static PyType_Spec scene_spec = {"boxwood.Scene", sizeof(Scene), 0, Py_TPFLAGS_DEFAULT, scene_slots};

bool scene_init(PyObject *module)
{
    return scene_queries_init(module) && schema_register(module, &stats_schema) &&
           schema_register(module, &prepare_schema) && add_type(module, &scene_spec, &scene_type) &&
           nested_init(module);
}
