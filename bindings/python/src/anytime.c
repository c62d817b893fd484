/* Answers within a budget of time or steps, with a confidence. */
#include "core.h"

#include <boxwood/anytime_train.h>
#include <string.h>

typedef struct Anytime {
    PyObject_HEAD int users;
    bw_anytime *anytime;
    Core *core;
    Mesh *mesh;
} Anytime;
typedef struct AnytimeCache {
    PyObject_HEAD int users;
    bw_anytime_cache *cache;
} AnytimeCache;
typedef struct AnytimeModel {
    PyObject_HEAD bw_anytime_model model;
} AnytimeModel;
typedef struct AnytimeSettings {
    PyObject_HEAD bw_anytime_settings settings;
} AnytimeSettings;
static PyTypeObject *anytime_type, *cache_type, *model_type, *settings_type;

static const field answer_fields[] = {FIELD(bw_anytime_answer, collision, '?'),
                                      FIELD(bw_anytime_answer, proven, '?'),
                                      FIELD(bw_anytime_answer, confidence, 'd'),
                                      FIELD_ENUM(bw_anytime_answer, status, "Status"),
                                      FIELD_ENUM(bw_anytime_answer, reason, "Reason"),
                                      FIELD(bw_anytime_answer, steps, 'Q'),
                                      FIELD(bw_anytime_answer, pairs, 'Q'),
                                      FIELD(bw_anytime_answer, counted, 'I'),
                                      FIELD(bw_anytime_answer, pruned, 'I'),
                                      FIELD(bw_anytime_answer, region_count, 'I'),
                                      END_OF_FIELDS};
static const field region_fields[] = {{"box", 'f', offsetof(bw_anytime_region, box), 2, 3, NULL},
                                      FIELD_VEC3(bw_anytime_region, point),
                                      FIELD_VEC3(bw_anytime_region, normal),
                                      FIELD(bw_anytime_region, probability, 'd'),
                                      FIELD(bw_anytime_region, proven, '?'),
                                      FIELD(bw_anytime_region, a, 'n'),
                                      FIELD(bw_anytime_region, b, 'n'),
                                      END_OF_FIELDS};
static const field stats_fields[] = {FIELD(bw_anytime_stats, nodes, 'I'),
                                     FIELD(bw_anytime_stats, depth, 'I'),
                                     FIELD(bw_anytime_stats, bytes, 'Q'),
                                     FIELD(bw_anytime_stats, density, 'd'),
                                     FIELD(bw_anytime_stats, rods, 'd'),
                                     FIELD(bw_anytime_stats, filling, 'd'),
                                     FIELD(bw_anytime_stats, solidity, 'd'),
                                     FIELD_ENUM(bw_anytime_stats, kind, "BodyKind"),
                                     END_OF_FIELDS};
static schema stats_schema = {.record = "boxwood.AnytimeStats",
                              .record_doc = DOC_AnytimeStats,
                              .size = sizeof(bw_anytime_stats),
                              .fields = stats_fields};
static schema answer_schema = {.record = "boxwood.AnytimeAnswer",
                               .record_doc = DOC_AnytimeAnswer,
                               .size = sizeof(bw_anytime_answer),
                               .fields = answer_fields};
static schema region_schema = {.record = "boxwood.AnytimeRegion",
                               .table = "boxwood.AnytimeRegions",
                               .record_doc = DOC_AnytimeRegion,
                               .table_doc = DOC_AnytimeRegions,
                               .size = sizeof(bw_anytime_region),
                               .fields = region_fields};

/* Nothing ends these calls before their end: a million poses take some ten seconds. */
enum { TRIES_MAX = 1 << 20 };

static bool get_tries(PyObject *object, const char *name, uint32_t *out)
{
    if (!get_u32(object, name, out))
        return false;
    if (*out <= TRIES_MAX)
        return true;
    PyErr_Format(PyExc_ValueError, "%s must be at most %d, not %R", name, TRIES_MAX, object);
    return false;
}

