"""D3 to D10: picks and exchanges, the reveal, who wins, who draws, and who is out."""

from __future__ import annotations

import pytest

from facedown.core.errors import AlreadySealed, FacedownError, IllegalPick, NotNow
from facedown.core.outcome import Outcome
from facedown.core.views import plain
from facedown.games.davenport.state import OUT
from tests.games.davenport.table import Table, sit

# --- picking ---------------------------------------------------------------------------------------------


def test_D3_each_seat_plays_a_card_of_its_hand_or_exchanges_one() -> None:
    table = sit("davenport", "7H KS", "2C 3C")

    assert table.match.pending == ((1, 2),)
    assert table.match.legal(1) == ("7H", "KS", "x7H", "xKS")
    assert table.match.legal(2) == ("2C", "3C", "x2C", "x3C")


def test_D3_an_exchanged_card_goes_to_the_discards_and_the_stocks_top_is_played_in_its_place() -> None:
    table = sit("davenport", "7H KS", "2C 3C", discards="5S")

    finished = table.reveal("x7H", "3C", draws="QD 9D")

    assert finished.shown == ("QD", "3C")
    assert finished.exchanged == (True, False)
    assert finished.winners == (1,)
    assert table.hands() == ["KS", "2C 9D"]
    assert table.discards() == "5S 7H QD 3C"
    assert table.stock() == finished.stock == 52 - 5 - 2


def test_D3_an_exchanged_card_stays_face_down_and_is_known_to_its_seat_alone() -> None:
    table = sit("davenport", "7H KS", "2C 3C")
    table.reveal("x7H", "3C", draws="QD 9D")

    assert "7H" in repr(table.match.view(1))
    for viewer in (0, 2):
        assert "7H" not in repr(table.match.view(viewer))
    for event in table.events():
        if event.audience is None or 2 in event.audience:
            assert "7H" not in repr(event)


def test_D3_a_seats_own_choices_are_remembered_for_it() -> None:
    table = sit("davenport", "7H KS", "2C 3C")
    table.reveal("x7H", "3C", draws="QD 9D")

    ((hand, pick),) = table.match.view(1).choices
    assert (hand, pick) == (("7H", "KS"), "x7H")
    ((hand, pick),) = table.match.view(2).choices
    assert (hand, pick) == (("2C", "3C"), "3C")
    assert table.match.view(0).choices == ()


def test_D3_the_exchanged_for_card_is_unseen_by_its_owner_too_until_the_reveal() -> None:
    table = sit("davenport", "7H KS", "2C 3C")
    before = table.match.view(1), table.match.state

    table.match.seal(1, "x7H")

    assert (table.match.view(1), table.match.state) == before
    assert table.match.chance.drawn == []


@pytest.mark.parametrize("second", ["xKS", "x7H", "KS"])
def test_D3_one_pick_and_so_one_exchange_a_round(second: str) -> None:
    table = sit("davenport", "7H KS", "2C 3C")
    table.match.seal(1, "x7H")

    with pytest.raises(AlreadySealed) as refused:
        table.match.seal(1, second)

    assert str(refused.value) == "decision 1, seat 1: this seat has sealed its pick already (D3)"


def test_D3_exchange_off_takes_the_second_choice_away() -> None:
    table = sit("davenport(exchange=off)", "7H KS", "2C 3C")

    assert table.match.legal(1) == ("7H", "KS")
    with pytest.raises(IllegalPick) as refused:
        table.match.seal(1, "x7H")
    assert str(refused.value) == "decision 1, seat 1: 'x7H': exchanges are off at this table (D3)"
    assert refused.value.text == "x7H"
    assert table.match.sealed == ()


@pytest.mark.parametrize("rules", ["davenport", "davenport(exchange=off)"])
def test_D3_no_card_that_is_not_in_the_hand(rules: str) -> None:
    table = sit(rules, "7H KS", "2C 3C")

    with pytest.raises(IllegalPick) as refused:
        table.match.seal(1, "2C")

    assert str(refused.value) == "decision 1, seat 1: '2C' is not in this seat's hand (D3)"
    assert refused.value.text == "2C"


def test_D3_a_seat_without_a_hand_has_nothing_to_pick() -> None:
    table = sit("davenport", "7H KS", "", "2C 3C", playoff=True)

    assert table.match.pending == ((1, 3),)
    assert table.match.legal(2) == ()
    with pytest.raises(NotNow) as refused:
        table.match.seal(2, "7H")
    assert str(refused.value) == "decision 1, seat 2: this seat has nothing to decide now (D3)"


# --- placing ---------------------------------------------------------------------------------------------


