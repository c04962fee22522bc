"""E-Card as numbers: what each entry means, for both seats and the spectator."""

from __future__ import annotations

import pytest

import facedown
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import ECardRules


def entries_by_name(match: facedown.Match, viewer: int) -> dict[str, float]:
    return dict(zip(GAME.encoding(ECardRules.of(), 2).names, GAME.encode(match.view(viewer)), strict=True))


def test_the_alphabet_holds_every_stake_that_can_be_named() -> None:
    assert GAME.picks(ECardRules.of(), 2) == ("C", "E", "S")
    assert GAME.picks(ECardRules.of("purse", purse=2), 2) == ("C", "E", "S", "1", "2", "3", "4")


def test_a_won_round_is_encoded_from_each_side() -> None:
    match = facedown.new("ecard", "classic")
    match.decide(("C", "C"))
    assert [entries_by_name(match, 1)[f"play {play}"] for play in (1, 2)] == [0, 1]

    match.decide(("E", "S"))

    one, two, spectator = (entries_by_name(match, viewer) for viewer in (1, 2, 0))
    assert (one["lead"], two["lead"]) == (-5 / 60, 5 / 60)
    assert one["own Emperor at play 2"] == two["other Emperor at play 2"] == 1 / 12
    assert two["own Slave at play 2"] == one["other Slave at play 2"] == 1 / 12
    assert (one["Emperor side"], two["Emperor side"]) == (1, 0)
    assert (one["places first"], two["places first"]) == (-1, 1)
    assert spectator == one | {"to pick": 0}
    assert one["rounds played"] == 1 / 12


def test_a_named_stake_is_a_part_of_the_highest() -> None:
    match = facedown.new("ecard", "purse(first=1)")
    assert (
        entries_by_name(match, 1)["stake due"],
        entries_by_name(match, 1)["to pick"],
        entries_by_name(match, 2)["to pick"],
    ) == (
        1,
        0,
        1,
    )
    match.decide((None, "7"))
    assert entries_by_name(match, 1)["stake"] == pytest.approx(0.7)
    assert entries_by_name(match, 1)["own score"] == entries_by_name(match, 1)["other score"] == 0.5


def test_the_end_is_encoded_as_a_payoff() -> None:
    match = facedown.new("ecard", "classic")
    match.resign(2)
    assert (
        entries_by_name(match, 1)["payoff"],
        entries_by_name(match, 2)["payoff"],
        entries_by_name(match, 2)["over"],
    ) == (1, -1, 1)
