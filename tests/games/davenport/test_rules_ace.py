"""D11 to D15: the Ace rules."""

from __future__ import annotations

import pytest

from tests.games.davenport.table import Table, sit

SUITS = "SHDC"
FILLERS = ("2C", "3C", "4C", "5C")
DRAWS = ("2D", "3D", "4D", "5D", "6D", "2H", "3H", "4H", "5H")


def show(rules: str, ranks: str, draws: int) -> Table:
    """A table at which these ranks are shown, seat by seat, and this number of cards is drawn."""
    played = [rank + SUITS[seat] for seat, rank in enumerate(ranks.split())]
    table = sit(rules, *(f"{card} {FILLERS[seat]}" for seat, card in enumerate(played)))
    table.reveal(*played, draws=" ".join(DRAWS[:draws]))
    return table


def verdict(table: Table) -> tuple[object, object]:
    """Who won the round, and how many each seat drew."""
    facts = {kind: facts for kind, _, facts in table.public_events()}
    return facts["reveal"]["winners"], facts["draws"]["drew"] if "draws" in facts else None


@pytest.mark.parametrize("face", ["J", "Q", "K"])
def test_D11_an_ace_beats_the_faces(face: str) -> None:
    table = show("aces", f"A {face}", draws=2)

    assert verdict(table) == ((1,), (0, 2))
    assert [rules for _, rules, _ in table.public_events()] == [("D11", "D12"), ("D7", "D11", "D12")]


@pytest.mark.parametrize("number", ["2", "9", "T"])
def test_D11_an_ace_does_not_beat_numbers(number: str) -> None:
    assert verdict(show("aces", f"A {number}", draws=2)) == ((2,), (2, 0))


def test_D11_without_an_ace_the_highest_face_wins() -> None:
    table = show("aces", "J K Q", draws=2)

    assert verdict(table) == ((2,), (1, 0, 1))
    assert table.public_events()[0][1] == ("D6",)


def test_D11_ace_rules_are_off_by_default() -> None:
    table = show("davenport", "A 8 J K", draws=3)

    assert verdict(table) == ((4,), (1, 1, 1, 0))
    assert table.public_events()[0][1] == ("D6",)


def test_D12_only_the_highest_face_draws_one_more() -> None:
    table = show("aces", "A J K K", draws=5)

    assert verdict(table) == ((1,), (0, 1, 2, 2))
    assert table.hands() == ["2C", "3C 2D", "4C 3D 5D", "5C 4D 6D"]


def test_D13_a_losing_ace_draws_two_if_no_face_is_shown() -> None:
    table = show("aces", "A T", draws=2)

    assert verdict(table) == ((2,), (2, 0))
    assert [rules for _, rules, _ in table.public_events()] == [("D6", "D13"), ("D7", "D13")]


def test_D13_the_second_cards_are_drawn_after_all_first_cards() -> None:
    table = show("aces", "A A 7 8", draws=5)

    assert table.hands() == ["2C 2D 5D", "3C 3D 6D", "4C 4D", "5C"]


@pytest.mark.parametrize("rules", ["aces", "pointed", "davenport"])
def test_D14_a_round_in_which_every_seat_shows_an_ace_is_won_by_all(rules: str) -> None:
    table = show(rules, "A A A A", draws=0)

    assert verdict(table) == ((1, 2, 3, 4), None)
    assert table.hands() == ["2C", "3C", "4C", "5C"]
    assert table.public_events()[0][1] == (("D6",) if rules == "davenport" else ("D14",))


@pytest.mark.parametrize(
    ("ranks", "winners", "drew"),
    [
        ("A 8 J K", (1,), (0, 1, 1, 2)),
        ("A 7 8 9", (4,), (2, 1, 1, 0)),
        ("A A 7 8", (4,), (2, 2, 1, 0)),
        ("A 7 K K", (1,), (0, 1, 2, 2)),
    ],
)
@pytest.mark.parametrize("rules", ["aces", "pointed", "davenport(ace=on)"])
def test_D15_the_examples(rules: str, ranks: str, winners: tuple[int, ...], drew: tuple[int, ...]) -> None:
    assert verdict(show(rules, ranks, draws=sum(drew))) == (winners, drew)
