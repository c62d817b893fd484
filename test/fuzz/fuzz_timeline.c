/* Separation lists on any bytes: refused, or valid at every time, with the contacts of a traversal. */
#include <boxwood/boxwood.h>

#include <math.h>

#include "fuzz/bytes.h"

enum { VERTICES = 12, FRAMES = 3, TRIANGLES = 12 };

typedef struct input {
    double frames[FRAMES][3 * VERTICES], times[FRAMES];
    const void *frame[FRAMES];
    bw_plan plans[VERTICES];
    uint32_t indices[3 * TRIANGLES];
    bw_motion motion;
    bw_mesh mesh;
    bw_moving moving;
} input;

/* Small numbers, so that things meet, touch and stay. */
static double number(bytes *b)
{
    uint8_t how = bytes_u8(b);
    return how < 200 ? (double)(how % 9) - 4 : ((double)how - 228) * 0.125 * (1 + 0x1p-50 * bytes_u8(b));
}

static void read_input(bytes *b, input *in)
{
    double t = 0;
    for (int k = 0; k < FRAMES; k++) {
        in->times[k] = t;
        t += 1 + bytes_u8(b) % 3;
        for (int i = 0; i < 3 * VERTICES; i++)
            in->frames[k][i] = number(b);
        in->frame[k] = in->frames[k];
    }
    for (int v = 0; v < VERTICES; v++) {
        in->plans[v] = (bw_plan){.origin = 0};
        for (int i = 0; i < 1 + bytes_u8(b) % 4; i++)
            in->plans[v].c[i] = (bw_vec3){number(b), number(b), number(b)};
    }
    for (int i = 0; i < 3 * TRIANGLES; i++)
        in->indices[i] = bytes_u8(b) % VERTICES;
    uint8_t how = bytes_u8(b);
    in->motion = (bw_motion){.kind = (bw_motion_kind)(how % 3),
                             .vertex_count = VERTICES,
                             .scalar = BW_F64,
                             .frame_count = 2 + how / 4 % 2,
                             .times = in->times,
                             .frames = in->frame,
                             .positions = in->frames[0],
                             .velocities = in->frames[1],
                             .plans = in->plans,
                             .begin = 0,
                             .end = 2};
    in->mesh = (bw_mesh){.scalar = BW_F64,
                         .vertex_count = VERTICES,
                         .indices = how & 64 && how & 32 ? NULL : in->indices,
                         .triangle_count = TRIANGLES};
    in->moving = (bw_moving){&in->mesh, &in->motion};
}

static bool count(void *user, const bw_separation_entry *entry)
{
    must(entry->meeting || bw_box_overlaps(&entry->a, &entry->b) == false);
    ++*(uint64_t *)user;
    return true;
}

static uint64_t contacts(bw_separation *s)
{
    bw_collide_report report = {0};
    must(bw_separation_collide(s, &(bw_collide_desc){.mode = BW_COLLIDE_COUNT}, &report, NULL) == BW_OK);
    return report.hit_count;
}

static void try_separation(bytes *b, const input *p, const input *q)
{
    static const bw_separation_method methods[] = {BW_SEPARATION_EVENTS, BW_SEPARATION_COMPILED,
                                                   BW_SEPARATION_AUTO, BW_SEPARATION_TRAVERSE};
    bw_separation *s[4] = {NULL, NULL, NULL, NULL};
    for (int i = 0; i < 4; i++) {
        bw_separation_desc desc = {.method = methods[i]};
        bw_result result =
            bw_separation_create(&desc, &p->moving, q == NULL ? NULL : &q->moving, &s[i], NULL);
        must(result == BW_OK);
    }
    for (int k = 0; k < 6; k++) {
        double t = bytes_u8(b) / 255.0;
        bw_separation_stats stats = {0};
        bw_separation_get_stats(s[0], &stats);
        bw_separation_report total = {0};
        bw_separation_get_total(s[0], &total);
        must(total.events == total.overlaps + total.parents + total.leaves);
        if (bytes_u8(b) < 80 && stats.next_event <= 1)
            t = stats.next_event;
        for (int i = 0; i < 4; i++) {
            bw_separation_report report = {0};
            must(s[i] == NULL || bw_separation_advance(s[i], t, &report, NULL) == BW_OK);
            must(s[i] == NULL || bw_separation_time(s[i]) == t);
            const char *fault = s[i] == NULL ? NULL : bw_separation_check(s[i]);
            if (fault != NULL)
                fprintf(stderr, "method %d at %.17g: %s\n", i, t, fault);
            must(fault == NULL);
        }
        uint64_t listed = 0, fresh = 0, found = contacts(s[3]);
        must(bw_separation_visit(s[0], count, &listed, NULL) == BW_OK);
        must(bw_separation_visit(s[3], count, &fresh, NULL) == BW_OK);
        must(listed == fresh);
        must(contacts(s[0]) == found && contacts(s[2]) == found);
        must(s[1] == NULL || contacts(s[1]) == found);
    }
    uint32_t vertex = bytes_u8(b) % VERTICES;
    bw_plan plan = {.c = {{number(b), number(b), number(b)}, {number(b), number(b), number(b)}}};
    must(bw_separation_set_plans(s[0], 0, &vertex, &plan, 1, NULL) == BW_OK);
    must(bw_separation_check(s[0]) == NULL);
    must(bw_separation_advance(s[0], 1, NULL, NULL) == BW_OK);
    must(bw_separation_check(s[0]) == NULL);
    for (int i = 0; i < 4; i++)
        bw_separation_destroy(s[i]);
}

static bool in_order(void *user, const bw_timeline_event *event)
{
    double *last = user;
    must(event->time >= *last);
    *last = event->time;
    return true;
}

/* Whoever touches at a time is in the timeline by then. */
static void try_timeline(bytes *b, const input *p, const input *q, bool self)
{
    bw_moving both[2] = {p->moving, q->moving};
    double last = -INFINITY, t = bytes_u8(b) / 255.0;
    bw_timeline_desc desc = {
        .mode = (bw_timeline_mode)(bytes_u8(b) % 3), .self = self, .on_event = in_order, .user = &last};
    bw_timeline_report report = {0};
    bw_fault fault;
    must(bw_contact_timeline(both, 2, &desc, &report, &fault) == BW_OK);
    if (self)
        return;
    bw_separation *s = NULL;
    must(bw_separation_create(&(bw_separation_desc){.method = BW_SEPARATION_TRAVERSE}, &both[0], &both[1], &s,
                              NULL) == BW_OK);
    must(bw_separation_advance(s, t, NULL, NULL) == BW_OK);
    must(contacts(s) == 0 || report.first <= t + 1e-9);
    bw_separation_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    static input first, second;
    if (bytes_u8(&b) & 1)
        bytes_go_on(&b);
    bool self = (bytes_u8(&b) & 3) == 0;
    read_input(&b, &first);
    read_input(&b, &second);
    try_separation(&b, &first, self ? NULL : &second);
    try_timeline(&b, &first, &second, self);
    return 0;
}
