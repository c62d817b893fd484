/* The separation list of Zachmann and Weller 2006: a front of box pairs, kept by events. */
#include "timeline/separation/events.h"
#include "kinetic/queue/queue.h"

#include <math.h>

bw_result bw_list_create(const bw_allocator *allocator, bw_kinetic *a, bw_kinetic *b, bw_list *list)
{
    *list = (bw_list){.trees = {a, b},
                      .allocator = allocator,
                      .pairs = bw_array_of(sizeof(bw_list_pair), allocator),
                      .free = BW_NONE,
                      .heap = bw_heap_over(allocator),
                      .todo = bw_array_of(sizeof(uint32_t), allocator),
                      .meeting = bw_array_of(sizeof(uint32_t), allocator)};
    bool room = true;
    for (uint32_t side = 0; side < 2; side++) {
        list->ears[side] = (struct bw_ear){list, side};
        list->first[side] =
            bw_allocate(allocator, (size_t)bw_kinetic_root(list->trees[side]) + 1, sizeof *list->first[side]);
        room = room && list->first[side] != NULL;
    }
    return room ? bw_list_start(list) : BW_ERROR_MEMORY;
}

void bw_list_release(bw_list *list)
{
    if (list->allocator == NULL)
        return;
    for (uint32_t side = 0; side < 2; side++) {
        bw_release(list->allocator, list->first[side], (size_t)bw_kinetic_root(list->trees[side]) + 1,
                   sizeof *list->first[side]);
    }
    bw_array_release(&list->meeting);
    bw_array_release(&list->pairs);
    bw_array_release(&list->todo);
    bw_heap_release(&list->heap);
    bw_kinetic_destroy(list->trees[0]);
    if (list->trees[1] != list->trees[0])
        bw_kinetic_destroy(list->trees[1]);
    list->allocator = NULL;
}

size_t bw_list_bytes(const bw_list *list)
{
    if (list->allocator == NULL)
        return 0;
    size_t bytes = list->pairs.capacity * list->pairs.element + list->todo.capacity * list->todo.element +
                   list->meeting.capacity * list->meeting.element + bw_heap_bytes(&list->heap);
    for (uint32_t side = 0; side < 2; side++) {
        bw_kinetic_stats stats = {0};
        bw_kinetic_get_stats(list->trees[side], &stats);
        bytes += ((size_t)bw_kinetic_root(list->trees[side]) + 1) * sizeof *list->first[side];
        bytes += side == 1 && list->trees[0] == list->trees[1] ? 0 : stats.bytes;
    }
    return bytes;
}

/* ---- pairs ---- */

static void enlist(bw_list *list, uint32_t id)
{
    bw_list_pair *p = bw_list_at(list, id);
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t *first = &list->first[side][p->box[side]];
        p->next[side] = *first;
        p->before[side] = BW_NONE;
        if (*first != BW_NONE)
            bw_list_at(list, *first)->before[side] = id;
        *first = id;
    }
}

static void delist(bw_list *list, uint32_t id)
{
    bw_list_pair *p = bw_list_at(list, id);
    for (uint32_t side = 0; side < 2; side++) {
        if (p->before[side] == BW_NONE)
            list->first[side][p->box[side]] = p->next[side];
        else
            bw_list_at(list, p->before[side])->next[side] = p->next[side];
        if (p->next[side] != BW_NONE)
            bw_list_at(list, p->next[side])->before[side] = p->before[side];
    }
}

static bool is_leaf(const bw_list *list, uint32_t side, uint32_t box)
{
    return (bw_kinetic_child(list->trees[side], box) & BW_WIDE_LEAF) != 0;
}

/* A pair apart, at first; a box with itself overlaps for ever. BW_NONE: out of memory. */
static uint32_t add_pair(bw_list *list, uint32_t a, uint32_t b, uint32_t parent)
{
    uint32_t id = list->free;
    if (id != BW_NONE)
        list->free = bw_list_at(list, id)->sibling;
    else {
        if (list->pairs.count + 1 >= BW_NONE)
            return BW_NONE;
        id = (uint32_t)list->pairs.count;
        if (id >= list->heap.room && !bw_heap_reserve(&list->heap, id < 64 ? 128 : 2 * id))
            return BW_NONE;
        if (bw_array_push(&list->pairs) == NULL)
            return BW_NONE;
    }
    bool fixed = list->trees[0] == list->trees[1] && a == b;
    *bw_list_at(list, id) = (bw_list_pair){.box = {a, b},
                                           .parent = parent,
                                           .child = BW_NONE,
                                           .sibling = BW_NONE,
                                           .leaves = is_leaf(list, 0, a) && is_leaf(list, 1, b),
                                           .fixed = fixed};
    enlist(list, id);
    return id;
}

static uint32_t children(const bw_list *list, uint32_t side, uint32_t box, uint32_t out[BW_WIDTH])
{
    uint32_t child = bw_kinetic_child(list->trees[side], box);
    if (child & BW_WIDE_LEAF) {
        out[0] = box;
        return 1;
    }
    uint32_t count = list->trees[side]->tree->wide.nodes[child].count;
    for (uint32_t i = 0; i < count; i++)
        out[i] = child * BW_WIDTH + i;
    return count;
}

