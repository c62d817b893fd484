/* Opening and closing, and the scene as a model at rest. */
#include "io/gltf/document.h"

#include "io/build.h"
#include "io/gltf/clip.h"
#include "io/gltf/container.h"
#include "io/gltf/label.h"
#include "io/gltf/mesh.h"
#include "io/gltf/node.h"
#include "io/gltf/pose.h"
#include "io/gltf/skin.h"
#include "io/names.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void drop_blocks(gltf *g)
{
    for (size_t i = 0; i < g->block_count; i++)
        free(g->blocks[i]);
    g->block_count = 0;
    g->numbering = NULL;
    g->numbering_size = 0;
    if (g->decoded)
        memset(g->decoded, 0, g->counts[LIST_ACCESSORS] * sizeof *g->decoded);
}

void gltf_close(gltf *g)
{
    if (!g)
        return;
    drop_blocks(g);
    for (uint32_t i = 0; g->meshes && i < g->counts[LIST_MESHES]; i++)
        mesh_free(&g->meshes[i]);
    for (uint32_t i = 0; g->skins && i < g->counts[LIST_SKINS]; i++)
        skin_free(&g->skins[i]);
    for (uint32_t i = 0; g->nodes && i < g->counts[LIST_NODES]; i++)
        free(g->nodes[i].weights);
    for (uint32_t i = 0; g->clips && i < g->counts[LIST_ANIMATIONS]; i++)
        clip_free(&g->clips[i]);
    for (uint32_t i = 0; g->buffers && i < g->counts[LIST_BUFFERS]; i++)
        free(g->buffers[i].own);
    for (uint32_t i = 0; g->views && i < g->counts[LIST_VIEWS]; i++)
        free(g->views[i].own);
    for (uint32_t i = 0; i < g->place_count; i++)
        free(g->places[i].name);
    for (size_t i = 0; i < g->note_count; i++)
        free(g->notes[i]);
    void *const all[] = {g->buffers, g->views, g->decoded, g->blocks, g->position_uses, g->nodes, g->order,
                         g->meshes,  g->skins, g->places,  g->clips,  g->notes,         g->chunk, g->file};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    json_decref(g->json);
    free(g);
}

static void *zeros(uint32_t count, size_t size)
{
    void *block = tool_alloc(count, size);
    memset(block, 0, count * size);
    return block;
}

static bool read_scene_of(gltf *g)
{
    g->buffers = zeros(g->counts[LIST_BUFFERS], sizeof *g->buffers);
    g->views = zeros(g->counts[LIST_VIEWS], sizeof *g->views);
    g->decoded = zeros(g->counts[LIST_ACCESSORS], sizeof *g->decoded);
    g->position_uses = zeros(g->counts[LIST_ACCESSORS], sizeof *g->position_uses);
    g->nodes = zeros(g->counts[LIST_NODES], sizeof *g->nodes);
    g->order = zeros(g->counts[LIST_NODES], sizeof *g->order);
    g->meshes = zeros(g->counts[LIST_MESHES], sizeof *g->meshes);
    g->skins = zeros(g->counts[LIST_SKINS], sizeof *g->skins);
    g->clips = zeros(g->counts[LIST_ANIMATIONS], sizeof *g->clips);
    if (!node_read_all(g) || !node_place_all(g) || !mesh_survey(g))
        return false;
    uint64_t vertices = 0;
    for (uint32_t i = 0; i < g->place_count; i++) {
        if (!mesh_read(g, g->places[i].mesh))
            return false;
        vertices += g->meshes[g->places[i].mesh].vertex_count;
    }
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < g->place_count; i++)
        triangles += g->meshes[g->places[i].mesh].triangle_count;
    if (vertices > 0 && triangles == 0 && !g->cloud)
        return path_fault(&g->top, "no triangles: all of its strips and fans are seams");
    if (vertices == 0)
        return path_fault(&g->top, g->lines > 0 ? "no triangles, only lines" : "no vertices");
    if (vertices >= UINT32_MAX)
        return path_fault(
            &g->top, "with every mesh at each of its places, more vertices than 32-bit indices can name");
    if (g->cut_corners > 0)
        gltf_note(g, "%" PRIu64 " corners at the ends of lists of triangles are too few for one more",
                  g->cut_corners);
    if (!node_read_weights(g) || !skin_read_used(g))
        return false;
    if (g->odd_weights > 0)
        gltf_note(g, "the weights of %" PRIu64 " vertices do not sum to 1: they are divided by their sum",
                  g->odd_weights);
    return true;
}

bool gltf_open_bytes(const gltf_desc *desc, gltf **out, fault *why)
{
    gltf *g = tool_alloc(1, sizeof *g);
    memset(g, 0, sizeof *g);
    g->file = tool_copy(desc->file);
    g->root = (path_root){g->file, why};
    g->top = (path){.root = &g->root};
    g->alone = desc->alone;
    g->bytes_left = desc->most_bytes > 0 ? desc->most_bytes : GLTF_MOST_BYTES;
    const char *json;
    size_t json_size;
    bool fine = container_open(g, desc->bytes, desc->size, &json, &json_size) &&
                document_open(g, json, json_size) && read_scene_of(g);
    drop_blocks(g);
    if (!fine) {
        gltf_close(g);
        return false;
    }
    *out = g;
    return true;
}

