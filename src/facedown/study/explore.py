"""Exploring a solved game: one position by its text, as plain values and as lines of text.

Owns the choice of the game's explorer and how an exploration is written. Knows no game by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, cast

from facedown.core import registry
from facedown.core.errors import Unsupported
from facedown.core.game import AnyGame
from facedown.core.parts.explorer import (
    Exploration,
    Explorer,
    PickWorth,
    SideReport,
    read_habit,
)
from facedown.core.parts.mind import Mind
from facedown.core.parts.solver import read_position
from facedown.core.parts.trainer import Exercise, TrainingMark
from facedown.core.rules import Rules
from facedown.core.text.translation import ENGLISH, Text, in_language, translate
from facedown.core.text.widths import cells, pad
from facedown.study import message

# --- plain values ----------------------------------------------------------------------------------------


def as_json(found: Exploration | Exercise | TrainingMark | Mind, language: str = ENGLISH) -> dict[str, Any]:
    """An exploration, a question or a mark as plain values, its texts in one language."""
    return cast(dict[str, Any], _plain(in_language(found, language)))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


# --- explorers -------------------------------------------------------------------------------------------


def explorer_of(game: str) -> Explorer | None:
    """The explorer of a game; None where its folder has none."""
    part = registry.part(game, "study")
    return cast(Explorer, part) if hasattr(part, "explore") else None


def explore(game: AnyGame, rules: Rules, at: str = "", habit: str = "") -> Exploration:
    """One position by its text, the start where it is empty; `Unsupported` without an explorer."""
    explorer = explorer_of(game.name)
    if explorer is None:
        raise Unsupported(f"{game.meta.title} has no explorer: it is not solved position by position")
    position = read_position(explorer, at, rules) if at else None
    return explorer.explore(rules, position, read_habit(explorer, habit) if habit else None)


# --- lines of text ---------------------------------------------------------------------------------------


def lines(found: Exploration, language: str = ENGLISH) -> Iterator[str]:
    """An exploration for people, line by line: indented lines are tables and stay as they are."""

    def say(text: Text) -> str:
        return translate(text, language)

    yield say(message("explore.title", place=found.place, rules=found.rules))
    yield from (say(each) for each in found.say)
    if found.draw:
        yield say(message("explore.drawn", share=_percent(found.draw)))
    for side in found.sides:
        yield ""
        yield from _side(side, language)
    yield ""
    yield say(found.table.title)
    rows: list[tuple[Text, tuple[Text, ...]]] = [("", found.table.columns), *found.table.rows]
    yield from _columns([[name, *cells_] for name, cells_ in rows], language)
    if found.answer is not None:
        yield ""
        yield from (say(each) for each in found.answer.say)
        yield from _picks(found.answer.picks, language, ("", "explore.worth", "explore.cost"))
    yield ""
    yield say(message("explore.next"))
    ways = [
        [str(number) if way.at else "-", way.label, "" if way.value is None else _percent(way.value)]
        for number, way in enumerate(found.ways, 1)
    ]
    yield from _columns(ways, language)


def _side(side: SideReport, language: str) -> Iterator[str]:
    yield translate(message("explore.side", who=side.who, value=_percent(side.value)), language)
    heads = ("explore.share", "explore.worth", "explore.cost", "explore.known")
    yield from _picks(side.picks, language, heads)


def _picks(picks: Sequence[PickWorth], language: str, heads: Sequence[str]) -> Iterator[str]:
    """One line for each pick; the columns are those of the heads."""
    if not picks:
        return
    cells_: dict[str, Callable[[PickWorth], Text]] = {
        "": lambda pick: "*" if pick.share else "",
        "explore.share": lambda pick: pick.written,
        "explore.worth": lambda pick: _percent(pick.value),
        "explore.cost": lambda pick: _percent(pick.cost) if pick.cost else message("explore.nothing"),
        "explore.known": lambda pick: _percent(pick.known),
    }
    rows: list[list[Text]] = [["", *(message(head) if head else "" for head in heads)]]
    rows += [[pick.name, *(cells_[head](pick) for head in heads)] for pick in picks]
    yield from _columns(rows, language)


def _columns(rows: Sequence[Sequence[Text]], language: str) -> Iterator[str]:
    texts = [[translate(cell, language) for cell in row] for row in rows]
    widths = [max(map(cells, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        line = "  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=True))
        yield f"  {line}".rstrip()


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
