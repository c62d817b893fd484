/* Bodies for the tests of budgeted queries. */
#ifndef TEST_ANYTIME_OBJECTS_H
#define TEST_ANYTIME_OBJECTS_H

#include "scenes/scenes.h"

#include <boxwood/anytime_train.h>

typedef struct object {
    bws_mesh mesh;
    bw_mesh view;
    bw_tree *tree;
    bw_anytime *anytime;
} object;

enum { OBJECTS = 7 };

/* Number 0 to OBJECTS - 1: unlike each other, of some hundred primitives. */
void object_mesh(uint32_t number, bws_mesh *out);
/* tree_desc and desc may be NULL. The object must not move: its view points into it. */
void object_make(object *o, uint32_t number, const bw_tree_desc *tree_desc, const bw_anytime_desc *desc);
void object_free(object *o);
static inline bw_anytime_body object_body(const object *o, const bw_transform *pose)
{
    return (bw_anytime_body){o->anytime, &o->view, pose};
}
/* The exact answer, by bw_collide. */
bool objects_meet(const object *a, const object *b, const bw_transform *pose_a, const bw_transform *pose_b);

#endif
