"""Playing out: the chances are those of counting everything, and both sides of a cost get the same luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, ClassVar

import pytest

from facedown.bots.uniform import Uniform
from facedown.core import registry
from facedown.core.chance import Scripted, Seeded, Stream, seed_of
from facedown.core.errors import Unsupported
from facedown.core.game import Joint, Pick
from facedown.core.match import Match
from facedown.core.parts.judge import Appraisal
from facedown.core.replay import ReplayedTurn
from facedown.core.views import View
from facedown.review import rollouts as rollouts_module
from facedown.review import words
from facedown.review.review import review
from facedown.review.rollouts import Rollouts, reviewer, with_clear_costs
from tests.review.reviewed import played_out, recorded_game
from tests.third_game.goofspiel.game import GAME
from tests.third_game.goofspiel.rules import GoofspielRules

KEY = seed_of("rollouts")


@pytest.fixture(autouse=True)
def third_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third game is found, as it would be were it installed; its folder has no `bots`."""
    found = {**registry.packages(), GAME.name: "tests.third_game.goofspiel"}
    monkeypatch.setattr(registry, "packages", lambda: found)


class Lowest(Uniform):
    """Bids as little as it can, and leaves nothing to chance."""

    name: ClassVar[str] = "lowest"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        return legal[0]


def bidding(*joints: Joint) -> list[ReplayedTurn]:
    """A game of four prizes, rising, between two seats."""
    match = Match(GAME, GoofspielRules.of("quick", cards=4), ("Ann", "Bo"), Scripted([]))
    found = []
    for joint in joints:
        before = match.state
        found.append(ReplayedTurn(before, joint, match.decide(joint)))
    return found


def rollouts(machine: type[Uniform], times: int) -> Rollouts:
    return Rollouts(GAME, machine, 2, times, KEY)


def exact_chance(state: Any, pick: Pick | None = None) -> float:
    """Seat 1's exact chance, if all bid blindly from here on, and it begins with this."""
    results = list(_results(state, pick))
    return sum(results) / len(results)


def _results(state: Any, pick: Pick | None) -> Iterator[float]:
    outcome = GAME.outcome(state)
    if outcome is not None:
        yield 0.5 if outcome.winner is None else float(outcome.winner == 1)
        return
    ours = GAME.legal(state, 1) if pick is None else (pick,)
    for joint in product(ours, GAME.legal(state, 2)):  # all hands have the same size: every line is as likely
        yield from _results(GAME.resolve(state, joint, Scripted([])).state, None)


def test_chances_and_costs_are_those_of_counting_everything() -> None:
    (turn,) = bidding(("1", "2"))
    found = rollouts(Uniform, 1500).judge([turn], 1)
    (chances,), (appraisal,) = found.chances, found.appraisals
    cost = exact_chance(turn.before) - exact_chance(turn.before, "1")

    assert 0 < chances.error < 0.02
    assert chances.before == pytest.approx(exact_chance(turn.before), abs=4 * chances.error)
    assert chances.after == pytest.approx(exact_chance(turn.step.state), abs=4 * chances.error_after)
    assert abs(cost) > 0.05
    assert appraisal.cost == pytest.approx(cost, abs=4 * appraisal.error)
    assert sum(appraisal.advice.values()) == pytest.approx(1)
    assert all(share == pytest.approx(0.25, abs=0.05) for share in appraisal.advice.values())


def test_the_machines_own_pick_costs_nothing_for_certain() -> None:
    found = rollouts(Lowest, 5).judge(bidding(("1", "2")), 1)

    assert (found.appraisals[0].cost, found.appraisals[0].error) == (0, 0)
    assert found.appraisals[0].advice == {"1": 1.0}


def test_the_pick_and_the_machines_get_the_same_luck() -> None:
    """A machine that draws is forced to what it would have drawn anyway: game by game nothing changes."""
    dealt = GAME.setup(GoofspielRules.of(cards=5), 2, Seeded(KEY)).state  # prizes come up by chance
    judge = rollouts(Uniform, 40)
    free = judge.play_out(dealt, 1, 1, 40)
    forced = {pick: judge.play_out(dealt, 1, 1, 40, pick) for pick in GAME.legal(dealt, 1)}

    assert {game.first for game in free} == set(forced)
    assert all(forced[game.first or ""][place].result == game.result for place, game in enumerate(free))


def test_a_sure_result_has_no_error_and_a_likely_one_has() -> None:
    won = bidding(("2", "1"), ("3", "2"), ("4", "3"), ("1", "4"))  # 1 + 2 + 3 against 4
    chances = rollouts(Uniform, 20).judge(won, 1).chances

    assert (chances[-1].after, chances[-1].error_after) == (1, 0)
    assert chances[-1].before == 1
    assert chances[-1].error > 0.01


