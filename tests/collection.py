"""What pytest collects, and in which order: only files with doctests, long tests in all workers."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.doctest import DoctestModule

Collected = list[pytest.Collector]
Test = TypeVar("Test")


class Doctests:
    """Leaves out the doctests of files that have none, before anything is imported for them."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, Collected, Collected]:
        """Look for a prompt first."""
        found = yield
        if any(isinstance(each, DoctestModule) for each in found) and b">>>" not in file_path.read_bytes():
            return [each for each in found if not isinstance(each, DoctestModule)]
        return found


def spread(first: Sequence[Sequence[Test]], others: Sequence[Test], workers: int) -> list[Test]:
    """Tests in an order in which each worker begins with some of the first: xdist cuts it into equal parts.

    `first`: groups that stay together.

    >>> spread(["A", "BB", "C"], "defghij", 2)
    ['A', 'C', 'd', 'e', 'f', 'B', 'B', 'g', 'h', 'i', 'j']
    """
    many = sum(map(len, first)) + len(others)
    found: list[Test] = []
    for worker in range(workers):
        own = [test for group in first[worker::workers] for test in group]
        fill = max(0, (many - len(found)) // (workers - worker) - len(own))
        found += [*own, *others[:fill]]
        others = others[fill:]
    return found