static PyObject *Anytime_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Anytime);
    bw_anytime_desc desc = BW_SIZED(bw_anytime_desc);
    bw_fault fault;
    bw_result result;
    held body;
    if (!get_tries(v[ARG_Anytime_tries], "tries", &desc.tries))
        return NULL;
    PyObject *given = v[ARG_Anytime_body];
    if (Py_TYPE(given) != tree_type && Py_TYPE(given) != mesh_type) {
        PyErr_Format(PyExc_TypeError, "body must be a boxwood.Tree or Mesh, not %R", given);
        return NULL;
    }
    if (!held_get(given, NULL, "body", "pose", &body))
        return NULL;
    Anytime *made = new_object(type);
    if (made == NULL) {
        held_done(&body);
        return NULL;
    }
    UNLOCKED(result = bw_anytime_create(&desc, body.body.tree, body.body.mesh, &made->anytime, &fault));
    keep(body.object);
    keep(body.mesh);
    made->core = body.object;
    made->mesh = body.mesh;
    held_done(&body);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void Anytime_release(PyObject *self)
{
    Anytime *a = (Anytime *)self;
    Core *core = a->core;
    Mesh *mesh = a->mesh;
    bw_anytime_destroy(a->anytime);
    a->anytime = NULL;
    a->core = NULL;
    a->mesh = NULL;
    drop(core);
    drop(mesh);
}

CLOSING(Anytime, NULL)

static void Anytime_dealloc(PyObject *self)
{
    Anytime_release(self);
    free_object(self);
}

