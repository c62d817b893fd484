/* Writes reports to look at and to test pages, scenes and pictures with: samples FOLDER [NAME...]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <boxwood/contact.h>

#include "report/glb.h"
#include "report/html.h"
#include "report/picture.h"
#include "scenes/scenes.h"

static void must(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "samples: %s\n", what);
    exit(1);
}

static bws_mesh made(const char *name, uint32_t triangles)
{
    bws_mesh mesh;
    must(bws_scene_find(name)->make(triangles, BW_F64, &mesh) == BW_OK, name);
    return mesh;
}

/* Fills in what the library says of two parts where they stand; nothing where they are apart. */
static bool collide(report *r, uint32_t a, uint32_t b)
{
    const report_part *parts[2] = {&r->parts[a], &r->parts[b]};
    bw_body bodies[2];
    bw_tree *trees[2];
    for (int i = 0; i < 2; i++) {
        const bw_mesh *view = &r->meshes[parts[i]->mesh].view;
        must(bw_tree_create(NULL, view, &trees[i], NULL) == BW_OK, "a tree");
        bodies[i] = (bw_body){trees[i], view, parts[i]->posed ? &parts[i]->pose : NULL};
    }
    enum { MOST = 20000 };
    bw_contact *contacts = tool_alloc(MOST, sizeof *contacts);
    bw_contacts_desc desc = {.depth = true, .volume = true};
    bw_contacts_report found = {0};
    must(bw_contacts(&bodies[0], &bodies[1], &desc, contacts, MOST, &found, NULL) == BW_OK, "contacts");
    if (found.contact_count > 0) {
        report_finding *f = report_add_finding(r, a, b, REPORT_HARD);
        f->depth_lower = found.depth_lower;
        f->depth_upper = found.depth_upper;
        f->volume = found.volume;
        f->volume_error = found.volume_error;
        f->pair_count = found.contact_count;
        f->region_count = (uint32_t)found.region_count;
        double length =
            sqrt(found.translation.x * found.translation.x + found.translation.y * found.translation.y +
                 found.translation.z * found.translation.z);
        if (length > 0)
            f->direction = (bw_vec3){found.translation.x / length, found.translation.y / length,
                                     found.translation.z / length};
        bw_vec3 sum = {0, 0, 0};
        for (uint64_t i = 0; i < found.contact_count && i < MOST; i++) {
            report_add_segment(f, contacts[i].ends[0], contacts[i].ends[1]);
            sum = (bw_vec3){sum.x + contacts[i].point.x, sum.y + contacts[i].point.y,
                            sum.z + contacts[i].point.z};
        }
        double n = (double)(found.contact_count < MOST ? found.contact_count : MOST);
        f->place = (bw_vec3){sum.x / n, sum.y / n, sum.z / n};
    }
    free(contacts);
    bw_tree_destroy(trees[0]);
    bw_tree_destroy(trees[1]);
    return found.contact_count > 0;
}

static bw_transform posed(double x, double y, double z, double angle, bw_vec3 axis, bw_vec3 scale)
{
    return bw_transform_compose((bw_vec3){x, y, z}, axis, angle, scale);
}

static void write_all(const report *r, const char *folder, const char *name, const report_html_desc *desc)
{
    char file[4096];
    fault why;
    snprintf(file, sizeof file, "%s/%s.html", folder, name);
    FILE *out = fopen(file, "wb");
    must(out != NULL, file);
    report_html_size size;
    must(report_write_html(r, out, desc, &size, &why), file);
    must(fclose(out) == 0, file);
    char scene[4096];
    snprintf(scene, sizeof scene, "%s/%s.glb", folder, name);
    must(report_glb_file(r, scene, &why), scene);
    for (int i = 0; REPORT_PNG && i < 2; i++) {
        report_picture_desc picture = {
            .width = 600, .height = 400, .finding = i == 0 ? REPORT_NO_FINDING : 0};
        snprintf(scene, sizeof scene, "%s/%s-%s.png", folder, name, i == 0 ? "all" : "first");
        must(report_png_file(r, scene, &picture, &why), why.text);
    }
    printf("%s: %.2f MB: meshes %.2f, films %.2f, findings %.2f, page %.2f; %u boxes, every %u. frame\n",
           file, (double)size.bytes / 1e6, (double)size.geometry_bytes / 1e6, (double)size.film_bytes / 1e6,
           (double)size.finding_bytes / 1e6, (double)size.page_bytes / 1e6, size.boxes, size.frame_step);
}

