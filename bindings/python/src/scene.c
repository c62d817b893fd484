/* Scenes of boxes that move, views, and culling of what a camera does not see. */
#include "core.h"

#include <string.h>

typedef struct Scene {
    PyObject_HEAD int users;
    bw_scene *scene;
} Scene;
typedef struct Culler {
    PyObject_HEAD int users;
    bw_cull *cull;
    PyObject *occluders; /* user number: (Mesh, pose or None, closed) */
    PyObject *held;      /* the mesh of the last occluder: it must stay until the next call */
    bw_transform pose;
    PyObject *error_type, *error_value, *error_traceback;
} Culler;
static PyTypeObject *scene_type, *culler_type;

static const field hit_fields[] = {FIELD(bw_scene_hit, id, 'Q'), FIELD(bw_scene_hit, value, 'd'),
                                   END_OF_FIELDS};
static const field pair_fields[] = {FIELD(bw_pair, a, 'Q'), FIELD(bw_pair, b, 'Q'), END_OF_FIELDS};
static const field stats_fields[] = {FIELD(bw_scene_stats, object_count, 'I'),
                                     FIELD(bw_scene_stats, node_count, 'I'),
                                     FIELD(bw_scene_stats, leaf_count, 'I'),
                                     FIELD(bw_scene_stats, depth, 'I'),
                                     FIELD(bw_scene_stats, reinserted_count, 'Q'),
                                     FIELD(bw_scene_stats, rebuilt_count, 'Q'),
                                     FIELD(bw_scene_stats, bytes, 'Q'),
                                     FIELD(bw_scene_stats, reason, 's'),
                                     END_OF_FIELDS};
static const field cull_fields[] = {
    FIELD(bw_cull_report, visible_count, 'Q'),       FIELD(bw_cull_report, node_count, 'Q'),
    FIELD(bw_cull_report, hidden_node_count, 'Q'),   FIELD(bw_cull_report, tested_count, 'Q'),
    FIELD(bw_cull_report, hidden_object_count, 'Q'), FIELD(bw_cull_report, occluder_count, 'Q'),
    FIELD(bw_cull_report, triangle_count, 'Q'),      END_OF_FIELDS};
static schema hit_schema = {.record = "boxwood.SceneHit",
                            .table = "boxwood.SceneHits",
                            .record_doc = DOC_SceneHit,
                            .table_doc = DOC_SceneHits,
                            .size = sizeof(bw_scene_hit),
                            .fields = hit_fields};
static schema pair_schema = {.record = "boxwood.ScenePair",
                             .table = "boxwood.ScenePairs",
                             .record_doc = DOC_ScenePair,
                             .table_doc = DOC_ScenePairs,
                             .size = sizeof(bw_pair),
                             .fields = pair_fields};
static schema stats_schema = {.record = "boxwood.SceneStats",
                              .record_doc = DOC_SceneStats,
                              .size = sizeof(bw_scene_stats),
                              .fields = stats_fields};
static schema cull_schema = {.record = "boxwood.CullReport",
                             .record_doc = DOC_CullReport,
                             .size = sizeof(bw_cull_report),
                             .fields = cull_fields};

static PyObject *Scene_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Scene);
    bw_scene_desc desc = BW_SIZED(bw_scene_desc);
    bw_fault fault;
    if (!get_bool(v[ARG_Scene_track_pairs], "track_pairs", &desc.track_pairs))
        return NULL;
    Scene *made = new_object(type);
    if (made == NULL)
        return NULL;
    const bw_result result = bw_scene_create(&desc, &made->scene, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void Scene_dealloc(PyObject *self)
{
    bw_scene_destroy(((Scene *)self)->scene);
    free_object(self);
}

/* Boxes (n, 2, 3), or (2, 3) for one, as floats rounded outward: of PyMem_Malloc. */
static bw_box *boxes_get(PyObject *object, uint32_t *count, bool *one)
{
    static const want wanted = {'d', 2, {2, 3, 0}, true};
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
    static const want wanted = {'Q', 0, {0, 0, 0}, false};
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
    if (ids != NULL && shared_write(s)) {
        bw_fault fault;
        bw_result result;
        UNLOCKED(result = bw_scene_insert_many(s->scene, boxes, list, total, ids, &fault));
        shared_done(s);
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
        } else if (shared_write(s)) {
            bw_fault fault;
            bw_result result;
            UNLOCKED(result = bw_scene_move_many(s->scene, ids, boxes, total, &fault));
            shared_done(s);
            made = changed(result, &fault);
        }
        array_release(&held_ids);
    }
    PyMem_Free(boxes);
    return made;
}