FUNCTION(Anytime_update)
{
    ARGUMENTS(Anytime_update);
    Anytime *a = (Anytime *)self;
    bw_fault fault;
    bw_result result;
    held body;
    if (!is_open(a) || !held_get(v[ARG_Anytime_update_body], NULL, "body", "pose", &body))
        return NULL;
    if (body.object != a->core) {
        held_done(&body);
        PyErr_SetString(PyExc_ValueError, "body must have the tree that these statistics are of");
        return NULL;
    }
    if (!shared_write(a)) {
        held_done(&body);
        return NULL;
    }
    UNLOCKED(result = bw_anytime_update(a->anytime, body.body.mesh, &fault));
    shared_done(a);
    if (result == BW_OK) {
        Mesh *old = a->mesh;
        keep(body.mesh);
        a->mesh = body.mesh;
        drop(old);
    }
    held_done(&body);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

static bool body_get(PyObject *object, PyObject *pose, const char *name, const char *pose_name,
                     bw_transform *storage, bw_anytime_body *out)
{
    if (Py_TYPE(object) != anytime_type) {
        PyErr_Format(PyExc_TypeError, "%s must be a boxwood.Anytime, not %R", name, object);
        return false;
    }
    Anytime *a = (Anytime *)object;
    if (!get_pose(pose, pose_name, storage, &out->pose) || !shared_read(a))
        return false;
    if (!shared_read(a->core)) {
        shared_done(a);
        return false;
    }
    out->anytime = a->anytime;
    out->mesh = &a->mesh->mesh;
    return true;
}

static void body_done(PyObject *object)
{
    shared_done(((Anytime *)object)->core);
    shared_done(object);
}

FUNCTION(Anytime_stats)
{
    ARGUMENTS(Anytime_stats);
    bw_anytime_stats out = BW_SIZED(bw_anytime_stats);
    if (!shared_read(self))
        return NULL;
    bw_anytime_get_stats(((Anytime *)self)->anytime, &out);
    shared_done(self);
    return record_new(&stats_schema, &out);
}

static PyObject *Anytime_repr(PyObject *self)
{
    bw_anytime_stats out = BW_SIZED(bw_anytime_stats);
    if (is_closed(self))
        return closed_repr(self);
    if (!shared_read(self))
        return NULL;
    bw_anytime_get_stats(((Anytime *)self)->anytime, &out);
    shared_done(self);
    return PyUnicode_FromFormat("Anytime(%u nodes, %zu bytes)", out.nodes, out.bytes);
}

FUNCTION(Anytime_check)
{
    ARGUMENTS(Anytime_check);
    bw_anytime_body body;
    const char *fault;
    if (!body_get(self, NULL, "body", "pose", NULL, &body))
        return NULL;
    UNLOCKED(fault = bw_anytime_check(body.anytime, body.mesh));
    body_done(self);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

/* ---- models and settings: plain data, saved as the bytes that it is ---- */

static const char *const words_poses[] = {"spread", "contact", END_OF_WORDS};
static const char *const words_kind[] = {"shell", "parts", "rods", "limbs", "loose", END_OF_WORDS};

static PyObject *plain_new(PyTypeObject *type, size_t at, const void *data, size_t size)
{
    char *made = new_object(type);
    if (made != NULL)
        memcpy(made + at, data, size);
    return (PyObject *)made;
}

/* Numbers that no training gives are answered with nonsense, never with a crash: sizes of tables do not depend on
 * them. */
static bool plain_load(PyObject *object, void *out, size_t size)
{
    Py_buffer data;
    if (PyObject_GetBuffer(object, &data, PyBUF_SIMPLE) < 0)
        return false;
    const bool fits = data.len == (Py_ssize_t)size;
    if (fits)
        memcpy(out, data.buf, size);
    else
        PyErr_Format(PyExc_ValueError, "%zd bytes, where %zu are needed", data.len, size);
    PyBuffer_Release(&data);
    return fits;
}

static bool numbers_fine(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(numbers[i] >= 0)) { /* infinity is one: "never" */
            PyErr_Format(error_type, "number %zu of these bytes is negative or not a number", i);
            return false;
        }
    return true;
}

static PyObject *AnytimeModel_load(PyObject *type, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    ARGUMENTS(AnytimeModel_load);
    bw_anytime_model model;
    if (!plain_load(v[ARG_AnytimeModel_load_data], &model, sizeof model) ||
        !numbers_fine((const float *)&model, sizeof model / sizeof(float)))
        return NULL;
    return plain_new((PyTypeObject *)type, offsetof(AnytimeModel, model), &model, sizeof model);
}

FUNCTION(AnytimeModel_save)
{
    ARGUMENTS(AnytimeModel_save);
    return PyBytes_FromStringAndSize((const char *)&((AnytimeModel *)self)->model, sizeof(bw_anytime_model));
}

static PyObject *AnytimeModel_builtin(PyObject *type, PyObject *const *args, Py_ssize_t count,
                                      PyObject *names)
{
    ARGUMENTS(AnytimeModel_builtin);
    int poses = 0, kind = 0;
    if (!get_choice(v[ARG_AnytimeModel_builtin_poses], "poses", words_poses, &poses) ||
        !get_choice(v[ARG_AnytimeModel_builtin_kind], "kind", words_kind, &kind))
        return NULL;
    return plain_new((PyTypeObject *)type, offsetof(AnytimeModel, model),
                     bw_anytime_model_builtin((bw_anytime_poses)poses, (bw_anytime_kind)kind),
                     sizeof(bw_anytime_model));
}

/* (load, (bytes,)) */
static PyObject *reduce(PyObject *self, PyObject *bytes)
{
    PyObject *load = bytes == NULL ? NULL : PyObject_GetAttrString((PyObject *)Py_TYPE(self), "load");
    PyObject *made = load == NULL ? NULL : Py_BuildValue("(O(O))", load, bytes);
    Py_XDECREF(load);
    Py_XDECREF(bytes);
    return made;
}

static PyObject *AnytimeModel_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    return reduce(self, AnytimeModel_save(self, NULL, 0, NULL));
}

