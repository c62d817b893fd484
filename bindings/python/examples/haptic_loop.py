"""A time-critical loop: collision or free within 20 microseconds per query, with a confidence; what is not proven goes on in the next turn."""

from __future__ import annotations

import numpy as np

import boxwood as bw


def main() -> None:
    body = bw.Anytime(bw.samples.knot(200, 30))
    cache = bw.AnytimeCache()
    rng = np.random.default_rng(11)
    right = proven = 0
    turns = 200
    axis = tuple(rng.normal(size=3))
    for k in range(turns):
        pose = bw.rotation(axis, 0.01 * k, (2.9 - 0.01 * k, 0.2, 0.1))
        answer, places = bw.collides_within(body, body, pose_b=pose, seconds=20e-6, regions=4, cache=cache, coherent=True)
        truth, _ = bw.collides_within(body, body, pose_b=pose)
        right += answer.collision == truth.collision
        proven += answer.proven
        assert truth.proven and (not answer.proven or answer.collision == truth.collision)
        if answer.collision and len(places):
            force = np.array(places[0].normal)  # where to push
            assert np.linalg.norm(force) < 1.001
    print(f"{turns} queries of 20 us: {proven} proven, {right} right")


if __name__ == "__main__":
    main()
