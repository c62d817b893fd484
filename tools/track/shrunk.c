/* Parts that are shrunk into one point, as animators hide them and a pose s=0 leaves them: there each
 * triangle touches every other, so that contacts are as many as pairs. Rather than look for them for hours,
 * say so. */
#include "track/track.h"

#include <stdlib.h>
#include <string.h>

/* Contacts at one point that are looked for all the same: some ten seconds. */
static const uint64_t most_pairs = 250000;

/* A triangle that is a point. */
typedef struct speck {
    double x[3];
    uint32_t object;
} speck;

typedef struct specks {
    speck *at;
    size_t count, capacity;
} specks;

static double coordinate(bw_scalar scalar, const void *positions, size_t i)
{
    double x = scalar == BW_F64 ? ((const double *)positions)[i] : (double)((const float *)positions)[i];
    return x + 0.0; /* -0 is 0 */
}

/* Adds the points among the triangles of an object. */
static void collect(const track *t, uint32_t object, const void *positions, specks *out)
{
    const track_object *o = &t->objects[object];
    uint32_t n = o->model.vertex_count;
    for (size_t i = 0; i < o->model.triangle_count; i++) {
        const uint32_t *c = o->model.indices + 3 * i;
        if (c[0] >= n || c[1] >= n || c[2] >= n)
            continue; /* refused later, by its number */
        speck s = {.object = object};
        bool point = true;
        for (size_t axis = 0; axis < 3 && point; axis++) {
            s.x[axis] = coordinate(o->scalar, positions, 3 * (size_t)c[0] + axis);
            point = s.x[axis] == coordinate(o->scalar, positions, 3 * (size_t)c[1] + axis) &&
                    s.x[axis] == coordinate(o->scalar, positions, 3 * (size_t)c[2] + axis);
        }
        if (!point)
            continue;
        out->at = tool_grow(out->at, out->count, &out->capacity, sizeof *out->at);
        out->at[out->count++] = s;
    }
}

static int by_place(const void *a, const void *b)
{
    const speck *p = a, *q = b;
    for (int axis = 0; axis < 3; axis++)
        if (p->x[axis] != q->x[axis])
            return p->x[axis] < q->x[axis] ? -1 : 1;
    return (p->object > q->object) - (p->object < q->object);
}

static uint64_t pairs_of(uint64_t n)
{
    return n < 2 ? 0 : n * (n - 1) / 2;
}

/* Whether so many are at one place that their contacts are too many to look for. */
static bool crowded(const track *t, specks *all, double time, fault *why)
{
    if (pairs_of(all->count) <= most_pairs)
        return false;
    qsort(all->at, all->count, sizeof *all->at, by_place);
    for (size_t i = 0, end; i < all->count; i = end) {
        uint64_t own = 0;
        for (end = i; end < all->count && memcmp(all->at[end].x, all->at[i].x, sizeof all->at[i].x) == 0;) {
            size_t first = end;
            while (end < all->count && all->at[end].object == all->at[first].object &&
                   memcmp(all->at[end].x, all->at[i].x, sizeof all->at[i].x) == 0)
                end++;
            own += pairs_of(end - first);
        }
        uint64_t pairs = pairs_of(end - i) - (t->self ? 0 : own);
        if (pairs <= most_pairs)
            continue;
        fault_set(
            why,
            "%s: %zu triangles are shrunk into one point, (%g, %g, %g), at %g s: up to %llu contacts of each "
            "with every other",
            t->objects[all->at[i].object].model.file, end - i, all->at[i].x[0], all->at[i].x[1],
            all->at[i].x[2], time, (unsigned long long)pairs);
        return true;
    }
    return false;
}

/* Whether a triangle of an object is a point at one of its keyframes; between them none stays one. Not of a store: what stands
 * still was made so on purpose. */
static bool ever_shrinks(const track *t, uint32_t object)
{
    specks found = {0};
    const track_object *o = &t->objects[object];
    for (uint32_t k = 0; k < o->frame_count && found.count == 0 && !o->store; k++)
        collect(t, object, o->frames[k], &found);
    free(found.at);
    return found.count > 0;
}

/* Looks at the keyframes of a piece; positions: room for those that shrink, NULL for the others. */
static bool look_at_piece(const track *t, const track_piece *piece, void *const *positions, specks *all,
                          fault *why)
{
    bw_motion *motions = tool_alloc(t->count, sizeof *motions);
    track_rest *rests = tool_alloc(t->count, sizeof *rests);
    bool fine = true;
    for (uint32_t i = 0; i < t->count; i++)
        motions[i] = track_motion(&t->objects[i], piece, &rests[i]);
    for (uint32_t i = 0; i < t->count && fine; i++)
        for (uint32_t k = 0; positions[i] && k < motions[i].frame_count && fine; k++) {
            double time = motions[i].times[k];
            if (time < piece->from || time > piece->to)
                continue;
            all->count = 0;
            for (uint32_t j = 0; j < t->count && fine; j++) {
                bw_result result =
                    positions[j] ? bw_motion_sample(&motions[j], time, positions[j], NULL) : BW_OK;
                if (result != BW_OK)
                    fine = fault_set(why, "%s: %s", t->objects[j].model.file, bw_result_string(result));
                else if (positions[j])
                    collect(t, j, positions[j], all);
            }
            fine = fine && !crowded(t, all, time, why);
        }
    free(motions);
    free(rests);
    return fine;
}

bool track_not_shrunk(const track *t, fault *why)
{
    bool fine = true;
    void **positions = tool_alloc(t->count, sizeof *positions);
    for (uint32_t i = 0; i < t->count; i++)
        positions[i] = ever_shrinks(t, i)
                           ? tool_alloc(3 * (size_t)t->objects[i].model.vertex_count, sizeof(double))
                           : NULL;
    specks all = {0};
    for (uint32_t i = 0; i < t->piece_count && fine; i++)
        fine = look_at_piece(t, &t->pieces[i], positions, &all, why);
    for (uint32_t i = 0; i < t->count; i++)
        free(positions[i]);
    free(positions);
    free(all.at);
    return fine;
}
