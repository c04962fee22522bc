"""Presence at a table: which seats are connected, here or at another server, and which are away.

A machine may take over a seat that has been away for too long (`replaceable`). How long that is depends on
the clock: a player who has days for a move is not away after a minute.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.messages import Here, encode
from facedown.server.bus import Bus
from facedown.server.bus.base import OnHint
from facedown.server.clock import DAY_MS, MINUTE_MS, SECOND_MS, now
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed, survive
from facedown.server.table.actor import Attendance
from facedown.server.table.state import TableState

LIVE_MS: Final = 3 * MINUTE_MS
"""How long a seat must be gone at least, on its own turn, if the clock counts seconds."""
UNTIMED_MS: Final = DAY_MS
"""How long a turn must wait for a seat that is gone, if there is no clock."""
RECENT_MS: Final = MINUTE_MS
"""How long a seat counts as connected after a request without a connection."""
REMOTE_MS: Final = 45_000
"""How long a seat counts as connected after another server reported it; servers report every 20 s."""
STORE: Final = "store"
"""The name under which the last sign of life in the store is kept, whichever server wrote it."""
_LEAST_WAIT_MS: Final = 50


def away_from(state: TableState, seat: Seat, last_seen: int) -> int | None:
    """When an unconnected seat starts to count as away; None if its absence does not count.

    Absence counts only on the seat's turn, and not with a clock of days: there the flag counts.
    """
    turn, clock = state.clocks.since.get(seat), state.setup.clock
    if turn is None or clock.kind == "correspondence":
        return None
    if clock.kind == "decision":
        return last_seen + max(LIVE_MS, clock.seconds * SECOND_MS)
    return max(last_seen + LIVE_MS, turn + UNTIMED_MS)


def replaceable_seats(state: TableState, attendance: Attendance) -> frozenset[Seat]:
    """The seats that a machine may take over: the player left, is away, or let a clock of days run out."""
    if not state.playing:
        return frozenset()
    here, away = attendance
    days, turns = state.setup.clock.kind == "correspondence", state.clocks.since
    return frozenset(
        place.seat
        for place in state.people
        if place.left
        or (place.seat in away and place.seat in turns)
        or (days and place.flagged and place.seat not in here)
    )


class Update(NamedTuple):
    """What a listener receives at once: the events of one transaction, or who is connected."""

    frames: tuple[bytes, ...]
    """Encoded messages, one after the other."""
    is_event: bool = True


class Listener(Protocol):
    """A receiver of a table's updates: a WebSocket session, a long poll, a stream of turns."""

    viewer: Viewer
    person: str

    def notify(self, update: Update) -> None:
        """Receive one update; must not block."""

    def disconnect(self, error: StoreFailed) -> None:
        """This server has lost the table: end, and let the client connect again."""


