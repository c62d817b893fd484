/* Mesh: the caller's vertices and triangles, in place where they can be. */
#include "core.h"

#include <string.h>
#include <structmember.h>

PyTypeObject *mesh_type;

static const field mesh_report_fields[] = {
    FIELD(bw_mesh_report, primitives, 'I'),
    FIELD(bw_mesh_report, defective, 'I'),
    FIELD_AS("sound", bw_mesh_report, counts[BW_DEFECT_NONE], 'I'),
    FIELD_AS("bad_index", bw_mesh_report, counts[BW_DEFECT_INDEX], 'I'),
    FIELD_AS("nan", bw_mesh_report, counts[BW_DEFECT_NAN], 'I'),
    FIELD_AS("infinite", bw_mesh_report, counts[BW_DEFECT_INFINITE], 'I'),
    FIELD_AS("out_of_range", bw_mesh_report, counts[BW_DEFECT_RANGE], 'I'),
    FIELD_AS("zero_area", bw_mesh_report, counts[BW_DEFECT_ZERO_AREA], 'I'),
    FIELD_ENUM(bw_mesh_report, first, "Defect"),
    FIELD(bw_mesh_report, first_primitive, 'n'),
    FIELD(bw_mesh_report, first_vertex, 'n'),
    FIELD(bw_mesh_report, first_axis, 'n'),
    FIELD(bw_mesh_report, first_value, 'd'),
    FIELD(bw_mesh_report, unused_vertices, 'I'),
    END_OF_FIELDS};
static schema mesh_report = {.record = "boxwood.MeshReport",
                             .record_doc = DOC_MeshReport,
                             .size = sizeof(bw_mesh_report),
                             .fields = mesh_report_fields};

typedef struct topology_row {
    uint32_t edges, boundary_edges, nonmanifold_edges;
    bool closed, oriented;
} topology_row;
static const field topology_fields[] = {FIELD(topology_row, edges, 'I'),
                                        FIELD(topology_row, boundary_edges, 'I'),
                                        FIELD(topology_row, nonmanifold_edges, 'I'),
                                        FIELD(topology_row, closed, '?'),
                                        FIELD(topology_row, oriented, '?'),
                                        END_OF_FIELDS};
static schema topology = {.record = "boxwood.Topology",
                          .record_doc = DOC_Topology,
                          .size = sizeof(topology_row),
                          .fields = topology_fields};

typedef struct edge_row {
    uint32_t vertices[2], triangles[2], use_count;
} edge_row;
static const field edge_fields[] = {FIELD_ROW("vertices", edge_row, vertices, 'n', 2),
                                    FIELD_ROW("triangles", edge_row, triangles, 'n', 2),
                                    FIELD(edge_row, use_count, 'I'), END_OF_FIELDS};
static schema edge_schema = {.record = "boxwood.MeshEdge",
                             .table = "boxwood.MeshEdges",
                             .record_doc = DOC_MeshEdge,
                             .table_doc = DOC_MeshEdges,
                             .size = sizeof(edge_row),
                             .fields = edge_fields};

/* Keeps the array with the mesh: copied with `copy`. */
static bool own_copy(array *a, size_t bytes)
{
    if (a->copy != NULL || a->data == NULL)
        return true;
    void *copy = PyMem_Malloc(bytes + 1);
    if (copy == NULL) {
        PyErr_NoMemory();
        return false;
    }
    memcpy(copy, a->data, bytes);
    PyBuffer_Release(&a->buffer);
    memset(&a->buffer, 0, sizeof a->buffer);
    a->copy = copy;
    a->data = copy;
    return true;
}

static bool take_vertices(Mesh *m, PyObject *object, bool copy)
{
    uint32_t stride = 0, vertex_count;
    bw_scalar scalar = BW_F64;
    array *a = &m->vertices;
    if (!array_vertices(object, "vertices", a, &scalar, &stride) ||
        !count_fits(a->shape[0], "vertices", &vertex_count))
        return false;
    const size_t each = 3 * (scalar == BW_F32 ? sizeof(float) : sizeof(double));
    if (copy && a->copy == NULL) {
        if (stride != 0 && stride != each ? !array_close_rows(a, stride, each)
                                          : !own_copy(a, vertex_count * each))
            return false;
        stride = 0;
    }
    if (a->copy == NULL) {
        keep(object);
        m->vertices_object = object;
    }
    /* An empty array of NumPy may have no memory at all. */
    static const double nothing[3];
    m->mesh.positions = a->data == NULL ? nothing : a->data;
    m->mesh.scalar = scalar;
    m->mesh.stride = stride;
    m->mesh.vertex_count = vertex_count;
    return true;
}

