"""D1 and D2: the deck, what cards count, and the deal."""

from __future__ import annotations

from itertools import pairwise

import pytest

from facedown.core.cards import DECK, RANKS
from facedown.core.errors import UnreadablePick
from facedown.games.davenport.game import GAME
from tests.games.davenport.table import deal, public_events, sit

# every card of the deck, as it happens to be dealt in these tests
ORDER = [str(card) for card in reversed(DECK)]


def test_D1_one_deck_of_52_different_cards() -> None:
    table = deal("davenport", 3, " ".join(ORDER[:15]))
    state = table.match.state

    everything = sorted([*state.stock, *state.discards, *(card for hand in state.hands for card in hand)])

    assert len(everything) == len(set(everything)) == 52
    assert everything == sorted(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(RANKS)))
def test_D1_a_higher_rank_beats_a_lower_one(lower: str, higher: str) -> None:
    table = sit("davenport", f"{lower}S 3D", f"{higher}C 4D")

    assert table.reveal(f"{lower}S", f"{higher}C", draws="5H").winners == (2,)


@pytest.mark.parametrize(
    ("written", "pick"),
    [
        ("AS", "AS"),
        ("2h", "2H"),
        ("td", "TD"),
        ("10D", "TD"),
        (" jc ", "JC"),
        ("xQS", "xQS"),
        ("X kh", "xKH"),
        ("x10c", "xTC"),
    ],
)
def test_D1_cards_are_written_rank_then_suit(written: str, pick: str) -> None:
    assert GAME.read_pick(written) == pick


@pytest.mark.parametrize("written", ["", "7", "H7", "1H", "11H", "7X", "x", "xx7H", "7H8H", "joker"])
def test_D1_a_text_that_is_no_card_cannot_be_read(written: str) -> None:
    with pytest.raises(UnreadablePick) as refused:
        GAME.read_pick(written)

    assert refused.value.rule == "D3"
    assert refused.value.text == written
    assert str(refused.value) == (
        f"{written!r} is not a pick: write a card like 7H or TD, with an x before it to exchange it (D3)"
    )


def test_D2_five_cards_each_one_at_a_time_around_the_table_from_seat_1() -> None:
    table = deal("davenport", 3, "AS 2S 3S  AH 2H 3H  AD 2D 3D  AC 2C 3C  KS KH KD")

    assert table.hands() == ["AS AH AD AC KS", "2S 2H 2D 2C KH", "3S 3H 3D 3C KD"]
    assert (table.stock(), table.discards()) == (37, "")


def test_D2_the_deal_is_public_and_each_hand_only_for_its_seat() -> None:
    table = deal("davenport", 2, "AS 2S AH 2H AD 2D AC 2C KS KH")

    assert public_events(table.match.dealt.events) == [("deal", ("D2",), {"cards": 5})]
    private = [
        (event.kind, event.rules, dict(event.facts), event.audience)
        for event in table.match.dealt.events
        if event.audience is not None
    ]
    assert private == [
        ("hand", ("D2",), {"seat": 1, "cards": ("AS", "AH", "AD", "AC", "KS")}, frozenset((1,))),
        ("hand", ("D2",), {"seat": 2, "cards": ("2S", "2H", "2D", "2C", "KH")}, frozenset((2,))),
    ]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_D2_two_to_seven_seats(seats: int) -> None:
    table = deal("davenport", seats, " ".join(ORDER[: 5 * seats]))

    assert [len(hand.split()) for hand in table.hands()] == [5] * seats
    assert table.stock() == 52 - 5 * seats
    assert table.match.state.round == 1
    assert table.seats_in() == tuple(range(1, seats + 1))
    assert table.match.view(0).hands == (5,) * seats
    assert table.match.view(0).wins == (0,) * seats


def test_D2_a_seat_sees_its_own_hand_and_counts_the_others() -> None:
    table = deal("davenport", 2, "AS 2S AH 2H AD 2D AC 2C KS KH")
    view = table.match.view(2)

    assert view.hand == ("2S", "2H", "2D", "2C", "KH")
    assert (view.hands, view.stock, view.discards) == ((5, 5), 42, 0)
    assert table.match.view(0).hand == ()
    assert "AS" not in repr(view)
    assert "2S" not in repr(table.match.view(0))