FUNCTION(Scene_remove)
{
    ARGUMENTS(Scene_remove);
    Scene *s = (Scene *)self;
    array held_ids;
    uint64_t single;
    const bw_id *ids;
    uint32_t total;
    if (!ids_get(v[ARG_Scene_remove_ids], &held_ids, &single, &ids, &total))
        return NULL;
    PyObject *made = NULL;
    if (shared_write(s)) {
        bw_fault fault;
        bw_result result;
        UNLOCKED(result = bw_scene_remove_many(s->scene, ids, total, &fault));
        shared_done(s);
        made = changed(result, &fault);
    }
    array_release(&held_ids);
    return made;
}

FUNCTION(Scene_prepare)
{
    ARGUMENTS(Scene_prepare);
    Scene *s = (Scene *)self;
    bw_fault fault;
    bw_result result;
    if (!shared_write(s))
        return NULL;
    UNLOCKED(result = bw_scene_prepare(s->scene, NULL, NULL, &fault));
    shared_done(s);
    return changed(result, &fault);
}

FUNCTION(Scene_get)
{
    ARGUMENTS(Scene_get);
    Scene *s = (Scene *)self;
    uint64_t id = 0, user = 0;
    bw_box box;
    bw_fault fault;
    if (!get_u64(v[ARG_Scene_get_id], "id", &id) || !shared_read(s))
        return NULL;
    const bw_result result = bw_scene_get(s->scene, id, &box, &user, &fault);
    shared_done(s);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    const Py_ssize_t shape[2] = {2, 3};
    PyObject *corners = array_copy(&box, 'f', 2, shape);
    return corners == NULL ? NULL : Py_BuildValue("(NK)", corners, (unsigned long long)user);
}

static bool add_ids(void *user, const bw_id *ids, size_t id_count, uint32_t path)
{
    (void)path;
    return grown_add(user, ids, id_count);
}

/* Ids that were found, or the exception. */
static PyObject *ids_found(grown *rows, bw_result result, const bw_fault *fault)
{
    const Py_ssize_t shape[1] = {(Py_ssize_t)rows->count};
    if (result == BW_OK && !rows->failed)
        return array_new(rows->data, 'Q', 1, shape);
    block_free(rows->data);
    return rows->failed ? PyErr_NoMemory() : raise_fault(result, fault);
}

FUNCTION(Scene_query)
{
    ARGUMENTS(Scene_query);
    Scene *s = (Scene *)self;
    region_holder where;
    grown rows = {.size = sizeof(bw_id)};
    bw_scene_output output = BW_SIZED(bw_scene_output);
    bw_fault fault;
    bw_result result;
    if (!region_get(v[ARG_Scene_query_box], v[ARG_Scene_query_sphere], v[ARG_Scene_query_capsule],
                    v[ARG_Scene_query_planes], v[ARG_Scene_query_radius], &where) ||
        !shared_read(s))
        return NULL;
    output.on_objects = add_ids;
    output.user = &rows;
    UNLOCKED(result = bw_scene_query(s->scene, &where.region, &output, NULL, &fault));
    shared_done(s);
    return ids_found(&rows, result, &fault);
}

static bool add_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t pair_count)
{
    (void)paths;
    return grown_add(user, pairs, pair_count);
}

static PyObject *pairs_found(grown *rows, bw_result result, const bw_fault *fault)
{
    if (result == BW_OK && !rows->failed)
        return table_new(&pair_schema, rows->data, rows->count, NULL);
    block_free(rows->data);
    return rows->failed ? PyErr_NoMemory() : raise_fault(result, fault);
}

FUNCTION(Scene_pairs)
{
    ARGUMENTS(Scene_pairs);
    Scene *s = (Scene *)self;
    grown rows = {.size = sizeof(bw_pair)};
    bw_pair_output output = BW_SIZED(bw_pair_output);
    bw_fault fault;
    bw_result result;
    if (!shared_read(s))
        return NULL;
    output.on_pairs = add_pairs;
    output.user = &rows;
    UNLOCKED(result = bw_scene_pairs(s->scene, &output, NULL, &fault));
    shared_done(s);
    return pairs_found(&rows, result, &fault);
}

