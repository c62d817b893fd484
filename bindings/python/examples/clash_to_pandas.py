"""The clashes of an assembly as a table: broad phase by a scene of boxes, exact contacts with depth, into pandas where it is installed."""

from __future__ import annotations

import numpy as np

import boxwood as bw


def main() -> None:
    rng = np.random.default_rng(3)
    kinds = {"knot": bw.samples.knot(80, 12).tree, "ball": bw.samples.sphere(3, 0.8).tree, "block": bw.samples.cube(1.2).tree}
    parts = []
    for i in range(300):
        name = list(kinds)[i % 3]
        parts.append((f"{name}-{i:03}", kinds[name], np.array(bw.rotation(tuple(rng.normal(size=3)), rng.uniform(0, 6), tuple(rng.uniform(0, 14, 3))))))
    boxes = []
    for _, tree, pose in parts:
        low, high = np.asarray(tree.bounds, dtype=float)
        middle, half = pose[:3, :3] @ ((low + high) / 2) + pose[:3, 3], np.abs(pose[:3, :3]) @ ((high - low) / 2)
        boxes.append([middle - half * 1.000001, middle + half * 1.000001])
    scene = bw.Scene()
    ids = scene.insert(boxes)
    part_of = {int(i): k for k, i in enumerate(ids)}
    rows = []
    for pair in scene.pairs():
        (na, a, pa), (nb, b, pb) = parts[part_of[pair.a]], parts[part_of[pair.b]]
        if not bw.collides(a, b, pa, pb):
            continue
        contacts, regions = bw.contacts(a, b, pa, pb, depth=True, trials=60)
        report = contacts.report
        rows.append({"a": na, "b": nb, "contacts": len(contacts), "regions": len(regions), "depth": report.depth_upper, "x": regions[0].point[0]})
    rows.sort(key=lambda r: -float(r["depth"]))
    try:
        import pandas

        table = pandas.DataFrame(rows)
        print(table.head(5).to_string(index=False))
        print(table.groupby(table.a.str.split("-").str[0]).size().to_string())
    except ImportError:
        for row in rows[:5]:
            print(row)
    print(f"{len(rows)} clashes of {len(scene.pairs())} pairs whose boxes meet")
    assert rows and all(np.isfinite(r["depth"]) and r["depth"] > 0 for r in rows)


if __name__ == "__main__":
    main()
