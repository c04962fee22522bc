"""A table at other servers on the same store: who is connected there, told by hints, and by the store where
it decides something. Does nothing where the store has one server.
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
"""A seat's last sign of life is written this often at most."""


class Elsewhere:
    """Says at other servers which seats of a table are connected here, and hears which are there."""

    def __init__(self, table: str, bus: Bus, store: Store, presence: Presence) -> None:
        self._table = table
        self._bus = bus
        self._store = store
        self._presence = presence
        self._said: frozenset[Seat] = frozenset()
        self._written: dict[Seat, int] = {}
        self._own: dict[Seat, int] = {}
        """What was written last from here into the store, by its clock."""
        self._topics: dict[str, OnHint] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def subscribe(self, seats: int, on_invite: Callable[[str | None], None], on_texts: OnHint) -> None:
        """Listen for hints about this table's seats, its invite and its texts; one that was erased is gone
        from every server's memory."""
        if not self._store.shared:
            return

        def invite_changed(_number: int, _node: str) -> None:
            self._start(self._read_invite(on_invite))

        self._topics = {
            _invite(self._table): invite_changed,
            _texts(self._table): on_texts,
            _who(self._table): self._asked,
            **{_here(self._table, seat): partial(self._heard, seat) for seat in range(1, seats + 1)},
        }
        for topic, on_hint in self._topics.items():
            self._bus.subscribe(topic, on_hint)

    def unsubscribe(self) -> None:
        """Listen no more."""
        for topic, on_hint in self._topics.items():
            self._bus.unsubscribe(topic, on_hint)
        self._topics = {}

    # --- presence -------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Somebody came or went here: say it where that is new."""
        if not self._store.shared:
            return
        seats = self._presence.local
        for seat in seats ^ self._said:
            self._say(seat, here=seat in seats)
        self._said = seats
        self._write(seats)

    def say_again(self) -> None:
        """Say who is connected here: a hint may have been lost, and each counts for a while only."""
        seats = self._presence.local
        for seat in seats | self._said:  # whose last request is too long ago is gone without a word
            self._say(seat, here=seat in seats)
        self._said = seats
        self._write(seats)

    def ask(self) -> None:
        """Ask other servers who is connected there: what they said before was not heard here."""
        if self._store.shared:
            self._bus.publish(_who(self._table), now())

    def _asked(self, _number: int, node: str) -> None:
        if node != self._bus.node:
            self.say_again()

    async def look(self) -> None:
        """Ask the store who is connected anywhere; what was written here says nothing of other servers."""
        if self._store.shared:
            for seat, at in (await self._store.last_seen(self._table)).items():
                if at and at != self._own.get(seat):
                    self._presence.heard(seat, STORE, at, here=True)

    def _say(self, seat: Seat, *, here: bool) -> None:
        self._bus.publish(_here(self._table, seat), now() * 2 + here)

    def _heard(self, seat: Seat, number: int, node: str) -> None:
        if node != self._bus.node:
            self._presence.heard(seat, node, number >> 1, here=bool(number & 1))

    def _write(self, seats: frozenset[Seat]) -> None:
        at = now()
        due = [seat for seat in seats if at - self._written.get(seat, 0) >= _WRITTEN_MS]
        if due:
            self._written.update(dict.fromkeys(due, at))
            self._start(self._write_now(due, at))

    async def _write_now(self, seats: list[Seat], at: int) -> None:
        self._own.update(await self._store.seen(self._table, seats, at))

    # --- invite and texts -----------------------------------------------------------------------------

    def invite_changed(self) -> None:
        """The table has another invite, or none: say it."""
        self._bus.publish(_invite(self._table), now())

    async def _read_invite(self, on_invite: Callable[[str | None], None]) -> None:
        on_invite(await self._store.invite_of(self._table))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this in the background; if the store is away, the next time does it."""

        async def run() -> None:
            with survive(_log, "presence of a table"):
                await work

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def texts_erased(bus: Bus, table: str) -> None:
    """Personal texts of a table were erased: say it."""
    bus.publish(_texts(table), now())


def _here(table: str, seat: Seat) -> str:
    return f"here/{table}/{seat}"


def _who(table: str) -> str:
    return f"who/{table}"


def _invite(table: str) -> str:
    return f"invite/{table}"


def _texts(table: str) -> str:
    return f"texts/{table}"
