/* Views, and culling of what a camera does not see of a scene. */
#include "scene.h"

typedef struct Culler {
    PyObject_HEAD int users;
    bw_cull *cull;
    PyObject *occluders; /* user number: (Mesh, pose or None, closed) */
    PyObject *held;      /* the mesh of the last occluder: it must stay until the next call */
    bw_transform pose;
    PyObject *error_type, *error_value, *error_traceback;
} Culler;
/* A depth buffer that the caller draws into. */
typedef struct Depth {
    PyObject_HEAD int users;
    bw_depth *depth;
} Depth;
/* What one view remembers of queries from call to call. */
typedef struct ViewCache {
    PyObject_HEAD int users;
    bw_view_cache *cache;
} ViewCache;
static PyTypeObject *culler_type, *depth_type, *view_cache_type;

static const field cull_fields[] = {
    FIELD(bw_cull_report, visible_count, 'Q'),       FIELD(bw_cull_report, node_count, 'Q'),
    FIELD(bw_cull_report, hidden_node_count, 'Q'),   FIELD(bw_cull_report, tested_count, 'Q'),
    FIELD(bw_cull_report, hidden_object_count, 'Q'), FIELD(bw_cull_report, occluder_count, 'Q'),
    FIELD(bw_cull_report, triangle_count, 'Q'),      END_OF_FIELDS};
static schema cull_schema = {.record = "boxwood.CullReport",
                             .record_doc = DOC_CullReport,
                             .size = sizeof(bw_cull_report),
                             .fields = cull_fields};

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

FUNCTION(view_project)
{
    (void)self;
    ARGUMENTS(view_project);
    static const int at[] = {ARG_view_project_eye, ARG_view_project_forward, ARG_view_project_up,
                             ARG_view_project_fov, ARG_view_project_aspect,  ARG_view_project_near,
                             ARG_view_project_far};
    bw_view view;
    bw_plane planes[6];
    uint32_t total, width = 512, height = 256;
    array points;
    bw_fault fault;
    if (!view_get(v, at, &view) || !get_u32(v[ARG_view_project_width], "width", &width) ||
        !get_u32(v[ARG_view_project_height], "height", &height))
        return NULL;
    const bw_result result = bw_view_planes(&view, planes, &total, &fault); /* whether it is a view at all */
    if (result != BW_OK)
        return raise_fault(result, &fault);
    if (!array_points(v[ARG_view_project_points], "points", &points))
        return NULL;
    const bool one = points.ndim == 1;
    const Py_ssize_t shape[2] = {one ? 1 : points.shape[0], 3};
    const bw_vec3 *list = points.data;
    double(*out)[3] = block_alloc((size_t)shape[0], sizeof *out);
    PyThreadState *state = PyEval_SaveThread();
    for (Py_ssize_t i = 0; out != NULL && i < shape[0]; i++)
        if (!bw_view_project(&view, width, height, list[i], &out[i][0], &out[i][1], &out[i][2]))
            out[i][0] = out[i][1] = out[i][2] = Py_NAN;
    PyEval_RestoreThread(state);
    array_release(&points);
    return out == NULL ? NULL : array_new(out, 'd', one ? 1 : 2, one ? shape + 1 : shape);
}

/* ---- what a view remembers ---- */

static PyObject *ViewCache_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(ViewCache);
    ViewCache *made = new_object(type);
    if (made == NULL)
        return NULL;
    const bw_result result = bw_view_cache_create(NULL, &made->cache);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, NULL);
}

static void ViewCache_release(PyObject *self)
{
    bw_view_cache_destroy(((ViewCache *)self)->cache);
    ((ViewCache *)self)->cache = NULL;
}

CLOSING(ViewCache, NULL)

static void ViewCache_dealloc(PyObject *self)
{
    ViewCache_release(self);
    free_object(self);
}

FUNCTION(ViewCache_reset)
{
    ARGUMENTS(ViewCache_reset);
    if (!shared_write(self))
        return NULL;
    bw_view_cache_reset(((ViewCache *)self)->cache);
    shared_done(self);
    Py_RETURN_NONE;
}

