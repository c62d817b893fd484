/* Primitives that come and go at run time: the tree is edited one by one, and what the method keeps of it is
 * mended around each edit or made again when it is next used; where many have come and gone the tree is
 * rebuilt. Room is made first, so that nothing can fail half way. */
#include "base/fault.h"
#include "kinetic/kinetic.h"

#include "kinetic/kind.h"
#include "mesh/view.h"
#include "motion/validate.h"
#include "tree/edit/edit.h"
#include "tree/edit/reserve.h"
#include "tree/kind.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"

#include <string.h>

static bool same_span(const bw_motion *a, const bw_motion *b)
{
    if (a->kind != b->kind || a->scalar != b->scalar)
        return false;
    if (a->kind != BW_MOTION_KEYFRAMES)
        return a->begin == b->begin && a->end == b->end;
    bool same = a->frame_count == b->frame_count;
    for (uint32_t i = 0; same && i < a->frame_count; i++)
        same = a->times[i] == b->times[i];
    return same;
}

/* Whether what the tree knows may be the first part of these. */
static bw_result check_grown(const bw_kinetic *k, const bw_mesh *mesh, const bw_motion *motion,
                             bw_fault *where)
{
    bw_result result = bw_motion_validate_from(motion, k->mesh.vertex_count, where);
    if (result != BW_OK)
        return result;
    if (!same_span(motion, &k->flight.motion) || motion->vertex_count < k->mesh.vertex_count ||
        mesh->vertex_count != motion->vertex_count || (mesh->indices == NULL) != (k->mesh.indices == NULL) ||
        bw_mesh_view_primitives(mesh) < bw_mesh_view_primitives(&k->mesh))
        return BW_ERROR_MISMATCH;
    return bw_mesh_view_primitives(mesh) > BW_MAX_PRIMITIVES ? BW_ERROR_SIZE : BW_OK;
}

/* The fault's element is the place in the list. */
static bw_result check_primitives(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                                  bw_fault *where)
{
    for (uint32_t i = 0; i < count; i++) {
        where->element = i;
        if (primitives[i] >= bw_mesh_view_primitives(mesh))
            return BW_ERROR_INDEX;
        for (uint32_t corner = 0; corner < 3; corner++)
            if (bw_mesh_view_index(mesh, primitives[i], corner) >= mesh->vertex_count)
                return BW_ERROR_INDEX;
    }
    where->element = BW_NONE;
    return BW_OK;
}

/* Whether all of the list are in the tree (or none is), and none comes twice: entries of the map of slots are
 * marked for the while of the look. */
static bool distinct(bw_wide *wide, const uint32_t *primitives, uint32_t count, bool in_tree)
{
    uint32_t marked = 0;
    for (; marked < count; marked++) {
        uint32_t *slot = &wide->slot_of[primitives[marked]];
        /* An absent one has all bits set, the mark included: it is taken away instead. */
        if (in_tree ? (*slot & BW_SLOT_MARK) != 0 : *slot != BW_NONE)
            break;
        *slot ^= BW_SLOT_MARK;
    }
    for (uint32_t i = 0; i < marked; i++)
        wide->slot_of[primitives[i]] ^= BW_SLOT_MARK;
    return marked == count;
}

static bw_result grow_positions(bw_kinetic *k, uint32_t vertices)
{
    if (vertices <= k->positions_room)
        return BW_OK;
    uint64_t room = (uint64_t)k->positions_room + k->positions_room / 2;
    room = room < vertices ? vertices : room > UINT32_MAX ? UINT32_MAX : room;
    size_t size = bw_mesh_view_scalar_size(&k->mesh);
    void *positions = bw_allocate(&k->allocator, 3 * (size_t)room, size);
    if (positions == NULL)
        return BW_ERROR_MEMORY;
    memcpy(positions, k->positions, 3 * (size_t)k->mesh.vertex_count * size);
    bw_release(&k->allocator, k->positions, 3 * (size_t)k->positions_room, size);
    k->mesh.positions = k->positions = positions;
    k->positions_room = (uint32_t)room;
    return BW_OK;
}

static void sample_new(bw_kinetic *k, uint32_t first)
{
    for (uint32_t v = first; v < k->mesh.vertex_count; v++)
        for (int axis = 0; axis < 3; axis++) {
            size_t i = 3 * (size_t)v + (size_t)axis;
            double x = bw_flight_at(&k->flight, v, axis, k->now);
            if (k->mesh.scalar == BW_F64)
                ((double *)k->positions)[i] = x;
            else
                ((float *)k->positions)[i] = (float)x;
        }
}

/* A tree over the primitives that are in the old one; false where memory is short. */
static bool build_again(const bw_kinetic *k, bw_wide *out)
{
    const bw_wide *old = &k->tree->wide;
    uint32_t count = old->primitive_count, at = 0;
    uint32_t *ids = bw_allocate(&k->allocator, count, sizeof *ids);
    bw_box *boxes = bw_allocate(&k->allocator, count, sizeof *boxes);
    bool good = ids != NULL && boxes != NULL;
    if (good) {
        for (uint32_t leaf = 0; leaf < old->leaf_count; leaf++)
            for (uint32_t i = 0; i < old->leaves[leaf].count; i++)
                ids[at++] = old->primitives[(size_t)leaf * BW_WIDTH + i];
        bw_wide_boxes(&k->mesh, ids, count, boxes, NULL);
        bw_wide_desc desc = bw_tree_wide_desc(k->tree, NULL, NULL);
        good = bw_wide_build(&desc, boxes, ids, count, out) == BW_OK;
        if (good && bw_wide_fill_vertices(out, &k->mesh, NULL) != BW_OK) {
            bw_wide_release(out);
            good = false;
        }
    }
    bw_release(&k->allocator, ids, count, sizeof *ids);
    bw_release(&k->allocator, boxes, count, sizeof *boxes);
    return good;
}

