"""The public modules beside `facedown` itself: `dir` shows what they offer, not what they import."""

from __future__ import annotations

from importlib import import_module

import pytest

from lab.tests.solve.openspiel import pyspiel


@pytest.mark.parametrize(
    "module",
    [
        "facedown.testing",
        "facedown_lab.batch",
        "facedown_lab.adapters.gymnasium",
        "facedown_lab.adapters.openspiel",
        "facedown_lab.adapters.pettingzoo",
    ],
)
def test_a_public_module_shows_its_own_names_alone(module: str) -> None:
    if module.endswith("openspiel"):
        pyspiel()
    found = import_module(module)

    assert dir(found) == sorted(found.__all__)
    assert all(hasattr(found, name) for name in found.__all__)