def test_D4_together_seats_seal_in_any_order() -> None:
    table = sit("davenport", "KS 7H", "2C 3C", "4C 5C")
    assert table.match.pending == table.match.view(0).waiting == ((1, 2, 3),)

    for seat, pick in ((3, "4C"), (1, "KS")):
        assert table.match.seal(seat, pick) is None
    assert table.match.sealed == (1, 3)
    assert table.match.may_seal == (2,)


def test_D4_in_turn_seats_seal_in_seat_order() -> None:
    table = sit("davenport(placing=in_turn)", "KS 7H", "2C 3C", "4C 5C")
    assert table.match.pending == table.match.view(0).waiting == ((1,), (2,), (3,))

    with pytest.raises(NotNow) as refused:
        table.match.seal(2, "2C")
    assert str(refused.value) == "decision 1, seat 2: seat 1 must place first (D4)"
    table.match.seal(1, "KS")
    assert table.match.may_seal == (2,)
    table.match.seal(2, "2C")
    assert table.match.may_seal == (3,)


def known_to_anyone(table: Table) -> list[object]:
    """Everything that anyone can get out of the table while seat 1's pick is face down."""
    seen: list[object] = [
        table.match.sealed,
        table.match.may_seal,
        table.match.decision,
        repr(table.match),
    ]
    for viewer in (0, 1, 2):
        seen += [plain(table.match.view(viewer)), repr(table.match.view(viewer))]
    seen += [table.match.record().write(), len(table.match.chance.drawn), table.stock(), table.discards()]
    for seat, pick in ((1, "KS"), (2, "7H"), (3, "7H")):
        with pytest.raises(FacedownError) as refused:
            table.match.seal(seat, pick)
        seen.append((str(refused.value), repr(refused.value)))
    return seen


def test_D4_a_sealed_pick_looks_the_same_whether_it_is_a_play_or_an_exchange() -> None:
    known = []
    for pick in ("7H", "x7H", "KS", "xKS"):
        table = sit("davenport", "7H KS", "2C 3C")
        assert table.match.seal(1, pick) is None
        known.append(known_to_anyone(table))

    assert known[0] == known[1] == known[2] == known[3]


def test_D4_which_it_was_is_shown_at_the_reveal() -> None:
    table = sit("davenport", "7H KS", "2C 3C")
    table.reveal("x7H", "3C", draws="QD 9D")

    assert table.public_events() == [
        (
            "reveal",
            ("D6",),
            {"phase": "main", "round": 1, "shown": ("QD", "3C"), "exchanged": (True, False), "winners": (1,)},
        ),
        ("draws", ("D7",), {"drew": (0, 1)}),
    ]


# --- the reveal ------------------------------------------------------------------------------------------


def test_D5_exchanges_are_carried_out_in_seat_order() -> None:
    table = sit("davenport", "7H KS", "2C 3C", "4C 5C")

    finished = table.reveal("x7H", "3C", "x5C", draws="QD JD 9D 8D")

    assert finished.shown == ("QD", "3C", "JD")
    assert finished.exchanged == (True, False, True)
    assert table.discards() == "7H 5C QD 3C JD"
    assert table.hands() == ["KS", "2C 9D", "4C 8D"]


def test_D5_discard_comes_before_draw_so_from_an_empty_stock_the_card_may_come_back() -> None:
    table = sit("davenport", "7H KS", "2C 3C", stock="", discards="QD")

    finished = table.reveal("x7H", "3C", draws="7H QD")

    assert finished.shown == ("7H", "3C")
    assert table.hands() == ["KS", "2C QD"]
    assert (table.stock(), table.discards()) == (0, "7H 3C")


def test_D5_cards_shown_in_this_round_are_not_there_for_its_exchanges() -> None:
    # KS is shown by seat 1, but only 3C and 9D are discards when seat 2 draws
    table = sit("davenport", "7H KS", "2C 3C", stock="", discards="9D")

    finished = table.reveal("KS", "x3C", draws="9D 3C")

    assert finished.shown == ("KS", "9D")
    assert table.hands() == ["7H", "2C 3C"]
    assert table.discards() == "KS 9D"


def test_D6_the_highest_value_wins_the_round() -> None:
    table = sit("davenport", "2S 7H", "9C 3C", "5C 4C")

    finished = table.reveal("7H", "9C", "5C", draws="2D 3D")

    assert finished.winners == (2,)
    assert table.public_events()[0][1] == ("D6",)
    assert (finished.phase, finished.number) == ("main", 1)


