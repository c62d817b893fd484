/* Meshes. Vertices stay as they are in the file, none joined, none left out; but where several meshes share
 * one array of vertices, each takes those that its triangles use, in the order of the file. */
#include "io/gltf/mesh.h"

#include "io/gltf/primitive.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool list_primitives(const path *mesh, path *list)
{
    *list = path_key(mesh, "primitives");
    if (!path_need(mesh, "primitives") || !path_is_list(list))
        return false;
    return path_size(list) > 0 || path_fault(list, "has no primitives");
}

/* How many meshes take their vertices from an accessor. */
static void count_uses(gltf *g)
{
    uint32_t *last = tool_alloc(g->counts[LIST_ACCESSORS], sizeof *last);
    memset(last, 0xFF, g->counts[LIST_ACCESSORS] * sizeof *last);
    for (uint32_t m = 0; m < g->counts[LIST_MESHES]; m++) {
        path mesh = gltf_item(g, LIST_MESHES, m), list = path_key(&mesh, "primitives");
        for (size_t i = 0; i < json_array_size(list.value); i++) {
            path item = path_item(&list, i), attributes = path_key(&item, "attributes"),
                 position = path_key(&attributes, "POSITION");
            double index = json_is_number(position.value) ? json_number_value(position.value) : -1;
            if (!(index >= 0 && index < g->counts[LIST_ACCESSORS]) || last[(size_t)index] == m)
                continue;
            last[(size_t)index] = m;
            g->position_uses[(size_t)index]++;
        }
    }
    free(last);
}

/* The modes of a mesh that stands in the scene uses times. */
static bool survey_one(gltf *g, uint32_t mesh, uint64_t uses, bool *triangles)
{
    path at = gltf_item(g, LIST_MESHES, mesh), list;
    if (!list_primitives(&at, &list))
        return false;
    for (size_t i = 0; i < path_size(&list); i++) {
        path item = path_item(&list, i);
        uint64_t mode, count;
        if (!primitive_mode(&item, &mode))
            return false;
        *triangles |= mode >= 4;
        if (mode >= 4)
            continue;
        if (!primitive_count_lost(g, &item, mode, &count))
            return false;
        *(mode == 0 ? &g->points : &g->lines) += uses * count;
    }
    return true;
}

bool mesh_survey(gltf *g)
{
    uint32_t count = g->counts[LIST_MESHES];
    uint64_t *uses = tool_alloc(count, sizeof *uses);
    memset(uses, 0, count * sizeof *uses);
    for (uint32_t i = 0; i < g->place_count; i++) {
        uses[g->places[i].mesh]++;
        g->meshes[g->places[i].mesh].skinned |= g->nodes[g->places[i].node].skin != BW_NONE;
    }
    count_uses(g);
    bool triangles = false, fine = true;
    for (uint32_t i = 0; i < count && fine; i++)
        if (uses[i] > 0)
            fine = survey_one(g, i, uses[i], &triangles);
    free(uses);
    g->cloud = fine && !triangles && g->points > 0;
    if (g->cloud)
        g->points = 0;
    return fine;
}

/* The vertices of a mesh while its primitives are joined. */
typedef struct joining {
    gltf *g;
    const path *at;
    primitive *primitives;
    size_t count;
    uint32_t *first;  /* vertex of each primitive in the mesh */
    uint32_t **picks; /* of each primitive: the vertices that it takes, NULL: all */
    uint32_t *taken;  /* and how many */
    bool *shared;     /* its vertices are those of an earlier one */
} joining;

