"""The ballot: the sealed picks of one decision, one for each seat, in placing order; opens when complete.

Nothing here shows what has been sealed before the ballot is opened: not `repr`, not a copy, not a pickle.
"""

from __future__ import annotations

from typing import Final, NoReturn, final

from facedown.core.errors import AlreadySealed, NotAllowed, NotNow
from facedown.core.game import Citations, Joint, Pick, Waves
from facedown.core.seats import Seat

_NO_CITATIONS: Final = Citations()
_UNKNOWN: Final = ""
"""Stands for a pick that only its own seat knows yet."""


@final
class Ballot:
    """Holds what has been placed face down.

    >>> ballot = Ballot(2, waves=((1, 2),))
    >>> ballot.seal(2, "S")
    >>> ballot
    Ballot(sealed=(2,), waiting=(1,))
    >>> ballot.seal(1, "E")
    ('E', 'S')
    """

    __slots__ = ("__picks", "_citations", "_missing", "_number", "_seats", "_wave", "_waves")

    def __init__(self, seats: int, waves: Waves, citations: Citations = _NO_CITATIONS) -> None:
        self._citations = citations
        self._seats = seats
        self.empty(waves)

    def empty(self, waves: Waves) -> None:
        """Throw away whatever was placed, unseen: the ballot of another decision, for these seats."""
        self.__picks: list[Pick | None] = [None] * self._seats
        self._waves = waves
        self._number = 0
        """The wave that places now: its place in the list."""
        self._wave = wave = waves[0] if waves else ()
        """Its seats; the last ones, once everybody has sealed."""
        self._missing = len(wave)
        """How many of them have not sealed."""

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        """Who may seal at this moment: those of the first wave that is not complete."""
        return tuple([seat for seat in self._wave if self.__picks[seat - 1] is None])

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """Who has sealed, in seat order: the only thing a viewer may know."""
        return tuple(seat for seat, pick in enumerate(self.__picks, 1) if pick is not None)

    @property
    def complete(self) -> bool:
        """Whether everybody who has to pick has sealed, and every pick is known to the table."""
        return not self.may_seal and _UNKNOWN not in self.__picks

    @property
    def unopened(self) -> tuple[Seat, ...]:
        """Seats whose sealed pick only they know."""
        return tuple(seat for seat, pick in enumerate(self.__picks, 1) if pick == _UNKNOWN)

    def check(self, seat: Seat) -> None:
        """Raise unless this seat may seal now."""
        if seat not in self.may_seal:
            raise self.refusal(seat).at(seat=seat)

    def refusal(self, seat: Seat) -> NotNow:
        """Why this seat may not seal now."""
        if seat in self.sealed:
            return AlreadySealed("this seat has sealed its pick already", rule=self._citations.once)
        if any(seat in wave for wave in self._waves[self._number + 1 :]):
            first = " and ".join(f"seat {each}" for each in self.may_seal)
            return NotNow(f"{first} must place first", rule=self._citations.placing)
        return NotNow("this seat has nothing to decide now", rule=self._citations.picking)

    def seal(self, seat: Seat, pick: Pick) -> Joint | None:
        """Place a pick face down; whether it is legal was checked before. All picks at once, where it was the
        last one that was missing; None before."""
        picks = self.__picks
        if seat not in self._wave or picks[seat - 1] is not None:
            raise self.refusal(seat).at(seat=seat)
        picks[seat - 1] = pick
        missing = self._missing - 1
        if missing:
            self._missing = missing
            return None
        following = self._number + 1
        if following < len(self._waves):
            self._number = following
            self._wave = wave = self._waves[following]
            self._missing = len(wave)
            return None
        return None if _UNKNOWN in picks else tuple(picks)

    def seal_unknown(self, seat: Seat) -> None:
        """Place a pick face down that only its seat knows; it is named by `fill` once all have sealed."""
        self.seal(seat, _UNKNOWN)

    def fill(self, seat: Seat, pick: Pick) -> None:
        """Name a pick that only its seat knew. Whether it is legal was checked before."""
        if self.may_seal or seat not in self.unopened:
            raise NotAllowed("only a sealed pick can be opened, once everybody has sealed").at(seat=seat)
        self.__picks[seat - 1] = pick

    def open(self) -> Joint:
        """Turn all picks at once."""
        if not self.complete:
            raise NotAllowed("the ballot opens only when everybody has sealed")
        return tuple(self.__picks)

    def __repr__(self) -> str:
        return f"Ballot(sealed={self.sealed}, waiting={self.may_seal})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise NotAllowed("a ballot is neither copied nor written")
