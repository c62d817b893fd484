"""What a camera sees of a city of 10,000 houses: by the frustum alone, and with the houses that hide others."""

from __future__ import annotations

import numpy as np

import boxwood as bw


def main() -> None:
    rng = np.random.default_rng(5)
    side = 100
    x, y = np.meshgrid(np.arange(side) * 12.0, np.arange(side) * 12.0)
    low = np.stack([x.ravel(), y.ravel(), np.zeros(side * side)], 1)
    size = np.stack([rng.uniform(6, 9, side * side), rng.uniform(6, 9, side * side), rng.uniform(5, 30, side * side)], 1)
    boxes = np.stack([low, low + size], 1)
    scene = bw.Scene()
    scene.insert(boxes, users=np.arange(len(boxes)))
    house = bw.samples.cube()
    occluders = {}
    for i, (a, b) in enumerate(boxes):
        pose = np.eye(4)
        pose[:3, :3] = np.diag((b - a) * 0.999)
        pose[:3, 3] = (a + b) / 2
        occluders[i] = (house, pose, True)
    plain, clever = bw.Culler(), bw.Culler(occluders)
    for frame in range(5):
        eye, look = [-5.0 + frame, 598.0, 1.7], [1.0, 0.02 * frame, 0.0]
        frustum, _ = plain.frame(scene, eye, look, fov=0.9, aspect=2)
        seen, report = clever.frame(scene, eye, look, fov=0.9, aspect=2)
        print(f"frame {frame}: {len(frustum)} in the frustum, {len(seen)} may be seen, {report.occluder_count} drawn as occluders")
        assert set(seen.tolist()) <= set(frustum.tolist()) and len(seen) < len(frustum) / 2


if __name__ == "__main__":
    main()
