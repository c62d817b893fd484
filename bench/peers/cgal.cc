/* CGAL's AABB_tree with exact predicates (Epick) on the mesh's float coordinates.
 * "any" is Rigid_triangle_mesh_collision_detection, which walks both trees under a pose. For "all" CGAL
 * offers no walk of two trees: each triangle of the smaller mesh that enters the other's box asks the larger
 * one's tree. It has no refit. */
#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

#include <cmath>
#include <memory>

#include "peers/model.h"
#include "peers/registry.h"

namespace
{

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface = CGAL::Surface_mesh<kernel::Point_3>;
using positions_map = surface::Property_map<surface::Vertex_index, kernel::Point_3>;
/* One mesh a tree; the last parameter makes the tree keep a copy of its triangles. */
using primitive =
    CGAL::AABB_face_graph_triangle_primitive<surface, positions_map, CGAL::Tag_true, CGAL::Tag_true>;
using tree_type = CGAL::AABB_tree<CGAL::AABB_traits<kernel, primitive>>;
using detection =
    CGAL::Rigid_triangle_mesh_collision_detection<surface, CGAL::Default, CGAL::Default, tree_type>;

using sides = CGAL::Side_of_triangle_mesh<surface, kernel, CGAL::Default, tree_type>;

struct model {
    mesh_copy mesh;
    surface faces;
    std::unique_ptr<tree_type> tree;
    std::unique_ptr<sides> side; /* over the tree, from the first question on */
    /* What "any" of the last pair of meshes needs, and the mesh it was with. */
    std::unique_ptr<detection> pair;
    const model *paired = nullptr;

    explicit model(const bw_mesh *from) : mesh(from)
    {
        faces.reserve(mesh.vertex_count, 3 * mesh.vertex_count, mesh.triangle_count);
        for (uint32_t v = 0; v < mesh.vertex_count; v++)
            faces.add_vertex(point(mesh.vertex(v)));
        for (uint32_t t = 0; t < mesh.triangle_count; t++)
            faces.add_face(corner(t, 0), corner(t, 1), corner(t, 2));
    }

    static kernel::Point_3 point(const bw_vec3 &p)
    {
        return kernel::Point_3(p.x, p.y, p.z);
    }

    surface::Vertex_index corner(uint32_t t, size_t k) const
    {
        return surface::Vertex_index(mesh.indices[3 * size_t(t) + k]);
    }

    void build()
    {
        tree.reset(new tree_type(faces.faces_begin(), faces.faces_end(), faces, faces.points()));
        tree->build();
    }

    void unbuild()
    {
        pair.reset();
        side.reset();
        paired = nullptr;
        tree.reset();
    }
};

model *of(void *opaque)
{
    return static_cast<model *>(opaque);
}

kernel::Aff_transformation_3 to_cgal(const bw_transform *pose)
{
    const bw_transform t = pose_or_identity(pose);
    return kernel::Aff_transformation_3(t.m[0][0], t.m[0][1], t.m[0][2], t.m[0][3], t.m[1][0], t.m[1][1],
                                        t.m[1][2], t.m[1][3], t.m[2][0], t.m[2][1], t.m[2][2], t.m[2][3]);
}

uint64_t any(void *first, void *second, const bw_transform *pose)
{
    model *a = of(first), *b = of(second);
    if (b->pair == nullptr || b->paired != a) {
        b->pair.reset(new detection);
        b->pair->add_mesh(*a->tree, a->faces);
        b->pair->add_mesh(*b->tree, b->faces);
        b->paired = a;
    }
    b->pair->set_transformation(1, to_cgal(pose));
    return !b->pair->get_all_intersections(1).empty();
}

uint64_t all(void *first, void *second, const bw_transform *pose)
{
    const model *tree_side = of(first);
    model *query_side = of(second);
    bw_transform map = pose_or_identity(pose);
    if (query_side->mesh.triangle_count > tree_side->mesh.triangle_count) {
        tree_side = of(second);
        query_side = of(first);
        bw_transform inverse;
        if (bw_transform_invert(&map, &inverse) != BW_OK)
            return 0;
        map = inverse;
    }
    const CGAL::Bbox_3 box = tree_side->tree->bbox();
    uint64_t hits = 0;
    const auto count = [&hits](const auto &) { hits++; };
    const auto output = boost::make_function_output_iterator(count);
    for (uint32_t t = 0; t < query_side->mesh.triangle_count; t++) {
        bw_vec3 corners[3];
        query_side->mesh.corners(t, corners);
        const kernel::Triangle_3 triangle(model::point(bw_transform_point(&map, corners[0])),
                                          model::point(bw_transform_point(&map, corners[1])),
                                          model::point(bw_transform_point(&map, corners[2])));
        if (CGAL::do_overlap(triangle.bbox(), box))
            tree_side->tree->all_intersected_primitives(triangle, output);
    }
    return hits;
}

uint64_t self(void *opaque)
{
    std::vector<std::pair<surface::Face_index, surface::Face_index>> pairs;
    CGAL::Polygon_mesh_processing::self_intersections<CGAL::Sequential_tag>(of(opaque)->faces,
                                                                            std::back_inserter(pairs));
    return pairs.size();
}

double nearest(void *opaque, const bw_vec3 *p)
{
    return std::sqrt(of(opaque)->tree->squared_distance(model::point(*p)));
}

uint64_t inside(void *opaque, const bw_vec3 *p)
{
    model *m = of(opaque);
    if (m->side == nullptr)
        m->side.reset(new sides(*m->tree));
    return (*m->side)(model::point(*p)) == CGAL::ON_BOUNDED_SIDE;
}

double ray(void *opaque, const bw_peer_ray *r)
{
    const kernel::Ray_3 line(model::point(r->origin),
                             kernel::Vector_3(r->direction.x, r->direction.y, r->direction.z));
    const auto hit = of(opaque)->tree->first_intersection(line);
    if (!hit)
        return INFINITY;
    const kernel::Point_3 *p = boost::get<kernel::Point_3>(&hit->first);
    const kernel::Segment_3 *s = boost::get<kernel::Segment_3>(&hit->first);
    const kernel::Point_3 at = p != nullptr ? *p : s->source();
    return std::sqrt(CGAL::squared_distance(at, model::point(r->origin)));
}

uint64_t occluded(void *opaque, const bw_peer_ray *r)
{
    const kernel::Ray_3 line(model::point(r->origin),
                             kernel::Vector_3(r->direction.x, r->direction.y, r->direction.z));
    return of(opaque)->tree->do_intersect(line);
}

bw_peer make()
{
    bw_peer p = {};
    p.name = "cgal";
    p.create = [](const bw_mesh *mesh) -> void * { return new model(mesh); };
    p.destroy = [](void *m) {
        of(m)->unbuild();
        delete of(m);
    };
    p.build = [](void *m) { of(m)->build(); };
    p.unbuild = [](void *m) { of(m)->unbuild(); };
    p.any = any;
    p.all = all;
    p.self = self;
    p.nearest = nearest;
    p.inside = inside;
    p.ray = ray;
    p.occluded = occluded;
    return p;
}

} // namespace

const bw_peer peer_cgal = make();
