// The pairs of triangles of two OBJ files that meet, by CGAL: box_intersection_d for candidates, and
// do_intersect of a kernel with exact predicates for the answer. Prints "a b" a line, numbered from 0,
// sorted. Degenerate triangles, which CGAL does not take, are refused. Usage: contacts_cgal A.obj B.obj
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Triangle = Kernel::Triangle_3;
using Box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, std::vector<Triangle>::const_iterator>;

// The plain OBJ that boxwood export writes: v and f of bare numbers. strtod gives the doubles back bit by
// bit.
static std::vector<Triangle> read(const char *file)
{
    std::ifstream in(file);
    std::vector<Point> points;
    std::vector<Triangle> triangles;
    std::string line;
    while (std::getline(in, line)) {
        char *at = line.data() + 2;
        if (line.compare(0, 2, "v ") == 0) {
            double x = std::strtod(at, &at), y = std::strtod(at, &at), z = std::strtod(at, &at);
            points.emplace_back(x, y, z);
        } else if (line.compare(0, 2, "f ") == 0) {
            unsigned long a = std::strtoul(at, &at, 10), b = std::strtoul(at, &at, 10),
                          c = std::strtoul(at, &at, 10);
            triangles.emplace_back(points.at(a - 1), points.at(b - 1), points.at(c - 1));
            if (triangles.back().is_degenerate()) {
                std::cerr << file << ": triangle " << triangles.size() - 1 << " is degenerate\n";
                std::exit(2);
            }
        }
    }
    if (triangles.empty()) {
        std::cerr << file << ": no triangles\n";
        std::exit(2);
    }
    return triangles;
}

static std::vector<Box> boxes(const std::vector<Triangle> &triangles)
{
    std::vector<Box> result;
    for (auto it = triangles.begin(); it != triangles.end(); ++it)
        result.emplace_back(it->bbox(), it);
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    std::vector<Triangle> a = read(argv[1]), b = read(argv[2]);
    std::vector<Box> boxes_a = boxes(a), boxes_b = boxes(b);
    std::vector<std::pair<long, long>> pairs;
    CGAL::box_intersection_d(boxes_a.begin(), boxes_a.end(), boxes_b.begin(), boxes_b.end(),
                             [&](const Box &x, const Box &y) {
                                 if (CGAL::do_intersect(*x.handle(), *y.handle()))
                                     pairs.emplace_back(x.handle() - a.begin(), y.handle() - b.begin());
                             });
    std::sort(pairs.begin(), pairs.end());
    for (const auto &pair : pairs)
        std::printf("%ld %ld\n", pair.first, pair.second);
    return 0;
}
