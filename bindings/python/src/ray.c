/* Rays. */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const field ray_fields[] = {FIELD(bw_ray_hit, primitive, 'n'), FIELD(bw_ray_hit, t, 'd'),
                                   FIELD_ENUM(bw_ray_hit, kind, "Kind"), END_OF_FIELDS};
static schema ray_schema = {.record = "boxwood.RayHit",
                            .table = "boxwood.RayHits",
                            .record_doc = DOC_RayHit,
                            .table_doc = DOC_RayHits,
                            .size = sizeof(bw_ray_hit),
                            .fields = ray_fields};

typedef struct all_row {
    uint32_t ray;
    bw_ray_hit hit;
} all_row;
static const field all_fields[] = {FIELD(all_row, ray, 'I'),
                                   FIELD_AS("primitive", all_row, hit.primitive, 'n'),
                                   FIELD_AS("t", all_row, hit.t, 'd'),
                                   {"kind", 'e', offsetof(all_row, hit.kind), 0, 0, "Kind"},
                                   END_OF_FIELDS};
static schema all_schema = {.record = "boxwood.RayCrossing",
                            .table = "boxwood.RayCrossings",
                            .record_doc = DOC_RayCrossing,
                            .table_doc = DOC_RayCrossings,
                            .size = sizeof(all_row),
                            .fields = all_fields};

/* Rays from arrays of origins and directions, either of which may be one for all. */
bool ray_set_get(PyObject *origins, PyObject *directions, PyObject *t_max, bool between, ray_set *out)
{
    memset(out, 0, sizeof *out);
    out->between = between;
    const char *second = between ? "targets" : "directions";
    if (!array_points(origins, "origins", &out->origins))
        return false;
    if (!array_points(directions, second, &out->directions))
        goto fail;
    const Py_ssize_t a = out->origins.ndim == 1 ? -1 : out->origins.shape[0];
    const Py_ssize_t b = out->directions.ndim == 1 ? -1 : out->directions.shape[0];
    if (a >= 0 && b >= 0 && a != b) {
        PyErr_Format(PyExc_ValueError, "%zd origins and %zd %s: as many are needed, or one", a, b, second);
        goto fail;
    }
    out->one = a < 0 && b < 0;
    out->count = (uint32_t)(out->one ? 1 : a >= 0 ? a : b);
    if (t_max != NULL && t_max != Py_None) {
        if (is_number(t_max)) {
            if (!get_limit(t_max, "t_max", &out->limit))
                goto fail;
        } else if (!array_doubles(t_max, "t_max", &out->limits)) {
            goto fail;
        } else if (array_count(&out->limits) != out->count) {
            PyErr_Format(PyExc_ValueError, "%u values of t_max for %u rays", array_count(&out->limits),
                         out->count);
            goto fail;
        }
        const double *limits = out->limits.data;
        for (uint32_t i = 0; limits != NULL && i < out->count; i++)
            if (limits[i] <= 0) {
                PyErr_Format(PyExc_ValueError, "t_max[%u] must be above 0 (infinity: no limit)", i);
                goto fail;
            }
    }
    return true;
fail:
    ray_set_release(out);
    return false;
}

void ray_set_release(ray_set *set)
{
    array_release(&set->origins);
    array_release(&set->directions);
    array_release(&set->limits);
}

void ray_set_fill(const ray_set *set, uint32_t first, uint32_t count, bw_ray *out)
{
    const bw_vec3 *origins = set->origins.data, *directions = set->directions.data;
    const double *limits = set->limits.data;
    for (uint32_t i = 0; i < count; i++) {
        out[i].origin = origins[set->origins.ndim == 1 ? 0 : first + i];
        out[i].direction = directions[set->directions.ndim == 1 ? 0 : first + i];
        out[i].t_max = limits == NULL ? set->limit : limits[first + i] == INFINITY ? 0 : limits[first + i];
        out[i].between = set->between;
    }
}

/* Rays of one call of the library: about a third of a second, between which signals are looked at; and so many that it makes a
 * layout for rays where that pays. A tree that has one is given fewer, which stay in the cache, by who has no threads. */
enum { PART = 1 << 19, SMALL_PART = 1 << 11 };

static PyObject *cast(held *body, const ray_set *set, bw_raycast_desc *desc, watch *w)
{
    const uint32_t most = desc->tasks == NULL && tree_for_rays(body->object) ? SMALL_PART : PART;
    const uint32_t part = set->count < most ? set->count : most;
    pace speed = {.most = part, .intervals = 6};
    bw_ray_hit *hits = block_alloc(set->count, sizeof *hits);
    bw_ray *rays = PyMem_Malloc(part * sizeof *rays + 1);
    if (hits == NULL || rays == NULL) {
        block_free(hits);
        PyMem_Free(rays);
        return PyErr_NoMemory();
    }
    bw_result result = BW_OK;
    bw_fault fault;
    bool stopped = false;
    uint32_t done = 0;
    PyThreadState *state = PyEval_SaveThread();
    while (done < set->count && result == BW_OK && !stopped) {
        stopped = !watch_part(w, done);
        if (stopped)
            break;
        const uint32_t count = pace_next(&speed, set->count - done);
        ray_set_fill(set, done, count, rays);
        result = bw_raycast_many(&body->body, rays, count, desc, hits + done, NULL, &fault);
        if (result == BW_OK)
            done += count;
        else if (fault.element != BW_NONE)
            fault.element += done;
    }
    PyEval_RestoreThread(state);
    PyMem_Free(rays);
    bool fine = watch_end(w);
    if (fine && stopped) {
        raise_stopped();
        fine = false;
    }
    if (fine && result != BW_OK)
        fine = raise_fault(result, &fault) != NULL;
    if (!fine) {
        block_free(hits);
        return NULL;
    }
    if (!set->one)
        return table_new(&ray_schema, hits, set->count, NULL);
    PyObject *made = record_new(&ray_schema, hits);
    block_free(hits);
    return made;
}

