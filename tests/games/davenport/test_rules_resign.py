"""D20: giving up, and decisions as JSON for programs."""

from __future__ import annotations

import pytest

from facedown.core.errors import NotNow
from facedown.core.outcome import RESIGNATION, Outcome
from tests.games.davenport.table import decision_json, sit


def test_D20_the_cards_of_a_seat_that_resigns_go_to_the_discards_and_the_others_play_on() -> None:
    table = sit("davenport", "7S 2C", "KS 3C", "9S 4C", discards="TH")

    found = table.resign(2)

    assert found == [("resignation", ("D20",), {"seat": 2})]
    assert table.hands() == ["7S 2C", "", "9S 4C"]
    assert table.discards() == "TH KS 3C"
    assert table.seats_in() == (1, 3)
    assert table.match.pending == ((1, 3),)
    assert table.outcome() is None
    assert table.match.state.round == 1
    assert table.match.legal(2) == ()


def test_D20_the_round_is_then_played_without_it() -> None:
    table = sit("davenport", "7S 2C", "KS 3C", "9S 4C")
    table.resign(2)

    finished = table.reveal("7S", None, "9S", draws="5C")

    assert finished.number == 1
    assert finished.shown == ("7S", None, "9S")
    assert finished.winners == (3,)
    assert finished.drew == (1, 0, 0)


@pytest.mark.parametrize("seat", [1, 2])
def test_D20_the_last_seat_left_wins(seat: int) -> None:
    table = sit("davenport", "7S 2C", "KS 3C")

    found = table.resign(seat)

    other = 3 - seat
    score = (1, 0) if other == 1 else (0, 1)
    payoffs = (1, -1) if other == 1 else (-1, 1)
    assert found == [
        ("resignation", ("D20",), {"seat": seat}),
        ("end", ("D20",), {"winner": other, "termination": "resignation", "score": score}),
    ]
    assert table.outcome() == Outcome(other, RESIGNATION, score, payoffs)
    assert table.match.pending == ()


def test_D20_a_seat_that_has_sealed_may_resign_and_its_pick_is_never_shown() -> None:
    table = sit("davenport", "7S 2C", "KS 3C", "9S 4C")
    table.match.seal(2, "xKS")
    table.resign(2)

    assert table.match.picks == [(None, "resign", None)]
    assert [tuple(choice) for choice in table.match.view(2).choices] == [(("KS", "3C"), "resign")]
    assert "xKS" not in repr(table.match.state)
    assert table.match.chance.drawn == []


def test_D20_sealed_picks_of_the_others_are_discarded_unseen_and_they_seal_again() -> None:
    table = sit("davenport", "7S 2C", "KS 3C", "9S 4C")
    table.match.seal(1, "7S")
    table.resign(2)

    assert table.match.sealed == ()
    assert table.match.may_seal == (1, 3)
    assert table.match.can_pick(1, "2C")
    assert table.match.decision == 2


@pytest.mark.parametrize("rules", ["davenport", "pointed"])
def test_D20_a_seat_may_resign_in_a_playoff_that_goes_on(rules: str) -> None:
    table = sit(rules, "7S 2C 2D", "KS 3C 3D", "9S 4C 4D", "", playoff=True, wins=(1, 0, 0, 0))
    table.resign(1)

    assert table.seats_in() == (2, 3)
    assert table.discards() == "7S 2C 2D"
    assert table.outcome() is None
    assert table.wins() == (1, 0, 0, 0)


def test_D20_a_seat_that_is_not_in_the_playoff_cannot_resign() -> None:
    table = sit("davenport", "7S 2C 2D", "", "9S 4C 4D", playoff=True)

    with pytest.raises(NotNow) as refused:
        table.match.resign(2)

    assert str(refused.value) == "decision 1, seat 2: this seat is not in the game and cannot resign (D20)"
    assert table.match.picks == []


def test_D20_no_seat_resigns_twice_or_after_the_end() -> None:
    table = sit("davenport", "7S 2C", "KS 3C", "9S 4C")
    table.resign(1)
    with pytest.raises(NotNow):
        table.match.resign(1)
    table.resign(2)
    with pytest.raises(NotNow) as refused:
        table.match.resign(3)

    assert refused.value.rule == "D20"


def test_D20_every_seat_sees_who_resigned_and_when() -> None:
    table = sit("davenport", "7S 2C", "KS 3C", "9S 4C")
    table.reveal("7S", "KS", "9S", draws="5C 6C")
    table.resign(1)

    first, second = table.match.view(0).history
    assert (first._asdict()["number"], second._asdict()) == (1, {"seat": 1})


# --- as programs read it ---------------------------------------------------------------------------------


def test_the_json_of_a_round_is_complete() -> None:
    table = sit("aces", "7H KS", "AC 3C", "4C 5C", discards="TH")

    assert decision_json(table, "KS", "AC", "x5C", draws="6D  2D 3D 4D") == {
        "kind": "play",
        "phase": "main",
        "round": 1,
        "shown": ["KS", "AC", "6D"],
        "exchanged": [False, False, True],
        "winners": [2],
        "drew": [2, 0, 1],
        "eliminated": [],
        "hands": [3, 1, 2],
        "stock": 41,
        "discards": 5,
    }


def test_the_json_of_a_resignation_shows_no_cards() -> None:
    table = sit("davenport", "7S 2C", "KS 3C", "9S 4C")
    table.reveal("7S", "KS", "9S", draws="5C 6C")

    assert decision_json(table, None, None, "resign") == {
        "kind": "resign",
        "phase": "main",
        "round": 2,
        "shown": [None, None, None],
        "exchanged": [False, False, False],
        "winners": [],
        "drew": [0, 0, 0],
        "eliminated": [],
        "hands": [2, 1, 0],
        "stock": 44,
        "discards": 5,
    }
