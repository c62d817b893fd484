/* Formats known by their first bytes, and which reader of our own takes them. */
#define _POSIX_C_SOURCE 200809L
#include "io/format.h"

#include "io/quake.h"
#include "io/readers.h"
#include "store/format.h"

#include <string.h>
#include <strings.h>

const char *format_extension(const char *file, size_t *length)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *end = name + strlen(name);
    if (end - name > 3 && strcasecmp(end - 3, ".gz") == 0)
        end -= 3;
    const char *dot = end;
    while (dot > name && dot[-1] != '.')
        dot--;
    dot = dot > name ? dot - 1 : end;
    *length = (size_t)(end - dot);
    return dot;
}

file_format format_by_name(const char *file)
{
    static const struct {
        const char *extension;
        file_format format;
    } known[] = {{".obj", FORMAT_OBJ},   {".ply", FORMAT_PLY},   {".stl", FORMAT_STL},
                 {".off", FORMAT_OFF},   {".gltf", FORMAT_GLTF}, {".glb", FORMAT_GLTF},
                 {".vrm", FORMAT_GLTF},  {".md2", FORMAT_QUAKE}, {".md3", FORMAT_QUAKE},
                 {".mdl", FORMAT_QUAKE}, {".bws", FORMAT_STORE}};
    size_t length;
    const char *dot = format_extension(file, &length);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].extension) == length && strncasecmp(dot, known[i].extension, length) == 0)
            return known[i].format;
    return length == 0 ? FORMAT_NONE : FORMAT_OTHER;
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(word, *words, length) == 0)
            return true;
    return false;
}

/* Over empty lines and comments. */
static bool next_statement(text *t)
{
    while (text_more_lines(t)) {
        if (*t->at != '#')
            return true;
        text_next_line(t);
    }
    return false;
}

/* Statements of an OBJ file, one of them a vertex of three numbers: nothing else looks like that. */
static bool is_surely_obj(text t)
{
    static const char *const others[] = {"vn", "vt",     "vp",     "f",   "o", "g",
                                         "s",  "mtllib", "usemtl", "lod", "l", NULL};
    while (next_statement(&t)) {
        size_t length;
        double p[3];
        const char *word = text_word(&t, &length);
        if (length == 1 && *word == 'v')
            return text_vec3(&t, p);
        if (!is_one_of(word, length, others))
            return false;
        text_next_line(&t);
    }
    return false;
}

static bool is_surely_stl(text t)
{
    text_next_line(&t);
    size_t length;
    if (!text_more_lines(&t))
        return false;
    const char *word = text_word(&t, &length);
    return (length == 5 && strncasecmp(word, "facet", 5) == 0) ||
           (length == 8 && strncasecmp(word, "endsolid", 8) == 0);
}

/* Nothing but spaces before the first brace, and the one property that every glTF file has. */
static bool is_gltf(const text *t)
{
    const char *s = t->at;
    s += strspn(s, " \t\r\n");
    if (*s != '{')
        return false;
    const char *asset = strstr(s, "\"asset\"");
    return asset && strstr(s, "\"version\"");
}

size_t format_mark(const file_head *head)
{
    return head->size >= 3 && memcmp(head->data, "\xEF\xBB\xBF", 3) == 0 && !stl_is_binary(head) ? 3 : 0;
}

file_format format_by_content(const file_head *head, bool *sure)
{
    static const char *const off[] = {"OFF",    "COFF",   "NOFF",    "CNOFF", "STOFF",
                                      "STCOFF", "STNOFF", "STCNOFF", NULL},
                             *const obj[] = {"v", "vn", "vt", "f", "o", "g", "mtllib", "usemtl", NULL};
    static const unsigned char store_magic[] = STORE_MAGIC;
    *sure = true;
    if (head->size >= sizeof store_magic && memcmp(head->data, store_magic, sizeof store_magic) == 0)
        return FORMAT_STORE;
    if (stl_is_binary(head))
        return FORMAT_STL;
    if (head->size >= 12 && memcmp(head->data, "glTF", 4) == 0)
        return FORMAT_GLTF;
    if (quake_begins(head->data, head->size))
        return FORMAT_QUAKE;
    size_t mark = format_mark(head);
    text t = {.data = NULL, .at = head->data + mark, .end = head->data + head->size, .line = 1};
    if (is_gltf(&t))
        return FORMAT_GLTF;
    if (!next_statement(&t))
        return FORMAT_NONE;
    const text before = t;
    size_t length;
    const char *word = text_word(&t, &length);
    if (length == 3 && memcmp(word, "ply", 3) == 0 && !text_more(&t))
        return FORMAT_PLY;
    if (is_one_of(word, length, off))
        return FORMAT_OFF;
    *sure = false;
    if (length == 5 && strncasecmp(word, "solid", 5) == 0) {
        *sure = is_surely_stl(t);
        return FORMAT_STL;
    }
    *sure = is_surely_obj(before);
    return *sure || is_one_of(word, length, obj) ? FORMAT_OBJ : FORMAT_NONE;
}

/* With a byte-order mark, or a zero in every second place of the first four letters. */
static bool is_utf16(const file_head *head)
{
    const unsigned char *s = (const unsigned char *)head->data;
    if (head->size >= 2 && ((s[0] == 0xFF && s[1] == 0xFE) || (s[0] == 0xFE && s[1] == 0xFF)))
        return true;
    bool low = head->size >= 8, high = low;
    for (size_t i = 0; i < 8 && (low || high); i++) {
        bool letter = (s[i] >= 32 && s[i] < 127) || (s[i] >= '\t' && s[i] <= '\r');
        low &= i % 2 == 0 ? letter : s[i] == 0;
        high &= i % 2 == 1 ? letter : s[i] == 0;
    }
    return low || high;
}

bool format_decide(const char *file, const file_head *head, file_format *out, bool *misnamed, fault *why)
{
    bool sure;
    file_format name = format_by_name(file), content = format_by_content(head, &sure);
    *out = content != FORMAT_NONE && (sure || name == FORMAT_NONE) ? content : name;
    *misnamed = *out != name && name != FORMAT_NONE;
    /* Models of other games bear these names, too. */
    if (*out == FORMAT_QUAKE && content != FORMAT_QUAKE)
        *out = FORMAT_OTHER;
    if (!(content != FORMAT_NONE && sure) && name != FORMAT_OTHER && is_utf16(head))
        return fault_set(why, "%s: text in UTF-16, which is not read: save it as UTF-8", file);
    return true;
}

typedef bool text_reader(text *text, model *out, fault *why);

static text_reader *reader_of(file_format format)
{
    switch (format) {
    case FORMAT_OBJ:
        return read_obj;
    case FORMAT_PLY:
        return read_ply;
    case FORMAT_STL:
        return read_stl;
    case FORMAT_OFF:
        return read_off;
    case FORMAT_QUAKE:
        return read_quake;
    default:
        return NULL;
    }
}

bool format_is_own(file_format format)
{
    return reader_of(format) != NULL;
}

bool read_bytes(text *whole, file_format format, model *out, fault *why)
{
    file_head head = {whole->data, whole->size, whole->size};
    whole->at = whole->data + format_mark(&head);
    return reader_of(format)(whole, out, why);
}
