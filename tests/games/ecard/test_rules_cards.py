"""E1 to E3: the cards, the sides and who wins a play."""

from __future__ import annotations

import pytest

from tests.games.ecard.table import sit


@pytest.mark.parametrize("first", ["1", "2"])
@pytest.mark.parametrize(
    ("emperor_plays", "slave_plays", "winning_side"),
    [("E", "C", "Emperor"), ("C", "S", "Emperor"), ("E", "S", "Slave"), ("C", "C", None)],
)
def test_E1_what_beats_what(
    first: str, emperor_plays: str, slave_plays: str, winning_side: str | None
) -> None:
    table = sit(f"classic(first={first})")
    emperor, slave = (1, 2) if first == "1" else (2, 1)
    cards = (emperor_plays, slave_plays) if first == "1" else (slave_plays, emperor_plays)
    winner = {"Emperor": emperor, "Slave": slave, None: None}[winning_side]

    kind, _, facts = table.turn(emperor_plays, slave_plays)[0]

    assert kind == "reveal"
    assert facts == {"round": 1, "play": 1, "cards": cards, "winner": winner}


def test_E2_one_special_card_and_four_citizens_on_each_side() -> None:
    table = sit()

    assert table.match.view(1).hand == ("E", "C", "C", "C", "C")
    assert table.match.view(2).hand == ("S", "C", "C", "C", "C")
    assert table.seen.hand == ()
    assert table.seen.cards_left == 5


def test_E2_every_round_starts_with_full_hands() -> None:
    table = sit()
    table.draw(2)
    table.turn("E", "C")

    assert table.seen.round == 2
    assert table.seen.cards_left == 5
    assert table.match.view(1).hand == ("E", "C", "C", "C", "C")
    assert table.match.view(2).hand == ("S", "C", "C", "C", "C")


@pytest.mark.parametrize(
    ("emperor", "slave", "winner", "paid"), [("E", "C", 1, 1), ("C", "S", 1, 1), ("E", "S", 2, 5)]
)
def test_E3_whose_card_beats_the_other_wins_the_play_and_with_it_the_round(
    emperor: str, slave: str, winner: int, paid: int
) -> None:
    table = sit()
    score = (paid, 0) if winner == 1 else (0, paid)

    events = table.turn(emperor, slave)

    assert events == [
        ("reveal", ("E1", "E3"), {"round": 1, "play": 1, "cards": (emperor, slave), "winner": winner}),
        ("round", ("E10",), {"round": 1, "winner": winner, "paid": paid, "score": score}),
    ]
    assert table.seen.wins == ((1, 0) if winner == 1 else (0, 1))
    assert table.seen.round == 2
