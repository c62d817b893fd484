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
static PyTypeObject *culler_type;

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
                                       ENTRY("reset", Culler_reset), END_OF_METHODS};
static PyType_Slot culler_slots[] = {{Py_tp_new, Culler_new},
                                     {Py_tp_dealloc, Culler_dealloc},
                                     {Py_tp_methods, culler_methods},
                                     {Py_tp_doc, (void *)DOC_Culler},
                                     {0, NULL}};
static PyType_Spec culler_spec = {"boxwood.Culler", sizeof(Culler), 0, Py_TPFLAGS_DEFAULT, culler_slots};
static PyMethodDef functions[] = {ENTRY("view_planes", view_planes), END_OF_METHODS};

bool cull_init(PyObject *module)
{
    return schema_register(module, &cull_schema) && add_type(module, &culler_spec, &culler_type) &&
           add_functions(module, functions);
}
