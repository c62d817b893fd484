/* Points and a body: nearest points, inside or outside, distances with a sign, places on the surface. */
#include "core.h"

#include <math.h>

static const field nearest_fields[] = {FIELD(bw_nearest_hit, distance, 'd'),
                                       FIELD_VEC3(bw_nearest_hit, point),
                                       FIELD(bw_nearest_hit, primitive, 'n'), END_OF_FIELDS};
static schema nearest_schema = {.record = "boxwood.Nearest",
                                .table = "boxwood.Nearests",
                                .record_doc = DOC_Nearest,
                                .table_doc = DOC_Nearests,
                                .size = sizeof(bw_nearest_hit),
                                .fields = nearest_fields};

static const field location_fields[] = {FIELD_ENUM(bw_location, side, "Side"),
                                        FIELD(bw_location, certain, '?'), FIELD(bw_location, winding, 'd'),
                                        END_OF_FIELDS};
static schema location_schema = {.record = "boxwood.Location",
                                 .table = "boxwood.Locations",
                                 .record_doc = DOC_Location,
                                 .table_doc = DOC_Locations,
                                 .size = sizeof(bw_location),
                                 .fields = location_fields};

#define SURFACE_FIELDS(structure, prefix)                                                                    \
    FIELD_AS("primitive", structure, prefix primitive, 'n'),                                                 \
        {"feature", 'e', offsetof(structure, prefix feature), 0, 0, "Feature"},                              \
        FIELD_AS("corner", structure, prefix corner, 'I'),                                                   \
        FIELD_ROW("point", structure, prefix point, 'd', 3),                                                 \
        FIELD_ROW("normal", structure, prefix normal, 'd', 3),                                               \
        FIELD_ROW("weights", structure, prefix weights, 'd', 3)
static const field surface_fields[] = {SURFACE_FIELDS(bw_surface_point, ), END_OF_FIELDS};
static schema surface_schema = {.record = "boxwood.SurfacePoint",
                                .table = "boxwood.SurfacePoints",
                                .record_doc = DOC_SurfacePoint,
                                .table_doc = DOC_SurfacePoints,
                                .size = sizeof(bw_surface_point),
                                .fields = surface_fields};
static const field signed_fields[] = {FIELD(bw_signed_hit, distance, 'd'),
                                      {"side", 'e', offsetof(bw_signed_hit, location.side), 0, 0, "Side"},
                                      FIELD_AS("certain", bw_signed_hit, location.certain, '?'),
                                      FIELD_AS("winding", bw_signed_hit, location.winding, 'd'),
                                      SURFACE_FIELDS(bw_signed_hit, nearest.),
                                      END_OF_FIELDS};
static schema signed_schema = {.record = "boxwood.SignedDistance",
                               .table = "boxwood.SignedDistances",
                               .record_doc = DOC_SignedDistance,
                               .table_doc = DOC_SignedDistances,
                               .size = sizeof(bw_signed_hit),
                               .fields = signed_fields};

/* One part of the points. */
typedef bw_result points_fn(const bw_body *body, const bw_vec3 *points, uint32_t first, uint32_t count,
                            const void *desc, void *out, bw_fault *fault);

enum { PART = 1 << 17 }; /* points between two looks at signals, at most */

/* A row for each point: of block_alloc, or NULL with an exception. */
static void *rows_for_points(held *body, const array *points, size_t size, points_fn *run, const void *desc,
                             PyObject *progress)
{
    const uint32_t total = points->ndim == 1 ? 1 : array_count(points);
    watch w;
    if (!watch_init(&w, progress, total))
        return NULL;
    char *rows = block_alloc(total, size);
    if (rows == NULL)
        return NULL;
    bw_result result = BW_OK;
    bw_fault fault;
    bool stopped = false;
    uint32_t done = 0;
    pace speed = {.most = PART, .intervals = 1};
    PyThreadState *state = PyEval_SaveThread();
    while (done < total && result == BW_OK && !stopped) {
        stopped = !watch_part(&w, done);
        if (stopped)
            break;
        const uint32_t count = pace_next(&speed, total - done);
        result = run(&body->body, (const bw_vec3 *)points->data + done, done, count, desc, rows + done * size,
                     &fault);
        if (result == BW_OK)
            done += count;
        else if (fault.element != BW_NONE)
            fault.element += done;
    }
    PyEval_RestoreThread(state);
    bool fine = watch_end(&w);
    if (fine && stopped)
        fine = raise_stopped() != NULL;
    if (fine && result != BW_OK)
        fine = raise_fault(result, &fault) != NULL;
    if (fine)
        return rows;
    block_free(rows);
    return NULL;
}

