/* An open file: its JSON, the bytes that it names, and what was read of both. */
#ifndef TOOL_IO_GLTF_DOCUMENT_H
#define TOOL_IO_GLTF_DOCUMENT_H

#include "io/gltf/gltf.h"
#include "io/gltf/path.h"

typedef enum gltf_list {
    LIST_ACCESSORS,
    LIST_ANIMATIONS,
    LIST_BUFFERS,
    LIST_VIEWS,
    LIST_MESHES,
    LIST_NODES,
    LIST_SCENES,
    LIST_SKINS,
    LIST_COUNT
} gltf_list;

/* A run of bytes that is made when somebody needs it. */
typedef struct gltf_bytes {
    bool known;
    const uint8_t *bytes;
    size_t size;
    uint8_t *own; /* to be freed; NULL: the bytes are somebody else's */
} gltf_bytes;

typedef struct gltf_node {
    const char *name;    /* NULL: none */
    uint32_t above;      /* BW_NONE: a root */
    uint32_t mesh, skin; /* BW_NONE: none */
    bool has_matrix;     /* instead of the three that follow */
    bw_transform matrix;
    double translation[3], rotation[4], scale[3];
    double *weights; /* of the node; NULL: those of the mesh */
    bool in_scene;
} gltf_node;

/* Triangles of one primitive of a mesh. */
typedef struct gltf_run {
    uint32_t end;         /* the first triangle after it */
    const char *material; /* its name; NULL: none */
} gltf_run;

/* The primitives of a mesh, joined. */
typedef struct gltf_mesh {
    bool read;
    bool skinned; /* by a node of the scene: else its joints do not matter */
    uint32_t vertex_count, triangle_count;
    double *positions;
    uint32_t *corners;
    gltf_run *runs; /* one after the other, to the last triangle */
    uint32_t target_count;
    double **targets;    /* displacements, 3 for each vertex; NULL: none */
    double *weights;     /* of the targets */
    uint32_t influences; /* joints of each vertex; 0: no skin fits */
    uint32_t *joints;
    double *joint_weights;              /* they sum to 1 */
    uint32_t least_joints;              /* that a skin must have */
    uint32_t far_primitive, far_vertex; /* which needs so many */
} gltf_mesh;

typedef struct gltf_skin {
    uint32_t joint_count;
    uint32_t *joints;       /* nodes */
    bw_transform *inverses; /* of the bind pose; NULL: identities */
} gltf_skin;

/* A mesh that stands somewhere. */
typedef struct gltf_place {
    uint32_t node, mesh;
    char *name;
    bool instanced;
    bw_transform pose; /* of the instance, below that of the node */
} gltf_place;

typedef enum gltf_target { TARGET_TRANSLATION, TARGET_ROTATION, TARGET_SCALE, TARGET_WEIGHTS } gltf_target;
typedef enum gltf_interpolation {
    INTERPOLATE_LINEAR,
    INTERPOLATE_STEP,
    INTERPOLATE_CUBIC
} gltf_interpolation;

typedef struct gltf_channel {
    uint32_t node;
    gltf_target target;
    gltf_interpolation interpolation;
    uint32_t key_count, width; /* numbers in a value */
    double *times;
    double *values; /* for a cubic spline: the tangent into the key, the value and the tangent out of it */
} gltf_channel;

typedef struct gltf_clip_data {
    const char *name;
    gltf_channel *channels;
    uint32_t channel_count, strange_channels;
} gltf_clip_data;

struct gltf {
    char *file;
    path_root root;
    json_t *json;
    path top;
    path lists[LIST_COUNT];
    uint32_t counts[LIST_COUNT];
    bool binary, alone;
    uint8_t *chunk; /* BIN of a GLB; NULL: none */
    size_t chunk_size;
    uint64_t bytes_left;
    gltf_bytes *buffers, *views;
    double **decoded; /* of each accessor: its numbers, while meshes are read */
    void **blocks;    /* that live while meshes are read */
    size_t block_count, block_capacity;
    uint32_t *position_uses; /* of each accessor: meshes whose POSITION it is */
    uint32_t *numbering;     /* of vertices, for meshes that share them; all BW_NONE in between */
    uint32_t numbering_size;

    gltf_node *nodes;
    uint32_t *order; /* the nodes, each after the one above it */
    gltf_mesh *meshes;
    gltf_skin *skins;
    gltf_place *places;
    uint32_t place_count;
    size_t place_capacity;
    gltf_clip_data *clips;
    bool clips_read;

    bool cloud;             /* no mesh of the scene has triangles: points are its vertices */
    uint64_t points, lines; /* left out */
    uint64_t cut_corners;   /* at the ends of lists of triangles, too few for one more */
    uint64_t odd_weights;   /* vertices whose weights do not sum to 1 */
    char **notes;
    size_t note_count, note_capacity;
};

/* Something the user should know. */
void gltf_note(gltf *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A zeroed block that counts against what the file may take. NULL with the fault at `at`. */
void *gltf_room(gltf *g, const path *at, uint64_t count, size_t size);
/* The same, given back when the meshes are read. */
void *gltf_block(gltf *g, const path *at, uint64_t count, size_t size);
path gltf_item(const gltf *g, gltf_list list, uint32_t index);

/* Finds the lists and checks versions and extensions. */
bool document_open(gltf *g, const char *json, size_t size);

#endif
