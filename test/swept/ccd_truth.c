/* ccd_truth: the public truth on continuous collision, and touches at every scale.
 *
 * Every query of the data that BOXWOOD_DATA names is asked and compared with its true answer; the two scenes
 * are searched whole, and exactly the true contacts must come out. No contact may be missed; an answer too
 * many is listed with the distance of its features, and more than one in a hundred is a failure. Then 20,000
 * queries a scale, from 1e-6 to 1e6, of features that meet exactly at time 0, at 1 or at a dyadic time.
 * Ends with 77, "skipped", where the data is not there. */
#include "geom/ccd_families.h"
#include "scenes/ccd_data.h"

#include <boxwood/swept.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PASSED = 0, FAILED = 1, SKIPPED = 77, TOUCHES = 20000 };

/* How near the features come: the smallest separation at which they are in contact. */
static double true_distance(bool edges, const bws_ccd_query *q)
{
    double low = 0, high = 1;
    bw_ccd_sample s;
    for (int i = 0; i < 4; i++) {
        s.start[i] = q->start[i];
        s.end[i] = q->end[i];
    }
    for (int i = 0; i < 60; i++) {
        double middle = i < 40 && low == 0 ? high * 0.01 : 0.5 * (low + high);
        if (bw_ccd_ask(edges, &s, &(bw_ccd_desc){.separation = middle}).answer != BW_CCD_APART)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static bool ask_queries(bool edges)
{
    bws_ccd_queries all = {0};
    const char *why;
    if (!bws_ccd_read_all(edges, &all, &why)) {
        printf("%s\n", why);
        return false;
    }
    uint32_t hits = 0, missed = 0, invented = 0, close = 0, exact = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const bws_ccd_query *q = &all.items[i];
        bw_ccd_result answer;
        bw_result result = edges ? bw_ccd_edge_edge(q->start, q->end, NULL, &answer)
                                 : bw_ccd_vertex_face(q->start, q->end, NULL, &answer);
        bool found = result != BW_OK || answer.answer != BW_CCD_APART;
        hits += q->contact;
        missed += q->contact && !found;
        close += answer.answer == BW_CCD_CLOSE;
        exact += answer.exact;
        if (!q->contact && found) {
            invented++;
            printf("  query %" PRIu32 " is apart by %.3g and was called in contact\n", i,
                   true_distance(edges, q));
        }
        if (q->contact && !found)
            printf("  query %" PRIu32 " is in contact and was missed\n", i);
    }
    uint32_t misses = all.count - hits;
    printf("%s queries: %" PRIu32 ", %" PRIu32 " in contact; missed %" PRIu32 ", invented %" PRIu32
           ", left as close %" PRIu32 ", decided by exact integers %" PRIu32 "\n",
           edges ? "edge-edge" : "vertex-face", all.count, hits, missed, invented, close, exact);
    bws_ccd_queries_release(&all);
    return missed == 0 && invented * 100 <= misses;
}

/* A contact as four numbers that do not depend on how edges are counted. */
typedef struct name {
    uint32_t kind, v[4];
} name;

static name name_of(bw_ccd_feature feature, const uint32_t a[2], const uint32_t b[2])
{
    bool swap = feature == BW_CCD_EDGE_EDGE && (a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]));
    const uint32_t *x = swap ? b : a, *y = swap ? a : b;
    return (name){(uint32_t)feature, {x[0], x[1], y[0], y[1]}};
}

static int by_name(const void *a, const void *b)
{
    const name *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (x->v[i] != y->v[i])
            return x->v[i] < y->v[i] ? -1 : 1;
    return 0;
}

static uint32_t missing(const name *these, uint32_t count, const name *those, uint32_t those_count)
{
    uint32_t absent = 0;
    for (uint32_t i = 0; i < count; i++)
        absent += bsearch(&these[i], those, those_count, sizeof *those, by_name) == NULL;
    return absent;
}

