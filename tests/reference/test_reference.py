"""The reference itself, against examples worked out by hand from the rules, and the fairness bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from . import davenport, ecard, fairness, generate, shapes
from .odd import DAVENPORT_CASES, ECARD_CASES, odd_cases
from .shapes import Json, Pick

VECTORS: Json = json.loads((Path(__file__).parents[1] / "vectors" / "fairness.json").read_text())

Row = Sequence[Pick | None]


class Script:
    """Chooses and deals what is written down; when the cards are used up it deals the first there is."""

    def __init__(self, rows: Sequence[Row], chance: Sequence[str] = ()) -> None:
        self.rows = list(rows)
        self.chance = list(chance)
        self.answered = 0

    def choose(self, seat: int, legal: list[Pick]) -> Pick | None:
        row = self.rows[0]
        pick = row[seat - 1]
        if "resign" in row and pick != "resign":
            return legal[0] if legal else None  # it will be asked again after the resignation
        if pick is None:
            return None
        self.answered += 1
        if pick == "resign" or self.answered == sum(p is not None for p in row):
            self.rows.pop(0)
            self.answered = 0
        return pick

    def deal(self, options: list[str]) -> str:
        return self.chance.pop(0) if self.chance else options[0]


def play_ecard(preset: str, rows: Sequence[Row], chance: Sequence[str] = (), **changes: int | str) -> Json:
    """The replay of a scripted game of E-Card; all rows are used."""
    script = Script(rows, chance)
    rules = shapes.complete(ecard.PRESETS, preset, **changes)
    record, replay = ecard.play(rules, 2, script.choose, script.deal)
    assert not script.rows
    assert record["picks"] == [list(row) for row in rows]
    return replay


def column(replay: Json, name: str) -> list[object]:
    return [step[name] for step in replay["steps"]]


# E-Card

DRAW = ["C", "C"]


def test_E1_what_beats_what() -> None:
    assert sorted(ecard.BEATS) == [("C", "S"), ("E", "C"), ("S", "E")]


def test_E6_third_draw_ends_the_round_without_a_payment() -> None:
    replay = play_ecard("classic", [DRAW, DRAW, DRAW, ["E", "C"]], rounds=2, group=2)
    assert column(replay, "round") == [1, 1, 1, 2]
    assert column(replay, "play") == [1, 2, 3, 1]
    assert column(replay, "round_over") == [False, False, True, True]
    assert column(replay, "round_winner") == [None, None, None, 1]
    assert column(replay, "score") == [[0, 0], [0, 0], [0, 0], [1, 0]]
    assert replay["outcome"] == {"winner": 1, "termination": "completed", "score": [1, 0]}


def test_E6_fifth_play_is_emperor_against_slave() -> None:
    replay = play_ecard("classic", [DRAW] * 4 + [["E", "S"]], rounds=1, group=1, plays=5)
    assert column(replay, "winner") == [None, None, None, None, 2]
    assert replay["outcome"] == {"winner": 2, "termination": "completed", "score": [0, 5]}


def test_E7_order_of_placing() -> None:
    """Two groups of three rounds, each of five plays; seat 1 is the Emperor in the first group."""
    first_group = [DRAW] * 4 + [["E", "S"]]
    second_group = [DRAW] * 4 + [["S", "E"]]
    replay = play_ecard("classic", first_group * 3 + second_group * 3, rounds=6, plays=5)
    assert column(replay, "first") == [
        *[1, 2, 1, 2, 1],
        *[2, 1, 2, 1, 2],
        *[1, 2, 1, 2, 1],
        *[2, 1, 2, 1, 2],
        *[1, 2, 1, 2, 1],
        *[2, 1, 2, 1, 2],
    ]
    assert column(replay, "emperor") == [1] * 15 + [2] * 15


def test_E7_together_has_no_first() -> None:
    replay = play_ecard("classic", [["E", "C"]], rounds=1, group=1, placing="together")
    assert column(replay, "first") == [None]


def test_E8_sides_swap_after_each_group_and_the_last_may_be_short() -> None:
    rows = [["E", "C"], ["E", "C"], ["C", "E"], ["C", "E"], ["E", "C"]]
    replay = play_ecard("classic", rows, rounds=5, group=2)
    assert column(replay, "emperor") == [1, 1, 2, 2, 1]
    assert replay["outcome"]["score"] == [3, 2]


def test_E9_R1_first_emperor_drawn() -> None:
    script = Script([["C", "E"]], ["2"])
    rules = shapes.complete(ecard.PRESETS, "classic", first="drawn", rounds=1, group=1)
    record, replay = ecard.play(rules, 2, script.choose, script.deal)
    assert record["chance"] == ["2"]
    assert replay["steps"][0]["emperor"] == 2
    assert record["rules"] == "classic(first=drawn,rounds=1,group=1)"


def test_E10_E11_winnings_and_rounds_may_differ() -> None:
    """Seat 1 wins three rounds on the Emperor side, seat 2 one on the Slave side."""
    rows = [["E", "C"], ["E", "C"], ["E", "C"], ["E", "S"]]
    by_winnings = play_ecard("classic", rows, rounds=4, group=4)
    assert by_winnings["outcome"] == {"winner": 2, "termination": "completed", "score": [3, 5]}
    by_rounds = play_ecard("victories", rows, rounds=4, group=4)
    assert by_rounds["outcome"] == {"winner": 1, "termination": "completed", "score": [3, 1]}


def test_E12_draw() -> None:
    replay = play_ecard("classic", [DRAW], rounds=1, group=1, plays=1)
    assert replay["outcome"] == {"winner": None, "termination": "completed", "score": [0, 0]}


def test_E12_one_extra_round_until_decided_with_the_last_sides() -> None:
    """Four rounds in groups of three: in the last, short group seat 2 is the Emperor."""
    rows = [*[DRAW] * 7, ["C", "E"]]
    replay = play_ecard("classic", rows, rounds=4, plays=1, tie="extra")
    assert column(replay, "round") == [1, 2, 3, 4, 5, 5, 5, 5]
    assert column(replay, "play") == [1, 1, 1, 1, 1, 2, 3, 4]
    assert column(replay, "emperor") == [1, 1, 1, 2, 2, 2, 2, 2]
    assert column(replay, "first") == [1, 2, 1, 2, 2, 1, 2, 1]
    assert replay["outcome"] == {"winner": 2, "termination": "extra", "score": [0, 1]}


def test_E12_pairs_until_one_seat_has_won_more_of_one() -> None:
    rows: list[Row] = [DRAW, DRAW, ["C", "E"], ["E", "C"], ["C", "E"], ["E", "S"]]
    replay = play_ecard("classic", rows, rounds=2, group=1, plays=1, tie="pair")
    assert column(replay, "round") == [1, 2, 3, 4, 5, 6]
    assert column(replay, "emperor") == [1, 2, 2, 1, 2, 1]
    assert column(replay, "first") == [1, 2, 2, 1, 2, 1]
    assert column(replay, "score")[2:] == [[0, 1], [1, 1], [1, 2], [1, 7]]
    assert replay["outcome"] == {"winner": 2, "termination": "extra", "score": [1, 7]}


def test_E13_stakes_are_named_by_the_slave_side_and_paid_from_the_purse() -> None:
    """Purse 10: seat 2 names 2 and loses (12, 8), then names 2 and wins 10 (2, 18)."""
    rows: list[Row] = [[None, 2], ["E", "C"], [None, 2], ["E", "S"]]
    replay = play_ecard("purse", rows, ["1"], rounds=2, group=2, purse=10)
    assert column(replay, "kind") == ["stake", "play", "stake", "play"]
    assert column(replay, "stake") == [2, 2, 2, 2]
    assert column(replay, "play") == [1, 1, 1, 1]
    assert column(replay, "first") == [1, 1, 2, 2]
    assert column(replay, "cards") == [[None, None], ["E", "C"], [None, None], ["E", "S"]]
    assert column(replay, "score") == [[10, 10], [12, 8], [12, 8], [2, 18]]
    assert column(replay, "round_over") == [False, True, False, True]
    assert replay["outcome"] == {"winner": 2, "termination": "completed", "score": [2, 18]}


def test_E13_never_more_than_the_own_purse_or_max_stake() -> None:
    offered = []

    def choose(seat: int, legal: list[Pick]) -> Pick | None:
        if not legal:
            return None
        if isinstance(legal[0], int):
            offered.append((seat, legal[-1]))
            return legal[-1]
        return "C" if seat == 2 else "E"

    rules = shapes.complete(ecard.PRESETS, "purse", rounds=3, purse=6, max_stake=4)
    _, replay = ecard.play(rules, 2, choose, lambda options: "1")
    assert offered == [(2, 4), (2, 2)]
    assert replay["outcome"] == {"winner": 1, "termination": "ruin", "score": [12, 0]}


def test_E13_pays_what_the_purse_holds_and_is_ruined_there_and_then() -> None:
    replay = play_ecard("purse", [[None, 3], ["E", "S"]], ["1"], purse=7)
    assert replay["outcome"] == {"winner": 2, "termination": "ruin", "score": [0, 14]}


def test_E13_extra_rounds_at_stake_one_and_ruin_in_them() -> None:
    rows: list[Row] = [[None, 1], DRAW, ["E", "C"], ["C", "E"], ["E", "S"]]
    replay = play_ecard("purse", rows, ["1"], rounds=1, group=1, purse=3, plays=1)
    assert column(replay, "stake") == [1, 1, 1, 1, 1]
    assert column(replay, "score") == [[3, 3], [3, 3], [4, 2], [3, 3], [0, 6]]
    assert replay["outcome"] == {"winner": 2, "termination": "ruin", "score": [0, 6]}


def test_E13_the_purse_decides_under_any_victory_option() -> None:
    rows: list[Row] = [[None, 1], ["E", "C"], [None, 1], ["E", "C"], [None, 1], ["E", "S"]]
    replay = play_ecard("purse", rows, ["1"], rounds=3, victory="rounds")
    assert replay["outcome"] == {"winner": 2, "termination": "completed", "score": [27, 33]}


@pytest.mark.parametrize("seat", [1, 2])
def test_E14_R3_resignation_while_a_stake_is_to_be_named(seat: int) -> None:
    row: list[Pick | None] = [None, None]
    row[seat - 1] = "resign"
    replay = play_ecard("purse", [row], ["1"])
    assert replay["outcome"] == {"winner": 3 - seat, "termination": "resignation", "score": [30, 30]}
    assert replay["steps"] == [
        {
            "decision": 1,
            "kind": "resign",
            "round": 1,
            "play": 1,
            "emperor": 1,
            "first": 1,
            "cards": [None, None],
            "winner": None,
            "round_over": False,
            "round_winner": None,
            "stake": None,
            "score": [30, 30],
        }
    ]


def test_E14_resignation_between_plays() -> None:
    replay = play_ecard("classic", [["E", "C"], DRAW, [None, "resign"]])
    assert column(replay, "round") == [1, 2, 2]
    assert column(replay, "play") == [1, 1, 2]
    assert column(replay, "first") == [1, 2, 1]
    assert column(replay, "stake") == [1, 1, 1]
    assert replay["outcome"] == {"winner": 1, "termination": "resignation", "score": [1, 0]}


def test_E17_a_card_that_is_not_in_hand_is_refused() -> None:
    with pytest.raises(shapes.WrongPick):
        play_ecard("classic", [["S", "C"]])


# Davenport


def play_davenport(
    preset: str, seats: int, rows: Sequence[Row], chance: Sequence[str] = (), **changes: int | str
) -> tuple[Json, Json]:
    """A scripted game of Davenport; all rows are used."""
    script = Script(rows, chance)
    rules = shapes.complete(davenport.PRESETS, preset, **changes)
    record, replay = davenport.play(rules, seats, script.choose, script.deal)
    assert not script.rows
    assert record["picks"] == [list(row) for row in rows]
    assert record["chance"][: len(chance)] == list(chance)
    return record, replay


def around(*hands: str) -> list[str]:
    """Hands as they are dealt: one card at a time around the table."""
    return [card for lap in zip(*[hand.split() for hand in hands], strict=True) for card in lap]


def resignation(seat: int, seats: int) -> list[str | None]:
    return ["resign" if seat == at else None for at in range(1, seats + 1)]


def one_round(preset: str, cards: str) -> tuple[list[str], Json]:
    """Everybody shows the first card of his hand, then all but one resign: the cards drawn, the step."""
    shown = cards.split()
    seats = len(shown)
    others = ["2C 3C 4C 5C", "2D 3D 4D 5D", "2H 3H 4H 5H", "2S 3S 4S 5S"]
    hands = [f"{card} {rest}" for card, rest in zip(shown, others, strict=False)]
    rows: list[Row] = [shown, *[resignation(seat, seats) for seat in range(2, seats + 1)]]
    record, replay = play_davenport(preset, seats, rows, around(*hands))
    return record["chance"][5 * seats :], replay["steps"][0]


@pytest.mark.parametrize(
    ("cards", "winners", "drew"),
    [
        ("AS 8S JS KS", [1], [0, 1, 1, 2]),
        ("AS 7S 8S 9S", [4], [2, 1, 1, 0]),
        ("AS AH 7S 8S", [4], [2, 2, 1, 0]),
        ("AS 7S KS KH", [1], [0, 1, 2, 2]),
        ("JS KS AS KH", [3], [1, 2, 0, 2]),
        ("AS AH JS KS", [1, 2], [0, 0, 1, 2]),
        ("AS AH AD AC", [1, 2, 3, 4], [0, 0, 0, 0]),
        ("AS AH", [1, 2], [0, 0]),
        ("AS 9S 9H", [2, 3], [2, 0, 0]),
        ("7S QS QH", [2, 3], [1, 0, 0]),
    ],
)
def test_D15_and_other_examples_of_the_ace_rules(cards: str, winners: list[int], drew: list[int]) -> None:
    _, step = one_round("aces", cards)
    assert step["winners"] == winners
    assert step["drew"] == drew
    assert step["hands"] == [4 + n for n in drew]
    assert step["discards"] == len(drew)
    assert step["stock"] + step["discards"] + sum(step["hands"]) == 52


def test_D6_aces_are_low_without_the_ace_rules() -> None:
    _, step = one_round("davenport", "AS 8S JS KS")
    assert step["winners"] == [4]
    assert step["drew"] == [1, 1, 1, 0]


def test_D7_additional_cards_are_drawn_after_everybodys_first() -> None:
    """Seats 2 and 4 show Kings: the first draws go to 2, 3, 4, the additional ones to 2 and 4."""
    hands = around("AS 2C 3C 4C 5C", "KS 2D 3D 4D 5D", "7S 2H 3H 4H 5H", "KH 2S 3S 4S 5S")
    draws = ["6C", "6D", "6H", "7C", "7D"]
    after: list[Row] = [["2C", "7C", "6D", "7D"], *[resignation(seat, 4) for seat in (2, 3, 4)]]
    _, replay = play_davenport("aces", 4, [["AS", "KS", "7S", "KH"], *after], hands + draws)
    assert replay["steps"][0]["drew"] == [0, 2, 1, 2]
    assert replay["steps"][1]["shown"] == ["2C", "7C", "6D", "7D"]  # what they drew, where they drew it


def test_D1_canonical_deck() -> None:
    assert VECTORS["canonical_deck"] == davenport.DECK


def test_D3_D5_D9_exchanges_and_a_reshuffled_stock() -> None:
    """Seven seats exchange twice; the first card there is gets dealt. Worked out by hand: 17 cards in the
    stock, 7 exchanged, 6 drawn, 4 left; then 4 exchanged, and 14 + 5 discards become the stock."""
    first = ["x" + davenport.DECK[seat] for seat in range(7)]
    second = ["x" + davenport.DECK[7 + seat] for seat in range(7)]
    rows: list[Row] = [first, second, *[resignation(seat, 7) for seat in range(2, 8)]]
    record, replay = play_davenport("davenport", 7, rows)
    one, two = replay["steps"][:2]
    assert one["shown"] == ["TH", "JH", "QH", "KH", "AS", "2S", "3S"]
    assert one["exchanged"] == [True] * 7
    assert (one["winners"], one["drew"]) == ([4], [1, 1, 1, 0, 1, 1, 1])
    assert (one["stock"], one["discards"], sum(one["hands"])) == (4, 14, 34)
    assert two["shown"][:4] == ["TS", "JS", "QS", "KS"]
    assert two["shown"][4:] == ["AC", "2C", "3C"]  # from the first exchange's discards
    assert (two["stock"], two["discards"], sum(two["hands"])) == (10, 9, 33)
    assert record["chance"][:35] == davenport.DECK[:35]


def table_of(ace: str, *hands: str) -> tuple[davenport._Table, Script]:
    script = Script([])
    rules = shapes.complete(davenport.PRESETS, "davenport", ace=ace)
    table = davenport._Table(rules, len(hands), script.choose, script.deal)
    table.hands = [[], *[hand.split() for hand in hands]]
    table.stock = []
    return table, script


def test_D9_a_draw_from_nothing_is_skipped() -> None:
    """No stock and no discards: three cards are played, four are to be drawn, seat 3's second is skipped."""
    table, script = table_of("on", "5C 6C", "AC 7C", "AD 8C")
    script.rows = [["5C", "AC", "AD"]]
    table.play_main_round()
    step = table.steps[0]
    assert (step["winners"], step["drew"]) == ([1], [0, 2, 1])
    assert (step["hands"], step["stock"], step["discards"]) == ([1, 3, 2], 0, 0)