class Presence:
    """The listeners of one table, when each seat was last seen, and the `here` messages about it."""

    def __init__(self, state: Callable[[], TableState], is_saved: Callable[[], bool]) -> None:
        self.seated: dict[Listener, None] = {}
        """The listeners that have a seat."""
        self.spectators: dict[Listener, None] = {}
        """All other listeners, which may be very many."""
        self.viewers: frozenset[Viewer] = frozenset()
        """The seats that listeners have; `SPECTATOR` if there are spectators."""
        self._state = state
        self._is_saved = is_saved
        """Whether the store has confirmed the state."""
        self._late = False
        """Whether an announcement waits for that."""
        self._loop = asyncio.get_running_loop()
        self._requested: dict[Seat, int] = {}
        self._seen: dict[Seat, int] = {}
        self._remote: dict[Seat, dict[str, tuple[int, bool]]] = {}
        """The last report by seat and server: its time, and whether the seat was connected there."""
        self._since = now()
        self._sent = Here((), ())
        self._timer: asyncio.TimerHandle | None = None

    def release(self) -> None:
        """Keep the state as it is and announce nothing more: the table is not referred to from here."""
        state = self._state()
        self._state, self._is_saved = lambda: state, lambda: False

    def add(self, listener: Listener) -> None:
        listeners = self._listeners_like(listener)
        if listener not in listeners:
            listeners[listener] = None
            self.viewers |= {listener.viewer}
        self.announce()

    def remove(self, listener: Listener) -> None:
        listeners = self._listeners_like(listener)
        if listener not in listeners:
            return
        del listeners[listener]
        if not any(each.viewer == listener.viewer for each in listeners):
            self.viewers -= {listener.viewer}
        if listener.viewer != SPECTATOR:
            self._seen[listener.viewer] = now()
        self.announce()

    def _listeners_like(self, listener: Listener) -> dict[Listener, None]:
        return self.spectators if listener.viewer == SPECTATOR else self.seated

    @property
    def has_listeners(self) -> bool:
        return bool(self.seated or self.spectators)

    def note_request(self, seat: Seat) -> None:
        """The person on this seat made a request without a connection."""
        self._requested[seat] = self._seen[seat] = now()
        self.announce()

    @property
    def here(self) -> frozenset[Seat]:
        """The seats that are connected, here or at another server, or made a request within `RECENT_MS`."""
        return self.local | self._connected_remotely(now()) if self._remote else self.local

    @property
    def local(self) -> frozenset[Seat]:
        """The seats that are connected here, or made a request here within `RECENT_MS`."""
        connected = self.viewers - {SPECTATOR}
        if not self._requested:
            return connected
        recent = now() - RECENT_MS
        return connected | {seat for seat, at in self._requested.items() if at > recent}

    def _connected_remotely(self, at: int) -> frozenset[Seat]:
        return frozenset(
            seat
            for seat, reports in self._remote.items()
            if any(here and when + REMOTE_MS > at for when, here in reports.values())
        )

    def note_remote(self, seat: Seat, node: str, at: int, *, here: bool) -> None:
        """Another server reports that this seat was connected there at a time, or no longer is."""
        reports = self._remote.setdefault(seat, {})
        if node == STORE and any(when >= at and not there for when, there in reports.values()):
            return  # the server that wrote it has since reported that the seat is gone
        if at >= reports.get(node, (0, False))[0]:
            reports[node] = (at, here)
            if not here and reports.get(STORE, (at + 1, True))[0] <= at:
                del reports[STORE]
            self._seen[seat] = max(at, self._last_seen(seat))
            self.announce()

    def attendance(self) -> Attendance:
        """The seats that are connected now, and those that have been away for too long."""
        here, at = self.here, now()
        return Attendance(here, frozenset(seat for seat, end in self._ends(here) if end <= at))

    def _ends(self, here: frozenset[Seat]) -> Iterator[tuple[Seat, int]]:
        """The seats that are gone, each with the time from which it counts as away."""
        state = self._state()
        for place in state.people if state.playing else ():
            end = None if place.seat in here else away_from(state, place.seat, self._last_seen(place.seat))
            if end is not None:
                yield place.seat, end

    def announce(self) -> None:
        """Send all listeners who is connected and who may be replaced, if that has changed.

        Who may be replaced follows from the state, so an unsaved state delays the message.
        """
        if not self._is_saved():
            self._late = True
            return
        self._late = False
        attendance = self.attendance()
        replaceable = replaceable_seats(self._state(), attendance)
        message = Here(tuple(sorted(attendance.here)), tuple(sorted(replaceable)))
        if message != self._sent:
            self._sent = message
            update = Update((encode(message),), is_event=False)
            for listener in (*self.seated, *self.spectators):
                listener.notify(update)
        self._schedule()

    def state_changed(self) -> None:
        """Announce if the new state may change who may be replaced."""
        here = self.viewers
        if (
            self._late
            or self._sent.replaceable
            or any(place.seat not in here for place in self._state().people)
        ):
            self.announce()

    def _schedule(self) -> None:
        """Announce again when the next seat becomes away, as long as there is a listener."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        change = self._next_change()
        if change is not None and self.has_listeners:
            seconds = max(change - now(), _LEAST_WAIT_MS) / 1000
            self._timer = self._loop.call_later(seconds, self.announce)

    def _next_change(self) -> int | None:
        """When the next seat stops counting as connected, or starts counting as away."""
        at, viewers = now(), self.viewers
        ends = [end for _, end in self._ends(viewers)]
        ends += [seen + RECENT_MS for seat, seen in self._requested.items() if seat not in viewers]
        for reports in self._remote.values():
            ends += [when + REMOTE_MS for when, here in reports.values() if here]
        return min((end for end in ends if end > at), default=None)

    def _last_seen(self, seat: Seat) -> int:
        return self._seen.get(seat, self._since)


# --- hints between servers -------------------------------------------------------------------------------


_log = get_log("facedown.table")
_WRITTEN_MS: Final = 30 * SECOND_MS
"""How often a seat's last sign of life is written at most."""


class TableHints:
    """Publishes hints about a table to other servers, and acts on theirs: connected seats and erased
    texts. With a store for one server, it does nothing.

    Hints may be lost: where presence decides something, the store has the last sign of life of each seat.
    """

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

    def subscribe(self, seats: int, on_texts: OnHint) -> None:
        """Receive hints about this table's seats and its erased texts."""
        if not self._store.shared:
            return
        self._topics = {
            _texts(self._table): on_texts,
            _who(self._table): self._on_presence_request,
            **{_here(self._table, seat): partial(self._on_presence, seat) for seat in range(1, seats + 1)},
        }
        for topic, on_hint in self._topics.items():
            self._bus.subscribe(topic, on_hint)

    def unsubscribe(self) -> None:
        for topic, on_hint in self._topics.items():
            self._bus.unsubscribe(topic, on_hint)
        self._topics = {}

    # --- presence -------------------------------------------------------------------------------------

    def publish_presence(self) -> None:
        """Publish which seats have connected or disconnected here since the last time."""
        seats = self._presence.local
        if self._store.shared:
            self._publish(seats, seats ^ self._published)
        else:
            self._write(seats)

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


def _texts(table: str) -> str:
    return f"texts/{table}"
