/* A file's geometry, flat: all its meshes in one array of vertices and one of triangles, with the way back
 * from a triangle to the mesh, the face and the line it came from. */
#ifndef TOOL_IO_MODEL_H
#define TOOL_IO_MODEL_H

#include "fault.h"

#include <boxwood/mesh.h>

typedef struct model_part {
    char *name; /* of the mesh or group; may be empty */
    uint32_t first_triangle, triangle_count;
    uint32_t face_count; /* faces of the file that became its triangles */
} model_part;

/* A mesh that stands somewhere, as the nodes of a file may place one mesh many times. */
typedef struct model_place {
    char *name;    /* of the node and the mesh; may be empty */
    uint32_t part; /* whose triangles stand here; BW_NONE: points only */
    uint32_t first_vertex, vertex_count;
    bw_transform pose;
    bool moved; /* the pose is not the identity */
} model_place;

/* The axis that points up, where a file says so. */
typedef enum model_up { MODEL_UP_UNKNOWN = 0, MODEL_UP_X = 1, MODEL_UP_Y = 2, MODEL_UP_Z = 3 } model_up;

/* An animation that a file has to choose from. */
typedef struct model_clip {
    char *name;        /* may be empty */
    double begin, end; /* seconds: of its first and its last key */
    uint32_t channels;
    uint64_t keys; /* of all channels */
} model_clip;

/* What was not taken over; each is worth a warning. */
typedef struct model_losses {
    bool misnamed;                    /* read as what its content is, not as what its name says */
    uint64_t point_faces, line_faces; /* beside triangles */
    uint64_t bent_polygons; /* not simple seen along their normal: cut as fans, so their shape is a guess */
    uint64_t ignored_lines; /* statements of an OBJ file that are not known */
    uint32_t first_ignored_line;
    uint32_t animations; /* the rest pose is read */
    uint32_t
        strange_channels; /* of an animation: they move what is not there, or in a way that is not known */
} model_losses;

/* Where the vertices of a model are at some times; linear in between. */
typedef struct model_film {
    uint32_t frame_count; /* 0: nothing moves, or nobody asked */
    bw_scalar scalar;     /* of the frames: as the file has them */
    double *times;        /* seconds, ascending; one that stands twice: before and after a jump */
    void **frames;        /* x, y, z of every vertex, into data */
    char *clip;           /* the name of what is played; may be empty */
    void *data;
    size_t bytes;
    bool mapped; /* the data is a file, not memory */
} model_film;

typedef struct model {
    char *file;
    char format[32];
    double *positions; /* x, y, z */
    uint32_t vertex_count;
    uint32_t *indices; /* NULL: a point cloud */
    uint32_t triangle_count;
    uint32_t *faces; /* of each triangle: its face, counted from 0 within its part */
    model_part *parts;
    uint32_t part_count;
    model_place *places; /* NULL: every part stands once, where its vertices are */
    uint32_t place_count;
    uint32_t *labels;   /* of each triangle: one of label_names, or BW_NONE; NULL: none is known */
    char **label_names; /* the bone and the material of triangles, each name once, ascending */
    uint32_t label_count;
    uint32_t *triangle_lines, *vertex_lines; /* lines of a text file, from 1; NULL where there are none */
    double unit; /* metres to one unit of the coordinates; 0: the file does not say */
    model_up up;
    model_clip *clips; /* what can be played */
    uint32_t clip_count;
    model_losses losses;
    char **notes; /* what else its reader left out or took otherwise, a sentence each */
    uint32_t note_count;
    model_film film;
} model;

/* Reads any file, whatever its name (io/format.h): OBJ, PLY, STL, OFF and glTF by readers of our own, that
 * keep every digit and name the place at why, anything else through assimp; "scene:NAME[:SIZE]" makes a
 * built-in scene. */
bool model_read(const char *file, model *out, fault *why);
/* The same with each mesh once and the places where it stands, if the file has such. */
bool model_read_placed(const char *file, model *out, fault *why);
/* Repeats every mesh at each of its places: afterwards there are none, and a part for each. On failure the
 * model is given back. Triangles of places that mirror are wound the other way round, so that their fronts
 * stay fronts. */
bool model_flatten(model *model, fault *why);
void model_free(model *model);
void model_film_free(model_film *film);
/* Adds a note, which model_warn prints. */
void model_note(model *model, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints what the reader left out or guessed. */
void model_warn(const model *model);

bw_mesh model_view(const model *model);
/* The part that a triangle stands in; NULL for points. */
const model_part *model_part_of(const model *model, uint32_t triangle);
/* Whether a place is moved by this pose. */
bool model_pose_moves(const bw_transform *pose);
/* Whether it turns fronts to backs. */
bool model_pose_mirrors(const bw_transform *pose);
/* Maps every vertex as bw_transform_point does. */
void model_transform(model *model, const bw_transform *pose);

#endif
