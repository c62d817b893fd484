/* Everything that assimp reads: one part for each node that has meshes, whatever their number and materials,
 * in the order of the tree of nodes; nodes of the same meshes share them. Assimp is told to change nothing
 * (no joining, no triangulation: ours is exact and knows the faces). */
#define _POSIX_C_SOURCE 200809L
#include "io/assimp.h"

#include "io/assimp_keys.h"
#include "io/assimp_unit.h"
#include "io/build.h"
#include "io/isolate.h"
#include "io/names.h"
#include "io/readers.h"
#include "io/xml_package.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct walk {
    build build;
    const struct aiScene *scene;
    rig *rig;
    uint32_t *first_place; /* of each mesh: the last new place that begins with it; BW_NONE: none yet */
    uint32_t *earlier_place,
        *nodes; /* of each place: the new place before it that begins with the same mesh */
    size_t place_capacity, node_capacity, earlier_capacity;
    const char **titles; /* of each node, where nodes are called by identifiers; NULL: none */
    uint32_t next_node;  /* of the rig: its nodes stand in the order of this walk */
    fault *why;
} walk;

/* Between the nodes of an FBX file stand nodes that assimp made of their pivots, between those of an IFC file
 * some for relations. */
static bool is_made(const struct aiNode *node)
{
    return strstr(node->mName.data, "_$AssimpFbx$_") != NULL || strncmp(node->mName.data, "$Rel", 4) == 0;
}

/* The name of a node, or of its first mesh that has one. */
static const char *own_name(const walk *w, const struct aiNode *node, uint32_t own)
{
    const char *name = w->titles ? w->titles[own] : node->mName.data;
    for (unsigned i = 0; !*name && i < node->mNumMeshes; i++)
        name = w->scene->mMeshes[node->mMeshes[i]]->mName.data;
    return name;
}

/* ---- geometry ---- */

/* Its vertices are where bones and morph targets put them, not where its node stands. */
static bool deforms(const struct aiMesh *mesh)
{
    bool found = mesh->mNumBones > 0;
    for (unsigned i = 0; i < mesh->mNumAnimMeshes; i++)
        found |= mesh->mAnimMeshes[i]->mWeight != 0;
    return found;
}

static bool node_deforms(const walk *w, const struct aiNode *node)
{
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        if (deforms(w->scene->mMeshes[node->mMeshes[i]]))
            return true;
    return false;
}

static bool add_vertices(walk *w, const struct aiNode *node, uint32_t own, bool posed)
{
    uint32_t count = rig_vertex_count(w->rig, own);
    double *all = tool_alloc(count, 3 * sizeof *all);
    size_t n = 0;
    if (posed)
        rig_vertices(w->rig, own, 0, false, all);
    for (unsigned i = 0; !posed && i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = w->scene->mMeshes[node->mMeshes[i]];
        for (unsigned v = 0; v < mesh->mNumVertices; v++, n += 3) {
            all[n] = (double)mesh->mVertices[v].x;
            all[n + 1] = (double)mesh->mVertices[v].y;
            all[n + 2] = (double)mesh->mVertices[v].z;
        }
    }
    bool room = true;
    for (size_t v = 0; v < count && room; v++)
        room = build_vertex(&w->build, (bw_vec3){all[3 * v], all[3 * v + 1], all[3 * v + 2]}, 0);
    free(all);
    return room || fault_set(w->why, "%s: more vertices than 32-bit indices can name", w->build.model.file);
}

/* The vertices and faces of meshes that no node has placed together before. */
static bool add_part(walk *w, const struct aiNode *node, uint32_t own, bool posed, model_place *place)
{
    build *b = &w->build;
    size_t faces = b->face_count;
    build_part(b, own_name(w, node, own));
    place->first_vertex = b->model.vertex_count;
    if (!add_vertices(w, node, own, posed))
        return false;
    place->vertex_count = b->model.vertex_count - place->first_vertex;
    uint32_t first = place->first_vertex;
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = w->scene->mMeshes[node->mMeshes[i]];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace *face = &mesh->mFaces[f];
            for (unsigned k = 0; k < face->mNumIndices; k++) {
                unsigned index = face->mIndices[k];
                build_corner(b, index < mesh->mNumVertices ? first + index : UINT32_MAX);
            }
            build_face(b, 0);
        }
        first += mesh->mNumVertices;
    }
    /* A part without faces will be forgotten. */
    place->part = b->face_count > faces ? b->model.part_count - 1 : BW_NONE;
    return true;
}

