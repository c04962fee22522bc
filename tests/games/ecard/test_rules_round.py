"""E4 to E7: how a round goes, when it ends, and who places first."""

from __future__ import annotations

import pickle

import pytest

from facedown.core import registry
from facedown.core.chance import Scripted
from facedown.core.errors import NotNow
from facedown.games.ecard.plays import RULE_SETS, plays_of
from facedown.games.ecard.rules import ECardRules
from tests.games.ecard.table import Table, sit


def test_E4_nothing_is_turned_before_both_have_sealed() -> None:
    table = sit("classic(placing=together)")
    before = table.seen

    assert table.match.seal(2, "S") is None
    assert table.match.sealed == (2,)
    assert table.seen == before
    assert table.match.decision == 1


def test_E4_the_second_seal_turns_both_together() -> None:
    table = sit("classic(placing=together)")
    table.match.seal(2, "S")

    turned = table.match.seal(1, "C")
    assert turned is not None
    reveal, _ = turned.events

    assert reveal.facts["cards"] == ("C", "S")
    assert table.match.decision == 2
    assert table.match.sealed == ()


def test_E5_a_drawn_play_takes_both_cards_and_leaves_the_sides() -> None:
    table = sit()

    events = table.draw()

    assert events == [("reveal", ("E1", "E5"), {"round": 1, "play": 1, "cards": ("C", "C"), "winner": None})]
    assert (table.seen.round, table.seen.play, table.seen.emperor) == (1, 2, 1)
    assert table.seen.cards_left == 4
    assert table.match.view(1).hand == ("E", "C", "C", "C")
    assert table.match.view(2).hand == ("S", "C", "C", "C")
    assert (table.seen.score, table.seen.wins, table.seen.rounds) == ((0, 0), (0, 0), ())


def test_E6_third_draw_ends_the_round_without_a_winner_or_a_payment() -> None:
    table = sit("classic")
    table.draw(2)

    events = table.draw()

    assert events == [
        ("reveal", ("E1", "E5"), {"round": 1, "play": 3, "cards": ("C", "C"), "winner": None}),
        ("round", ("E6",), {"round": 1, "winner": None, "paid": 0, "score": (0, 0)}),
    ]
    assert (table.seen.round, table.seen.play) == (2, 1)
    assert table.seen.wins == (0, 0)
    assert table.seen.winnings == (0, 0)
    assert table.seen.rounds[0].winner is None
    assert table.seen.rounds[0].paid == 0


@pytest.mark.parametrize("plays", [1, 2, 3, 4])
def test_E6_any_number_of_plays_may_be_the_last(plays: int) -> None:
    table = sit(f"classic(plays={plays})")
    assert table.seen.last_play == plays

    for play in range(1, plays):
        assert [kind for kind, _, _ in table.draw()] == ["reveal"]
        assert (table.seen.round, table.seen.play) == (1, play + 1)
    assert [kind for kind, _, _ in table.draw()] == ["reveal", "round"]
    assert (table.seen.round, table.seen.play) == (2, 1)


def test_E6_with_five_plays_the_fifth_is_always_emperor_against_slave() -> None:
    table = sit("classic(plays=5)")
    table.draw(4)

    assert table.seen.play == 5
    assert table.match.legal(1) == ("E",)
    assert table.match.legal(2) == ("S",)
    assert table.match.view(1).hand == ("E",)
    assert table.match.view(2).hand == ("S",)


# --- placing ---------------------------------------------------------------------------------------------


def first_placers(table: Table, plays: int) -> list[int | None]:
    """Who places first in each of the next plays, all of them draws; asked at the table and in the view."""
    firsts: list[int | None] = []
    for _ in range(plays):
        waves = table.match.pending
        assert [len(wave) for wave in waves] == [1, 1]
        assert table.seen.first == waves[0][0]
        assert table.match.may_seal == waves[0]
        firsts.append(table.seen.first)
        table.draw()
    return firsts


def test_E7_the_first_placer_alternates_with_plays_and_rounds_and_starts_again_in_each_group() -> None:
    table = sit("classic")

    rounds = [first_placers(table, 3) for _ in range(12)]

    emperor_is_1 = [[1, 2, 1], [2, 1, 2], [1, 2, 1]]
    emperor_is_2 = [[2, 1, 2], [1, 2, 1], [2, 1, 2]]
    assert rounds == emperor_is_1 + emperor_is_2 + emperor_is_1 + emperor_is_2


def test_E7_the_other_may_seal_only_after_the_first_placer() -> None:
    table = sit("classic")

    with pytest.raises(NotNow) as refused:
        table.match.seal(2, "C")

    assert refused.value.rule == "E7"
    assert str(refused.value) == "decision 1, seat 2: seat 1 must place first (E7)"
    assert table.match.sealed == ()
    table.match.seal(1, "C")
    assert table.match.may_seal == (2,)


def test_E7_the_second_placer_sees_nothing_of_the_first_seal() -> None:
    table = sit("classic")
    before = table.match.view(2)
    table.match.seal(1, "E")

    assert table.match.view(2) == before


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_E7_together_either_may_seal_at_any_time(order: tuple[int, int]) -> None:
    table = sit("classic(placing=together)")

    assert table.match.pending == ((1, 2),)
    assert table.seen.first is None
    assert table.match.may_seal == (1, 2)
    for seat in order:
        table.match.seal(seat, "C")
    assert table.seen.play == 2


@pytest.mark.parametrize("tie", ["extra", "pair"])
def test_E7_an_extra_round_is_a_group_of_its_own_and_starts_with_the_emperor_side(tie: str) -> None:
    # the fourth round would be the second of its group: without E12 the Slave side would place first
    table = sit(f"classic(rounds=3,group=2,plays=1,tie={tie})")
    table.rounds([None, None, None])

    assert (table.seen.round, table.seen.emperor) == (4, 2)
    assert first_placers(table, 4) == [2, 1, 2, 1]


def test_a_state_is_equal_to_its_copy_though_its_plays_were_forgotten() -> None:
    game = registry.get("ecard")
    first = game.setup(ECardRules.of("classic"), 2, Scripted(())).state
    for most in range(11, 11 + RULE_SETS):
        plays_of(ECardRules.read(f"classic(max_stake={most})"), 1)

    again = pickle.loads(pickle.dumps(first))

    assert again.at is not first.at, "they were forgotten"
    assert again == first
    assert hash(again) == hash(first)
    assert again != game.setup(ECardRules.of("short"), 2, Scripted(())).state
