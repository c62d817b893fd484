/* Exact predicates on points and triangles, one or many in one call. */
#include "core.h"

#include <math.h>
#include <string.h>

typedef struct pair_row {
    bw_contact_kind kind;
    double distance;
    bw_vec3 point_a, point_b;
} pair_row;
static const field pair_fields[] = {FIELD_ENUM(pair_row, kind, "Kind"), FIELD(pair_row, distance, 'd'),
                                    FIELD_VEC3(pair_row, point_a), FIELD_VEC3(pair_row, point_b),
                                    END_OF_FIELDS};
static schema pair_schema = {.record = "boxwood.TrianglePair",
                             .table = "boxwood.TrianglePairs",
                             .record_doc = DOC_TrianglePair,
                             .table_doc = DOC_TrianglePairs,
                             .size = sizeof(pair_row),
                             .fields = pair_fields};

static const field meeting_fields[] = {FIELD_ENUM(bw_triangle_contact, kind, "Kind"),
                                       FIELD(bw_triangle_contact, coplanar, '?'),
                                       FIELD_AS("count", bw_triangle_contact, point_count, 'I'),
                                       {"points", 'd', offsetof(bw_triangle_contact, points), 6, 3, NULL},
                                       END_OF_FIELDS};
static schema meeting_schema = {.record = "boxwood.TriangleContact",
                                .table = "boxwood.TriangleContacts",
                                .record_doc = DOC_TriangleContact,
                                .table_doc = DOC_TriangleContacts,
                                .size = sizeof(bw_triangle_contact),
                                .fields = meeting_fields};

static const field ccd_fields[] = {
    {"answer", 'e', offsetof(bw_ccd_triangle_result, first.answer), 0, 0, "Ccd"},
    FIELD_AS("time", bw_ccd_triangle_result, first.time, 'd'),
    FIELD_AS("time_after", bw_ccd_triangle_result, first.time_after, 'd'),
    FIELD_ENUM(bw_ccd_triangle_result, feature, "StepFeature"),
    FIELD(bw_ccd_triangle_result, a, 'I'),
    FIELD(bw_ccd_triangle_result, b, 'I'),
    END_OF_FIELDS};
static schema ccd_schema = {.record = "boxwood.CcdTriangle",
                            .table = "boxwood.CcdTriangles",
                            .record_doc = DOC_CcdTriangle,
                            .table_doc = DOC_CcdTriangles,
                            .size = sizeof(bw_ccd_triangle_result),
                            .fields = ccd_fields};

typedef struct ray_row {
    bw_contact_kind kind;
    double t;
} ray_row;
static const field ray_fields[] = {FIELD_ENUM(ray_row, kind, "Kind"), FIELD(ray_row, t, 'd'), END_OF_FIELDS};
static schema ray_schema = {.record = "boxwood.TriangleRay",
                            .table = "boxwood.TriangleRays",
                            .record_doc = DOC_TriangleRay,
                            .table_doc = DOC_TriangleRays,
                            .size = sizeof(ray_row),
                            .fields = ray_fields};

typedef struct near_row {
    double distance;
    bw_vec3 point;
} near_row;
static const field near_fields[] = {FIELD(near_row, distance, 'd'), FIELD_VEC3(near_row, point),
                                    END_OF_FIELDS};
static schema near_schema = {.record = "boxwood.TrianglePoint",
                             .table = "boxwood.TrianglePoints",
                             .record_doc = DOC_TrianglePoint,
                             .table_doc = DOC_TrianglePoints,
                             .size = sizeof(near_row),
                             .fields = near_fields};

/* Arrays of as many elements each, of so many points an element, of which those without the first dimension are one for all. */
enum { ARRAYS = 4, EVERY = 4096 }; /* elements between two looks at signals */
typedef struct elements {
    array arrays[ARRAYS];
    int count, points[ARRAYS];
    Py_ssize_t total;
    bool one;
} elements;

