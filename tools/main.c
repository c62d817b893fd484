/* boxwood: the table of commands and what holds for all of them. */
#include "commands.h"
#include "interrupt.h"

#include <boxwood/base.h>
#include <stdio.h>
#include <string.h>

static const command *const commands[] = {&command_info,
                                          &command_check,
                                          &command_clash,
                                          &command_scene,
                                          &command_export,
                                          &command_bake,
                                          &command_track,
                                          &command_pack,
                                          &command_merge,
                                          &command_view,
                                          &command_dump,
                                          &command_demo,
                                          NULL};

/* What this build reads and writes beyond the formats that are always there. */
static const struct {
    const char *what, *library;
    bool there;
} parts[] = {
#ifdef BOXWOOD_GLTF
    {"glTF", "jansson", true},
#else
    {"glTF", "jansson", false},
#endif
#ifdef BOXWOOD_MESHOPT
    {"glTF with meshopt compression", "libmeshoptimizer", true},
#else
    {"glTF with meshopt compression", "libmeshoptimizer", false},
#endif
#ifdef BOXWOOD_DRACO
    {"glTF with Draco compression", "libdraco", true},
#else
    {"glTF with Draco compression", "libdraco", false},
#endif
#ifdef BOXWOOD_ASSIMP
    {"FBX, COLLADA and other formats", "assimp", true},
#else
    {"FBX, COLLADA and other formats", "assimp", false},
#endif
#ifdef BOXWOOD_STEP
    {"STEP, IGES and BREP", "OpenCASCADE", true},
#else
    {"STEP, IGES and BREP", "OpenCASCADE", false},
#endif
#ifdef BOXWOOD_PNG
    {"PNG pictures", "libpng", true},
#else
    {"PNG pictures", "libpng", false},
#endif
#ifdef BOXWOOD_ZIP
    {"BCF reports", "minizip", true},
#else
    {"BCF reports", "minizip", false},
#endif
#ifdef BOXWOOD_ZLIB
    {"files compressed by gzip", "zlib", true},
#else
    {"files compressed by gzip", "zlib", false},
#endif
    {"the structures of the papers", "BOXWOOD_RESEARCH", BW_RESEARCH},
};

static void version(void)
{
    printf("boxwood %s\n", bw_version_string());
    puts("with     OBJ, PLY, STL, OFF, MDL, MD2, MD3");
    for (int there = 1; there >= 0; there--)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (parts[i].there == there)
                printf("%s  %s (%s)\n", there ? "with   " : "without", parts[i].what, parts[i].library);
}

static void help(void)
{
    puts("usage: boxwood COMMAND ...\n"
         "       boxwood --help | --version\n"
         "\n"
         "Collision detection among meshes, with exact answers.\n"
         "\n"
         "commands:");
    for (int i = 0; commands[i]; i++)
        printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
    puts("\n"
         "options:\n"
         "  --help    print this text, or after a command that command's\n"
         "  --version print the version, and what this build reads and writes\n"
         "\n"
         "Files: OBJ, PLY, STL, OFF and glTF 2.0 are read digit by digit, FBX, COLLADA, 3DS and\n"
         "some fifty others through assimp. What a file holds decides, whatever its name.\n"
         "scene:NAME[:SIZE] is a built-in scene.\n"
         "\n"
         "examples:\n"
         "  boxwood demo                          see scenes move, deform and collide\n"
         "  boxwood info bunny.obj                what is in a file, and what is wrong with it\n"
         "  boxwood check bunny.obj teapot.stl    do they touch or cross?\n"
         "  boxwood clash engine.glb              which of its parts collide?\n"
         "  boxwood check scene:torus scene:torus --pose-b \"rx=90 t=0.5,0,0\" --all\n"
         "\n"
         "exit codes: 0 done (check, clash: apart), 1 in contact, 2 error");
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        complain("no command; boxwood --help lists them");
        return EXIT_FAULT;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc == 2)) {
        help();
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        version();
        return 0;
    }
    bool wants_help = strcmp(name, "help") == 0;
    for (int i = 0; commands[i]; i++) {
        if (strcmp(wants_help ? argv[2] : name, commands[i]->name) != 0)
            continue;
        if (!wants_help)
            return command_run(commands[i], argc - 2, argv + 2);
        command_help(commands[i]);
        return 0;
    }
    return complain("no command \"%s\"; boxwood --help lists them", wants_help ? argv[2] : name);
}

int main(int argc, char **argv)
{
    int result = run(argc, argv);
    /* An answer that did not arrive (a full disk) is no answer. */
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("the output could not be written");
    interrupt_obey();
    return result;
}
