/* Reading the public truth on continuous collision from the folder that BOXWOOD_DATA names: queries with
 * their true answers, and two frames of a simulation with all its true contacts. None of the data is part of
 * this project. */
#ifndef BWS_CCD_DATA_H
#define BWS_CCD_DATA_H

#include <boxwood/mesh.h>

typedef struct bws_ccd_query {
    bw_vec3 start[4], end[4];
    bool contact; /* the truth */
} bws_ccd_query;

typedef struct bws_ccd_queries {
    bws_ccd_query *items;
    uint32_t count, capacity;
} bws_ccd_queries;

/* The folder, or NULL where BOXWOOD_DATA is unset or has no "ccd" inside. */
const char *bws_ccd_data(void);

/* Adds the queries of a file of eight rows each, relative to the folder. answers: a file of the true answers,
 * for files without a seventh column, or NULL. False, with a sentence in *why, for what cannot be read. */
bool bws_ccd_read_queries(const char *file, const char *answers, bws_ccd_queries *out, const char **why);
void bws_ccd_queries_release(bws_ccd_queries *queries);

/* Adds all queries that there are of vertices and faces, or of edges. */
bool bws_ccd_read_all(bool edges, bws_ccd_queries *out, const char **why);

typedef struct bws_ccd_scene {
    bw_mesh start, end; /* the same triangles at both ends, of doubles */
    uint32_t edge_count;
    uint32_t (*edges)[2];       /* (low, high), sorted by (high, low): the numbers that pairs refer to */
    uint32_t (*vertex_face)[2]; /* true contacts: vertex, face */
    uint32_t vertex_face_count;
    uint32_t (*edge_edge)[2];
    uint32_t edge_edge_count;
} bws_ccd_scene;

/* "rod-twist" or "cloth-funnel". */
bool bws_ccd_read_scene(const char *name, bws_ccd_scene *out, const char **why);
void bws_ccd_scene_release(bws_ccd_scene *scene);

#endif