/* Pots, rings and balls in a hall; five of them clash. */
static void sample_clash(const char *folder)
{
    bws_mesh pot = made("pot", 4000), ring = made("torus", 3000), ball = made("bumpy-sphere", 2000);
    report r = report_start("clash", "Tea room, level 2");
    r.unit = 0.001;
    r.up = MODEL_UP_Z;
    r.tolerance = 0.001;
    r.clearance = 0.2;
    report_note(&r, "12 pairs of mated faces are left out by the tolerance.");
    uint32_t meshes[3] = {report_add_mesh(&r, &(report_mesh){.view = bws_view(&pot)}),
                          report_add_mesh(&r, &(report_mesh){.view = bws_view(&ring)}),
                          report_add_mesh(&r, &(report_mesh){.view = bws_view(&ball)})};
    static const char *const names[3] = {"Pot", "Ring", "Ball"};
    char name[128];
    for (int i = 0; i < 36; i++) {
        double x = 4.5 * (i % 6), y = 4.5 * (i / 6);
        bw_transform pose = posed(x, y, 0, 0.4 * i, (bw_vec3){0, 0, 1}, (bw_vec3){1, 1, 1});
        snprintf(name, sizeof name, "Level 2/Room %d/%s %d", i / 6 + 1, names[i % 3], i);
        report_add_part(&r, name, "tea-room.glb", meshes[i % 3], &pose);
    }
    for (int i = 0; i < 5; i++) {
        int at = 7 * i;
        bw_transform pose = posed(4.5 * (at % 6) + 0.9 + 0.13 * i, 4.5 * (at / 6) + 0.3, 0.7 - 0.1 * i,
                                  0.9 + 0.4 * i, (bw_vec3){1, 0.3, 0.2}, (bw_vec3){0.6, 0.6, 0.6});
        snprintf(name, sizeof name, "Pipes/Loop %c/Bend", 'A' + i);
        collide(&r, (uint32_t)at, report_add_part(&r, name, "pipes.ifc", meshes[1], &pose));
    }
    report_finding *f = report_add_finding(&r, 1, 2, REPORT_CLEARANCE);
    f->distance = 0.15;
    f->nearest[0] = f->place = (bw_vec3){5.85, 0, 0};
    f->nearest[1] = (bw_vec3){6.0, 0, 0};
    f = report_add_finding(&r, 3, 4, REPORT_TOUCHING);
    f->place = (bw_vec3){15.5, 0, 0.4};
    f->depth_upper = 0;
    report_sort(&r);
    must(r.finding_count == 7, "tea room: other clashes than meant");
    write_all(&r, folder, "clash", NULL);
    report_free(&r);
    bws_mesh_free(&pot);
    bws_mesh_free(&ring);
    bws_mesh_free(&ball);
}

