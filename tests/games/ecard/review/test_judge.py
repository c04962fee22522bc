"""The exact judge: it is consistent in recorded games, and agrees with a slow, independent count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from facedown.core.chance import Scripted
from facedown.core.errors import Unsupported
from facedown.core.game import Joint
from facedown.core.parts.judge import Judged
from facedown.core.record import Record
from facedown.core.replay import ReplayedTurn, start, turns
from facedown.games.ecard.bots.reading import OpponentReading, OpponentRound
from facedown.games.ecard.game import GAME
from facedown.games.ecard.review.judge import judge
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import Solution, solve
from facedown.games.ecard.state import ECardState
from tests.few import few
from tests.games.ecard import naive

RECORDS = Path(__file__).parents[3] / "records" / "ecard.jsonl"
LINES = RECORDS.read_text(encoding="utf-8").splitlines()
EVEN = 1e-9

OF_RULES = pytest.mark.parametrize(
    "rules",
    [
        "classic(rounds=2,group=1)",
        "victories(plays=2,tie=extra,rounds=2,group=1)",
        "decisive(plays=4,rounds=1,group=1,tie=pair)",
        "decisive(rounds=2,group=1)",
        "purse(plays=3,rounds=2,group=1,purse=4,max_stake=3)",
    ],
)


def turn(state: ECardState, *joint: str | None) -> ReplayedTurn:
    return ReplayedTurn(state, joint, GAME.resolve(state, joint, Scripted(())))


def game(rules: str, *joints: Joint, chance: tuple[str, ...] = ()) -> tuple[ReplayedTurn, ...]:
    """A game, given by its picks."""
    record = Record("ecard", rules, ("Ann", "Bo"), chance, joints)
    return tuple(turns(record, start(record)))


def states(rules: ECardRules) -> Iterator[ECardState]:
    """Every state that a game can come to, before its pairs of extra rounds repeat; once each."""
    todo, seen = [naive.start(rules)], set()
    while todo:
        state = todo.pop()
        key = (state.round, state.play, state.stake, state.score, state.rounds[-1:] if state.extra else ())
        if state.outcome is not None or key in seen or state.round > rules.rounds + 2:
            continue
        seen.add(key)
        yield state
        todo.extend(turn(state, *joint).step.state for joint in joints(state))


def joints(state: ECardState) -> list[tuple[str | None, str | None]]:
    ones, twos = (GAME.legal(state, seat) or (None,) for seat in (1, 2))
    return [(one, two) for one in ones for two in twos]


# --- in every recorded game ------------------------------------------------------------------------------


@pytest.mark.parametrize("line", few(range(len(LINES)), 14))
def test_the_judgement_of_a_recorded_game_is_consistent(line: int) -> None:
    record = Record.read(LINES[line])
    played = tuple(turns(record, start(record)))
    one, two = judge(played, 1), judge(played, 2)
    for seat, found in ((1, one), (2, two)):
        parts_add_up_to_the_result(played, seat, found)
        chances_go_over_into_the_next_decision(played, found)
        nothing_costs_less_than_nothing_and_the_equilibrium_costs_nothing(found)
        every_decision_is_in_one_round_and_every_pick_is_judged(played, seat, found)
    both_seats_are_told_the_same_game(one, two)


def parts_add_up_to_the_result(played: Sequence[ReplayedTurn], seat: int, found: Judged) -> None:
    cost = sum(each.cost for each in found.appraisals)
    gifts = sum(each.gift or 0.0 for each in found.chances)
    luck = sum(each.luck + each.read for each in found.chances)
    outcome = played[-1].step.state.outcome
    result = 0.5 if outcome.winner is None else float(outcome.winner == seat)

    assert found.chances[-1].after == result
    assert result - found.chances[0].before == pytest.approx(-cost + gifts + luck, abs=EVEN)


def chances_go_over_into_the_next_decision(played: Sequence[ReplayedTurn], found: Judged) -> None:
    assert len(found.chances) == len(played)
    for one, two in zip(found.chances, found.chances[1:], strict=False):
        assert one.after == pytest.approx(two.before, abs=EVEN)


def nothing_costs_less_than_nothing_and_the_equilibrium_costs_nothing(found: Judged) -> None:
    for each in found.appraisals:
        assert each.cost >= 0
        assert each.missed is None or each.missed >= 0
        if each.advice.get(each.pick, 0.0) > EVEN:
            assert each.cost < EVEN
        if each.advice:
            assert sum(each.advice.values()) == pytest.approx(1)


def every_decision_is_in_one_round_and_every_pick_is_judged(
    played: Sequence[ReplayedTurn], seat: int, found: Judged
) -> None:
    own = [number for number, each in enumerate(played, 1) if each.joint[seat - 1] is not None]

    assert sum(each.decisions for each in found.rounds) == len(played)
    assert [each.decision for each in found.appraisals] == own


def both_seats_are_told_the_same_game(one: Judged, two: Judged) -> None:
    given, taken = ({each.decision: each.cost for each in found.appraisals} for found in (one, two))
    for mine, theirs in zip(one.chances, two.chances, strict=True):
        assert mine.before + theirs.before == pytest.approx(1, abs=EVEN)
        assert mine.luck + mine.read + theirs.luck + theirs.read == pytest.approx(0, abs=EVEN)
        assert mine.gift == pytest.approx(taken.get(mine.decision, 0.0), abs=EVEN)
        assert theirs.gift == pytest.approx(given.get(mine.decision, 0.0), abs=EVEN)


# --- against a slow count --------------------------------------------------------------------------------


@OF_RULES
def test_chances_and_costs_are_those_of_brute_force(rules: str) -> None:
    solution = solve(ECardRules.read(rules))
    slow = naive.BestPlay(solution.rules)
    all_turns = [turn(state, *joint) for state in states(solution.rules) for joint in joints(state)]

    found = judge(all_turns, 1)

    assert len(found.appraisals) >= 40
    for each in found.chances:
        state = all_turns[each.decision - 1].before
        assert each.before == pytest.approx(value(slow, state), abs=1e-9)
    for appraisal in found.appraisals:
        worths = brute_force(slow, solution, all_turns[appraisal.decision - 1].before)
        assert appraisal.cost == pytest.approx(max(worths.values()) - worths[appraisal.pick], abs=1e-9)


def value(slow: naive.BestPlay, state: ECardState) -> float:
    """Seat 1's."""
    first = slow.value(state)
    return first if naive.first_seat(state) == 1 else 1 - first