static PyObject *AnytimeSettings_load(PyObject *type, PyObject *const *args, Py_ssize_t count,
                                      PyObject *names)
{
    ARGUMENTS(AnytimeSettings_load);
    bw_anytime_settings settings;
    if (!plain_load(v[ARG_AnytimeSettings_load_data], &settings, sizeof settings) ||
        !numbers_fine((const float *)settings.setting,
                      BW_ANYTIME_SETTINGS * sizeof(bw_anytime_setting) / sizeof(float)))
        return NULL;
    if ((unsigned)settings.poses > BW_ANYTIME_POSES_CONTACT) {
        PyErr_SetString(error_type, "these bytes name no poses");
        return NULL;
    }
    return plain_new((PyTypeObject *)type, offsetof(AnytimeSettings, settings), &settings, sizeof settings);
}

FUNCTION(AnytimeSettings_save)
{
    ARGUMENTS(AnytimeSettings_save);
    return PyBytes_FromStringAndSize((const char *)&((AnytimeSettings *)self)->settings,
                                     sizeof(bw_anytime_settings));
}

static PyObject *AnytimeSettings_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    return reduce(self, AnytimeSettings_save(self, NULL, 0, NULL));
}

/* Wanted errors for which there is a rule. */
static PyObject *AnytimeSettings_get_errors(PyObject *self, void *closure)
{
    (void)closure;
    const bw_anytime_setting *setting = ((AnytimeSettings *)self)->settings.setting;
    PyObject *made = PyList_New(0);
    for (int i = 0; made != NULL && i < BW_ANYTIME_SETTINGS && setting[i].error > 0; i++) {
        PyObject *error = PyFloat_FromDouble(setting[i].error);
        const bool fine = error != NULL && PyList_Append(made, error) == 0;
        Py_XDECREF(error);
        if (!fine)
            Py_CLEAR(made);
    }
    PyObject *tuple = made == NULL ? NULL : PyList_AsTuple(made);
    Py_XDECREF(made);
    return tuple;
}

static PyObject *AnytimeSettings_get_poses(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(words_poses[((AnytimeSettings *)self)->settings.poses]);
}

static bool both_get(PyObject *a, PyObject *b, bw_anytime_body *x, bw_anytime_body *y)
{
    if (!body_get(a, NULL, "a", "pose_a", NULL, x))
        return false;
    if (body_get(b, NULL, "b", "pose_b", NULL, y))
        return true;
    body_done(a);
    return false;
}

FUNCTION(anytime_try)
{
    (void)self;
    ARGUMENTS(anytime_try);
    PyObject *a = v[ARG_anytime_try_a], *b = v[ARG_anytime_try_b];
    bw_anytime_body x, y;
    bw_anytime_settings settings = {.poses = BW_ANYTIME_POSES_SPREAD};
    int poses = 0;
    uint32_t tries = 0;
    bw_fault fault;
    bw_result result;
    if (!get_choice(v[ARG_anytime_try_poses], "poses", words_poses, &poses) ||
        !get_tries(v[ARG_anytime_try_tries], "tries", &tries) || !both_get(a, b, &x, &y))
        return NULL;
    UNLOCKED(result = bw_anytime_try(&x, &y, (bw_anytime_poses)poses, tries, NULL, &settings, &fault));
    body_done(b);
    body_done(a);
    return result != BW_OK
               ? raise_fault(result, &fault)
               : plain_new(settings_type, offsetof(AnytimeSettings, settings), &settings, sizeof settings);
}