def test_the_parts_add_up_and_the_others_gifts_are_part_of_the_rest() -> None:
    found = rollouts(Uniform, 20).judge(bidding(("2", "1"), ("3", "2"), ("4", "3"), ("1", "4")), 2)
    cost = sum(each.cost for each in found.appraisals if each.clear)
    luck = sum(each.luck for each in found.chances)

    assert found.chances[-1].after - found.chances[0].before == pytest.approx(luck - cost)
    assert {each.gift for each in found.chances} == {None}
    for one, two in zip(found.chances, found.chances[1:], strict=False):
        assert (one.after, one.error_after) == (two.before, two.error)


# --- what is claimed -------------------------------------------------------------------------------------


def appraised(costs: Sequence[float], error: float = 0.1) -> list[Appraisal]:
    return with_clear_costs(
        [Appraisal(number, "", "", {}, error * cost, None, error) for number, cost in enumerate(costs, 1)]
    )


def test_in_a_game_of_chance_alone_a_cost_is_clear_once_in_twenty_games() -> None:
    """Two standard errors for each of fifteen picks would do it in every second game."""
    luck = Random(1)
    games = [appraised([luck.gauss() for _ in range(15)]) for _ in range(1000)]

    assert 20 <= sum(any(each.clear for each in game) for game in games) <= 80


def test_the_more_picks_the_clearer_a_cost_has_to_be() -> None:
    assert [each.clear for each in appraised([-2.4])] == [True]
    assert [each.clear for each in appraised([-2.4, 0.1, 0.2, 0.3])] == [False] * 4
    assert [each.clear for each in appraised([-2.4, 4.0, 3.0, 3.0])] == [True] * 4
    assert [each.clear for each in appraised([0.0, 0.0], error=0.0)] == [True] * 2, "exactly nothing"


# --- the recorded games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [9, 10, 25, 63, 93, 112])
def test_recorded_games_are_played_out_whatever_happens_in_them(line: int) -> None:
    """Resignations, playoffs, Ace rules; seats that are out; two seats and more."""
    record = recorded_game("davenport", line)
    for seat in range(1, len(record.seats) + 1):
        found = review(record, seat, 2)
        outcome = found.outcome
        assert outcome is not None
        own = [number for number, joint in enumerate(record.picks, 1) if joint[seat - 1] is not None]

        assert found.end.value == float(outcome.winner == seat)
        assert found.end.value - found.start.value == pytest.approx(found.skill.value + found.luck.value)
        assert [each.decision for each in found.judged.appraisals] == own


def test_a_seat_that_resigns_gives_away_its_chance() -> None:
    record = recorded_game("davenport", 39)
    seat = next(joint.index("resign") + 1 for joint in record.picks if "resign" in joint)
    found = review(record, seat, 10)
    last = found.judged.appraisals[-1]

    assert last.pick == "resign"
    assert last.cost == found.judged.chances[last.decision - 1].before > 0
    assert found.judged.chances[-1].luck == pytest.approx(0)


def test_the_same_record_gets_the_same_review() -> None:
    assert (
        review(recorded_game("davenport", 46), 1, 4)
        == review(recorded_game("davenport", 46), 1, 4)
        == played_out()
    )
    assert played_out(rollouts=5).judged.chances != played_out(rollouts=4).judged.chances


def test_a_fixed_amount_of_work_is_spread_over_the_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in picks, not in seconds: a slow machine gets the same review as a quick one."""
    record = recorded_game("davenport", 46)
    monkeypatch.setattr(rollouts_module, "_WORK", 80_000)
    some = review(record, 1)
    monkeypatch.setattr(rollouts_module, "_WORK", 8_000)
    few = review(record, 1)

    assert "games per position" in str(some.judged.judge)
    assert "at one position in " in str(few.judged.judge)
    assert few.judged.chances == review(record, 1).judged.chances
    assert len(few.judged.appraisals) == len(some.judged.appraisals)
    assert few.end.value - few.start.value == pytest.approx(few.skill.value + few.luck.value)
    unjudged = [each for each in few.judged.appraisals if not each.advice]
    assert unjudged, "some positions were left out"
    assert {str(words.cost(each)) for each in unjudged} <= {"not clear", "no choice"}


# --- who judges ------------------------------------------------------------------------------------------


def test_a_game_without_a_judge_is_refused() -> None:
    with pytest.raises(Unsupported, match="no judge knows Goofspiel yet"):
        reviewer(GAME.name)
