/* Scenes of boxes that come, go and move: objects, and questions about them. */
#include "scene.h"

#include <string.h>

PyTypeObject *scene_type;

static const field hit_fields[] = {FIELD(bw_scene_hit, id, 'Q'), FIELD(bw_scene_hit, value, 'd'),
                                   FIELD(bw_scene_hit, path, 'I'), END_OF_FIELDS};
typedef struct pair_row {
    bw_pair pair;
    bw_pair_path path;
} pair_row;
static const field pair_fields[] = {
    FIELD_AS("a", pair_row, pair.a, 'Q'), FIELD_AS("b", pair_row, pair.b, 'Q'),
    FIELD_AS("path_a", pair_row, path.a, 'I'), FIELD_AS("path_b", pair_row, path.b, 'I'), END_OF_FIELDS};
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
                             .size = sizeof(pair_row),
                             .fields = pair_fields};
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

static void Scene_dealloc(PyObject *self)
{
    Scene *s = (Scene *)self;
    bw_scene_destroy(s->scene);
    scene_leave(s);
    drop(s->pool);
    free_object(self);
}

bw_box *boxes_get(PyObject *object, uint32_t *count, bool *one)
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

/* The region of a query: one that bodies take, too, or a ray. */
static bool query_region(PyObject *const *v, region_holder *out)
{
    PyObject *ray = v[ARG_Scene_query_ray];
    if (ray == NULL || ray == Py_None)
        return region_get(v[ARG_Scene_query_box], v[ARG_Scene_query_sphere], v[ARG_Scene_query_capsule],
                          v[ARG_Scene_query_planes], v[ARG_Scene_query_radius], out);
    const int others[] = {ARG_Scene_query_box, ARG_Scene_query_sphere, ARG_Scene_query_capsule,
                          ARG_Scene_query_planes};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (v[others[i]] != NULL && v[others[i]] != Py_None) {
            PyErr_SetString(PyExc_TypeError, "one of box, sphere, capsule, planes and ray must be given");
            return false;
        }
    static const want wanted = {'d', 2, {2, 3, 0}, true};
    array a;
    memset(out, 0, sizeof *out);
    out->region.size = sizeof out->region;
    out->region.kind = BW_REGION_RAY;
    if (!array_get(ray, "ray", &wanted, &a))
        return false;
    const bool fine = a.ndim == 2;
    if (fine) {
        memcpy(&out->region.ray.origin, a.data, sizeof(bw_vec3));
        memcpy(&out->region.ray.direction, (const double *)a.data + 3, sizeof(bw_vec3));
    } else {
        PyErr_SetString(PyExc_ValueError, "ray must have the shape (2, 3): its origin and direction");
    }
    array_release(&a);
    return fine;
}

static bool add_ids(void *user, const bw_id *ids, size_t id_count, uint32_t path)
{
    (void)path;
    return grown_add(user, ids, id_count);
}

/* Boxes, or spheres of one radius or as many, as regions. */
static bool regions_get(PyObject *boxes, PyObject *spheres, PyObject *radius, uint32_t *count,
                        bw_region **out)
{
    const bool by_box = boxes != NULL && boxes != Py_None;
    if (by_box == (spheres != NULL && spheres != Py_None)) {
        PyErr_SetString(PyExc_TypeError, "boxes or spheres must be given");
        return false;
    }
    bool one = false;
    bw_box *list = NULL;
    array centres = {.ndim = 0}, radii = {.ndim = 0};
    double same = 0;
    bool fine = true;
    if (by_box) {
        fine = (list = boxes_get(boxes, count, &one)) != NULL;
    } else if ((fine = array_points(spheres, "spheres", &centres))) {
        one = centres.ndim == 1;
        fine = count_fits(one ? 1 : centres.shape[0], "spheres", count);
        if (fine && (radius == NULL || radius == Py_None)) {
            PyErr_SetString(PyExc_TypeError, "spheres need a radius");
            fine = false;
        }
        fine = fine && (is_number(radius) ? get_double(radius, "radius", &same)
                                          : array_doubles(radius, "radius", &radii));
        if (fine && radii.data != NULL && array_count(&radii) != *count) {
            PyErr_Format(PyExc_ValueError, "%u values of radius for %u spheres", array_count(&radii), *count);
            fine = false;
        }
    }
    if (fine && one) {
        PyErr_SetString(PyExc_ValueError, by_box ? "boxes must have the shape (n, 2, 3)"
                                                 : "spheres must have the shape (n, 3)");
        fine = false;
    }
    bw_region *regions = fine ? PyMem_Calloc((size_t)*count + 1, sizeof *regions) : NULL;
    if (fine && regions == NULL)
        fine = PyErr_NoMemory() != NULL;
    for (uint32_t i = 0; fine && i < *count; i++) {
        regions[i].size = sizeof *regions;
        regions[i].kind = by_box ? BW_REGION_BOX : BW_REGION_SPHERE;
        if (by_box) {
            regions[i].box = list[i];
        } else {
            regions[i].centre = ((const bw_vec3 *)centres.data)[i];
            regions[i].radius = radii.data == NULL ? same : ((const double *)radii.data)[i];
        }
    }
    PyMem_Free(list);
    array_release(&centres);
    array_release(&radii);
    *out = regions;
    return fine;
}