FUNCTION(anytime_poses)
{
    (void)self;
    ARGUMENTS(anytime_poses);
    PyObject *a = v[ARG_anytime_poses_a], *b = v[ARG_anytime_poses_b];
    bw_anytime_body x, y;
    int poses = 0;
    uint32_t total = 0;
    uint64_t seed = 1;
    bw_fault fault;
    bw_result result;
    if (!get_tries(v[ARG_anytime_poses_count], "count", &total) ||
        !get_choice(v[ARG_anytime_poses_poses], "poses", words_poses, &poses) ||
        !get_u64(v[ARG_anytime_poses_seed], "seed", &seed) || !both_get(a, b, &x, &y))
        return NULL;
    double(*matrices)[16] = block_alloc(total, sizeof *matrices);
    bw_transform *drawn = matrices == NULL ? NULL : PyMem_Calloc((size_t)total + 1, sizeof *drawn);
    if (matrices != NULL && drawn == NULL)
        PyErr_NoMemory();
    result = BW_OK;
    if (drawn != NULL)
        UNLOCKED(result = bw_anytime_draw_poses(&x, &y, (bw_anytime_poses)poses, seed, drawn, total, &fault));
    body_done(b);
    body_done(a);
    for (uint32_t i = 0; drawn != NULL && result == BW_OK && i < total; i++) {
        memset(matrices[i], 0, sizeof *matrices);
        memcpy(matrices[i], &drawn[i], sizeof *drawn);
        matrices[i][15] = 1;
    }
    const bool fine = drawn != NULL && result == BW_OK;
    const Py_ssize_t shape[3] = {total, 4, 4};
    PyMem_Free(drawn);
    if (fine)
        return array_new(matrices, 'd', 3, shape);
    block_free(matrices);
    return result == BW_OK ? NULL : raise_fault(result, &fault);
}

/* Examples of a training, held for the length of it. */
typedef struct lesson {
    bw_anytime_example *examples;
    PyObject **bodies; /* two each, that are read */
    poses *poses;
    uint32_t count;
} lesson;

static void lesson_done(lesson *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        body_done(l->bodies[2 * i]);
        body_done(l->bodies[2 * i + 1]);
        drop(l->bodies[2 * i]);
        drop(l->bodies[2 * i + 1]);
        array_release(&l->poses[i].array);
        PyMem_Free((void *)(uintptr_t)l->examples[i].poses);
    }
    PyMem_Free(l->examples);
    PyMem_Free(l->bodies);
    PyMem_Free(l->poses);
}

/* One more: (a, b, poses) or (a, b, poses, group). */
static bool lesson_add(lesson *l, PyObject *given)
{
    const uint32_t i = l->count;
    bw_anytime_example *e = &l->examples[i];
    PyObject *tuple = PySequence_Tuple(given);
    const Py_ssize_t size = tuple == NULL ? 0 : PyTuple_Size(tuple);
    bool fine = false;
    if (tuple == NULL || size < 3 || size > 4) {
        PyErr_SetString(PyExc_TypeError, "an example is (a, b, poses) or (a, b, poses, group)");
    } else if ((size < 4 || get_u32(PyTuple_GetItem(tuple, 3), "group", &e->group)) &&
               poses_get(PyTuple_GetItem(tuple, 2), "poses", 1, &l->poses[i])) {
        PyObject *a = PyTuple_GetItem(tuple, 0), *b = PyTuple_GetItem(tuple, 1);
        const poses *p = &l->poses[i];
        bw_transform *list = NULL;
        if (p->count < 0)
            PyErr_SetString(PyExc_ValueError, "an example needs poses");
        else if (count_fits(p->count, "poses", &e->pose_count) &&
                 (list = PyMem_Calloc((size_t)e->pose_count + 1, sizeof *list)) == NULL)
            PyErr_NoMemory();
        for (uint32_t k = 0; list != NULL && k < e->pose_count; k++)
            list[k] = *poses_at(p, k, 0);
        fine = list != NULL && both_get(a, b, &e->a, &e->b);
        if (fine) {
            e->poses = list;
            keep(a);
            keep(b);
            l->bodies[2 * i] = a;
            l->bodies[2 * i + 1] = b;
            l->count++;
        } else {
            PyMem_Free(list);
            array_release(&l->poses[i].array);
        }
    }
    Py_XDECREF(tuple);
    return fine;
}

