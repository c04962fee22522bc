"""What pytest collects: doctests only where there are some, which is what takes long otherwise."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

Collected = list[pytest.Collector]


class Doctests:
    """Leaves out the doctests of files that have none, before anything is imported for them."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, Collected, Collected]:
        """Look for a prompt first."""
        found = yield
        if any(isinstance(each, DoctestModule) for each in found) and b">>>" not in file_path.read_bytes():
            return [each for each in found if not isinstance(each, DoctestModule)]
        return found
