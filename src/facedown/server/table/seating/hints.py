"""The hints between servers about a table: which seats are connected, a new invite, erased texts.

Hints may be lost. Where presence decides something, the store has the last sign of life of each seat. With a
store for one server, nothing here does anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from facedown.core.seats import Seat
from facedown.server.bus import Bus
from facedown.server.bus.base import OnHint
from facedown.server.clock import SECOND_MS, now
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.failures import survive
from facedown.server.table.seating.presence import STORE, Presence

_log = get_log("facedown.table")
_WRITTEN_MS: Final = 30 * SECOND_MS
"""How often a seat's last sign of life is written at most."""


class TableHints:
    """Publishes a table's hints to other servers and acts on theirs."""

    def __init__(self, table: str, bus: Bus, store: Store, presence: Presence) -> None:
        self._table = table
        self._bus = bus
        self._store = store
        self._presence = presence
        self._published: frozenset[Seat] = frozenset()
        """The seats that were last published as connected here."""
        self._written: dict[Seat, int] = {}
        self._own: dict[Seat, int] = {}
        """The last sign of life of each seat that this server wrote, by the store's clock."""
        self._topics: dict[str, OnHint] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def subscribe(self, seats: int, on_invite: Callable[[str | None], None], on_texts: OnHint) -> None:
        """Receive hints about this table's seats, its invite and its erased texts."""
        if not self._store.shared:
            return

        def on_invite_hint(_number: int, _node: str) -> None:
            self._start(self._read_invite(on_invite))

        self._topics = {
            _invite(self._table): on_invite_hint,
            _texts(self._table): on_texts,
            _who(self._table): self._on_presence_request,
            **{_here(self._table, seat): partial(self._on_presence, seat) for seat in range(1, seats + 1)},
        }
        for topic, on_hint in self._topics.items():
            self._bus.subscribe(topic, on_hint)

    def unsubscribe(self) -> None:
        """Receive no more hints."""
        for topic, on_hint in self._topics.items():
            self._bus.unsubscribe(topic, on_hint)
        self._topics = {}

    # --- presence -------------------------------------------------------------------------------------

    def publish_presence(self) -> None:
        """Publish which seats have connected or disconnected here since the last time."""
        if self._store.shared:
            seats = self._presence.local
            self._publish(seats, seats ^ self._published)

    def republish(self) -> None:
        """Publish all seats connected here again: hints may be lost, and each expires after a while.

        It includes seats that are gone without a disconnection: their last request is too long ago.
        """
        seats = self._presence.local
        self._publish(seats, seats | self._published)

    def _publish(self, seats: frozenset[Seat], news: frozenset[Seat]) -> None:
        for seat in news:
            self._bus.publish(_here(self._table, seat), now() * 2 + (seat in seats))
        self._published = seats
        self._write(seats)

    def request_presence(self) -> None:
        """Ask other servers to publish who is connected there: their earlier hints were not received."""
        if self._store.shared:
            self._bus.publish(_who(self._table), now())

    def _on_presence_request(self, _number: int, node: str) -> None:
        if node != self._bus.node:
            self.republish()

    def _on_presence(self, seat: Seat, number: int, node: str) -> None:
        if node != self._bus.node:
            self._presence.note_remote(seat, node, number >> 1, here=bool(number & 1))

    async def refresh_from_store(self) -> None:
        """Read from the store when each seat was last seen at any other server."""
        if self._store.shared:
            for seat, at in (await self._store.last_seen(self._table)).items():
                if at and at != self._own.get(seat):
                    self._presence.note_remote(seat, STORE, at, here=True)

    def _write(self, seats: frozenset[Seat]) -> None:
        at = now()
        due = [seat for seat in seats if at - self._written.get(seat, 0) >= _WRITTEN_MS]
        if due:
            self._written.update(dict.fromkeys(due, at))
            self._start(self._write_now(due, at))

    async def _write_now(self, seats: list[Seat], at: int) -> None:
        self._own.update(await self._store.mark_seen(self._table, seats, at))

    # --- invite and texts -----------------------------------------------------------------------------

    def publish_invite_change(self) -> None:
        """Publish that the table has another invite, or none."""
        self._bus.publish(_invite(self._table), now())

    async def _read_invite(self, on_invite: Callable[[str | None], None]) -> None:
        on_invite(await self._store.invite_of(self._table))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this in the background; if the store fails, the next hint tries again."""

        async def run() -> None:
            with survive(_log, "presence of a table"):
                await work

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def publish_texts_erased(bus: Bus, table: str) -> None:
    """Publish that personal texts of a table were erased."""
    bus.publish(_texts(table), now())


def _here(table: str, seat: Seat) -> str:
    return f"here/{table}/{seat}"


def _who(table: str) -> str:
    return f"who/{table}"


def _invite(table: str) -> str:
    return f"invite/{table}"


def _texts(table: str) -> str:
    return f"texts/{table}"
