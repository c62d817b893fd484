/* Clashes for people and for programs. */
#include "clash.h"

#include "printable.h"
#include "table.h"

#include <inttypes.h>

enum { NAME = 4600 };

static const char *contact_word(bw_contact_kind kind)
{
    return kind == BW_CONTACT_CROSSING ? "crossing" : kind == BW_CONTACT_TOUCHING ? "touching" : "none";
}

static void contact_of(const assembly *a, const clash *c, const clash_pair *pair, bw_triangle_contact *out)
{
    bw_vec3 corners[2][3];
    assembly_corners(a, c->a, pair->a, corners[0]);
    assembly_corners(a, c->b, pair->b, corners[1]);
    bw_triangle_triangle_contact(corners[0], corners[1], out);
}

static void print_point(bw_vec3 p)
{
    char x[3][32];
    printf(" (%s, %s, %s)", number_text(p.x, x[0]), number_text(p.y, x[1]), number_text(p.z, x[2]));
}

/* "triangle 3 (face 1) and triangle 8 (face 4)", and where they meet or how far they are apart. */
static void print_pair(const assembly *a, const clash *c, const clash_pair *pair, bool kind)
{
    char first[96], second[96], number[32];
    assembly_primitive_name(a, c->a, pair->a, first, sizeof first);
    assembly_primitive_name(a, c->b, pair->b, second, sizeof second);
    printf("%s and %s", printable(first), printable(second));
    if (pair->kind == BW_CONTACT_NONE) {
        if (kind)
            printf(": %s apart", number_text(pair->distance, number));
        return;
    }
    bw_triangle_contact contact;
    contact_of(a, c, pair, &contact);
    if (kind)
        printf(": %s%s", contact_word(pair->kind), contact.coplanar ? " in one plane" : "");
    printf(" at");
    for (uint32_t i = 0; i < contact.point_count; i++) {
        printf("%s", i > 0 ? " to" : "");
        print_point(contact.points[i]);
    }
}

static void print_kind(const assembly *a, const clash *c)
{
    char name[NAME], number[32];
    switch (c->kind) {
    case CLASH_CROSSING:
        printf("crossing");
        break;
    case CLASH_TOUCHING:
        printf("touching");
        break;
    case CLASH_A_INSIDE:
    case CLASH_B_INSIDE:
        assembly_name(a, c->kind == CLASH_A_INSIDE ? c->a : c->b, name, sizeof name);
        printf("inside: %s", printable(name));
        break;
    case CLASH_NEAR:
    case CLASH_NONE:
    case CLASH_KINDS:
        break;
    }
    if (c->measured && c->distance > 0) {
        printf("%s%s apart, from", c->kind == CLASH_NEAR ? "" : ", ", number_text(c->distance, number));
        print_point(c->point_a);
        printf(" to");
        print_point(c->point_b);
    }
}

static void print_clash(const assembly *a, const clash_wish *wish, const clash *c)
{
    char first[NAME], second[NAME];
    cell n[2];
    assembly_name(a, c->a, first, sizeof first);
    assembly_name(a, c->b, second, sizeof second);
    printf("%s and %s: ", printable(first), printable(second));
    print_kind(a, c);
    if (c->cut)
        printf(" (interrupted)");
    if (!wish->all) {
        if (c->kept_count > 0) {
            printf(", ");
            print_pair(a, c, &c->kept[0], false);
        }
        putchar('\n');
        return;
    }
    if (c->pairs > 0)
        printf("; %s%s pair%s", c->cut ? "at least " : "", count_cell(&n[0], c->pairs), plural(c->pairs));
    if (c->touching > 0)
        printf(", %s of them only touching", count_cell(&n[1], c->touching));
    putchar('\n');
    for (size_t i = 0; i < c->kept_count; i++) {
        printf("  ");
        print_pair(a, c, &c->kept[i], true);
        putchar('\n');
    }
    if (c->kept_count < c->pairs)
        printf("  and %s more that --limit leaves unlisted\n", count_cell(&n[0], c->pairs - c->kept_count));
}

