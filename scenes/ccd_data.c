#include "scenes/ccd_data.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder(void)
{
    return getenv("BOXWOOD_DATA");
}

/* The whole file, with a zero after it, or NULL. */
static char *read_text(const char *relative, size_t *size)
{
    char path[1024];
    if (folder() == NULL ||
        (size_t)snprintf(path, sizeof path, "%s/ccd/%s", folder(), relative) >= sizeof path)
        return NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    size_t capacity = 1 << 20, length = 0, got = 1;
    while (got > 0) {
        capacity *= 2;
        char *grown = realloc(text, capacity);
        if (grown == NULL) {
            free(text);
            fclose(file);
            return NULL;
        }
        text = grown;
        got = fread(text + length, 1, capacity - 1 - length, file);
        length += got;
    }
    fclose(file);
    text[length] = 0;
    *size = length;
    return text;
}

const char *bws_ccd_data(void)
{
    size_t size;
    char *text = read_text("queries/LICENSE", &size);
    bool there = text != NULL;
    free(text);
    return there ? folder() : NULL;
}

static bws_ccd_query *add_query(bws_ccd_queries *queries)
{
    if (queries->count == queries->capacity) {
        uint32_t capacity = queries->capacity == 0 ? 1024 : 2 * queries->capacity;
        bws_ccd_query *grown = realloc(queries->items, capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        queries->items = grown;
        queries->capacity = capacity;
    }
    return &queries->items[queries->count++];
}

/* A number over a number: both exact in double, the second a power of two. */
static bool read_ratio(char **at, double *out)
{
    char *end;
    double numerator = strtod(*at, &end);
    if (end == *at || *end != ',')
        return false;
    *at = end + 1;
    double denominator = strtod(*at, &end);
    if (end == *at || !(denominator > 0))
        return false;
    *at = *end == ',' ? end + 1 : end;
    *out = numerator / denominator;
    return true;
}

bool bws_ccd_read_queries(const char *file, const char *answers, bws_ccd_queries *out, const char **why)
{
    size_t size;
    char *text = read_text(file, &size), *truth = answers != NULL ? read_text(answers, &size) : NULL;
    bool good = text != NULL && (answers == NULL || truth != NULL);
    *why = "a file cannot be opened";
    char *at = text, *next_truth = truth;
    while (good && *at != 0) {
        bws_ccd_query *query = add_query(out);
        good = query != NULL;
        for (int row = 0; good && row < 8; row++) {
            bw_vec3 *p = row < 4 ? &query->start[row] : &query->end[row - 4];
            good = read_ratio(&at, &p->x) && read_ratio(&at, &p->y) && read_ratio(&at, &p->z);
            if (good && truth == NULL)
                query->contact = strtol(at, &at, 10) != 0;
            while (isspace((unsigned char)*at))
                at++;
        }
        if (good && truth != NULL) {
            next_truth += strcspn(next_truth, "tf");
            good = *next_truth != 0;
            query->contact = *next_truth == 't';
            next_truth += good ? (*next_truth == 't' ? 4 : 5) : 0;
        }
        if (!good)
            *why = "a file of queries is not as expected";
    }
    free(text);
    free(truth);
    return good;
}

void bws_ccd_queries_release(bws_ccd_queries *queries)
{
    free(queries->items);
    *queries = (bws_ccd_queries){NULL, 0, 0};
}

bool bws_ccd_read_all(bool edges, bws_ccd_queries *out, const char **why)
{
    static const char *const sets[] = {"erleben-spikes", "erleben-spike-crack", "erleben-wedges",
                                       "erleben-cube-cliff-edges", "erleben-sliding-wedge"};
    static const char *const scenes[][2] = {{"rod-twist", "3036"}, {"cloth-funnel", "227"}};
    const char *pair = edges ? "ee" : "vf";
    char name[256], answers[256];
    bool good = true;
    for (int i = 0; i < 5; i++)
        for (int part = 0; good && part < 2; part++) {
            snprintf(name, sizeof name, "queries/%s/%s/data_0_%d.csv", sets[i],
                     edges ? "edge-edge" : "vertex-face", part);
            good = bws_ccd_read_queries(name, NULL, out, why);
        }
    for (int i = 0; good && i < 2; i++) {
        snprintf(name, sizeof name, "scenes/%s/queries/%s%s.csv", scenes[i][0], scenes[i][1], pair);
        snprintf(answers, sizeof answers, "scenes/%s/mma_bool/%s%s_mma_bool.json", scenes[i][0], scenes[i][1],
                 pair);
        good = bws_ccd_read_queries(name, answers, out, why);
    }
    return good;
}

/* ---- Scenes ---- */

/* A binary PLY of doubles with lists of three indices: what the data has. */
static bool read_frame(const char *file, bw_mesh *out)
{
    size_t size;
    char *text = read_text(file, &size);
    if (text == NULL)
        return false;
    char *header_end = strstr(text, "end_header\n"), *vertices = strstr(text, "element vertex "),
         *faces = strstr(text, "element face ");
    bool good = header_end != NULL && vertices != NULL && faces != NULL &&
                strstr(text, "binary_little_endian") != NULL;
    if (good) {
        uint32_t vertex_count = (uint32_t)strtoul(vertices + 15, NULL, 10);
        uint32_t face_count = (uint32_t)strtoul(faces + 13, NULL, 10);
        size_t body = (size_t)(header_end - text) + 11;
        bool wide =
            strstr(text, "property double x") != NULL && strstr(text, "property double x") < header_end;
        size_t scalar = wide ? 8 : 4;
        good = size >= body + vertex_count * 3 * scalar + face_count * (size_t)13;
        double *positions = malloc(vertex_count * 3 * sizeof *positions);
        uint32_t *indices = malloc(face_count * 3 * sizeof *indices);
        good = good && positions != NULL && indices != NULL;
        for (size_t i = 0; good && i < (size_t)vertex_count * 3; i++) {
            float narrow;
            if (wide) {
                memcpy(&positions[i], text + body + 8 * i, 8);
            } else {
                memcpy(&narrow, text + body + 4 * i, 4);
                positions[i] = (double)narrow;
            }
        }
        const char *at = text + body + vertex_count * 3 * scalar;
        for (uint32_t i = 0; good && i < face_count; i++, at += 13) {
            good = at[0] == 3;
            memcpy(&indices[3 * (size_t)i], at + 1, 12);
        }
        *out = (bw_mesh){positions, BW_F64, vertex_count, 0, indices, face_count};
    }
    free(text);
    return good;
}

static int by_high_low(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    if (x[1] != y[1])
        return x[1] < y[1] ? -1 : 1;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

static bool list_edges(bws_ccd_scene *scene)
{
    uint32_t triangles = scene->start.triangle_count;
    scene->edges = malloc(3 * (size_t)triangles * sizeof *scene->edges);
    if (scene->edges == NULL)
        return false;
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        uint32_t a = scene->start.indices[i], b = scene->start.indices[i % 3 == 2 ? i - 2 : i + 1];
        scene->edges[i][0] = a < b ? a : b;
        scene->edges[i][1] = a < b ? b : a;
    }
    qsort(scene->edges, 3 * (size_t)triangles, sizeof *scene->edges, by_high_low);
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3 * triangles; i++)
        if (i == 0 || by_high_low(scene->edges[i], scene->edges[count - 1]) != 0) {
            scene->edges[count][0] = scene->edges[i][0];
            scene->edges[count++][1] = scene->edges[i][1];
        }
    scene->edge_count = count;
    return true;
}

