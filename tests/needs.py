"""What a test needs and a machine may not have: the test is skipped loudly, and fails under CI=true."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def without(what: str) -> NoReturn:
    """Skip this test because the machine lacks something; under CI=true that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI runs everything, but here {what}")
    pytest.skip(f"*** SKIPPED: {what} ***")
