"""Fixtures of the tests."""

from __future__ import annotations

import gc
import os

import numpy as np
import pytest

import boxwood as bw


@pytest.fixture
def seed() -> int:
    """The same in every run; BOXWOOD_SEED=n is another, which is printed where a test fails."""
    value = int(os.environ.get("BOXWOOD_SEED", "1"))
    print(f"BOXWOOD_SEED={value}")
    return value


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture(autouse=True)
def nothing_is_lost():  # type: ignore[no-untyped-def]
    """Every test gives back the memory of its results. What earlier tests left alive is frozen: it is not looked through again."""
    before = bw._core._live_blocks()
    yield
    gc.collect()
    gc.freeze()
    assert bw._core._live_blocks() <= before
