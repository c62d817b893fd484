/* Opening stores. Nothing of a file is believed before its checksum holds, and then no number that leads anywhere is used
 * before it was compared with what it leads to. */
#define _DEFAULT_SOURCE
#include "store/store.h"

#include "store/sum.h"

#include <boxwood/mesh.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const unsigned char magic[8] = STORE_MAGIC;
static const size_t record_bytes[STORE_TABLES] = {
    sizeof(store_file), sizeof(store_mesh), sizeof(store_part), sizeof(bw_transform), sizeof(bw_box), 1};
static const char *const table_names[STORE_TABLES] = {"files", "meshes", "parts", "poses", "boxes", "names"};

/* pread until all is there; false with errno, or 0 at the end of the file. */
static bool read_at(int file, void *to, size_t size, uint64_t offset)
{
    unsigned char *at = to;
    while (size > 0) {
        ssize_t got = pread(file, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

static const char *reason(void)
{
    return errno != 0 ? strerror(errno) : "the file ends before";
}

bool store_is(const char *path)
{
    unsigned char begin[sizeof magic];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    bool is = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
              read_at(file, begin, sizeof begin, 0) && memcmp(begin, magic, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    return is;
}

static bool check_head(const store *s, fault *why)
{
    store_head head;
    if (!read_at(s->file, &head, sizeof head, 0) || memcmp(head.magic, magic, sizeof magic) != 0)
        return fault_set(why, "%s: is not a part store", s->path);
    if (head.version != STORE_VERSION)
        return fault_set(why, "%s: is a part store of version %" PRIu32 "; this boxwood reads version %d",
                         s->path, head.version, STORE_VERSION);
    return head.sum == store_sum(&head, offsetof(store_head, sum)) ||
           fault_set(why, "%s: its head is damaged (checksum)", s->path);
}

static bool read_tail(store *s, fault *why)
{
    struct stat status;
    if (fstat(s->file, &status) != 0)
        return fault_set(why, "%s: %s", s->path, strerror(errno));
    const uint64_t bytes = (uint64_t)status.st_size;
    store_tail *t = &s->tail;
    if (bytes < sizeof(store_head) + sizeof *t || !read_at(s->file, t, sizeof *t, bytes - sizeof *t) ||
        memcmp(t->magic, magic, sizeof magic) != 0)
        return fault_set(why, "%s: has no end: it was cut, or writing it was never finished; pack it again",
                         s->path);
    if (t->sum != store_sum(t, offsetof(store_tail, sum)) || t->version != STORE_VERSION)
        return fault_set(why, "%s: its end is damaged (checksum)", s->path);
    if (t->file_bytes != bytes)
        return fault_set(why, "%s: has %" PRIu64 " bytes, but was written with %" PRIu64, s->path, bytes,
                         t->file_bytes);
    return true;
}

/* The tables stand one after the other between the blocks and the tail. */
static bool map_tables(store *s, fault *why)
{
    const store_tail *t = &s->tail;
    uint64_t at = t->tables[0].offset;
    const uint64_t end = t->file_bytes - sizeof *t;
    for (int i = 0; i < STORE_TABLES; i++) {
        const store_range *r = &t->tables[i];
        if (r->offset != at || at < sizeof(store_head) || at % STORE_ALIGN != 0 || at > end ||
            r->bytes > end - at || r->bytes % record_bytes[i] != 0 ||
            r->bytes / record_bytes[i] >= (i == STORE_TEXT ? UINT64_MAX : STORE_NONE))
            return fault_set(why, "%s: its table of %s cannot stand where it says", s->path, table_names[i]);
        at += (r->bytes + STORE_ALIGN - 1) / STORE_ALIGN * STORE_ALIGN;
    }
    if (at != end)
        return fault_set(why, "%s: its tables do not end where the file does", s->path);
    /* Maps begin at pages. */
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = t->tables[0].offset,
                   begin = first / page * page;
    s->map_bytes = (size_t)(t->file_bytes - begin);
    s->map = mmap(NULL, s->map_bytes, PROT_READ, MAP_SHARED, s->file, (off_t)begin);
    if (s->map == MAP_FAILED) {
        s->map = NULL;
        return fault_set(why, "%s: cannot be mapped: %s", s->path, strerror(errno));
    }
    const unsigned char *tables[STORE_TABLES];
    for (int i = 0; i < STORE_TABLES; i++) {
        tables[i] = (const unsigned char *)s->map + (t->tables[i].offset - begin);
        if (store_sum(tables[i], (size_t)t->tables[i].bytes) != t->tables[i].sum)
            return fault_set(why, "%s: its table of %s is damaged (checksum)", s->path, table_names[i]);
    }
    s->files = (const void *)tables[STORE_FILES];
    s->meshes = (const void *)tables[STORE_MESHES];
    s->parts = (const void *)tables[STORE_PARTS];
    s->poses = (const void *)tables[STORE_POSES];
    s->boxes = (const void *)tables[STORE_BOXES];
    s->text = (const void *)tables[STORE_TEXT];
    s->file_count = (uint32_t)(t->tables[STORE_FILES].bytes / sizeof *s->files);
    s->mesh_count = (uint32_t)(t->tables[STORE_MESHES].bytes / sizeof *s->meshes);
    s->part_count = (uint32_t)(t->tables[STORE_PARTS].bytes / sizeof *s->parts);
    s->pose_count = (uint32_t)(t->tables[STORE_POSES].bytes / sizeof *s->poses);
    return true;
}

static bool mesh_sound(const store *s, const store_mesh *m)
{
    const uint64_t end = s->tail.tables[0].offset;
    const store_layout at = store_layout_of(m);
    return m->offset >= sizeof(store_head) && m->offset % STORE_ALIGN == 0 && m->offset <= end &&
           m->bytes <= end - m->offset && (m->flags & ~(uint32_t)STORE_FLAGS) == 0 &&
           m->tree_bytes <= m->bytes && at.bytes == m->bytes && m->primitive_count > 0 &&
           m->primitive_count <= UINT32_C(1) << 30 && m->vertex_count < UINT32_MAX &&
           (!(m->flags & STORE_POINTS) || m->vertex_count == m->primitive_count) &&
           (m->pose == STORE_NONE || m->pose < s->pose_count) && m->left_out <= m->primitive_count &&
           !(m->left_out > 0 && m->tree_bytes > 0) &&
           (m->left_out > 0) == ((m->flags & STORE_QUARANTINE) != 0);
}

static bool box_sound(const bw_box *box)
{
    for (int k = 0; k < 3; k++)
        if (!(box->min[k] <= box->max[k]) || !(box->min[k] >= -(float)BW_COORDINATE_MAX) ||
            !(box->max[k] <= (float)BW_COORDINATE_MAX))
            return false;
    return true;
}

static bool part_sound(const store *s, uint32_t i)
{
    const store_part *p = &s->parts[i];
    const store_file *f = p->file < s->file_count ? &s->files[p->file] : NULL;
    return f && i >= f->first_part && i - f->first_part == p->number && p->number < f->part_count &&
           p->mesh < s->mesh_count && (p->pose == STORE_NONE || p->pose < s->pose_count) &&
           p->name < s->tail.tables[STORE_TEXT].bytes && box_sound(&s->boxes[i]);
}

static bool check_records(const store *s, fault *why)
{
    const uint64_t text_bytes = s->tail.tables[STORE_TEXT].bytes;
    if (s->part_count == 0 || s->tail.tables[STORE_BOXES].bytes != (uint64_t)s->part_count * sizeof(bw_box))
        return fault_set(why, "%s: has no parts, or not a box of each", s->path);
    if (text_bytes == 0 || s->text[text_bytes - 1] != 0 || !(s->tail.unit >= 0) || !isfinite(s->tail.unit) ||
        s->tail.up > 3)
        return fault_set(why, "%s: its names or its units are damaged", s->path);
    for (uint32_t i = 0; i < s->file_count; i++)
        if (s->files[i].path >= text_bytes || s->files[i].first_part > s->part_count ||
            s->files[i].part_count > s->part_count - s->files[i].first_part)
            return fault_set(why, "%s: file %" PRIu32 " of its table is damaged", s->path, i);
    uint32_t *uses = tool_alloc(s->mesh_count > 0 ? s->mesh_count : 1, sizeof *uses);
    memset(uses, 0, s->mesh_count * sizeof *uses);
    bool fine = true;
    for (uint32_t i = 0; i < s->mesh_count && fine; i++)
        fine = mesh_sound(s, &s->meshes[i]) ||
               fault_set(why, "%s: mesh %" PRIu32 " of its table is damaged", s->path, i);
    for (uint32_t i = 0; i < s->part_count && fine; i++) {
        fine = part_sound(s, i) || fault_set(why, "%s: part %" PRIu32 " of its table is damaged", s->path, i);
        if (fine)
            uses[s->parts[i].mesh]++;
    }
    for (uint32_t i = 0; i < s->part_count && fine; i++) {
        const store_mesh *m = &s->meshes[s->parts[i].mesh];
        uint32_t pose = m->uses == 1 ? s->parts[i].pose : STORE_NONE;
        fine = (uses[s->parts[i].mesh] == m->uses && m->pose == pose) ||
               fault_set(why, "%s: part %" PRIu32 " and its mesh do not agree", s->path, i);
    }
    for (uint32_t i = 0; i < s->pose_count && fine; i++)
        for (int k = 0; k < 12; k++)
            fine = fine && (isfinite(s->poses[i].m[k / 4][k % 4]) ||
                            fault_set(why, "%s: pose %" PRIu32 " of its table is not finite", s->path, i));
    free(uses);
    return fine;
}

bool store_open(store *out, const char *path, fault *why)
{
    const uint16_t order = 1;
    unsigned char first;
    memcpy(&first, &order, 1);
    if (first != 1)
        return fault_set(why, "%s: part stores are little-endian, this machine is not", path);
    store s = {.path = tool_copy(path), .file = open(path, O_RDONLY | O_CLOEXEC)};
    if (s.file < 0)
        fault_set(why, "%s: %s", path, strerror(errno));
    else if (check_head(&s, why) && read_tail(&s, why) && map_tables(&s, why) && check_records(&s, why)) {
        *out = s;
        return true;
    }
    store_close(&s);
    return false;
}

void store_close(store *s)
{
    if (s->map)
        munmap(s->map, s->map_bytes);
    if (s->file >= 0)
        close(s->file);
    free(s->path);
    *s = (store){.file = -1};
}

const bw_transform *store_part_pose(const store *s, uint32_t part)
{
    const store_part *p = &s->parts[part];
    return p->pose == STORE_NONE || s->meshes[p->mesh].uses == 1 ? NULL : &s->poses[p->pose];
}

bool store_read_block(const store *s, uint32_t mesh, store_buffer *buffer, fault *why)
{
    const store_mesh *m = &s->meshes[mesh];
    if (buffer->capacity < m->bytes) {
        free(buffer->bytes);
        buffer->capacity = (size_t)m->bytes + (size_t)m->bytes / 4;
        buffer->bytes = tool_alloc(buffer->capacity, 1);
    }
    if (!read_at(s->file, buffer->bytes, (size_t)m->bytes, m->offset))
        return fault_set(why, "%s: mesh %" PRIu32 " at byte %" PRIu64 ": %s", s->path, mesh, m->offset,
                         reason());
    return store_sum(buffer->bytes, (size_t)m->bytes) == m->sum ||
           fault_set(why, "%s: mesh %" PRIu32 " at byte %" PRIu64 " is damaged (checksum)", s->path, mesh,
                     m->offset);
}

static bool decode(const store *s, uint32_t mesh, const bw_transform *pose, store_buffer *buffer,
                   store_geometry *out, fault *why)
{
    const store_mesh *m = &s->meshes[mesh];
    fault inner;
    return store_read_block(s, mesh, buffer, why) &&
           (store_decode(m, buffer->bytes, pose, out, &inner) ||
            fault_set(why, "%s: mesh %" PRIu32 " at byte %" PRIu64 ": %.200s", s->path, mesh, m->offset,
                      inner.text));
}

bool store_read(const store *s, uint32_t mesh, store_buffer *buffer, store_geometry *out, fault *why)
{
    const uint32_t pose = s->meshes[mesh].pose;
    return decode(s, mesh, pose == STORE_NONE ? NULL : &s->poses[pose], buffer, out, why);
}

bool store_read_as_is(const store *s, uint32_t mesh, store_buffer *buffer, store_geometry *out, fault *why)
{
    return decode(s, mesh, NULL, buffer, out, why);
}

bool store_tree(const store *s, uint32_t mesh, const store_geometry *g, bw_tree **out, fault *why)
{
    const bool defects = s->meshes[mesh].left_out > 0;
    bw_tree_desc desc = {.builder = BW_BUILDER_FAST, .quarantine = defects ? BW_DEFECTS_FATAL : 0};
    bw_result result = g->tree ? bw_tree_load(g->tree, g->tree_bytes, NULL, out, NULL)
                               : bw_tree_create(&desc, &g->view, out, NULL);
    return result == BW_OK ||
           fault_set(why, "%s: mesh %" PRIu32 ": its tree: %s", s->path, mesh, bw_result_string(result));
}

bw_mesh store_counts(const store *s, uint32_t mesh)
{
    const store_mesh *m = &s->meshes[mesh];
    return (bw_mesh){.vertex_count = m->vertex_count,
                     .triangle_count = m->flags & STORE_POINTS ? 0 : m->primitive_count};
}
