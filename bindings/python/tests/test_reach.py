"""All of the library is in the package: every function of the headers is called by the extension, or named here with its reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

ONE_BY_ONE = "the package calls the one for many, also for one"
NUMPY = "a line of NumPy or Python does it"
NOT_CALLED = {
    "bw_box_overlaps": NUMPY,
    "bw_contains": ONE_BY_ONE,
    "bw_defect_result": "exceptions are made from faults, which have the result",
    "bw_defect_string": "the members of boxwood.Defect have names",
    "bw_kinetic_set_plan": ONE_BY_ONE,
    "bw_mesh_corners": NUMPY,
    "bw_mesh_vertex": NUMPY,
    "bw_motion_position": "Motion.sample gives the positions of all vertices",
    "bw_nearest": ONE_BY_ONE,
    "bw_plan_crossing": "what kinetic trees are made of: no question of its own",
    "bw_plan_position": NUMPY,
    "bw_ray_between": "rays(..., between=True) says so in the ray itself",
    "bw_ray_second_point": "for those who test against rays by hand, in C",
    "bw_region_meets": "a Scene of the boxes answers it",
    "bw_scene_insert": ONE_BY_ONE,
    "bw_scene_move": ONE_BY_ONE,
    "bw_signed_distance": ONE_BY_ONE,
    "bw_surface_at": ONE_BY_ONE,
    "bw_transform_compose": "boxwood.rotation and boxwood.translation, which need no extension",
    "bw_transform_invert": NUMPY,
    "bw_transform_multiply": NUMPY,
    "bw_transform_point": NUMPY,
    "bw_version": "__version__ is the text of it",
    "bw_world_move": ONE_BY_ONE,
}


@pytest.mark.once
def test_every_function_of_the_headers_is_called_or_named() -> None:
    listed = (ROOT / "test/package/abi.txt").read_text(encoding="utf-8")
    functions = {m.group(1) for line in listed.splitlines() if line.startswith("function ") and (m := re.search(r"\b(bw_\w+)\(", line))}
    assert len(functions) > 200
    sources = "\n".join(re.sub(r"/\*.*?\*/", "", p.read_text(encoding="utf-8"), flags=re.S) for p in (ROOT / "bindings/python/src").glob("*.c"))
    called = functions & set(re.findall(r"\bbw_\w+", sources))
    assert functions - called - NOT_CALLED.keys() == set(), "neither called nor named"
    assert NOT_CALLED.keys() & called == set(), "named, but called"
    assert NOT_CALLED.keys() - functions == set(), "named, but gone"
