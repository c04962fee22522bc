"""A sample of test cases, or all of them with `THOROUGH=1`. The tests of promises never take a sample."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")


def few(cases: Iterable[Case], many: int = 3) -> list[Case]:
    """`many` cases: the first, the last, and others evenly spread between them.

    >>> few("abcdefg", 3)
    ['a', 'd', 'g']
    >>> few("ab", 3)
    ['a', 'b']
    >>> few("abc", 1)
    ['a']
    """
    found = list(cases)
    if os.environ.get("THOROUGH") or len(found) <= many:
        return found
    return [found[place * (len(found) - 1) // max(many - 1, 1)] for place in range(many)]
