/* A step: the contacts of all broad pairs, in pieces by several threads, then one pass in order that compares them with
 * those of the step before and gives them their ids. */
#include "base/cancel.h"
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "world/broad_pairs.h"
#include "world/narrow.h"

#include <string.h>

enum { PIECE = 32 }; /* broad pairs of one piece */

typedef struct search {
    bw_world *world;
    bool list;
    bw_cancel *cancel;
} search;

static void search_piece(const search *s, uint32_t index)
{
    bw_world *world = s->world;
    bw_piece *piece = bw_array_at(&world->pieces, index);
    const uint32_t *active = (const uint32_t *)(void *)world->active.items;
    const size_t begin = (size_t)index * PIECE;
    const size_t end = begin + PIECE < world->active.count ? begin + PIECE : world->active.count;
    piece->contacts.count = piece->meetings.count = 0;
    piece->result = BW_OK;
    for (size_t i = begin; i < end && piece->result == BW_OK; i++) {
        if (!bw_cancel_go_on(s->cancel)) {
            piece->result = BW_ERROR_STOPPED;
            piece->fault = BW_FAULT_NOWHERE;
            piece->element = BW_NONE;
            break;
        }
        bw_broad_pair *pair = bw_broad_pair_at(world, active[i]);
        const size_t first = piece->contacts.count;
        bool meet;
        piece->fault = BW_FAULT_NOWHERE;
        piece->result = bw_narrow(world, pair, s->list, s->cancel, piece, &meet, &piece->fault);
        piece->element = piece->result == BW_ERROR_STOPPED ? BW_NONE : bw_place_of(pair->a);
        if (piece->result != BW_OK || !meet)
            continue;
        bw_meeting *meeting = bw_array_push(&piece->meetings);
        if (meeting == NULL)
            piece->result = BW_ERROR_MEMORY;
        else
            *meeting =
                (bw_meeting){pair->a, pair->b, (uint32_t)first, (uint32_t)(piece->contacts.count - first)};
    }
}

static void search_pieces(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    for (uint32_t i = begin; i < end; i++)
        search_piece(context, i);
}

static bool prepare_pieces(bw_world *world, uint32_t count)
{
    while (world->pieces.count < count) {
        bw_piece *piece = bw_array_push(&world->pieces);
        if (piece == NULL)
            return false;
        *piece = (bw_piece){.contacts = bw_array_of(sizeof(bw_world_contact), &world->allocator),
                            .meetings = bw_array_of(sizeof(bw_meeting), &world->allocator),
                            .keys = bw_array_of(sizeof(uint64_t), &world->allocator),
                            .order = bw_array_of(sizeof(uint32_t), &world->allocator),
                            .unsorted = bw_array_of(sizeof(bw_world_contact), &world->allocator)};
    }
    return true;
}

/* ---- comparing with the step before ---- */

/* The contacts and pairs of a step. */
typedef struct comparison {
    bw_world *world;
    const bw_world_contact *before;
    const bw_world_pair *pairs_before;
    size_t pair_count_before, at; /* at: the next pair of the step before */
    bw_array *contacts, *pairs, *ended;
    bool list;
    uint64_t began;
    uint64_t next;
} comparison;

static bool room(bw_array *array, size_t wanted)
{
    array->count = 0;
    return array->capacity >= wanted || bw_array_grow(array, wanted);
}

/* The order of broad pairs; pairs of the step before may have other bodies in the same places. */
static int order(bw_id a, bw_id b, bw_id c, bw_id d)
{
    const uint64_t x = (uint64_t)bw_place_of(a) << 32 | bw_place_of(b);
    const uint64_t y = (uint64_t)bw_place_of(c) << 32 | bw_place_of(d);
    return x < y ? -1 : x > y;
}

static int order_in_pair(const bw_world_contact *x, const bw_world_contact *y)
{
    if (x->primitive_a != y->primitive_a)
        return x->primitive_a < y->primitive_a ? -1 : 1;
    if (x->primitive_b != y->primitive_b)
        return x->primitive_b < y->primitive_b ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static void end_contact(comparison *c, const bw_world_contact *old)
{
    if (!c->list)
        return;
    bw_world_contact *out = bw_array_push(c->ended); /* there is room for all */
    *out = *old;
    out->event = BW_EVENT_END;
}

/* The next pair of the step before has no contact any more. */
static void end_pair(comparison *c)
{
    const bw_world_pair *old = &c->pairs_before[c->at++];
    if (old->event == BW_EVENT_END)
        return;
    for (uint32_t i = 0; i < old->count; i++)
        end_contact(c, &c->before[old->first + i]);
    *(bw_world_pair *)bw_array_push(c->pairs) = (bw_world_pair){
        .a = old->a, .b = old->b, .event = BW_EVENT_END, .first = (uint32_t)c->contacts->count};
}

/* Takes the contacts of a pair over; old ones are those of the same pair in the step before. */
static void take_contacts(comparison *c, const bw_world_contact *found, uint32_t count,
                          const bw_world_contact *old, uint32_t old_count)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        bw_world_contact *out = bw_array_push(c->contacts);
        *out = found[i];
        while (k < old_count && order_in_pair(&old[k], out) < 0)
            end_contact(c, &old[k++]);
        const bool persists = k < old_count && order_in_pair(&old[k], out) == 0;
        out->event = persists ? BW_EVENT_PERSIST : BW_EVENT_BEGIN;
        out->id = persists ? old[k++].id : c->next++;
        c->began += !persists;
    }
    while (k < old_count)
        end_contact(c, &old[k++]);
}

