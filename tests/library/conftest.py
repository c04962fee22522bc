"""What a test makes known to this process is forgotten after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from facedown.core import registry


@pytest.fixture(autouse=True)
def _forget_games() -> Iterator[None]:
    known = dict(registry._added)
    yield
    registry._added.clear()
    registry._added.update(known)
