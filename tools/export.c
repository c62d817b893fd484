/* boxwood export: a file's triangles as they are checked, for other programs. */
#define _POSIX_C_SOURCE 200809L
#include "body.h"
#include "commands.h"
#include "io/obj_write.h"
#include "pose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const option_spec options[] = {{"pose", "POSE", "place the mesh first"},
                                      {"quarantine", NULL,
                                       "leave out triangles with defects, and vertices that none of "
                                       "the\nothers uses; triangles are renumbered"},
                                      {NULL, NULL, NULL}};

/* What is called by the name of another format would not be read again. */
static bool is_obj_name(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash + 1 : file, '.');
    return !dot || strcasecmp(dot, ".obj") == 0;
}

static int run(const args *given)
{
    fault why;
    if (!is_obj_name(given->names[1]))
        return complain("%s: what is written is an OBJ file; call it .obj", given->names[1]);
    bw_transform pose;
    body b;
    const char *text = args_value(given, "pose");
    if ((text && !pose_parse(text, "pose", &pose, &why)) ||
        !body_read(given->names[0], text ? &pose : NULL, &b, &why))
        return complain("%s", why.text);
    /* The tree is built for its judgement of the mesh. */
    bool fine = body_build(&b, args_given(given, "quarantine"), &why);
    if (fine) {
        uint32_t count;
        const uint32_t *bad = bw_tree_quarantine(b.tree, &count);
        bool *left_out = NULL;
        if (count > 0) {
            size_t primitives = bw_mesh_primitive_count(&b.mesh);
            left_out = memset(tool_alloc(primitives, sizeof *left_out), 0, primitives * sizeof *left_out);
            for (uint32_t i = 0; i < count; i++)
                left_out[bad[i]] = true;
            warn("%s: %" PRIu32 " %s with defects are left out", b.model.file, count, body_kind(&b));
        }
        fine = obj_write(given->names[1], &b.model, left_out, &why);
        free(left_out);
    }
    body_free(&b);
    return fine ? 0 : complain("%s", why.text);
}

const command command_export = {
    "export",
    "write a file's triangles as OBJ, as boxwood sees them",
    "FILE OUT.obj [--pose POSE]",
    "Reads any file, cuts its polygons into triangles, puts all its meshes where they stand,\n"
    "applies the pose and writes an OBJ file. Coordinates are written with as many digits as\n"
    "give the same double back, and triangles in the order in which check numbers them: what\n"
    "check answers for FILE --pose-a POSE it answers for OUT.obj. OUT \"-\" is the output.\n"
    "\n" POSE_HELP,
    options,
    "examples:\n"
    "  boxwood export robot.glb robot.obj\n"
    "  boxwood export bunny.ply - --pose \"s=100 rx=90\"\n"
    "  boxwood export scene:torus:5000 torus.obj\n"
    "\n"
    "exit codes: 0 written, 2 error\n",
    2,
    2,
    run};
