"""The sealed picks of one decision. A seat seals once, in placing order; it opens only when complete.

Nothing here shows what has been sealed before the ballot is opened: not `repr`, not a copy, not a pickle.
"""

from __future__ import annotations

from typing import NoReturn

from facedown.core.errors import AlreadySealed, NotAllowed, NotNow
from facedown.core.game import Citations, Joint, Pick, Waves
from facedown.core.seats import Seat


class Ballot:
    """Holds what has been placed face down.

    >>> ballot = Ballot(2, waves=((1, 2),))
    >>> ballot.seal(2, "S")
    >>> ballot
    Ballot(sealed=(2,), waiting=(1,))
    >>> ballot.complete
    False
    """

    __slots__ = ("__picks", "_citations", "_seats", "_waves")

    def __init__(self, seats: int, waves: Waves, citations: Citations = Citations()) -> None:
        self._seats = seats
        self._waves = waves
        self._citations = citations
        self.__picks: dict[Seat, Pick] = {}

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """Who has sealed, in seat order: all that anybody may know."""
        return tuple(sorted(self.__picks))

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        """Who may seal at this moment: those of the first wave that is not complete."""
        for wave in self._waves:
            missing = tuple(seat for seat in wave if seat not in self.__picks)
            if missing:
                return missing
        return ()

    @property
    def complete(self) -> bool:
        """Whether everybody who has to pick has sealed."""
        return not self.may_seal

    def check(self, seat: Seat) -> None:
        """Raise unless this seat may seal now."""
        if seat in self.__picks:
            raise AlreadySealed(
                "this seat has sealed its pick already", rule=self._citations.once
            ).at(seat=seat)
        if not any(seat in wave for wave in self._waves):
            raise NotNow("this seat has nothing to decide now", rule=self._citations.picking).at(seat=seat)
        if seat not in self.may_seal:
            first = " and ".join(f"seat {each}" for each in self.may_seal)
            raise NotNow(f"{first} must place first", rule=self._citations.placing).at(seat=seat)

    def seal(self, seat: Seat, pick: Pick) -> None:
        """Place a pick face down. Whether it is legal was checked before."""
        self.check(seat)
        self.__picks[seat] = pick

    def open(self) -> Joint:
        """Turn all picks at once."""
        if not self.complete:
            raise NotAllowed("the ballot opens only when everybody has sealed")
        picks = self.__picks
        return tuple(picks.get(seat) for seat in range(1, self._seats + 1))

    def __repr__(self) -> str:
        return f"Ballot(sealed={self.sealed}, waiting={self.may_seal})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise NotAllowed("a ballot is neither copied nor written")