/* The pairs of "[[a,b],...]" whose answer in "[true,false,...]" is true, the offsets taken off. */
static bool read_pairs(const char *file, const char *answers, uint32_t first_offset, uint32_t second_offset,
                       uint32_t (**out)[2], uint32_t *out_count)
{
    size_t size, answer_size;
    char *text = read_text(file, &size), *truth = read_text(answers, &answer_size);
    bool good = text != NULL && truth != NULL;
    *out = good ? malloc((answer_size + 1) * sizeof **out) : NULL;
    good = *out != NULL;
    uint32_t count = 0;
    for (char *at = text, *t = truth; good;) {
        t += strcspn(t, "tf");
        if (*t == 0)
            break;
        at += strcspn(at, "0123456789");
        uint32_t a = (uint32_t)strtoul(at, &at, 10);
        at += strcspn(at, "0123456789");
        good = *at != 0;
        uint32_t b = (uint32_t)strtoul(at, &at, 10);
        if (*t == 't') {
            (*out)[count][0] = a - first_offset;
            (*out)[count++][1] = b - second_offset;
        }
        t += *t == 't' ? 4 : 5;
    }
    free(text);
    free(truth);
    *out_count = count;
    return good;
}

bool bws_ccd_read_scene(const char *name, bws_ccd_scene *out, const char **why)
{
    *out = (bws_ccd_scene){0};
    int first = strcmp(name, "rod-twist") == 0 ? 3036 : 227;
    char path[256], answers[256];
    *why = "a frame cannot be read";
    snprintf(path, sizeof path, "scenes/%s/frames/%d.ply", name, first);
    bool good = read_frame(path, &out->start);
    snprintf(path, sizeof path, "scenes/%s/frames/%d.ply", name, first + 1);
    good = good && read_frame(path, &out->end) && list_edges(out);
    if (good) {
        *why = "a list of pairs cannot be read";
        uint32_t edge_offset = out->start.vertex_count, face_offset = edge_offset + out->edge_count;
        snprintf(path, sizeof path, "scenes/%s/boxes/%dvf.json", name, first);
        snprintf(answers, sizeof answers, "scenes/%s/mma_bool/%dvf_mma_bool.json", name, first);
        good = read_pairs(path, answers, 0, face_offset, &out->vertex_face, &out->vertex_face_count);
        snprintf(path, sizeof path, "scenes/%s/boxes/%dee.json", name, first);
        snprintf(answers, sizeof answers, "scenes/%s/mma_bool/%dee_mma_bool.json", name, first);
        good = good &&
               read_pairs(path, answers, edge_offset, edge_offset, &out->edge_edge, &out->edge_edge_count);
    }
    if (!good)
        bws_ccd_scene_release(out);
    return good;
}

void bws_ccd_scene_release(bws_ccd_scene *scene)
{
    free((void *)scene->start.positions);
    free((void *)scene->start.indices);
    free((void *)scene->end.positions);
    free((void *)scene->end.indices);
    free(scene->edges);
    free(scene->vertex_face);
    free(scene->edge_edge);
    *scene = (bws_ccd_scene){0};
}
