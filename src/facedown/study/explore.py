"""Exploring a solved game: one position by its text, as plain values and as lines of text.

Owns the choice of the game's explorer and how an exploration is written. Knows no game by name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, cast

from facedown.core import registry
from facedown.core.errors import FacedownError, Unreadable, Unsupported
from facedown.core.game import AnyGame, Pick
from facedown.core.parts.explorer import (
    CrowdReport,
    Exploration,
    Explorer,
    PeoplesPicks,
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


def explore(game: AnyGame, rules: Rules, at: str = "", habit: str = "", people: object = None) -> Exploration:
    """One position by its text, the start where it is empty; `Unsupported` without an explorer.

    `people`: what people picked, as `read_people` reads it.
    """
    explorer = explorer_of(game.name)
    if explorer is None:
        raise Unsupported(f"{game.meta.title} has no explorer: it is not solved position by position")
    position = read_position(explorer, at, rules) if at else None
    counted = read_people(people, game, rules) if people is not None else {}
    picked = counted.get(explorer.position_key(rules, position), ())
    return explorer.explore(rules, position, read_habit(explorer, habit) if habit else None, picked)


# --- what people picked ----------------------------------------------------------------------------------


_MOST_COUNT: Final = 10**15


class UnreadablePeople(Unreadable):
    """Counts of people's picks that are not of the form in which a server answers them."""

    code = "unreadable_people"


def read_people(people: object, game: AnyGame, rules: Rules) -> dict[str, tuple[PeoplesPicks, ...]]:
    """People's picks by the key of their position: from a server's answer, or JSON text with one a line.

    `positions` has the sides of each position in order, each with its `people` and its `picks`; of several
    answers, the one with this `game` and these `rules` is read.
    """
    explorer = explorer_of(game.name)
    assert explorer is not None, "people's picks are read for a game with an explorer"
    given = _json_lines(people) if isinstance(people, str | bytes) else [people]
    answers = [_mapping(each, "the answer of a server") for each in given]
    ours = {"game": game.name, "rules": str(rules)}
    found = next(
        (each for each in answers if all(each.get(name, our) == our for name, our in ours.items())), None
    )
    if found is None:
        raise UnreadablePeople(f"these are no picks of {game.name} under the rules {rules}")
    read = {}
    for at, sides in _mapping(found.get("positions"), "`positions`").items():
        try:
            key = explorer.position_key(rules, read_position(explorer, str(at), rules))
        except FacedownError as error:
            raise UnreadablePeople(f"{at!r:.60} is no position: {error}") from None
        if not isinstance(sides, list | tuple):
            raise UnreadablePeople(f"the sides of {at!r:.60} are not a list")
        read[key] = tuple(_side_picks(side) for side in sides)
    return read


def _json_lines(text: str | bytes) -> list[object]:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise UnreadablePeople("these counts of people's picks are not JSON, one answer a line") from None


def _side_picks(side: object) -> PeoplesPicks:
    found = _mapping(side, "a side")
    picks = {str(pick): _count(n) for pick, n in _mapping(found.get("picks", {}), "`picks`").items()}
    return PeoplesPicks(_count(found.get("people", 0)), picks)


def _mapping(value: object, what: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise UnreadablePeople(f"{what} is not a mapping")
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_COUNT:
        raise UnreadablePeople(f"{value!r:.40} is no number of picks or people")
    return value


# --- lines of text ---------------------------------------------------------------------------------------


def lines(found: Exploration, language: str = ENGLISH) -> Iterator[str]:
    """An exploration for people, line by line: indented lines are tables and stay as they are."""

    def say(text: Text) -> str:
        return translate(text, language)

    yield say(message("explore.title", place=found.place, rules=found.rules))
    yield from (say(each) for each in found.say)
    if found.draw:
        yield say(message("explore.drawn", share=_percent(found.draw)))
    crowds = {each.side: each for each in found.people}
    for place, side in enumerate(found.sides):
        yield ""
        yield from _side(side, crowds.get(place), language)
    if found.people:
        yield ""
        yield say(message("explore.people_after"))
    yield ""
    yield say(found.table.title)
    rows: list[tuple[Text, tuple[Text, ...]]] = [("", found.table.columns), *found.table.rows]
    yield from _columns([[name, *cells_] for name, cells_ in rows], language)
    if found.answer is not None:
        yield ""
        yield from (say(each) for each in found.answer.say)
        yield from _picks(found.answer.picks, language, ("", "explore.worth", "explore.cost"), {})
    yield ""
    yield say(message("explore.next"))
    ways = [
        [str(number) if way.at else "-", way.label, "" if way.value is None else _percent(way.value)]
        for number, way in enumerate(found.ways, 1)
    ]
    yield from _columns(ways, language)


def _side(side: SideReport, crowd: CrowdReport | None, language: str) -> Iterator[str]:
    yield translate(message("explore.side", who=side.who, value=_percent(side.value)), language)
    heads = ["explore.share", "explore.worth", "explore.cost", "explore.known"]
    shares = {} if crowd is None else {each.pick: each.share for each in crowd.picks}
    yield from _picks(side.picks, language, [*heads, "explore.people"] if crowd else heads, shares)
    if crowd is None:
        return
    if crowd.people:
        picks = sum(each.times for each in crowd.picks)
        yield translate(message("explore.people_count", count=crowd.people, picks=picks), language)
    yield from (translate(each, language) for each in crowd.say)


def _picks(
    picks: Sequence[PickWorth], language: str, heads: Sequence[str], people: Mapping[Pick, float]
) -> Iterator[str]:
    """One line for each pick; the columns are those of the heads. `people` has the shares of their picks."""
    if not picks:
        return
    cells_: dict[str, Callable[[PickWorth], Text]] = {
        "": lambda pick: "*" if pick.share else "",
        "explore.share": lambda pick: pick.written,
        "explore.worth": lambda pick: _percent(pick.value),
        "explore.cost": lambda pick: _percent(pick.cost) if pick.cost else message("explore.nothing"),
        "explore.known": lambda pick: _percent(pick.known),
        "explore.people": lambda pick: _percent(people.get(pick.pick, 0.0)),
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
