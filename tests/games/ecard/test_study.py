"""The explorer and the trainer of E-Card: every way leads somewhere, and every number is the solution's."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core import registry
from facedown.core.chance import Scripted
from facedown.core.errors import FacedownError, UnreadablePick
from facedown.core.parts.explorer import Exploration, read_habit
from facedown.core.parts.solver import read_position
from facedown.core.parts.trainer import Trainer
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.best_response import best_response
from facedown.games.ecard.solve.solution import solve
from facedown.games.ecard.study import train
from facedown.games.ecard.study.explore import StatedHabit

STUDY: Any = registry.part("ecard", "study")
SMALL = (
    "classic(rounds=4,group=2)",
    "decisive(rounds=2,group=1)",
    "purse(rounds=2,group=1,purse=6,max_stake=3)",
)


def explore(rules: str, at: str = "", habit: str = "") -> Exploration:
    position = read_position(STUDY, at) if at else None
    found: Exploration = STUDY.explore(
        ECardRules.read(rules), position, read_habit(STUDY, habit) if habit else None
    )
    return found


@pytest.mark.parametrize("rules", [*SMALL, "classic(rounds=2,group=1,tie=pair)"])
def test_every_branch_leads_to_a_position_of_the_stated_value(rules: str) -> None:
    ahead, seen = [explore(rules).at], set()
    while ahead:
        at = ahead.pop()
        if at in seen:
            continue
        seen.add(at)
        here = explore(rules, at)
        assert here.at == at
        assert sum(side.value for side in here.sides) == pytest.approx(1)
        for way in here.ways:
            if way.at:
                there = explore(rules, way.at)
                values = [side.value for side in there.sides]
                assert any(way.value == pytest.approx(value) for value in values), (at, way)
                ahead.append(way.at)
        for field in here.fields:
            assert field.value in [way.label for way in field.ways]
            ahead += [way.at for way in field.ways]
    assert len(seen) > 10


def test_the_cost_of_a_pick_is_its_distance_from_the_best() -> None:
    here = explore("classic", "round=5,score=6:5,play=2")
    solution = solve(ECardRules.of("classic"))
    moment = solution.at(5, (6, 5), 2)

    emperor, slave = here.sides
    assert slave.value == pytest.approx(float(moment.value)), "the first Emperor side is the Slave side now"
    assert [pick.pick for pick in emperor.picks] == ["E", "C"]
    assert emperor.picks[0].share == pytest.approx(float(moment.emperor[0]))
    for side in here.sides:
        best = max(pick.value for pick in side.picks)
        for pick in side.picks:
            assert pick.cost == pytest.approx(best - pick.value, abs=1e-9)
            assert pick.known <= side.value + 1e-9, "a pick that the opponent knows never gains by it"


def test_a_position_that_cannot_occur_is_refused() -> None:
    with pytest.raises(FacedownError, match="cannot occur"):
        explore("classic", "round=2,score=6:5")
    with pytest.raises(FacedownError, match="from 0 to 100"):
        explore("classic", "", "side=slave,chances=400")


# --- habits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", SMALL)
@pytest.mark.parametrize("habit", ["side=slave,chances=40", "side=emperor,chances=0:90"])
def test_the_answer_to_a_habit_is_the_best_response(rules: str, habit: str) -> None:
    here = explore(rules, "", habit)
    assert here.answer is not None
    solution = solve(ECardRules.read(rules))
    stated = StatedHabit.read(read_habit(STUDY, habit))
    first = (stated.side == "S") == solution.course.first_is_emperor(solution.course.start)
    behaviour = stated.behaviour(solution)

    best = best_response(solution.rules, behaviour, "first" if first else "other")

    assert here.answer.value == pytest.approx(best)
    assert here.answer.value >= here.answer.usual - 1e-12
    assert here.habit == habit


def test_the_equilibrium_has_no_habit_to_answer() -> None:
    here = explore("decisive(rounds=2,group=1)", "", "side=slave,chances=20:25")
    assert here.answer is not None
    assert here.answer.value == pytest.approx(here.answer.usual)


# --- the trainer -----------------------------------------------------------------------------------------


def test_the_exact_share_gets_every_point_and_a_far_one_none() -> None:
    trainer: Trainer = STUDY
    state = GAME.setup(ECardRules.of("classic"), 2, Scripted(())).state
    asked = trainer.ask(state, 1)
    assert asked is not None
    assert (asked.kind, [each.pick for each in asked.picks]) == ("share", ["E"])
    exact = float(solve(ECardRules.of("classic")).at(1, (0, 0)).emperor[0])

    right = trainer.mark(state, 1, f"{100 * exact:.4f}")
    near = trainer.mark(state, 1, f"{round(100 * exact + 4)} %")
    wrong = trainer.mark(state, 1, "80")

    assert (right.points, right.right) == (100, True)
    assert near.right
    assert right.points > near.points > wrong.points == 0
    assert not wrong.right
    assert explore("classic", right.at).at == right.at


@pytest.mark.parametrize("text", ["", "much", "101", "-3", "1e2", "nan"])
def test_a_text_that_is_no_share_is_refused_in_one_sentence(text: str) -> None:
    state = GAME.setup(ECardRules.of("classic"), 2, Scripted(())).state
    with pytest.raises(UnreadablePick, match="from 0 to 100"):
        train.mark(state, 1, text)


def test_no_question_is_asked_when_nothing_is_at_stake() -> None:
    state = GAME.setup(ECardRules.read("purse(first=1)"), 2, Scripted(())).state
    assert train.ask(state, 1) is None, "the stake is not named yet"
    state = GAME.resolve(state, (None, "1"), Scripted(())).state
    for _ in range(4):
        assert state.play < 5
        state = GAME.resolve(state, ("C", "C"), Scripted(())).state
    assert train.ask(state, 1) is None, "only the special cards are left"
