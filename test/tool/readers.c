/* The readers of OBJ, PLY, STL and OFF on one solid written in every form, and on thousands of damaged
 * copies: they may refuse, but what they accept must be whole, and no byte outside the file is read (the
 * sanitizers watch). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/readers.h"
#include "oracle/random.h"

/* A tetrahedron with a square pasted to it. */
static const float vertices[8][3] = {{0, 0, 0}, {1, 0, 0},    {0, 1, 0},     {0, 0, 0.1f},
                                     {2, 2, 2}, {3, 2, 2.5f}, {3, 3, 1e-7f}, {2, 3, -4}};
static const uint32_t triangles[6][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {4, 5, 6}, {4, 6, 7}};

typedef bool reader(text *t, model *out, fault *why);

typedef struct document {
    const char *name;
    reader *read;
    char bytes[4096];
    size_t size;
    bool split; /* every triangle has its own vertices */
} document;

static void put(document *d, const void *bytes, size_t size)
{
    assert_true(d->size + size < sizeof d->bytes);
    memcpy(d->bytes + d->size, bytes, size);
    d->size += size;
}

static void put_text(document *d, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put(d, line, (size_t)length);
}

static void put_number(document *d, const void *value, size_t size, bool big)
{
    unsigned char bytes[8];
    memcpy(bytes, value, size);
    for (size_t i = 0; big && i < size / 2; i++) {
        unsigned char swap = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = swap;
    }
    put(d, bytes, size);
}

static void write_obj(document *d)
{
    *d = (document){.name = "obj", .read = read_obj};
    put_text(d, "# a comment\nmtllib none.mtl\no solid\n");
    for (int v = 0; v < 4; v++)
        put_text(d, "v %.9g %.9g\t%.9g 1.0\n", (double)vertices[v][0], (double)vertices[v][1],
                 (double)vertices[v][2]);
    put_text(d, "f 1/1/1 3//1 2/2\r\nf -4 -3 \\\n -1\nf 2 3 4\nf 3 1 4\ng square of two\n");
    for (int v = 4; v < 8; v++)
        put_text(d, "v %.9g %.9g %.9g\n", (double)vertices[v][0], (double)vertices[v][1],
                 (double)vertices[v][2]);
    put_text(d, "s off\nf 5 6 7\nf 5 7 8");
}

static void write_off(document *d)
{
    *d = (document){.name = "off", .read = read_off};
    put_text(d, "COFF # head\n# counts\n8 6 0\n");
    for (int v = 0; v < 8; v++)
        put_text(d, "%.9g %.9g %.9g 255 0 0 1\n\n", (double)vertices[v][0], (double)vertices[v][1],
                 (double)vertices[v][2]);
    for (int t = 0; t < 6; t++)
        put_text(d, "3 %u %u %u 0.5 0.5\n", triangles[t][0], triangles[t][1], triangles[t][2]);
}

static void write_ply(document *d, int kind)
{
    static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    bool big = kind == 2;
    *d = (document){.name = formats[kind], .read = read_ply};
    put_text(d, "ply\nformat %s 1.0\ncomment made by a test\nelement vertex 8\n", formats[kind]);
    put_text(d, "property uchar red\nproperty %s x\nproperty %s y\nproperty float z\n",
             kind ? "double" : "float", kind ? "double" : "float");
    put_text(d, "element extra 1\nproperty list uchar short stuff\nelement face 6\n");
    put_text(d, "property list uchar uint vertex_indices\nproperty list uchar float more\nend_header\n");
    uint8_t red = 7, three = 3, none = 0, two = 2;
    int16_t stuff[2] = {-1, 300};
    for (int v = 0; v < 8; v++) {
        double xy[2] = {(double)vertices[v][0], (double)vertices[v][1]};
        if (kind == 0) {
            put_text(d, "7 %.9g %.9g %.9g\n", xy[0], xy[1], (double)vertices[v][2]);
            continue;
        }
        put(d, &red, 1);
        put_number(d, &xy[0], 8, big);
        put_number(d, &xy[1], 8, big);
        put_number(d, &vertices[v][2], 4, big);
    }
    if (kind == 0) {
        put_text(d, "2 -1 300\n");
    } else {
        put(d, &two, 1);
        put_number(d, &stuff[0], 2, big);
        put_number(d, &stuff[1], 2, big);
    }
    for (int t = 0; t < 6; t++) {
        if (kind == 0) {
            put_text(d, "3 %u %u %u 0\n", triangles[t][0], triangles[t][1], triangles[t][2]);
            continue;
        }
        put(d, &three, 1);
        for (int k = 0; k < 3; k++)
            put_number(d, &triangles[t][k], 4, big);
        put(d, &none, 1);
    }
}

