"""Fixtures of the tests."""

from __future__ import annotations

import gc
import os
import random

import numpy as np
import pytest

import boxwood as bw


@pytest.fixture
def seed() -> int:
    """A new seed each run, printed where a test fails; BOXWOOD_SEED=n repeats one."""
    value = int(os.environ.get("BOXWOOD_SEED", random.randrange(2**32)))
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