def test_D9_exchange_with_nothing_but_the_own_card_brings_it_back() -> None:
    table, script = table_of("off", "5C 6C", "4C 7C")
    script.rows = [["x5C", "4C"]]
    table.play_main_round()
    step = table.steps[0]
    assert step["shown"] == ["5C", "4C"]
    assert step["exchanged"] == [True, False]
    assert (step["hands"], step["stock"], step["discards"]) == ([1, 2], 1, 0)


def test_D10_out_with_the_last_card() -> None:
    hands = around("KC QC JC TC 9C", "2D 3D 4D 5D 6D")
    rows = [["KC", "2D"], ["QC", "3D"], ["JC", "4D"], ["TC", "5D"], ["9C", "6D"]]
    _, replay = play_davenport("davenport", 2, rows, hands)
    assert column(replay, "hands") == [[4, 5], [3, 5], [2, 5], [1, 5], [0, 5]]
    assert column(replay, "drew") == [[0, 1]] * 5
    assert column(replay, "stock") == [41, 40, 39, 38, 37]
    assert replay["outcome"] == {"winner": 1, "termination": "out", "score": [1, 0]}


def play_playoff(seats: int, deal: list[str], rows: Sequence[Row], **changes: int | str) -> Json:
    """The first `seats` of the table tie five times and go out; one more seat loses every round. Then this
    playoff, dealt and drawn from `deal`. The replay, without the five rounds before."""
    tens = "KQJT9"
    main = [" ".join(rank + suit for rank in tens) for suit in "CDH"[:seats]]
    hands = around(*main, "2S 3S 4S 5S 6S")
    lost = ["2C", "3C", "4C", "5C", "6C"]
    before: list[Row] = []
    for rank, low in zip(tens, "23456", strict=True):
        before.append([*[rank + suit for suit in "CDH"[:seats]], low + "S"])
    after: list[Row] = [[*row, None] for row in rows]
    _, replay = play_davenport("davenport", seats + 1, before + after, hands + lost + deal, **changes)
    last = replay["steps"][4]
    assert (last["phase"], last["round"]) == ("main", 5)
    assert last["hands"] == [0] * seats + [5]  # counted before the playoff is dealt
    assert last["drew"] == [0] * seats + [1]
    replay["steps"] = replay["steps"][5:]
    return replay


