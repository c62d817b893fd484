/* Shapes: spheres, capsules, boxes, half-spaces and hulls, with each other and against meshes; sweeps of shapes and bodies. */
#include "core.h"

#include <math.h>
#include <string.h>

static PyTypeObject *shape_type;

static const field contact_fields[] = {
    FIELD_ENUM(bw_shape_contact, kind, "Kind"), FIELD_VEC3(bw_shape_contact, normal),
    FIELD(bw_shape_contact, depth, 'd'),        FIELD(bw_shape_contact, depth_lower, 'd'),
    FIELD(bw_shape_contact, point_count, 'I'),  END_OF_FIELDS};
static schema contact_schema = {.record = "boxwood.ShapeContact",
                                .record_doc = DOC_ShapeContact,
                                .size = sizeof(bw_shape_contact),
                                .fields = contact_fields};
static const field point_fields[] = {FIELD_VEC3(bw_shape_point, point_a), FIELD_VEC3(bw_shape_point, point_b),
                                     FIELD(bw_shape_point, depth, 'd'), FIELD(bw_shape_point, feature, 'I'),
                                     END_OF_FIELDS};
static schema point_schema = {.record = "boxwood.ShapePoint",
                              .table = "boxwood.ShapePoints",
                              .record_doc = DOC_ShapePoint,
                              .table_doc = DOC_ShapePoints,
                              .size = sizeof(bw_shape_point),
                              .fields = point_fields};
#define HIT_FIELD(name, member, type) FIELD_AS(name, bw_shape_hit, contact.member, type)
static const field hit_fields[] = {FIELD(bw_shape_hit, primitive, 'n'),
                                   {"kind", 'e', offsetof(bw_shape_hit, contact.kind), 0, 0, "Kind"},
                                   FIELD_ROW("normal", bw_shape_hit, contact.normal, 'd', 3),
                                   HIT_FIELD("depth", depth, 'd'),
                                   HIT_FIELD("point_count", point_count, 'I'),
                                   FIELD_ROW("point_a", bw_shape_hit, contact.points[0].point_a, 'd', 3),
                                   FIELD_ROW("point_b", bw_shape_hit, contact.points[0].point_b, 'd', 3),
                                   END_OF_FIELDS};
static schema hit_schema = {.record = "boxwood.ShapeHit",
                            .table = "boxwood.ShapeHits",
                            .record_doc = DOC_ShapeHit,
                            .table_doc = DOC_ShapeHits,
                            .size = sizeof(bw_shape_hit),
                            .fields = hit_fields};
typedef struct near_row {
    double distance;
    bw_vec3 point_a, point_b, normal;
    uint32_t primitive;
} near_row;
static const field near_fields[] = {FIELD(near_row, distance, 'd'),  FIELD_VEC3(near_row, point_a),
                                    FIELD_VEC3(near_row, point_b),   FIELD_VEC3(near_row, normal),
                                    FIELD(near_row, primitive, 'n'), END_OF_FIELDS};
static schema near_schema = {.record = "boxwood.ShapeDistance",
                             .record_doc = DOC_ShapeDistance,
                             .size = sizeof(near_row),
                             .fields = near_fields};
static const field ray_fields[] = {FIELD(bw_shape_ray_hit, hit, '?'), FIELD(bw_shape_ray_hit, t, 'd'),
                                   FIELD_VEC3(bw_shape_ray_hit, point), FIELD_VEC3(bw_shape_ray_hit, normal),
                                   END_OF_FIELDS};
static schema ray_schema = {.record = "boxwood.ShapeRayHit",
                            .table = "boxwood.ShapeRayHits",
                            .record_doc = DOC_ShapeRayHit,
                            .table_doc = DOC_ShapeRayHits,
                            .size = sizeof(bw_shape_ray_hit),
                            .fields = ray_fields};