/* Once there was an edit for every second primitive the tree is rebuilt, so that its boxes stay small and
 * holes few. Without memory for that it stays as it is, which is valid, and the next edit tries again. */
static void rebuild(bw_kinetic *k)
{
    const bw_kinetic_kind *kind = bw_kind_of(k);
    bw_wide *wide = &k->tree->wide, fresh;
    if (wide->primitive_count == 0 || wide->edits < 16 || wide->edits < wide->primitive_count / 2 ||
        !build_again(k, &fresh))
        return;
    if (kind->reserve != NULL && kind->reserve(k, fresh.node_count) != BW_OK) {
        bw_wide_release(&fresh);
        return;
    }
    bw_wide_release(wide);
    *wide = fresh;
    bw_wide_mark_built(wide, NULL);
    if (kind->reserve != NULL)
        kind->start(k, k->now, &(bw_kinetic_report){0});
}

/* One by one, as the method does it (NULL: as the tree does alone), and what follows the last. */
static void edit_all(bw_kinetic *k, const uint32_t *primitives, uint32_t count,
                     void (*mend)(bw_kinetic *, const bw_wide_editor *, uint32_t),
                     void (*edit)(const bw_wide_editor *, uint32_t))
{
    const bw_wide_editor editor = {&k->tree->wide, &k->mesh, k->simd};
    bw_wide_drop_map(&k->tree->wide);
    for (uint32_t i = 0; i < count; i++)
        if (mend != NULL)
            mend(k, &editor, primitives[i]);
        else
            edit(&editor, primitives[i]);
    rebuild(k);
    if (bw_kind_of(k)->create != NULL && bw_kind_of(k)->insert == NULL) {
        bw_kinetic_drop_method(k);
        k->missing = true;
    }
    bw_vertex_leaves_drop(&k->reach, &k->allocator); /* of leaves that may be no more */
    k->edition++;
    bw_wide_changed(&k->tree->wide);
    bw_kinetic_changed(k);
    k->tree->edits++;
    k->tree->edited = true;
    k->tree->mesh_primitives = bw_mesh_view_primitives(&k->mesh);
    k->tree->mesh_vertices = k->mesh.vertex_count;
    k->tree->primitives = k->tree->wide.primitive_count;
}

/* The tree is to be edited with boxes that hold for now. */
static bw_result prepare(bw_kinetic *k, uint32_t nodes, uint32_t leaves, uint64_t lists, uint32_t primitives)
{
    bw_result result = bw_wide_make_room(&k->tree->wide, nodes, leaves, lists, primitives);
    uint64_t total = (uint64_t)k->tree->wide.node_count + nodes;
    if (result == BW_OK && total > UINT32_MAX)
        result = BW_ERROR_SIZE;
    if (result == BW_OK && bw_kind_of(k)->reserve != NULL)
        result = bw_kind_of(k)->reserve(k, (uint32_t)total);
    if (result == BW_OK && k->policy.on)
        result = bw_policy_grow(k, (uint32_t)total);
    if (result == BW_OK && !(k->missing && k->boxes_fresh)) /* an edit before left them so */
        result = bw_kinetic_fit(k);
    if (result == BW_OK) {
        bw_deferred_end(k);
        bw_kinetic_own_positions(k);
    }
    return result;
}

bw_result bw_kinetic_insert(bw_kinetic *k, const bw_mesh *mesh, const bw_motion *motion,
                            const uint32_t *primitives, uint32_t count, bw_fault *fault)
{
    if (k == NULL || (primitives == NULL && count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    mesh = mesh == NULL ? &k->mesh : mesh;
    motion = motion == NULL ? &k->flight.motion : motion;
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = check_grown(k, mesh, motion, &where);
    if (result == BW_OK)
        result = check_primitives(mesh, primitives, count, &where);
    if (result == BW_OK)
        result = grow_positions(k, mesh->vertex_count);
    if (result == BW_OK)
        result = bw_flight_grow(&k->flight, mesh->vertex_count);
    if (result == BW_OK)
        result = prepare(k, count, count, (uint64_t)count * BW_EDIT_VERTICES, bw_mesh_view_primitives(mesh));
    if (result == BW_OK && !distinct(&k->tree->wide, primitives, count, false))
        result = BW_ERROR_ARGUMENT;
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    uint32_t known = k->mesh.vertex_count;
    k->flight.motion = *motion;
    k->mesh.vertex_count = mesh->vertex_count;
    k->mesh.triangle_count = mesh->triangle_count;
    k->mesh.indices = mesh->indices;
    sample_new(k, known);
    if (k->mesh.vertex_count > known) /* whose curves and places nobody knows yet */
        k->pieces = bw_pieces_of(&k->flight.motion, &k->tree->wide, k->least_pieces);
    edit_all(k, primitives, count, bw_kind_of(k)->insert, bw_wide_insert_one);
    return bw_fail(fault, BW_OK);
}

bw_result bw_kinetic_remove(bw_kinetic *k, const uint32_t *primitives, uint32_t count, bw_fault *fault)
{
    if (k == NULL || (primitives == NULL && count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = check_primitives(&k->mesh, primitives, count, &where);
    if (result == BW_OK)
        result = prepare(k, 0, 0, (uint64_t)count * BW_EDIT_VERTICES, bw_mesh_view_primitives(&k->mesh));
    if (result == BW_OK && !distinct(&k->tree->wide, primitives, count, true))
        result = BW_ERROR_ARGUMENT;
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    edit_all(k, primitives, count, bw_kind_of(k)->remove, bw_wide_remove_one);
    return bw_fail(fault, BW_OK);
}
