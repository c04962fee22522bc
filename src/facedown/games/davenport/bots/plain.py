"""The machines of Davenport that look at nothing but their own hand: `random`, `highest` and `lowest`."""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.cards import Card
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot, Level
from facedown.core.text.translation import Text
from facedown.games.davenport import message
from facedown.games.davenport.notation import EXCHANGE
from facedown.games.davenport.view import PLAYOFF, DavenportView


class RandomDavenport(Bot[DavenportView]):
    """Draws its pick blindly."""

    name: ClassVar[str] = "random"
    says: ClassVar[Text] = message("bot.random.says")
    level: ClassVar[Level] = "easy"

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        return legal[stream.below(len(legal))]


class Highest(Bot[DavenportView]):
    """Plays the highest card of its hand; of several, the one it has held longest."""

    says: ClassVar[Text] = message("bot.highest.says")
    level: ClassVar[Level] = "easy"

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        return max(view.hand, key=_value)


class Lowest(Bot[DavenportView]):
    """Plays the lowest card of its hand; of several, the one it has held longest."""

    says: ClassVar[Text] = message("bot.lowest.says")
    level: ClassVar[Level] = "easy"

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        return min(view.hand, key=_value)


def _value(card: Card) -> int:
    return card.value


HIGH: Final = 9
HIGH_IN_PLAYOFF: Final = 8
"""A card as high as this is played; with less, the lowest is exchanged."""


class Playout(Bot[DavenportView]):
    """Plays its highest card from a nine up; with nothing that high it exchanges its lowest."""

    says: ClassVar[Text] = message("bot.playout.says")

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        lowest = highest = view.hand[0]
        for card in view.hand:
            if card.value > highest.value:
                highest = card
            if card.value < lowest.value:
                lowest = card
        high = HIGH_IN_PLAYOFF if view.phase == PLAYOFF else HIGH
        return EXCHANGE[lowest] if highest.value < high and view.rules.exchange else highest
