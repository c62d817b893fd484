/* Contact points, normals, regions and depths of two bodies; and the primitives that a region of space meets. */
#include "core.h"

#include <math.h>
#include <string.h>

static const field contact_fields[] = {FIELD(bw_contact, a, 'n'),
                                       FIELD(bw_contact, b, 'n'),
                                       FIELD_ENUM(bw_contact, kind, "Kind"),
                                       FIELD(bw_contact, region, 'n'),
                                       FIELD(bw_contact, point_count, 'I'),
                                       {"ends", 'd', offsetof(bw_contact, ends), 2, 3, NULL},
                                       FIELD_VEC3(bw_contact, point),
                                       FIELD_VEC3(bw_contact, normal),
                                       FIELD(bw_contact, depth, 'd'),
                                       END_OF_FIELDS};
static schema contact = {.record = "boxwood.Contact",
                         .table = "boxwood.Contacts",
                         .record_doc = DOC_Contact,
                         .table_doc = DOC_Contacts,
                         .size = sizeof(bw_contact),
                         .fields = contact_fields};

static const field region_fields[] = {
    FIELD(bw_contact_region, first, 'Q'),       FIELD(bw_contact_region, count, 'Q'),
    FIELD(bw_contact_region, overlap, 'n'),     FIELD_VEC3(bw_contact_region, point),
    FIELD_VEC3(bw_contact_region, normal),      FIELD(bw_contact_region, length, 'd'),
    FIELD_VEC3(bw_contact_region, translation), FIELD(bw_contact_region, depth_upper, 'd'),
    FIELD(bw_contact_region, depth_lower, 'd'), END_OF_FIELDS};
static schema contact_region = {.record = "boxwood.ContactRegion",
                                .table = "boxwood.ContactRegions",
                                .record_doc = DOC_ContactRegion,
                                .table_doc = DOC_ContactRegions,
                                .size = sizeof(bw_contact_region),
                                .fields = region_fields};

static const field report_fields[] = {FIELD_ENUM(bw_contacts_report, status, "Status"),
                                      FIELD(bw_contacts_report, contact_count, 'Q'),
                                      FIELD(bw_contacts_report, touching_count, 'Q'),
                                      FIELD(bw_contacts_report, region_count, 'Q'),
                                      FIELD(bw_contacts_report, shallow_contact_count, 'Q'),
                                      FIELD(bw_contacts_report, shallow_region_count, 'Q'),
                                      FIELD(bw_contacts_report, closed_a, '?'),
                                      FIELD(bw_contacts_report, closed_b, '?'),
                                      FIELD_ENUM(bw_contacts_report, containment, "Containment"),
                                      FIELD_VEC3(bw_contacts_report, translation),
                                      FIELD(bw_contacts_report, depth_upper, 'd'),
                                      FIELD(bw_contacts_report, depth_lower, 'd'),
                                      FIELD(bw_contacts_report, volume, 'd'),
                                      FIELD(bw_contacts_report, volume_error, 'd'),
                                      END_OF_FIELDS};
static schema report_schema = {.record = "boxwood.ContactsReport",
                               .record_doc = DOC_ContactsReport,
                               .size = sizeof(bw_contacts_report),
                               .fields = report_fields};

/* Contacts do not come by a callback: the first call has room for some, a second one for all that the first has counted. */
typedef struct room {
    bw_contact *contacts;
    bw_contact_region *regions;
    uint64_t contact_capacity, region_capacity;
} room;

static bool make_room(room *r, uint64_t contacts, uint64_t regions)
{
    block_free(r->contacts);
    block_free(r->regions);
    r->contacts = block_alloc(contacts, sizeof *r->contacts);
    r->regions = block_alloc(regions, sizeof *r->regions);
    r->contact_capacity = contacts;
    r->region_capacity = regions;
    return r->contacts != NULL && r->regions != NULL;
}