static void take_meeting(comparison *c, const bw_piece *piece, const bw_meeting *m)
{
    while (c->at < c->pair_count_before &&
           order(c->pairs_before[c->at].a, c->pairs_before[c->at].b, m->a, m->b) < 0)
        end_pair(c);
    const bw_world_pair *old = NULL;
    while (c->at < c->pair_count_before &&
           order(c->pairs_before[c->at].a, c->pairs_before[c->at].b, m->a, m->b) == 0) {
        const bw_world_pair *at = &c->pairs_before[c->at];
        if (at->event != BW_EVENT_END && at->a == m->a && at->b == m->b) {
            old = at;
            c->at++;
        } else {
            end_pair(c);
        }
    }
    *(bw_world_pair *)bw_array_push(c->pairs) =
        (bw_world_pair){.a = m->a,
                        .b = m->b,
                        .event = old != NULL ? BW_EVENT_PERSIST : BW_EVENT_BEGIN,
                        .first = (uint32_t)c->contacts->count,
                        .count = m->count};
    if (m->count != 0)
        take_contacts(c, bw_array_at(&piece->contacts, m->first), m->count,
                      old == NULL ? NULL : &c->before[old->first], old == NULL ? 0 : old->count);
    else if (old != NULL)
        take_contacts(c, NULL, 0, &c->before[old->first], old->count);
}

static bw_result compare(bw_world *world, uint32_t pieces, bool list, uint64_t *began)
{
    size_t contacts = 0, meetings = 0;
    for (uint32_t i = 0; i < pieces; i++) {
        const bw_piece *piece = bw_array_at(&world->pieces, i);
        contacts += piece->contacts.count;
        meetings += piece->meetings.count;
    }
    if (contacts > UINT32_MAX || meetings > UINT32_MAX)
        return BW_ERROR_SIZE;
    const int now = world->now, next = 1 - now;
    const bw_array *before = &world->contacts[now], *pairs_before = &world->pairs[now];
    comparison c = {.world = world,
                    .before = (const bw_world_contact *)(void *)before->items,
                    .pairs_before = (const bw_world_pair *)(void *)pairs_before->items,
                    .pair_count_before = pairs_before->count,
                    .contacts = &world->contacts[next],
                    .pairs = &world->pairs[next],
                    .ended = &world->ended,
                    .list = list && world->listed,
                    .next = world->next_contact};
    if (!room(c.contacts, contacts) || !room(c.pairs, meetings + pairs_before->count) ||
        !room(c.ended, before->count))
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < pieces; i++) {
        const bw_piece *piece = bw_array_at(&world->pieces, i);
        for (size_t k = 0; k < piece->meetings.count; k++)
            take_meeting(&c, piece, bw_array_at(&piece->meetings, k));
    }
    while (c.at < c.pair_count_before)
        end_pair(&c);
    world->now = next;
    world->listed = list;
    world->next_contact = c.next;
    *began = c.began;
    return BW_OK;
}

/* ---- the step ---- */

static bw_result search_all(bw_world *world, uint32_t pieces, bool list, bw_cancel *cancel, bw_fault *fault)
{
    search s = {world, list, cancel};
    bw_parallel(bw_world_tasks(world), search_pieces, &s, pieces, 1);
    for (uint32_t i = 0; i < pieces; i++) {
        const bw_piece *piece = bw_array_at(&world->pieces, i);
        if (piece->result != BW_OK) {
            bw_fault where = piece->fault;
            where.element = piece->element;
            return bw_fail_with(fault, piece->result, &where);
        }
    }
    return bw_fail(fault, BW_OK);
}

bw_result bw_world_step(bw_world *world, const bw_world_step_desc *desc, bw_world_step_report *report,
                        bw_fault *fault)
{
    if (world == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_sizes_check(desc, report);
    if (result != BW_OK)
        return bw_fail(fault, result);
    const bw_world_step_desc none = {0};
    const bw_world_step_desc *d = desc == NULL ? &none : desc;
    result = bw_broad_pairs_update(world);
    if (result == BW_OK)
        result = bw_broad_pairs_select(world, NULL, d->may_meet, d->user);
    bw_cancel cancel;
    bw_cancel *asked = bw_cancel_init(&cancel, d->progress);
    if (result == BW_OK && !bw_cancel_go_on(asked))
        result = BW_ERROR_STOPPED;
    const uint32_t pieces = (uint32_t)((world->active.count + PIECE - 1) / PIECE);
    if (result == BW_OK && !prepare_pieces(world, pieces))
        result = BW_ERROR_MEMORY;
    if (result != BW_OK)
        return bw_fail(fault, result);
    result = search_all(world, pieces, !d->pairs_only, asked, fault);
    if (result != BW_OK)
        return result;
    uint64_t began = 0;
    result = compare(world, pieces, !d->pairs_only, &began);
    if (result == BW_OK && report != NULL) {
        const bw_array *contacts = &world->contacts[world->now], *pairs = &world->pairs[world->now];
        bw_report_set(report,
                      (bw_world_step_report){.contacts = (const bw_world_contact *)(void *)contacts->items,
                                             .contact_count = contacts->count,
                                             .began_count = began,
                                             .ended = (const bw_world_contact *)(void *)world->ended.items,
                                             .ended_count = world->ended.count,
                                             .pairs = (const bw_world_pair *)(void *)pairs->items,
                                             .pair_count = (uint32_t)pairs->count,
                                             .candidate_count = (uint32_t)world->active.count});
    }
    return bw_fail(fault, result);
}
