/* Questions about a world: rays, overlaps, distances and sweeps, down to the triangle. */
#include "world.h"

#include <string.h>

static const field ray_fields[] = {FIELD(bw_world_ray_hit, id, 'Q'),
                                   FIELD(bw_world_ray_hit, primitive, 'n'),
                                   FIELD(bw_world_ray_hit, t, 'd'),
                                   FIELD_VEC3(bw_world_ray_hit, point),
                                   FIELD_VEC3(bw_world_ray_hit, normal),
                                   FIELD_ROW("weights", bw_world_ray_hit, weights, 'd', 3),
                                   END_OF_FIELDS};
static const field distance_fields[] = {
    FIELD(bw_world_distance_report, distance, 'd'),    FIELD(bw_world_distance_report, id, 'Q'),
    FIELD(bw_world_distance_report, primitive, 'n'),   FIELD_VEC3(bw_world_distance_report, point),
    FIELD_VEC3(bw_world_distance_report, point_shape), END_OF_FIELDS};
static schema ray_schema = {.record = "boxwood.WorldRayHit",
                            .table = "boxwood.WorldRayHits",
                            .record_doc = DOC_WorldRayHit,
                            .table_doc = DOC_WorldRayHits,
                            .size = sizeof(bw_world_ray_hit),
                            .fields = ray_fields};
static schema distance_schema = {.record = "boxwood.WorldDistance",
                                 .record_doc = DOC_WorldDistance,
                                 .size = sizeof(bw_world_distance_report),
                                 .fields = distance_fields};

static bool may_meet_one(void *user, bw_id id)
{
    return callback_true(user, "(K)", (unsigned long long)id);
}

static bool filter_get(PyObject *mask, PyObject *except_id, PyObject *function, callback *may_meet,
                       bw_world_filter *out)
{
    *out = BW_SIZED(bw_world_filter);
    if (!get_u32(mask, "mask", &out->mask) || !get_u64(except_id, "except_id", &out->except) ||
        !callback_get(function, "may_meet", may_meet))
        return false;
    out->may_meet = may_meet->function == NULL ? NULL : may_meet_one;
    out->user = may_meet;
    return true;
}

/* False with an exception. */
static bool answered(callback *may_meet, bw_result result, const bw_fault *fault)
{
    return callback_end(may_meet) && (result == BW_OK || raise_fault(result, fault) != NULL);
}

enum { RAYS_OF_A_PART = 1 << 17 }; /* between two looks at signals, at most */

METHOD(World_rays)
{
    ARGUMENTS(World_rays);
    World *w = (World *)self;
    tasks threads;
    bw_world_filter filter;
    callback may_meet;
    ray_set set;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!filter_get(v[ARG_World_rays_mask], v[ARG_World_rays_except_id], v[ARG_World_rays_may_meet],
                    &may_meet, &filter) ||
        !ray_set_get(v[ARG_World_rays_origins], v[ARG_World_rays_directions], v[ARG_World_rays_t_max], false,
                     &set))
        return NULL;
    const bool one = set.one;
    const uint32_t total = set.count;
    pace speed = {.most = RAYS_OF_A_PART, .intervals = 1};
    watch watched;
    watch_init(&watched, NULL, 0);
    bw_world_ray_hit *hits = block_alloc(total, sizeof *hits);
    bw_ray *rays = PyMem_Malloc(total * sizeof *rays + 1);
    const bool fine = hits != NULL && rays != NULL && world_enter(w, false, &threads);
    if (rays == NULL)
        PyErr_NoMemory();
    if (fine) {
        ray_set_fill(&set, 0, total, rays);
        PyThreadState *state = PyEval_SaveThread();
        for (uint32_t done = 0, count_now; done < total && result == BW_OK && watch_part(&watched, done);
             done += count_now) {
            count_now = pace_next(&speed, total - done);
            result = bw_world_raycast_many(w->world, rays + done, count_now, &filter, hits + done, &fault);
            if (result != BW_OK && fault.element != BW_NONE)
                fault.element += done;
        }
        PyEval_RestoreThread(state);
        world_leave(w, &threads);
    }
    ray_set_release(&set);
    PyMem_Free(rays);
    const bool good = fine && watch_end(&watched) && answered(&may_meet, result, &fault);
    if (good && !one)
        return table_new(&ray_schema, hits, total, NULL);
    PyObject *made = good ? record_new(&ray_schema, hits) : NULL;
    block_free(hits);
    return made;
}

