"""The scene of a game: what its `terminal` module says about a table, as values a screen is drawn from.

A game hands out plain values, as it does for views; here they get names. Owns what is said of a game that
has no such module, too. Knows no rule, and sees views and seen events only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

from facedown.core import registry
from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.parts.text import Names
from facedown.core.seats import Seat

NIGHT: Final = {
    "ink": "#12100e",
    "bone": "#efe6d2",
    "ash": "#9b9384",
    "line": "#5a5146",
    "seal": "#e0523d",
    "gold": "#d4b03c",
    "moss": "#9fb39a",
    "iron": "#8aa5b4",
    "lamp": "#f4d58a",
}
"""The colours of the roles on a dark ground."""
DAY: Final = {
    "ink": "#f4eddd",
    "bone": "#1d1a17",
    "ash": "#6a6256",
    "line": "#a89c88",
    "seal": "#b02a18",
    "gold": "#7a5d00",
    "moss": "#46603f",
    "iron": "#36566a",
    "lamp": "#7a4a00",
}
"""The same on a light one, such as the face of a card."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it lies on the table, face up."""

    index: str
    """The text in its corner; the key that chooses it begins with it."""
    ascii_index: str
    name: str = ""
    sign: str = ""
    """A picture of one letter."""
    role: str = "bone"


@dataclass(frozen=True, slots=True)
class Held:
    """Something that the viewer may place: a card of the hand, or a number."""

    face: Face
    pick: Pick
    tip: str = ""
    """What it would win or lose."""
    also: tuple[tuple[str, Pick, str], ...] = ()
    """Other things that may be done with it: the key, the pick, and a word for it."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at the table as everybody sees it."""

    role: str = ""
    """What the seat plays here, in words."""
    account: str = ""
    """What it has, in words."""
    cards: int = 0
    tone: str = "bone"
    away: bool = False
    """Whether it takes no part any more."""
    shown: str = ""
    """The card that it showed last."""
    note: str = ""
    """What became of that card, in a word."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A round of the grid: what stands there, who won it (0: no seat), and if it is past, now or later."""

    text: str = ""
    winner: Seat = 0
    when: str = "later"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the grid."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as one viewer sees it."""

    heading: str
    chairs: tuple[Chair, ...]
    mood: str = ""
    """What is unlike before, in a few words: stands out."""
    piles: tuple[tuple[str, int], ...] = ()
    grid_title: str = ""
    grid: tuple[Row, ...] = ()
    lines: tuple[str, ...] = ()
    """More to say, line by line."""


class GameScenes(Protocol):
    """What a game's `terminal` module holds. All values are plain; see `Scene`, `Held` and `Face`."""

    def scene(self, view: Any, names: Names, language: str) -> Mapping[str, Any]:
        """The fields of a `Scene`: chairs, piles and the grid as mappings and sequences."""
        ...

    def hand(self, view: Any, legal: tuple[Pick, ...], language: str) -> Sequence[Mapping[str, Any]]:
        """What the viewer may place, in the order of the fan: the fields of `Held`, `card` for the face.

        Without legal picks: the cards that are held, with an empty pick.
        """
        ...

    def face(self, card: str, language: str) -> Mapping[str, Any]:
        """The fields of the `Face` of a card."""
        ...

    def revealed_cards(self, seen: Seen) -> Sequence[str | None] | None:
        """The cards that an event turned, by seat; None where it turned none."""
        ...

    def weight(self, seen: Seen) -> int:
        """How long the table had to wait for this turn, from 1: the heavier, the slower it is."""
        ...


class Scenes:
    """The scenes of one game, in one language."""

    def __init__(self, game: str, language: str) -> None:
        found = registry.part(game, "terminal") if game else None
        self._game = PlainScenes() if found is None else cast(GameScenes, found)
        self._language = language
        self.drawn = found is not None
        """Whether the game says more than its text does."""

    def scene(self, view: Any, names: Names) -> Scene:
        facts = dict(self._game.scene(view, names, self._language))
        facts["chairs"] = tuple(Chair(**chair) for chair in facts.get("chairs", ()))
        facts["piles"] = tuple((str(name), int(count)) for name, count in facts.get("piles", ()))
        facts["grid"] = tuple(
            Row(row["label"], tuple(Cell(**cell) for cell in row["cells"])) for row in facts.get("grid", ())
        )
        facts["lines"] = tuple(facts.get("lines", ()))
        return Scene(**facts)

    def hand(self, view: Any, legal: tuple[Pick, ...]) -> tuple[Held, ...]:
        """What the viewer holds, or may name."""
        held = []
        for each in self._game.hand(view, legal, self._language):
            also = tuple((key, pick, word) for key, pick, word in each.get("also", ()))
            held.append(Held(self.face(each["card"]), each["pick"], each.get("tip", ""), also))
        return tuple(held)

    def face(self, card: str) -> Face:
        return Face(**self._game.face(card, self._language))

    def revealed_cards(self, seen: Sequence[Seen]) -> tuple[str | None, ...] | None:
        for each in seen:
            cards = self._game.revealed_cards(each)
            if cards is not None:
                return tuple(cards)
        return None

    def weight(self, seen: Sequence[Seen]) -> int:
        return max((self._game.weight(each) for each in seen if self._game.revealed_cards(each)), default=1)


class PlainScenes(GameScenes):
    """Scenes of any game: its text says the rest."""

    def scene(self, view: Any, names: Names, language: str) -> Mapping[str, Any]:
        return {"heading": "", "chairs": [{} for _ in names]}

    def hand(self, view: Any, legal: tuple[Pick, ...], language: str) -> Sequence[Mapping[str, Any]]:
        return [{"card": pick, "pick": pick} for pick in legal]

    def face(self, card: str, language: str) -> Mapping[str, Any]:
        return {"index": card, "ascii_index": card}

    def revealed_cards(self, seen: Seen) -> Sequence[str | None] | None:
        return None

    def weight(self, seen: Seen) -> int:
        return 1