/* A ring sinks through a waving cloth. */
static void sample_track(const char *folder)
{
    enum { FRAMES = 61 };
    bws_mesh ring = made("torus", 2000), cloth;
    bws_sheet_desc sheet = {.columns = 40, .rows = 40, .size = 3};
    must(bws_sheet(&sheet, 0, BW_F64, &cloth) == BW_OK, "a cloth");
    double times[FRAMES];
    double *frames[2][FRAMES];
    bws_mesh *meshes[2] = {&cloth, &ring};
    report r = report_start("track", "A ring sinks through a cloth");
    r.up = MODEL_UP_Z;
    r.end = 2;
    bw_vec3 place = {0, 0, 0};
    bws_mesh rest = made("torus", 2000);
    for (int f = 0; f < FRAMES; f++) {
        double t = times[f] = 2.0 * f / (FRAMES - 1);
        bws_sheet_move(&sheet, t, &cloth);
        bw_transform pose = posed(0, 0, 1.2 - 1.2 * t, 0.9 * t, (bw_vec3){1, 0, 0}, (bw_vec3){0.8, 0.8, 0.8});
        for (uint32_t v = 0; v < ring.vertex_count; v++)
            bws_mesh_set_vertex(&ring, v, bw_transform_point(&pose, bws_mesh_vertex(&rest, v)));
        for (int k = 0; k < 2; k++) {
            size_t bytes = 3 * (size_t)meshes[k]->vertex_count * sizeof(double);
            frames[k][f] = tool_alloc(bytes, 1);
            memcpy(frames[k][f], meshes[k]->positions, bytes);
        }
    }
    static const char *const names[2] = {"Cloth", "Ring"}, *const files[2] = {"cloth.obj@cloth.pc2",
                                                                              "ring.glb"};
    const void *views[2][FRAMES];
    for (int k = 0; k < 2; k++) {
        for (int f = 0; f < FRAMES; f++)
            views[k][f] = frames[k][f];
        report_mesh mesh = {.view = bws_view(meshes[k]),
                            .frame_count = FRAMES,
                            .scalar = BW_F64,
                            .times = times,
                            .frames = views[k]};
        mesh.view.positions = frames[k][0];
        report_add_part(&r, names[k], files[k], report_add_mesh(&r, &mesh), NULL);
    }
    report_finding *f = report_add_finding(&r, 0, 1, REPORT_HARD);
    f->timed = true;
    f->depth_upper = 0;
    double first = -1, last = 0;
    for (int k = 0; k < FRAMES; k++) {
        report at = report_start("", "");
        for (int i = 0; i < 2; i++) {
            bw_mesh view = r.meshes[i].view;
            view.positions = frames[i][k];
            report_add_part(&at, "", "", report_add_mesh(&at, &(report_mesh){.view = view}), NULL);
        }
        if (collide(&at, 0, 1)) {
            const report_finding *now = &at.findings[0];
            first = first < 0 ? times[k] : first;
            last = times[k];
            report_add_moment(f, times[k], report_depth(now));
            for (size_t i = 0; i < now->segment_count; i++)
                report_add_segment(f, now->segments[i].ends[0], now->segments[i].ends[1]);
            if (report_depth(now) > f->depth_upper) {
                f->depth_upper = report_depth(now);
                f->depth_lower = now->depth_lower;
                f->direction = now->direction;
                f->deepest = times[k];
                f->pair_count = now->pair_count;
                place = now->place;
            }
        }
        report_free(&at);
    }
    f->from = first;
    f->to = last;
    f->place = place;
    must(first > 0 && last < 2 && f->moment_count > 5, "the ring does not sink through the cloth");
    write_all(&r, folder, "track", NULL);
    write_all(&r, folder, "track-few", &(report_html_desc){.frame_bytes = 300000});
    report_free(&r);
    for (int f2 = 0; f2 < FRAMES; f2++) {
        free(frames[0][f2]);
        free(frames[1][f2]);
    }
    bws_mesh_free(&ring);
    bws_mesh_free(&rest);
    bws_mesh_free(&cloth);
}

/* Names that would be code if they were not text; a scene a million units from the origin; points; nothing finite. */
static void sample_odd(const char *folder)
{
    static const char *const names[] = {"</script><img src=x onerror=\"window.hit=1\">",
                                        "<script>window.hit=1</script>",
                                        "\xff\xfe not UTF-8 \x80",
                                        "<!--<script>",
                                        "a\nline\tand \x1b[31m red \x07",
                                        "\xe2\x80\xae turned",
                                        "&lt;b&gt; ${window.hit=1} '\"`",
                                        ""};
    bws_mesh ring = made("torus", 1000);
    report r = report_start("clash", "</title><script>window.hit=1</script>");
    uint32_t mesh = report_add_mesh(&r, &(report_mesh){.view = bws_view(&ring)});
    for (int i = 0; i < 8; i++) {
        bw_transform pose =
            posed(4e6 + 1.2 * i, -3e6, 1e5, 0.5 * i, (bw_vec3){1, 0, 0}, (bw_vec3){i == 3 ? -1 : 1, 1, 1});
        if (i == 5) /* sheared */
            pose.m[0][1] += 0.3;
        report_add_part(&r, names[i], names[7 - i], mesh, &pose);
    }
    for (uint32_t i = 0; i < 7; i++)
        must(collide(&r, i, i + 1), "rings in a chain");
    bw_mesh cloud = bws_view(&ring);
    cloud.indices = NULL;
    bw_transform aside = posed(4e6, -3e6 + 4, 1e5, 0, (bw_vec3){1, 0, 0}, (bw_vec3){1, 1, 1});
    report_add_part(&r, "points", "cloud.ply", report_add_mesh(&r, &(report_mesh){.view = cloud}), &aside);
    static const double bad[] = {NAN, 0, 0, INFINITY, 0, 0, 0, 0, 0};
    static const uint32_t corners[] = {0, 1, 2, 0, 1, 9};
    report_add_part(&r, "nothing finite", "bad.obj",
                    report_add_mesh(&r, &(report_mesh){.view = {bad, BW_F64, 3, 0, corners, 2}}), NULL);
    report_note(&r, "<b>A note</b> </script>");
    r.findings[0].detail_a = tool_copy("</script>bone");
    report_sort(&r);
    write_all(&r, folder, "odd", NULL);
    report_free(&r);
    bws_mesh_free(&ring);
}