bool view_cache_get(PyObject *object, bw_view_cache **out, void **held_cache)
{
    *out = NULL;
    *held_cache = NULL;
    if (object == NULL || object == Py_None)
        return true;
    if (Py_TYPE(object) != view_cache_type) {
        PyErr_Format(PyExc_TypeError, "cache must be a boxwood.ViewCache, not %R", object);
        return false;
    }
    if (!shared_write(object))
        return false;
    *out = ((ViewCache *)object)->cache;
    *held_cache = object;
    return true;
}

/* ---- depth buffers ---- */

static PyObject *Depth_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Depth);
    uint32_t width = 512, height = 256;
    bw_fault fault;
    if (!get_u32(v[ARG_Depth_width], "width", &width) || !get_u32(v[ARG_Depth_height], "height", &height))
        return NULL;
    Depth *made = new_object(type);
    if (made == NULL)
        return NULL;
    const bw_result result = bw_depth_create(NULL, width, height, &made->depth, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void Depth_release(PyObject *self)
{
    bw_depth_destroy(((Depth *)self)->depth);
    ((Depth *)self)->depth = NULL;
}

CLOSING(Depth, NULL)

static void Depth_dealloc(PyObject *self)
{
    Depth_release(self);
    free_object(self);
}

FUNCTION(Depth_begin)
{
    ARGUMENTS(Depth_begin);
    static const int at[] = {ARG_Depth_begin_eye, ARG_Depth_begin_forward, ARG_Depth_begin_up,
                             ARG_Depth_begin_fov, ARG_Depth_begin_aspect,  ARG_Depth_begin_near,
                             ARG_Depth_begin_far};
    bw_view view;
    bw_fault fault;
    if (!view_get(v, at, &view) || !shared_write(self))
        return NULL;
    const bw_result result = bw_depth_begin(((Depth *)self)->depth, &view, &fault);
    shared_done(self);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

FUNCTION(Depth_draw)
{
    ARGUMENTS(Depth_draw);
    bw_occluder occluder = BW_SIZED(bw_occluder);
    bw_transform pose;
    uint32_t drawn = 0;
    bw_fault fault;
    bw_result result;
    const Mesh *mesh = mesh_get(v[ARG_Depth_draw_mesh], "mesh");
    if (mesh == NULL)
        return NULL;
    occluder.mesh = &mesh->mesh;
    if (!get_pose(v[ARG_Depth_draw_pose], "pose", &pose, &occluder.pose) ||
        !get_bool(v[ARG_Depth_draw_closed], "closed", &occluder.closed) || !shared_write(self))
        return NULL;
    UNLOCKED(result = bw_depth_draw(((Depth *)self)->depth, &occluder, &drawn, &fault));
    shared_done(self);
    return result != BW_OK ? raise_fault(result, &fault) : PyLong_FromUnsignedLong(drawn);
}

FUNCTION(Depth_hides)
{
    ARGUMENTS(Depth_hides);
    uint32_t total = 0;
    bool one;
    bw_box *boxes = boxes_get(v[ARG_Depth_hides_boxes], &total, &one);
    if (boxes == NULL)
        return NULL;
    bool *out = block_alloc(total, sizeof *out);
    const bool fine = out != NULL && shared_write(self);
    if (fine) {
        PyThreadState *state = PyEval_SaveThread();
        for (uint32_t i = 0; i < total; i++)
            out[i] = bw_depth_hides(((Depth *)self)->depth, &boxes[i]);
        PyEval_RestoreThread(state);
        shared_done(self);
    }
    PyMem_Free(boxes);
    const Py_ssize_t shape[1] = {total};
    if (fine && !one)
        return array_new(out, '?', 1, shape);
    PyObject *made = fine ? PyBool_FromLong(out[0]) : NULL;
    block_free(out);
    return made;
}

FUNCTION(Depth_values)
{
    ARGUMENTS(Depth_values);
    uint32_t level = 0, width = 0, height = 0;
    if (!get_u32(v[ARG_Depth_values_level], "level", &level) || !shared_write(self))
        return NULL;
    bw_depth *depth = ((Depth *)self)->depth;
    const float *values =
        level == 0 ? bw_depth_values(depth, &width, &height) : bw_depth_level(depth, level, &width, &height);
    const Py_ssize_t shape[2] = {height, width};
    PyObject *made = values == NULL ? NULL : array_copy(values, 'f', 2, shape);
    shared_done(self);
    if (values == NULL)
        PyErr_Format(PyExc_ValueError, "level %u is beyond the top of the pyramid", level);
    return made;
}

/* ---- culling ---- */

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
        fine = fine && is_open(mesh);
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

static int Culler_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Culler *)self)->occluders);
    Py_VISIT(((Culler *)self)->held);
    return 0;
}

