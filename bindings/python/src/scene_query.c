/* Questions about scenes: regions, pairs, the nearest objects, and what a ray meets first. */
#include "scene.h"

#include <string.h>

static const field hit_fields[] = {FIELD(bw_scene_hit, id, 'Q'), FIELD(bw_scene_hit, value, 'd'),
                                   FIELD(bw_scene_hit, path, 'I'), END_OF_FIELDS};
typedef struct pair_row {
    bw_pair pair;
    bw_pair_path path;
} pair_row;
static const field pair_fields[] = {
    FIELD_AS("a", pair_row, pair.a, 'Q'), FIELD_AS("b", pair_row, pair.b, 'Q'),
    FIELD_AS("path_a", pair_row, path.a, 'I'), FIELD_AS("path_b", pair_row, path.b, 'I'), END_OF_FIELDS};
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
    static const want wanted = {'d', 2, {2, 3, 0}, true, NULL};
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

METHOD(Scene_query_many)
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

METHOD(Scene_query)
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

METHOD(Scene_pairs)
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

METHOD(Scene_pairs_changed)
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

METHOD(Scene_nearest)
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

METHOD(Scene_cast)
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

bool scene_queries_init(PyObject *module)
{
    return schema_register(module, &hit_schema) && schema_register(module, &pair_schema);
}
