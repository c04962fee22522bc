"""The two bots that look at nothing an opponent did: `random`, and `equilibrium`, the solution itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot, Level, Memory
from facedown.core.text.translation import Text
from facedown.games.ecard import message
from facedown.games.ecard.bots.people import ASSUMED
from facedown.games.ecard.bots.worth import place_of
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.view import ECardView

# --- the base --------------------------------------------------------------------------------------------


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


# --- plain machines --------------------------------------------------------------------------------------


class RandomECard(Machine):
    """Draws a card of its hand blindly, and a stake likewise."""

    name: ClassVar[str] = "random"
    says: ClassVar[Text] = message("bot.random.says")
    level: ClassVar[Level] = "easy"

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        if view.stake is None:
            return dict.fromkeys(legal, 1.0 / len(legal))
        return cards_mix(legal, 1.0 / view.cards_left)


class Equilibrium(Machine):
    """Plays the exact solution at every state."""

    says: ClassVar[Text] = message("bot.equilibrium.says")
    level: ClassVar[Level] = "medium"

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        place = place_of(view)
        if view.stake is None:
            return stakes_mix(legal, place.stakes())
        if len(legal) == 1:
            return {legal[0]: 1.0}
        return cards_mix(legal, self.chance(view, place.round_at(view.stake).ours))

    def chance(self, view: ECardView, usual: Sequence[float]) -> float:
        """How likely its special card is, from how likely it is in the solution at each play."""
        return usual[view.play - 1]


# --- habit -----------------------------------------------------------------------------------------------


class Habit(Machine):
    """Likes the middle, avoids repeating itself, and minds the last result: made up, not fitted to data.

    Its special card comes as the assumed numbers of `PickHabits` say. It looks neither at the score nor at
    what the sides pay. Stakes (E13) it likes in the middle too, and higher after a won round.
    """

    says: ClassVar[Text] = message("bot.habit.says")
    level: ClassVar[Level] = "easy"

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        if view.stake is None:
            return _stakes(view, legal)
        return cards_mix(legal, ASSUMED.special(view.play, _last_shown(view), _last_result(view)))


def _last_shown(view: ECardView) -> int:
    """The play at which the viewer's special card was last seen on this side; 0 for never."""
    for each in reversed(view.rounds):
        if each.emperor == view.emperor and each.cards[view.viewer - 1] != CITIZEN:
            return each.plays
    return 0


def _last_result(view: ECardView) -> int:
    winner = view.rounds[-1].winner if view.rounds else None
    return 0 if winner is None else 1 if winner == view.viewer else -1


def _stakes(view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
    return dict(zip(legal, liked_stakes(len(legal), _last_result(view)), strict=True))


def liked_stakes(most: int, result: int) -> list[float]:
    """How likely each stake from 1 is: the nearer to the middle the likelier, which the last result moves."""
    middle = (most + 1) / 2 * ASSUMED.mood(result)
    weights = [1.0 / (1.0 + abs(stake - middle)) for stake in range(1, most + 1)]
    total = sum(weights)
    return [weight / total for weight in weights]
