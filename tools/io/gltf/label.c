/* Labels of triangles. */
#include "io/gltf/label.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a joint while the triangles are gone through. */
typedef struct bone {
    double weight;  /* of the triangle at hand */
    uint32_t run;   /* for which its label is known, from 1; 0: none */
    uint32_t label; /* in that run */
} bone;

/* The joint that pulls most at a triangle. As no weight is negative, whoever is ahead after the last is ahead
 * in all. */
static uint32_t strongest(const gltf_mesh *mesh, const uint32_t corners[3], bone *bones)
{
    uint32_t best = BW_NONE;
    for (int c = 0; c < 3; c++) {
        size_t first = (size_t)corners[c] * mesh->influences;
        for (size_t i = first; i < first + mesh->influences; i++) {
            uint32_t joint = mesh->joints[i];
            if (!(mesh->joint_weights[i] > 0))
                continue;
            bones[joint].weight += mesh->joint_weights[i];
            if (best == BW_NONE || bones[joint].weight > bones[best].weight ||
                (bones[joint].weight >= bones[best].weight && joint < best))
                best = joint;
        }
    }
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < mesh->influences; i++)
            bones[mesh->joints[(size_t)corners[c] * mesh->influences + i]].weight = 0;
    return best;
}

static uint32_t make_label(build *b, const char *joint, const char *material)
{
    joint = joint ? joint : "";
    if (!*joint && !material)
        return BW_NONE;
    const char *between = !material ? "" : *joint ? ", material " : "material ";
    material = material ? material : "";
    size_t lengths[3] = {strlen(joint), strlen(between), strlen(material)};
    char *words = tool_alloc(lengths[0] + lengths[1] + lengths[2] + 1, 1);
    memcpy(words, joint, lengths[0]);
    memcpy(words + lengths[0], between, lengths[1]);
    memcpy(words + lengths[0] + lengths[1], material, lengths[2] + 1);
    uint32_t label = build_label(b, words);
    free(words);
    return label;
}

uint32_t *label_triangles(const gltf *g, const gltf_mesh *mesh, const gltf_skin *skin, build *b)
{
    uint32_t *labels = tool_alloc(mesh->triangle_count, sizeof *labels), count = skin ? skin->joint_count : 1;
    bone *bones = tool_alloc(count, sizeof *bones); /* without a skin: one that has no name */
    memset(bones, 0, count * sizeof *bones);
    uint32_t run = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        while (mesh->runs[run].end <= t)
            run++;
        uint32_t joint = skin ? strongest(mesh, mesh->corners + 3 * (size_t)t, bones) : 0;
        labels[t] = BW_NONE;
        if (joint == BW_NONE) /* weights that are not numbers */
            continue;
        if (bones[joint].run != run + 1) {
            bones[joint].run = run + 1;
            bones[joint].label =
                make_label(b, skin ? g->nodes[skin->joints[joint]].name : NULL, mesh->runs[run].material);
        }
        labels[t] = bones[joint].label;
    }
    free(bones);
    return labels;
}
