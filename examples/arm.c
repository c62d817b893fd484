/* A robot arm in a room: does it collide along a path, does it come nearer than 2 cm, how far is it away?
 *
 * The arm has 8 links of 2048 triangles, the room, a table with 48 balls above it, 100,352. The room stands
 * still, so its tree is prepared once for a clearance, which tells at a look what is far away. Each of the 10
 * configurations of a path is a group of 8 pairs, a link and the room; one call answers for all of them. It
 * prints for each whether it collides, is near, or is free, and its distance.
 */
#include "common.h"

enum { LINKS = 8, STEPS = 10, BALLS = 48, PAIRS = STEPS * LINKS };

/* All that stands around, in one mesh. */
static float room_xyz[(BALLS + 1) * VERTICES][3];
static uint32_t room_indices[(BALLS + 1) * TRIANGLES][3];
static bw_mesh room_mesh = {.positions = room_xyz, .indices = room_indices[0]};

static void put(const shape *s, double x, double y, double z)
{
    uint32_t first = room_mesh.vertex_count;
    for (uint32_t v = 0; v < VERTICES; v++) {
        float *p = room_xyz[room_mesh.vertex_count++];
        p[0] = s->xyz[v][0] + (float)x, p[1] = s->xyz[v][1] + (float)y, p[2] = s->xyz[v][2] + (float)z;
    }
    for (uint32_t t = 0; t < TRIANGLES; t++, room_mesh.triangle_count++)
        for (int k = 0; k < 3; k++)
            room_indices[room_mesh.triangle_count][k] = first + s->indices[t][k];
}

static void make_room(void)
{
    static shape table, ball;
    make_sheet(&table, 2.0);
    put(&table, 0, 0, -0.2);
    make_ball(&ball, 0.08);
    for (int i = 0; i < BALLS; i++) { /* three circles of balls, one above the other */
        double angle = 6.283185 * (i % 16) / 16;
        put(&ball, 0.9 * cos(angle), 0.9 * sin(angle), 0.2 + 0.35 * (i / 16));
    }
}

/* Where the links are when each joint is turned by an angle: about the z axis, then about y, and so on. */
static void place_links(double angle, bw_transform *poses)
{
    for (int k = 0; k < LINKS; k++) {
        bw_vec3 axis = k % 2 == 0 ? (bw_vec3){0, 0, 1} : (bw_vec3){0, 1, 0};
        bw_transform joint =
            bw_transform_compose((bw_vec3){0, 0, k == 0 ? 0 : 0.16}, axis, angle, (bw_vec3){1, 1, 1});
        poses[k] = k == 0 ? joint : bw_transform_multiply(&poses[k - 1], &joint);
    }
}

int main(void)
{
    bw_fault fault;
    static shape link;
    make_ball(&link, 1.0);
    for (uint32_t v = 0; v < VERTICES; v++) /* long, and standing on its joint */
        link.xyz[v][0] *= 0.05f, link.xyz[v][1] *= 0.05f, link.xyz[v][2] = 0.09f * link.xyz[v][2] + 0.08f;
    make_room();
    bw_tree *link_tree = NULL, *room_tree = NULL;
    must(bw_tree_create(NULL, &link.mesh, &link_tree, &fault), &fault);
    must(bw_tree_create(NULL, &room_mesh, &room_tree, &fault), &fault);
    must(bw_tree_prepare_distances(room_tree, &room_mesh, NULL, &fault), &fault);
    must(bw_tree_prepare_clearance(room_tree, &room_mesh, 0, NULL, &fault), &fault);

    bw_transform poses[PAIRS];
    bw_body_pair pairs[PAIRS];
    for (int i = 0; i < STEPS; i++)
        place_links(0.095 * i, poses + i * LINKS);
    for (int i = 0; i < PAIRS; i++)
        pairs[i] = (bw_body_pair){{room_tree, &room_mesh, NULL}, {link_tree, &link.mesh, &poses[i]}};

    bw_collide_many_desc contacts = {.group_size = LINKS, .coherent = true};
    bw_collide_many_desc margin = {.group_size = LINKS, .coherent = true, .separation = 0.02};
    bw_distance_many_desc distances = {.group_size = LINKS, .coherent = true};
    bw_collide_answer hit[STEPS], near[STEPS];
    bw_distance_answer nearest[STEPS];
    must(bw_collide_many(pairs, PAIRS, &contacts, hit, NULL, &fault), &fault);
    must(bw_collide_many(pairs, PAIRS, &margin, near, NULL, &fault), &fault);
    must(bw_distance_many(pairs, PAIRS, &distances, nearest, NULL, &fault), &fault);
    for (int i = 0; i < STEPS; i++) {
        bw_result results[] = {hit[i].result, near[i].result, nearest[i].result};
        for (int k = 0; k < 3; k++) /* a group may fail alone */
            must(results[k], &(bw_fault){.result = results[k]});
        printf("step %d: %s, %.1f cm\n", i,
               hit[i].hit_count > 0    ? "collides"
               : near[i].hit_count > 0 ? "near"
                                       : "free",
               100 * nearest[i].distance);
    }
    bw_tree_destroy(link_tree);
    bw_tree_destroy(room_tree);
    return 0;
}
