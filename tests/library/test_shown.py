"""A match, shown: what it prints, and that none of it depends on what lies face down."""

from __future__ import annotations

from typing import Any

import pytest

import facedown
from facedown.core.seats import all_seats
from tests.third_game.goofspiel.game import GAME as GOOFSPIEL

GAMES = [("ecard", 2, ""), ("ecard", 2, "purse(max_stake=3)"), ("davenport", 4, ""), (GOOFSPIEL, 2, "")]


def shown_while_sealing(table: tuple[Any, ...], picks: list[Any], place: int, first: int) -> list[list[str]]:
    """What a match shows after each seal but the last, if every seat takes this place of its legal picks."""
    game, seats, rules = table
    match: Any = facedown.new(game, rules, seats=seats, seed="shown")
    for joint in picks:
        match.decide(joint)
    shown = []
    while len(match.sealed) + 1 < sum(map(len, match.pending)):
        seat = match.may_seal[first]
        legal = match.legal(seat)
        match.seal(seat, legal[place % len(legal)])
        shown.append(everything_shown(match))
    return shown


def everything_shown(match: Any) -> list[str]:
    """Everything that a match shows, to every seat and to spectators."""
    viewers = [0, *all_seats(len(match.names))]
    shown = [match.table(viewer) for viewer in viewers]
    return [*shown, str(match), repr(match), f"{match}", match.table(1, "ja")]


@pytest.mark.parametrize("table", GAMES, ids=str)
def test_nothing_shown_depends_on_what_lies_face_down(table: tuple[Any, ...]) -> None:
    """At decisions all through a game, each pick that a seat may seal looks like any other, to everyone."""
    game, seats, rules = table
    whole = facedown.play(game, ["uniform"] * seats, rules, seed="shown").picks
    compared = 0
    for decision in range(0, len(whole), max(1, len(whole) // 4)):
        for first in (0, -1):
            one, *others = (
                shown_while_sealing(table, whole[:decision], place, first) for place in (0, 1, -1)
            )
            assert others == [one, one]
            compared += len(one)
    assert compared >= 3


def test_a_printed_match_says_how_it_stands() -> None:
    match = facedown.new("ecard", "classic(placing=together)", seats=("Ann", "Bo"), seed="oak")
    match.seal(2, "S")

    assert str(match).splitlines() == [
        "E-Card, classic(placing=together)",
        "Round 1 of 12, play 1 of 3",
        "  Emperor side  Ann  winnings 0, rounds won 0",
        "  Slave side    Bo   winnings 0, rounds won 0",
        "Decision 1. To place: Ann. Face down: Bo.",
    ]
    assert "Your hand     Slave, Citizen" in match.table(2)
    assert "伏せた人：Bo" in match.table(1, "ja")
    match.resign(2)
    assert str(match).splitlines()[-1] == "Over: Ann won."
    with pytest.raises(facedown.FacedownError, match="there is no seat 3"):
        match.table(3)