FUNCTION(Scene_pairs_changed)
{
    ARGUMENTS(Scene_pairs_changed);
    Scene *s = (Scene *)self;
    grown began_rows = {.size = sizeof(bw_pair)}, ended_rows = {.size = sizeof(bw_pair)};
    bw_pair_output began = BW_SIZED(bw_pair_output), ended = BW_SIZED(bw_pair_output);
    bw_fault fault;
    bw_result result;
    if (!shared_write(s))
        return NULL;
    began.on_pairs = ended.on_pairs = add_pairs;
    began.user = &began_rows;
    ended.user = &ended_rows;
    UNLOCKED(result = bw_scene_pairs_changed(s->scene, &began, &ended, NULL, NULL, &fault));
    shared_done(s);
    PyObject *a = pairs_found(&began_rows, result, &fault);
    if (a == NULL) {
        block_free(ended_rows.data);
        return NULL;
    }
    PyObject *b = pairs_found(&ended_rows, result, &fault);
    PyObject *made = b == NULL ? NULL : PyTuple_Pack(2, a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return made;
}

FUNCTION(Scene_nearest)
{
    ARGUMENTS(Scene_nearest);
    Scene *s = (Scene *)self;
    bw_vec3 point = {0, 0, 0};
    uint32_t wanted = 1, found = 0;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!get_vec3(v[ARG_Scene_nearest_point], "point", &point) ||
        !get_u32(v[ARG_Scene_nearest_count], "count", &wanted) || !shared_read(s))
        return NULL;
    const uint32_t objects = bw_scene_count(s->scene);
    wanted = wanted < objects ? wanted : objects;
    bw_scene_hit *hits = block_alloc(wanted, sizeof *hits);
    if (hits != NULL)
        UNLOCKED(result = bw_scene_nearest(s->scene, point, NULL, hits, wanted, &found, &fault));
    shared_done(s);
    if (hits != NULL && result == BW_OK)
        return table_new(&hit_schema, hits, found, NULL);
    block_free(hits);
    return result != BW_OK ? raise_fault(result, &fault) : NULL;
}

FUNCTION(Scene_cast)
{
    ARGUMENTS(Scene_cast);
    Scene *s = (Scene *)self;
    ray_set set;
    bw_ray ray;
    bw_scene_hit hit;
    bw_fault fault;
    bw_result result;
    if (!ray_set_get(v[ARG_Scene_cast_origin], v[ARG_Scene_cast_direction], v[ARG_Scene_cast_t_max], false,
                     &set))
        return NULL;
    const bool one = set.one;
    if (one)
        ray_set_fill(&set, 0, 1, &ray);
    ray_set_release(&set);
    if (!one) {
        PyErr_SetString(PyExc_ValueError, "origin and direction are of one ray");
        return NULL;
    }
    if (!shared_read(s))
        return NULL;
    UNLOCKED(result = bw_scene_cast(s->scene, &ray, NULL, &hit, &fault));
    shared_done(s);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    if (hit.id == 0)
        Py_RETURN_NONE;
    return record_new(&hit_schema, &hit);
}

FUNCTION(Scene_stats)
{
    ARGUMENTS(Scene_stats);
    Scene *s = (Scene *)self;
    bw_scene_stats out = BW_SIZED(bw_scene_stats);
    if (!shared_read(s))
        return NULL;
    bw_scene_get_stats(s->scene, &out);
    shared_done(s);
    return record_new(&stats_schema, &out);
}

static Py_ssize_t Scene_length(PyObject *self)
{
    return bw_scene_count(((Scene *)self)->scene);
}

static int Scene_has(PyObject *self, PyObject *id)
{
    uint64_t value = 0;
    return get_u64(id, "id", &value) ? bw_scene_has(((Scene *)self)->scene, value) : -1;
}

/* ---- culling ---- */

static bool view_get(PyObject **given, const int *at, bw_view *out)
{
    *out = (bw_view){.forward = {0, 0, -1}, .up = {0, 0, 1}};
    return get_vec3(given[at[0]], "eye", &out->eye) && get_vec3(given[at[1]], "forward", &out->forward) &&
           get_vec3(given[at[2]], "up", &out->up) && get_double(given[at[3]], "fov", &out->fov_y) &&
           get_double(given[at[4]], "aspect", &out->aspect) &&
           get_double(given[at[5]], "near", &out->near_distance) &&
           get_limit(given[at[6]], "far", &out->far_distance);
}

