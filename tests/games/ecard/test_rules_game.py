"""E8 to E12 and E14: groups and sides, what rounds pay, who wins the game, extra rounds, resignation."""

from __future__ import annotations

import pytest

from facedown.core.errors import IllegalSeats, NotNow
from facedown.core.match import check_seats
from facedown.core.outcome import COMPLETED, RESIGNATION, Outcome
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.state import EXTRA
from tests.games.ecard.table import Table, decision_json, public_events, sit


def sides(table: Table, rounds: int) -> list[int]:
    """The Emperor side of each of the next rounds, all played without a winner."""
    emperors = []
    for _ in range(rounds):
        emperors.append(table.seen.emperor)
        table.round(None)
    return emperors


# --- rounds, groups and sides ----------------------------------------------------------------------------


def test_E8_twelve_rounds_in_four_groups_of_three_swap_sides_after_each() -> None:
    table = sit("classic")

    assert sides(table, 12) == [1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2]
    assert table.outcome is not None
    assert table.match.pending == ()


@pytest.mark.parametrize(
    ("rounds", "group", "expected"),
    [(1, 1, [1]), (4, 1, [1, 2, 1, 2]), (5, 2, [1, 1, 2, 2, 1]), (3, 3, [1, 1, 1])],
)
def test_E8_other_numbers_of_rounds_and_groups(rounds: int, group: int, expected: list[int]) -> None:
    table = sit(f"classic(rounds={rounds},group={group},plays=1)")

    assert sides(table, rounds) == expected
    assert table.outcome is not None


def test_E8_the_swap_is_an_event() -> None:
    table = sit("classic(plays=1)")
    table.rounds([None, None])

    events = table.draw()

    assert events[1:] == [
        ("round", ("E6",), {"round": 3, "winner": None, "paid": 0, "score": (0, 0)}),
        ("sides", ("E8",), {"round": 4, "emperor": 2}),
    ]


def test_E8_an_uneven_rule_set_is_allowed_with_a_note() -> None:
    assert ECardRules.read("classic").notes() == ()
    assert ECardRules.read("classic(rounds=6)").notes() == ()
    assert tuple(map(str, ECardRules.read("classic(rounds=9)").notes())) == (
        "9 rounds in groups of 3: the sides are not shared evenly (E8)",
    )
    assert tuple(map(str, ECardRules.read("classic(group=5)").notes())) == (
        "12 rounds in groups of 5: the sides are not shared evenly (E8)",
    )


def test_E8_two_seats_no_more_no_fewer() -> None:
    check_seats(GAME, 2)
    for count in (0, 1, 3):
        with pytest.raises(IllegalSeats, match=f"E-Card is played with 2 seats, not {count}"):
            check_seats(GAME, count)


@pytest.mark.parametrize("seat", [1, 2])
def test_E9_the_named_seat_is_the_emperor_side_in_the_first_group(seat: int) -> None:
    table = sit(f"classic(first={seat})")

    assert public_events(table.match.dealt.events) == [("sides", ("E2", "E9"), {"round": 1, "emperor": seat})]
    assert sides(table, 4) == [seat, seat, seat, 3 - seat]
    assert table.match.chance.drawn == []


@pytest.mark.parametrize("drawn", ["1", "2"])
def test_E9_drawn_takes_the_first_emperor_side_from_chance(drawn: str) -> None:
    table = sit("decisive", drawn)

    assert table.seen.emperor == int(drawn)
    assert public_events(table.match.dealt.events) == [
        ("sides", ("E2", "E9"), {"round": 1, "emperor": int(drawn)})
    ]
    assert table.match.chance.drawn == [drawn]


# --- what rounds pay, and who wins -----------------------------------------------------------------------


@pytest.mark.parametrize("slave_pays", [1, 5, 100])
def test_E10_the_emperor_side_earns_1_and_the_slave_side_earns_slave_pays(slave_pays: int) -> None:
    table = sit(f"classic(slave_pays={slave_pays})")

    assert table.round(1)[1] == ("round", ("E10",), {"round": 1, "winner": 1, "paid": 1, "score": (1, 0)})
    over = {"round": 2, "winner": 2, "paid": slave_pays, "score": (1, slave_pays)}
    assert table.round(2)[1] == ("round", ("E10",), over)


