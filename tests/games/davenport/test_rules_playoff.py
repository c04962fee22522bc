"""D16 to D19: the playoff of the seats that went out together."""

from __future__ import annotations

import pytest

from facedown.core.errors import NotNow, UnreadableRules
from facedown.core.outcome import Outcome
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import BY_PLAYOFF
from tests.games.davenport.table import Table, sit


def play_off(rules: str, *hands: str, wins: tuple[int, ...] | None = None) -> Table:
    """A playoff between these hands; a seat without one is not in it."""
    return sit(rules, *hands, playoff=True, wins=wins)


# --- D16 -------------------------------------------------------------------------------------------------


def test_D16_only_the_seats_that_went_out_together_take_part() -> None:
    table = sit("davenport", "KS", "9C 3C", "KD", "8C 4C", "KH")
    table.reveal("KS", "9C", "KD", "8C", "KH", draws="2D 3D  2S 3S 4S 5S 6S 7S 8S 9S TS")

    assert table.seats_in() == (1, 3, 5)
    assert table.match.pending == ((1, 3, 5),)
    assert table.match.legal(2) == ()
    with pytest.raises(NotNow):
        table.match.seal(2, "3C")


def test_D16_three_cards_each_of_a_fresh_deck_one_at_a_time_in_seat_order() -> None:
    # 3C and 9C were held and shown before: the fresh deck has them again, and KS and KD as well
    table = sit("davenport", "KS", "9C 3C", "KD", discards="5H 6H")
    table.reveal("KS", "9C", "KD", draws="2D  KS 9C 3C KD 5H 2D")

    assert table.hands() == ["KS 3C 5H", "", "9C KD 2D"]
    assert (table.stock(), table.discards()) == (46, "")
    assert table.match.state.round == 1
    assert table.match.view(2).hand == ()
    assert table.match.view(0).hands == (3, 0, 3)


@pytest.mark.parametrize(
    ("number", "draws"), [(1, "KS 9C"), (2, "KS 9C 3C KD"), (5, "KS 9C 3C KD 5H 2D 6H 7H 8H TD")]
)
def test_D16_the_number_of_cards_is_an_option(number: int, draws: str) -> None:
    table = sit(f"davenport(playoff_cards={number})", "KS", "9C 3C", "KD")
    table.reveal("KS", "9C", "KD", draws=f"2D {draws}")

    assert table.hands() == [" ".join(draws.split()[::2]), "", " ".join(draws.split()[1::2])]
    assert (table.stock(), table.match.view(0).hands) == (52 - 2 * number, (number, 0, number))
    assert table.public_events()[-1][2] == {"seats": (1, 3), "playoff": "elimination", "cards": number}
    assert table.match.legal(1) == (*draws.split()[::2], *("x" + card for card in draws.split()[::2]))


def test_D16_three_cards_by_default_and_five_at_most() -> None:
    assert str(DavenportRules.of(playoff_cards=3)) == "davenport"
    assert (
        str(DavenportRules.of("pointed", playoff_cards=5, playoff_wins=2))
        == "pointed(playoff_wins=2,playoff_cards=5)"
    )
    for number in (0, 6):
        with pytest.raises(UnreadableRules, match="playoff_cards"):
            DavenportRules.read(f"davenport(playoff_cards={number})")


def test_D16_each_seat_sees_only_its_own_new_hand() -> None:
    table = sit("davenport", "KS", "9C 3C", "KD")
    table.reveal("KS", "9C", "KD", draws="2D  2S 3S 4S 5S 6S 7S")

    assert table.private_events(1) == [("hand", ("D16",), {"seat": 1, "cards": ("2S", "4S", "6S")})]
    assert table.private_events(2) == [("drawn", ("D7",), {"seat": 2, "cards": ("2D",)})]
    assert table.private_events(3) == [("hand", ("D16",), {"seat": 3, "cards": ("3S", "5S", "7S")})]