static bool take_faces(Mesh *m, PyObject *object, bool copy)
{
    if (object == NULL || object == Py_None)
        return true;
    static const want wanted = {'i', 1, {3, 0, 0}, false, NULL};
    array *a = &m->faces;
    if (!array_get(object, "faces", &wanted, a) || !count_fits(a->shape[0], "faces", &m->mesh.triangle_count))
        return false;
    if (a->ndim != 2) {
        PyErr_SetString(PyExc_ValueError, "faces must have the shape (m, 3)");
        return false;
    }
    if (copy && !own_copy(a, (size_t)a->shape[0] * 12))
        return false;
    if (a->copy == NULL) {
        keep(object);
        m->faces_object = object;
    }
    static const uint32_t nothing[3];
    m->mesh.indices = a->data == NULL ? nothing : a->data;
    return true;
}

static PyObject *make(PyTypeObject *type, PyObject *vertices, PyObject *faces, bool copy)
{
    Mesh *m = new_object(type);
    if (m == NULL)
        return NULL;
    if (take_vertices(m, vertices, copy) && take_faces(m, faces, copy))
        return (PyObject *)m;
    drop(m);
    return NULL;
}

static PyObject *Mesh_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Mesh);
    bool copy = false;
    if (!get_bool(v[ARG_Mesh_copy], "copy", &copy))
        return NULL;
    return make(type, v[ARG_Mesh_vertices], v[ARG_Mesh_faces], copy);
}

/* An array may hold anything, so that a mesh can be part of a cycle. The other objects of the cycle are cleared, never the mesh: who has
 * it still may read it. */
static int Mesh_traverse(PyObject *self, visitproc visit, void *arg)
{
    const Mesh *m = (Mesh *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(m->vertices.buffer.obj);
    Py_VISIT(m->faces.buffer.obj);
    Py_VISIT(m->vertices_object);
    Py_VISIT(m->faces_object);
    return 0;
}

/* What the library has made for it: the tree, which stays with those who have it too. The arrays stay with the object, as others may read
 * them by it. */
static void Mesh_release(PyObject *self)
{
    Mesh *m = (Mesh *)self;
    Core *core = m->core;
    m->core = NULL;
    drop(core);
}

static bool tree_idle(PyObject *self)
{
    Core *core = ((Mesh *)self)->core;
    return core == NULL || shared_idle(core);
}

CLOSING(Mesh, tree_idle)

static void Mesh_dealloc(PyObject *self)
{
    Mesh *m = (Mesh *)self;
    PyObject_GC_UnTrack(self);
    if (m->weak != NULL)
        PyObject_ClearWeakRefs(self);
    array_release(&m->vertices);
    array_release(&m->faces);
    drop(m->vertices_object);
    drop(m->faces_object);
    drop(m->core);
    free_object(self);
}

Mesh *mesh_get(PyObject *object, const char *name)
{
    if (Py_TYPE(object) == mesh_type)
        return is_open(object) ? (Mesh *)object : NULL;
    PyErr_Format(PyExc_TypeError, "%s must be a boxwood.Mesh, not %R", name, object);
    return NULL;
}

static PyObject *Mesh_get_vertices(PyObject *self, void *closure)
{
    (void)closure;
    Mesh *m = (Mesh *)self;
    if (!is_open(m))
        return NULL;
    const Py_ssize_t size = m->mesh.scalar == BW_F32 ? 4 : 8;
    const Py_ssize_t shape[2] = {m->mesh.vertex_count, 3};
    const Py_ssize_t strides[2] = {m->mesh.stride != 0 ? (Py_ssize_t)m->mesh.stride : 3 * size, size};
    return array_view(self, m->mesh.positions, size == 4 ? 'f' : 'd', 2, shape, strides);
}

static PyObject *Mesh_get_faces(PyObject *self, void *closure)
{
    (void)closure;
    Mesh *m = (Mesh *)self;
    if (!is_open(m))
        return NULL;
    if (m->mesh.indices == NULL)
        Py_RETURN_NONE;
    const Py_ssize_t shape[2] = {m->mesh.triangle_count, 3};
    return array_view(self, m->mesh.indices, 'I', 2, shape, NULL);
}

static PyObject *Mesh_get_copied(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? PyBool_FromLong(((Mesh *)self)->vertices.copy != NULL) : NULL;
}

static PyObject *Mesh_get_tree(PyObject *self, void *closure)
{
    (void)closure;
    return tree_default((Mesh *)self);
}

static PyObject *Mesh_repr(PyObject *self)
{
    Mesh *m = (Mesh *)self;
    if (is_closed(m))
        return closed_repr(self);
    const char *scalar = m->mesh.scalar == BW_F32 ? "float32" : "float64";
    if (m->mesh.indices == NULL)
        return PyUnicode_FromFormat("Mesh(%u points, %s)", m->mesh.vertex_count, scalar);
    return PyUnicode_FromFormat("Mesh(%u vertices, %u faces, %s)", m->mesh.vertex_count,
                                m->mesh.triangle_count, scalar);
}

PyObject *mesh_with_vertices(Mesh *mesh, PyObject *vertices)
{
    Mesh *m = new_object(mesh_type);
    if (m == NULL)
        return NULL;
    if (!take_vertices(m, vertices, false)) {
        drop(m);
        return NULL;
    }
    if (mesh->mesh.indices != NULL) { /* the memory of the other, which is kept by the object that is named */
        m->mesh.indices = mesh->mesh.indices;
        m->mesh.triangle_count = mesh->mesh.triangle_count;
        PyObject *owner =
            mesh->faces_object != NULL && mesh->faces.copy == NULL && mesh->faces.buffer.obj == NULL
                ? mesh->faces_object
                : (PyObject *)mesh;
        keep(owner);
        m->faces_object = owner;
    }
    return (PyObject *)m;
}

FUNCTION(Mesh_validate)
{
    ARGUMENTS(Mesh_validate);
    Mesh *m = (Mesh *)self;
    bw_mesh_report report = BW_SIZED(bw_mesh_report);
    bw_fault fault;
    bw_result result;
    if (!shared_read(m))
        return NULL;
    UNLOCKED(result = bw_mesh_validate(&m->mesh, NULL, &report, &fault));
    shared_done(m);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    if (report.defective == 0)
        report.first_primitive = report.first_vertex = report.first_axis = BW_NONE;
    return record_new(&mesh_report, &report);
}

FUNCTION(Mesh_topology)
{
    ARGUMENTS(Mesh_topology);
    Mesh *m = (Mesh *)self;
    bw_adjacency *adjacency = NULL;
    bw_fault fault;
    bw_result result;
    if (!shared_read(m))
        return NULL;
    UNLOCKED(result = bw_adjacency_create(&m->mesh, NULL, &adjacency, &fault));
    shared_done(m);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    const topology_row row = {adjacency->edge_count, adjacency->boundary_edges, adjacency->nonmanifold_edges,
                              adjacency->closed, adjacency->oriented};
    bw_adjacency_destroy(adjacency);
    return record_new(&topology, &row);
}

FUNCTION(Mesh_edges)
{
    ARGUMENTS(Mesh_edges);
    Mesh *m = (Mesh *)self;
    bw_adjacency *adjacency = NULL;
    bw_fault fault;
    bw_result result;
    if (!shared_read(m))
        return NULL;
    UNLOCKED(result = bw_adjacency_create(&m->mesh, NULL, &adjacency, &fault));
    shared_done(m);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    const uint32_t total = adjacency->edge_count;
    edge_row *rows = block_alloc(total, sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < total; i++) {
        const bw_edge *e = &adjacency->edges[i];
        const uint32_t *uses = adjacency->edge_uses + e->first_use;
        rows[i] = (edge_row){
            {e->low, e->high}, {uses[0] / 3, e->use_count > 1 ? uses[1] / 3 : BW_NONE}, e->use_count};
    }
    bw_adjacency_destroy(adjacency);
    return rows == NULL ? NULL : table_new(&edge_schema, rows, total, NULL);
}

/* Arrays, or lists where there is no NumPy to pickle them. */
PyObject *array_plain(PyObject *made)
{
    if (made != NULL && PyMemoryView_Check(made)) {
        PyObject *list = PyObject_CallMethod(made, "tolist", NULL);
        drop(made);
        return list;
    }
    return made;
}

/* (Mesh, (vertices, faces)) */
static PyObject *Mesh_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    PyObject *vertices = array_plain(Mesh_get_vertices(self, NULL));
    PyObject *faces = vertices == NULL ? NULL : array_plain(Mesh_get_faces(self, NULL));
    PyObject *made = faces == NULL ? NULL : Py_BuildValue("(O(OO))", Py_TYPE(self), vertices, faces);
    drop(vertices);
    drop(faces);
    return made;
}

