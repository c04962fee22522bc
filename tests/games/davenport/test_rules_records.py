"""R2 to R4 for Davenport: how rules are written, and how a wrong record is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from facedown.core.errors import FacedownError, IllegalChance, UnreadableRules
from facedown.core.record import Record
from facedown.core.replay import replay
from facedown.games.davenport.rules import DavenportRules
from tests.games.davenport.table import deal

DEAL = "AS 2S AH 2H AD 2D AC 2C KS KH"


def record(**changes: Any) -> Record:
    """One round, in which Ann's King beats Bo's Two and Bo draws, with something changed."""
    whole = {
        "format": "facedown/1",
        "game": "davenport",
        "rules": "davenport",
        "seats": ["Ann", "Bo"],
        "chance": [*DEAL.split(), "9D"],
        "picks": [["KS", "2S"]],
    }
    return Record.read(json.dumps(whole | changes))


def test_R2_the_presets_are_these_and_davenport_is_the_usual_one() -> None:
    assert [preset.name for preset in DavenportRules.presets] == ["davenport", "aces", "pointed"]
    assert DavenportRules.of() == DavenportRules.read("") == DavenportRules.read("davenport")


def test_R2_all_problems_are_listed_at_once() -> None:
    with pytest.raises(UnreadableRules) as refused:
        DavenportRules.read("davenport(ace=yes,playoff_wins=0,placing=alternate)")

    assert tuple(map(str, refused.value.problems)) == (
        "ace=yes is not allowed: ace must be one of on, off",
        "playoff_wins=0 is not allowed: playoff_wins must be a whole number from 1 to 20",
        "placing=alternate is not allowed: placing must be one of together, in_turn",
    )


def test_R2_an_option_without_effect_is_allowed_with_a_note() -> None:
    text = "playoff_wins has no effect unless playoff=wins (D19)"

    assert tuple(map(str, DavenportRules.read("davenport(playoff_wins=5)").notes())) == (text,)
    assert DavenportRules.read("pointed(playoff_wins=5)").notes() == ()


def test_R3_a_resignation_stands_alone_in_its_decision() -> None:
    table = deal("davenport", 2, DEAL)
    table.resign(2)

    assert table.match.record().picks == ((None, "resign"),)
    assert replay(record(picks=[[None, "resign"]], chance=DEAL.split())).outcome == table.outcome()


@pytest.mark.parametrize("picks", [["KS", "resign"], ["resign", "resign"]])
def test_R3_a_resignation_beside_another_pick_is_refused(picks: list[str]) -> None:
    with pytest.raises(FacedownError) as refused:
        replay(record(picks=[picks]))

    assert refused.value.rule == "R3"
    assert refused.value.where.decision == 1


@pytest.mark.parametrize(
    ("picks", "say"),
    [
        ([["KS", "KS"]], "decision 1, seat 2: 'KS' is not in this seat's hand (D3)"),
        ([["KS", "2S"], ["KS", "2H"]], "decision 2, seat 1: 'KS' is not in this seat's hand (D3)"),
        ([["x9D", "2S"]], "decision 1, seat 1: 'x9D' is not in this seat's hand (D3)"),
        ([["ks", "2S"]], "decision 1, seat 1: 'ks' is not in this seat's hand (D3)"),
    ],
)
def test_R4_a_wrong_record_names_decision_seat_pick_and_rule(picks: list[list[str]], say: str) -> None:
    with pytest.raises(FacedownError) as refused:
        replay(record(picks=picks))

    assert str(refused.value) == say


def test_R4_a_pick_after_the_end_names_decision_seat_pick_and_rule() -> None:
    with pytest.raises(FacedownError) as refused:
        replay(record(chance=DEAL.split(), picks=[["resign", None], [None, "2S"]]))

    assert str(refused.value) == "decision 2, seat 2: '2S', but the game is over (D3)"


@pytest.mark.parametrize(
    ("chance", "say"),
    [
        (f"{DEAL} AS", "decision 1: chance entry 11, 'AS', cannot come up here"),
        (DEAL, "decision 1: the chance list ends after 10 entries, but one more is drawn here"),
        ("AS AS", "decision 0: chance entry 2, 'AS', cannot come up here"),
        (f"{DEAL} 9D 8D", "the chance list has 1 more than the game drew, from '8D' on"),
    ],
)
def test_R4_a_card_that_cannot_have_come_up_is_refused(chance: str, say: str) -> None:
    with pytest.raises(IllegalChance) as refused:
        replay(record(chance=chance.split()))

    assert str(refused.value) == say