def test_E11_the_higher_winnings_win_the_game() -> None:
    # seat 1 wins three rounds as the Emperor side, seat 2 one as the Slave side
    table = sit("classic(rounds=4,group=4)")
    table.rounds([1, 1, 1])

    events = table.round(2)

    assert events[2:] == [("end", ("E11",), {"winner": 2, "termination": "completed", "score": (3, 5)})]
    assert table.outcome == Outcome(2, COMPLETED, score=(3, 5), payoffs=(-1, 1))


def test_E11_the_most_rounds_won_win_the_game_and_winnings_are_counted_all_the_same() -> None:
    table = sit("victories(rounds=4,group=4)")
    table.rounds([1, 1, 1])

    events = table.round(2)

    assert events[2:] == [("end", ("E11",), {"winner": 1, "termination": "completed", "score": (3, 1)})]
    assert table.outcome == Outcome(1, COMPLETED, score=(3, 1), payoffs=(1, -1))
    assert table.seen.winnings == (3, 5)


def test_E11_a_finished_game_shows_no_hands_and_waits_for_no_seat() -> None:
    table = sit("classic(rounds=1,group=1)")
    table.round(1)

    assert table.seen.outcome == table.outcome
    assert table.seen.waiting == ()
    assert table.seen.cards_left == 0
    assert table.match.view(1).hand == ()
    assert table.match.legal(1) == table.match.legal(2) == ()


# --- equal at the end ------------------------------------------------------------------------------------


def test_E12_draw_leaves_the_game_drawn() -> None:
    table = sit("classic(rounds=1,group=1,plays=1)")

    events = table.draw()

    assert events[2:] == [
        ("end", ("E11", "E12"), {"winner": None, "termination": "completed", "score": (0, 0)})
    ]
    assert table.outcome == Outcome(None, COMPLETED, score=(0, 0), payoffs=(0, 0))


def test_E12_equal_means_equal_in_what_decides_the_game() -> None:
    # one win each: equal rounds, unequal winnings
    table = sit("victories(rounds=2,group=2,tie=extra)")
    table.rounds([1, 2])

    assert table.goes_on()
    assert table.seen.extra


def test_E12_extra_plays_one_round_on_the_sides_of_the_last_group() -> None:
    table = sit("classic(rounds=2,group=1,plays=1,tie=extra)")
    table.round(None)

    events = table.draw()

    assert events[2:] == [("tie", ("E11", "E12"), {"score": (0, 0), "tie": "extra"})]
    assert table.goes_on()
    assert (table.seen.round, table.seen.emperor, table.seen.extra) == (3, 2, True)
    assert table.match.view(1).hand == ("S", "C", "C", "C", "C")
    assert table.match.view(2).hand == ("E", "C", "C", "C", "C")


def test_E12_the_extra_round_lasts_until_it_is_decided_under_any_plays_option() -> None:
    table = sit("classic(rounds=1,group=1,plays=1,tie=extra)")
    table.draw()
    assert table.seen.last_play == 5

    assert [kind for kind, _, _ in table.draw(4)] == ["reveal"] * 4
    assert table.match.legal(1) == ("E",)
    events = table.turn("E", "S")

    assert events == [
        ("reveal", ("E1", "E3"), {"round": 2, "play": 5, "cards": ("E", "S"), "winner": 2}),
        ("round", ("E10",), {"round": 2, "winner": 2, "paid": 5, "score": (0, 5)}),
        ("end", ("E12",), {"winner": 2, "termination": "extra", "score": (0, 5)}),
    ]


def test_E12_pair_plays_two_rounds_the_second_with_sides_swapped() -> None:
    table = sit("classic(rounds=2,group=1,plays=1,tie=pair)")
    table.round(None)

    assert table.draw()[2:] == [("tie", ("E11", "E12"), {"score": (0, 0), "tie": "pair"})]
    assert (table.seen.round, table.seen.emperor) == (3, 2)
    events = table.round(2)
    assert events[1:] == [
        ("round", ("E10",), {"round": 3, "winner": 2, "paid": 1, "score": (0, 1)}),
        ("sides", ("E12",), {"round": 4, "emperor": 1}),
    ]
    assert table.goes_on()
    assert table.seen.extra
    assert table.round(2)[2:] == [("end", ("E12",), {"winner": 2, "termination": "extra", "score": (0, 6)})]
    assert table.outcome == Outcome(2, EXTRA, score=(0, 6), payoffs=(-1, 1))


