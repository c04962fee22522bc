"""E13: fixed stakes, named stakes, purses and ruin."""

from __future__ import annotations

import pytest

from facedown.core.errors import IllegalPick
from facedown.core.outcome import COMPLETED, Outcome
from facedown.games.ecard.state import RUIN
from tests.games.ecard.table import sit


def test_E13_fixed_stakes_are_1_in_every_round() -> None:
    table = sit("classic(rounds=2,group=1)")
    assert table.seen.stake == 1
    assert table.seen.purses is None
    table.round(1)

    assert table.seen.stake == 1
    assert table.seen.rounds[0].stake == 1


def test_E13_each_seat_starts_with_a_purse() -> None:
    assert sit("purse", "1").seen.purses == (30, 30)
    assert sit("purse(purse=7)", "1").seen.purses == (7, 7)


@pytest.mark.parametrize(("emperor", "slave"), [("1", 2), ("2", 1)])
def test_E13_before_each_round_the_slave_side_alone_names_the_stake(emperor: str, slave: int) -> None:
    table = sit("purse", emperor)
    assert table.match.view(slave).stake is None
    assert table.match.pending == ((slave,),)
    assert table.match.legal(slave) == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
    assert table.match.legal(int(emperor)) == ()

    events = table.name(10)

    assert events == [("stake", ("E13",), {"round": 1, "seat": slave, "stake": 10})]
    assert table.seen.stake == 10
    assert table.match.legal(slave) == ("C", "S")
    assert table.seen.play == 1


def test_E13_the_stake_is_named_once_in_every_round() -> None:
    table = sit("purse", "1")
    table.name(3)

    stakes = []
    for cards in (("C", "C"), ("E", "C")):
        table.turn(*cards)
        stakes.append(table.seen.stake)

    assert stakes == [3, None]
    assert table.match.pending == ((2,),)


@pytest.mark.parametrize("stake", ["0", "11", "E", "-1"])
def test_E13_no_stake_below_1_or_above_the_highest(stake: str) -> None:
    table = sit("purse", "1")

    with pytest.raises(IllegalPick) as refused:
        table.match.seal(2, stake)

    assert str(refused.value) == f"decision 1, seat 2: {stake!r} is not a stake from 1 to 10 (E13)"
    assert refused.value.text == stake
    assert table.seen.stake is None


def test_E13_never_more_than_the_slave_sides_own_purse() -> None:
    table = sit("purse(purse=4)", "1")
    assert table.match.legal(2) == ("1", "2", "3", "4")
    table.round(1, stake=3)

    assert table.seen.purses == (7, 1)
    assert table.match.legal(2) == ("1",)
    with pytest.raises(IllegalPick, match="'2' is not a stake from 1 to 1"):
        table.name(2)


def test_E13_the_emperor_side_wins_the_stake_from_the_others_purse() -> None:
    table = sit("purse", "1")

    events = table.round(1, stake=4)

    assert events[1] == ("round", ("E10", "E13"), {"round": 1, "winner": 1, "paid": 4, "score": (34, 26)})
    assert table.seen.purses == table.seen.score == (34, 26)
    assert table.seen.winnings == (4, 0)


def test_E13_the_slave_side_wins_slave_pays_times_the_stake() -> None:
    table = sit("purse", "1")

    events = table.round(2, stake=4)

    assert events[1] == ("round", ("E10", "E13"), {"round": 1, "winner": 2, "paid": 20, "score": (10, 50)})


def test_E13_no_seat_pays_more_than_its_purse_and_an_empty_purse_loses_at_once() -> None:
    table = sit("purse", "1")

    events = table.round(2, stake=10)  # 50 are due, 30 are there

    assert events[1:] == [
        ("round", ("E10", "E13"), {"round": 1, "winner": 2, "paid": 30, "score": (0, 60)}),
        ("end", ("E13",), {"winner": 2, "termination": "ruin", "score": (0, 60)}),
    ]
    assert table.outcome == Outcome(2, RUIN, score=(0, 60), payoffs=(-1, 1))
    assert table.match.pending == ()
    assert table.seen.stake == 10


@pytest.mark.parametrize(("winner", "purses"), [(1, (31, 29)), (2, (25, 35))])
def test_E13_after_the_last_round_the_fuller_purse_wins(winner: int, purses: tuple[int, int]) -> None:
    table = sit("purse(rounds=1,group=1)", "1")

    events = table.round(winner)

    assert events[2:] == [("end", ("E13",), {"winner": winner, "termination": "completed", "score": purses})]
    payoffs = (1, -1) if winner == 1 else (-1, 1)
    assert table.outcome == Outcome(winner, COMPLETED, purses, payoffs)


@pytest.mark.parametrize("tie", ["extra", "pair"])
def test_E13_extra_rounds_are_at_stake_1_without_naming(tie: str) -> None:
    table = sit(f"purse(rounds=2,group=1,slave_pays=1,tie={tie})", "1")
    table.round(1, stake=3)

    events = table.round(2, stake=3)

    assert events[2:] == [("tie", ("E13", "E12"), {"score": (30, 30), "tie": tie})]
    assert table.seen.stake == 1
    assert table.match.pending == ((2,), (1,))
    table.round(2)
    assert table.seen.purses == (29, 31)


def test_E13_an_extra_round_may_ruin_a_small_purse_before_its_pair_is_over() -> None:
    table = sit("purse(rounds=1,group=1,plays=1,purse=4)", "1")
    table.round(None)
    assert table.seen.extra

    events = table.round(2)  # 5 are due, 4 are there

    assert events[1:] == [
        ("round", ("E10", "E13"), {"round": 2, "winner": 2, "paid": 4, "score": (0, 8)}),
        ("end", ("E13",), {"winner": 2, "termination": "ruin", "score": (0, 8)}),
    ]
    assert table.outcome == Outcome(2, RUIN, score=(0, 8), payoffs=(-1, 1))