def brute_force(slow: naive.BestPlay, solution: Solution, state: ECardState) -> dict[str, float]:
    """What every pick of seat 1 is worth against seat 2 in equilibrium, over every continuation."""
    return {
        pick: sum(
            chance * value(slow, turn(state, pick, other).step.state)
            for other, chance in their_mix(solution, state).items()
        )
        for pick in GAME.legal(state, 1)
    }


def their_mix(solution: Solution, state: ECardState) -> dict[str | None, float]:
    """Seat 2's equilibrium, for plays of a card."""
    legal = GAME.legal(state, 2)
    if state.stake is None or len(legal) == 1:
        return dict.fromkeys(legal or (None,), 1.0)
    moment = naive.moment(solution, state)
    special = float((moment.slave if state.emperor == 1 else moment.emperor)[0])
    return dict(zip(legal, [1 - special, special], strict=True))


@OF_RULES
def test_luck_is_fair_whatever_one_picks(rules: str) -> None:
    """Against the equilibrium there are no gifts, and luck is nothing on average."""
    solution = solve(ECardRules.read(rules))
    plays = [state for state in states(solution.rules) if state.stake is not None]
    all_turns = [turn(state, *joint) for state in plays for joint in joints(state)]
    found = judge(all_turns, 1).chances
    luck: dict[tuple[int, str | None], float] = {}
    gifts = 0.0
    for each, chances in zip(all_turns, found, strict=True):
        mine, theirs = each.joint
        chance = their_mix(solution, each.before)[theirs]
        place = id(each.before), mine
        luck[place] = luck.get(place, 0.0) + chance * chances.luck
        gifts += chance * (chances.gift or 0.0)

    assert max(abs(each.luck) for each in found) > 0.1
    assert max(map(abs, luck.values())) < EVEN
    assert gifts < EVEN


@pytest.mark.parametrize("plays", [3, 5])
def test_the_missed_gain_is_that_of_the_best_time(plays: int) -> None:
    """Bo's special card always comes at play 2: an opponent who noticed would know when to play theirs."""
    rules = f"victories(plays={plays},rounds=6,group=6)"
    habit = [("C", "C"), ("C", "S")] * 4
    before = game(rules, *habit, ("C", "C"))
    state = before[-1].before
    reading = OpponentReading()
    for finished in state.rounds:
        reading.see(OpponentRound.of(2, *finished[:4]))
    solution = solve(state.rules)
    expected = reading.chances("S", [float(each) for each in naive.moment(solution, state).slave[:4]])
    slow = naive.BestPlay(state.rules)

    found = judge(before, 1).appraisals[-1]

    citizen = best(slow, turn(state, "C", "C").step.state, expected[1:])
    values = {
        "C": expected[0] * value(slow, turn(state, "C", "S").step.state) + (1 - expected[0]) * citizen,
        "E": expected[0] * value(slow, turn(state, "E", "S").step.state)
        + (1 - expected[0]) * value(slow, turn(state, "E", "C").step.state),
    }
    assert found.missed == pytest.approx(max(values.values()) - values["C"], abs=1e-9)
    assert judge([turn(state, "E", "C")], 1).appraisals[0].missed == pytest.approx(0, abs=1e-9)


