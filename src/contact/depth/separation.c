/* Trying a translation: no two triangles may meet, and no piece be inside the other body. */
#include "contact/depth/separation.h"

#include "contact/inside/winding.h"
#include "contact/unit.h"
#include "mesh/view.h"

#include <math.h>

/* The bodies as they stand in the frame of a. */
typedef struct stance {
    bw_relative_pose relative;
    const bw_transform *map;
} stance;

static bw_result collide(bw_separation *s, const bw_part *a, const bw_part *b, const stance *at, int which,
                         bool *apart)
{
    const bw_body body_a = {a->tree, a->mesh, NULL}, body_b = {b->tree, b->mesh, at->map};
    const bw_collide_desc desc = {
        .mode = BW_COLLIDE_ANY, .witness = &s->witness[which], .allocator = &s->query->allocator};
    bw_collide_report report = {0};
    const bw_result result = bw_collide(&body_a, &body_b, &desc, &report, NULL);
    *apart = report.hit_count == 0;
    return result;
}

/* No piece of the part inside the other body, which is closed. */
static bw_result outside(const bw_separation *s, const bw_part *part, const bw_transform *map,
                         const bw_body *other, bool *apart)
{
    bw_metric_side side;
    bw_result result = bw_metric_prepare(other, &side);
    for (uint32_t i = 0; result == BW_OK && *apart && i < part->vertex_count; i++) {
        bw_vec3 p = bw_mesh_view_vertex(part->mesh, part->vertices[i]);
        if (map != NULL)
            p = bw_transform_point(map, p);
        int32_t winding = 0;
        bool on_surface;
        result = bw_winding_of_point(&side, p, &s->query->allocator, &winding, &on_surface);
        *apart = !on_surface && (winding & 1) == 0;
    }
    return result;
}

static bw_result try_there(bw_separation *s, const stance *at, bool *apart)
{
    const bw_immersion *immersion = &s->query->immersion;
    bw_result result = collide(s, &s->a, &s->b, at, 0, apart);
    if (result == BW_OK && *apart && s->inside_a.tree != NULL)
        result = collide(s, &s->inside_a, &s->whole_b, at, 1, apart);
    if (result == BW_OK && *apart && s->inside_b.tree != NULL)
        result = collide(s, &s->whole_a, &s->inside_b, at, 2, apart);
    const bw_body a = {s->whole_a.tree, s->whole_a.mesh, NULL},
                  b = {s->whole_b.tree, s->whole_b.mesh, at->map};
    if (result == BW_OK && *apart && immersion->a.closed)
        result = outside(s, &s->inside_b, at->map, &a, apart);
    if (result == BW_OK && *apart && immersion->b.closed)
        result = outside(s, &s->inside_a, NULL, &b, apart);
    return result;
}

bw_result bw_separation_try(bw_separation *s, bw_vec3 translation, bool *apart)
{
    *apart = false;
    if (s->trials == 0 || !bw_contact_query_goes_on(s->query))
        return BW_OK;
    s->trials--;
    const bw_contact_frame *frame = &s->query->frame;
    bw_transform pose = frame->b->pose == NULL ? bw_transform_identity() : *frame->b->pose;
    pose.m[0][3] += translation.x;
    pose.m[1][3] += translation.y;
    pose.m[2][3] += translation.z;
    const bw_body moved = {frame->b->tree, frame->b->mesh, &pose};
    stance at;
    bw_result result = bw_relative_pose_between(frame->a, &moved, &at.relative);
    at.map = &at.relative.map;
    if (result == BW_OK)
        result = try_there(s, &at, apart);
    if (result != BW_OK)
        *apart = false;
    return result == BW_ERROR_RANGE || result == BW_ERROR_NOT_FINITE ? BW_OK : result;
}

static double highest(const bw_part *part, bw_vec3 direction)
{
    double high = -INFINITY;
    for (uint32_t i = 0; i < part->point_count; i++)
        high = bw_larger(high, bw_vec3_dot(part->points[i], direction));
    return high;
}

double bw_separation_reach(const bw_separation *s, bw_vec3 direction)
{
    const bw_vec3 back = bw_vec3_scale(direction, -1.0);
    double reach = highest(&s->a, direction) + highest(&s->b, back);
    if (s->inside_a.tree != NULL)
        reach = bw_larger(reach, highest(&s->inside_a, direction) + highest(&s->whole_b, back));
    if (s->inside_b.tree != NULL)
        reach = bw_larger(reach, highest(&s->whole_a, direction) + highest(&s->inside_b, back));
    return reach;
}
