/* Functions for JavaScript beside those of the headers; the linker is told by name what to export. */
#ifndef BWX_DOOR_H
#define BWX_DOOR_H

#include <boxwood/boxwood.h>

/* native/core.c */
void *bwx_alloc(size_t size);
void bwx_free(void *block);
size_t bwx_allocated(void);
bw_result bwx_raycast_all(const bw_body *body, const bw_ray *ray, bw_ray_hit *hits, uint32_t capacity,
                          uint32_t *count, bw_fault *fault);
void bwx_rays(const double *rows, uint32_t width, uint32_t count, uint32_t between, bw_ray *out);
void bwx_column(const void *field, uint32_t stride, uint32_t n, uint32_t words, void *to);

/* native/motion.c */
bw_result bwx_timeline(const bw_moving *objects, uint32_t object_count, bw_timeline_desc *desc,
                       bw_timeline_event *events, uint32_t capacity, uint32_t *count,
                       bw_timeline_report *report, bw_fault *fault);

/* native/full.c */
typedef struct bwx_occluders bwx_occluders;
bwx_occluders *bwx_occluders_create(uint32_t boxes);
void bwx_occluders_destroy(bwx_occluders *all);
bool bwx_occluders_set(bwx_occluders *all, const bw_occluder *table, uint32_t count);
bw_result bwx_cull_create(bwx_occluders *all, bw_cull_desc *desc, bw_cull **out, bw_fault *fault);

/* A list that grows, of rows of one kind; all zero: empty. JavaScript frees the rows. */
typedef struct bwx_list {
    void *rows;
    uint32_t count, capacity;
    uint32_t failed; /* an allocation did: not all rows are there */
} bwx_list;
typedef struct bwx_object {
    bw_id id;
    uint32_t path;
} bwx_object;
typedef struct bwx_pair {
    bw_pair pair;
    bw_pair_path path;
} bwx_pair;
void bwx_list_objects(bw_scene_output *output, bwx_list *list);
void bwx_list_pairs(bw_pair_output *output, bwx_list *list);

bw_result bwx_tree_nodes(const bw_tree *tree, uint32_t most, bwx_list *list, bw_fault *fault);

bw_result bwx_user_tree(const bw_tree_desc *desc, const bw_box **boxes, uint32_t count, bw_tree **out,
                        bw_fault *fault);
bw_result bwx_collide_boxes(const bw_body *a, const bw_body *b, const bw_collide_desc *desc,
                            bw_collide_report *report, bw_fault *fault);

#endif