static PyObject *find(const bw_body *a, const bw_body *b, bw_contacts_desc *desc, watch *w)
{
    room r = {NULL, NULL, 0, 0};
    bw_contacts_report report = BW_SIZED(bw_contacts_report);
    bw_result result = BW_OK;
    bw_fault fault;
    bool fine = make_room(&r, 1024, 64);
    for (int trial = 0; fine && trial < 2; trial++) {
        desc->regions = r.regions;
        desc->region_capacity = r.region_capacity;
        desc->progress = watch_hook(w);
        UNLOCKED(result = bw_contacts(a, b, desc, r.contacts, r.contact_capacity, &report, &fault));
        if (result != BW_OK || report.status != BW_FULL)
            break;
        fine = make_room(&r, report.contact_count, report.region_count);
    }
    fine = fine && watch_end(w);
    if (fine && result != BW_OK)
        fine = raise_fault(result, &fault) != NULL;
    PyObject *told = fine ? record_new(&report_schema, &report) : NULL;
    if (told == NULL) {
        block_free(r.contacts);
        block_free(r.regions);
        return NULL;
    }
    const bool stopped = report.status == BW_STOPPED;
    PyObject *regions = table_new(&contact_region, r.regions, stopped ? 0 : report.region_count, NULL);
    PyObject *contacts = table_new(&contact, r.contacts, stopped ? 0 : report.contact_count, told);
    PyObject *made = regions == NULL || contacts == NULL ? NULL : PyTuple_Pack(2, contacts, regions);
    Py_XDECREF(regions);
    Py_XDECREF(contacts);
    return made;
}

FUNCTION(contacts)
{
    (void)self;
    ARGUMENTS(contacts);
    bw_contacts_desc desc = BW_SIZED(bw_contacts_desc);
    held a, b;
    watch w;
    tasks threads = {NULL, NULL, NULL};
    if (!get_bool(v[ARG_contacts_depth], "depth", &desc.depth) ||
        !get_bool(v[ARG_contacts_volume], "volume", &desc.volume) ||
        !get_double(v[ARG_contacts_tolerance], "tolerance", &desc.tolerance) ||
        !get_u32(v[ARG_contacts_trials], "trials", &desc.trials) ||
        !watch_init(&w, v[ARG_contacts_progress], 0) ||
        !held_get(v[ARG_contacts_a], v[ARG_contacts_pose_a], "a", "pose_a", &a))
        return NULL;
    PyObject *made = NULL;
    if (held_get(v[ARG_contacts_b], v[ARG_contacts_pose_b], "b", "pose_b", &b)) {
        if (tasks_get(v[ARG_contacts_pool], &threads)) {
            desc.tasks = threads.hook;
            made = find(&a.body, &b.body, &desc, &w);
        }
        tasks_done(&threads);
        held_done(&b);
    }
    held_done(&a);
    return made;
}

/* ---- regions of space ---- */

static const field hit_fields[] = {FIELD(bw_region_hit, primitive, 'n'), FIELD(bw_region_hit, inside, '?'),
                                   END_OF_FIELDS};
static schema region_hit = {.record = "boxwood.RegionHit",
                            .table = "boxwood.RegionHits",
                            .record_doc = DOC_RegionHit,
                            .table_doc = DOC_RegionHits,
                            .size = sizeof(bw_region_hit),
                            .fields = hit_fields};

