"""The two bots that look at nothing an opponent did: `random`, and `equilibrium`, the solution itself."""

from __future__ import annotations

from typing import ClassVar

from facedown.core.game import Pick
from facedown.core.text.translation import Text
from facedown.games.ecard import message
from facedown.games.ecard.bots.machine import Machine, PickMix, cards_mix, stakes_mix
from facedown.games.ecard.bots.worth import place_of
from facedown.games.ecard.view import ECardView


class RandomECard(Machine):
    """Draws a card of its hand blindly, and a stake likewise."""

    name: ClassVar[str] = "random"
    says: ClassVar[Text] = message("bot.random.says")

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        """Every card in hand alike: of five cards one is the special one."""
        if view.stake is None:
            return dict.fromkeys(legal, 1.0 / len(legal))
        return cards_mix(legal, 1.0 / view.cards_left)


class Equilibrium(Machine):
    """Plays the exact solution at every state."""

    name: ClassVar[str] = "equilibrium"
    says: ClassVar[Text] = message("bot.equilibrium.says")

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        """The solution's mix, against any opponent."""
        place = place_of(view)
        if view.stake is None:
            return stakes_mix(legal, place.stakes())
        if len(legal) == 1:
            return {legal[0]: 1.0}
        return cards_mix(legal, place.round_at(view.stake).ours[view.play - 1])