/* Takes up the pairs below one; they wait to be classified. False: out of memory. */
static bool expand(bw_list *list, uint32_t id)
{
    bw_list_pair p = *bw_list_at(list, id);
    uint32_t a[BW_WIDTH], b[BW_WIDTH], last = BW_NONE;
    uint32_t count_a = children(list, 0, p.box[0], a), count_b = children(list, 1, p.box[1], b);
    for (uint32_t i = 0; i < count_b; i++)
        for (uint32_t j = 0; j < (p.fixed ? i + 1 : count_a); j++) {
            uint32_t below = add_pair(list, a[j], b[i], id);
            uint32_t *slot = below == BW_NONE ? NULL : bw_array_push(&list->todo);
            if (slot == NULL)
                return false;
            *slot = below;
            if (last == BW_NONE)
                bw_list_at(list, id)->child = below;
            else
                bw_list_at(list, last)->sibling = below;
            last = below;
        }
    return true;
}

static bool start_meeting(bw_list *list, uint32_t id)
{
    uint32_t *slot = bw_array_push(&list->meeting);
    if (slot == NULL)
        return false;
    bw_list_at(list, id)->place = (uint32_t)list->meeting.count - 1;
    *slot = id;
    return true;
}

/* The last takes the place of the one that goes. */
static void end_meeting(bw_list *list, uint32_t id)
{
    uint32_t place = bw_list_at(list, id)->place;
    uint32_t last = *(const uint32_t *)bw_array_at(&list->meeting, --list->meeting.count);
    *(uint32_t *)bw_array_at(&list->meeting, place) = last;
    bw_list_at(list, last)->place = place;
}

/* Gives up all pairs below one. Those that still overlap come apart with it. */
static void collapse(bw_list *list, uint32_t id)
{
    uint32_t at = bw_list_at(list, id)->child;
    bw_list_at(list, id)->child = BW_NONE;
    while (at != BW_NONE) {
        bw_list_pair *p = bw_list_at(list, at);
        if (p->child != BW_NONE) { /* first what is below: its end leads on to here */
            uint32_t below = p->child, end = below;
            while (bw_list_at(list, end)->sibling != BW_NONE)
                end = bw_list_at(list, end)->sibling;
            bw_list_at(list, end)->sibling = at;
            p->child = BW_NONE;
            at = below;
            continue;
        }
        uint32_t next = p->sibling;
        if (p->meeting && p->leaves)
            end_meeting(list, at);
        list->step.leaves += p->meeting && p->leaves;
        list->step.parents += p->meeting && !p->leaves;
        delist(list, at);
        if (bw_heap_has(&list->heap, at))
            bw_heap_remove(&list->heap, at);
        p->sibling = list->free;
        list->free = at;
        at = next;
    }
}

/* Looks at a pair at a time, changes what is to be changed, and dates its certificate. */
static bool settle(bw_list *list, uint32_t id, double now)
{
    bw_list_pair *p = bw_list_at(list, id);
    double key = INFINITY;
    uint8_t witness = p->witness;
    bw_list_status status = p->fixed ? BW_LIST_MEETING : bw_list_classify(list, p, now, &key, &witness);
    if (status == BW_LIST_OPEN && now < list->target) {
        bw_heap_set(&list->heap, id, fmin(key, list->target)); /* wait until it is certain, or asked for */
        list->step.checks++;
        return true;
    }
    if (status == BW_LIST_OPEN) {
        status = bw_list_overlap(list, p, now) ? BW_LIST_MEETING : BW_LIST_APART;
        key = nextafter(now, INFINITY);
        witness = UINT8_MAX; /* whatever changes: look again */
    }
    bw_heap_set(&list->heap, id, key);
    p->witness = witness;
    bool meeting = status == BW_LIST_MEETING;
    if (meeting == p->meeting) {
        list->step.checks++;
        return true;
    }
    p->meeting = meeting;
    if (meeting) {
        list->step.overlaps++;
        return p->leaves ? start_meeting(list, id) : expand(list, id);
    }
    if (p->leaves)
        end_meeting(list, id);
    list->step.leaves += p->leaves;
    list->step.parents += !p->leaves;
    collapse(list, id);
    return true;
}

static bool settle_all(bw_list *list, double now)
{
    bool fine = true;
    while (fine && list->todo.count > 0)
        fine = settle(list, *(const uint32_t *)bw_array_at(&list->todo, --list->todo.count), now);
    return fine;
}

/* ---- time ---- */

