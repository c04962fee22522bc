"""The house: eight characters. Each plays the exact solution, except where its one tell says otherwise.

Owns what each of them does. A tell goes by what a `CharacterTurn` holds and by nothing else, so that
`price.py` can compute what it costs. The last one has none.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

from facedown.core.parts.bot import Level
from facedown.core.parts.house import TALK, Resident, Tell
from facedown.games.ecard import message
from facedown.games.ecard.bots.plain import Equilibrium
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.view import ECardView


class Past(NamedTuple):
    """What a character minds of the rounds before."""

    emperor: int = 0
    """The play at which its Emperor was last seen; 0 for never."""
    slave: int = 0
    """The play at which its Slave was last seen."""
    theirs: int = 0
    """The play at which the other's special card was last seen."""
    won: int = 0
    """How the last round ended: 1 won, -1 lost, 0 neither."""

    def last_shown(self, side: str) -> int:
        return self.emperor if side == EMPEROR else self.slave

    def after(self, side: str, mine: int, theirs: int, won: int) -> Past:
        """After a round in which the special cards were seen at these plays; 0 for one that was not."""
        emperor = mine if mine and side == EMPEROR else self.emperor
        slave = mine if mine and side == SLAVE else self.slave
        return Past(emperor, slave, theirs or self.theirs, won)


class CharacterTurn(NamedTuple):
    """A play with a choice, as a character sees it."""

    side: str
    play: int
    is_last: bool
    """Whether there is no later play with a choice."""
    lead: int
    """By how much its score is ahead."""
    past: Past
    usual: float
    """How likely its special card is in the exact solution."""


class Character(Equilibrium):
    """Plays the exact solution, except where its tell says otherwise."""

    tell: ClassVar[Tell | None]
    price: ClassVar[float]
    """What a perfect reader wins, under `short`."""
    minds: ClassVar[frozenset[str]]
    """The fields of the past that its tell goes by."""

    def __init_subclass__(
        cls, *, level: Level, price: float, tell: str = "", minds: tuple[str, ...] = (), **kwargs: Any
    ) -> None:
        super().__init_subclass__(**kwargs)
        cls.says, cls.level, cls.price = message(f"bot.{cls.name}.says"), level, price
        cls.tell = Tell(tell, message(f"tell.{tell}")) if tell else None
        cls.minds = frozenset(minds)

    def chance(self, view: ECardView, usual: Sequence[float]) -> float:
        return self.special(turn_of(view, usual))

    @staticmethod
    @abstractmethod
    def special(turn: CharacterTurn) -> float:
        """How likely its special card is."""


def turn_of(view: ECardView, usual: Sequence[float]) -> CharacterTurn:
    """A play with a choice, in a round in which exact play has these chances."""
    own, other = view.viewer - 1, 2 - view.viewer
    side = EMPEROR if view.emperor == view.viewer else SLAVE
    is_last, lead = view.play == len(usual), view.score[own] - view.score[other]
    return CharacterTurn(side, view.play, is_last, lead, _past(view), usual[view.play - 1])


def _past(view: ECardView) -> Past:
    past, own = Past(), view.viewer - 1
    for each in view.rounds:
        mine, theirs = (each.plays if each.cards[seat] != CITIZEN else 0 for seat in (own, 1 - own))
        won = 0 if each.winner is None else 1 if each.winner == view.viewer else -1
        past = past.after(EMPEROR if each.emperor == view.viewer else SLAVE, mine, theirs, won)
    return past


class Pip(Character, level="easy", price=0.904654, tell="at_once"):
    """Cannot wait: plays the special card at the first play every other time."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        return 0.5 if turn.play == 1 else turn.usual


class Anselm(Character, level="easy", price=0.810319, tell="at_last"):
    """Likes the last play: the special card comes there six times in ten."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        return 0.6 if turn.is_last else turn.usual


class Teun(Character, level="easy", price=0.738319, tell="never_twice", minds=("emperor", "slave")):
    """Never plays a special card where it was last seen."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        return 0.0 if turn.play == turn.past.last_shown(turn.side) else turn.usual


class Odile(Character, level="medium", price=0.694730, tell="after_loss", minds=("won",)):
    """After a lost round, plays the special card at once six times in ten."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        return 0.6 if turn.past.won < 0 and turn.play == 1 else turn.usual


_COPIES: Final = 0.15
"""How many of the Citizens that would come there become the special card."""


class Vesna(Character, level="medium", price=0.671477, tell="copies", minds=("theirs",)):
    """Copies the other: plays the special card more often where theirs was last seen."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        more = _COPIES if turn.play == turn.past.theirs else 0.0
        return turn.usual + more * (1.0 - turn.usual)


class Corvin(Character, level="medium", price=0.628603, tell="ahead"):
    """While ahead, never plays the special card at the first play."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        return 0.0 if turn.lead > 0 and turn.play == 1 else turn.usual


class Mara(Character, level="hard", price=0.581072, tell="never_leads"):
    """Never opens with the Emperor."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        return 0.0 if turn.side == EMPEROR and turn.play == 1 else turn.usual


class Notary(Character, level="hard", price=0.5):
    """Has no tell: plays the exact solution."""

    @staticmethod
    def special(turn: CharacterTurn) -> float:
        return turn.usual


CHARACTERS: Final[tuple[type[Character], ...]] = (Pip, Anselm, Teun, Odile, Vesna, Corvin, Mara, Notary)
"""From the easiest to beat to the hardest."""

HOUSE: Final = tuple(
    Resident(each, each.tell, each.price, talk={when: message(f"talk.{each.name}.{when}") for when in TALK})
    for each in CHARACTERS
)
