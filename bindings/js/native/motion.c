/* What JavaScript needs beside the library for motions: events of a timeline as a list. */
#include "door.h"

typedef struct event_list {
    bw_timeline_event *events;
    uint32_t capacity, count;
} event_list;

static bool take_event(void *user, const bw_timeline_event *event)
{
    event_list *list = user;
    if (list->count < list->capacity)
        list->events[list->count] = *event;
    list->count++;
    return true;
}

bw_result bwx_timeline(const bw_moving *objects, uint32_t object_count, bw_timeline_desc *desc,
                       bw_timeline_event *events, uint32_t capacity, uint32_t *count,
                       bw_timeline_report *report, bw_fault *fault)
{
    event_list list = {events, capacity, 0};
    desc->on_event = take_event;
    desc->user = &list;
    const bw_result result = bw_contact_timeline(objects, object_count, desc, report, fault);
    if (result == BW_OK)
        *count = list.count;
    return result;
}