/* A box in the list follows another curve along an extent. */
static void changed(void *user, uint32_t box, uint32_t extent, double now)
{
    const struct bw_ear *ear = user;
    bw_list *list = ear->list;
    bool counted = false;
    for (uint32_t side = 0; side < 2; side++) {
        if (list->trees[side] != list->trees[ear->side])
            continue; /* of one mesh a box may stand on either side */
        uint32_t inequality = bw_list_inequality(side, extent);
        for (uint32_t id = list->first[side][box]; id != BW_NONE; id = bw_list_at(list, id)->next[side]) {
            bw_list_pair *p = bw_list_at(list, id);
            if (!counted)
                list->step.box_changes++;
            counted = true;
            if (p->fixed || (!p->meeting && p->witness != inequality && p->witness != UINT8_MAX))
                continue;
            if (p->meeting && bw_heap_has(&list->heap, id) && bw_heap_key(&list->heap, id) <= now)
                continue;
            double key = p->meeting ? bw_list_hold(list, p, inequality, now) : now;
            if (!bw_heap_has(&list->heap, id) || key < bw_heap_key(&list->heap, id))
                bw_heap_set(&list->heap, id, key);
        }
    }
}

static void listen(bw_list *list, bool on)
{
    for (uint32_t side = 0; side < 2; side++) {
        bw_queue *queue = &list->trees[side]->queue;
        queue->changed = on ? changed : NULL;
        queue->changed_user = &list->ears[side];
    }
}

bw_result bw_list_start(bw_list *list)
{
    listen(list, false);
    list->valid = false;
    list->pairs.count = list->todo.count = list->meeting.count = 0;
    list->free = BW_NONE;
    bw_heap_clear(&list->heap);
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i <= bw_kinetic_root(list->trees[side]); i++)
            list->first[side][i] = BW_NONE;
    double now = bw_kinetic_time(list->trees[0]);
    list->target = now;
    uint32_t root = add_pair(list, bw_kinetic_root(list->trees[0]), bw_kinetic_root(list->trees[1]), BW_NONE);
    bool fine = root != BW_NONE && settle(list, root, now) && settle_all(list, now);
    list->step = (bw_separation_report){0};
    if (!fine)
        return BW_ERROR_MEMORY;
    list->valid = true;
    listen(list, true);
    return BW_OK;
}

static double first_of(const bw_heap *heap)
{
    bw_heap_item top = {INFINITY, 0};
    bw_heap_top(heap, &top);
    return top.key;
}

/* All events up to the target, those of the trees first where times are equal. */
static bool run(bw_list *list, bw_kinetic_report tree[2])
{
    bool self = list->trees[0] == list->trees[1];
    for (;;) {
        double a = first_of(&list->trees[0]->queue.heap);
        double b = self ? INFINITY : first_of(&list->trees[1]->queue.heap), own = first_of(&list->heap);
        if (a <= b && a <= own && bw_queue_step(list->trees[0], list->target, &tree[0]))
            continue;
        if (b < a && b <= own && bw_queue_step(list->trees[1], list->target, &tree[1]))
            continue;
        bw_heap_item top;
        if (!bw_heap_top(&list->heap, &top) || top.key > list->target)
            return true;
        bw_heap_pop(&list->heap, &top);
        if (!settle(list, top.id, top.key) || !settle_all(list, top.key))
            return false;
    }
}

static void tell(bw_list *list, bw_separation_report *report)
{
    list->step.events = list->step.overlaps + list->step.parents + list->step.leaves;
    *report = list->step;
    list->step = (bw_separation_report){0};
}

bw_result bw_list_advance(bw_list *list, double time, bw_separation_report *report)
{
    bw_kinetic_report tree[2] = {{0}, {0}};
    bool back = time < bw_kinetic_time(list->trees[0]);
    bool fine = true;
    bool follow = list->valid && !back;
    list->step = (bw_separation_report){.restarted = back};
    list->target = time;
    if (follow)
        fine = run(list, tree);
    list->step.tree_events = tree[0].events + tree[1].events;
    if (!follow || !fine)
        listen(list, false);
    /* What is left to the trees: their clocks, and, without a list, all of it. */
    for (uint32_t side = 0; side < (list->trees[0] == list->trees[1] ? 1u : 2u); side++) {
        bw_kinetic_report rest = {0};
        bw_kinetic_advance(list->trees[side], time, &rest, NULL);
        list->step.tree_events += rest.events;
    }
    list->valid = list->valid && follow && fine;
    tell(list, report);
    if (list->valid)
        return BW_OK;
    bw_result result = fine ? bw_list_start(list) : BW_ERROR_MEMORY;
    return result;
}

bw_result bw_list_set_plans(bw_list *list, uint32_t side, const uint32_t *vertices, const bw_plan *plans,
                            uint32_t count, bw_separation_report *report)
{
    list->target = bw_kinetic_time(list->trees[0]);
    bw_result result = bw_kinetic_set_plans(list->trees[side], vertices, plans, count, NULL);
    if (result != BW_OK)
        return result;
    bw_kinetic_report tree[2] = {{0}, {0}};
    list->valid = list->valid && run(list, tree);
    if (!list->valid)
        listen(list, false);
    tell(list, report);
    return list->valid ? BW_OK : BW_ERROR_MEMORY;
}