static PyObject *AnytimeModel_train(PyObject *type, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    ARGUMENTS(AnytimeModel_train);
    bw_anytime_train_desc desc = BW_SIZED(bw_anytime_train_desc);
    PyObject *prior = v[ARG_AnytimeModel_train_prior];
    lesson l = {.count = 0};
    bw_anytime_model model;
    bw_fault fault;
    bw_result result = BW_OK;
    if (prior != NULL && prior != Py_None) {
        if (Py_TYPE(prior) != model_type) {
            PyErr_Format(PyExc_TypeError, "prior must be a boxwood.AnytimeModel, not %R", prior);
            return NULL;
        }
        desc.prior = &((AnytimeModel *)prior)->model;
    }
    if (!get_double(v[ARG_AnytimeModel_train_prior_weight], "prior_weight", &desc.prior_weight) ||
        !get_double(v[ARG_AnytimeModel_train_mean_share], "mean_share", &desc.mean_share) ||
        !get_double(v[ARG_AnytimeModel_train_worst_share], "worst_share", &desc.worst_share))
        return NULL;
    PyObject *list = PySequence_List(v[ARG_AnytimeModel_train_examples]);
    if (list == NULL)
        return NULL;
    const size_t total = (size_t)PyList_Size(list);
    l.examples = PyMem_Calloc(total + 1, sizeof *l.examples);
    l.bodies = PyMem_Calloc(2 * total + 1, sizeof(PyObject *));
    l.poses = PyMem_Calloc(total + 1, sizeof *l.poses);
    bool fine = l.examples != NULL && l.bodies != NULL && l.poses != NULL;
    if (!fine)
        PyErr_NoMemory();
    for (size_t i = 0; fine && i < total; i++)
        fine = lesson_add(&l, PyList_GetItem(list, (Py_ssize_t)i));
    if (fine)
        UNLOCKED(result = bw_anytime_train(l.examples, l.count, &desc, &model, &fault));
    lesson_done(&l);
    Py_DECREF(list);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    return plain_new((PyTypeObject *)type, offsetof(AnytimeModel, model), &model, sizeof model);
}