static void print_head(const assembly *a)
{
    cell n[4];
    uint32_t files = a->file_count - a->skipped_files;
    printf("%s file%s, %s part%s, %s triangles and points", count_cell(&n[0], files), plural(files),
           count_cell(&n[1], a->part_count), plural(a->part_count), count_cell(&n[2], a->triangles));
    if (a->quarantined > 0)
        printf(", %s of them with defects and left out", count_cell(&n[3], a->quarantined));
    if (a->skipped_files > 0)
        printf("; %s file%s skipped", count_cell(&n[0], a->skipped_files), plural(a->skipped_files));
    if (a->skipped_parts > 0)
        printf("; %s part%s skipped", count_cell(&n[0], a->skipped_parts), plural(a->skipped_parts));
    putchar('\n');
}

static void print_sum(const clash_wish *wish, const clash_result *r)
{
    cell n;
    char number[32];
    uint64_t inside = r->kinds[CLASH_A_INSIDE] + r->kinds[CLASH_B_INSIDE];
    bool cut = r->counts.finished < r->counts.candidates;
    if (cut)
        printf("interrupted when %s of %s pairs of parts had been looked at: ",
               count_cell(&n, r->counts.finished), count_cell(&(cell){""}, r->counts.candidates));
    if (r->count == 0) {
        puts(cut ? "no clashes until then" : "no clashes");
        return;
    }
    printf("%s clash%s:", count_cell(&n, r->count), r->count == 1 ? "" : "es");
    printf(" %s crossing,", count_cell(&n, r->kinds[CLASH_CROSSING]));
    printf(" %s only touching", count_cell(&n, r->kinds[CLASH_TOUCHING]));
    if (wish->contain)
        printf(", %s inside another", count_cell(&n, inside));
    if (wish->within >= 0)
        printf(", %s apart but within %s", count_cell(&n, r->kinds[CLASH_NEAR]),
               number_text(wish->within, number));
    putchar('\n');
}

void clash_print_text(const assembly *a, const clash_wish *wish, const clash_result *r, bool counts)
{
    print_head(a);
    for (size_t i = 0; i < r->count; i++)
        print_clash(a, wish, &r->list[i]);
    print_sum(wish, r);
    if (!counts)
        return;
    cell n[6];
    const clash_counts *c = &r->counts;
    printf("%s tree%s of %s; %s pair%s of parts with boxes that meet\n", count_cell(&n[0], a->mesh_count),
           plural(a->mesh_count), bytes_cell(&n[1], (double)a->tree_bytes), count_cell(&n[2], c->candidates),
           plural(c->candidates));
    printf("visited %s pairs of nodes, %s box tests, %s triangle tests\n",
           count_cell(&n[0], c->nodes_visited), count_cell(&n[1], c->box_tests),
           count_cell(&n[2], c->primitive_tests));
    printf("reading %s, building %s, boxes %s, looking %s\n", time_cell(&n[2], c->read_seconds),
           time_cell(&n[3], c->build_seconds), time_cell(&n[4], c->broad_seconds),
           time_cell(&n[5], c->exact_seconds));
}

static void json_pair(json *j, const assembly *a, const clash *c, const clash_pair *pair, bool within)
{
    json_object(j, NULL);
    assembly_primitive_json(a, c->a, pair->a, j, "a");
    assembly_primitive_json(a, c->b, pair->b, j, "b");
    json_string(j, "kind", contact_word(pair->kind));
    if (within)
        json_number(j, "distance", pair->distance);
    if (pair->kind != BW_CONTACT_NONE) {
        bw_triangle_contact contact;
        contact_of(a, c, pair, &contact);
        json_bool(j, "coplanar", contact.coplanar);
        json_flat_array(j, "points");
        for (uint32_t i = 0; i < contact.point_count; i++)
            json_vec3(j, NULL, contact.points[i]);
        json_array_end(j);
    }
    json_object_end(j);
}

