/* Everything that assimp reads: its meshes as they stand in the tree of nodes, corner by corner. Assimp is
 * asked to change nothing (no joining, no triangulation: ours is exact and knows the faces). */
#include "io/build.h"
#include "io/isolate.h"
#include "io/readers.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <string.h>

typedef struct walk {
    build build;
    const struct aiScene *scene;
    fault *why;
} walk;

static bw_transform of_matrix(const struct aiMatrix4x4 *m)
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

static void part_name(const struct aiNode *node, const struct aiMesh *mesh, char *out, size_t size)
{
    const char *n = node->mName.data, *m = mesh->mName.data;
    if (*n && *m && strcmp(n, m) != 0)
        snprintf(out, size, "%s/%s", n, m);
    else
        snprintf(out, size, "%s", *m ? m : n);
}

static bool add_mesh(walk *w, const struct aiNode *node, const struct aiMesh *mesh, const bw_transform *pose)
{
    char name[2 * sizeof node->mName.data + 2];
    part_name(node, mesh, name, sizeof name);
    build_part(&w->build, name);
    uint32_t base = w->build.model.vertex_count;
    /* Times one, plus zero would turn an infinity into NaN. */
    bool moved = !is_identity(pose);
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const struct aiVector3D *p = &mesh->mVertices[v];
        bw_vec3 q = {(double)p->x, (double)p->y, (double)p->z};
        if (!build_vertex(&w->build, moved ? bw_transform_point(pose, q) : q, 0))
            return fault_set(w->why, "%s: more vertices than 32-bit indices can name", w->build.model.file);
    }
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        for (unsigned k = 0; k < face->mNumIndices; k++) {
            unsigned index = face->mIndices[k];
            build_corner(&w->build, index < mesh->mNumVertices ? base + index : UINT32_MAX);
        }
        build_face(&w->build, 0);
    }
    return true;
}

static bool add_node(walk *w, const struct aiNode *node, const bw_transform *above)
{
    bw_transform own = of_matrix(&node->mTransformation);
    bw_transform pose = is_identity(&own) ? *above : bw_transform_multiply(above, &own);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= w->scene->mNumMeshes)
            return fault_set(w->why, "%s: node \"%s\" names mesh %u of %u", w->build.model.file,
                             node->mName.data, node->mMeshes[i], w->scene->mNumMeshes);
        if (!add_mesh(w, node, w->scene->mMeshes[node->mMeshes[i]], &pose))
            return false;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (!add_node(w, node->mChildren[i], &pose))
            return false;
    return true;
}

static const char *extension(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static bool import(const char *file, model *out, fault *why)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    /* Files of bare skeletons would otherwise come with meshes invented to show the bones. */
    if (properties)
        aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(file, 0, NULL, properties);
    if (!scene)
        return fault_set(why, "%s: %s", file, aiGetErrorString());
    char format[32];
    snprintf(format, sizeof format, "%.16s by assimp", extension(file));
    walk w = {build_start(file, format, false), scene, why};
    bw_transform identity = bw_transform_identity();
    bool fine = true;
    if (scene->mRootNode)
        fine = add_node(&w, scene->mRootNode, &identity);
    if (!fine) {
        build_drop(&w.build);
        return false;
    }
    w.build.model.losses.animations = scene->mNumAnimations;
    return build_finish(&w.build, out, why); /* the process ends: nothing else is given back */
}

bool read_assimp(const char *file, model *out, fault *why)
{
    return isolate_read(import, file, out, why);
}