/* A table, or a record for a single point. */
static PyObject *for_points(held *body, const array *points, const schema *rows_of, points_fn *run,
                            const void *desc, PyObject *progress)
{
    void *rows = rows_for_points(body, points, rows_of->size, run, desc, progress);
    if (rows == NULL)
        return NULL;
    if (points->ndim != 1)
        return table_new(rows_of, rows, array_count(points), NULL);
    PyObject *made = record_new(rows_of, rows);
    block_free(rows);
    return made;
}

/* One max_distance, or one per point. */
static bool limits_get(PyObject *object, const array *points, array *limits, double *limit)
{
    *limits = (array){.ndim = 0};
    if (object == NULL || object == Py_None || is_number(object))
        return get_limit(object, "max_distance", limit);
    if (!array_doubles(object, "max_distance", limits))
        return false;
    const uint32_t points_count = points->ndim == 1 ? 1 : array_count(points);
    bool fine = array_count(limits) == points_count;
    if (!fine)
        PyErr_Format(PyExc_ValueError, "%u values of max_distance for %u points", array_count(limits),
                     points_count);
    const double *values = limits->data;
    for (uint32_t i = 0; fine && i < points_count; i++) {
        fine = !(values[i] <= 0) && isfinite(values[i]);
        if (!fine)
            PyErr_Format(PyExc_ValueError, "max_distance[%u] must be finite and above 0", i);
    }
    if (!fine)
        array_release(limits);
    return fine;
}

static bw_result run_nearest(const bw_body *body, const bw_vec3 *points, uint32_t first, uint32_t count,
                             const void *desc, void *out, bw_fault *fault)
{
    bw_nearest_desc own = *(const bw_nearest_desc *)desc;
    if (own.max_distances != NULL)
        own.max_distances += first;
    return bw_nearest_many(body, points, count, &own, out, NULL, fault);
}

FUNCTION(nearest)
{
    (void)self;
    ARGUMENTS(nearest);
    bw_nearest_desc desc = BW_SIZED(bw_nearest_desc);
    held body;
    array points, limits;
    tasks threads = {NULL, NULL, NULL};
    if (!held_get(v[ARG_nearest_body], v[ARG_nearest_pose], "body", "pose", &body))
        return NULL;
    PyObject *made = NULL;
    if (array_points(v[ARG_nearest_points], "points", &points)) {
        if (limits_get(v[ARG_nearest_max_distance], &points, &limits, &desc.max_distance)) {
            desc.max_distances = limits.data;
            if (tasks_get(v[ARG_nearest_pool], &threads)) {
                desc.tasks = threads.hook;
                made =
                    for_points(&body, &points, &nearest_schema, run_nearest, &desc, v[ARG_nearest_progress]);
            }
            tasks_done(&threads);
            array_release(&limits);
        }
        array_release(&points);
    }
    held_done(&body);
    return made;
}

static bw_result run_contains(const bw_body *body, const bw_vec3 *points, uint32_t first, uint32_t count,
                              const void *desc, void *out, bw_fault *fault)
{
    (void)first;
    return bw_contains_many(body, points, count, desc, out, NULL, fault);
}

/* Inside or on the surface. */
static PyObject *insides(held *body, const array *points, const bw_contains_desc *desc, PyObject *progress)
{
    bw_location *rows = rows_for_points(body, points, sizeof *rows, run_contains, desc, progress);
    if (rows == NULL)
        return NULL;
    const uint32_t total = points->ndim == 1 ? 1 : array_count(points);
    const Py_ssize_t shape[1] = {total};
    PyObject *made = NULL;
    if (points->ndim == 1) {
        made = PyBool_FromLong(rows[0].side != BW_SIDE_OUTSIDE);
    } else {
        bool *flags = block_alloc(total, sizeof *flags);
        for (uint32_t i = 0; flags != NULL && i < total; i++)
            flags[i] = rows[i].side != BW_SIDE_OUTSIDE;
        made = flags == NULL ? NULL : array_new(flags, '?', 1, shape);
    }
    block_free(rows);
    return made;
}