@pytest.mark.parametrize("rules", ["aces", "pointed"])
def test_D16_ace_rules_are_off_in_a_playoff(rules: str) -> None:
    table = play_off(rules, "AS 2C 2D", "KS 3C 3D", "9S 4C 4D")

    draws = "5C 6C" if rules == "aces" else "5C 6C 7C"
    finished = table.reveal("AS", "KS", "9S", draws=draws)

    assert finished.winners == (2,)
    assert max(finished.drew) == 1


def test_D16_exchanges_stay_as_they_were() -> None:
    on = play_off("davenport", "AS 2C 2D", "KS 3C 3D", "9S 4C 4D")
    off = play_off("davenport(exchange=off)", "AS 2C 2D", "KS 3C 3D")

    assert on.match.legal(1) == ("AS", "2C", "2D", "xAS", "x2C", "x2D")
    assert off.match.legal(1) == ("AS", "2C", "2D")
    finished = on.reveal("xAS", "KS", "9S", draws="TS  5C 6C")
    assert finished.shown == ("TS", "KS", "9S")
    assert finished.exchanged == (True, False, False)
    assert finished.eliminated == (3,)


# --- elimination -----------------------------------------------------------------------------------------


def test_D17_the_seat_with_the_lowest_card_is_eliminated() -> None:
    table = play_off("davenport", "7S 2C 2D", "KS 3C 3D", "9S 4C 4D")

    finished = table.reveal("7S", "KS", "9S", draws="5C 6C")

    assert finished.eliminated == (1,)
    assert finished.winners == (2,)
    assert table.seats_in() == (2, 3)
    assert table.match.pending == ((2, 3),)
    assert table.public_events() == [
        (
            "reveal",
            ("D17",),
            {
                "phase": "playoff",
                "round": 1,
                "shown": ("7S", "KS", "9S"),
                "exchanged": (False, False, False),
                "winners": (2,),
            },
        ),
        ("draws", ("D18",), {"drew": (0, 1, 1)}),
        ("eliminated", ("D17",), {"seats": (1,)}),
    ]


def test_D17_no_seat_is_eliminated_if_two_share_the_lowest() -> None:
    table = play_off("davenport", "7S 2C 2D", "KS 3C 3D", "7D 4C 4D")

    finished = table.reveal("7S", "KS", "7D", draws="5C 6C 8C")

    assert finished.eliminated == ()
    assert finished.drew == (1, 1, 1)
    assert table.seats_in() == (1, 2, 3)
    assert [kind for kind, _, _ in table.public_events()] == ["reveal", "draws"]


def test_D18_the_others_draw_before_the_cards_of_the_eliminated_are_discards() -> None:
    # with an empty stock the three shown cards are all there is: 3C and 3D come too late
    table = sit("davenport", "KS 2C 2D", "7S 3C 3D", "9S 4C 4D", stock="", playoff=True)

    finished = table.reveal("KS", "7S", "9S", draws="9S KS")

    assert table.hands() == ["2C 2D 9S", "", "4C 4D KS"]
    assert (table.match.state.stock, table.discards()) == (("7S",), "3C 3D")
    assert (finished.stock, finished.discards) == (1, 2)


def test_D18_the_last_seat_in_wins_and_there_are_no_more_draws() -> None:
    table = play_off("davenport", "KS 2C 2D", "7S 3C 3D", "")

    finished = table.reveal("KS", "7S", None)

    assert finished.eliminated == (2,)
    assert finished.drew == (0, 0, 0)
    assert table.hands() == ["2C 2D", "", ""]
    assert [kind for kind, _, _ in table.public_events()] == ["reveal", "eliminated", "end"]
    assert table.outcome() == Outcome(1, BY_PLAYOFF, score=(1, 0, 0), payoffs=(2, -1, -1))
    assert table.public_events()[-2:] == [
        ("eliminated", ("D17",), {"seats": (2,)}),
        ("end", ("D18",), {"winner": 1, "termination": "playoff", "score": (1, 0, 0)}),
    ]
    assert table.match.pending == ()


