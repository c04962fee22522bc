"""What the tests of E-Card share."""

from __future__ import annotations

import pytest

from facedown.games.ecard.plays import plays_of


@pytest.fixture(autouse=True)
def plays_worked_out_anew() -> None:
    """No test leans on what an earlier one has worked out: a mistake in a play is found by all of them."""
    plays_of.cache_clear()
