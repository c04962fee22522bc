"""Transactions as steps, which both stores run: a generator yields statements and appends, and receives the
rows of each."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from facedown.server.store.callers import Caller
from facedown.server.store.values import Append

T = TypeVar("T")

AT_ONCE: Final = 500
"""Values that one statement lists."""


class Many(NamedTuple):
    """A statement that is run for each of these rows of values, and returns nothing."""

    statement: str
    rows: Sequence[Sequence[object]]


Steps: TypeAlias = Generator[tuple[str, Sequence[object]] | Many | Append | list[Append], list[Any], T]
"""Statements with their values, and appends, one or several."""
BeginSteps: TypeAlias = "Callable[[int], Steps[T]]"
"""The steps of a request, from the store's time."""


def checked(caller: Caller | None, begin: BeginSteps[T], lock: str) -> BeginSteps[T]:
    """The same steps, after the check of the caller; `lock` as in `Caller.check`."""
    if caller is None:
        return begin

    def begin_checked(at: int) -> Steps[T]:
        yield from caller.check(lock)
        return (yield from begin(at))

    return begin_checked


def places(values: Sequence[object], first: int = 1) -> str:
    """The places of these values in a list of a statement.

    >>> places("abc", first=2)
    '$2, $3, $4'
    """
    return ", ".join(f"${number}" for number in range(first, first + len(values)))


def batches(values: Sequence[T], size: int = AT_ONCE) -> Iterator[Sequence[T]]:
    """The values in parts for one statement each."""
    return (values[start : start + size] for start in range(0, len(values), size))