static void elements_release(elements *e)
{
    for (int i = 0; i < e->count; i++)
        array_release(&e->arrays[i]);
}

static const bw_vec3 *element(const elements *e, int which, Py_ssize_t i)
{
    const bw_vec3 *first = e->arrays[which].data;
    const int points = e->points[which];
    return e->arrays[which].ndim == (points > 1 ? 2 : 1) ? first : first + i * points;
}

/* points: of an element of each array, 1 or 3. */
static bool elements_of(PyObject *const *given, const char *const *names, int count, const int *points,
                        elements *out)
{
    static const want single = {'d', 1, {3, 0, 0}, true, NULL}, several = {'d', 2, {3, 3, 0}, true, NULL};
    memset(out, 0, sizeof *out);
    memcpy(out->points, points, (size_t)count * sizeof *points);
    out->one = true;
    out->total = 1;
    for (int i = 0; i < count; i++) {
        array *a = &out->arrays[i];
        const int least = points[i] > 1 ? 2 : 1;
        if (!array_get(given[i], names[i], least > 1 ? &several : &single, a))
            goto fail;
        out->count = i + 1;
        if (a->ndim > least + 1) {
            PyErr_Format(PyExc_ValueError,
                         least > 1 ? "%s must have the shape (n, 3, 3) or (3, 3)"
                                   : "%s must have the shape (n, 3) or (3,)",
                         names[i]);
            goto fail;
        }
        if (a->ndim == least)
            continue;
        if (!out->one && a->shape[0] != out->total) {
            PyErr_Format(PyExc_ValueError, "%s has %zd elements, others %zd: as many are needed, or one",
                         names[i], a->shape[0], out->total);
            goto fail;
        }
        out->one = false;
        out->total = a->shape[0];
    }
    for (int i = 0; i < count; i++) {
        const array *a = &out->arrays[i];
        const Py_ssize_t many = a->ndim == (points[i] > 1 ? 2 : 1) ? 1 : a->shape[0];
        const size_t numbers = (size_t)many * (size_t)points[i];
        if (!bw_exact_range(a->data, numbers)) {
            PyErr_Format(PyExc_ValueError,
                         "%s has numbers that are not finite, or beyond 2**300, or below 2**-300", names[i]);
            goto fail;
        }
    }
    return true;
fail:
    elements_release(out);
    return false;
}

static bool elements_get(PyObject *const *given, const char *const *names, int count, int points,
                         elements *out)
{
    const int same[ARRAYS] = {points, points, points, points};
    return elements_of(given, names, count, same, out);
}

/* Fills in row i of `rows`. */
typedef bw_result row_fn(const elements *elements, Py_ssize_t i, const void *user, void *rows);

/* The rows, of block_alloc; NULL with an exception. Releases the elements. */
static void *fill(elements *e, row_fn *row, const void *user, size_t size)
{
    watch w;
    watch_init(&w, NULL, 0);
    void *rows = block_alloc((size_t)e->total, size);
    bw_result result = BW_OK;
    Py_ssize_t i = 0;
    if (rows != NULL) {
        PyThreadState *state = PyEval_SaveThread();
        for (; i < e->total && result == BW_OK && (i % EVERY != EVERY - 1 || watch_go_on(&w)); i++)
            result = row(e, i, user, rows);
        PyEval_RestoreThread(state);
    }
    elements_release(e);
    const bool fine = rows != NULL && watch_end(&w);
    if (fine && result == BW_OK)
        return rows;
    if (fine)
        PyErr_Format(error_type, "element %zd: %s", i - 1, bw_result_string(result));
    block_free(rows);
    return NULL;
}

static bw_result row_orient3d(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    (void)user;
    ((int32_t *)rows)[i] =
        bw_orient3d(element(e, 0, i), element(e, 1, i), element(e, 2, i), element(e, 3, i));
    return BW_OK;
}

static bw_result row_orient2d(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    ((int32_t *)rows)[i] =
        bw_orient2d(element(e, 0, i), element(e, 1, i), element(e, 2, i), *(const int *)user);
    return BW_OK;
}