def test_D7_how_many_were_drawn_is_public_and_which_ones_is_not() -> None:
    table = sit("davenport", "2S 7H", "9C 3C", "5C 4C")
    table.reveal("7H", "9C", "5C", draws="QD KD")

    assert table.public_events()[1:] == [("draws", ("D7",), {"drew": (1, 0, 1)})]
    assert table.private_events(1) == [("drawn", ("D7",), {"seat": 1, "cards": ("QD",)})]
    assert table.private_events(2) == []
    assert table.private_events(3) == [("drawn", ("D7",), {"seat": 3, "cards": ("KD",)})]
    assert len(table.events()) == 4


def test_D8_the_cards_played_go_to_the_discards_before_anybody_draws() -> None:
    # nothing but the two cards just shown is there to be drawn
    table = sit("davenport", "2S 7H", "9C 3C", stock="")

    finished = table.reveal("7H", "9C", draws="9C")

    assert table.hands() == ["2S 9C", "3C"]
    assert (finished.stock, finished.discards) == (1, 0)


def test_D9_the_discards_become_the_stock_when_a_card_is_needed_and_none_is_left() -> None:
    table = sit("davenport", "2S 7H", "9C 3C", "4S 5S", stock="QD", discards="JH JD")

    finished = table.reveal("7H", "9C", "5S", draws="QD JH")

    assert table.hands() == ["2S QD", "3C", "4S JH"]
    assert table.match.state.stock == ("9C", "JD", "7H", "5S")
    assert (finished.stock, finished.discards) == (4, 0)
    assert table.public_events()[1:] == [
        ("shuffle", ("D9",), {"stock": 4}),
        ("draws", ("D7",), {"drew": (1, 0, 1)}),
    ]


def test_D9_an_empty_stock_stays_empty_while_no_card_is_needed() -> None:
    table = sit("davenport", "2S 7H", "9C 3C", stock="QD", discards="JH JD")

    finished = table.reveal("7H", "9C", draws="QD")

    assert (finished.stock, finished.discards) == (0, 4)
    assert table.discards() == "JH JD 7H 9C"
    assert [kind for kind, _, _ in table.public_events()] == ["reveal", "draws"]


def test_D9_the_draw_is_skipped_if_both_are_empty() -> None:
    # two losing Aces would draw two each, but only the three cards shown are there
    table = sit("aces", "AS 2C", "AH 3C", "9D 4C", stock="")

    finished = table.reveal("AS", "AH", "9D", draws="9D AS AH")

    assert finished.drew == (2, 1, 0)
    assert table.hands() == ["2C 9D AH", "3C AS", "4C"]
    assert (finished.stock, finished.discards) == (0, 0)
    assert table.public_events()[-1] == ("skipped", ("D9",), {})


# --- going out -------------------------------------------------------------------------------------------


def test_D10_a_seat_with_no_cards_at_the_end_of_a_round_is_out_and_wins() -> None:
    table = sit("davenport", "KS", "9C 3C", "5C 4C")

    table.reveal("KS", "9C", "5C", draws="2D 3D")

    assert table.outcome() == Outcome(1, OUT, score=(1, 0, 0), payoffs=(2, -1, -1))
    assert table.public_events()[2:] == [
        ("out", ("D10",), {"seats": (1,)}),
        ("end", ("D10",), {"winner": 1, "termination": "out", "score": (1, 0, 0)}),
    ]
    assert table.match.pending == ()
    assert table.match.legal(2) == ()
    assert table.match.view(0).outcome == table.outcome()


def test_D10_a_seat_that_must_draw_is_not_out() -> None:
    table = sit("davenport", "QS", "KC 3C")

    table.reveal("QS", "KC", draws="2D")

    assert table.outcome() is None
    assert table.hands() == ["2D", "3C"]
    assert table.match.state.round == 2
    assert [kind for kind, _, _ in table.public_events()] == ["reveal", "draws"]


def test_D10_no_pick_once_the_game_is_over() -> None:
    table = sit("davenport", "KS", "9C 3C")
    table.reveal("KS", "9C", draws="2D")

    with pytest.raises(NotNow) as refused:
        table.match.seal(2, "3C")
    assert refused.value.rule == "D3"


def test_D10_two_or_more_out_at_once_play_it_off() -> None:
    table = sit("davenport", "KS", "9C 3C", "KD")

    table.reveal("KS", "9C", "KD", draws="2D  2S 3S 4S 5S 6S 7S")

    assert table.outcome() is None
    assert table.match.state.phase == "playoff"
    assert table.seats_in() == (1, 3)
    assert table.public_events()[2:] == [
        ("out", ("D10",), {"seats": (1, 3)}),
        ("playoff", ("D10", "D16"), {"seats": (1, 3), "playoff": "elimination", "cards": 3}),
    ]