typedef struct sweep_row {
    bw_status status;
    double time, distance;
    bw_vec3 point_a, point_b;
    uint32_t a, b, steps;
} sweep_row;
static const field sweep_fields[] = {FIELD_ENUM(sweep_row, status, "Status"),
                                     FIELD(sweep_row, time, 'd'),
                                     FIELD(sweep_row, distance, 'd'),
                                     FIELD_VEC3(sweep_row, point_a),
                                     FIELD_VEC3(sweep_row, point_b),
                                     FIELD(sweep_row, a, 'n'),
                                     FIELD(sweep_row, b, 'n'),
                                     FIELD(sweep_row, steps, 'I'),
                                     END_OF_FIELDS};
static schema sweep_schema = {
    .record = "boxwood.Sweep", .record_doc = DOC_Sweep, .size = sizeof(sweep_row), .fields = sweep_fields};

/* ---- the type ---- */

bool shape_get(PyObject *object, const char *name, const bw_shape **out)
{
    if (object == NULL || Py_TYPE(object) != shape_type) {
        PyErr_Format(PyExc_TypeError, "%s must be a boxwood.Shape, not %R", name,
                     object == NULL ? Py_None : object);
        return false;
    }
    *out = &((Shape *)object)->shape;
    return true;
}

bool is_shape(PyObject *object)
{
    return Py_TYPE(object) == shape_type;
}

bool shape_enter(PyObject *object)
{
    return !is_shape(object) || shared_read(object);
}

void shape_leave(PyObject *object)
{
    if (is_shape(object))
        shared_done(object);
}

static void Shape_release(PyObject *self)
{
    Shape *s = (Shape *)self;
    bw_hull_destroy(s->hull);
    s->hull = NULL;
    s->shape.hull = NULL;
}

CLOSING(Shape, no_world_has)

static void Shape_dealloc(PyObject *self)
{
    Shape_release(self);
    free_object(self);
}

/* Takes over the hull, also where it fails. */
static PyObject *shape_new(bw_shape shape, bw_hull *hull)
{
    const bw_placed_shape placed = {&shape, NULL};
    bw_fault fault;
    shape.hull = hull;
    const bw_result result = bw_shape_check(&placed, &fault);
    Shape *made = result == BW_OK ? new_object(shape_type) : NULL;
    if (made == NULL) {
        bw_hull_destroy(hull);
        return result == BW_OK ? NULL : raise_fault(result, &fault);
    }
    made->shape = shape;
    made->hull = hull;
    return (PyObject *)made;
}

#define MAKER(name)                                                                                          \
    static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)

MAKER(Shape_sphere)
{
    (void)self;
    ARGUMENTS(Shape_sphere);
    bw_shape shape = {.kind = BW_SHAPE_SPHERE};
    return get_double(v[ARG_Shape_sphere_radius], "radius", &shape.radius) ? shape_new(shape, NULL) : NULL;
}

MAKER(Shape_capsule)
{
    (void)self;
    ARGUMENTS(Shape_capsule);
    bw_shape shape = {.kind = BW_SHAPE_CAPSULE};
    double length = 0;
    if (!get_double(v[ARG_Shape_capsule_radius], "radius", &shape.radius) ||
        !get_double(v[ARG_Shape_capsule_length], "length", &length))
        return NULL;
    shape.half.z = length / 2;
    return shape_new(shape, NULL);
}

MAKER(Shape_box)
{
    (void)self;
    ARGUMENTS(Shape_box);
    bw_shape shape = {.kind = BW_SHAPE_BOX};
    if (!get_vec3(v[ARG_Shape_box_size], "size", &shape.half) ||
        !get_double(v[ARG_Shape_box_radius], "radius", &shape.radius))
        return NULL;
    shape.half = (bw_vec3){shape.half.x / 2, shape.half.y / 2, shape.half.z / 2};
    return shape_new(shape, NULL);
}