static PyObject *signs(elements *e, row_fn *row, const void *user)
{
    const Py_ssize_t shape[1] = {e->total};
    const bool one = e->one;
    int32_t *rows = fill(e, row, user, sizeof *rows);
    if (rows == NULL || !one)
        return rows == NULL ? NULL : array_new(rows, 'i', 1, shape);
    PyObject *made = PyLong_FromLong(rows[0]);
    block_free(rows);
    return made;
}

FUNCTION(orient3d)
{
    (void)self;
    ARGUMENTS(orient3d);
    static const char *const of[] = {"a", "b", "c", "d"};
    elements e;
    return elements_get(v, of, 4, 1, &e) ? signs(&e, row_orient3d, NULL) : NULL;
}

FUNCTION(orient2d)
{
    (void)self;
    ARGUMENTS(orient2d);
    static const char *const of[] = {"a", "b", "c"};
    elements e;
    uint32_t axis = 2;
    if (!get_u32(v[ARG_orient2d_axis], "axis", &axis))
        return NULL;
    if (axis > 2) {
        PyErr_SetString(PyExc_ValueError, "axis must be 0, 1 or 2");
        return NULL;
    }
    const int along = (int)axis;
    return elements_get(v, of, 3, 1, &e) ? signs(&e, row_orient2d, &along) : NULL;
}

static bw_result row_collinear(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    (void)user;
    ((bool *)rows)[i] = bw_collinear(element(e, 0, i), element(e, 1, i), element(e, 2, i));
    return BW_OK;
}

FUNCTION(collinear)
{
    (void)self;
    ARGUMENTS(collinear);
    static const char *const of[] = {"a", "b", "c"};
    elements e;
    if (!elements_get(v, of, 3, 1, &e))
        return NULL;
    const Py_ssize_t shape[1] = {e.total};
    const bool one = e.one;
    bool *rows = fill(&e, row_collinear, NULL, sizeof *rows);
    if (rows == NULL || !one)
        return rows == NULL ? NULL : array_new(rows, '?', 1, shape);
    PyObject *made = PyBool_FromLong(rows[0]);
    block_free(rows);
    return made;
}

static PyObject *table_or_record(const schema *of, void *rows, const elements *e)
{
    if (rows == NULL || !e->one)
        return rows == NULL ? NULL : table_new(of, rows, (size_t)e->total, NULL);
    PyObject *made = record_new(of, rows);
    block_free(rows);
    return made;
}

static bw_result row_pair(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    (void)user;
    const bw_vec3 *a = element(e, 0, i), *b = element(e, 1, i);
    pair_row *out = (pair_row *)rows + i;
    memset(out, 0, sizeof *out);
    out->kind = bw_triangle_triangle(a, b);
    out->distance = sqrt(bw_triangle_distance2(a, b, &out->point_a, &out->point_b));
    return BW_OK;
}

FUNCTION(triangle_pairs)
{
    (void)self;
    ARGUMENTS(triangle_pairs);
    static const char *const of[] = {"a", "b"};
    elements e;
    if (!elements_get(v, of, 2, 3, &e))
        return NULL;
    return table_or_record(&pair_schema, fill(&e, row_pair, NULL, sizeof(pair_row)), &e);
}

static bw_result row_meeting(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    (void)user;
    bw_triangle_contact found, *out = (bw_triangle_contact *)rows + i;
    bw_triangle_triangle_contact(element(e, 0, i), element(e, 1, i), &found);
    memset(out, 0, sizeof *out); /* no row tells more than it has points */
    out->kind = found.kind;
    out->coplanar = found.coplanar;
    out->point_count = found.point_count;
    memcpy(out->points, found.points, found.point_count * sizeof *found.points);
    return BW_OK;
}

