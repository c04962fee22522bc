"""Decoding of views: every shape that a game's view may have, and what is none of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import pytest

from facedown.client import ServerLost
from facedown.client.decode import read_view
from facedown.core import registry
from facedown.core.cards import Card
from facedown.core.outcome import Outcome
from facedown.core.views import View, plain
from facedown.protocol.deltas import ViewJson

RULES = registry.get(registry.names()[0]).rules


class Phase(StrEnum):
    MAIN = "main"
    PLAYOFF = "playoff"


class Draw(NamedTuple):
    seat: int


class Reveal(NamedTuple):
    seat: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class WideView(View):
    """A view with a field of every shape."""

    phase: Phase
    hand: tuple[Card, ...]
    score: tuple[int, int]
    history: tuple[Reveal | Draw, ...]
    last: tuple[Phase, Reveal] | None
    stakes: dict[str, int]


class WideGame:
    """As much of a game as a decoder asks for."""

    rules = RULES

    def view(self) -> WideView:
        raise NotImplementedError


VIEW = WideView(
    viewer=1,
    rules=RULES.read(""),
    waiting=((1,), (2,)),
    outcome=Outcome(winner=2, termination="out", score=(0, 1), payoffs=(-1, 1)),
    phase=Phase.PLAYOFF,
    hand=(Card("7H"), Card("AS")),
    score=(3, 4),
    history=(Reveal(1, Card("7H")), Draw(2), Reveal(2, None)),
    last=(Phase.MAIN, Reveal(1, None)),
    stakes={"1": 5},
)


def view_json() -> Any:
    return plain(VIEW)


def read(view: ViewJson) -> WideView:
    found: WideView = read_view(WideGame(), view)  # type: ignore[arg-type]  # only its views matter
    return found


def test_every_shape_is_read_back() -> None:
    found = read(view_json())

    assert found == VIEW
    assert isinstance(found.hand[0], Card)
    assert [type(each) for each in found.history] == [Reveal, Draw, Reveal]
    assert found.phase is Phase.PLAYOFF


def test_fields_that_the_view_does_not_have_are_skipped() -> None:
    newer = view_json()
    newer["weather"] = "fine"
    newer["outcome"]["medal"] = "gold"
    newer["history"][0]["hat"] = newer["history"][1]["hat"] = "red"

    assert read(newer) == VIEW


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("viewer", "one"),
        ("rules", "nonsense"),
        ("rules", 7),
        ("waiting", [[1], "2"]),
        ("outcome", []),
        ("phase", "intermission"),
        ("hand", "7H"),
        ("hand", ["7H", "nonsense"]),
        ("score", [3]),
        ("history", {"seat": 1}),
        ("history", [{"card": "7H"}]),
        ("history", [7]),
        ("last", ["main"]),
        ("stakes", {"1": "five"}),
    ],
)
def test_a_value_that_is_no_view_of_the_game_is_refused(field: str, value: Any) -> None:
    with pytest.raises(ServerLost, match="does not understand"):
        read({**view_json(), field: value})


def test_a_missing_field_is_named() -> None:
    view = view_json()
    del view["score"]
    with pytest.raises(ServerLost, match="'score'"):
        read(view)