bool gltf_open(const char *file, gltf **out, fault *why)
{
    text whole;
    if (!text_open(file, &whole, why))
        return false;
    bool fine =
        gltf_open_bytes(&(gltf_desc){.file = file, .bytes = whole.data, .size = whole.size}, out, why);
    text_close(&whole);
    return fine;
}

uint32_t gltf_vertex_count(const gltf *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->place_count; i++)
        count += g->meshes[g->places[i].mesh].vertex_count;
    return count;
}

uint32_t gltf_clip_count(const gltf *g)
{
    return g->counts[LIST_ANIMATIONS];
}

bool gltf_read_clips(gltf *g, fault *why)
{
    bool fine = true;
    g->root.why = why;
    for (uint32_t i = 0; i < g->counts[LIST_ANIMATIONS] && fine && !g->clips_read; i++)
        fine = clip_read(g, i);
    drop_blocks(g);
    g->clips_read = fine;
    return fine;
}

static const char *mesh_name(const gltf *g, uint32_t mesh)
{
    path at = gltf_item(g, LIST_MESHES, mesh), name = path_key(&at, "name");
    return json_is_string(name.value) ? json_string_value(name.value) : "";
}

/* A part for a place whose vertices are there: of its node's own, or the first of its mesh. */
static void add_part(const gltf *g, const gltf_place *from, const double *vertices, build *b,
                     model_place *place)
{
    const gltf_mesh *mesh = &g->meshes[from->mesh];
    const uint32_t skin = g->nodes[from->node].skin;
    place->first_vertex = b->model.vertex_count;
    place->vertex_count = mesh->vertex_count;
    place->part = mesh->triangle_count > 0 ? b->model.part_count : BW_NONE;
    if (mesh->triangle_count > 0)
        build_part(b, mesh_name(g, from->mesh));
    uint32_t *labels = label_triangles(g, mesh, skin != BW_NONE ? &g->skins[skin] : NULL, b);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        build_vertex(b, (bw_vec3){vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]}, 0);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        for (size_t k = 0; k < 3; k++)
            build_corner(b, place->first_vertex + mesh->corners[3 * t + k]);
        b->label = labels[t];
        build_face(b, 0);
    }
    free(labels);
}

/* What a model says beside its geometry. */
static void tell(const gltf *g, model *m)
{
    m->unit = 1;
    m->up = MODEL_UP_Y;
    m->losses.animations = gltf_clip_count(g);
    m->losses.point_faces = g->points;
    m->losses.line_faces = g->lines;
    for (size_t i = 0; i < g->note_count; i++)
        model_note(m, "%s", g->notes[i]);
    if (!g->clips_read)
        return;
    m->clips = tool_alloc(gltf_clip_count(g), sizeof *m->clips);
    for (uint32_t i = 0; i < gltf_clip_count(g); i++) {
        gltf_clip_info info = gltf_clip(g, i);
        m->clips[m->clip_count++] =
            (model_clip){tool_copy(info.name), info.begin, info.end, info.channels, info.keys};
    }
}

/* Vertices may stand out of range by now, where numbers are not: validation will say so. */
bool gltf_model(const gltf *g, model *out, fault *why)
{
    build b = build_start(g->file, g->binary ? "glTF, binary" : "glTF", false);
    model *m = &b.model;
    gltf_pose rest = pose_make(g, BW_NONE, 0, false);
    uint32_t *first = zeros(g->counts[LIST_MESHES], sizeof *first), largest = 0;
    memset(first, 0xFF, g->counts[LIST_MESHES] * sizeof *first);
    for (uint32_t i = 0; i < g->place_count; i++)
        largest = g->meshes[g->places[i].mesh].vertex_count > largest
                      ? g->meshes[g->places[i].mesh].vertex_count
                      : largest;
    double *room = tool_alloc(largest, 3 * sizeof *room);
    m->places = tool_alloc(g->place_count, sizeof *m->places);
    for (uint32_t i = 0; i < g->place_count; i++) {
        const gltf_place *from = &g->places[i];
        const gltf_mesh *mesh = &g->meshes[from->mesh];
        const gltf_node *node = &g->nodes[from->node];
        bool own = node->skin != BW_NONE || node->weights;
        model_place place = {.part = BW_NONE, .pose = bw_transform_identity()};
        if (mesh->vertex_count == 0)
            continue;
        if (!own && first[from->mesh] != BW_NONE) {
            place = m->places[first[from->mesh]];
        } else {
            if (node->skin != BW_NONE)
                pose_vertices(g, &rest, from, room);
            else
                pose_morph(g, &rest, from, room);
            add_part(g, from, room, &b, &place);
            if (!own)
                first[from->mesh] = m->place_count;
        }
        place.name = tool_copy(from->name);
        if (node->skin == BW_NONE)
            place.pose = pose_of_place(&rest, from);
        place.moved = model_pose_moves(&place.pose);
        m->places[m->place_count++] = place;
    }
    free(room);
    free(first);
    pose_free(g, &rest);
    if (!build_finish(&b, out, why))
        return false;
    tell(g, out);
    return true;
}
