from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.patience import PATIENCE_MS
from tests.web.chromium import chromium

expect.set_options(timeout=PATIENCE_MS)
"""Milliseconds: a busy machine is slow, not wrong."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The one browser of all tests in this folder; they are skipped, and say so, where there is none."""
    with chromium() as found:
        yield found