static const char *const words_mode[] = {"nearest", "any", END_OF_WORDS};

FUNCTION(rays)
{
    (void)self;
    ARGUMENTS(rays);
    bw_raycast_desc desc = BW_SIZED(bw_raycast_desc);
    ray_set set;
    held body;
    watch w;
    tasks threads;
    int mode = BW_RAY_NEAREST;
    bool between = false;
    if (!get_choice(v[ARG_rays_mode], "mode", words_mode, &mode) ||
        !get_bool(v[ARG_rays_between], "between", &between) ||
        !held_get(v[ARG_rays_body], v[ARG_rays_pose], "body", "pose", &body))
        return NULL;
    PyObject *made = NULL;
    if (ray_set_get(v[ARG_rays_origins], v[ARG_rays_directions], v[ARG_rays_t_max], between, &set)) {
        if (watch_init(&w, v[ARG_rays_progress], set.count) && tasks_get(v[ARG_rays_pool], &threads)) {
            desc.mode = (bw_ray_mode)mode;
            desc.tasks = threads.hook;
            made = cast(&body, &set, &desc, &w);
            tasks_done(&threads);
        }
        ray_set_release(&set);
    }
    held_done(&body);
    return made;
}

typedef struct all_rays {
    grown rows;
    uint32_t ray;
} all_rays;

static bool add_crossing(void *user, const bw_ray_hit *one)
{
    all_rays *all = user;
    all_row row;
    memset(&row, 0, sizeof row);
    row.ray = all->ray;
    row.hit = *one;
    return grown_add(&all->rows, &row, 1);
}

static int by_t(const void *a, const void *b)
{
    const all_row *x = a, *y = b;
    if (x->hit.t != y->hit.t)
        return x->hit.t < y->hit.t ? -1 : 1;
    return x->hit.primitive < y->hit.primitive ? -1 : x->hit.primitive > y->hit.primitive;
}

FUNCTION(rays_all)
{
    (void)self;
    ARGUMENTS(rays_all);
    bw_raycast_desc desc = BW_SIZED(bw_raycast_desc);
    all_rays all = {.rows = {.size = sizeof(all_row)}};
    ray_set set;
    held body;
    watch w;
    bool between = false, stopped = false;
    if (!get_bool(v[ARG_rays_all_between], "between", &between) ||
        !held_get(v[ARG_rays_all_body], v[ARG_rays_all_pose], "body", "pose", &body))
        return NULL;
    if (!ray_set_get(v[ARG_rays_all_origins], v[ARG_rays_all_directions], v[ARG_rays_all_t_max], between,
                     &set)) {
        held_done(&body);
        return NULL;
    }
    bool fine = watch_init(&w, v[ARG_rays_all_progress], set.count);
    bw_result result = BW_OK;
    bw_fault fault;
    desc.mode = BW_RAY_ALL;
    desc.on_hit = add_crossing;
    desc.user = &all;
    PyThreadState *state = PyEval_SaveThread();
    for (all.ray = 0; fine && all.ray < set.count && result == BW_OK && !stopped && !all.rows.failed;
         all.ray++) {
        bw_ray ray;
        stopped = !watch_part(&w, all.ray);
        if (stopped)
            break;
        const size_t first = all.rows.count;
        ray_set_fill(&set, all.ray, 1, &ray);
        result = bw_raycast(&body.body, &ray, &desc, NULL, NULL, &fault);
        if (result != BW_OK)
            fault.element = all.ray;
        if (all.rows.count - first > 1)
            qsort((all_row *)all.rows.data + first, all.rows.count - first, sizeof(all_row), by_t);
    }
    PyEval_RestoreThread(state);
    ray_set_release(&set);
    held_done(&body);
    fine = fine && watch_end(&w);
    if (fine && stopped) {
        raise_stopped();
        fine = false;
    }
    if (fine && all.rows.failed)
        fine = PyErr_NoMemory() != NULL;
    if (fine && result != BW_OK)
        fine = raise_fault(result, &fault) != NULL;
    if (fine)
        return table_new(&all_schema, all.rows.data, all.rows.count, NULL);
    block_free(all.rows.data);
    return NULL;
}

static PyMethodDef functions[] = {ENTRY("rays", rays), ENTRY("rays_all", rays_all), END_OF_METHODS};

bool ray_init(PyObject *module)
{
    return schema_register(module, &ray_schema) && schema_register(module, &all_schema) &&
           add_functions(module, functions);
}
