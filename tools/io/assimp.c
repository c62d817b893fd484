/* Everything that assimp reads: its meshes, corner by corner, in the order in which the tree of nodes places
 * them first, and the places. Assimp is asked to change nothing (no joining, no triangulation: ours is exact
 * and knows the faces). */
#include "io/assimp.h"

#include "io/build.h"
#include "io/isolate.h"
#include "io/readers.h"
#include "io/sampler.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct walk {
    build build;
    const struct aiScene *scene;
    uint32_t *first_place; /* of each mesh; BW_NONE: none yet */
    size_t place_capacity, standing_capacity;
    assimp_place *standing;
    fault *why;
} walk;

bw_transform assimp_transform(const struct aiMatrix4x4 *m)
{
    return (bw_transform){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                           {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                           {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

static bool is_identity(const bw_transform *t)
{
    bool same = true;
    for (int i = 0; i < 12; i++)
        same &= t->m[i / 4][i % 4] == (i / 4 == i % 4);
    return same;
}

double assimp_ticks_per_second(const struct aiAnimation *animation)
{
    return animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 25;
}

double *assimp_key_times(const struct aiAnimation *a, size_t *out)
{
    size_t count = 0, n = 0;
    for (unsigned i = 0; i < a->mNumChannels; i++)
        count += (size_t)a->mChannels[i]->mNumPositionKeys + a->mChannels[i]->mNumRotationKeys +
                 a->mChannels[i]->mNumScalingKeys;
    for (unsigned i = 0; i < a->mNumMorphMeshChannels; i++)
        count += a->mMorphMeshChannels[i]->mNumKeys;
    double *times = tool_alloc(count, sizeof *times), rate = assimp_ticks_per_second(a);
    for (unsigned i = 0; i < a->mNumChannels; i++) {
        const struct aiNodeAnim *channel = a->mChannels[i];
        for (unsigned k = 0; k < channel->mNumPositionKeys; k++)
            times[n++] = channel->mPositionKeys[k].mTime / rate;
        for (unsigned k = 0; k < channel->mNumRotationKeys; k++)
            times[n++] = channel->mRotationKeys[k].mTime / rate;
        for (unsigned k = 0; k < channel->mNumScalingKeys; k++)
            times[n++] = channel->mScalingKeys[k].mTime / rate;
    }
    for (unsigned i = 0; i < a->mNumMorphMeshChannels; i++)
        for (unsigned k = 0; k < a->mMorphMeshChannels[i]->mNumKeys; k++)
            times[n++] = a->mMorphMeshChannels[i]->mKeys[k].mTime / rate;
    *out = count;
    return times;
}

static void part_name(const struct aiNode *node, const struct aiMesh *mesh, char *out, size_t size)
{
    const char *n = node->mName.data, *m = mesh->mName.data;
    if (*n && *m && strcmp(n, m) != 0)
        snprintf(out, size, "%s/%s", n, m);
    else
        snprintf(out, size, "%s", *m ? m : n);
}

/* The vertices and faces of a mesh that no node has placed before. */
static bool add_mesh(walk *w, const struct aiMesh *mesh, model_place *place)
{
    build *b = &w->build;
    build_part(b, mesh->mName.data);
    size_t faces = b->face_count;
    place->first_vertex = b->model.vertex_count;
    place->vertex_count = mesh->mNumVertices;
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const struct aiVector3D *p = &mesh->mVertices[v];
        if (!build_vertex(b, (bw_vec3){(double)p->x, (double)p->y, (double)p->z}, 0))
            return fault_set(w->why, "%s: more vertices than 32-bit indices can name", b->model.file);
    }
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        for (unsigned k = 0; k < face->mNumIndices; k++) {
            unsigned index = face->mIndices[k];
            build_corner(b, index < mesh->mNumVertices ? place->first_vertex + index : UINT32_MAX);
        }
        build_face(b, 0);
    }
    /* A part without faces will be forgotten. */
    place->part = b->face_count > faces ? b->model.part_count - 1 : BW_NONE;
    return true;
}

static bool add_place(walk *w, const struct aiNode *node, unsigned mesh, const bw_transform *pose)
{
    model *m = &w->build.model;
    model_place place = {.name = NULL};
    uint32_t first = w->first_place[mesh];
    if (first != BW_NONE)
        place = m->places[first];
    else if (!add_mesh(w, w->scene->mMeshes[mesh], &place))
        return false;
    else
        w->first_place[mesh] = m->place_count;
    char name[2 * sizeof node->mName.data + 2];
    part_name(node, w->scene->mMeshes[mesh], name, sizeof name);
    place.name = tool_copy(name);
    place.pose = *pose;
    place.moved = !is_identity(pose);
    m->places = tool_grow(m->places, m->place_count, &w->place_capacity, sizeof *m->places);
    m->places[m->place_count++] = place;
    w->standing = tool_grow(w->standing, m->place_count - 1, &w->standing_capacity, sizeof *w->standing);
    w->standing[m->place_count - 1] = (assimp_place){node, w->scene->mMeshes[mesh]};
    return true;
}

static bool add_node(walk *w, const struct aiNode *node, const bw_transform *above)
{
    bw_transform own = assimp_transform(&node->mTransformation);
    bw_transform pose = is_identity(&own) ? *above : bw_transform_multiply(above, &own);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= w->scene->mNumMeshes)
            return fault_set(w->why, "%s: node \"%s\" names mesh %u of %u", w->build.model.file,
                             node->mName.data, node->mMeshes[i], w->scene->mNumMeshes);
        if (!add_place(w, node, node->mMeshes[i], &pose))
            return false;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (!add_node(w, node->mChildren[i], &pose))
            return false;
    return true;
}

static void add_clips(const struct aiScene *scene, model *m)
{
    m->clips = tool_alloc(scene->mNumAnimations, sizeof *m->clips);
    for (; m->clip_count < scene->mNumAnimations; m->clip_count++) {
        const struct aiAnimation *from = scene->mAnimations[m->clip_count];
        model_clip *clip = &m->clips[m->clip_count];
        size_t keys;
        double *times = assimp_key_times(from, &keys);
        *clip = (model_clip){.name = tool_copy(from->mName.data),
                             .channels = from->mNumChannels + from->mNumMorphMeshChannels,
                             .keys = keys};
        size_t merged = sampler_merge(times, keys);
        if (merged > 0) {
            clip->begin = times[0];
            clip->end = times[merged - 1];
        }
        free(times);
    }
}

static const char *extension(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

bool assimp_import(const char *file, assimp_scene *from, model *out, fault *why)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    /* Files of bare skeletons would otherwise come with meshes invented to show the bones. */
    if (properties)
        aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(file, 0, NULL, properties);
    if (!scene)
        return fault_set(why, "%s: %s", file, aiGetErrorString());
    char format[32];
    snprintf(format, sizeof format, "%.16s%sby assimp", extension(file), *extension(file) ? " " : "");
    walk w = {.build = build_start(file, format, false), .scene = scene, .why = why};
    w.first_place = tool_alloc(scene->mNumMeshes, sizeof *w.first_place);
    for (unsigned i = 0; i < scene->mNumMeshes; i++)
        w.first_place[i] = BW_NONE;
    bw_transform identity = bw_transform_identity();
    bool fine = true;
    if (scene->mRootNode)
        fine = add_node(&w, scene->mRootNode, &identity);
    if (!fine) {
        build_drop(&w.build);
        return false;
    }
    add_clips(scene, &w.build.model);
    w.build.model.losses.animations = scene->mNumAnimations;
    *from = (assimp_scene){scene, w.standing, w.build.model.place_count};
    return build_finish(&w.build, out, why);
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
