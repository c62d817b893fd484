/* How deep things are in each other, frame by frame: of a closed surface, how far vertices of the other are
 * inside it; of open ones, how far triangles pierce each other. */
#include "body.h"
#include "progress.h"
#include "track.h"
#include "weld.h"

#include <boxwood/nearest.h>

#include <math.h>
#include <stdlib.h>

/* One of the two in a frame. */
typedef struct side {
    bw_motion motion; /* in the present piece */
    track_rest rest;
    bw_mesh mesh; /* at the frame */
    bw_tree *tree;
    bool closed;
} side;

/* ---- piercing ---- */

typedef struct gauge {
    const bw_mesh *a, *b;
    double depth;
} gauge;

/* How far a triangle reaches through the plane of another, on its lesser side. */
static double through(const bw_vec3 a[3], const bw_vec3 b[3])
{
    double ux = b[1].x - b[0].x, uy = b[1].y - b[0].y, uz = b[1].z - b[0].z;
    double vx = b[2].x - b[0].x, vy = b[2].y - b[0].y, vz = b[2].z - b[0].z;
    double n[3] = {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), low = INFINITY, high = -INFINITY;
    if (!(length > 0))
        return 0;
    for (int i = 0; i < 3; i++) {
        double d = (n[0] * (a[i].x - b[0].x) + n[1] * (a[i].y - b[0].y) + n[2] * (a[i].z - b[0].z)) / length;
        low = fmin(low, d);
        high = fmax(high, d);
    }
    return fmax(fmin(high, -low), 0);
}

static bool measure(void *user, const bw_hit *hit)
{
    gauge *g = user;
    bw_vec3 a[3], b[3];
    bw_mesh_corners(g->a, hit->a, a);
    bw_mesh_corners(g->b, hit->b, b);
    g->depth = fmax(g->depth, fmin(through(a, b), through(b, a)));
    return true;
}

/* ---- solids ---- */

static bool is_closed(const track_object *o)
{
    bw_mesh mesh = o->mesh;
    mesh.scalar = o->scalar;
    mesh.stride = 0;
    mesh.positions = o->frames[0];
    return weld_closed(&mesh);
}

typedef struct count {
    uint64_t crossed;
    bool unclear; /* the ray meets an edge or a corner */
} count;

static bool count_hit(void *user, const bw_ray_hit *hit)
{
    count *c = user;
    c->crossed++;
    c->unclear = hit->kind != BW_CONTACT_CROSSING;
    return !c->unclear;
}

/* By the parity of what a ray from the point crosses, which is decided exactly; a ray that meets an edge is
 * thrown away. A point for which all are is on the surface, or as good as. */
static bw_result is_inside(const bw_body *solid, bw_vec3 p, bool *out)
{
    static const double ways[6][3] = {{1, 0.37, 0.21},   {-0.43, 1, 0.29},  {0.31, -0.53, 1},
                                      {-1, -0.27, 0.59}, {0.61, -1, -0.33}, {-0.23, 0.71, -1}};
    *out = false;
    for (int k = 0; k < 6; k++) {
        count c = {0, false};
        const bw_ray ray = {.origin = p, .direction = {ways[k][0], ways[k][1], ways[k][2]}};
        const bw_raycast_desc desc = {.mode = BW_RAY_ALL, .on_hit = count_hit, .user = &c};
        bw_result result = bw_raycast(solid, &ray, &desc, NULL, NULL, NULL);
        if (result != BW_OK)
            return result;
        if (!c.unclear) {
            *out = c.crossed % 2 == 1;
            return BW_OK;
        }
    }
    return BW_OK;
}

static double at(const bw_mesh *mesh, size_t i)
{
    return mesh->scalar == BW_F64 ? ((const double *)mesh->positions)[i]
                                  : (double)((const float *)mesh->positions)[i];
}

/* The farthest that a vertex of one is from the surface of the other, of those inside it. */
static bw_result sink_into(const side *one, const side *solid, double *depth)
{
    bw_body whole = {.tree = solid->tree, .mesh = &solid->mesh};
    bw_box bounds = bw_tree_bounds(solid->tree);
    for (uint32_t v = 0; v < one->mesh.vertex_count; v++) {
        double x[3];
        bool near = true;
        for (size_t axis = 0; axis < 3; axis++) {
            x[axis] = at(&one->mesh, 3 * (size_t)v + axis);
            near = near && x[axis] >= (double)bounds.min[axis] && x[axis] <= (double)bounds.max[axis];
        }
        bw_vec3 p = {x[0], x[1], x[2]};
        bool inside = false;
        bw_result result = near ? is_inside(&whole, p, &inside) : BW_OK;
        bw_nearest_hit nearest;
        if (result == BW_OK && inside)
            result = bw_nearest(&whole, &p, NULL, &nearest, NULL, NULL);
        if (result != BW_OK)
            return result;
        if (inside)
            *depth = fmax(*depth, nearest.distance);
    }
    return BW_OK;
}

/* ---- frames ---- */

static void keep_deepest(track *t, const track_frame *frame)
{
    uint32_t at = t->deepest_count;
    for (uint32_t i = t->deepest_count; i-- > 0;)
        if (frame->depth > t->deepest[i].depth)
            at = i;
    if (at == TRACK_DEEPEST)
        return;
    t->deepest_count += t->deepest_count < TRACK_DEEPEST;
    for (uint32_t i = t->deepest_count - 1; i > at; i--)
        t->deepest[i] = t->deepest[i - 1];
    t->deepest[at] = *frame;
}

