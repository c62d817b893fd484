"""A cloth falls on a ball and on itself: steps are cut where continuous collision finds a contact, so nothing ever passes through."""

from __future__ import annotations

import numpy as np

import boxwood as bw


def main() -> None:
    sheet, ball = bw.samples.cloth(24, 2.0, 0.75), bw.samples.sphere(3, 0.6)
    rest = np.array(sheet.vertices)
    x, speed = rest.copy(), np.zeros_like(rest)
    faces = np.array(sheet.faces)
    edges = np.unique(np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    length = np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=1)
    obstacle = bw.Step(ball, ball.vertices)
    step = bw.Step(sheet, rest)
    cut = 0
    for _ in range(60):
        force = np.zeros_like(x)
        d = x[edges[:, 1]] - x[edges[:, 0]]
        now = np.linalg.norm(d, axis=1)
        pull = 40 * ((now - length) / length)[:, None] * d / now[:, None]
        np.add.at(force, edges[:, 0], pull)
        np.add.at(force, edges[:, 1], -pull)
        speed = 0.98 * (speed + 0.01 * (force + [0, 0, -9.81]))
        wanted = x + 0.01 * speed
        step.update(x, wanted)
        safe = bw.safe_step([step, (step, obstacle)], separation=1e-3).step
        if safe < 1:
            cut += 1
            near = step.near(0.05, obstacle)
            touching = np.unique(near.vertices[near.feature == bw.StepFeature.VERTEX_FACE][:, 0]) if len(near) else []
            speed[touching] = 0
        x = x + 0.9 * safe * (wanted - x)
    end = bw.Mesh(x, faces)
    print(f"60 steps, {cut} of them cut short; the lowest point is at {x[:, 2].min():.3f}")
    print(f"in contact at the end: with the ball {len(bw.collide(end, ball))}, with itself {len(bw.collide_self(end))}")
    assert len(bw.collide(end, ball)) == 0 and len(bw.collide_self(end)) == 0


if __name__ == "__main__":
    main()