FUNCTION(view_planes)
{
    (void)self;
    ARGUMENTS(view_planes);
    static const int at[] = {ARG_view_planes_eye, ARG_view_planes_forward, ARG_view_planes_up,
                             ARG_view_planes_fov, ARG_view_planes_aspect,  ARG_view_planes_near,
                             ARG_view_planes_far};
    bw_view view;
    bw_plane planes[6];
    uint32_t total;
    bw_fault fault;
    if (!view_get(v, at, &view))
        return NULL;
    const bw_result result = bw_view_planes(&view, planes, &total, &fault);
    const Py_ssize_t shape[2] = {total, 4};
    return result != BW_OK ? raise_fault(result, &fault) : array_copy(planes, 'f', 2, shape);
}

/* The occluder of an object, from the dictionary by the number it was inserted with. Called without the GIL. */
static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    Culler *c = user;
    bool fine = false;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *key = PyLong_FromUnsignedLongLong(object->user);
    PyObject *entry = key == NULL ? NULL : PyDict_GetItemWithError(c->occluders, key);
    const bw_transform *pose = NULL;
    bool closed = false;
    if (entry != NULL) {
        PyObject *mesh = entry;
        if (PyTuple_Check(entry) && PyTuple_Size(entry) >= 1) {
            mesh = PyTuple_GetItem(entry, 0);
            fine = PyTuple_Size(entry) < 2 || get_pose(PyTuple_GetItem(entry, 1), "pose", &c->pose, &pose);
            fine =
                fine && (PyTuple_Size(entry) < 3 || get_bool(PyTuple_GetItem(entry, 2), "closed", &closed));
        } else {
            fine = true;
        }
        if (fine && Py_TYPE(mesh) != mesh_type) {
            PyErr_Format(PyExc_TypeError, "an occluder is a Mesh or (Mesh, pose, closed), not %R", entry);
            fine = false;
        }
        if (fine) {
            *out = (bw_occluder){sizeof *out, &((Mesh *)mesh)->mesh, pose, closed};
            keep(mesh);
            drop(c->held);
            c->held = mesh;
        }
    }
    if (PyErr_Occurred() && c->error_type == NULL)
        PyErr_Fetch(&c->error_type, &c->error_value, &c->error_traceback);
    Py_XDECREF(key);
    PyGILState_Release(state);
    return fine;
}

