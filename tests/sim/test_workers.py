"""How processes are started that share work."""

from __future__ import annotations

import multiprocessing
import sys
from types import ModuleType

import pytest

from facedown.sim.workers import _start_method

FORKS = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods() or sys.platform == "darwin",
    reason="this system does not fork",
)


@FORKS
def test_beside_jax_nothing_is_forked_unless_only_that_knows_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    assert _start_method(len) == "fork"

    monkeypatch.setitem(sys.modules, "jax", ModuleType("jax"))

    assert _start_method(len) == "spawn"
    assert _start_method(lambda: None) == "fork"
