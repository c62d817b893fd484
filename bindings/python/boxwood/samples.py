"""Small meshes to try things with; they need nothing but the standard library."""

from __future__ import annotations

import math

from boxwood._core import Mesh

__all__ = ["cloth", "cube", "knot", "sphere"]


def cube(size: float = 1.0) -> Mesh:
    """A cube of twelve triangles around the origin.

    >>> import boxwood as bw
    >>> bw.samples.cube()
    Mesh(8 vertices, 12 faces, float64)
    """
    h = size / 2
    vertices = [[x, y, z] for x in (-h, h) for y in (-h, h) for z in (-h, h)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return Mesh(vertices, [t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])])


def sphere(subdivisions: int = 3, radius: float = 1.0) -> Mesh:
    """An icosahedron whose triangles are divided in four so many times, on a sphere.

    >>> import boxwood as bw
    >>> bw.samples.sphere(3)
    Mesh(642 vertices, 1280 faces, float64)
    """
    g = (1 + math.sqrt(5)) / 2
    raw = [(s * a, t * b, 0.0) for s in (-1, 1) for t in (-1, 1) for a, b in ((1.0, g),)]
    corners = [p for q in raw for p in (q, (q[2], q[0], q[1]), (q[1], q[2], q[0]))]
    points = [[c / math.hypot(*p) for c in p] for p in corners]
    near = min(math.dist(points[0], p) for p in points[1:]) * 1.001
    faces: list[list[int]] = []
    for i in range(12):
        for j in range(i + 1, 12):
            for k in range(j + 1, 12):
                a, b, c = points[i], points[j], points[k]
                if max(math.dist(a, b), math.dist(b, c), math.dist(c, a)) < near:
                    n = [
                        (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
                        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
                        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
                    ]
                    faces.append([i, j, k] if sum(x * y for x, y in zip(n, a)) > 0 else [i, k, j])
    for _ in range(subdivisions):
        middles: dict[tuple[int, int], int] = {}

        def middle(p: int, q: int, middles: dict[tuple[int, int], int] = middles) -> int:
            key = (min(p, q), max(p, q))
            if key not in middles:
                m = [(x + y) / 2 for x, y in zip(points[p], points[q])]
                length = math.hypot(*m)
                points.append([x / length for x in m])
                middles[key] = len(points) - 1
            return middles[key]

        finer: list[list[int]] = []
        for i, j, k in faces:
            ij, jk, ki = middle(i, j), middle(j, k), middle(k, i)
            finer += [[i, ij, ki], [j, jk, ij], [k, ki, jk], [ij, jk, ki]]
        faces = finer
    return Mesh([[radius * x for x in p] for p in points], faces)


def knot(along: int = 120, around: int = 20, thickness: float = 0.35) -> Mesh:
    """A trefoil knot as a tube of 2 * along * around triangles.

    >>> import boxwood as bw
    >>> bw.samples.knot().topology().closed
    True
    """

    def centre(u: float) -> tuple[float, float, float]:
        r = 2 + math.cos(1.5 * u)
        return (0.5 * r * math.cos(u), 0.5 * r * math.sin(u), 0.5 * math.sin(1.5 * u))

    def unit(v: list[float]) -> list[float]:
        length = math.hypot(*v)
        return [x / length for x in v]

    def cross(a: list[float], b: list[float]) -> list[float]:
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    vertices: list[list[float]] = []
    for i in range(along):
        u = 4 * math.pi * i / along
        p, q = centre(u), centre(u + 0.01)
        tangent = [y - x for x, y in zip(p, q)]
        binormal = unit(cross(tangent, [x + y for x, y in zip(p, q)]))
        normal = unit(cross(binormal, tangent))
        for j in range(around):
            v = 2 * math.pi * j / around
            vertices.append([p[k] + thickness * (math.sin(v) * binormal[k] - math.cos(v) * normal[k]) for k in range(3)])
    faces: list[list[int]] = []
    for i in range(along):
        for j in range(around):
            a, b = i * around + j, (i + 1) % along * around + j
            c, d = (i + 1) % along * around + (j + 1) % around, i * around + (j + 1) % around
            faces += [[a, b, d], [b, c, d]]
    return Mesh(vertices, faces)


def cloth(cells: int = 20, size: float = 1.0, height: float = 0.0) -> Mesh:
    """A square sheet of 2 * cells**2 triangles in the plane z = height, around the z axis.

    >>> import boxwood as bw
    >>> bw.samples.cloth(10).topology().boundary_edges
    40
    """
    n = cells + 1
    vertices = [[size * (i / cells - 0.5), size * (j / cells - 0.5), height] for i in range(n) for j in range(n)]
    faces: list[list[int]] = []
    for i in range(cells):
        for j in range(cells):
            a, b, c, d = i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1
            faces += [[a, b, c], [a, c, d]]
    return Mesh(vertices, faces)
