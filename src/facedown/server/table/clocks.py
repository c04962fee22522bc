"""The clocks of one table: who is being waited for since when, what is left in the banks, and until when.

Times come in as milliseconds from whoever tells the tx; nothing here looks at a clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from facedown.core.seats import Seat
from facedown.protocol.messages import Clock

_SECOND: Final = 1000
_DAY: Final = 24 * 60 * 60 * _SECOND


class Clocks:
    """What the server says about time at a table."""

    __slots__ = ("_allowed", "_starts", "banks", "runs")

    def __init__(self, clock: Clock, seats: Iterable[Seat]) -> None:
        unit = _DAY if clock.kind == "correspondence" else _SECOND
        self.runs = clock.kind != "none"
        self._allowed = (clock.days if clock.kind == "correspondence" else clock.seconds) * unit
        self._starts: dict[Seat, int] = {}
        self.banks = dict.fromkeys(seats, clock.bank * unit) if self.runs else {}

    def wait_for(self, seats: Iterable[Seat], at: int) -> None:
        """These seats are waited for from now on; those that were already go on, all others stop."""
        self._starts = {seat: self._starts.get(seat, at) for seat in seats}

    def spent(self, seat: Seat, at: int) -> int:
        """How long this seat has been waited for."""
        return max(0, at - self._starts.get(seat, at))

    def stop(self, seat: Seat, spent: int) -> None:
        """This seat has decided: what it took beyond the time of a decision comes from its bank."""
        self._starts.pop(seat, None)
        if seat in self.banks:
            self.banks[seat] = max(0, self.banks[seat] - max(0, spent - self._allowed))

    def extend(self, ms: int) -> None:
        """Time in which nobody could decide counts for nobody."""
        self._starts = {seat: start + ms for seat, start in self._starts.items()}

    @property
    def since(self) -> dict[Seat, int]:
        """Who is waited for, and since when."""
        return self._starts

    @property
    def deadlines(self) -> dict[Seat, int]:
        """Until when each seat that is waited for may decide; empty where no clock runs."""
        if not self.runs:
            return {}
        return {seat: start + self._allowed + self.banks.get(seat, 0) for seat, start in self._starts.items()}

    @property
    def next(self) -> int | None:
        """The soonest deadline."""
        return min(self.deadlines.values(), default=None)

    def due(self, now: int) -> tuple[Seat, ...]:
        """The seats whose time is up."""
        return tuple(seat for seat, deadline in self.deadlines.items() if deadline <= now)
