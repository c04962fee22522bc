"""Protocols that a WebSocket session depends on: tables, seat tokens, accounts and a command counter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from facedown.core.seats import Seat, Viewer
from facedown.protocol.messages import Ack, Cmd, Nak, Snap
from facedown.server.accounts.credentials import SeatTokens
from facedown.server.accounts.people import Kind
from facedown.server.store.base import Person
from facedown.server.table.seating.presence import Listener


class SocketTable(Protocol):
    """A table, as far as a WebSocket session uses it."""

    @property
    def id(self) -> str: ...
    @property
    def head(self) -> int: ...
    async def settled(self) -> None: ...
    def holds_seat(self, person: str, seat: Seat) -> bool: ...
    def may_watch(self, person: str | None) -> bool: ...
    def snapshot(self, viewer: Viewer, person: str | None, at: int) -> Snap: ...
    def events(self, viewer: Viewer, person: str | None, after: int) -> list[bytes]: ...
    def recap(self, viewer: Viewer, person: str | None, after: int, at: int) -> list[bytes]: ...
    def attach(self, listener: Listener) -> None: ...
    def detach(self, listener: Listener) -> None: ...
    def submit(
        self, viewer: Viewer, cmd: Cmd, done: Callable[[Ack | Nak], None], *, person: str, name: str
    ) -> None: ...


class SocketTables(Protocol):
    """The registry of tables."""

    async def get(self, table: str) -> SocketTable: ...


class SocketStore(SeatTokens, Protocol):
    """The store: seat tokens, and the names of people."""

    async def person(self, person: str) -> Person | None: ...


class SocketPeople(Protocol):
    """Accounts by session token."""

    async def by_token(self, token: str, kind: Kind) -> Person | None: ...


class CommandCount(Protocol):
    """A counter of commands by the code of their answer."""

    def command(self, do: str, code: str = "ok") -> None: ...
