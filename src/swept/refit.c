/* The next step in the tree of the last: every leaf has its faces, vertices and edges already, only boxes
 * change. */
#include "swept/swept.h"

#include "base/tasks.h"

enum { LEAVES_A_TASK = 512 };

static void refit_leaves(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    bw_swept *s = context;
    (void)worker;
    for (uint32_t leaf = begin; leaf < end; leaf++) {
        const bw_swept_leaf *own = &s->leaves[leaf];
        bw_swept_group *group = &s->groups[own->first];
        bw_box whole = bw_swept_face_box(s, group->id[0]);
        for (uint32_t lane = 0; lane < own->face_count; lane++) {
            bw_box box = bw_swept_face_box(s, group->id[lane]);
            bw_swept_set_lane(group, lane, &box);
            whole = bw_box_union(&whole, &box);
        }
        const bw_wide_leaf *place = &s->tree.leaves[leaf];
        bw_wide_set_lane(&s->tree.nodes[place->parent], place->lane, &whole);
        group++;
        for (uint32_t i = 0; i < own->vertex_count; i++)
            bw_swept_set_lane(&group[i / BW_WIDTH], i % BW_WIDTH,
                              &s->boxes[group[i / BW_WIDTH].id[i % BW_WIDTH]]);
        group += BW_SWEPT_EIGHTS(own->vertex_count);
        for (uint32_t i = 0; i < own->edge_count; i++) {
            bw_box box = bw_swept_edge_box(s, group[i / BW_WIDTH].id[i % BW_WIDTH]);
            bw_swept_set_lane(&group[i / BW_WIDTH], i % BW_WIDTH, &box);
        }
    }
}

void bw_swept_refit(bw_swept *s, const bw_tasks *tasks)
{
    bw_parallel(tasks, refit_leaves, s, s->leaf_count, LEAVES_A_TASK);
    bw_wide_pull(&s->tree, tasks, BW_SIMD_AUTO);
}