METHOD(World_rays_all)
{
    ARGUMENTS(World_rays_all);
    World *w = (World *)self;
    tasks threads;
    bw_world_filter filter;
    callback may_meet;
    ray_set set;
    bw_ray ray;
    bw_fault fault;
    bw_result result = BW_OK;
    uint32_t found = 0;
    if (!filter_get(v[ARG_World_rays_all_mask], v[ARG_World_rays_all_except_id],
                    v[ARG_World_rays_all_may_meet], &may_meet, &filter) ||
        !ray_set_get(v[ARG_World_rays_all_origin], v[ARG_World_rays_all_direction],
                     v[ARG_World_rays_all_t_max], false, &set))
        return NULL;
    const bool one = set.one;
    if (one)
        ray_set_fill(&set, 0, 1, &ray);
    ray_set_release(&set);
    if (!one) {
        PyErr_SetString(PyExc_ValueError, "origin and direction are of one ray");
        return NULL;
    }
    if (!world_enter(w, false, &threads))
        return NULL;
    bw_world_ray_hit *hits = block_alloc(w->count, sizeof *hits);
    if (hits != NULL)
        UNLOCKED(result =
                     bw_world_raycast(w->world, &ray, &filter, hits, (uint32_t)w->count, &found, &fault));
    world_leave(w, &threads);
    if (answered(&may_meet, result, &fault) && hits != NULL)
        return table_new(&ray_schema, hits, found, NULL);
    block_free(hits);
    return NULL;
}

/* The answer of a query while the shape that it is about is read. */
static PyObject *with_shape(PyObject *(*query)(World *w, PyObject **v), World *w, PyObject **v,
                            PyObject *shape)
{
    if (!shape_enter(shape))
        return NULL;
    PyObject *made = query(w, v);
    shape_leave(shape);
    return made;
}

static PyObject *overlap_of(World *w, PyObject **v)
{
    tasks threads;
    bw_world_filter filter;
    callback may_meet;
    bw_placed_shape shape;
    bw_transform at;
    bw_fault fault;
    bw_result result = BW_OK;
    uint32_t found = 0;
    if (!filter_get(v[ARG_World_overlap_mask], v[ARG_World_overlap_except_id], v[ARG_World_overlap_may_meet],
                    &may_meet, &filter) ||
        !shape_get(v[ARG_World_overlap_shape], "shape", &shape.shape) ||
        !get_pose(v[ARG_World_overlap_pose], "pose", &at, &shape.pose) || !world_enter(w, false, &threads))
        return NULL;
    bw_id *ids = block_alloc(w->count, sizeof *ids);
    if (ids != NULL)
        UNLOCKED(result =
                     bw_world_overlap(w->world, &shape, &filter, ids, (uint32_t)w->count, &found, &fault));
    world_leave(w, &threads);
    const Py_ssize_t size[1] = {found};
    if (answered(&may_meet, result, &fault) && ids != NULL)
        return array_new(ids, 'Q', 1, size);
    block_free(ids);
    return NULL;
}

METHOD(World_overlap)
{
    ARGUMENTS(World_overlap);
    return with_shape(overlap_of, (World *)self, v, v[ARG_World_overlap_shape]);
}

static PyObject *distance_of(World *w, PyObject **v)
{
    tasks threads;
    bw_world_filter filter;
    callback may_meet;
    bw_world_distance_report report = BW_SIZED(bw_world_distance_report);
    bw_placed_shape shape;
    bw_transform at;
    bw_fault fault;
    bw_result result;
    double limit = 0;
    if (!filter_get(v[ARG_World_distance_mask], v[ARG_World_distance_except_id],
                    v[ARG_World_distance_may_meet], &may_meet, &filter) ||
        !shape_get(v[ARG_World_distance_shape], "shape", &shape.shape) ||
        !get_pose(v[ARG_World_distance_pose], "pose", &at, &shape.pose) ||
        !get_limit(v[ARG_World_distance_max_distance], "max_distance", &limit) ||
        !world_enter(w, false, &threads))
        return NULL;
    UNLOCKED(result = bw_world_distance(w->world, &shape, limit, &filter, &report, &fault));
    world_leave(w, &threads);
    return answered(&may_meet, result, &fault) ? record_new(&distance_schema, &report) : NULL;
}

METHOD(World_distance)
{
    ARGUMENTS(World_distance);
    return with_shape(distance_of, (World *)self, v, v[ARG_World_distance_shape]);
}

static PyObject *sweep_of(World *w, PyObject **v)
{
    tasks threads;
    bw_world_filter filter;
    callback may_meet;
    bw_world_impact out;
    const bw_shape *shape;
    bw_rigid_motion storage;
    const bw_rigid_motion *motion;
    bw_fault fault;
    bw_result result;
    if (!filter_get(v[ARG_World_sweep_mask], v[ARG_World_sweep_except_id], v[ARG_World_sweep_may_meet],
                    &may_meet, &filter) ||
        !shape_get(v[ARG_World_sweep_shape], "shape", &shape) ||
        !motion_get(v[ARG_World_sweep_start], v[ARG_World_sweep_end], "start, end", &storage, &motion))
        return NULL;
    if (motion == NULL) {
        PyErr_SetString(PyExc_TypeError, "start or end must be given");
        return NULL;
    }
    if (!world_enter(w, false, &threads))
        return NULL;
    UNLOCKED(result = bw_world_sweep(w->world, shape, motion, &filter, &out, &fault));
    world_leave(w, &threads);
    return answered(&may_meet, result, &fault) ? record_new(&impact_schema, &out) : NULL;
}

METHOD(World_sweep)
{
    ARGUMENTS(World_sweep);
    return with_shape(sweep_of, (World *)self, v, v[ARG_World_sweep_shape]);
}

bool world_queries_init(PyObject *module)
{
    return schema_register(module, &ray_schema) && schema_register(module, &distance_schema);
}
