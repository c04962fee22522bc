"""What machines expected: from their own views, after the game, and never while it goes on."""

from __future__ import annotations

import json

import pytest

from facedown.bots.find import find_bot
from facedown.core.game import Joint
from facedown.core.parts.bot import Memory
from facedown.core.replay import start, turns
from facedown.review.reports import as_json, plain_text
from facedown.review.review import review
from tests.review.reviewed import HABIT, small

DECIDED: tuple[Joint, ...] = HABIT


@pytest.mark.parametrize("machine", ["reader", "sage"])
def test_the_review_holds_what_the_machine_expected_at_each_decision(machine: str) -> None:
    record = small("Ann", machine)
    found = review(record, 1)

    assert found.expected
    bot = find_bot("ecard", machine)(Memory())
    match = start(record)
    for number, turn in enumerate(turns(record, match), 1):
        expected = [each for each in found.expected if each.decision == number]
        own = bot.explain(match.game.view(turn.before, 2), match.game.legal(turn.before, 2))
        assert [(each.chance, each.usual) for each in expected] == ([] if own is None else [own[1:3]])
    later = [each for each in found.expected if each.decision > 3]
    assert any(each.chance != each.usual for each in later), "it has learned something"
    assert "What" in plain_text(found)
    assert f"What {found.names[1]} expected" in plain_text(found)
    assert json.loads(json.dumps(as_json(found)))["expected"][0]["seat"] == 2


def test_the_explanation_matches_the_mix() -> None:
    """The explanation and the mix come from the same plan."""
    record = small("Ann", "reader")
    bot = find_bot("ecard", "reader")(None)
    match = start(record)
    for turn in turns(record, match):
        view, legal = match.game.view(turn.before, 2), match.game.legal(turn.before, 2)
        explanation = bot.explain(view, legal)
        if explanation is not None:
            special = next(pick for pick in legal if pick != "C")
            share = f"{100 * bot.mix(view, legal)[special]:.0f} %"  # type: ignore[attr-defined]  # a machine has one
            assert share in str(explanation.say[2])


def test_people_and_plain_machines_explain_nothing() -> None:
    assert review(small("Ann", "Bo"), 1).expected == ()
    assert review(small("Ann", "habit"), 1).expected == ()
    assert review(small("Ann", "reader"), 2).expected == (), "it has no expectations of itself"


def test_expectations_are_hidden_while_the_game_goes_on() -> None:
    assert review(small("Ann", "reader", picks=HABIT[:3]), 1).expected == ()
