/* How deep parts are in each other while they are in contact: frame by frame, and closely at the deepest moment. Of a part with
 * itself, how far triangles pierce each other. */
#include "track/track.h"

#include "interrupt.h"
#include "progress.h"
#include "track/known.h"
#include "track/store.h"

#include <boxwood/contact.h>

#include <math.h>
#include <stdlib.h>

/* Frames of a job; translations tried in every frame (the deepest gets the library's default). */
enum { FRAMES_A_JOB = 8, FRAME_TRIALS = 4 };

/* Parts of one contact at a time. */
typedef struct posed {
    bw_mesh mesh;
    bw_tree *tree;
    void *positions;
    uint32_t *indices; /* of a store; others have theirs */
} posed;

uint32_t track_piece_at(const track *t, double time)
{
    uint32_t low = 0, high = t->piece_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (t->pieces[middle].from <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bw_result pose_part(const track *t, uint32_t part, double time, posed *out)
{
    const track_part *p = &t->parts[part];
    const track_object *o = &t->objects[p->object];
    const bw_tree_desc desc = {.builder = BW_BUILDER_FAST, .compact = true};
    const track_piece *piece = &t->pieces[track_piece_at(t, time)];
    track_placed placed = {.positions = NULL};
    track_rest rest;
    bw_motion motion;
    fault why;
    if (o->store) {
        if (!track_store_place(o->store, part - o->first_part, &placed, &why))
            return BW_ERROR_FORMAT;
        motion = track_placed_motion(t, &placed, piece, &rest);
    } else {
        motion = track_part_motion(t, p, piece, &rest);
    }
    *out = (posed){.mesh = o->store ? placed.mesh : p->mesh,
                   .positions = tool_alloc(3 * (size_t)p->mesh.vertex_count, sizeof(double)),
                   .indices = placed.indices};
    out->mesh.positions = out->positions;
    bw_result result = bw_motion_sample(&motion, time, out->positions, NULL);
    free(placed.positions);
    return result != BW_OK ? result : bw_tree_create(&desc, &out->mesh, &out->tree, NULL);
}

static void drop_part(posed *p)
{
    bw_tree_destroy(p->tree);
    free(p->positions);
    free(p->indices);
}

static void widen(track_moment *m, bw_vec3 p)
{
    m->low = (bw_vec3){fmin(m->low.x, p.x), fmin(m->low.y, p.y), fmin(m->low.z, p.z)};
    m->high = (bw_vec3){fmax(m->high.x, p.x), fmax(m->high.y, p.y), fmax(m->high.z, p.z)};
}

/* ---- a part with itself ---- */

typedef struct gauge {
    const track *track;
    uint32_t part;
    track_labels *labels; /* NULL: not wished */
    const bw_mesh *mesh;
    track_moment *moment;
    size_t capacity;
    bool curves;
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

static bool take_self(void *user, const bw_hit *hit)
{
    gauge *g = user;
    track_moment *m = g->moment;
    bw_vec3 a[3], b[3];
    bw_triangle_contact contact;
    bw_mesh_corners(g->mesh, hit->a, a);
    bw_mesh_corners(g->mesh, hit->b, b);
    bw_triangle_triangle_contact(a, b, &contact);
    double depth = fmin(through(a, b), through(b, a));
    m->crossing |= hit->kind == BW_CONTACT_CROSSING;
    m->pairs++;
    if (g->labels) {
        uint32_t first = g->track->parts[g->part].first_triangle;
        track_add_label(g->track, g->part, first + hit->a, g->labels);
        track_add_label(g->track, g->part, first + hit->b, g->labels);
    }
    if (contact.point_count == 0)
        return true;
    bw_vec3 p = contact.points[0], q = contact.points[contact.point_count > 1];
    if (m->pairs == 1 || depth > m->pierce)
        m->place = (bw_vec3){0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    m->pierce = fmax(m->pierce, depth);
    widen(m, p);
    widen(m, q);
    if (g->curves) {
        m->segments = tool_grow(m->segments, m->segment_count, &g->capacity, sizeof *m->segments);
        m->segments[m->segment_count++] = (report_segment){{p, q}};
    }
    return true;
}

static bw_result measure_self(const track *t, uint32_t part, const posed *p, track_moment *m,
                              track_labels *labels)
{
    gauge g = {
        .track = t, .part = part, .labels = labels, .mesh = &p->mesh, .moment = m, .curves = t->curves};
    bw_body body = {p->tree, &p->mesh, NULL};
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .on_hit = take_self, .user = &g};
    bw_collide_report answer = {0};
    return bw_collide_self(&body, &desc, &answer, NULL);
}

/* ---- two parts ---- */

static void take_contacts(const track *t, const bw_contact *contacts, const bw_contact_region *regions,
                          const bw_contacts_report *answer, track_moment *m)
{
    const bw_contact_region *best = NULL;
    for (uint64_t i = 0; i < answer->region_count; i++)
        if (!best || regions[i].depth_upper > best->depth_upper ||
            (regions[i].depth_upper == best->depth_upper && regions[i].length > best->length))
            best = &regions[i];
    if (best)
        m->place = best->point;
    if (t->curves)
        m->segments = tool_alloc((size_t)answer->contact_count, sizeof *m->segments);
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        widen(m, contacts[i].ends[0]);
        widen(m, contacts[i].ends[1]);
        m->pierce = fmax(m->pierce, contacts[i].depth);
        if (t->curves)
            m->segments[m->segment_count++] = (report_segment){{contacts[i].ends[0], contacts[i].ends[1]}};
    }
    m->pairs = answer->contact_count;
    m->regions = (uint32_t)(answer->region_count < UINT32_MAX ? answer->region_count : UINT32_MAX);
    m->crossing = answer->touching_count < answer->contact_count;
}

static void take_labels(const track *t, const track_contact *c, const bw_contact *contacts, uint64_t count,
                        track_labels labels[2])
{
    for (uint64_t i = 0; i < count; i++) {
        track_add_label(t, c->part_a, t->parts[c->part_a].first_triangle + contacts[i].a, &labels[0]);
        track_add_label(t, c->part_b, t->parts[c->part_b].first_triangle + contacts[i].b, &labels[1]);
    }
}

static bw_result measure_two(const track *t, const track_contact *c, const posed *p, uint32_t trials,
                             track_moment *m, track_labels labels[2])
{
    bw_body a = {p[0].tree, &p[0].mesh, NULL}, b = {p[1].tree, &p[1].mesh, NULL};
    bw_collide_report count = {0};
    bw_result result = bw_collide(&a, &b, &(bw_collide_desc){.mode = BW_COLLIDE_ALL}, &count, NULL);
    if (result != BW_OK || count.hit_count == 0)
        return result;
    bw_contact *contacts = tool_alloc((size_t)count.hit_count, sizeof *contacts);
    bw_contact_region *regions = tool_alloc((size_t)count.hit_count, sizeof *regions);
    bw_contacts_desc desc = {.depth = true,
                             .volume = true,
                             .trials = trials,
                             .regions = regions,
                             .region_capacity = count.hit_count};
    bw_contacts_report answer = {0};
    result = bw_contacts(&a, &b, &desc, contacts, count.hit_count, &answer, NULL);
    bool deep = result == BW_OK;
    if (result == BW_ERROR_UNSUPPORTED || result == BW_ERROR_RANGE) { /* where they meet, and no depth */
        desc.depth = desc.volume = false;
        result = bw_contacts(&a, &b, &desc, contacts, count.hit_count, &answer, NULL);
    }
    if (result == BW_OK) {
        take_contacts(t, contacts, regions, &answer, m);
        if (labels)
            take_labels(t, c, contacts, answer.contact_count, labels);
        m->lower = deep ? answer.depth_lower : 0;
        m->upper = deep ? answer.depth_upper : (double)INFINITY;
        m->volume = deep ? answer.volume : 0;
        m->volume_error = deep ? answer.volume_error : (double)INFINITY;
        m->translation = deep ? answer.translation : (bw_vec3){0, 0, 0};
        if (deep && answer.closed_a && answer.closed_b)
            m->crossing = answer.depth_upper > 0;
    }
    free(contacts);
    free(regions);
    return result;
}

/* labels: of the triangles of a and of b that meet, of a part with itself all in the first; NULL: not wished. */
static bw_result measure_at(const track *t, const track_contact *c, uint32_t trials, track_moment *m,
                            track_labels labels[2])
{
    *m = (track_moment){.time = m->time,
                        .upper = INFINITY,
                        .volume_error = INFINITY,
                        .low = {INFINITY, INFINITY, INFINITY},
                        .high = {-INFINITY, -INFINITY, -INFINITY}};
    posed p[2] = {{.tree = NULL}, {.tree = NULL}};
    bool self = c->part_a == c->part_b;
    bw_result result = pose_part(t, c->part_a, m->time, &p[0]);
    if (result == BW_OK && !self)
        result = pose_part(t, c->part_b, m->time, &p[1]);
    if (result == BW_OK)
        result =
            self ? measure_self(t, c->part_a, &p[0], m, labels) : measure_two(t, c, p, trials, m, labels);
    drop_part(&p[0]);
    drop_part(&p[1]);
    return result;
}

/* ---- all contacts ---- */

typedef struct measure_job {
    uint32_t contact, first, count; /* moments */
    bw_result result;
} measure_job;

typedef struct measuring {
    track *track;
    measure_job *jobs;
    size_t count, capacity;
} measuring;

double track_depth(const track_moment *m)
{
    return m->lower > 0 ? m->lower : fmin(m->pierce, m->upper);
}

bw_result track_measure_frame(const track *t, const track_contact *c, track_moment *m)
{
    const track_measured *known = track_known_find(t->known, c->part_a, c->part_b, m->time, false);
    if (known)
        *m = track_known_moment(known, t->curves);
    return known ? BW_OK : measure_at(t, c, FRAME_TRIALS, m, NULL);
}

bool track_has_close(const track *t, const track_contact *c)
{
    return c->moment_count > 0 &&
           (c->part_a != c->part_b || t->objects[t->parts[c->part_a].object].model.labels);
}

bw_result track_measure_closely(const track *t, track_contact *c)
{
    for (uint32_t k = 0; k < c->moment_count; k++)
        if (track_depth(&c->moments[k]) > track_depth(&c->moments[c->deepest]))
            c->deepest = k;
    if (!track_has_close(t, c))
        return BW_OK;
    track_moment *m = &c->moments[c->deepest];
    const track_measured *known = track_known_find(t->known, c->part_a, c->part_b, m->time, true);
    free(m->segments);
    if (known) {
        *m = track_known_moment(known, t->curves);
        for (int i = 0; i < 2; i++)
            c->details[i] = known->details[i] ? tool_copy(known->details[i]) : NULL;
        return BW_OK;
    }
    track_labels labels[2] = {{.list = NULL}, {.list = NULL}};
    bw_result result = measure_at(t, c, 0, m, labels);
    c->details[0] = track_tell_labels(t, c->part_a, &labels[0]);
    c->details[1] = track_tell_labels(t, c->part_b, &labels[1]);
    return result;
}

void track_contact_free(track_contact *c)
{
    for (uint32_t k = 0; k < c->moment_count; k++)
        free(c->moments[k].segments);
    free(c->moments);
    free(c->details[0]);
    free(c->details[1]);
}

static void run_jobs(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    measuring *all = context;
    for (uint32_t i = begin; i < end; i++) {
        measure_job *j = &all->jobs[i];
        track_contact *c = &all->track->contacts[j->contact];
        for (uint32_t k = 0; k < j->count && j->result == BW_OK && !interrupt_asked(); k++) {
            j->result = track_measure_frame(all->track, c, &c->moments[j->first + k]);
            progress_done(1);
        }
    }
}

static void run_deepest(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    measuring *all = context;
    for (uint32_t i = begin; i < end && !interrupt_asked(); i++) {
        all->jobs[i].result = track_measure_closely(all->track, &all->track->contacts[i]);
        progress_done(1);
    }
}

void track_frames_of(const track *t, double from, double to, double *first, double *last)
{
    *first = ceil((from - t->begin) * t->fps - 1e-9);
    *last = floor((to - t->begin) * t->fps + 1e-9);
}

/* Frames that fall into a contact; where none does, the middle. */
static void plan(track *t, track_contact *c)
{
    double first, last;
    track_frames_of(t, c->from, c->to, &first, &last);
    double frames = last - first + 1 < 1 ? 0 : last - first + 1;
    c->moment_count = frames > 1e6 ? 1000000 : (uint32_t)frames;
    uint32_t count = c->moment_count > 0 ? c->moment_count : 1;
    c->moments = tool_alloc(count, sizeof *c->moments);
    for (uint32_t k = 0; k < count; k++)
        c->moments[k] = (track_moment){
            .time = c->moment_count > 0 ? fmin(fmax(t->begin + (first + k) / t->fps, c->from), c->to)
                                        : 0.5 * (c->from + c->to),
            .upper = INFINITY};
    c->moment_count = count;
}

static bool failed(const measuring *all, size_t count, fault *why)
{
    for (size_t i = 0; i < count; i++)
        if (all->jobs[i].result != BW_OK)
            return fault_set(why, "measuring contacts: %s",
                             track_store_failed(all->track) ? track_store_failed(all->track)
                                                            : bw_result_string(all->jobs[i].result));
    return true;
}

/* What is never deeper than the tolerance, or than a rule allows, does not count. */
static void leave_out(track *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->contact_count; i++) {
        track_contact *c = &t->contacts[i];
        double allowed = 0;
        bool touch = rules_judge(t->rules, c->part_a, c->part_b, &allowed) == RULES_TOUCH;
        double limit = fmax(t->tolerance, allowed), depth = track_depth(&c->moments[c->deepest]);
        bool crossing = false;
        for (uint32_t k = 0; k < c->moment_count; k++)
            crossing |= c->moments[k].crossing;
        if ((limit > 0 && depth <= limit) || (touch && !crossing)) {
            track_contact_free(c);
            t->shallow++;
            continue;
        }
        t->contacts[kept++] = *c;
    }
    t->contact_count = kept;
}

bool track_measure(track *t, const bw_tasks *tasks, fault *why)
{
    measuring all = {.track = t};
    uint64_t frames = 0;
    for (size_t i = 0; i < t->contact_count; i++) {
        track_contact *c = &t->contacts[i];
        plan(t, c);
        frames += c->moment_count + 1;
        for (uint32_t first = 0; first < c->moment_count; first += FRAMES_A_JOB) {
            all.jobs = tool_grow(all.jobs, all.count, &all.capacity, sizeof *all.jobs);
            uint32_t left = c->moment_count - first;
            all.jobs[all.count++] = (measure_job){
                .contact = (uint32_t)i, .first = first, .count = left < FRAMES_A_JOB ? left : FRAMES_A_JOB};
        }
    }
    progress_step("measuring %zu contacts in %llu frames", t->contact_count, (unsigned long long)frames);
    progress_total(frames);
    interrupt_watch();
    tasks->parallel_for(tasks->user, run_jobs, &all, (uint32_t)all.count, 1);
    bool fine = failed(&all, all.count, why);
    /* There are at least as many jobs as contacts. */
    if (fine)
        tasks->parallel_for(tasks->user, run_deepest, &all, (uint32_t)t->contact_count, 1);
    fine = fine && failed(&all, t->contact_count, why);
    if (fine && interrupt_asked())
        fine = fault_set(why, "interrupted");
    interrupt_unwatch();
    progress_end();
    free(all.jobs);
    t->measured = fine;
    if (fine)
        leave_out(t);
    return fine;
}