static bool search_scene(const char *scene_name)
{
    enum { CAPACITY = 1 << 17 };
    bws_ccd_scene scene;
    const char *why;
    if (!bws_ccd_read_scene(scene_name, &scene, &why)) {
        printf("%s: %s\n", scene_name, why);
        return false;
    }
    bw_swept_contact *contacts = malloc(CAPACITY * sizeof *contacts);
    name *found = malloc(CAPACITY * sizeof *found), *truth = malloc(CAPACITY * sizeof *truth);
    bw_swept *swept = NULL;
    bw_swept_report report = {0};
    bw_swept_query query = {.contacts = contacts, .contact_capacity = CAPACITY};
    bool good = contacts != NULL && found != NULL && truth != NULL &&
                bw_swept_create(NULL, &scene.start, &scene.end, &swept, NULL) == BW_OK &&
                bw_swept_self(swept, &query, &report, NULL) == BW_OK && report.status == BW_DONE &&
                scene.vertex_face_count + scene.edge_edge_count <= CAPACITY;
    uint32_t count = good ? (uint32_t)report.contact_count : 0, truths = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bw_swept_contact *c = &contacts[i];
        found[i] = c->feature == BW_CCD_EDGE_EDGE
                       ? name_of(c->feature, c->vertices, c->vertices + 2)
                       : name_of(c->feature, (uint32_t[2]){c->a, 0}, (uint32_t[2]){c->b, 0});
    }
    for (uint32_t i = 0; good && i < scene.vertex_face_count; i++)
        truth[truths++] = name_of(BW_CCD_VERTEX_FACE, (uint32_t[2]){scene.vertex_face[i][0], 0},
                                  (uint32_t[2]){scene.vertex_face[i][1], 0});
    for (uint32_t i = 0; good && i < scene.edge_edge_count; i++)
        truth[truths++] =
            name_of(BW_CCD_EDGE_EDGE, scene.edges[scene.edge_edge[i][0]], scene.edges[scene.edge_edge[i][1]]);
    if (good) {
        qsort(found, count, sizeof *found, by_name);
        qsort(truth, truths, sizeof *truth, by_name);
        uint32_t missed = missing(truth, truths, found, count),
                 invented = missing(found, count, truth, truths);
        printf("%s: %" PRIu32 " triangles, %" PRIu64 " + %" PRIu64 " candidates, %" PRIu64
               " vertex-face and %" PRIu64 " edge-edge contacts; missed %" PRIu32 ", invented %" PRIu32 "\n",
               scene_name, scene.start.triangle_count, report.vertex_face_candidates,
               report.edge_edge_candidates, report.vertex_face_count, report.edge_edge_count, missed,
               invented);
        good = missed == 0 && invented == 0 && bw_swept_check(swept) == NULL;
    }
    bw_swept_destroy(swept);
    free(contacts);
    free(found);
    free(truth);
    bws_ccd_scene_release(&scene);
    return good;
}

static bool probe_touches(void)
{
    bool good = true;
    for (int scale = -6; scale <= 6; scale++) {
        uint32_t missed = 0, late = 0;
        bws_random random = bws_random_seeded((uint64_t)(scale + 100));
        for (uint32_t i = 0; i < TOUCHES; i++)
            for (int edges = 0; edges < 2; edges++) {
                bw_ccd_sample s;
                double time;
                bw_ccd_touching(&random, edges, (int)lround(scale * log2(10)), &s, &time);
                bw_ccd_result answer = bw_ccd_ask(edges, &s, NULL);
                missed += answer.answer == BW_CCD_APART;
                late += answer.answer != BW_CCD_APART && answer.time > time;
            }
        printf("touches at the scale 1e%+d: %d of each kind, missed %" PRIu32 ", late %" PRIu32 "\n", scale,
               TOUCHES, missed, late);
        good &= missed == 0 && late == 0;
    }
    return good;
}

int main(void)
{
    if (bws_ccd_data() == NULL) {
        printf("skipped: BOXWOOD_DATA does not name the public data\n");
        return SKIPPED;
    }
    bool good = ask_queries(false);
    good &= ask_queries(true);
    good &= search_scene("rod-twist");
    good &= search_scene("cloth-funnel");
    good &= probe_touches();
    printf("%s\n", good ? "all true" : "FAILED");
    return good ? PASSED : FAILED;
}
