#include "objects.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void object_mesh(uint32_t number, bws_mesh *out)
{
    bw_result result = BW_OK;
    switch (number) {
    case 0:
        result = bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 9}, BW_F32, out);
        break;
    case 1:
        result = bws_torus(&(bws_torus_desc){.segments = 24, .sides = 12}, BW_F64, out);
        break;
    case 2:
        result = bws_pipes(&(bws_parts_desc){.triangles = 1500, .parts = 5}, BW_F32, out);
        break;
    case 3:
        result = bws_plates(&(bws_parts_desc){.triangles = 900, .parts = 6}, BW_F32, out);
        break;
    case 4:
        result = bws_soup(&(bws_soup_desc){.triangles = 300, .size = 0.2}, BW_F32, out);
        break;
    case 5:
        result = bws_spikes(&(bws_parts_desc){.triangles = 800, .parts = 12}, BW_F32, out);
        break;
    default:
        result = bws_car(&(bws_parts_desc){.triangles = 1500}, BW_F32, out);
        break;
    }
    assert_int_equal(result, BW_OK);
}

void object_make(object *o, uint32_t number, const bw_tree_desc *tree_desc, const bw_anytime_desc *desc)
{
    object_mesh(number, &o->mesh);
    o->view = bws_view(&o->mesh);
    assert_int_equal(bw_tree_create(tree_desc, &o->view, &o->tree, NULL), BW_OK);
    static const bw_anytime_desc few = {.tries = 64}; /* the usual number takes most of the time of a test */
    assert_int_equal(bw_anytime_create(desc != NULL ? desc : &few, o->tree, &o->view, &o->anytime, NULL),
                     BW_OK);
}

void object_free(object *o)
{
    bw_anytime_destroy(o->anytime);
    bw_tree_destroy(o->tree);
    bws_mesh_free(&o->mesh);
}

bool objects_meet(const object *a, const object *b, const bw_transform *pose_a, const bw_transform *pose_b)
{
    bw_collide_report report = {0};
    assert_int_equal(bw_collide(&(bw_body){a->tree, &a->view, pose_a}, &(bw_body){b->tree, &b->view, pose_b},
                                NULL, &report, NULL),
                     BW_OK);
    return report.hit_count > 0;
}