static void json_clash(json *j, const assembly *a, const clash_wish *wish, const clash *c)
{
    static const char *const words[CLASH_KINDS] = {"none",   "crossing", "touching",
                                                   "inside", "inside",   "near"};
    json_object(j, NULL);
    assembly_json(a, c->a, j, "a");
    assembly_json(a, c->b, j, "b");
    json_string(j, "kind", words[c->kind]);
    if (c->cut)
        json_bool(j, "complete", false);
    if (c->kind == CLASH_A_INSIDE || c->kind == CLASH_B_INSIDE)
        json_string(j, "inside", c->kind == CLASH_A_INSIDE ? "a" : "b");
    if (c->measured)
        json_number(j, "distance", c->distance);
    if (c->measured && c->distance > 0) {
        json_flat_array(j, "nearest");
        json_vec3(j, NULL, c->point_a);
        json_vec3(j, NULL, c->point_b);
        json_array_end(j);
    }
    if (wish->all) {
        json_count(j, "pairs_found", c->pairs);
        json_count(j, "pairs_touching", c->touching);
    }
    json_array(j, "pairs");
    for (size_t i = 0; i < c->kept_count; i++)
        json_pair(j, a, c, &c->kept[i], wish->within >= 0);
    json_array_end(j);
    json_object_end(j);
}

static void json_files(json *j, const assembly *a)
{
    json_array(j, "files");
    for (uint32_t i = 0; i < a->file_count; i++) {
        const assembly_file *f = &a->files[i];
        json_flat_object(j, NULL);
        json_string(j, "file", f->path);
        if (f->error)
            json_string(j, "error", f->error);
        else
            json_count(j, "parts", f->part_count);
        json_object_end(j);
    }
    json_array_end(j);
}

void clash_print_json(const assembly *a, const clash_wish *wish, const clash_result *r, bool counts)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_files(&j, a);
    units_json(a->unit, a->up, &j);
    json_count(&j, "parts", a->part_count);
    json_count(&j, "meshes", a->mesh_count);
    json_count(&j, "primitives", a->triangles);
    json_count(&j, "quarantined", a->quarantined);
    json_count(&j, "skipped_files", a->skipped_files);
    json_count(&j, "skipped_parts", a->skipped_parts);
    if (wish->within >= 0)
        json_number(&j, "within", wish->within);
    json_bool(&j, "complete", r->counts.finished == r->counts.candidates);
    json_count(&j, "clashes_found", r->count);
    json_count(&j, "crossing", r->kinds[CLASH_CROSSING]);
    json_count(&j, "touching", r->kinds[CLASH_TOUCHING]);
    if (wish->contain)
        json_count(&j, "inside", r->kinds[CLASH_A_INSIDE] + r->kinds[CLASH_B_INSIDE]);
    if (wish->within >= 0)
        json_count(&j, "near", r->kinds[CLASH_NEAR]);
    json_array(&j, "clashes");
    for (size_t i = 0; i < r->count; i++)
        json_clash(&j, a, wish, &r->list[i]);
    json_array_end(&j);
    if (counts) {
        json_object(&j, "counts");
        json_count(&j, "candidates", r->counts.candidates);
        json_count(&j, "finished", r->counts.finished);
        json_count(&j, "nodes_visited", r->counts.nodes_visited);
        json_count(&j, "box_tests", r->counts.box_tests);
        json_count(&j, "primitive_tests", r->counts.primitive_tests);
        json_count(&j, "tree_bytes", a->tree_bytes);
        json_number(&j, "read_seconds", r->counts.read_seconds);
        json_number(&j, "build_seconds", r->counts.build_seconds);
        json_number(&j, "broad_seconds", r->counts.broad_seconds);
        json_number(&j, "exact_seconds", r->counts.exact_seconds);
        json_object_end(&j);
    }
    json_object_end(&j);
    json_finish(&j);
}
