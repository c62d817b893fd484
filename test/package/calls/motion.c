/* motion.h, kinetic.h and timeline.h: a tetrahedron that flies through another. */
#include "calls.h"

#include <string.h>

static const float from[] = {3, 0, 0, 4, 0, 0, 3, 1, 0, 3, 0, 1},
                   to[] = {-3, 0, 0, -2, 0, 0, -3, 1, 0, -3, 0, 1},
                   none[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const double times[] = {0, 1};
static const void *const frames[] = {from, to};

static bw_motion moving_by(bw_motion_kind kind, const void *positions)
{
    bw_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.kind = kind;
    motion.vertex_count = calls_mesh.vertex_count;
    motion.frame_count = 2;
    motion.times = times;
    motion.frames = frames;
    motion.positions = positions;
    motion.velocities = none;
    motion.end = 1;
    return motion;
}

void call_motion(void)
{
    const bw_motion motion = moving_by(BW_MOTION_KEYFRAMES, NULL);
    double begin = -1, end = -1;
    float sample[12];
    bw_crossing crossing;
    CHECK(bw_motion_validate(&motion, NULL) == BW_OK);
    bw_motion_span(&motion, &begin, &end);
    CHECK(begin == 0 && end == 1);
    CHECK(bw_motion_position(&motion, 0, 0.5).x == 0);
    CHECK(bw_motion_sample(&motion, 0.5, sample, NULL) == BW_OK && sample[0] == 0);
    const bw_plan a = bw_motion_plan(&motion, 0, 0), b = bw_motion_plan(&motion, 1, 0);
    CHECK(bw_plan_position(&a, 0.5).x == 0);
    CHECK(!bw_plan_crossing(&a, &b, 0, 0, 1, &crossing));
}

void call_kinetic(void)
{
    const bw_motion motion = moving_by(BW_MOTION_VELOCITY, from);
    bw_mesh mesh = calls_mesh;
    bw_kinetic_desc desc = BW_SIZED(bw_kinetic_desc);
    bw_kinetic_report report = BW_SIZED(bw_kinetic_report), total = BW_SIZED(bw_kinetic_report);
    bw_kinetic_stats stats = BW_SIZED(bw_kinetic_stats);
    bw_kinetic_choice choice = BW_SIZED(bw_kinetic_choice);
    bw_kinetic *kinetic = NULL;
    bw_body body;
    const uint32_t vertex = 0, last = 3;
    mesh.positions = from;
    CHECK(bw_kinetic_create(&desc, &mesh, &motion, &kinetic, NULL) == BW_OK);
    CHECK(bw_kinetic_advance(kinetic, 0.5, &report, NULL) == BW_OK);
    CHECK(bw_kinetic_time(kinetic) == 0.5);
    const bw_plan plan = bw_motion_plan(&motion, vertex, 0.5);
    CHECK(bw_kinetic_set_plan(kinetic, vertex, &plan, NULL) == BW_OK);
    CHECK(bw_kinetic_set_plans(kinetic, &vertex, &plan, 1, NULL) == BW_OK);
    CHECK(bw_kinetic_remove(kinetic, &last, 1, NULL) == BW_OK);
    CHECK(bw_kinetic_insert(kinetic, &mesh, &motion, &last, 1, NULL) == BW_OK);
    CHECK(bw_kinetic_body(kinetic, &body, NULL) == BW_OK && bw_tree_check(body.tree, NULL) == NULL);
    CHECK(bw_kinetic_query_body(kinetic, &body, NULL) == BW_OK);
    bw_kinetic_get_total(kinetic, &total);
    bw_kinetic_get_stats(kinetic, &stats);
    bw_kinetic_get_choice(kinetic, &choice);
    CHECK(stats.boxes > 0);
    CHECK(bw_kinetic_check(kinetic) == NULL);
    bw_kinetic_destroy(kinetic);
}

static bool count_entries(void *user, const bw_separation_entry *entry)
{
    (void)entry;
    ++*(uint32_t *)user;
    return true;
}

static bool count_events(void *user, const bw_timeline_event *event)
{
    *(uint32_t *)user += event->begins;
    return true;
}

void call_timeline(void)
{
    const bw_motion motion = moving_by(BW_MOTION_KEYFRAMES, NULL),
                    rest = moving_by(BW_MOTION_VELOCITY, calls_mesh.positions);
    const bw_moving objects[2] = {{&calls_mesh, &motion}, {&calls_mesh, &rest}};
    bw_separation_desc desc = BW_SIZED(bw_separation_desc);
    bw_separation_report report = BW_SIZED(bw_separation_report);
    bw_separation_stats stats = BW_SIZED(bw_separation_stats);
    bw_collide_report contacts = BW_SIZED(bw_collide_report);
    bw_timeline_desc timeline = BW_SIZED(bw_timeline_desc);
    bw_timeline_report found = BW_SIZED(bw_timeline_report);
    bw_separation *separation = NULL;
    uint32_t entries = 0, events = 0;
    const uint32_t vertex = 0;
    desc.method = BW_SEPARATION_EVENTS;
    CHECK(bw_separation_create(&desc, &objects[1], &objects[0], &separation, NULL) == BW_OK);
    CHECK(bw_separation_advance(separation, 0.45, &report, NULL) == BW_OK);
    CHECK(bw_separation_time(separation) == 0.45);
    CHECK(bw_separation_collide(separation, NULL, &contacts, NULL) == BW_OK && contacts.hit_count > 0);
    bw_separation_get_total(separation, &report);
    bw_separation_get_stats(separation, &stats);
    CHECK(bw_separation_visit(separation, count_entries, &entries, NULL) == BW_OK && entries > 0);
    CHECK(bw_separation_check(separation) == NULL);
    const bw_plan plan = bw_motion_plan(&rest, vertex, 0.45);
    CHECK(bw_separation_set_plans(separation, 0, &vertex, &plan, 1, NULL) == BW_OK);
    bw_separation_destroy(separation);
    timeline.mode = BW_TIMELINE_OBJECTS;
    timeline.on_event = count_events;
    timeline.user = &events;
    CHECK(bw_contact_timeline(objects, 2, &timeline, &found, NULL) == BW_OK && found.contact_count == 1 &&
          events == 1);
}