/* The positions and trees of a frame. */
static bw_result pose_side(side *s, double time)
{
    bw_result result = bw_motion_sample(&s->motion, time, (void *)s->mesh.positions, NULL);
    if (result != BW_OK || !s->closed)
        return result;
    return s->tree != NULL ? bw_tree_update(s->tree, &s->mesh, NULL, NULL, NULL)
                           : bw_tree_create(&(bw_tree_desc){.compact = true}, &s->mesh, &s->tree, NULL);
}

/* One frame of two objects in contact. */
static bw_result look(track *t, uint32_t i, uint32_t j, double time, bw_separation *s, side sides[2])
{
    gauge g = {&sides[0].mesh, i == j ? &sides[0].mesh : &sides[1].mesh, 0};
    bw_collide_report report = {0};
    double solid = 0;
    bw_result result = pose_side(&sides[0], time);
    if (result == BW_OK && i != j)
        result = pose_side(&sides[1], time);
    if (result == BW_OK)
        result = bw_separation_advance(s, time, NULL, NULL);
    if (result == BW_OK)
        result = bw_separation_collide(
            s, &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .on_hit = measure, .user = &g}, &report, NULL);
    for (int k = 0; k < 2 && i != j && result == BW_OK; k++)
        if (sides[k].closed)
            result = sink_into(&sides[1 - k], &sides[k], &solid);
    if (result == BW_OK && report.hit_count > 0)
        keep_deepest(t, &(track_frame){.time = time,
                                       .depth = solid > 0 ? solid : g.depth,
                                       .solid = solid > 0,
                                       .pairs = report.hit_count,
                                       .object_a = i,
                                       .object_b = j});
    return result;
}

static bool in_contact(const track *t, uint32_t i, uint32_t j, double time)
{
    for (size_t k = 0; k < t->contact_count; k++) {
        const track_contact *c = &t->contacts[k];
        if (c->object_a == i && c->object_b == j && time >= c->from && time <= c->to)
            return true;
    }
    return false;
}

/* The frames of two objects within a piece; a border belongs to what follows. */
static bw_result look_at_piece(track *t, uint32_t i, uint32_t j, const track_piece *piece, side sides[2])
{
    const track_object *objects[2] = {&t->objects[i], &t->objects[j]};
    for (int k = 0; k < 2; k++)
        sides[k].motion = track_motion(objects[k], piece, &sides[k].rest);
    const bw_moving a = {&objects[0]->mesh, &sides[0].motion}, b = {&objects[1]->mesh, &sides[1].motion};
    const bool last = piece == &t->pieces[t->piece_count - 1];
    bw_separation *s = NULL;
    bw_result result = BW_OK;
    const double frames = floor((t->end - t->begin) * t->fps + 1e-6);
    double k = fmax(0, floor((piece->from - t->begin) * t->fps - 1e-6));
    for (; k <= frames && result == BW_OK; k++) {
        double time = fmin(t->begin + k / t->fps, t->end);
        if (time > piece->to || (time == piece->to && !last))
            break;
        if (time < piece->from || !in_contact(t, i, j, time))
            continue;
        progress_step("looking for the deepest frames: %u and %u, %g s", i + 1, j + 1, time);
        if (s == NULL)
            result = bw_separation_create(NULL, &a, i == j ? NULL : &b, &s, NULL);
        if (result == BW_OK)
            result = look(t, i, j, time, s, sides);
    }
    bw_separation_destroy(s);
    return result;
}

static bool look_at_pair(track *t, uint32_t i, uint32_t j, const bool *closed, fault *why)
{
    const track_object *objects[2] = {&t->objects[i], &t->objects[j]};
    side sides[2];
    for (int k = 0; k < 2; k++) {
        sides[k] = (side){.mesh = objects[k]->mesh, .closed = i != j && closed[k == 0 ? i : j]};
        sides[k].mesh.scalar = objects[k]->scalar;
        sides[k].mesh.stride = 0;
        sides[k].mesh.positions = tool_alloc(3 * (size_t)objects[k]->model.vertex_count, sizeof(double));
    }
    bw_result result = BW_OK;
    for (uint32_t k = 0; k < t->piece_count && result == BW_OK; k++)
        result = look_at_piece(t, i, j, &t->pieces[k], sides);
    for (int k = 0; k < 2; k++) {
        free((void *)sides[k].mesh.positions);
        bw_tree_destroy(sides[k].tree);
    }
    return result == BW_OK || fault_set(why, "%s", bw_result_string(result));
}

bool track_deepest(track *t, fault *why)
{
    bool fine = true, *closed = tool_alloc(t->count, sizeof *closed);
    for (uint32_t i = 0; i < t->count; i++)
        closed[i] = t->contact_count > 0 && is_closed(&t->objects[i]);
    for (uint32_t i = 0; i < t->count && fine; i++)
        for (uint32_t j = t->self ? i : i + 1; j < t->count && fine; j++)
            fine = look_at_pair(t, i, j, closed, why);
    progress_end();
    free(closed);
    return fine;
}