static void write_stl(document *d)
{
    *d = (document){.name = "stl", .read = read_stl, .split = true};
    for (int t = 0; t < 6; t++) {
        if (t == 0 || t == 4)
            put_text(d, "%ssolid part %d\n", t ? "endsolid\n" : "", t);
        put_text(d, " facet normal nan 0 1\n  outer loop\n");
        for (int k = 0; k < 3; k++) {
            const float *p = vertices[triangles[t][k]];
            put_text(d, "   vertex %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
        }
        put_text(d, "  endloop\n endfacet\n");
    }
    put_text(d, "endsolid part 4\n");
}

static void write_binary_stl(document *d)
{
    static const char head[80] = "solid, but binary";
    uint32_t count = 6;
    uint16_t attribute = 0;
    *d = (document){.name = "binary stl", .read = read_stl, .split = true};
    put(d, head, sizeof head);
    put_number(d, &count, 4, false);
    for (int t = 0; t < 6; t++) {
        put(d, vertices[0], 12);
        for (int k = 0; k < 9; k++)
            put_number(d, &vertices[triangles[t][k / 3]][k % 3], 4, false);
        put_number(d, &attribute, 2, false);
    }
}

enum { DOCUMENTS = 7 };

static void write_document(document *d, int which)
{
    if (which == 0)
        write_obj(d);
    else if (which == 1)
        write_off(d);
    else if (which == 2)
        write_stl(d);
    else if (which == 3)
        write_binary_stl(d);
    else
        write_ply(d, which - 4);
}

/* An exact copy on the heap, so that a sanitizer sees one byte too far. */
static bool read_copy(const document *d, model *out, fault *why)
{
    char *copy = malloc(d->size + 1);
    assert_non_null(copy);
    memcpy(copy, d->bytes, d->size);
    copy[d->size] = 0;
    text t = {d->name, copy, d->size, copy, copy + d->size, 1};
    bool fine = d->read(&t, out, why);
    free(copy);
    return fine;
}

static void test_good(void **state)
{
    (void)state;
    for (int which = 0; which < DOCUMENTS; which++) {
        document d;
        model m;
        fault why;
        write_document(&d, which);
        if (!read_copy(&d, &m, &why))
            fail_msg("%s", why.text);
        assert_int_equal(m.triangle_count, 6);
        assert_int_equal(m.vertex_count, d.split ? 18 : 8);
        bw_mesh view = model_view(&m);
        for (uint32_t t = 0; t < 6; t++) {
            bw_vec3 corners[3];
            bw_mesh_corners(&view, t, corners);
            for (int k = 0; k < 3; k++) {
                const float *p = vertices[triangles[t][k]];
                if (d.read == read_obj || d.read == read_off || d.read == read_stl || which == 4) {
                    /* Text: the double next to the nine digits, which rounds to the float. */
                    assert_true((float)corners[k].x == p[0] && (float)corners[k].y == p[1] &&
                                (float)corners[k].z == p[2]);
                } else {
                    assert_true(corners[k].x == (double)p[0] && corners[k].y == (double)p[1] &&
                                corners[k].z == (double)p[2]);
                }
            }
        }
        model_free(&m);
    }
}

static void test_names(void **state)
{
    (void)state;
    document d;
    model m;
    fault why;
    write_obj(&d);
    assert_true(read_copy(&d, &m, &why));
    assert_int_equal(m.part_count, 2);
    assert_string_equal(m.parts[0].name, "solid");
    assert_string_equal(m.parts[1].name, "square of two");
    assert_ptr_equal(model_part_of(&m, 3), &m.parts[0]);
    assert_ptr_equal(model_part_of(&m, 4), &m.parts[1]);
    assert_int_equal(m.faces[5], 1);
    assert_int_equal(m.triangle_lines[1], 9);
    assert_int_equal(m.vertex_lines[4], 14);
    model_free(&m);
}

/* What every accepted model promises to the commands. */
static void assert_whole(const model *m)
{
    assert_true(m->vertex_count > 0);
    assert_true((m->indices == NULL) == (m->triangle_count == 0));
    uint64_t total = 0;
    for (uint32_t i = 0; i < m->part_count; i++) {
        const model_part *part = &m->parts[i];
        assert_int_equal(part->first_triangle, total);
        assert_true(part->triangle_count > 0 && part->face_count > 0);
        for (uint32_t t = 0; t < part->triangle_count; t++)
            assert_true(m->faces[part->first_triangle + t] < part->face_count);
        total += part->triangle_count;
    }
    assert_int_equal(total, m->triangle_count);
    bw_mesh view = model_view(m);
    bw_mesh_report report = {0};
    assert_int_equal(bw_mesh_validate(&view, NULL, &report, NULL), BW_OK);
}

static void damage(bws_random *random, document *d)
{
    int times = (int)bws_random_int(random, 1, 4);
    for (int i = 0; i < times && d->size > 0; i++) {
        size_t at = (size_t)bws_random_below(random, d->size);
        size_t span = (size_t)bws_random_int(random, 1, 12);
        span = span > d->size - at ? d->size - at : span;
        switch (bws_random_below(random, 5)) {
        case 0:
            d->size = at;
            break;
        case 1:
            d->bytes[at] = (char)bws_random_u32(random);
            break;
        case 2:
            memmove(d->bytes + at, d->bytes + at + span, d->size - at - span);
            d->size -= span;
            break;
        case 3: /* digits make the wildest numbers */
            memset(d->bytes + at, "0123456789-e. \n"[bws_random_below(random, 15)], span);
            break;
        default:
            memcpy(d->bytes + at, d->bytes + bws_random_below(random, d->size - span + 1), 1);
            break;
        }
    }
}

static void damaged(bws_random *random, void *user)
{
    uint32_t *counts = user;
    document d;
    model m;
    fault why;
    write_document(&d, (int)bws_random_below(random, DOCUMENTS));
    damage(random, &d);
    memset(&why, 0, sizeof why);
    bool fine = read_copy(&d, &m, &why);
    counts[fine]++;
    if (fine) {
        assert_whole(&m);
        model_free(&m);
    } else {
        /* The name of the file stands first. */
        assert_int_equal(strncmp(why.text, d.name, strlen(d.name)), 0);
    }
}

static void test_damaged(void **state)
{
    (void)state;
    uint32_t counts[2] = {0, 0};
    BW_EACH_SEED(20000, damaged, counts);
    if (counts[0] + counts[1] > 1000)
        assert_true(counts[0] > 1000 && counts[1] > 1000); /* both outcomes were tried */
}

/* Every length of every document: a file that was cut is refused, unless what is left says all. */
static void test_truncated(void **state)
{
    (void)state;
    for (int which = 0; which < DOCUMENTS; which++) {
        document d;
        write_document(&d, which);
        size_t whole = d.size;
        for (size_t size = 0; size < whole; size++) {
            model m;
            fault why;
            d.size = size;
            if (!read_copy(&d, &m, &why))
                continue;
            assert_whole(&m);
            /* OBJ has no end mark and no counts, and the text form of STL may end after its first solid. */
            if (d.read == read_stl)
                assert_true(m.triangle_count == 6 || (m.triangle_count == 4 && which == 2));
            else if (d.read != read_obj)
                assert_int_equal(m.triangle_count, 6);
            model_free(&m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_damaged), cmocka_unit_test(test_truncated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