FUNCTION(triangle_contacts)
{
    (void)self;
    ARGUMENTS(triangle_contacts);
    static const char *const of[] = {"a", "b"};
    elements e;
    if (!elements_get(v, of, 2, 3, &e))
        return NULL;
    return table_or_record(&meeting_schema, fill(&e, row_meeting, NULL, sizeof(bw_triangle_contact)), &e);
}

static bw_result row_ray(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    ray_row *out = (ray_row *)rows + i;
    memset(out, 0, sizeof *out);
    out->t = INFINITY;
    if (user != NULL) /* a segment: its kind by the test of segments, which sees its other end */
        out->kind = bw_segment_triangle(element(e, 0, i), element(e, 1, i), element(e, 2, i));
    double t = INFINITY;
    const bw_contact_kind kind = bw_ray_triangle(element(e, 0, i), element(e, 1, i), element(e, 2, i), &t);
    if (user == NULL)
        out->kind = kind;
    if (out->kind != BW_CONTACT_NONE)
        out->t = user == NULL ? t : fmin(t, 1);
    return BW_OK;
}

FUNCTION(triangle_rays)
{
    (void)self;
    ARGUMENTS(triangle_rays);
    static const char *const of[] = {"origins", "through", "triangles"};
    static const int points[] = {1, 1, 3};
    elements e;
    bool segments = false;
    if (!get_bool(v[ARG_triangle_rays_segments], "segments", &segments) || !elements_of(v, of, 3, points, &e))
        return NULL;
    return table_or_record(&ray_schema, fill(&e, row_ray, segments ? "" : NULL, sizeof(ray_row)), &e);
}

static bw_result row_near(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    (void)user;
    near_row *out = (near_row *)rows + i;
    out->distance = sqrt(bw_point_triangle_distance2(element(e, 0, i), element(e, 1, i), &out->point));
    return BW_OK;
}

FUNCTION(triangle_points)
{
    (void)self;
    ARGUMENTS(triangle_points);
    static const char *const of[] = {"points", "triangles"};
    static const int points[] = {1, 3};
    elements e;
    if (!elements_of(v, of, 2, points, &e))
        return NULL;
    return table_or_record(&near_schema, fill(&e, row_near, NULL, sizeof(near_row)), &e);
}

static bw_result row_ccd(const elements *e, Py_ssize_t i, const void *user, void *rows)
{
    return bw_ccd_triangle_triangle(element(e, 0, i), element(e, 1, i), element(e, 2, i), element(e, 3, i),
                                    user, (bw_ccd_triangle_result *)rows + i);
}

FUNCTION(ccd_triangle_triangle)
{
    (void)self;
    ARGUMENTS(ccd_triangle_triangle);
    static const char *const of[] = {"a_start", "a_end", "b_start", "b_end"};
    bw_ccd_desc desc = BW_SIZED(bw_ccd_desc);
    elements e;
    if (!get_double(v[ARG_ccd_triangle_triangle_tolerance], "tolerance", &desc.tolerance) ||
        !get_double(v[ARG_ccd_triangle_triangle_separation], "separation", &desc.separation) ||
        !elements_get(v, of, 4, 3, &e))
        return NULL;
    return table_or_record(&ccd_schema, fill(&e, row_ccd, &desc, sizeof(bw_ccd_triangle_result)), &e);
}

static PyMethodDef functions[] = {ENTRY("orient2d", orient2d),
                                  ENTRY("orient3d", orient3d),
                                  ENTRY("collinear", collinear),
                                  ENTRY("triangle_rays", triangle_rays),
                                  ENTRY("triangle_points", triangle_points),
                                  ENTRY("triangle_pairs", triangle_pairs),
                                  ENTRY("triangle_contacts", triangle_contacts),
                                  ENTRY("ccd_triangle_triangle", ccd_triangle_triangle),
                                  END_OF_METHODS};

bool exact_init(PyObject *module)
{
    return schema_register(module, &ray_schema) && schema_register(module, &near_schema) &&
           schema_register(module, &pair_schema) && schema_register(module, &meeting_schema) &&
           schema_register(module, &ccd_schema) && add_functions(module, functions);
}
