"""The public modules beside `facedown` itself: `dir` shows what they offer, not what they import."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.solve.openspiel import pyspiel


@pytest.mark.parametrize(
    "module", ["testing", "batch", "adapters.gymnasium", "adapters.openspiel", "adapters.pettingzoo"]
)
def test_a_public_module_shows_its_own_names_alone(module: str) -> None:
    if module == "adapters.openspiel":
        pyspiel()
    found = import_module(f"facedown.{module}")

    assert dir(found) == sorted(found.__all__)
    assert all(hasattr(found, name) for name in found.__all__)
