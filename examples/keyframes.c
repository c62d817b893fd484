/* Motion that is known ahead, by keyframes: from when to when do things touch, and a body to query at any
 * time.
 *
 * A ball of radius 1 comes down to a floor and goes up again: its middle is at z = 3, 0.5 and 3 at the times
 * 0, 1 and 2. Its surface meets the floor while |z| <= 1: from 0.8 to 1.2. The program prints that, and then
 * counts the frames in contact at 24 frames per second: 20 to 28, so 9 of 49.
 */
#include "common.h"

static shape ball, low, floor_sheet;

/* Events come in order of time. */
static bool tell(void *user, const bw_timeline_event *event)
{
    (void)user;
    printf("%s at %.3f\n", event->begins ? "contact begins" : "contact ends", event->time);
    return true;
}

int main(void)
{
    bw_fault fault;
    make_ball(&ball, 1);
    make_ball(&low, 1);
    make_sheet(&floor_sheet, 2);
    for (uint32_t v = 0; v < VERTICES; v++)
        ball.xyz[v][2] += 3, low.xyz[v][2] += 0.5f;

    const double times[] = {0, 1, 2};
    const void *ball_frames[] = {ball.xyz, low.xyz, ball.xyz};
    const void *floor_frames[] = {floor_sheet.xyz, floor_sheet.xyz, floor_sheet.xyz}; /* it rests */
    bw_motion ball_motion = {.kind = BW_MOTION_KEYFRAMES,
                             .vertex_count = VERTICES,
                             .frame_count = 3,
                             .times = times,
                             .frames = ball_frames};
    bw_motion floor_motion = ball_motion;
    floor_motion.frames = floor_frames;

    /* From when to when: decided exactly, between the frames too. */
    bw_moving objects[] = {{&ball.mesh, &ball_motion}, {&floor_sheet.mesh, &floor_motion}};
    bw_timeline_desc desc = {.mode = BW_TIMELINE_OBJECTS, .on_event = tell};
    bw_timeline_report timeline = {0};
    must(bw_contact_timeline(objects, 2, &desc, &timeline, &fault), &fault);

    /* Frame by frame: a body that goes with the time, for every query that takes one. */
    bw_kinetic_desc automatic = {.method = BW_KINETIC_AUTO};
    bw_kinetic *kinetic = NULL;
    must(bw_kinetic_create(&automatic, &ball.mesh, &ball_motion, &kinetic, &fault), &fault);
    bw_tree *floor_tree = NULL;
    must(bw_tree_create(NULL, &floor_sheet.mesh, &floor_tree, &fault), &fault);
    bw_pair_cache *cache = NULL; /* which triangles can meet until the next keyframe: only for speed */
    if (bw_pair_cache_create(NULL, &cache, NULL) != BW_OK)
        return 1;
    bw_body floor_body = {floor_tree, &floor_sheet.mesh, NULL};
    int in_contact = 0;
    for (int frame = 0; frame <= 48; frame++) {
        bw_body moving;
        must(bw_kinetic_advance(kinetic, frame / 24.0, NULL, &fault), &fault);
        must(bw_kinetic_query_body(kinetic, &moving, &fault), &fault);
        bw_collide_desc any = {.mode = BW_COLLIDE_ANY, .cache = cache};
        bw_collide_report report = {0};
        must(bw_collide(&moving, &floor_body, &any, &report, &fault), &fault);
        in_contact += report.hit_count > 0;
    }
    printf("%d of 49 frames in contact\n", in_contact);

    bw_pair_cache_destroy(cache);
    bw_tree_destroy(floor_tree);
    bw_kinetic_destroy(kinetic);
    return 0;
}