FUNCTION(Scene_query_many)
{
    ARGUMENTS(Scene_query_many);
    Scene *s = (Scene *)self;
    scene_held h;
    uint32_t total = 0;
    bw_region *regions;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!regions_get(v[ARG_Scene_query_many_boxes], v[ARG_Scene_query_many_spheres],
                     v[ARG_Scene_query_many_radius], &total, &regions))
        return NULL;
    grown *rows = PyMem_Calloc((size_t)total + 1, sizeof *rows);
    bw_scene_output *outputs = PyMem_Calloc((size_t)total + 1, sizeof *outputs);
    uint64_t *offsets = block_alloc((size_t)total + 1, sizeof *offsets);
    bool fine = rows != NULL && outputs != NULL && offsets != NULL;
    if (!fine)
        PyErr_NoMemory();
    for (uint32_t i = 0; fine && i < total; i++) {
        rows[i].size = sizeof(bw_id);
        outputs[i] = BW_SIZED(bw_scene_output);
        outputs[i].on_objects = add_ids;
        outputs[i].user = &rows[i];
    }
    if (fine && (fine = scene_read(s, &h))) {
        watch w;
        pace speed = {.most = 1 << 16, .intervals = 1};
        watch_init(&w, NULL, 0);
        PyThreadState *state = PyEval_SaveThread();
        for (uint32_t done = 0, part; done < total && result == BW_OK && watch_part(&w, done); done += part) {
            part = pace_next(&speed, total - done);
            result = bw_scene_query_many(s->scene, regions + done, part, outputs + done, NULL, &fault);
            if (result != BW_OK && fault.element != BW_NONE)
                fault.element += done;
        }
        PyEval_RestoreThread(state);
        scene_done(&h);
        fine = watch_end(&w) && (result == BW_OK || raise_fault(result, &fault) != NULL);
    }
    size_t sum = 0;
    for (uint32_t i = 0; fine && i < total; i++) {
        offsets[i] = sum;
        sum += rows[i].count;
        if (rows[i].failed)
            fine = PyErr_NoMemory() != NULL;
    }
    bw_id *ids = fine ? block_alloc(sum, sizeof *ids) : NULL;
    for (uint32_t i = 0; ids != NULL && i < total; i++)
        if (rows[i].count != 0)
            memcpy(ids + offsets[i], rows[i].data, rows[i].count * sizeof *ids);
    for (uint32_t i = 0; rows != NULL && i < total; i++)
        block_free(rows[i].data);
    PyMem_Free(rows);
    PyMem_Free(outputs);
    PyMem_Free(regions);
    if (ids == NULL) {
        block_free(offsets);
        return NULL;
    }
    offsets[total] = sum;
    const Py_ssize_t found_shape[1] = {(Py_ssize_t)sum}, offset_shape[1] = {(Py_ssize_t)total + 1};
    PyObject *a = array_new(ids, 'Q', 1, found_shape), *b = array_new(offsets, 'Q', 1, offset_shape);
    PyObject *made = a == NULL || b == NULL ? NULL : PyTuple_Pack(2, a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return made;
}