static bool reserve_numbering(gltf *g, const path *at, uint32_t size)
{
    if (size <= g->numbering_size)
        return true;
    g->numbering = gltf_block(g, at, size, sizeof *g->numbering);
    if (!g->numbering)
        return false;
    memset(g->numbering, 0xFF, size * sizeof *g->numbering);
    g->numbering_size = size;
    return true;
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The vertices that the primitives of this and all later ones of the same arrays use; their corners are
 * renumbered. */
static bool pick_used(joining *j, size_t which)
{
    gltf *g = j->g;
    const primitive *p = &j->primitives[which];
    size_t corners = 0;
    for (size_t i = which; i < j->count; i++)
        corners +=
            i == which || primitive_same_vertices(p, &j->primitives[i]) ? j->primitives[i].corner_count : 0;
    uint32_t *pick = gltf_block(g, j->at, corners, sizeof *pick), count = 0;
    if (!pick || !reserve_numbering(g, j->at, p->vertex_count))
        return false;
    for (size_t i = which; i < j->count; i++) {
        primitive *q = &j->primitives[i];
        for (size_t k = 0; (i == which || primitive_same_vertices(p, q)) && k < q->corner_count; k++)
            if (g->numbering[q->corners[k]] == BW_NONE) {
                g->numbering[q->corners[k]] = 0;
                pick[count++] = q->corners[k];
            }
    }
    if (count > 0)
        qsort(pick, count, sizeof *pick, compare_indices);
    for (uint32_t k = 0; k < count; k++)
        g->numbering[pick[k]] = k;
    for (size_t i = which; i < j->count; i++) {
        primitive *q = &j->primitives[i];
        for (size_t k = 0; (i == which || primitive_same_vertices(p, q)) && k < q->corner_count; k++)
            q->corners[k] = g->numbering[q->corners[k]];
    }
    for (uint32_t k = 0; k < count; k++)
        g->numbering[pick[k]] = BW_NONE;
    j->picks[which] = pick;
    j->taken[which] = count;
    return true;
}

static bool lay_out(joining *j, gltf_mesh *mesh)
{
    uint64_t vertices = 0, corners = 0;
    for (size_t i = 0; i < j->count; i++) {
        const primitive *p = &j->primitives[i];
        corners += p->corner_count;
        size_t same = 0;
        while (same < i && (j->shared[same] || !primitive_same_vertices(&j->primitives[same], p)))
            same++;
        j->shared[i] = same < i;
        j->first[i] = same < i ? j->first[same] : (uint32_t)vertices;
        if (same < i)
            continue;
        j->taken[i] = p->vertex_count;
        bool several = p->packed_view == BW_NONE && j->g->position_uses[p->position_accessor] > 1;
        if (several && !pick_used(j, i))
            return false;
        vertices += j->taken[i];
        if (vertices >= UINT32_MAX)
            break;
    }
    if (vertices >= UINT32_MAX || corners / 3 > UINT32_C(1) << 30)
        return path_fault(j->at, "has more vertices or triangles than 32-bit indices can name");
    mesh->vertex_count = (uint32_t)vertices;
    mesh->triangle_count = j->g->cloud ? 0 : (uint32_t)(corners / 3);
    return true;
}

static void copy_vectors(const joining *j, size_t which, const double *from, double *to)
{
    to += 3 * (size_t)j->first[which];
    for (uint32_t v = 0; v < j->taken[which]; v++) {
        size_t source = j->picks[which] ? j->picks[which][v] : v;
        memcpy(to + 3 * (size_t)v, from + 3 * source, 3 * sizeof *to);
    }
}

static bool join_targets(const joining *j, gltf_mesh *mesh)
{
    mesh->targets = gltf_room(j->g, j->at, mesh->target_count, sizeof *mesh->targets);
    if (!mesh->targets)
        return false;
    for (uint32_t t = 0; t < mesh->target_count; t++)
        for (size_t i = 0; i < j->count; i++) {
            const primitive *p = &j->primitives[i];
            if (j->shared[i] || !p->targets[t])
                continue;
            if (!mesh->targets[t])
                mesh->targets[t] = gltf_room(j->g, j->at, mesh->vertex_count, 3 * sizeof(double));
            if (!mesh->targets[t])
                return false;
            copy_vectors(j, i, p->targets[t], mesh->targets[t]);
        }
    return true;
}

/* The joints of one vertex. Weights are divided by their sum, which rounding takes away from 1: else a vertex
 * would be pulled towards the origin. */
static bool join_vertex(const joining *j, gltf_mesh *mesh, size_t which, uint32_t source, size_t to)
{
    const primitive *p = &j->primitives[which];
    double sum = 0;
    path list = path_key(j->at, "primitives"), at = path_item(&list, p->number),
         attributes = path_key(&at, "attributes"), where = path_key(&attributes, "WEIGHTS_0");
    for (uint32_t k = 0; k < 4 * p->set_count; k++) {
        double weight = p->weights[k / 4][4 * (size_t)source + k % 4];
        if (weight < 0)
            return path_fault(&where, "vertex %" PRIu32 ": a weight of %g", source, weight);
        sum += weight;
    }
    if (!(sum > 0))
        return path_fault(&where, "vertex %" PRIu32 ": the weights sum to %g", source, sum);
    j->g->odd_weights += fabs(sum - 1) > 0.01;
    for (uint32_t k = 0; k < 4 * p->set_count; k++) {
        double weight = p->weights[k / 4][4 * (size_t)source + k % 4],
               joint = p->joints[k / 4][4 * (size_t)source + k % 4];
        if (weight == 0)
            continue;
        mesh->joints[to * mesh->influences + k] = (uint32_t)joint;
        mesh->joint_weights[to * mesh->influences + k] = weight / sum;
        if (joint >= mesh->least_joints) {
            mesh->least_joints = joint >= UINT32_MAX ? UINT32_MAX : (uint32_t)joint + 1;
            mesh->far_primitive = (uint32_t)p->number;
            mesh->far_vertex = source;
        }
    }
    return true;
}

static bool join_joints(const joining *j, gltf_mesh *mesh)
{
    uint32_t sets = 0;
    for (size_t i = 0; i < j->count && mesh->skinned; i++) {
        if (j->primitives[i].set_count == 0)
            return true;
        sets = j->primitives[i].set_count > sets ? j->primitives[i].set_count : sets;
    }
    if (sets == 0)
        return true;
    mesh->influences = 4 * sets;
    mesh->joints = gltf_room(j->g, j->at, mesh->vertex_count, mesh->influences * sizeof *mesh->joints);
    mesh->joint_weights =
        gltf_room(j->g, j->at, mesh->vertex_count, mesh->influences * sizeof *mesh->joint_weights);
    if (!mesh->joints || !mesh->joint_weights)
        return false;
    for (size_t i = 0; i < j->count; i++)
        for (uint32_t v = 0; !j->shared[i] && v < j->taken[i]; v++)
            if (!join_vertex(j, mesh, i, j->picks[i] ? j->picks[i][v] : v, (size_t)j->first[i] + v))
                return false;
    return true;
}

/* A material that is not there, or has no name, says nothing of where triangles are: it is no fault. */
static const char *material_of(const gltf *g, const path *at)
{
    const path material = path_key(at, "material"), list = path_key(&g->top, "materials");
    if (!json_is_integer(material.value) || json_integer_value(material.value) < 0)
        return NULL;
    const json_t *item = json_array_get(list.value, (size_t)json_integer_value(material.value));
    const char *name = json_string_value(json_object_get(item, "name"));
    return name && *name ? name : NULL;
}

static bool join_corners(const joining *j, gltf_mesh *mesh)
{
    if (j->g->cloud)
        return true;
    mesh->corners = gltf_room(j->g, j->at, mesh->triangle_count, 3 * sizeof *mesh->corners);
    mesh->runs = gltf_room(j->g, j->at, j->count, sizeof *mesh->runs);
    if (!mesh->corners || !mesh->runs)
        return false;
    const path list = path_key(j->at, "primitives");
    size_t made = 0;
    for (size_t i = 0; i < j->count; i++) {
        for (size_t k = 0; k < j->primitives[i].corner_count; k++)
            mesh->corners[made++] = j->primitives[i].corners[k] + j->first[i];
        const path at = path_item(&list, j->primitives[i].number);
        mesh->runs[i] = (gltf_run){(uint32_t)(made / 3), material_of(j->g, &at)};
    }
    return true;
}

/* Every primitive has the same targets, and every target a weight. */
static bool check_targets(const joining *j, gltf_mesh *mesh)
{
    mesh->target_count = j->count > 0 ? j->primitives[0].target_count : 0;
    for (size_t i = 1; i < j->count; i++)
        if (j->primitives[i].target_count != mesh->target_count) {
            path list = path_key(j->at, "primitives"), at = path_item(&list, j->primitives[i].number),
                 targets = path_key(&at, "targets");
            return path_fault(&targets,
                              "has %" PRIu32 " morph targets, and another primitive of the mesh %" PRIu32,
                              j->primitives[i].target_count, mesh->target_count);
        }
    mesh->weights = gltf_room(j->g, j->at, mesh->target_count, sizeof *mesh->weights);
    if (j->count == 0) /* nothing of the mesh is taken */
        return mesh->weights != NULL;
    return mesh->weights && path_numbers(j->at, "weights", mesh->target_count, mesh->weights);
}

static bool join(joining *j, gltf_mesh *mesh)
{
    if (!check_targets(j, mesh) || !lay_out(j, mesh))
        return false;
    mesh->positions = gltf_room(j->g, j->at, mesh->vertex_count, 3 * sizeof *mesh->positions);
    if (!mesh->positions)
        return false;
    for (size_t i = 0; i < j->count; i++)
        if (!j->shared[i])
            copy_vectors(j, i, j->primitives[i].positions, mesh->positions);
    return join_targets(j, mesh) && join_joints(j, mesh) && join_corners(j, mesh);
}

bool mesh_read(gltf *g, uint32_t index)
{
    gltf_mesh *mesh = &g->meshes[index];
    if (mesh->read)
        return true;
    path at = gltf_item(g, LIST_MESHES, index), list;
    if (!list_primitives(&at, &list))
        return false;
    size_t size = path_size(&list);
    joining j = {.g = g, .at = &at};
    j.primitives = tool_alloc(size, sizeof *j.primitives);
    j.first = tool_alloc(size, sizeof *j.first);
    j.picks = tool_alloc(size, sizeof *j.picks);
    j.taken = tool_alloc(size, sizeof *j.taken);
    j.shared = tool_alloc(size, sizeof *j.shared);
    memset(j.picks, 0, size * sizeof *j.picks);
    bool fine = true;
    for (size_t i = 0; i < size && fine; i++) {
        path item = path_item(&list, i);
        uint64_t mode;
        fine = primitive_mode(&item, &mode);
        if (fine && (g->cloud ? mode == 0 : mode >= 4)) {
            fine = primitive_read(g, &item, &j.primitives[j.count]);
            j.primitives[j.count++].number = i;
        }
    }
    fine = fine && join(&j, mesh);
    mesh->read = fine;
    free(j.primitives);
    free(j.first);
    free(j.picks);
    free(j.taken);
    free(j.shared);
    return fine;
}

void mesh_free(gltf_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->corners);
    free(mesh->runs);
    for (uint32_t i = 0; mesh->targets && i < mesh->target_count; i++)
        free(mesh->targets[i]);
    free(mesh->targets);
    free(mesh->weights);
    free(mesh->joints);
    free(mesh->joint_weights);
}
