/* The meshes of part stores for a page, out of a cache of bounded size. */
#include "view/stores.h"

#include "store/to_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kept of each store: every mesh is looked at once or twice. */
enum { KEPT_BYTES = 64 << 20 };

static void release(void *user)
{
    view_stores *s = user;
    for (int i = 0; i < s->count; i++)
        if (s->list[i].assembly.store)
            s->list[i].source.report.release(s->list[i].source.report.user);
}

static bool hold(void *user, uint32_t mesh, bw_mesh *out, fault *why)
{
    view_stores *s = user;
    for (int i = 0; i < s->count; i++) {
        view_store *v = &s->list[i];
        if (v->assembly.store && mesh >= v->first_mesh && mesh - v->first_mesh < v->assembly.mesh_count)
            return v->source.report.hold(v->source.report.user, mesh - v->first_mesh, out, why);
    }
    return fault_set(why, "mesh %u is of no store", mesh);
}

void view_stores_start(view_stores *s, int files)
{
    *s = (view_stores){.list = tool_alloc((size_t)files, sizeof *s->list),
                       .count = files,
                       .source = {.user = s, .hold = hold, .release = release}};
    memset(s->list, 0, (size_t)files * sizeof *s->list);
}

bool view_stores_open(view_stores *s, int file, const char *path, model *out, fault *why)
{
    view_store *v = &s->list[file];
    if (!assembly_open(&v->assembly, path, KEPT_BYTES, 1, why))
        return false;
    assembly_source_start(&v->source, &v->assembly);
    *out = (model){.file = tool_copy(path), .unit = v->assembly.unit, .up = v->assembly.up};
    return true;
}

bool view_stores_has(const view_stores *s, int file)
{
    return s->list[file].assembly.store != NULL;
}

static bw_box mapped_box(const bw_transform *map, const bw_box *box)
{
    bw_box out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int corner = 0; corner < 8; corner++) {
        bw_vec3 p = {(double)(corner & 1 ? box->max : box->min)[0],
                     (double)(corner & 2 ? box->max : box->min)[1],
                     (double)(corner & 4 ? box->max : box->min)[2]};
        p = bw_transform_point(map, p);
        const float at[3] = {(float)p.x, (float)p.y, (float)p.z};
        for (int k = 0; k < 3; k++) {
            out.min[k] = fminf(out.min[k], nextafterf(at[k], -INFINITY));
            out.max[k] = fmaxf(out.max[k], nextafterf(at[k], INFINITY));
        }
    }
    return out;
}

void view_stores_fill(view_stores *s, int file, const bw_transform *map, report *r)
{
    view_store *v = &s->list[file];
    const assembly *a = &v->assembly;
    v->first_mesh = (uint32_t)r->mesh_count;
    r->source = &s->source;
    for (uint32_t i = 0; i < a->mesh_count; i++)
        report_add_mesh(r, &(report_mesh){.view = store_counts(a->store, i)});
    for (uint32_t i = 0; i < a->part_count; i++) {
        const assembly_part *p = &a->parts[i];
        bw_transform pose = p->pose ? *p->pose : bw_transform_identity();
        if (map)
            pose = p->pose ? bw_transform_multiply(map, p->pose) : *map;
        char *name = store_part_path(a->store, i);
        uint32_t part = report_add_part(r, *name ? name : a->store->path, a->store->path,
                                        v->first_mesh + p->mesh, map || p->pose ? &pose : NULL);
        free(name);
        bw_box box = map ? mapped_box(map, &p->box) : p->box;
        report_set_box(r, part, &box);
    }
}

void view_stores_free(view_stores *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->list[i].assembly.store)
            assembly_free(&s->list[i].assembly);
    free(s->list);
}