FUNCTION(Scene_query)
{
    ARGUMENTS(Scene_query);
    Scene *s = (Scene *)self;
    scene_held h;
    region_holder where;
    found rows;
    bw_scene_output output = BW_SIZED(bw_scene_output);
    void *paths, *cache;
    bw_fault fault;
    bw_result result;
    if (!query_region(v, &where) || !paths_get(v[ARG_Scene_query_paths], s, &output.paths, &paths))
        return NULL;
    if (!view_cache_get(v[ARG_Scene_query_cache], &where.region.cache, &cache)) {
        shared_done(paths);
        return NULL;
    }
    if (!found_begin(v[ARG_Scene_query_visit], paths != NULL, &rows, &output) || !scene_read(s, &h)) {
        shared_done(cache);
        shared_done(paths);
        return NULL;
    }
    UNLOCKED(result = bw_scene_query(s->scene, &where.region, &output, NULL, &fault));
    scene_done(&h);
    shared_done(cache);
    shared_done(paths);
    return found_end(&rows, result, &fault);
}

static bool add_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t pair_count)
{
    for (size_t i = 0; i < pair_count; i++)
        if (!grown_add(user, &(pair_row){pairs[i], paths == NULL ? (bw_pair_path){0, 0} : paths[i]}, 1))
            return false;
    return true;
}

/* The same, and looks at signals: few boxes can have very many pairs. */
typedef struct pair_search {
    grown rows;
    watch watch;
} pair_search;

static bool add_watched_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t pair_count)
{
    pair_search *s = user;
    return watch_go_on(&s->watch) && add_pairs(&s->rows, pairs, paths, pair_count);
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
    scene_held h;
    pair_search search = {.rows = {.size = sizeof(pair_row)}};
    bw_pair_output output = BW_SIZED(bw_pair_output);
    void *paths;
    bw_fault fault;
    bw_result result;
    if (!watch_init(&search.watch, NULL, 0) || !paths_get(v[ARG_Scene_pairs_paths], s, &output.paths, &paths))
        return NULL;
    if (!scene_read(s, &h)) {
        shared_done(paths);
        return NULL;
    }
    output.on_pairs = add_watched_pairs;
    output.user = &search;
    UNLOCKED(result = bw_scene_pairs(s->scene, &output, NULL, &fault));
    scene_done(&h);
    shared_done(paths);
    if (watch_end(&search.watch))
        return pairs_found(&search.rows, result, &fault);
    block_free(search.rows.data);
    return NULL;
}