MAKER(Shape_half_space)
{
    (void)self;
    ARGUMENTS(Shape_half_space);
    return shape_new((bw_shape){.kind = BW_SHAPE_HALF_SPACE}, NULL);
}

MAKER(Shape_hull)
{
    (void)self;
    ARGUMENTS(Shape_hull);
    bw_shape shape = {.kind = BW_SHAPE_HULL};
    array points;
    bw_hull *hull = NULL;
    bw_result result;
    bw_fault fault;
    if (!get_double(v[ARG_Shape_hull_radius], "radius", &shape.radius) ||
        !array_points(v[ARG_Shape_hull_points], "points", &points))
        return NULL;
    const uint32_t total = points.ndim == 1 ? 1 : array_count(&points);
    UNLOCKED(result = bw_hull_create(NULL, points.data, total, &hull, &fault));
    array_release(&points);
    return result != BW_OK ? raise_fault(result, &fault) : shape_new(shape, hull);
}

FUNCTION(Shape_mesh)
{
    ARGUMENTS(Shape_mesh);
    Shape *s = (Shape *)self;
    if (!shared_read(s))
        return NULL;
    if (s->hull == NULL) {
        shared_done(s);
        PyErr_SetString(PyExc_ValueError, "only a hull has a mesh");
        return NULL;
    }
    const bw_mesh mesh = bw_hull_mesh(s->hull);
    const Py_ssize_t vertices[2] = {mesh.vertex_count, 3}, faces[2] = {mesh.triangle_count, 3};
    PyObject *a = array_copy(mesh.positions, 'd', 2, vertices);
    PyObject *b = a == NULL ? NULL : array_copy(mesh.indices, 'I', 2, faces);
    shared_done(s);
    PyObject *made = b == NULL ? NULL : PyObject_CallFunctionObjArgs((PyObject *)mesh_type, a, b, NULL);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return made;
}

FUNCTION(Shape_bounds)
{
    ARGUMENTS(Shape_bounds);
    bw_transform storage;
    bw_placed_shape placed = {&((Shape *)self)->shape, NULL};
    bw_box box;
    bw_fault fault;
    if (!get_pose(v[ARG_Shape_bounds_pose], "pose", &storage, &placed.pose) || !is_open(self))
        return NULL;
    const bw_result result = bw_shape_bounds(&placed, &box, &fault);
    const Py_ssize_t shape[2] = {2, 3};
    return result != BW_OK ? raise_fault(result, &fault) : array_copy(&box, 'f', 2, shape);
}