def best(slow: naive.BestPlay, state: ECardState, expected: Sequence[float]) -> float:
    """What the rest of this round is worth to seat 1, the Emperor side: the best of all its times."""
    if state.play == 1 or not expected or len(GAME.legal(state, 1)) == 1:
        return value(slow, state)
    met = expected[0]
    now = met * value(slow, turn(state, "E", "S").step.state)
    now += (1 - met) * value(slow, turn(state, "E", "C").step.state)
    later = met * value(slow, turn(state, "C", "S").step.state)
    later += (1 - met) * best(slow, turn(state, "C", "C").step.state, expected[1:])
    return max(now, later)


def test_a_card_that_is_never_right_costs() -> None:
    """One ahead in the last round, the Emperor side cannot lose with Citizens; with the Emperor it can."""
    rules = "classic(rounds=2,group=2,slave_pays=1)"
    found = judge(game(rules, ("E", "C"), ("E", "C")), 1)

    assert found.appraisals[1].advice == {"C": 1.0, "E": 0.0}
    assert found.appraisals[1].cost == pytest.approx(0.25)


# --- places ----------------------------------------------------------------------------------------------


def test_E12_extra_rounds_are_called_so() -> None:
    one = ("E", "C")
    found = judge(game("victories(rounds=2,group=1,tie=pair)", one, ("C", "E"), ("C", "E")), 1)

    assert [str(each.place) for each in found.chances] == [
        "round 1, play 1",
        "round 2, play 1",
        "extra round 1, play 1",
    ]
    assert [str(each.label) for each in found.rounds] == ["1", "2", "extra 1"]


def test_E13_a_stake_is_judged_by_what_it_is_worth() -> None:
    found = judge(game("purse(rounds=2,group=1,purse=4,max_stake=3)", (None, "1"), chance=("1",)), 2)
    other = judge(game("purse(rounds=2,group=1,purse=4,max_stake=3)", (None, "3"), chance=("1",)), 2)
    solved = solve(ECardRules.read("purse(rounds=2,group=1,purse=4,max_stake=3)")).naming(1, (4, 4))
    worths = {stake: 1 - float(worth) for stake, worth in solved.values.items()}

    assert str(found.chances[0].place) == "round 1, stake"
    assert found.appraisals[0].cost == pytest.approx(max(worths.values()) - worths[1])
    assert other.appraisals[0].cost == pytest.approx(max(worths.values()) - worths[3])
    assert found.appraisals[0].cost != pytest.approx(other.appraisals[0].cost)
    assert set(found.appraisals[0].advice) == {str(stake) for stake in solved.stakes}


def test_E14_a_resignation_gives_away_the_whole_remaining_chance() -> None:
    resigned = game("classic", ("E", "C"), (None, "resign"))
    given_up, other = judge(resigned, 2), judge(resigned, 1)

    assert given_up.appraisals[-1].cost == given_up.chances[-1].before > 0
    assert given_up.chances[-1].luck == pytest.approx(0, abs=EVEN)
    assert other.chances[-1].gift == pytest.approx(given_up.appraisals[-1].cost, abs=EVEN)
    assert given_up.appraisals[-1].advice == {}
    assert (given_up.rounds[-1].won, other.rounds[-1].won) == (False, True)
    assert (str(given_up.rounds[-1].result), given_up.rounds[-1].decisions) == ("resigned", 1)


def test_E6_the_fifth_play_is_no_choice() -> None:
    found = judge(game("decisive", *[("C", "C")] * 4, ("E", "S"), chance=("1",)), 1)

    assert str(found.appraisals[-1].place) == "round 1, play 5"
    assert found.appraisals[-1].advice == {"E": 1.0}
    assert (found.appraisals[-1].cost, found.appraisals[-1].missed) == (0, 0)
    assert found.chances[-1].luck == pytest.approx(0, abs=EVEN)
    assert len(found.reading.foretold) == 4


def test_a_game_without_a_decision_is_not_judged() -> None:
    found = judge((), 1)

    assert (found.chances, found.appraisals, found.rounds) == ((), (), ())
    assert (found.timing, found.exposure, found.habit) == (None, None, None)


def test_rules_that_cannot_be_solved_cannot_be_judged() -> None:
    with pytest.raises(Unsupported):
        judge(game("purse(rounds=60,purse=1000,max_stake=1000)", (None, "1"), chance=("1",)), 1)


# --- readers ---------------------------------------------------------------------------------------------


def test_rounds_in_which_nothing_hangs_on_it_are_counted_but_not_read() -> None:
    """After three lost rounds of five nothing can be won any more."""
    lost = [("C", "E")] * 3
    found = judge(game("decisive(rounds=5,group=5,first=2)", *lost, ("C", "C"), ("S", "C")), 1)

    assert found.chances[3].before == 0
    assert [each.round for each in found.reading.foretold] == [1, 2, 3]
    assert found.timing is not None
    assert found.timing.yours == (0, 1), "all cards are counted"
    assert str(found.timing.note).endswith("In one of the rounds being readable did not matter.")
