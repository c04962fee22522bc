"""What games add up to: in any order the same, with intervals that are worth their name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core.outcome import Outcome
from facedown.sim.statistics import GameStatistics, mean, share

SCORES = st.tuples(st.integers(-50, 50), st.integers(-50, 50))
GAMES = st.lists(
    st.tuples(
        st.builds(
            Outcome,
            winner=st.sampled_from([None, 1, 2]),
            termination=st.sampled_from(["completed", "resignation", "thunder"]),
            score=SCORES,
            payoffs=st.just((0, 0)),
        ),
        st.integers(1, 40),
    )
)


def tally(games: list[tuple[Outcome, int]]) -> GameStatistics:
    counted = GameStatistics.empty(2)
    for outcome, decisions in games:
        counted.count(outcome, decisions)
    return counted


@given(GAMES, st.integers(0, 20))
def test_adding_parts_in_any_order_is_counting_all(games: list[tuple[Outcome, int]], cut: int) -> None:
    parts = [tally(games[cut:]), tally(games[:cut])]

    added = GameStatistics.empty(2)
    for part in parts:
        added.add(part)

    assert added == tally(games)


@given(GAMES.filter(bool))
def test_a_tally_adds_up(games: list[tuple[Outcome, int]]) -> None:
    counted = tally(games)

    assert counted.games == len(games) == sum(counted.wins) + counted.draws
    assert counted.decisions == sum(decisions for _, decisions in games)
    assert counted.totals == [sum(outcome.score[seat] for outcome, _ in games) for seat in (0, 1)]
    assert counted.length_below(0.0) == min(counted.lengths)
    assert counted.length_below(1.0) == max(counted.lengths)


@given(st.integers(1, 10_000).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_a_share_is_within_its_interval_and_the_interval_between_0_and_1(counts: tuple[int, int]) -> None:
    estimate = share(*counts)

    assert 0.0 <= estimate.low <= estimate.value <= estimate.high <= 1.0
    assert estimate.low < estimate.high


@given(st.lists(st.integers(-1000, 1000), min_size=1))
def test_a_mean_is_the_mean(values: list[int]) -> None:
    estimate = mean(sum(values), sum(value * value for value in values), len(values))

    assert estimate.value == pytest.approx(sum(values) / len(values))
    assert estimate.low <= estimate.value <= estimate.high
    assert (estimate.low == estimate.high) is (len(set(values)) == 1)
