"""E15 to E18: what the table enforces for every player."""

from __future__ import annotations

import pytest

from facedown.core.errors import AlreadySealed, FacedownError, IllegalPick, NotNow
from facedown.core.views import plain
from facedown.games.ecard.game import GAME
from tests.games.ecard.table import Table, sit


def test_E15_no_card_while_a_stake_is_to_be_named() -> None:
    table = sit("purse", "1")

    with pytest.raises(NotNow) as refused:
        table.match.seal(1, "E")

    assert refused.value.rule == "E15"
    assert str(refused.value) == "decision 1, seat 1: this seat has nothing to decide now (E15)"
    assert table.match.decision == 1


def test_E15_no_decision_after_the_game() -> None:
    table = sit("classic(rounds=1,group=1)")
    table.round(1)

    with pytest.raises(NotNow) as refused:
        table.decide("C", "C")

    assert str(refused.value) == "decision 2, seat 1: 'C', but the game is over (E15)"
    assert len(table.match.picks) == 1


@pytest.mark.parametrize("second", ["C", "E"])
def test_E16_no_second_pick_before_the_reveal(second: str) -> None:
    table = sit("classic")
    table.match.seal(1, "C")

    with pytest.raises(AlreadySealed) as refused:
        table.match.seal(1, second)

    assert refused.value.rule == "E16"
    assert str(refused.value) == "decision 1, seat 1: this seat has sealed its pick already (E16)"
    assert table.match.sealed == (1,)
    table.match.seal(2, "C")
    assert table.match.picks == [("C", "C")]


@pytest.mark.parametrize(
    ("seat", "card", "say"),
    [
        (1, "S", "Slave is not in this seat's hand, which holds Emperor and Citizen"),
        (2, "E", "Emperor is not in this seat's hand, which holds Slave and Citizen"),
        (1, "7", "'7' is not in this seat's hand, which holds Emperor and Citizen"),
    ],
)
def test_E17_no_card_that_the_seat_does_not_hold(seat: int, card: str, say: str) -> None:
    table = sit("classic(placing=together)")

    with pytest.raises(IllegalPick) as refused:
        table.match.seal(seat, card)

    assert str(refused.value) == f"decision 1, seat {seat}: {say} (E17)"
    assert refused.value.text == card
    assert table.match.sealed == ()


def test_E17_no_citizen_once_all_four_are_gone() -> None:
    table = sit("decisive", "1")
    table.draw(4)

    with pytest.raises(IllegalPick, match=r"Citizen is not in this seat's hand, which holds Slave \(E17\)"):
        table.match.seal(2, "C")


@pytest.mark.parametrize("seat", [1, 2])
def test_E17_the_cards_in_hand_are_the_legal_picks(seat: int) -> None:
    table = sit("decisive", "1")
    for left in (5, 4, 3, 2):
        assert len(table.match.view(seat).hand) == left
        assert table.match.legal(seat) == ("C", "ES"[seat - 1])
        table.draw()
    assert table.match.legal(seat) == ("ES"[seat - 1],)


def test_E17_a_refusal_is_worded_for_a_seat_that_has_nothing_to_pick_too() -> None:
    naming = sit("purse", "1")
    over = sit("classic(rounds=1,group=1)")
    over.round(1)

    stake = GAME.refusal(naming.match.state, 1, "5")
    card = GAME.refusal(over.match.state, 1, "C")

    assert str(stake) == "'5' is not a stake from 1 to 0 (E13)"
    assert str(card) == "Citizen is not in this seat's hand, which holds nothing (E17)"


def known_to_the_others(table: Table) -> list[object]:
    """Everything that seat 2 and a spectator can get out of the table while seat 1's pick is face down."""
    seen: list[object] = [
        table.match.sealed,
        table.match.may_seal,
        table.match.decision,
        repr(table.match),
    ]
    for viewer in (0, 2):
        seen += [plain(table.match.view(viewer)), repr(table.match.view(viewer))]
    seen += [table.match.legal(1), table.match.legal(2), table.match.picks, table.match.record().write()]
    for seat, pick in ((2, "E"), (1, "C"), (3, "C")):
        with pytest.raises(FacedownError) as refused:
            table.match.seal(seat, pick)
        seen.append((str(refused.value), repr(refused.value), refused.value.text))
    return seen


@pytest.mark.parametrize("rules", ["classic", "classic(placing=together)"])
def test_E18_a_sealed_pick_shows_nowhere_before_the_reveal(rules: str) -> None:
    citizen, emperor = sit(rules), sit(rules)
    assert citizen.match.seal(1, "C") is emperor.match.seal(1, "E") is None

    assert known_to_the_others(citizen) == known_to_the_others(emperor)
