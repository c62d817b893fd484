"""Planning queries: which of 10,000 configurations of an arm are free, how near the free ones come, and where a path is blocked."""

from __future__ import annotations

import numpy as np

import boxwood as bw


def link_poses(angles: np.ndarray, length: float) -> np.ndarray:
    """Poses (k, links, 4, 4) of a chain of links that turn about z and x by turns."""
    count, links = angles.shape
    poses = np.empty((count, links, 4, 4))
    at = np.repeat(np.eye(4)[None], count, 0)
    for i in range(links):
        c, s = np.cos(angles[:, i]), np.sin(angles[:, i])
        turn = np.repeat(np.eye(4)[None], count, 0)
        a, b = (0, 1) if i % 2 == 0 else (1, 2)
        turn[:, a, a], turn[:, a, b], turn[:, b, a], turn[:, b, b] = c, -s, s, c
        at = at @ turn
        middle = np.eye(4)
        middle[2, 3] = length / 2
        poses[:, i] = at @ middle
        end = np.eye(4)
        end[2, 3] = length
        at = at @ end
    return poses


def main() -> None:
    rng = np.random.default_rng(7)
    room = bw.Tree(bw.Mesh(np.array(bw.samples.knot(200, 30).vertices) * 1.5 + [0, 0, 1.2], bw.samples.knot(200, 30).faces))
    room.prepare("clearance")  # it stands still, and everything moves around it
    bone = bw.samples.cube()
    link = bw.Tree(bw.Mesh(np.array(bone.vertices) * [0.12, 0.12, 0.55], bone.faces))
    arm = [link] * 4
    angles = rng.uniform(-2, 2, (10_000, 4))
    poses = link_poses(angles, 0.6)
    blocked = bw.collides_many(arm, room, poses)
    print(f"{len(angles)} configurations: {int((~blocked).sum())} free")
    free = poses[~blocked][:1000]
    gap = bw.distance_many(arm, room, free).distance
    print(f"the nearest of 1,000 free ones: {gap.min():.4f}")
    a, b = angles[~blocked][0], angles[~blocked][1]
    path = link_poses(a + np.linspace(0, 1, 200)[:, None] * (b - a), 0.6)
    on_the_way = bw.collide_many(arm, room, path, coherent=True)
    first = np.nonzero(on_the_way.hit_count)[0]
    print("the straight path is free" if len(first) == 0 else f"blocked from step {first[0]} of 200 on, by link {on_the_way.pair[first[0]]}")
    assert all(bool(f) == any(bw.collides(x, room, p) for x, p in zip(arm, q)) for f, q in zip(blocked[:50], poses[:50]))


if __name__ == "__main__":
    main()