static bool same_meshes(const struct aiNode *a, const struct aiNode *b)
{
    return a->mNumMeshes == b->mNumMeshes &&
           memcmp(a->mMeshes, b->mMeshes, a->mNumMeshes * sizeof *a->mMeshes) == 0;
}

/* The place that showed the same meshes first; BW_NONE: none. */
static uint32_t find_place(const walk *w, const struct aiNode *node)
{
    uint32_t at = w->first_place[node->mMeshes[0]];
    while (at != BW_NONE && !same_meshes(w->rig->nodes[w->nodes[at]].node, node))
        at = w->earlier_place[at];
    return at;
}

static bool add_place(walk *w, const struct aiNode *node, uint32_t own, const char *path)
{
    model *m = &w->build.model;
    const bool posed = node_deforms(w, node);
    const bw_transform *pose = &w->rig->nodes[own].pose;
    const uint32_t first = posed ? BW_NONE : find_place(w, node);
    model_place place = {.name = NULL};
    if (first != BW_NONE)
        place = m->places[first];
    else if (!add_part(w, node, own, posed, &place))
        return false;
    place.name = tool_copy(path);
    place.pose = posed ? bw_transform_identity() : *pose;
    place.moved = model_pose_moves(&place.pose);
    m->places = tool_grow(m->places, m->place_count, &w->place_capacity, sizeof *m->places);
    w->nodes = tool_grow(w->nodes, m->place_count, &w->node_capacity, sizeof *w->nodes);
    w->earlier_place =
        tool_grow(w->earlier_place, m->place_count, &w->earlier_capacity, sizeof *w->earlier_place);
    m->places[m->place_count] = place;
    w->nodes[m->place_count] = own;
    w->earlier_place[m->place_count] = BW_NONE;
    if (first == BW_NONE && !posed) {
        w->earlier_place[m->place_count] = w->first_place[node->mMeshes[0]];
        w->first_place[node->mMeshes[0]] = m->place_count;
    }
    m->place_count++;
    return true;
}

/* path: of the node above. The root is the file itself: it names nothing but its own meshes. */
static bool add_node(walk *w, const struct aiNode *node, const char *path)
{
    uint32_t own = w->next_node++;
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        if (node->mMeshes[i] >= w->scene->mNumMeshes)
            return fault_set(w->why, "%s: node \"%s\" names mesh %u of %u", w->build.model.file,
                             node->mName.data, node->mMeshes[i], w->scene->mNumMeshes);
    bool silent = is_made(node) || own == 0;
    char *joined =
        silent && node->mNumMeshes == 0 ? tool_copy(path) : names_join(path, own_name(w, node, own), own);
    bool fine = node->mNumMeshes == 0 || add_place(w, node, own, joined);
    for (unsigned i = 0; i < node->mNumChildren && fine; i++)
        fine = add_node(w, node->mChildren[i], silent ? path : joined);
    free(joined);
    return fine;
}

/* ---- clips ---- */

static void add_clips(const struct aiScene *scene, model *m)
{
    m->clips = tool_alloc(scene->mNumAnimations, sizeof *m->clips);
    for (; m->clip_count < scene->mNumAnimations; m->clip_count++) {
        const struct aiAnimation *from = scene->mAnimations[m->clip_count];
        assimp_keys keys = assimp_keys_of(from, false);
        m->clips[m->clip_count] = (model_clip){.name = tool_copy(from->mName.data),
                                               .begin = keys.key_count > 0 ? keys.keys[0] : 0,
                                               .end = keys.key_count > 0 ? keys.keys[keys.key_count - 1] : 0,
                                               .channels = from->mNumChannels + from->mNumMorphMeshChannels,
                                               .keys = keys.all};
        free(keys.keys);
        free(keys.jumps);
    }
}