static PyObject *AnytimeCache_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(AnytimeCache);
    bw_fault fault;
    AnytimeCache *made = new_object(type);
    if (made == NULL)
        return NULL;
    const bw_result result = bw_anytime_cache_create(NULL, &made->cache, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void AnytimeCache_release(PyObject *self)
{
    bw_anytime_cache_destroy(((AnytimeCache *)self)->cache);
    ((AnytimeCache *)self)->cache = NULL;
}

CLOSING(AnytimeCache, NULL)

static void AnytimeCache_dealloc(PyObject *self)
{
    AnytimeCache_release(self);
    free_object(self);
}

static PyObject *AnytimeCache_get_resumable(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? PyBool_FromLong(bw_anytime_cache_resumable(((AnytimeCache *)self)->cache)) : NULL;
}

FUNCTION(collides_within)
{
    (void)self;
    ARGUMENTS(collides_within);
    bw_anytime_query_desc desc = BW_SIZED(bw_anytime_query_desc);
    bw_anytime_answer answer = BW_SIZED(bw_anytime_answer);
    PyObject *a = v[ARG_collides_within_a], *b = v[ARG_collides_within_b],
             *cache = v[ARG_collides_within_cache];
    bw_transform at_a, at_b;
    bw_anytime_body x, y;
    bw_fault fault;
    bw_result result;
    int which = 0;
    double seconds = -1;
    if (!get_double(v[ARG_collides_within_wanted_error], "wanted_error", &desc.wanted_error) ||
        !get_double(v[ARG_collides_within_seconds], "seconds", &seconds) ||
        !get_u64(v[ARG_collides_within_steps], "steps", &desc.max_steps) ||
        !get_choice(v[ARG_collides_within_poses], "poses", words_poses, &which) ||
        !get_u32(v[ARG_collides_within_regions], "regions", &desc.region_capacity) ||
        !get_bool(v[ARG_collides_within_resume], "resume", &desc.resume) ||
        !get_bool(v[ARG_collides_within_coherent], "coherent", &desc.coherent) ||
        !get_double(v[ARG_collides_within_p_min], "p_min", &desc.p_min) ||
        !get_u32(v[ARG_collides_within_k_min], "k_min", &desc.k_min) ||
        !get_double(v[ARG_collides_within_p_prune], "p_prune", &desc.p_prune))
        return NULL;
    PyObject *model = v[ARG_collides_within_model], *settings = v[ARG_collides_within_settings];
    if (model != NULL && model != Py_None) {
        if (Py_TYPE(model) != model_type) {
            PyErr_Format(PyExc_TypeError, "model must be a boxwood.AnytimeModel, not %R", model);
            return NULL;
        }
        desc.model = &((AnytimeModel *)model)->model;
    }
    if (settings != NULL && settings != Py_None) {
        if (Py_TYPE(settings) != settings_type) {
            PyErr_Format(PyExc_TypeError, "settings must be boxwood.AnytimeSettings, not %R", settings);
            return NULL;
        }
        desc.settings = &((AnytimeSettings *)settings)->settings;
    }
    desc.poses = (bw_anytime_poses)which;
    desc.limit_steps = v[ARG_collides_within_steps] != NULL && v[ARG_collides_within_steps] != Py_None;
    if (v[ARG_collides_within_seconds] != NULL && v[ARG_collides_within_seconds] != Py_None) {
        if (!(seconds >= 0 && seconds < 1e9)) {
            PyErr_Format(PyExc_ValueError, "seconds must be at least 0, not %R",
                         v[ARG_collides_within_seconds]);
            return NULL;
        }
        desc.limit_time = true;
        desc.max_nanoseconds = (uint64_t)(seconds * 1e9);
    }
    const bool remembers = cache != NULL && cache != Py_None;
    if (remembers && Py_TYPE(cache) != cache_type) {
        PyErr_Format(PyExc_TypeError, "cache must be a boxwood.AnytimeCache, not %R", cache);
        return NULL;
    }
    if (!body_get(a, v[ARG_collides_within_pose_a], "a", "pose_a", &at_a, &x))
        return NULL;
    if (!body_get(b, v[ARG_collides_within_pose_b], "b", "pose_b", &at_b, &y)) {
        body_done(a);
        return NULL;
    }
    if (desc.region_capacity > 1000000)
        desc.region_capacity = 1000000;
    desc.regions = block_alloc(desc.region_capacity, sizeof *desc.regions);
    PyObject *made = NULL;
    if (desc.regions != NULL && (!remembers || shared_write(cache))) {
        desc.cache = remembers ? ((AnytimeCache *)cache)->cache : NULL;
        if (desc.limit_time &&
            desc.max_nanoseconds < 1000000) /* shorter than it takes to give the GIL up and get it back */
            result = bw_anytime_query(&x, &y, &desc, &answer, &fault);
        else
            UNLOCKED(result = bw_anytime_query(&x, &y, &desc, &answer, &fault));
        if (remembers)
            shared_done(cache);
        if (result != BW_OK) {
            raise_fault(result, &fault);
        } else {
            PyObject *one = record_new(&answer_schema, &answer);
            PyObject *regions =
                one == NULL ? NULL : table_new(&region_schema, desc.regions, answer.region_count, NULL);
            if (one != NULL)
                desc.regions = NULL;
            made = regions == NULL ? NULL : PyTuple_Pack(2, one, regions);
            Py_XDECREF(one);
            Py_XDECREF(regions);
        }
    }
    block_free(desc.regions);
    body_done(b);
    body_done(a);
    return made;
}

static PyMethodDef anytime_methods[] = {ENTRY("update", Anytime_update), ENTRY("stats", Anytime_stats),
                                        ENTRY("check", Anytime_check), CLOSING_ENTRIES(Anytime),
                                        END_OF_METHODS};
static PyType_Slot anytime_slots[] = {{Py_tp_new, Anytime_new},         {Py_tp_dealloc, Anytime_dealloc},
                                      {Py_tp_repr, Anytime_repr},       {Py_tp_methods, anytime_methods},
                                      {Py_tp_doc, (void *)DOC_Anytime}, {0, NULL}};
static PyType_Spec anytime_spec = {"boxwood.Anytime", sizeof(Anytime), 0, Py_TPFLAGS_DEFAULT, anytime_slots};
static PyGetSetDef cache_getters[] = {
    {"resumable", AnytimeCache_get_resumable, NULL, DOC_AnytimeCache_resumable, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef cache_methods[] = {CLOSING_ENTRIES(AnytimeCache), END_OF_METHODS};
static PyType_Slot cache_slots[] = {{Py_tp_new, AnytimeCache_new},         {Py_tp_methods, cache_methods},
                                    {Py_tp_dealloc, AnytimeCache_dealloc}, {Py_tp_getset, cache_getters},
                                    {Py_tp_doc, (void *)DOC_AnytimeCache}, {0, NULL}};
static PyType_Spec cache_spec = {"boxwood.AnytimeCache", sizeof(AnytimeCache), 0, Py_TPFLAGS_DEFAULT,
                                 cache_slots};
#define CLASS_ENTRY(python, c)                                                                               \
    {                                                                                                        \
        python, (PyCFunction)(void (*)(void))c, METH_FASTCALL | METH_KEYWORDS | METH_CLASS, DOC_##c          \
    }
static PyMethodDef model_methods[] = {CLASS_ENTRY("builtin", AnytimeModel_builtin),
                                      CLASS_ENTRY("train", AnytimeModel_train),
                                      CLASS_ENTRY("load", AnytimeModel_load),
                                      ENTRY("save", AnytimeModel_save),
                                      {"__reduce__", AnytimeModel_reduce, METH_NOARGS, NULL},
                                      END_OF_METHODS};
static PyType_Slot model_slots[] = {
    {Py_tp_methods, model_methods}, {Py_tp_doc, (void *)DOC_AnytimeModel}, {0, NULL}};
static PyType_Spec model_spec = {"boxwood.AnytimeModel", sizeof(AnytimeModel), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, model_slots};
static PyMethodDef settings_methods[] = {CLASS_ENTRY("load", AnytimeSettings_load),
                                         ENTRY("save", AnytimeSettings_save),
                                         {"__reduce__", AnytimeSettings_reduce, METH_NOARGS, NULL},
                                         END_OF_METHODS};
static PyGetSetDef settings_getters[] = {
    {"poses", AnytimeSettings_get_poses, NULL, DOC_AnytimeSettings_poses, NULL},
    {"errors", AnytimeSettings_get_errors, NULL, DOC_AnytimeSettings_errors, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot settings_slots[] = {{Py_tp_methods, settings_methods},
                                       {Py_tp_getset, settings_getters},
                                       {Py_tp_doc, (void *)DOC_AnytimeSettings},
                                       {0, NULL}};
static PyType_Spec settings_spec = {"boxwood.AnytimeSettings", sizeof(AnytimeSettings), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, settings_slots};
static PyMethodDef functions[] = {ENTRY("collides_within", collides_within),
                                  ENTRY("anytime_try", anytime_try), ENTRY("anytime_poses", anytime_poses),
                                  END_OF_METHODS};

bool anytime_init(PyObject *module)
{
    return add_type(module, &model_spec, &model_type) && add_type(module, &settings_spec, &settings_type) &&
           schema_register(module, &stats_schema) && schema_register(module, &answer_schema) &&
           schema_register(module, &region_schema) && add_type(module, &anytime_spec, &anytime_type) &&
           add_type(module, &cache_spec, &cache_type) && add_functions(module, functions);
}