def test_D16_D17_D18_elimination() -> None:
    """Seats 1 and 2 share the lowest; then seat 1 is eliminated; then all share; then seat 2 is."""
    deal = [*around("5C 2C 3C", "5D 7D 4D", "9H 8H 4H"), "TC", "6D", "7H", "JD", "JH", "QD", "QH"]
    rows: list[Row] = [["5C", "5D", "9H"], ["2C", "7D", "8H"], [None, "4D", "4H"], [None, "6D", "7H"]]
    replay = play_playoff(3, deal, rows)
    assert column(replay, "phase") == ["playoff"] * 4
    assert column(replay, "round") == [1, 2, 3, 4]
    assert column(replay, "decision") == [6, 7, 8, 9]
    assert column(replay, "shown")[1:3] == [["2C", "7D", "8H", None], [None, "4D", "4H", None]]
    assert column(replay, "winners") == [[3], [3], [2, 3], [3]]
    assert column(replay, "eliminated") == [[], [1], [], [2]]
    assert column(replay, "drew") == [[1, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    assert column(replay, "hands") == [[3, 3, 3, 0], [0, 3, 3, 0], [0, 3, 3, 0], [0, 0, 2, 0]]
    assert column(replay, "stock") == [40, 38, 36, 36]
    assert column(replay, "discards") == [3, 8, 10, 14]
    assert replay["outcome"] == {"winner": 3, "termination": "playoff", "score": [0, 0, 1, 0]}


def test_D16_ace_rules_are_off_in_a_playoff() -> None:
    deal = around("AC 2C 3C", "KD 7D 4D")
    replay = play_playoff(2, deal, [["AC", "KD"]], ace="on")
    assert column(replay, "winners") == [[2]]
    assert column(replay, "drew") == [[0, 0, 0]]
    assert replay["outcome"]["winner"] == 2


@pytest.mark.parametrize(("cards", "stock"), [(1, 50), (5, 42)])
def test_D16_the_number_of_cards_is_an_option(cards: int, stock: int) -> None:
    deal = around("AC 2C 3C 5C 6C"[: 3 * cards - 1], "AD 7D 4D 5D 6D"[: 3 * cards - 1])
    replay = play_playoff(2, [*deal, "8H", "9H"], [["AC", "AD"], ["8H", "9H"]], playoff_cards=cards)
    assert column(replay, "hands") == [[cards, cards, 0], [0, cards - 1, 0]]
    assert column(replay, "stock") == [stock - 2, stock - 2]


def test_D16_exchanges_stay_on_in_a_playoff() -> None:
    deal = [*around("AC 2C 3C", "QD 7D 4D"), "KC"]
    replay = play_playoff(2, deal, [["xAC", "QD"]])
    assert column(replay, "shown") == [["KC", "QD", None]]
    assert column(replay, "stock") == [45]
    assert column(replay, "discards") == [5]


def test_D19_the_first_to_reach_the_number_wins() -> None:
    deal = around("KC 2C 3C", "5D 7D 4D", "9H 8H 4H")
    rows: list[Row] = [["KC", "5D", "9H"], ["3C", "7D", "8H"], ["2C", "4D", "4H"]]
    replay = play_playoff(3, deal, rows, playoff="wins", playoff_wins=2)
    assert column(replay, "winners") == [[1], [3], [2, 3]]
    assert column(replay, "eliminated") == [[], [], []]
    assert column(replay, "drew") == [[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
    assert column(replay, "hands") == [[3, 3, 3, 0], [3, 3, 3, 0], [2, 2, 2, 0]]
    assert column(replay, "stock") == [40, 37, 37]
    assert replay["outcome"] == {"winner": 3, "termination": "playoff", "score": [0, 0, 1, 0]}


def test_D19_reached_together_only_they_play_on() -> None:
    deal = around("9C 5C 6C", "9D 5D 4D", "2H 3H 4H")
    rows: list[Row] = [["9C", "9D", "2H"], ["5C", "5D", None], ["6C", "4D", None]]
    replay = play_playoff(3, deal, rows, playoff="wins", playoff_wins=1)
    assert column(replay, "winners") == [[1, 2], [1, 2], [1]]
    assert column(replay, "eliminated") == [[3], [], [2]]
    assert column(replay, "drew") == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert column(replay, "hands") == [[3, 3, 0, 0], [3, 3, 0, 0], [2, 0, 0, 0]]
    assert column(replay, "stock") == [41, 39, 39]
    assert column(replay, "discards") == [5, 7, 11]
    assert replay["outcome"] == {"winner": 1, "termination": "playoff", "score": [1, 0, 0, 0]}


def test_D20_the_others_play_on() -> None:
    hands = around("KC QC JC TC 9C", "2D 3D 4D 5D 6D", "2H 3H 4H 5H 6H")
    rows: list[Row] = [["KC", "2D", "2H"], [None, "resign", None], ["QC", None, "3H"], [None, None, "resign"]]
    _, replay = play_davenport("davenport", 3, rows, hands)
    assert column(replay, "kind") == ["play", "resign", "play", "resign"]
    assert column(replay, "round") == [1, 2, 2, 3]
    assert replay["steps"][1] == {
        "decision": 2,
        "kind": "resign",
        "phase": "main",
        "round": 2,
        "shown": [None, None, None],
        "exchanged": [False, False, False],
        "winners": [],
        "drew": [0, 0, 0],
        "eliminated": [],
        "hands": [4, 0, 5],
        "stock": 35,
        "discards": 8,
    }
    assert replay["steps"][3]["discards"] == 15
    assert replay["outcome"] == {"winner": 1, "termination": "resignation", "score": [1, 0, 0]}


def test_D20_in_a_playoff() -> None:
    deal = around("5C 2C 3C", "6D 7D 4D", "9H 8H 4H")
    rows: list[Row] = [["resign", None, None], [None, "6D", "9H"]]
    replay = play_playoff(3, deal, rows)
    assert column(replay, "round") == [1, 1]
    assert column(replay, "hands") == [[0, 3, 3, 0], [0, 0, 2, 0]]
    assert column(replay, "discards") == [3, 7]
    assert replay["outcome"] == {"winner": 3, "termination": "playoff", "score": [0, 0, 1, 0]}
    replay = play_playoff(2, deal[:2], [[None, "resign"]])
    assert replay["outcome"] == {"winner": 1, "termination": "resignation", "score": [1, 0, 0]}


# Records


@pytest.mark.parametrize(
    ("preset", "changes", "text"),
    [
        ("davenport", {}, "davenport"),
        ("davenport", {"playoff": "wins", "ace": "on"}, "davenport(ace=on,playoff=wins)"),
        ("pointed", {"playoff_wins": 5, "exchange": "off"}, "pointed(exchange=off,playoff_wins=5)"),
        ("aces", {"ace": "on"}, "aces"),
    ],
)
def test_R2_canonical_rules(preset: str, changes: dict[str, int | str], text: str) -> None:
    rules = shapes.complete(davenport.PRESETS, preset, **changes)
    assert shapes.text(davenport.PRESETS, rules) == text


def test_R2_canonical_rules_of_ecard() -> None:
    rules = shapes.complete(ecard.PRESETS, "classic", max_stake=3, tie="pair", group=2, plays=5)
    assert shapes.text(ecard.PRESETS, rules) == "classic(plays=5,tie=pair,group=2,max_stake=3)"


# Generated games


def test_the_same_seed_gives_the_same_games() -> None:
    assert list(generate.games("davenport", 20, 5)) == list(generate.games("davenport", 20, 5))
    assert list(generate.games("ecard", 20, 5)) != list(generate.games("ecard", 20, 6))


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_generated_games_are_scripts_of_themselves(game: str) -> None:
    """A record's picks and chance, played again, give the same record and replay."""
    presets, play = {
        "ecard": (ecard.PRESETS, ecard.play),
        "davenport": (davenport.PRESETS, davenport.play),
    }[game]
    for record, replay in generate.games(game, 300, "script"):
        preset, _, rest = record["rules"].partition("(")
        changes: dict[str, int | str] = {}
        for part in filter(None, rest.rstrip(")").split(",")):
            option, _, word = part.partition("=")
            changes[option] = int(word) if word.isdigit() and option != "first" else word
        script = Script(record["picks"], record["chance"])
        rules = shapes.complete(presets, preset, **changes)
        assert play(rules, len(record["seats"]), script.choose, script.deal) == (record, replay)
        assert not script.rows
        assert not script.chance


def test_cards_are_conserved() -> None:
    for _, replay in generate.games("davenport", 500, "conserved"):
        for step in replay["steps"]:
            assert step["stock"] + step["discards"] + sum(step["hands"]) == 52


def test_money_is_conserved() -> None:
    for record, replay in generate.games("ecard", 1000, "conserved"):
        if record["rules"].startswith("purse") and "stakes" not in record["rules"]:
            assert len({sum(step["score"]) for step in replay["steps"]}) == 1


@pytest.mark.parametrize(("game", "cases"), [("ecard", ECARD_CASES), ("davenport", DAVENPORT_CASES)])
def test_generated_games_reach_every_odd_case(game: str, cases: list[str]) -> None:
    missing = set(cases)
    for record, replay in generate.games(game, 10_000, "odd"):
        missing -= odd_cases(record, replay)
        if not missing:
            break
    assert not missing


# Chance and fairness

GAME = VECTORS["game"]
SECRET = bytes.fromhex(VECTORS["server_seed"])
ENTROPY = [bytes.fromhex(text) for text in VECTORS["seat_entropy"]]
KEY = bytes.fromhex(VECTORS["stream_key"])


def test_commitments() -> None:
    assert fairness.seed_commit(GAME, SECRET).hex() == VECTORS["seed_commit"]
    commits = [fairness.entropy_commit(GAME, seat, own).hex() for seat, own in enumerate(ENTROPY, 1)]
    assert commits == VECTORS["entropy_commit"]
    of = VECTORS["pick_commit_is_of"]
    head, nonce = bytes.fromhex(of["decision_head"]), bytes.fromhex(of["nonce"])
    commit = fairness.pick_commit(GAME, of["decision"], of["seat"], head, of["pick"], nonce)
    assert commit.hex() == VECTORS["pick_commit"]


def test_deal_keys() -> None:
    full = bytes.fromhex(VECTORS["full"])
    assert fairness.table_key(GAME, SECRET, full, ENTROPY).hex() == VECTORS["table_key"]
    assert fairness.deal_key(GAME, SECRET).hex() == VECTORS["local_key"]


def test_below_52() -> None:
    """Twenty numbers from the stream labelled `chance`, under the key with entropy."""
    stream = fairness.Stream(KEY, "chance")
    assert [stream.below(52) for _ in range(20)] == VECTORS["below_52"]


def test_below_odd() -> None:
    """The vectors do not say for which n. The list's last number is the first x of the stream labelled `odd`,
    and all of it follows from that x alone: so the stream starts again for each n, and the list is
    x mod n = 0, 0, 1, 0, 272, x. Of small n only 3 leaves 1; 1, 2, 4, 7, 8, 14 … leave 0; 1000 leaves 272;
    the last is any n above x that does not refuse x, such as 2^63 + 1. So these n are the plainest reading,
    not the only one. None of them refuses x; that `below` does refuse is tested apart."""
    numbers = [1, 2, 3, 7, 1000, 2**63 + 1]
    assert [fairness.Stream(KEY, "odd").below(n) for n in numbers] == VECTORS["below_odd"]


def test_below_refuses_what_would_be_unfair() -> None:
    """With n = 2^63 + 1 every x from n on is refused: the second x of `odd` is, the third is not."""
    n = 2**63 + 1
    raw = fairness.Stream(KEY, "odd")
    x = [raw.next() for _ in range(3)]
    assert x[0] < n <= x[1]
    assert x[2] < n
    stream = fairness.Stream(KEY, "odd")
    assert [stream.below(n), stream.below(n)] == [x[0], x[2]]


def test_first_cards_and_first_emperor() -> None:
    rules = shapes.complete(davenport.PRESETS, "davenport")
    record, _ = davenport.play(rules, 3, lambda seat, legal: "resign", fairness.dealer(KEY))
    assert record["chance"] == VECTORS["davenport_first_15_cards_3_seats"]
    rules = shapes.complete(ecard.PRESETS, "decisive")
    record, _ = ecard.play(rules, 2, lambda seat, legal: "resign", fairness.dealer(KEY))
    assert record["chance"] == [str(VECTORS["first_emperor_when_drawn"])]
