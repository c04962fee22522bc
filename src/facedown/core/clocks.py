"""The clocks of one table: when each seat's turn began, its time bank, and its deadline.

Times are arguments, in milliseconds; nothing here reads a clock. The server, its clients and `verify` count
with the same class.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol, final

from facedown.core.seats import Seat

SECOND_MS: Final = 1000
DAY_MS: Final = 24 * 60 * 60 * SECOND_MS
_LONGEST_GRACE: Final = 4


class TimeControl(Protocol):
    """How much time a table gives: none, seconds or days for each decision, and a bank for the whole game."""

    @property
    def kind(self) -> str:
        """`none`, `decision` (seconds) or `correspondence` (days)."""

    @property
    def seconds(self) -> int: ...

    @property
    def days(self) -> int: ...

    @property
    def bank(self) -> int:
        """In the same unit."""

    @property
    def grace(self) -> int:
        """The seconds after a reveal in which no clock runs, so that everyone can read the result."""

    @property
    def ready(self) -> int:
        """The seconds that the clocks of the first decision wait at most, until all people are ready."""


def grace_of(kind: str, seconds: int) -> int:
    """The grace of a new table: four seconds, less where a decision has less than twenty."""
    return min(_LONGEST_GRACE, seconds // 5) if kind == "decision" else 0


@final
class Clocks:
    """Deadlines and time banks of the seats whose turn it is."""

    __slots__ = ("_allowed", "_grace", "_paused_until", "_ready", "_starts", "banks", "runs", "unready")

    def __init__(self, clock: TimeControl, seats: Iterable[Seat]) -> None:
        unit = DAY_MS if clock.kind == "correspondence" else SECOND_MS
        self.runs = clock.kind != "none"
        self._allowed = (clock.days if clock.kind == "correspondence" else clock.seconds) * unit
        self._grace = clock.grace * SECOND_MS
        self._ready = clock.ready * SECOND_MS
        self._paused_until = 0
        self.unready: set[Seat] = set()
        """The seats for which the clocks of the first decision wait."""
        self._starts: dict[Seat, int] = {}
        self.banks = dict.fromkeys(seats, clock.bank * unit) if self.runs else {}

    def open_game(self, people: Iterable[Seat], at: int) -> None:
        """The game was dealt: no clock starts before all people are ready, or the time for that is over."""
        if self.runs and self._ready:
            self.unready = set(people)
            self._paused_until = at + self._ready

    def set_ready(self, seat: Seat, at: int) -> None:
        """A person is ready; after the last one, the clocks start."""
        if seat not in self.unready:
            return
        self.unready.discard(seat)
        if not self.unready and at < self._paused_until:
            self._paused_until = at
            self._starts = dict.fromkeys(self._starts, at)

    @property
    def ready_until(self) -> int | None:
        """How long the clocks of the first decision wait for players who are not ready; None if all are."""
        return self._paused_until if self.unready else None

    def show_result(self, at: int) -> None:
        """A decision was revealed: no clock starts before the grace is over."""
        self.unready.clear()
        self._paused_until = at + self._grace

    def wait_for(self, seats: Iterable[Seat], at: int) -> None:
        """Start the clocks of these seats, keep those that run already, stop all others."""
        start = max(at, self._paused_until)
        self._starts = {seat: self._starts.get(seat, start) for seat in seats}

    def spent(self, seat: Seat, at: int) -> int:
        return max(0, at - self._starts.get(seat, at))

    def stop(self, seat: Seat, spent: int) -> None:
        """Stop the clock of a seat; time beyond that of a decision is taken from its bank."""
        self._starts.pop(seat, None)
        if seat in self.banks:
            self.banks[seat] = max(0, self.banks[seat] - max(0, spent - self._allowed))

    def extend(self, ms: int) -> None:
        self._paused_until += ms
        self._starts = {seat: start + ms for seat, start in self._starts.items()}

    @property
    def since(self) -> dict[Seat, int]:
        """The seats whose turn it is, and when their clocks start: in the future during the grace."""
        return self._starts

    @property
    def deadlines(self) -> dict[Seat, int]:
        """The deadline of each seat whose turn it is; empty without a clock."""
        if not self.runs:
            return {}
        return {seat: start + self._allowed + self.banks.get(seat, 0) for seat, start in self._starts.items()}

    @property
    def next(self) -> int | None:
        return min(self.deadlines.values(), default=None) if self.runs else None

    def due(self, now: int) -> tuple[Seat, ...]:
        return tuple(seat for seat, deadline in self.deadlines.items() if deadline <= now)
