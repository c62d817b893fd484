/* Poses of nodes, skins and morph targets of an imported scene at a time. */
#include "io/assimp_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bw_transform assimp_transform(const struct aiMatrix4x4 *m)
{
    return (bw_transform){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                           {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                           {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

static uint32_t count_nodes(const struct aiNode *node)
{
    uint32_t count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        count += count_nodes(node->mChildren[i]);
    return count;
}

static void add_nodes(rig *r, const struct aiNode *node, uint32_t above)
{
    uint32_t own = r->count++;
    r->nodes[own] = (rig_node){.node = node, .above = above};
    for (unsigned i = 0; i < node->mNumChildren; i++)
        add_nodes(r, node->mChildren[i], own);
}

/* Sorted by name, then by place, so that of equal names the first counts. qsort has no context: pointers into
 * the array of nodes carry both. */
static int compare_names(const void *a, const void *b)
{
    const rig_node *p = *(rig_node *const *)a, *q = *(rig_node *const *)b;
    int order = strcmp(p->node->mName.data, q->node->mName.data);
    return order != 0 ? order : (p > q) - (p < q);
}

static void sort_names(rig *r)
{
    rig_node **sorted = tool_alloc(r->count, sizeof *sorted);
    for (uint32_t i = 0; i < r->count; i++)
        sorted[i] = &r->nodes[i];
    qsort(sorted, r->count, sizeof *sorted, compare_names);
    r->by_name = tool_alloc(r->count, sizeof *r->by_name);
    for (uint32_t i = 0; i < r->count; i++)
        r->by_name[i] = (uint32_t)(sorted[i] - r->nodes);
    free(sorted);
}

static rig_node *find_node(const rig *r, const char *name)
{
    uint32_t low = 0, high = r->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(r->nodes[r->by_name[middle]].node->mName.data, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    rig_node *found = low < r->count ? &r->nodes[r->by_name[low]] : NULL;
    return found && strcmp(found->node->mName.data, name) == 0 ? found : NULL;
}

/* A channel of morph weights names a node, or in some formats a mesh, with "*0" and the like behind its name.
 */
static bool names_mesh_of(const char *name, const rig_node *node, const struct aiScene *scene)
{
    for (unsigned i = 0; i < node->node->mNumMeshes; i++) {
        const char *mesh = scene->mMeshes[node->node->mMeshes[i]]->mName.data;
        size_t length = strlen(mesh);
        if (length > 0 && strncmp(name, mesh, length) == 0 && (name[length] == 0 || name[length] == '*'))
            return true;
    }
    return false;
}

static void add_morph(rig *r, const struct aiMeshMorphAnim *morph)
{
    bool used = false;
    rig_node *named = find_node(r, morph->mName.data);
    if (named && named->node->mNumMeshes > 0) {
        named->morph = morph;
        used = true;
    }
    for (uint32_t i = 0; i < r->count && !used; i++)
        if (names_mesh_of(morph->mName.data, &r->nodes[i], r->scene)) {
            r->nodes[i].morph = morph;
            used = true;
        }
    r->strange_channels += !used;
}

rig rig_create(const struct aiScene *scene)
{
    rig r = {.scene = scene};
    if (scene->mRootNode) {
        r.nodes = tool_alloc(count_nodes(scene->mRootNode), sizeof *r.nodes);
        add_nodes(&r, scene->mRootNode, BW_NONE);
        sort_names(&r);
    }
    size_t largest = 0;
    r.bones = tool_alloc(scene->mNumMeshes, sizeof *r.bones);
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh *mesh = scene->mMeshes[i];
        largest = mesh->mNumVertices > largest ? mesh->mNumVertices : largest;
        r.bones[i] = tool_alloc(mesh->mNumBones, sizeof **r.bones);
        for (unsigned b = 0; b < mesh->mNumBones; b++) {
            const rig_node *node = find_node(&r, mesh->mBones[b]->mName.data);
            r.bones[i][b] = node ? (uint32_t)(node - r.nodes) : BW_NONE;
        }
    }
    r.sum = tool_alloc(largest, 3 * sizeof *r.sum);
    r.weight = tool_alloc(largest, sizeof *r.weight);
    return r;
}

void rig_play(rig *r, const struct aiAnimation *animation)
{
    r->strange_channels = animation ? animation->mNumMeshChannels : 0;
    for (uint32_t i = 0; i < r->count; i++) {
        r->nodes[i].channel = NULL;
        r->nodes[i].morph = NULL;
    }
    for (unsigned i = 0; animation && i < animation->mNumChannels; i++) {
        rig_node *node = find_node(r, animation->mChannels[i]->mNodeName.data);
        if (node)
            node->channel = animation->mChannels[i];
        else
            r->strange_channels++;
    }
    for (unsigned i = 0; animation && i < animation->mNumMorphMeshChannels; i++)
        add_morph(r, animation->mMorphMeshChannels[i]);
}

/* A time among keys; see rig_pose. */
typedef struct moment {
    double time;
    bool before;
    bool step; /* nothing is between keys */
} moment;

/* Where it stands among keys: between the returned one and the next by the fraction. Every kind of key begins
 * with its time. */
static unsigned find_key(const void *keys, unsigned count, size_t size, moment t, double *fraction)
{
#define KEY_TIME(i) (*(const double *)((const char *)keys + (size_t)(i)*size))
    unsigned passed = 0, high = count; /* how many keys the time has passed */
    while (passed < high) {
        unsigned middle = passed + (high - passed) / 2;
        if (t.before ? KEY_TIME(middle) < t.time : KEY_TIME(middle) <= t.time)
            passed = middle + 1;
        else
            high = middle;
    }
    *fraction = 0;
    if (passed == 0 || passed == count || t.step)
        return passed == 0 ? 0 : passed - 1;
    *fraction = (t.time - KEY_TIME(passed - 1)) / (KEY_TIME(passed) - KEY_TIME(passed - 1));
    return passed - 1;
#undef KEY_TIME
}

static bw_vec3 vector_at(const struct aiVectorKey *keys, unsigned count, moment t, double otherwise)
{
    if (count == 0)
        return (bw_vec3){otherwise, otherwise, otherwise};
    double s;
    unsigned i = find_key(keys, count, sizeof *keys, t, &s);
    const struct aiVector3D *a = &keys[i].mValue, *b = &keys[s > 0 ? i + 1 : i].mValue;
    return (bw_vec3){(1 - s) * (double)a->x + s * (double)b->x, (1 - s) * (double)a->y + s * (double)b->y,
                     (1 - s) * (double)a->z + s * (double)b->z};
}

/* The shorter way from one rotation to the next, at an even speed. */
static void rotation_at(const struct aiQuatKey *keys, unsigned count, moment t, double q[4])
{
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
    if (count == 0)
        return;
    double s, dot = 0, length = 0;
    unsigned i = find_key(keys, count, sizeof *keys, t, &s);
    const struct aiQuaternion *a = &keys[i].mValue, *b = &keys[s > 0 ? i + 1 : i].mValue;
    const double p[4] = {(double)a->w, (double)a->x, (double)a->y, (double)a->z};
    const double r[4] = {(double)b->w, (double)b->x, (double)b->y, (double)b->z};
    for (int k = 0; k < 4; k++)
        dot += p[k] * r[k];
    double cosine = fabs(dot), from = 1 - s, to = s;
    if (cosine < 0.9999) { /* nearer, the chord is the arc to seven digits, and the sine drowns */
        double angle = acos(cosine);
        from = sin((1 - s) * angle) / sin(angle);
        to = sin(s * angle) / sin(angle);
    }
    for (int k = 0; k < 4; k++) {
        q[k] = from * p[k] + (dot < 0 ? -to : to) * r[k];
        length += q[k] * q[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 4 && length > 0; k++)
        q[k] /= length;
}

static bw_transform channel_at(const struct aiNodeAnim *channel, moment at)
{
    double q[4];
    rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, at, q);
    bw_vec3 t = vector_at(channel->mPositionKeys, channel->mNumPositionKeys, at, 0);
    bw_vec3 s = vector_at(channel->mScalingKeys, channel->mNumScalingKeys, at, 1);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    return (bw_transform){
        {{(1 - 2 * (y * y + z * z)) * s.x, 2 * (x * y - w * z) * s.y, 2 * (x * z + w * y) * s.z, t.x},
         {2 * (x * y + w * z) * s.x, (1 - 2 * (x * x + z * z)) * s.y, 2 * (y * z - w * x) * s.z, t.y},
         {2 * (x * z - w * y) * s.x, 2 * (y * z + w * x) * s.y, (1 - 2 * (x * x + y * y)) * s.z, t.z}}};
}

void rig_pose(rig *r, double time, bool before)
{
    const moment t = {time, before, r->step};
    for (uint32_t i = 0; i < r->count; i++) {
        rig_node *n = &r->nodes[i];
        bw_transform own =
            n->channel ? channel_at(n->channel, t) : assimp_transform(&n->node->mTransformation);
        n->pose = n->above == BW_NONE ? own : bw_transform_multiply(&r->nodes[n->above].pose, &own);
    }
}

static void add_target(const struct aiMesh *mesh, unsigned target, double weight, double *out)
{
    if (target >= mesh->mNumAnimMeshes || weight == 0)
        return;
    const struct aiAnimMesh *to = mesh->mAnimMeshes[target];
    for (unsigned v = 0; to->mVertices && v < mesh->mNumVertices && v < to->mNumVertices; v++) {
        const struct aiVector3D *a = &mesh->mVertices[v], *b = &to->mVertices[v];
        out[3 * (size_t)v] += weight * ((double)b->x - (double)a->x);
        out[3 * (size_t)v + 1] += weight * ((double)b->y - (double)a->y);
        out[3 * (size_t)v + 2] += weight * ((double)b->z - (double)a->z);
    }
}

static void add_key(const struct aiMesh *mesh, const struct aiMeshMorphKey *key, double part, double *out)
{
    for (unsigned k = 0; k < key->mNumValuesAndWeights; k++)
        add_target(mesh, key->mValues[k], part * key->mWeights[k], out);
}

static void morph(const struct aiMesh *mesh, const struct aiMeshMorphAnim *channel, moment t, double *out)
{
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const struct aiVector3D *p = &mesh->mVertices[v];
        out[3 * (size_t)v] = (double)p->x;
        out[3 * (size_t)v + 1] = (double)p->y;
        out[3 * (size_t)v + 2] = (double)p->z;
    }
    if (channel && channel->mNumKeys > 0) {
        double s;
        unsigned i = find_key(channel->mKeys, channel->mNumKeys, sizeof *channel->mKeys, t, &s);
        add_key(mesh, &channel->mKeys[i], 1 - s, out);
        if (s > 0)
            add_key(mesh, &channel->mKeys[i + 1], s, out);
        return;
    }
    for (unsigned k = 0; k < mesh->mNumAnimMeshes; k++)
        add_target(mesh, k, (double)mesh->mAnimMeshes[k]->mWeight, out);
}

/* Every bone says where it takes a vertex that is bound to it; a vertex goes to the weighted mean. */
static void skin(rig *r, unsigned number, const double *morphed)
{
    const struct aiMesh *mesh = r->scene->mMeshes[number];
    memset(r->sum, 0, 3 * sizeof *r->sum * mesh->mNumVertices);
    memset(r->weight, 0, sizeof *r->weight * mesh->mNumVertices);
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        if (r->bones[number][b] == BW_NONE)
            continue;
        bw_transform offset = assimp_transform(&bone->mOffsetMatrix);
        bw_transform pose = bw_transform_multiply(&r->nodes[r->bones[number][b]].pose, &offset);
        for (unsigned k = 0; k < bone->mNumWeights; k++) {
            size_t v = bone->mWeights[k].mVertexId;
            double weight = (double)bone->mWeights[k].mWeight;
            if (v >= mesh->mNumVertices)
                continue;
            bw_vec3 p =
                bw_transform_point(&pose, (bw_vec3){morphed[3 * v], morphed[3 * v + 1], morphed[3 * v + 2]});
            r->sum[3 * v] += weight * p.x;
            r->sum[3 * v + 1] += weight * p.y;
            r->sum[3 * v + 2] += weight * p.z;
            r->weight[v] += weight;
        }
    }
}

static void mesh_vertices(rig *r, const rig_node *node, unsigned number, moment t, double *out)
{
    const struct aiMesh *mesh = r->scene->mMeshes[number];
    morph(mesh, node->morph, t, out);
    skin(r, number, out);
    for (size_t v = 0; v < mesh->mNumVertices; v++) {
        double *q = out + 3 * v, weight = r->weight[v];
        if (weight > 0) { /* skinned: the node that holds the mesh does not matter */
            for (int k = 0; k < 3; k++)
                q[k] = r->sum[3 * v + (size_t)k] / weight;
        } else {
            bw_vec3 p = bw_transform_point(&node->pose, (bw_vec3){q[0], q[1], q[2]});
            q[0] = p.x;
            q[1] = p.y;
            q[2] = p.z;
        }
    }
}

uint32_t rig_vertex_count(const rig *r, uint32_t node)
{
    const struct aiNode *n = r->nodes[node].node;
    uint32_t count = 0;
    for (unsigned i = 0; i < n->mNumMeshes; i++)
        count += r->scene->mMeshes[n->mMeshes[i]]->mNumVertices;
    return count;
}

void rig_vertices(rig *r, uint32_t node, double time, bool before, double *out)
{
    const struct aiNode *n = r->nodes[node].node;
    for (unsigned i = 0; i < n->mNumMeshes; i++) {
        mesh_vertices(r, &r->nodes[node], n->mMeshes[i], (moment){time, before, r->step}, out);
        out += 3 * (size_t)r->scene->mMeshes[n->mMeshes[i]]->mNumVertices;
    }
}
