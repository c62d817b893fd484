/* A step of a simulator: how far may everything move until something touches, and what touches first?
 *
 * A sheet falls in one step from z = 2 to z = -2 through a ball of radius 1: free of it at the beginning and
 * pushed through at the end. They meet at z = 1, after a quarter of the step. The second half is about rigid
 * bodies: two balls, four apart, fly at each other with a speed of 4: they touch at time 0.5.
 */
#include "common.h"

static shape sheet_start, sheet_end, ball;

int main(void)
{
    bw_fault fault;
    make_sheet(&sheet_start, 1.5);
    make_sheet(&sheet_end, 1.5);
    make_ball(&ball, 1);
    for (uint32_t v = 0; v < VERTICES; v++) {
        sheet_start.xyz[v][0] += 0.02f,
            sheet_start.xyz[v][1] += 0.01f; /* so that no vertex is above the top */
        sheet_end.xyz[v][0] += 0.02f, sheet_end.xyz[v][1] += 0.01f;
        sheet_start.xyz[v][2] = 2, sheet_end.xyz[v][2] = -2;
    }

    bw_swept *sheet = NULL, *body = NULL;
    must(bw_swept_create(NULL, &sheet_start.mesh, &sheet_end.mesh, &sheet, &fault), &fault);
    must(bw_swept_create(NULL, &ball.mesh, &ball.mesh, &body, &fault), &fault); /* it rests */

    bw_swept_couple couple = {sheet, body}; /* as many as there are; {sheet, NULL}: the sheet with itself */
    bw_swept_safe_report safe = {0};
    must(bw_swept_safe_step(&couple, 1, NULL, &safe, &fault), &fault); /* 1 where nothing touches */
    printf("the first contact is at %.3f of the step: %s\n", safe.step,
           safe.earliest.feature == BW_CCD_VERTEX_FACE   ? "a vertex of the sheet, a face of the ball"
           : safe.earliest.feature == BW_CCD_FACE_VERTEX ? "a face of the sheet, a vertex of the ball"
                                                         : "two edges");
    bw_swept_witness witness;
    must(bw_swept_witnesses(sheet, body, &safe.earliest, 1, &witness, &fault), &fault);
    printf("there the ball is below the sheet: the normal, from sheet to ball, is %.0f %.0f %.0f\n",
           fabs(witness.normal.x), fabs(witness.normal.y), witness.normal.z);

    /* Go nine tenths of the way to it: a step without any contact. */
    for (uint32_t v = 0; v < VERTICES; v++)
        sheet_end.xyz[v][2] = (float)(2 - 4 * 0.9 * safe.step);
    must(bw_swept_update(sheet, &sheet_start.mesh, &sheet_end.mesh, NULL, &fault), &fault);
    must(bw_swept_safe_step(&couple, 1, NULL, &safe, &fault), &fault);
    printf("a step to z = %.2f is safe as a whole: %.1f\n", sheet_end.xyz[0][2], safe.step);

    /* With a separation, coming nearer than that counts; ALL lists every contact with its time. */
    bw_swept_query query = {.mode = BW_SWEPT_COUNT, .separation = 0.15};
    bw_swept_report report = {0};
    must(bw_swept_pair(sheet, body, &query, &report, &fault), &fault);
    printf("but it comes nearer than 0.15 to the ball: %s\n", report.contact_count > 0 ? "yes" : "no");
    bw_swept_near_query near = {.distance = 0.15, .time = 1}; /* what is near when the step ends? */
    bw_swept_near_report found = {0};
    must(bw_swept_near(sheet, body, &near, &found, &fault), &fault);
    printf("then %d pairs of features are, the nearest at %.2f\n", (int)found.pair_count, found.distance);

    bw_tree *tree = NULL;
    must(bw_tree_create(NULL, &ball.mesh, &tree, &fault), &fault);
    bw_body a = {tree, &ball.mesh, NULL}, b = a;
    bw_rigid_motion left = {.start = bw_transform_identity(), .translation = {2, 0, 0}}, right = left;
    right.start.m[0][3] = 4;
    right.translation.x = -2;
    right.axis = (bw_vec3){1, 0, 0}, right.angle = 1; /* and turns */
    bw_swept_rigid_report rigid = {0};
    must(bw_swept_rigid(&a, &left, &b, &right, NULL, &rigid, &fault), &fault);
    printf("two balls: %s at time %.2f, at x = %.1f\n", rigid.status == BW_FOUND ? "contact" : "apart",
           rigid.time, rigid.point_a.x);

    bw_tree_destroy(tree);
    bw_swept_destroy(sheet);
    bw_swept_destroy(body);
    return 0;
}
