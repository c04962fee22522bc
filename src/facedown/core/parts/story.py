"""The story of a finished game: sentences that are true of it, the one that says most first, and the two
cards that decided it.

A game's folder may hold a module `story` with a function `story(view)`, which reads the last view of a
spectator and judges nothing. Its sentences are messages of the game; those about a seat have a form for each
reader: `.you` for that seat, `.mine` for the other one that they mention, `.other` for anyone else.

It may also have `deciding_cards(view)` and `CARDS`, the cards that the image beside it shows in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from facedown.core import registry
from facedown.core.game import Pick
from facedown.core.parts.text import pick_shown
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.text.translation import Slot, translate

LONGEST: Final = 60
"""The longest sentence that is shown, in characters, if there is a shorter one."""
_MOST: Final = 4


CARD_SIZE: Final = (240, 343)
"""Of a card in the image of a game's cards, in pixels."""
IMAGE: Final = "cards.webp"
"""The cards of a game side by side, without their names; `scripts/card_images.py` makes it."""


@dataclass(frozen=True, slots=True)
class DecidingCard:
    """One of the two cards that decided a game; `won` is None if neither did."""

    pick: Pick
    won: bool | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its message, the seats, the card and the numbers in it."""

    key: str
    who: Seat = 0
    """The seat that it is about; 0 for none."""
    whom: Seat = 0
    """The other seat that it mentions."""
    card: Pick = ""
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Story:
    """What can be said of a game, the sentence that says most first; the last one is always short."""

    step: int
    """The round that decided it, from 1; 0 for none."""
    sentences: tuple[Sentence, ...]


def short_story(step: int, sentences: Iterable[Sentence]) -> Story:
    """A story of the first few of these sentences, and the last."""
    *more, last = sentences
    return Story(step, (*more[: _MOST - 1], last))


def story_of(game: str, view: Any) -> Story | None:
    """The story of a finished game from the view of a spectator; None if the game tells none."""
    module = registry.part(game, "story")
    return None if module is None else module.story(view)


def deciding_cards(game: str, view: Any) -> tuple[DecidingCard, ...]:
    """The two cards that decided a finished game, the winner's last; none if nothing was turned, or if the
    game does not say."""
    find = getattr(registry.part(game, "story"), "deciding_cards", None)
    return () if find is None else find(view)


def drawn_cards(game: str) -> tuple[Pick, ...]:
    """The cards in the image of a game, in their order."""
    return getattr(registry.part(game, "story"), "CARDS", ())


def story_text(game: str, story: Story, names: Sequence[str], language: str, you: Viewer = SPECTATOR) -> str:
    """The story in one sentence, for a player or a spectator; the browser has it in `parts/story.js`."""
    texts = [_text(game, each, names, language, you) for each in story.sentences]
    return next((text for text in texts if len(text) <= LONGEST), texts[-1])


def _text(game: str, sentence: Sentence, names: Sequence[str], language: str, you: Viewer) -> str:
    words = registry.messages(game)
    slots: dict[str, Slot] = dict(sentence.numbers)
    for name, seat in (("name", sentence.who), ("other", sentence.whom)):
        if seat:
            slots[name] = names[seat - 1]
    if sentence.card:
        key = f"card.{sentence.card}"
        slots["card"] = words(key) if words.has(key) else pick_shown(game, sentence.card)
    form = "" if not sentence.who else {sentence.whom: ".mine", sentence.who: ".you"}.get(you or -1, ".other")
    return translate(words(f"{sentence.key}{form}", **slots), language)