/* Twenty thousand parts, ten thousand clashes; and the same with a limit, so that most parts become boxes. */
static void sample_large(const char *folder)
{
    enum { PARTS = 20000, CLASHES = 10000 };
    bws_random random = bws_random_seeded(7);
    bws_mesh shapes[4] = {made("torus", 40), made("bumpy-sphere", 48), made("pot", 100), made("needles", 40)};
    report r = report_start("clash", "A plant of twenty thousand parts");
    r.unit = 1;
    for (int i = 0; i < 8; i++)
        report_add_mesh(&r, &(report_mesh){.view = bws_view(&shapes[i % 4])});
    for (int i = 0; i < PARTS; i++) {
        bw_transform pose = posed(3.0 * (i % 50), 3.0 * (i / 50 % 50), 3.0 * (i / 2500),
                                  bws_random_unit(&random) * 6, (bw_vec3){1, 2, 3}, (bw_vec3){1, 1, 1});
        char name[128];
        snprintf(name, sizeof name, "Plant/Area %d/Line %d/Item %05d", i / 2500, i / 50 % 50, i);
        report_add_part(&r, name, "plant.glb", (uint32_t)(i % 4 + (i > CLASHES ? 4 : 0)), &pose);
    }
    for (uint32_t i = 0; i < CLASHES; i++) {
        report_finding *f = report_add_finding(&r, i, i + 1, i % 5 == 4 ? REPORT_TOUCHING : REPORT_HARD);
        const bw_transform *pose = &r.parts[i].pose;
        f->place = (bw_vec3){pose->m[0][3] + 1.5, pose->m[1][3], pose->m[2][3]};
        f->depth_upper = bws_random_unit(&random) * 0.5;
        f->depth_lower = 0.9 * f->depth_upper;
        f->direction = (bw_vec3){1, 0, 0};
        f->pair_count = 1 + bws_random_below(&random, 500);
        f->region_count = 1;
        for (int k = 0; k < 24; k++) {
            double from = 0.2618 * k, to = from + 0.2618;
            report_add_segment(
                f, (bw_vec3){f->place.x, f->place.y + 0.4 * cos(from), f->place.z + 0.4 * sin(from)},
                (bw_vec3){f->place.x, f->place.y + 0.4 * cos(to), f->place.z + 0.4 * sin(to)});
        }
    }
    report_sort(&r);
    write_all(&r, folder, "large", NULL);
    write_all(&r, folder, "boxes", &(report_html_desc){.triangle_limit = 1});
    report_free(&r);
    for (int i = 0; i < 4; i++)
        bws_mesh_free(&shapes[i]);
}

static void sample_empty(const char *folder)
{
    report r = report_start("clash", "Nothing at all");
    write_all(&r, folder, "empty", NULL);
    report_free(&r);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(const char *folder);
    } all[] = {{"clash", sample_clash},
               {"track", sample_track},
               {"odd", sample_odd},
               {"large", sample_large},
               {"empty", sample_empty}};
    must(argc >= 2, "samples FOLDER [NAME...]");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool wished = argc == 2;
        for (int k = 2; k < argc; k++)
            wished |= strcmp(argv[k], all[i].name) == 0;
        if (wished)
            all[i].make(argv[1]);
    }
    return 0;
}
