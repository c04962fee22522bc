"""R1 to R4 for E-Card: how picks, chance and rules are written, and how a wrong record is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from facedown.core.errors import FacedownError, IllegalChance, UnreadablePick, UnreadableRules
from facedown.core.record import Record
from facedown.core.replay import replay
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import ECardRules
from tests.games.ecard.table import sit


def record(**changes: Any) -> Record:
    """A short game, Ann's Emperor against Bo's Citizen, with something changed."""
    whole = {
        "format": "facedown/1",
        "game": "ecard",
        "rules": "classic(rounds=1,group=1)",
        "seats": ["Ann", "Bo"],
        "chance": [],
        "picks": [["E", "C"]],
    }
    return Record.read(json.dumps(whole | changes))


# --- R1 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "pick"),
    [
        ("E", "E"),
        ("c", "C"),
        (" slave ", "S"),
        ("Emperor", "E"),
        ("CITIZEN", "C"),
        ("kōtei", "E"),
        ("Koutei", "E"),
        ("dorei", "S"),
        ("7", "7"),
        ("07", "7"),
        ("999999999", "999999999"),
    ],
)
def test_R1_picks_are_letters_or_a_number_and_names_are_understood(written: str, pick: str) -> None:
    assert GAME.read_pick(written) == pick


@pytest.mark.parametrize("written", ["", "X", "EE", "-1", "1.5", "1000000000", "٣", "emperors"])
def test_R1_a_text_that_is_no_pick_cannot_be_read(written: str) -> None:
    with pytest.raises(UnreadablePick) as refused:
        GAME.read_pick(written)

    assert refused.value.rule == "R1"
    assert refused.value.text == written
    assert str(refused.value) == (
        f"{written!r} is not a pick: write E, C or S, or a number where a stake is named (R1)"
    )


def test_R1_a_named_stake_is_written_as_a_number() -> None:
    table = sit("purse", "1")
    table.name(7)
    table.turn("C", "S")

    written = json.loads(table.match.record().write())

    assert written["picks"] == [[None, 7], ["C", "S"]]
    assert Record.read(table.match.record().write()).picks == ((None, "7"), ("C", "S"))


@pytest.mark.parametrize("drawn", ["1", "2"])
def test_R1_the_chance_list_holds_the_first_emperor_side_if_it_is_drawn(drawn: str) -> None:
    assert sit("decisive", drawn).match.record().chance == (drawn,)


def test_R1_a_chance_list_is_refused_if_the_first_emperor_side_is_fixed() -> None:
    with pytest.raises(IllegalChance, match="the chance list has 1 more than the game drew, from '1' on"):
        replay(record(chance=["1"]))


@pytest.mark.parametrize("chance", [["3"], ["E"], []])
def test_R1_a_first_emperor_side_that_cannot_be_drawn_is_refused(chance: list[str]) -> None:
    with pytest.raises(IllegalChance):
        replay(record(rules="decisive", chance=chance))


# --- R2 --------------------------------------------------------------------------------------------------


def test_R2_the_presets_are_these_and_a_new_game_is_short() -> None:
    assert [preset.name for preset in ECardRules.presets] == [
        "classic",
        "short",
        "victories",
        "decisive",
        "purse",
    ]
    assert ECardRules.of() == ECardRules.read("") == ECardRules.read("classic")
    assert ECardRules.usual_preset() == "short"


def test_R2_only_changed_options_are_written_in_the_order_of_the_tables() -> None:
    written = "classic(plays=5,placing=together,slave_pays=2,victory=rounds,tie=pair,first=2,stakes=named,"
    written += "rounds=6,group=2,purse=9,max_stake=4)"
    backwards = "classic(" + ",".join(reversed(written[8:-1].split(","))) + ")"

    assert str(ECardRules.read(backwards)) == written


def test_R2_all_problems_are_listed_at_once() -> None:
    with pytest.raises(UnreadableRules) as refused:
        ECardRules.read("imperial(plays=6,tie=coin,colour=red,first)")

    assert tuple(map(str, refused.value.problems)) == (
        "there is no preset 'imperial': the presets are classic, short, victories, decisive, purse",
        "plays=6 is not allowed: plays must be a whole number from 1 to 5",
        "tie=coin is not allowed: tie must be one of draw, extra, pair",
        "there is no option 'colour': the options are plays, placing, slave_pays, victory, tie, first,"
        " stakes, rounds, group, purse, max_stake",
        "'first' is not an option: write it as name=value",
    )


def test_R2_a_group_longer_than_the_game_is_impossible() -> None:
    assert ECardRules.read("classic(rounds=2,group=2)").group == 2
    with pytest.raises(UnreadableRules) as refused:
        ECardRules.read("classic(rounds=2)")

    assert tuple(map(str, refused.value.problems)) == ("group=3 is more than rounds=2: use group=2 or less",)


# --- R3, R4 ----------------------------------------------------------------------------------------------


def test_R3_a_resignation_stands_alone_in_its_decision() -> None:
    table = sit("classic")
    table.match.resign(2)

    assert table.match.record().picks == ((None, "resign"),)
    assert replay(record(picks=[[None, "resign"]])).outcome == table.outcome


@pytest.mark.parametrize("picks", [["C", "resign"], ["resign", "resign"], ["resign"], ["resign", None, None]])
def test_R3_a_resignation_beside_another_pick_is_refused(picks: list[str | None]) -> None:
    with pytest.raises(FacedownError) as refused:
        replay(record(picks=[picks]))

    assert refused.value.rule == "R3"
    assert refused.value.where.decision == 1
    assert refused.value.text == "resign"


@pytest.mark.parametrize(
    ("picks", "say"),
    [
        (
            [["E", "E"]],
            "decision 1, seat 2: Emperor is not in this seat's hand, which holds Slave and Citizen (E17)",
        ),
        (
            [["C", "C"], ["S", "C"]],
            "decision 2, seat 1: Slave is not in this seat's hand, which holds Emperor and Citizen (E17)",
        ),
        ([["E", "C"], ["C", "C"]], "decision 2, seat 1: 'C', but the game is over (E15)"),
        (
            [["C", "x"]],
            "decision 1, seat 2: 'x' is not in this seat's hand, which holds Slave and Citizen (E17)",
        ),
        (
            [["E", "C"], ["resign", None]],
            "decision 2, seat 1: this seat is not in the game and cannot resign (E14)",
        ),
    ],
)
def test_R4_a_wrong_record_names_decision_seat_pick_and_rule(picks: list[list[str]], say: str) -> None:
    with pytest.raises(FacedownError) as refused:
        replay(record(picks=picks))

    assert str(refused.value) == say
    assert refused.value.text == picks[-1][(refused.value.where.seat or 0) - 1]


@pytest.mark.parametrize("stake", [0, 11, "C"])
def test_R4_a_wrong_stake_names_decision_seat_pick_and_rule(stake: int | str) -> None:
    with pytest.raises(FacedownError) as refused:
        replay(record(rules="purse", chance=["2"], picks=[[stake, None]]))

    assert str(refused.value) == f"decision 1, seat 1: {str(stake)!r} is not a stake from 1 to 10 (E13)"
    assert refused.value.text == str(stake)