static void Culler_release(PyObject *self)
{
    Culler *c = (Culler *)self;
    PyObject *occluders = c->occluders, *mesh = c->held;
    bw_cull_destroy(c->cull);
    c->cull = NULL;
    c->occluders = c->held = NULL;
    drop(occluders);
    drop(mesh);
}

CLOSING(Culler, NULL)

static void Culler_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Culler_release(self);
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
    found rows;
    scene_held h;
    void *paths;
    bw_fault fault;
    bw_result result;
    if (!view_get(v, at, &view))
        return NULL;
    if (Py_TYPE(scene) != scene_type) {
        PyErr_Format(PyExc_TypeError, "scene must be a boxwood.Scene, not %R", scene);
        return NULL;
    }
    if (!paths_get(v[ARG_Culler_frame_paths], (Scene *)scene, &output.paths, &paths))
        return NULL;
    const bool fine = found_begin(v[ARG_Culler_frame_visit], paths != NULL, &rows, &output) &&
                      scene_read((Scene *)scene, &h);
    if (!fine || !shared_write(c)) {
        if (fine)
            scene_done(&h);
        shared_done(paths);
        return NULL;
    }
    UNLOCKED(result = bw_cull_frame(c->cull, ((Scene *)scene)->scene, &view, &output, &report, &fault));
    shared_done(c);
    scene_done(&h);
    shared_done(paths);
    if (c->error_type != NULL) {
        block_free(rows.rows.data);
        PyErr_Restore(c->error_type, c->error_value, c->error_traceback);
        c->error_type = c->error_value = c->error_traceback = NULL;
        return NULL;
    }
    PyObject *ids = found_end(&rows, result, &fault);
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

static PyMethodDef culler_methods[] = {ENTRY("frame", Culler_frame), ENTRY("depth", Culler_depth),
                                       ENTRY("reset", Culler_reset), CLOSING_ENTRIES(Culler), END_OF_METHODS};
static PyType_Slot culler_slots[] = {{Py_tp_new, Culler_new},           {Py_tp_dealloc, Culler_dealloc},
                                     {Py_tp_traverse, Culler_traverse}, {Py_tp_methods, culler_methods},
                                     {Py_tp_doc, (void *)DOC_Culler},   {0, NULL}};
static PyType_Spec culler_spec = {"boxwood.Culler", sizeof(Culler), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, culler_slots};
static PyMethodDef cache_methods[] = {ENTRY("reset", ViewCache_reset), CLOSING_ENTRIES(ViewCache),
                                      END_OF_METHODS};
static PyType_Slot cache_slots[] = {{Py_tp_new, ViewCache_new},
                                    {Py_tp_dealloc, ViewCache_dealloc},
                                    {Py_tp_methods, cache_methods},
                                    {Py_tp_doc, (void *)DOC_ViewCache},
                                    {0, NULL}};
static PyType_Spec cache_spec = {"boxwood.ViewCache", sizeof(ViewCache), 0, Py_TPFLAGS_DEFAULT, cache_slots};
static PyMethodDef depth_methods[] = {ENTRY("begin", Depth_begin), ENTRY("draw", Depth_draw),
                                      ENTRY("hides", Depth_hides), ENTRY("values", Depth_values),
                                      CLOSING_ENTRIES(Depth),      END_OF_METHODS};
static PyType_Slot depth_slots[] = {{Py_tp_new, Depth_new},
                                    {Py_tp_dealloc, Depth_dealloc},
                                    {Py_tp_methods, depth_methods},
                                    {Py_tp_doc, (void *)DOC_Depth},
                                    {0, NULL}};
static PyType_Spec depth_spec = {"boxwood.Depth", sizeof(Depth), 0, Py_TPFLAGS_DEFAULT, depth_slots};
static PyMethodDef functions[] = {ENTRY("view_planes", view_planes), ENTRY("view_project", view_project),
                                  END_OF_METHODS};

bool cull_init(PyObject *module)
{
    return schema_register(module, &cull_schema) && add_type(module, &culler_spec, &culler_type) &&
           add_type(module, &depth_spec, &depth_type) && add_type(module, &cache_spec, &view_cache_type) &&
           add_functions(module, functions);
}
