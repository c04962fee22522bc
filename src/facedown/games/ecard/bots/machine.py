"""The base class of E-Card's bots: a chance for each pick, from a view alone, and one pick drawn by it.

Owns the drawing. Must not know how the chances come about.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Final, TypeAlias

from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot, Memory
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.view import ECardView

PickMix: TypeAlias = "dict[Pick, float]"
"""How likely each legal pick is."""

_FINE: Final = 1 << 53
"""As many different numbers from 0 to 1 as a float can tell apart."""


class Machine(Bot[ECardView]):
    """An opponent that can say beforehand how likely each of its picks is."""

    def __init__(self, memory: Memory | None = None) -> None:
        self.memory = Memory() if memory is None else memory

    @abstractmethod
    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        """How likely each legal pick is; the same view, legal picks and memory give the same mix."""

    def pick(self, view: ECardView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        """Drawn by the mix; where there is no choice, nothing is drawn."""
        if len(legal) == 1:
            return legal[0]
        left = stream.below(_FINE) / _FINE
        for pick, chance in self.mix(view, legal).items():
            if left < chance:
                return pick
            left -= chance
        return pick  # what rounding has left over belongs to the last one


def cards_mix(legal: tuple[Pick, ...], special: float) -> PickMix:
    """The mix of a play, from how likely the special card is; in the fifth play it is all there is (E6).

    >>> cards_mix(("C", "E"), 0.25)
    {'C': 0.75, 'E': 0.25}
    """
    if len(legal) == 1:
        return {legal[0]: 1.0}
    return {card: special if card in (EMPEROR, SLAVE) else 1.0 - special for card in legal}


def stakes_mix(legal: tuple[Pick, ...], stakes: Mapping[int, float]) -> PickMix:
    """The mix of a naming (E13), from how likely each stake is; what is left out is never named."""
    return {pick: stakes.get(int(pick), 0.0) for pick in legal}
