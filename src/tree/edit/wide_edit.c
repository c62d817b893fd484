/* Insertion and removal of primitives in wide trees: the entry points and their checks. */
#include "tree/edit/wide_edit.h"

#include "mesh/defect.h"
#include "mesh/view.h"
#include "tree/edit/edit.h"
#include "tree/edit/reserve.h"

static const bw_wide_desc defaults = {0};

/* Beyond this an edit one by one is slower than a rebuild. */
static bool is_bulk(const bw_wide *wide, uint32_t count)
{
    return count > 64 && count > wide->primitive_count / 4;
}

/* Whether none of the list is in the tree, nor twice in the list: entries of the map of slots are marked
 * meanwhile, so that a second mention shows. */
static bool all_new(bw_wide *wide, const uint32_t *primitives, uint32_t count)
{
    uint32_t marked = 0;
    while (marked < count && wide->slot_of[primitives[marked]] == BW_NONE)
        wide->slot_of[primitives[marked++]] = BW_SLOT_MARK;
    for (uint32_t i = 0; i < marked; i++)
        wide->slot_of[primitives[i]] = BW_NONE;
    return marked == count;
}

static void unmark(bw_wide *wide, const uint32_t *primitives, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        wide->slot_of[primitives[i]] &= ~BW_SLOT_MARK;
}

/* Marks all of the list, or nothing and returns false: one is not in the tree, or named twice. */
static bool mark_all(bw_wide *wide, const uint32_t *primitives, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (primitives[i] >= wide->slot_of_count || (wide->slot_of[primitives[i]] & BW_SLOT_MARK) != 0) {
            unmark(wide, primitives, i);
            return false;
        }
        wide->slot_of[primitives[i]] |= BW_SLOT_MARK;
    }
    return true;
}

/* Over the primitives in leaves but for those that are marked, then `more` of a list. */
static bw_result rebuild(bw_wide *wide, const bw_mesh *mesh, uint32_t marked, const uint32_t *added,
                         uint32_t more, const bw_wide_desc *desc)
{
    const bw_allocator allocator = wide->allocator;
    const uint64_t total = (uint64_t)wide->primitive_count - marked + more;
    if (total > 1u << 30)
        return BW_ERROR_SIZE;
    uint32_t *ids = bw_allocate(&allocator, total, sizeof *ids), at = 0;
    if (ids == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t leaf = 0; leaf < wide->leaf_count; leaf++)
        for (uint32_t i = 0; i < wide->leaves[leaf].count; i++) {
            uint32_t primitive = wide->primitives[(size_t)leaf * BW_WIDTH + i];
            if ((wide->slot_of[primitive] & BW_SLOT_MARK) == 0)
                ids[at++] = primitive;
        }
    for (uint32_t i = 0; i < more; i++)
        ids[at++] = added[i];
    bw_result result = bw_wide_rebuild_over(wide, mesh, ids, (uint32_t)total, desc);
    bw_release(&allocator, ids, total, sizeof *ids);
    return result;
}

/* One by one; there is room. */
static void edit_all(bw_wide *wide, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                     const bw_wide_desc *desc, void (*edit_one)(const bw_wide_editor *, uint32_t))
{
    const bw_wide_editor e = {wide, mesh, bw_simd_level(desc->simd)};
    bw_wide_drop_map(wide);
    bw_wide_drop_obbs(wide);
    for (uint32_t i = 0; i < count; i++)
        edit_one(&e, primitives[i]);
    bw_wide_mend_edits(wide, mesh, desc, &(bw_update_report){0});
}

static bw_result check_primitives(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (primitives[i] >= bw_mesh_view_primitives(mesh))
            return BW_ERROR_INDEX;
        bw_defect_place place;
        bw_defect defect = bw_mesh_defect_of(mesh, primitives[i], BW_DEFECTS_FATAL, &place);
        if (defect != BW_DEFECT_NONE)
            return bw_defect_result(defect);
    }
    return BW_OK;
}

bw_result bw_wide_insert(bw_wide *wide, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                         const bw_wide_desc *desc)
{
    if (count == 0)
        return BW_OK;
    desc = desc == NULL ? &defaults : desc;
    bw_result result = check_primitives(mesh, primitives, count);
    const bool bulk = is_bulk(wide, count);
    if (result == BW_OK)
        result = bulk ? bw_wide_make_room(wide, 0, 0, 0, bw_mesh_view_primitives(mesh))
                      : bw_wide_make_room(wide, count * BW_EDIT_NODES, count * BW_EDIT_LEAVES,
                                          (uint64_t)count * BW_EDIT_VERTICES, bw_mesh_view_primitives(mesh));
    if (result != BW_OK)
        return result;
    if (!all_new(wide, primitives, count))
        return BW_ERROR_ARGUMENT;
    if (bulk)
        return rebuild(wide, mesh, 0, primitives, count, desc);
    edit_all(wide, mesh, primitives, count, desc, bw_wide_insert_one);
    return BW_OK;
}

bw_result bw_wide_remove(bw_wide *wide, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                         const bw_wide_desc *desc)
{
    if (count == 0)
        return BW_OK;
    desc = desc == NULL ? &defaults : desc;
    const bool bulk = is_bulk(wide, count) && count < wide->primitive_count;
    bw_result result = bw_wide_make_room(wide, 0, 0, bulk ? 0 : (uint64_t)count * BW_EDIT_VERTICES,
                                         bw_mesh_view_primitives(mesh));
    if (result != BW_OK)
        return result;
    if (!mark_all(wide, primitives, count))
        return BW_ERROR_ARGUMENT;
    if (bulk) {
        result = rebuild(wide, mesh, count, NULL, 0, desc);
        if (result != BW_OK)
            unmark(wide, primitives, count);
        return result;
    }
    unmark(wide, primitives, count);
    edit_all(wide, mesh, primitives, count, desc, bw_wide_remove_one);
    return BW_OK;
}
