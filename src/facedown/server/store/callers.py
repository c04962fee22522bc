"""The caller of a request: every write that the request makes holds the condition that the caller's session,
token, seat or place among the moderators is still there.

A request sets its caller once (`acting_for`). The store asks for it where a write enters, and looks in the
transaction of that write. Tasks that a request starts are the server's own: they have no caller.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from facedown.core.errors import FacedownError
from facedown.protocol.errors import BadToken, OperatorsOnly

_KEY: Final = "select 1 from keys where hash = $1 and person = $2"
_PERSON: Final = "select 1 from people where id = $1"
_SEAT: Final = "select 1 from seats where table_id = $1 and (token = $2 or previous = $2)"
_MODERATOR: Final = "select 1 from moderators where person = $1"


class CallerGone(BadToken):
    """The session, the token or the person of a caller ended before the write: nothing was saved."""

    caller: Caller | None = None


class NoModerator(OperatorsOnly):
    """The caller was no moderator any more before the write: nothing was saved."""

    caller: Caller | None = None


class Caller(NamedTuple):
    """A person who acts, and what has to be there still when this is saved."""

    person: str
    key: bytes = b""
    """The hash of the session's or personal token; empty if the person alone, or a seat, has to be there."""
    moderates: bool = False
    """Whether the person acts as a moderator."""
    table: str = ""
    seat: bytes = b""
    """The hash of the token of a seat at that table."""

    def conditions(self) -> Iterator[tuple[str, tuple[object, ...]]]:
        """Queries that each return a row as long as the caller may act."""
        if self.key:
            yield _KEY, (self.key, self.person)
        else:
            yield _PERSON, (self.person,)
        if self.seat:
            yield _SEAT, (self.table, self.seat)
        if self.moderates:
            yield _MODERATOR, (self.person,)

    def check(self, lock: str = "") -> Generator[tuple[str, Sequence[object]], list[Any], None]:
        """Steps that raise `CallerGone` or `NoModerator` unless the caller may act; `lock` makes that hold
        until the commit."""
        for statement, values in self.conditions():
            if not (yield statement + lock, values):
                raise self.refusal(statement)

    def refusal(self, statement: str) -> FacedownError:
        """The error of the condition that does not hold."""
        no_moderator = statement == _MODERATOR
        error = NoModerator("no moderator any more") if no_moderator else CallerGone("this session has ended")
        error.caller = self
        return error


_current: ContextVar[tuple[Caller | None, asyncio.Task[object] | None]] = ContextVar(
    "caller", default=(None, None)
)


def current_caller() -> Caller | None:
    """The caller on whose behalf this task writes; None for the server itself."""
    caller, task = _current.get()
    return caller if caller is not None and asyncio.current_task() is task else None


@contextmanager
def acting_for(caller: Caller | None) -> Iterator[None]:
    """Make every write of this task in here one of the caller; None makes them the server's own."""
    before = _current.set((caller, asyncio.current_task()))
    try:
        yield
    finally:
        _current.reset(before)