static PyObject *Culler_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Culler);
    bw_cull_desc desc = BW_SIZED(bw_cull_desc);
    bw_fault fault;
    PyObject *occluders = v[ARG_Culler_occluders];
    if (!get_u32(v[ARG_Culler_width], "width", &desc.width) ||
        !get_u32(v[ARG_Culler_height], "height", &desc.height) ||
        !get_double(v[ARG_Culler_occluder_pixels], "occluder_pixels", &desc.occluder_pixels))
        return NULL;
    if (occluders != NULL && occluders != Py_None && !PyDict_Check(occluders)) {
        PyErr_SetString(PyExc_TypeError,
                        "occluders must be a dict of user numbers to Mesh or (Mesh, pose, closed)");
        return NULL;
    }
    Culler *made = new_object(type);
    if (made == NULL)
        return NULL;
    if (occluders != NULL && occluders != Py_None) {
        keep(occluders);
        made->occluders = occluders;
        desc.occluder_of = occluder_of;
        desc.user = made;
    }
    const bw_result result = bw_cull_create(&desc, &made->cull, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void Culler_dealloc(PyObject *self)
{
    Culler *c = (Culler *)self;
    bw_cull_destroy(c->cull);
    drop(c->occluders);
    drop(c->held);
    free_object(self);
}

FUNCTION(Culler_frame)
{
    ARGUMENTS(Culler_frame);
    static const int at[] = {ARG_Culler_frame_eye, ARG_Culler_frame_forward, ARG_Culler_frame_up,
                             ARG_Culler_frame_fov, ARG_Culler_frame_aspect,  ARG_Culler_frame_near,
                             ARG_Culler_frame_far};
    Culler *c = (Culler *)self;
    PyObject *scene = v[ARG_Culler_frame_scene];
    bw_view view;
    bw_cull_report report = BW_SIZED(bw_cull_report);
    bw_scene_output output = BW_SIZED(bw_scene_output);
    grown rows = {.size = sizeof(bw_id)};
    bw_fault fault;
    bw_result result;
    if (!view_get(v, at, &view))
        return NULL;
    if (Py_TYPE(scene) != scene_type) {
        PyErr_Format(PyExc_TypeError, "scene must be a boxwood.Scene, not %R", scene);
        return NULL;
    }
    if (!shared_read(scene))
        return NULL;
    if (!shared_write(c)) {
        shared_done(scene);
        return NULL;
    }
    output.on_objects = add_ids;
    output.user = &rows;
    UNLOCKED(result = bw_cull_frame(c->cull, ((Scene *)scene)->scene, &view, &output, &report, &fault));
    shared_done(c);
    shared_done(scene);
    if (c->error_type != NULL) {
        block_free(rows.data);
        PyErr_Restore(c->error_type, c->error_value, c->error_traceback);
        c->error_type = c->error_value = c->error_traceback = NULL;
        return NULL;
    }
    PyObject *ids = ids_found(&rows, result, &fault);
    PyObject *told = ids == NULL ? NULL : record_new(&cull_schema, &report);
    PyObject *made = told == NULL ? NULL : PyTuple_Pack(2, ids, told);
    Py_XDECREF(ids);
    Py_XDECREF(told);
    return made;
}

FUNCTION(Culler_depth)
{
    ARGUMENTS(Culler_depth);
    Culler *c = (Culler *)self;
    uint32_t width = 0, height = 0;
    if (!shared_read(c))
        return NULL;
    const float *values = bw_depth_values(bw_cull_depth(c->cull), &width, &height);
    const Py_ssize_t shape[2] = {height, width};
    PyObject *made = array_copy(values, 'f', 2, shape);
    shared_done(c);
    return made;
}

FUNCTION(Culler_reset)
{
    ARGUMENTS(Culler_reset);
    if (!shared_write(self))
        return NULL;
    bw_cull_reset(((Culler *)self)->cull);
    shared_done(self);
    Py_RETURN_NONE;
}

static PyMethodDef scene_methods[] = {
    ENTRY("insert", Scene_insert),   ENTRY("move", Scene_move),
    ENTRY("remove", Scene_remove),   ENTRY("prepare", Scene_prepare),
    ENTRY("get", Scene_get),         ENTRY("query", Scene_query),
    ENTRY("pairs", Scene_pairs),     ENTRY("pairs_changed", Scene_pairs_changed),
    ENTRY("nearest", Scene_nearest), ENTRY("cast", Scene_cast),
    ENTRY("stats", Scene_stats),     END_OF_METHODS};
static PyType_Slot scene_slots[] = {{Py_tp_new, Scene_new},
                                    {Py_tp_dealloc, Scene_dealloc},
                                    {Py_tp_methods, scene_methods},
                                    {Py_sq_length, Scene_length},
                                    {Py_sq_contains, Scene_has},
                                    {Py_tp_doc, (void *)DOC_Scene},
                                    {0, NULL}};
static PyType_Spec scene_spec = {"boxwood.Scene", sizeof(Scene), 0, Py_TPFLAGS_DEFAULT, scene_slots};
static PyMethodDef culler_methods[] = {ENTRY("frame", Culler_frame), ENTRY("depth", Culler_depth),
                                       ENTRY("reset", Culler_reset), END_OF_METHODS};
static PyType_Slot culler_slots[] = {{Py_tp_new, Culler_new},
                                     {Py_tp_dealloc, Culler_dealloc},
                                     {Py_tp_methods, culler_methods},
                                     {Py_tp_doc, (void *)DOC_Culler},
                                     {0, NULL}};
static PyType_Spec culler_spec = {"boxwood.Culler", sizeof(Culler), 0, Py_TPFLAGS_DEFAULT, culler_slots};
static PyMethodDef functions[] = {ENTRY("view_planes", view_planes), END_OF_METHODS};

bool scene_init(PyObject *module)
{
    return schema_register(module, &hit_schema) && schema_register(module, &pair_schema) &&
           schema_register(module, &stats_schema) && schema_register(module, &cull_schema) &&
           add_type(module, &scene_spec, &scene_type) && add_type(module, &culler_spec, &culler_type) &&
           add_functions(module, functions);
}
