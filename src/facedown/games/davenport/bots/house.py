"""The house: eight characters. Each plays as `careful`, except where its one tell says otherwise.

Owns what each of them does. The last one has no tell: it plays as `steady`, which gives next to nothing away.
What a tell costs was measured (`python bench/house.py`).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, ClassVar, Final, TypeAlias

from facedown.core.cards import Card
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Level
from facedown.core.parts.house import TALK, Resident, Tell
from facedown.core.text.translation import Text
from facedown.games.davenport import message
from facedown.games.davenport.bots.careful import Careful
from facedown.games.davenport.bots.expert import Steady
from facedown.games.davenport.bots.reading import KING
from facedown.games.davenport.notation import EXCHANGE
from facedown.games.davenport.view import PLAYOFF, DavenportRound, DavenportView

Price: TypeAlias = "tuple[float, float]"
"""What a reader that knows the tell wins at tables for two under `davenport`, and the error of that (95 %).
Against the one without a tell: what a network wins that was trained against it alone (lab/docs/expert.md)."""


def _value(card: Card) -> int:
    return card.value


def _lowest(view: DavenportView) -> Card:
    return min(view.hand, key=_value)


def _last_round(view: DavenportView) -> DavenportRound | None:
    """The last round of the main game; None before it."""
    rounds = [each for each in view.history if isinstance(each, DavenportRound)]
    return rounds[-1] if rounds else None


class Character(Careful):
    """Plays as `careful`, except where its tell says otherwise. In a playoff it has no tell."""

    tell: ClassVar[Tell]
    price: ClassVar[Price]

    def __init_subclass__(cls, *, level: Level, price: Price, tell: str, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.says, cls.level, cls.price = message(f"bot.{cls.name}.says"), level, price
        cls.tell = Tell(tell, message(f"tell.{tell}"))

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        forced = None if view.phase == PLAYOFF else self.pick_by_tell(view)
        return super().pick(view, legal, stream) if forced is None else forced

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        """What its tell makes it pick; None where it says nothing."""
        raise NotImplementedError


class Jorun(Character, level="easy", price=(0.868, 0.007), tell="highest"):
    """Always plays her highest card."""

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        return max(view.hand, key=_value)


class Bee(Character, level="easy", price=(0.838, 0.007), tell="warms_up"):
    """Plays her lowest card until she has won a round."""

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        won = any(view.viewer in each.winners for each in view.history if isinstance(each, DavenportRound))
        return None if won else _lowest(view)


class Piet(Character, level="medium", price=(0.704, 0.009), tell="kings_last"):
    """Plays a King only when he holds nothing else."""

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        others = [card for card in view.hand if card.value != KING]
        return max(others, key=_value) if 0 < len(others) < len(view.hand) else None


class Lien(Character, level="medium", price=(0.612, 0.01), tell="after_loss"):
    """After a lost round, exchanges her lowest card."""

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        last = _last_round(view)
        lost = last is not None and view.viewer not in last.winners
        return EXCHANGE[_lowest(view)] if lost and view.rules.exchange else None


class Hale(Character, level="medium", price=(0.661, 0.009), tell="middle"):
    """Plays the card in the middle of his hand, as long as he holds five or more."""

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        return sorted(view.hand, key=_value)[len(view.hand) // 2] if len(view.hand) >= 5 else None


class Sabine(Character, level="easy", price=(0.796, 0.008), tell="rests"):
    """After a round she won, plays her lowest card."""

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        last = _last_round(view)
        return _lowest(view) if last is not None and view.viewer in last.winners else None


class Idris(Character, level="hard", price=(0.609, 0.01), tell="counts"):
    """Exchanges his lowest card in every third round."""

    @staticmethod
    def pick_by_tell(view: DavenportView) -> Pick | None:
        return EXCHANGE[_lowest(view)] if view.round % 3 == 0 and view.rules.exchange else None


class Ash(Steady):
    """Has no tell: plays as the machine that knowing it does not beat."""

    tell: ClassVar[None] = None
    name: ClassVar[str] = "ash"
    says: ClassVar[Text] = message("bot.ash.says")
    level: ClassVar[Level] = "hard"
    price: ClassVar[Price] = (0.501, 0.003)


TELLING: Final[tuple[type[Character], ...]] = (Jorun, Bee, Sabine, Piet, Hale, Lien, Idris)
"""Those with a tell, from the easiest to beat to the hardest."""
_LAST: Final[tuple[type[Ash], ...]] = (Ash,) if find_spec("numpy") else ()
CHARACTERS: Final[tuple[type[Character] | type[Ash], ...]] = (*TELLING, *_LAST)
"""The last one needs NumPy, which a page without a network does not have."""

HOUSE: Final = tuple(
    Resident(
        each,
        each.tell,
        *each.price,
        talk={when: message(f"talk.{each.name}.{when}") for when in TALK},
    )
    for each in CHARACTERS
)
