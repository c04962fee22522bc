"""Few of many: a statement that is repeated over many cases is tried on some of them, and on all if asked.

`THOROUGH=1 ./test` tries all. What a promise rests on is never thinned out here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")


def few(cases: Iterable[Case], many: int = 3) -> list[Case]:
    """The first case, the last one, and as many as asked for in all, evenly spread between them.

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