/* ---- the file ---- */

static const char *extension(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static const struct aiScene *import(const char *file, bool collada_names)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (properties) {
        /* Files of bare skeletons would otherwise come with meshes invented to show the bones. */
        aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
        aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, collada_names);
    }
    return aiImportFileExWithProperties(file, 0, NULL, properties);
}

bool assimp_is_collada(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (strcasecmp(dot, ".dae") == 0 || strcasecmp(dot, ".zae") == 0);
}

static void list_titles(const struct aiNode *node, const char **out, uint32_t *count)
{
    /* What has no name is called by a number that changes from import to import. */
    const char *name = node->mName.data;
    out[(*count)++] = strncmp(name, "$ColladaAutoName$", 17) == 0 ? "" : name;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        list_titles(node->mChildren[i], out, count);
}

/* The importer of COLLADA calls nodes by their identifiers, which channels and bones need, as names may
 * repeat. What they are called by people only a second import tells. */
static const char **collada_titles(const char *file, const rig *own)
{
    const struct aiScene *named = import(file, true);
    if (!named || !named->mRootNode || rig_create(named).count != own->count)
        return NULL;
    const char **titles = tool_alloc(own->count, sizeof *titles);
    uint32_t count = 0;
    list_titles(named->mRootNode, titles, &count);
    return titles;
}

/* The importer of 3MF calls nodes Object_ID. */
static const char **threemf_titles(const char *file, const rig *own)
{
    static const char prefix[] = "Object_";
    const xml_package package = xml_package_read(file);
    const char **titles = tool_alloc(own->count, sizeof *titles);
    for (uint32_t i = 0; i < own->count; i++) {
        const char *name = own->nodes[i].node->mName.data, *title = NULL;
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            title = xml_package_name(&package, name + strlen(prefix));
        titles[i] = title ? title : name;
    }
    return titles;
}

static const char **titles_of(const char *file, const rig *own)
{
    return assimp_is_collada(file)                   ? collada_titles(file, own)
           : strcasecmp(extension(file), "3mf") == 0 ? threemf_titles(file, own)
                                                     : NULL;
}

bool assimp_import(const char *file, assimp_scene *from, model *out, fault *why)
{
    const struct aiScene *scene = import(file, false);
    if (!scene)
        return fault_set(why, "%s: %s", file, aiGetErrorString());
    char format[32];
    snprintf(format, sizeof format, "%.16s%sby assimp", extension(file), *extension(file) ? " " : "");
    walk w = {.build = build_start(file, format, false), .scene = scene, .rig = &from->rig, .why = why};
    assimp_unit(file, scene, &w.build.model);
    assimp_keys_to_seconds(scene);
    *from = (assimp_scene){.scene = scene, .rig = rig_create(scene)};
    rig_play(&from->rig, NULL);
    rig_pose(&from->rig, 0, false);
    w.titles = titles_of(file, &from->rig);
    w.first_place = tool_alloc(scene->mNumMeshes, sizeof *w.first_place);
    for (unsigned i = 0; i < scene->mNumMeshes; i++)
        w.first_place[i] = BW_NONE;
    if (scene->mRootNode && !add_node(&w, scene->mRootNode, "")) {
        build_drop(&w.build);
        return false;
    }
    add_clips(scene, &w.build.model);
    w.build.model.losses.animations = scene->mNumAnimations;
    from->nodes = w.nodes;
    from->place_count = w.build.model.place_count;
    if (!build_finish(&w.build, out, why))
        return false;
    if (out->place_count > 1)
        names_unique(out);
    return true;
}

static bool read_here(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish;
    assimp_scene from;
    return assimp_import(file, &from, out, why);
}

bool read_assimp(const char *file, model *out, fault *why)
{
    return isolate_read(read_here, file, NULL, out, why);
}