/* The smallest box of floats around one of doubles (2, 3) or (6,). */
bool box_get(const double *numbers, bw_box *out)
{
    const bw_vec3 corners[2] = {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
    for (int i = 0; i < 3; i++)
        if (!(numbers[i] <=
              numbers[3 + i])) { /* inverted or not a number: as it is, for the library to tell */
            for (int k = 0; k < 3; k++) {
                out->min[k] = (float)numbers[k];
                out->max[k] = (float)numbers[3 + k];
            }
            return false;
        }
    *out = bw_box_of_points(corners, 2);
    return true;
}

static bool box_argument(PyObject *object, bw_box *out)
{
    static const want wanted = {'d', 2, {2, 3, 0}, true, NULL};
    array a;
    if (!array_get(object, "box", &wanted, &a))
        return false;
    const bool fine = a.ndim == 2;
    if (fine)
        box_get(a.data, out);
    else
        PyErr_SetString(PyExc_ValueError, "box must have the shape (2, 3)");
    array_release(&a);
    return fine;
}

/* Planes (n, 4) as floats. */
static bool planes_argument(PyObject *object, region_holder *out)
{
    static const want wanted = {'d', 1, {4, 0, 0}, false, NULL};
    array a;
    if (!array_get(object, "planes", &wanted, &a))
        return false;
    const bool fine = a.ndim == 2 && a.shape[0] <= (Py_ssize_t)BW_REGION_PLANES_MAX;
    if (!fine)
        PyErr_Format(PyExc_ValueError, "planes must have the shape (n, 4), n at most %u",
                     BW_REGION_PLANES_MAX);
    const double *numbers = a.data;
    for (Py_ssize_t i = 0; fine && i < a.shape[0]; i++, numbers += 4)
        out->planes[i] =
            (bw_plane){{(float)numbers[0], (float)numbers[1], (float)numbers[2]}, (float)numbers[3]};
    out->region.planes = out->planes;
    out->region.plane_count = fine ? (uint32_t)a.shape[0] : 0;
    array_release(&a);
    return fine;
}

static bool given(PyObject *object)
{
    return object != NULL && object != Py_None;
}

bool region_get(PyObject *box, PyObject *sphere, PyObject *capsule, PyObject *planes, PyObject *radius,
                region_holder *out)
{
    memset(out, 0, sizeof *out);
    bw_region *r = &out->region;
    r->size = sizeof *r;
    const int kinds = given(box) + given(sphere) + given(capsule) + given(planes);
    if (kinds != 1) {
        PyErr_SetString(PyExc_TypeError, "one of box, sphere, capsule and planes must be given");
        return false;
    }
    if (!get_double(radius, "radius", &r->radius))
        return false;
    if (given(box)) {
        r->kind = BW_REGION_BOX;
        return box_argument(box, &r->box);
    }
    if (given(planes)) {
        r->kind = BW_REGION_PLANES;
        return planes_argument(planes, out);
    }
    if (given(sphere)) {
        r->kind = BW_REGION_SPHERE;
        return get_vec3(sphere, "sphere", &r->centre);
    }
    static const want wanted = {'d', 2, {2, 3, 0}, true, NULL};
    array a;
    r->kind = BW_REGION_CAPSULE;
    if (!array_get(capsule, "capsule", &wanted, &a))
        return false;
    const bool fine = a.ndim == 2;
    if (fine) {
        memcpy(&r->centre, a.data, sizeof r->centre);
        memcpy(&r->end, (const double *)a.data + 3, sizeof r->end);
    } else {
        PyErr_SetString(PyExc_ValueError, "capsule must have the shape (2, 3): the ends of its segment");
    }
    array_release(&a);
    return fine;
}

static bool add_hit(void *user, const bw_region_hit *hit)
{
    return grown_add(user, hit, 1);
}

FUNCTION(region)
{
    (void)self;
    ARGUMENTS(region);
    bw_region_desc desc = BW_SIZED(bw_region_desc);
    bw_region_report report = BW_SIZED(bw_region_report);
    grown rows = {.size = sizeof(bw_region_hit)};
    region_holder where;
    bw_transform at;
    held body;
    watch w;
    bw_result result;
    bw_fault fault;
    if (!region_get(v[ARG_region_box], v[ARG_region_sphere], v[ARG_region_capsule], v[ARG_region_planes],
                    v[ARG_region_radius], &where) ||
        !get_pose(v[ARG_region_region_pose], "region_pose", &at, &where.region.pose) ||
        !get_bool(v[ARG_region_inside_only], "inside_only", &desc.inside_only) ||
        !watch_init(&w, v[ARG_region_progress], 0) ||
        !held_get(v[ARG_region_body], v[ARG_region_pose], "body", "pose", &body))
        return NULL;
    desc.mode = BW_COLLIDE_ALL;
    desc.on_hit = add_hit;
    desc.user = &rows;
    desc.progress = watch_hook(&w);
    UNLOCKED(result = bw_collide_region(&body.body, &where.region, &desc, &report, &fault));
    held_done(&body);
    bool fine = watch_end(&w);
    if (fine && rows.failed)
        fine = PyErr_NoMemory() != NULL;
    if (fine && result != BW_OK)
        fine = raise_fault(result, &fault) != NULL;
    if (fine)
        return table_new(&region_hit, rows.data, rows.count, NULL);
    block_free(rows.data);
    return NULL;
}

static PyMethodDef functions[] = {ENTRY("contacts", contacts), ENTRY("region", region), END_OF_METHODS};

bool contact_init(PyObject *module)
{
    return schema_register(module, &contact) && schema_register(module, &contact_region) &&
           schema_register(module, &report_schema) && schema_register(module, &region_hit) &&
           add_functions(module, functions);
}
