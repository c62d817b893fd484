/* A cloth that deforms against a body that does not, frame by frame: update the tree of the cloth, collide,
 * and answer the contacts.
 *
 * The cloth falls from z = 1.31 by 0.02 in a frame onto a ball of radius 1; vertices of triangles that touch
 * the ball stop, the others fall on (a toy in place of a solver). The first contact comes in frame 16, the
 * first with the cloth below z = 1; from there on ever more vertices hold. The program prints some frames.
 */
#include "common.h"

static shape cloth, ball;
static bool held[VERTICES];

/* Called for each contact: a is a triangle of the cloth. True: go on. */
static bool hold(void *user, const bw_hit *hit)
{
    (void)user;
    for (int corner = 0; corner < 3; corner++)
        held[cloth.indices[hit->a][corner]] = true;
    return true;
}

int main(void)
{
    bw_fault fault;
    make_sheet(&cloth, 1.2);
    for (uint32_t v = 0; v < VERTICES; v++)
        cloth.xyz[v][2] = 1.31f;
    make_ball(&ball, 1);

    bw_tree *cloth_tree = NULL, *ball_tree = NULL;
    bw_tree_desc deforming = {.deforms = true}; /* the form that is fastest to update and query in turn */
    must(bw_tree_create(&deforming, &cloth.mesh, &cloth_tree, &fault), &fault);
    must(bw_tree_create(NULL, &ball.mesh, &ball_tree, &fault), &fault);
    bw_body a = {cloth_tree, &cloth.mesh, NULL}, b = {ball_tree, &ball.mesh, NULL};

    bool touched = false;
    for (int frame = 0; frame <= 40; frame++) {
        /* AUTO fits the boxes, and rebuilds what has become slow to query. */
        bw_update_desc update = {.policy = BW_UPDATE_AUTO};
        bw_update_report updated = {0};
        must(bw_tree_update(cloth_tree, &cloth.mesh, &update, &updated, &fault), &fault);

        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .on_hit = hold};
        bw_collide_report report = {0};
        must(bw_collide(&a, &b, &desc, &report, &fault), &fault);
        if (report.hit_count > 0 && !touched)
            printf("frame %d: the first contact\n", frame);
        touched |= report.hit_count > 0;

        uint32_t holding = 0;
        for (uint32_t v = 0; v < VERTICES; v++) {
            holding += held[v];
            cloth.xyz[v][2] -= held[v] ? 0 : 0.02f;
        }
        if (frame % 10 == 0)
            printf("frame %d: %s, about %.0f %% of the cloth held\n", frame,
                   report.hit_count > 0 ? "in contact" : "free", 10 * floor(10.0 * holding / VERTICES + 0.5));
    }
    double deepest = INFINITY; /* of the held vertices, from the middle of the ball */
    for (uint32_t v = 0; v < VERTICES; v++) {
        const float *p = cloth.xyz[v];
        if (held[v])
            deepest = fmin(deepest, sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])));
    }
    printf("the corners hang at z = %.2f, no held vertex is nearer than %.1f to the middle\n",
           cloth.xyz[0][2], deepest);
    bw_tree_destroy(cloth_tree);
    bw_tree_destroy(ball_tree);
    return 0;
}