FUNCTION(Shape_check)
{
    ARGUMENTS(Shape_check);
    const bw_hull *hull = ((Shape *)self)->hull;
    const char *fault = NULL;
    if (!shared_read(self))
        return NULL;
    if (hull != NULL)
        UNLOCKED(fault = bw_hull_check(hull));
    shared_done(self);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

static const char *const words_shape[] = {"sphere", "capsule", "box", "half_space", "hull"};

static PyObject *Shape_get_kind(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? PyUnicode_FromString(words_shape[((Shape *)self)->shape.kind]) : NULL;
}

static PyObject *Shape_get_radius(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? PyFloat_FromDouble(((Shape *)self)->shape.radius) : NULL;
}

static PyObject *Shape_get_size(PyObject *self, void *closure)
{
    (void)closure;
    const bw_shape *s = &((Shape *)self)->shape;
    if (!is_open(self))
        return NULL;
    if (s->kind == BW_SHAPE_BOX)
        return Py_BuildValue("(ddd)", 2 * s->half.x, 2 * s->half.y, 2 * s->half.z);
    if (s->kind == BW_SHAPE_CAPSULE)
        return PyFloat_FromDouble(2 * s->half.z);
    Py_RETURN_NONE;
}

static PyObject *Shape_repr(PyObject *self)
{
    const bw_shape *s = &((Shape *)self)->shape;
    char text[160];
    if (is_closed(self))
        return closed_repr(self);
    switch (s->kind) {
    case BW_SHAPE_SPHERE:
        PyOS_snprintf(text, sizeof text, "radius=%g", s->radius);
        break;
    case BW_SHAPE_CAPSULE:
        PyOS_snprintf(text, sizeof text, "radius=%g, length=%g", s->radius, 2 * s->half.z);
        break;
    case BW_SHAPE_BOX:
        PyOS_snprintf(text, sizeof text, "size=(%g, %g, %g), radius=%g", 2 * s->half.x, 2 * s->half.y,
                      2 * s->half.z, s->radius);
        break;
    case BW_SHAPE_HULL:
        PyOS_snprintf(text, sizeof text, "%u vertices, radius=%g",
                      bw_hull_mesh(((Shape *)self)->hull).vertex_count, s->radius);
        break;
    default:
        text[0] = '\0';
    }
    return PyUnicode_FromFormat("Shape.%s(%s)", words_shape[s->kind], text);
}

#define STATIC_ENTRY(python, c)                                                                              \
    {                                                                                                        \
        python, (PyCFunction)(void (*)(void))c, METH_FASTCALL | METH_KEYWORDS | METH_STATIC, DOC_##c         \
    }
static PyMethodDef shape_methods[] = {STATIC_ENTRY("sphere", Shape_sphere),
                                      STATIC_ENTRY("capsule", Shape_capsule),
                                      STATIC_ENTRY("box", Shape_box),
                                      STATIC_ENTRY("half_space", Shape_half_space),
                                      STATIC_ENTRY("hull", Shape_hull),
                                      ENTRY("mesh", Shape_mesh),
                                      ENTRY("bounds", Shape_bounds),
                                      ENTRY("check", Shape_check),
                                      CLOSING_ENTRIES(Shape),
                                      END_OF_METHODS};
static PyGetSetDef shape_getters[] = {{"kind", Shape_get_kind, NULL, DOC_Shape_kind, NULL},
                                      {"radius", Shape_get_radius, NULL, DOC_Shape_radius, NULL},
                                      {"size", Shape_get_size, NULL, DOC_Shape_size, NULL},
                                      {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot shape_slots[] = {{Py_tp_dealloc, Shape_dealloc}, {Py_tp_getset, shape_getters},
                                    {Py_tp_repr, Shape_repr},       {Py_tp_methods, shape_methods},
                                    {Py_tp_doc, (void *)DOC_Shape}, {0, NULL}};
static PyType_Spec shape_spec = {"boxwood.Shape", sizeof(Shape), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, shape_slots};

/* ---- queries ---- */

/* The answer of a query while the shapes among its two objects are read. */
static PyObject *answered(PyObject *(*query)(PyObject **v), PyObject **v, PyObject *a, PyObject *b)
{
    PyObject *made = NULL;
    if (!shape_enter(a))
        return NULL;
    if (shape_enter(b)) {
        made = query(v);
        shape_leave(b);
    }
    shape_leave(a);
    return made;
}

static bool placed_get(PyObject *object, PyObject *pose, const char *name, const char *pose_name,
                       bw_transform *storage, bw_placed_shape *out)
{
    return shape_get(object, name, &out->shape) && get_pose(pose, pose_name, storage, &out->pose);
}

static PyObject *shape_contact_of(PyObject **v)
{
    bw_transform at_a, at_b;
    bw_placed_shape a, b;
    bw_shape_desc desc = BW_SIZED(bw_shape_desc);
    bw_shape_contact out;
    bw_fault fault;
    desc.max_points = 4;
    if (!placed_get(v[ARG_shape_contact_a], v[ARG_shape_contact_pose_a], "a", "pose_a", &at_a, &a) ||
        !placed_get(v[ARG_shape_contact_b], v[ARG_shape_contact_pose_b], "b", "pose_b", &at_b, &b) ||
        !get_double(v[ARG_shape_contact_separation], "separation", &desc.separation) ||
        !get_u32(v[ARG_shape_contact_max_points], "max_points", &desc.max_points))
        return NULL;
    if (desc.max_points == 0 || desc.max_points > 4)
        return PyErr_Format(PyExc_ValueError, "max_points: 1 to 4, not %u", (unsigned)desc.max_points);
    const bw_result result = bw_shape_contact_pair(&a, &b, &desc, &out, &fault);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    bw_shape_point *points = block_alloc(out.point_count, sizeof *points);
    if (points == NULL)
        return NULL;
    memcpy(points, out.points, out.point_count * sizeof *points);
    PyObject *table = table_new(&point_schema, points, out.point_count, NULL);
    PyObject *record = table == NULL ? NULL : record_new(&contact_schema, &out);
    PyObject *made = record == NULL ? NULL : PyTuple_Pack(2, record, table);
    Py_XDECREF(record);
    Py_XDECREF(table);
    return made;
}

FUNCTION(shape_contact)
{
    (void)self;
    ARGUMENTS(shape_contact);
    return answered(shape_contact_of, v, v[ARG_shape_contact_a], v[ARG_shape_contact_b]);
}

static bool add_hit(void *user, const bw_shape_hit *hit)
{
    return grown_add(user, hit, 1);
}

static PyObject *shape_collide_of(PyObject **v)
{
    bw_transform at;
    bw_placed_shape shape;
    bw_shape_collide_desc desc = BW_SIZED(bw_shape_collide_desc);
    bw_shape_collide_report report = BW_SIZED(bw_shape_collide_report);
    grown rows = {.size = sizeof(bw_shape_hit)};
    held body;
    bw_result result;
    bw_fault fault;
    if (!placed_get(v[ARG_shape_collide_shape], v[ARG_shape_collide_shape_pose], "shape", "shape_pose", &at,
                    &shape) ||
        !get_double(v[ARG_shape_collide_separation], "separation", &desc.separation) ||
        !held_get(v[ARG_shape_collide_body], v[ARG_shape_collide_pose], "body", "pose", &body))
        return NULL;
    desc.mode = BW_COLLIDE_ALL;
    desc.on_hit = add_hit;
    desc.user = &rows;
    UNLOCKED(result = bw_shape_collide_body(&shape, &body.body, &desc, &report, &fault));
    held_done(&body);
    if (result == BW_OK && !rows.failed)
        return table_new(&hit_schema, rows.data, rows.count, NULL);
    block_free(rows.data);
    return rows.failed ? PyErr_NoMemory() : raise_fault(result, &fault);
}

FUNCTION(shape_collide)
{
    (void)self;
    ARGUMENTS(shape_collide);
    return answered(shape_collide_of, v, v[ARG_shape_collide_shape], v[ARG_shape_collide_body]);
}

static PyObject *shape_distance_of(PyObject **v)
{
    bw_transform at;
    bw_placed_shape shape;
    bw_shape_distance_desc desc = BW_SIZED(bw_shape_distance_desc);
    bw_shape_distance_report report = BW_SIZED(bw_shape_distance_report);
    PyObject *other = v[ARG_shape_distance_other];
    bw_result result;
    bw_fault fault;
    if (!placed_get(v[ARG_shape_distance_shape], v[ARG_shape_distance_shape_pose], "shape", "shape_pose", &at,
                    &shape) ||
        !get_limit(v[ARG_shape_distance_max_distance], "max_distance", &desc.max_distance))
        return NULL;
    report.primitive = BW_NONE;
    if (is_shape(other)) {
        bw_transform at_b;
        bw_placed_shape b;
        if (!placed_get(other, v[ARG_shape_distance_pose], "other", "pose", &at_b, &b))
            return NULL;
        result = bw_shape_distance(&shape, &b, NULL, &report.nearest, &fault);
    } else {
        held body;
        if (!held_get(other, v[ARG_shape_distance_pose], "other", "pose", &body))
            return NULL;
        UNLOCKED(result = bw_shape_distance_body(&shape, &body.body, &desc, &report, &fault));
        held_done(&body);
    }
    if (result != BW_OK)
        return raise_fault(result, &fault);
    const bw_shape_nearest *n = &report.nearest;
    const near_row row = {n->distance, n->point_a, n->point_b, n->normal, report.primitive};
    return record_new(&near_schema, &row);
}

FUNCTION(shape_distance)
{
    (void)self;
    ARGUMENTS(shape_distance);
    return answered(shape_distance_of, v, v[ARG_shape_distance_shape], v[ARG_shape_distance_other]);
}

static PyObject *shape_rays_of(PyObject **v)
{
    bw_transform at;
    bw_placed_shape shape;
    ray_set set;
    if (!placed_get(v[ARG_shape_rays_shape], v[ARG_shape_rays_pose], "shape", "pose", &at, &shape) ||
        !ray_set_get(v[ARG_shape_rays_origins], v[ARG_shape_rays_directions], v[ARG_shape_rays_t_max], false,
                     &set))
        return NULL;
    bw_shape_ray_hit *hits = block_alloc(set.count, sizeof *hits);
    bw_result result = BW_OK;
    bw_fault fault;
    PyThreadState *state = PyEval_SaveThread();
    for (uint32_t i = 0; hits != NULL && i < set.count && result == BW_OK; i++) {
        bw_ray ray;
        ray_set_fill(&set, i, 1, &ray);
        result = bw_shape_raycast(&shape, &ray, &hits[i], &fault);
        if (result != BW_OK)
            fault.element = i;
    }
    PyEval_RestoreThread(state);
    const bool one = set.one;
    const uint32_t total = set.count;
    ray_set_release(&set);
    if (hits == NULL || result != BW_OK) {
        block_free(hits);
        return result != BW_OK ? raise_fault(result, &fault) : NULL;
    }
    if (!one)
        return table_new(&ray_schema, hits, total, NULL);
    PyObject *made = record_new(&ray_schema, hits);
    block_free(hits);
    return made;
}

FUNCTION(shape_rays)
{
    (void)self;
    ARGUMENTS(shape_rays);
    return answered(shape_rays_of, v, v[ARG_shape_rays_shape], v[ARG_shape_rays_shape]);
}

/* From one pose to another, turning about the body's own origin; NULL: at rest. */
bool motion_get(PyObject *start, PyObject *end, const char *name, bw_rigid_motion *storage,
                const bw_rigid_motion **out)
{
    bw_transform from, to;
    const bw_transform *a, *b;
    *out = NULL;
    if (!get_pose(start, name, &from, &a) || !get_pose(end, name, &to, &b))
        return false;
    if (a == NULL && b == NULL)
        return true;
    if (a == NULL)
        from = bw_transform_identity();
    if (b == NULL)
        to = from;
    const bw_vec3 centre = {from.m[0][3], from.m[1][3], from.m[2][3]};
    const bw_result result = bw_rigid_motion_between(&from, &to, centre, storage);
    if (result != BW_OK) {
        PyErr_Format(error_type,
                     "%s: two poses of a rigid motion differ by a rotation and a translation only (%s)", name,
                     bw_result_string(result));
        return false;
    }
    *out = storage;
    return true;
}

static sweep_row row_of(const bw_shape_sweep_report *r, uint32_t a, uint32_t b)
{
    return (sweep_row){r->status, r->time, r->distance, r->point_a, r->point_b, a, b, r->steps};
}

static PyObject *sweep_of(PyObject **v)
{
    bw_rigid_motion storage_a, storage_b;
    const bw_rigid_motion *motion_a, *motion_b;
    bw_shape_sweep_desc desc = BW_SIZED(bw_shape_sweep_desc);
    bw_swept_rigid_desc rigid = BW_SIZED(bw_swept_rigid_desc);
    bw_shape_sweep_report report = BW_SIZED(bw_shape_sweep_report);
    bw_result result;
    bw_fault fault;
    PyObject *a = v[ARG_sweep_a], *b = v[ARG_sweep_b];
    if (!motion_get(v[ARG_sweep_start_a], v[ARG_sweep_end_a], "start_a, end_a", &storage_a, &motion_a) ||
        !motion_get(v[ARG_sweep_start_b], v[ARG_sweep_end_b], "start_b, end_b", &storage_b, &motion_b) ||
        !get_double(v[ARG_sweep_tolerance], "tolerance", &desc.tolerance) ||
        !get_u32(v[ARG_sweep_max_steps], "max_steps", &desc.max_steps))
        return NULL;
    sweep_row row;
    if (is_shape(a) && is_shape(b)) {
        UNLOCKED(result = bw_shape_sweep(&((Shape *)a)->shape, motion_a, &((Shape *)b)->shape, motion_b,
                                         &desc, &report, &fault));
        row = row_of(&report, BW_NONE, BW_NONE);
    } else if (is_shape(a) || is_shape(b)) {
        const bool first = is_shape(a);
        held body;
        if (!held_get(first ? b : a, NULL, first ? "b" : "a", "pose", &body))
            return NULL;
        UNLOCKED(result =
                     bw_shape_sweep_body(&((Shape *)(first ? a : b))->shape, first ? motion_a : motion_b,
                                         &body.body, first ? motion_b : motion_a, &desc, &report, &fault));
        held_done(&body);
        row = row_of(&report, first ? BW_NONE : report.primitive, first ? report.primitive : BW_NONE);
        if (!first) {
            row.point_a = report.point_b;
            row.point_b = report.point_a;
        }
    } else {
        held x, y;
        if (!held_get(a, NULL, "a", "pose", &x))
            return NULL;
        if (!held_get(b, NULL, "b", "pose", &y)) {
            held_done(&x);
            return NULL;
        }
        bw_swept_rigid_report found = BW_SIZED(bw_swept_rigid_report);
        rigid.tolerance = desc.tolerance;
        rigid.max_steps = desc.max_steps;
        /* At rest without a motion. */
        const bw_rigid_motion rest = {.start = bw_transform_identity()};
        UNLOCKED(result = bw_swept_rigid(&x.body, motion_a == NULL ? &rest : motion_a, &y.body,
                                         motion_b == NULL ? &rest : motion_b, &rigid, &found, &fault));
        held_done(&x);
        held_done(&y);
        row = (sweep_row){found.status,  found.time, found.distance, found.point_a,
                          found.point_b, found.a,    found.b,        found.steps};
    }
    return result != BW_OK ? raise_fault(result, &fault) : record_new(&sweep_schema, &row);
}

FUNCTION(sweep)
{
    (void)self;
    ARGUMENTS(sweep);
    return answered(sweep_of, v, v[ARG_sweep_a], v[ARG_sweep_b]);
}

static PyObject *shape_overlap_of(PyObject **v)
{
    bw_transform at_a, at_b;
    bw_placed_shape a, b;
    bw_contact_kind kind;
    bw_fault fault;
    if (!placed_get(v[ARG_shape_overlap_a], v[ARG_shape_overlap_pose_a], "a", "pose_a", &at_a, &a) ||
        !placed_get(v[ARG_shape_overlap_b], v[ARG_shape_overlap_pose_b], "b", "pose_b", &at_b, &b))
        return NULL;
    const bw_result result = bw_shape_overlap(&a, &b, &kind, &fault);
    return result != BW_OK ? raise_fault(result, &fault) : enum_new("Kind", (int32_t)kind);
}

FUNCTION(shape_overlap)
{
    (void)self;
    ARGUMENTS(shape_overlap);
    return answered(shape_overlap_of, v, v[ARG_shape_overlap_a], v[ARG_shape_overlap_b]);
}

/* ---- rigid poses ---- */

FUNCTION(rigid)
{
    (void)self;
    ARGUMENTS(rigid);
    double matrix[16] = {[15] = 1};
    const Py_ssize_t size[2] = {4, 4};
    bw_transform pose;
    const bw_transform *given;
    if (!get_pose(v[ARG_rigid_pose], "pose", &pose, &given))
        return NULL;
    if (given == NULL)
        pose = bw_transform_identity();
    const bw_result result = bw_transform_rigid(&pose, &pose);
    if (result != BW_OK) {
        PyErr_Format(error_type, "pose must be a rotation and a translation, to 0.01 (%s)",
                     bw_result_string(result));
        return NULL;
    }
    memcpy(matrix, &pose, sizeof pose);
    return array_copy(matrix, 'd', 2, size);
}

FUNCTION(pose_between)
{
    (void)self;
    ARGUMENTS(pose_between);
    bw_transform from, to, at;
    const bw_transform *a, *b;
    bw_rigid_motion motion;
    array times = {.ndim = 0};
    double single = 0;
    if (!get_pose(v[ARG_pose_between_start], "start", &from, &a) ||
        !get_pose(v[ARG_pose_between_end], "end", &to, &b))
        return NULL;
    if (a == NULL)
        from = bw_transform_identity();
    if (b == NULL)
        to = bw_transform_identity();
    bw_vec3 centre = {from.m[0][3], from.m[1][3], from.m[2][3]};
    if (!get_vec3(v[ARG_pose_between_centre], "centre", &centre))
        return NULL;
    bw_result result = bw_rigid_motion_between(&from, &to, centre, &motion);
    if (result != BW_OK) {
        PyErr_Format(error_type,
                     "two poses of a rigid motion differ by a rotation and a translation only (%s)",
                     bw_result_string(result));
        return NULL;
    }
    const bool one = is_number(v[ARG_pose_between_time]);
    if (one ? !get_double(v[ARG_pose_between_time], "time", &single)
            : !array_doubles(v[ARG_pose_between_time], "time", &times))
        return NULL;
    const Py_ssize_t shape[3] = {one ? 1 : times.shape[0], 4, 4};
    double(*matrices)[16] = block_alloc((size_t)shape[0], sizeof *matrices);
    Py_ssize_t i = 0;
    for (; matrices != NULL && result == BW_OK && i < shape[0]; i++) {
        result = bw_rigid_motion_pose(&motion, one ? single : ((const double *)times.data)[i], &at);
        memset(matrices[i], 0, sizeof *matrices);
        memcpy(matrices[i], &at, sizeof at);
        matrices[i][15] = 1;
    }
    array_release(&times);
    if (matrices != NULL && result == BW_OK)
        return array_new(matrices, 'd', one ? 2 : 3, one ? shape + 1 : shape);
    if (matrices != NULL)
        PyErr_Format(error_type, "time %zd: %s; times are from 0 to 1", i - 1, bw_result_string(result));
    block_free(matrices);
    return NULL;
}

static PyMethodDef functions[] = {ENTRY("shape_contact", shape_contact),
                                  ENTRY("shape_overlap", shape_overlap),
                                  ENTRY("rigid", rigid),
                                  ENTRY("pose_between", pose_between),
                                  ENTRY("shape_collide", shape_collide),
                                  ENTRY("shape_distance", shape_distance),
                                  ENTRY("shape_rays", shape_rays),
                                  ENTRY("sweep", sweep),
                                  END_OF_METHODS};

bool shape_init(PyObject *module)
{
    return schema_register(module, &contact_schema) && schema_register(module, &point_schema) &&
           schema_register(module, &hit_schema) && schema_register(module, &near_schema) &&
           schema_register(module, &ray_schema) && schema_register(module, &sweep_schema) &&
           add_type(module, &shape_spec, &shape_type) && add_functions(module, functions);
}