FUNCTION(Scene_pairs_changed)
{
    ARGUMENTS(Scene_pairs_changed);
    Scene *s = (Scene *)self;
    scene_held h;
    grown began_rows = {.size = sizeof(pair_row)}, ended_rows = {.size = sizeof(pair_row)};
    bw_pair_output began = BW_SIZED(bw_pair_output), ended = BW_SIZED(bw_pair_output);
    bw_fault fault;
    bw_result result;
    if (!scene_write(s, NULL, &h))
        return NULL;
    began.on_pairs = ended.on_pairs = add_pairs;
    began.user = &began_rows;
    ended.user = &ended_rows;
    UNLOCKED(result = bw_scene_pairs_changed(s->scene, &began, &ended, NULL, NULL, &fault));
    scene_done(&h);
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

/* How a search goes, for the length of one call. */
typedef struct search {
    bw_scene_search desc;
    callback value;
    void *paths;
    scene_held h;
} search;

/* The value of an object as its owner tells it; None: none. */
static double value_of(void *user, bw_id id, uint32_t path, double bound, double limit)
{
    callback *c = user;
    double value = -1;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = callback_call(c, Py_BuildValue("(KIdd)", (unsigned long long)id, path, bound, limit));
    if (answer != NULL && answer != Py_None) {
        value = PyFloat_AsDouble(answer);
        if (value == -1 && PyErr_Occurred())
            PyErr_Fetch(&c->type, &c->value, &c->traceback);
        else if (value != value) {
            PyErr_SetString(PyExc_ValueError, "value returned nan");
            PyErr_Fetch(&c->type, &c->value, &c->traceback);
            value = -1;
        }
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return value;
}

static bool search_begin(Scene *s, PyObject *value, PyObject *paths, search *q)
{
    q->desc = BW_SIZED(bw_scene_search);
    if (!callback_get(value, "value", &q->value) || !paths_get(paths, s, &q->desc.paths, &q->paths))
        return false;
    if (q->value.function != NULL) {
        q->desc.value_of = value_of;
        q->desc.user = &q->value;
    }
    if (scene_read(s, &q->h))
        return true;
    shared_done(q->paths);
    return false;
}

/* False with an exception. */
static bool search_end(search *q, bw_result result, const bw_fault *fault)
{
    scene_done(&q->h);
    shared_done(q->paths);
    return callback_end(&q->value) && (result == BW_OK || raise_fault(result, fault) != NULL);
}

/* Objects of a scene and all below it, an object once for each path; at least `enough` stops the count. */
static uint64_t objects_below(const Scene *s, uint64_t enough)
{
    uint64_t total = bw_scene_count(s->scene);
    PyObject *id, *child;
    Py_ssize_t at = 0;
    while (s->instances != NULL && total < enough && PyDict_Next(s->instances, &at, &id, &child))
        total += objects_below((Scene *)child, enough);
    return total;
}

FUNCTION(Scene_nearest)
{
    ARGUMENTS(Scene_nearest);
    Scene *s = (Scene *)self;
    bw_vec3 point = {0, 0, 0};
    uint32_t wanted = 1, total = 0;
    double limit = 0;
    search q;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!get_vec3(v[ARG_Scene_nearest_point], "point", &point) ||
        !get_u32(v[ARG_Scene_nearest_count], "count", &wanted) ||
        !get_limit(v[ARG_Scene_nearest_max_distance], "max_distance", &limit) ||
        !search_begin(s, v[ARG_Scene_nearest_value], v[ARG_Scene_nearest_paths], &q))
        return NULL;
    q.desc.max_value = limit * limit;
    const uint64_t objects = q.paths == NULL ? bw_scene_count(s->scene) : objects_below(s, wanted);
    wanted = wanted < objects ? wanted : (uint32_t)objects;
    bw_scene_hit *hits = block_alloc(wanted, sizeof *hits);
    if (hits != NULL)
        UNLOCKED(result = bw_scene_nearest(s->scene, point, &q.desc, hits, wanted, &total, &fault));
    const bool fine = search_end(&q, result, &fault);
    if (hits != NULL && fine)
        return table_new(&hit_schema, hits, total, NULL);
    block_free(hits);
    return NULL;
}

FUNCTION(Scene_cast)
{
    ARGUMENTS(Scene_cast);
    Scene *s = (Scene *)self;
    ray_set set;
    bw_ray ray;
    bw_scene_hit hit;
    search q;
    bool any = false;
    bw_fault fault;
    bw_result result;
    if (!get_bool(v[ARG_Scene_cast_any], "any", &any) ||
        !ray_set_get(v[ARG_Scene_cast_origin], v[ARG_Scene_cast_direction], v[ARG_Scene_cast_t_max], false,
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
    if (!search_begin(s, v[ARG_Scene_cast_value], v[ARG_Scene_cast_paths], &q))
        return NULL;
    q.desc.any = any;
    UNLOCKED(result = bw_scene_cast(s->scene, &ray, &q.desc, &hit, &fault));
    if (!search_end(&q, result, &fault))
        return NULL;
    if (hit.id == 0)
        Py_RETURN_NONE;
    return record_new(&hit_schema, &hit);
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
    return bw_scene_count(((Scene *)self)->scene);
}

static int Scene_has(PyObject *self, PyObject *id)
{
    uint64_t value = 0;
    return get_u64(id, "id", &value) ? bw_scene_has(((Scene *)self)->scene, value) : -1;
}

static PyObject *Scene_repr(PyObject *self)
{
    const Scene *s = (Scene *)self;
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
    return schema_register(module, &hit_schema) && schema_register(module, &pair_schema) &&
           schema_register(module, &stats_schema) && schema_register(module, &prepare_schema) &&
           add_type(module, &scene_spec, &scene_type) && nested_init(module);
}