static PyObject *for_locations(PyObject **given, bool flags)
{
    bw_contains_desc desc = BW_SIZED(bw_contains_desc);
    held body;
    array points;
    tasks threads = {NULL, NULL, NULL};
    void *cache = NULL;
    if (!held_get(given[ARG_locate_body], given[ARG_locate_pose], "body", "pose", &body))
        return NULL;
    PyObject *made = NULL;
    if (array_points(given[ARG_locate_points], "points", &points)) {
        if (pair_cache_get(given[ARG_locate_cache], &desc.cache, &cache) &&
            tasks_get(given[ARG_locate_pool], &threads)) {
            desc.tasks = threads.hook;
            if (!flags)
                made = for_points(&body, &points, &location_schema, run_contains, &desc,
                                  given[ARG_locate_progress]);
            else
                made = insides(&body, &points, &desc, given[ARG_locate_progress]);
        }
        tasks_done(&threads);
        shared_done(cache);
        array_release(&points);
    }
    held_done(&body);
    return made;
}

FUNCTION(locate)
{
    (void)self;
    ARGUMENTS(locate);
    return for_locations(v, false);
}

_Static_assert((int)COUNT_locate == (int)COUNT_contains,
               "contains takes what locate takes, in the same order");

FUNCTION(contains)
{
    (void)self;
    ARGUMENTS(contains);
    return for_locations(v, true);
}

static bw_result run_signed(const bw_body *body, const bw_vec3 *points, uint32_t first, uint32_t count,
                            const void *desc, void *out, bw_fault *fault)
{
    bw_signed_desc own = *(const bw_signed_desc *)desc;
    if (own.max_distances != NULL)
        own.max_distances += first;
    return bw_signed_distance_many(body, points, count, &own, out, NULL, fault);
}

FUNCTION(signed_distance)
{
    (void)self;
    ARGUMENTS(signed_distance);
    bw_signed_desc desc = BW_SIZED(bw_signed_desc);
    held body;
    array points, limits;
    tasks threads = {NULL, NULL, NULL};
    void *cache = NULL;
    if (!held_get(v[ARG_signed_distance_body], v[ARG_signed_distance_pose], "body", "pose", &body))
        return NULL;
    PyObject *made = NULL;
    if (array_points(v[ARG_signed_distance_points], "points", &points)) {
        if (limits_get(v[ARG_signed_distance_max_distance], &points, &limits, &desc.max_distance)) {
            desc.max_distances = limits.data;
            if (pair_cache_get(v[ARG_signed_distance_cache], &desc.cache, &cache) &&
                tasks_get(v[ARG_signed_distance_pool], &threads)) {
                desc.tasks = threads.hook;
                made = for_points(&body, &points, &signed_schema, run_signed, &desc,
                                  v[ARG_signed_distance_progress]);
            }
            tasks_done(&threads);
            shared_done(cache);
            array_release(&limits);
        }
        array_release(&points);
    }
    held_done(&body);
    return made;
}

static bw_result run_surface(const bw_body *body, const bw_vec3 *points, uint32_t first, uint32_t count,
                             const void *desc, void *out, bw_fault *fault)
{
    return bw_surface_at_many(body, (const uint32_t *)desc + first, points, count, out, fault);
}

FUNCTION(surface_at)
{
    (void)self;
    ARGUMENTS(surface_at);
    held body;
    array points, primitives;
    if (!held_get(v[ARG_surface_at_body], v[ARG_surface_at_pose], "body", "pose", &body))
        return NULL;
    PyObject *made = NULL;
    if (array_points(v[ARG_surface_at_points], "points", &points)) {
        const want wanted = {'i', 0, {0, 0, 0}, points.ndim == 1, NULL};
        uint32_t single = 0;
        const bool number = PyLong_Check(v[ARG_surface_at_primitives]) != 0;
        const uint32_t total = points.ndim == 1 ? 1 : array_count(&points);
        if (number && points.ndim == 1) {
            if (get_u32(v[ARG_surface_at_primitives], "primitives", &single))
                made = for_points(&body, &points, &surface_schema, run_surface, &single, NULL);
        } else if (array_get(v[ARG_surface_at_primitives], "primitives", &wanted, &primitives)) {
            if (primitives.ndim == 0 || array_count(&primitives) == total)
                made = for_points(&body, &points, &surface_schema, run_surface, primitives.data, NULL);
            else
                PyErr_Format(PyExc_ValueError, "%u primitives for %u points", array_count(&primitives),
                             total);
            array_release(&primitives);
        }
        array_release(&points);
    }
    held_done(&body);
    return made;
}

static PyMethodDef functions[] = {ENTRY("nearest", nearest),       ENTRY("locate", locate),
                                  ENTRY("contains", contains),     ENTRY("signed_distance", signed_distance),
                                  ENTRY("surface_at", surface_at), END_OF_METHODS};

bool nearest_init(PyObject *module)
{
    return schema_register(module, &nearest_schema) && schema_register(module, &location_schema) &&
           schema_register(module, &surface_schema) && schema_register(module, &signed_schema) &&
           add_functions(module, functions);
}