# --- wins ------------------------------------------------------------------------------------------------


def test_D19_the_highest_card_scores_a_win_and_each_seat_draws_one() -> None:
    table = play_off("pointed", "KS 2C 2D", "7S 3C 3D", "9S 4C 4D")

    finished = table.reveal("KS", "7S", "9S", draws="5C 6C 8C")

    assert finished.winners == (1,)
    assert table.wins() == table.match.view(0).wins == (1, 0, 0)
    assert finished.drew == (1, 1, 1)
    assert finished.eliminated == ()
    assert table.hands() == ["2C 2D 5C", "3C 3D 6C", "4C 4D 8C"]
    assert table.public_events()[1:] == [("draws", ("D19",), {"drew": (1, 1, 1)})]
    assert table.public_events()[0][1] == ("D19",)


def test_D19_the_first_to_reach_the_number_wins_and_no_seat_leaves_or_draws() -> None:
    table = play_off("pointed", "KS 2C 2D", "7S 3C 3D", "9S 4C 4D", wins=(2, 2, 0))

    finished = table.reveal("KS", "7S", "9S")

    assert finished.eliminated == ()
    assert finished.drew == (0, 0, 0)
    assert finished.hands == (2, 2, 2)
    assert table.wins() == (3, 2, 0)
    assert table.outcome() == Outcome(1, BY_PLAYOFF, score=(1, 0, 0), payoffs=(2, -1, -1))
    assert table.public_events()[1:] == [
        ("end", ("D19",), {"winner": 1, "termination": "playoff", "score": (1, 0, 0)})
    ]


@pytest.mark.parametrize("number", [1, 2, 3, 20])
def test_D19_the_number_is_an_option(number: int) -> None:
    rules = f"pointed(playoff_wins={number})"
    short = play_off(rules, "KS 2C 2D", "7S 3C 3D", wins=(number - 1, 0))
    short.reveal("KS", "7S")
    longer = play_off(f"pointed(playoff_wins={min(number + 1, 20)})", "KS 2C 2D", "7S 3C 3D", wins=(0, 0))
    longer.reveal("KS", "7S", draws="5C 6C")

    assert short.outcome() == Outcome(1, BY_PLAYOFF, score=(1, 0), payoffs=(1, -1))
    assert longer.outcome() is None


def test_D19_if_several_reach_it_in_the_same_round_only_they_play_on() -> None:
    table = play_off("pointed", "KS 2C 2D", "7S 3C 3D", "KD 4C 4D", wins=(2, 1, 2))

    finished = table.reveal("KS", "7S", "KD", draws="5C 8C")

    assert table.outcome() is None
    assert finished.eliminated == (2,)
    assert finished.drew == (1, 0, 1)  # only those who are still in
    assert table.hands() == ["2C 2D 5C", "", "4C 4D 8C"]
    assert table.discards() == "KS 7S KD 3C 3D"
    assert table.seats_in() == (1, 3)
    assert table.wins() == (3, 1, 3)
    assert table.public_events()[2:] == [("eliminated", ("D19",), {"seats": (2,)})]


def test_D19_the_playoff_goes_on_until_one_seat_is_left() -> None:
    table = play_off("pointed", "KS 2C 2D", "7S 3C 3D", "9S 4C 4D", wins=(3, 3, 3))

    finished = table.reveal("KS", "7S", "9S")

    assert finished.eliminated == (2, 3)
    assert table.outcome() == Outcome(1, BY_PLAYOFF, score=(1, 0, 0), payoffs=(2, -1, -1))
    assert table.hands() == ["2C 2D", "", ""]
    assert table.discards() == "KS 7S 9S 3C 3D 4C 4D"
    assert table.public_events()[1:] == [
        ("eliminated", ("D19",), {"seats": (2, 3)}),
        ("end", ("D19",), {"winner": 1, "termination": "playoff", "score": (1, 0, 0)}),
    ]