static PyMethodDef methods[] = {ENTRY("validate", Mesh_validate),
                                ENTRY("topology", Mesh_topology),
                                ENTRY("edges", Mesh_edges),
                                CLOSING_ENTRIES(Mesh),
                                {"__reduce__", Mesh_reduce, METH_NOARGS, NULL},
                                END_OF_METHODS};
static PyGetSetDef getters[] = {{"vertices", Mesh_get_vertices, NULL, DOC_Mesh_vertices, NULL},
                                {"faces", Mesh_get_faces, NULL, DOC_Mesh_faces, NULL},
                                {"copied", Mesh_get_copied, NULL, DOC_Mesh_copied, NULL},
                                {"tree", Mesh_get_tree, NULL, DOC_Mesh_tree, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(Mesh, weak), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_new, Mesh_new},    {Py_tp_dealloc, Mesh_dealloc}, {Py_tp_traverse, Mesh_traverse},
    {Py_tp_repr, Mesh_repr},  {Py_tp_methods, methods},      {Py_tp_getset, getters},
    {Py_tp_members, members}, {Py_tp_doc, (void *)DOC_Mesh}, {0, NULL}};
static PyType_Spec spec = {"boxwood.Mesh", sizeof(Mesh), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

bool mesh_init(PyObject *module)
{
    return schema_register(module, &mesh_report) && schema_register(module, &topology) &&
           schema_register(module, &edge_schema) && add_type(module, &spec, &mesh_type);
}