def test_E12_pairs_are_repeated_until_one_seat_has_won_more_of_a_pair() -> None:
    table = sit("classic(rounds=1,group=1,plays=1,tie=pair)")
    table.round(None)

    emperors = []
    for winner in (1, 2, 2, 1, 1, 1):
        assert table.goes_on()
        emperors.append(table.seen.emperor)
        table.round(winner)

    assert emperors == [1, 2, 1, 2, 1, 2]
    assert table.outcome == Outcome(1, EXTRA, score=(12, 6), payoffs=(1, -1))


def test_E12_a_note_warns_that_an_extra_round_is_not_even() -> None:
    assert tuple(map(str, ECardRules.read("decisive").notes())) == (
        "an extra round gives the last Emperor side 4 chances in 5 (E12)",
    )
    assert ECardRules.read("classic(tie=pair)").notes() == ()


# --- resignation -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
def test_E14_the_seat_that_resigns_loses_and_the_other_wins(seat: int) -> None:
    table = sit("classic")
    table.round(1)

    events = public_events(table.match.resign(seat).events)

    assert events == [
        ("resignation", ("E14",), {"seat": seat}),
        ("end", ("E14",), {"winner": 3 - seat, "termination": "resignation", "score": (1, 0)}),
    ]
    payoffs = (-1, 1) if seat == 1 else (1, -1)
    assert table.outcome == Outcome(3 - seat, RESIGNATION, score=(1, 0), payoffs=payoffs)


def test_E14_a_seat_that_has_sealed_may_resign_and_its_pick_is_never_shown() -> None:
    table = sit("classic")
    table.match.seal(1, "E")

    events = public_events(table.match.resign(1).events)

    assert [kind for kind, _, _ in events] == ["resignation", "end"]
    assert table.match.picks == [("resign", None)]
    assert table.seen.rounds == ()


def test_E14_the_sealed_pick_of_the_other_seat_is_discarded_unseen() -> None:
    table = sit("classic")
    table.match.seal(1, "E")
    table.match.resign(2)

    assert table.match.picks == [(None, "resign")]
    assert table.match.sealed == ()
    assert table.outcome is not None
    assert table.outcome.winner == 1


@pytest.mark.parametrize("seat", [1, 2])
def test_E14_a_game_that_is_over_refuses_resignations(seat: int) -> None:
    table = sit("classic(rounds=1,group=1)")
    table.round(1)

    with pytest.raises(NotNow) as refused:
        table.match.resign(seat)

    assert refused.value.rule == "E14"
    assert table.outcome is not None
    assert table.outcome.termination == COMPLETED


# --- as programs read it ---------------------------------------------------------------------------------


def test_the_json_of_a_play_is_complete() -> None:
    table = sit("classic")
    table.decide("C", "C")

    assert decision_json(table, ("E", "S")) == {
        "kind": "play",
        "round": 1,
        "play": 2,
        "emperor": 1,
        "first": 2,
        "cards": ["E", "S"],
        "winner": 2,
        "round_over": True,
        "round_winner": 2,
        "stake": 1,
        "score": [0, 5],
    }


def test_the_json_of_a_stake_shows_no_cards() -> None:
    assert decision_json(sit("purse", "1"), (None, "7")) == {
        "kind": "stake",
        "round": 1,
        "play": 1,
        "emperor": 1,
        "first": 1,
        "cards": [None, None],
        "winner": None,
        "round_over": False,
        "round_winner": None,
        "stake": 7,
        "score": [30, 30],
    }


@pytest.mark.parametrize(("rules", "stake"), [("classic", 1), ("classic(stakes=named)", None)])
def test_the_json_of_a_resignation_shows_the_current_stake(rules: str, stake: int | None) -> None:
    told_end = decision_json(sit(rules), (None, "resign"))

    assert told_end["kind"] == "resign"
    assert told_end["cards"] == [None, None]
    assert told_end["round_over"] is False
    assert told_end["stake"] == stake
    assert told_end["score"] == ([0, 0] if stake else [30, 30])
