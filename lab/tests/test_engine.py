"""Engines: arrays play the same games as matches, or declare that they only agree in distribution."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.errors import Unsupported
from facedown.games.ecard.bots.house import CHARACTERS
from facedown.games.ecard.bots.plain import RandomECard
from facedown.sim.arena import Arena, play
from facedown.sim.checkpoint import OtherRun, checkpoint
from facedown.sim.lineup import NONE_HANDED, Lineup
from facedown.sim.simulate import GameChunk, SimulationPlan, play_game, simulate
from facedown.sim.statistics import GameStatistics
from facedown_lab.arrays import ArrayArena, play_as_arrays, play_on, simulate_arrays
from facedown_lab.engine import AUTO, BATCH, MATCH, MATCHES, Engine, choose_engine, play_numbers

SEED = seed_of("engines")
ARRAYS = Engine(BATCH)


def ends(game: str, rules: str, bots: tuple[str, ...], games: int) -> tuple[list[object], list[object]]:
    """How each game ended: in arrays, and in matches."""
    found = play_numbers(game, rules, bots, SEED, range(1, games + 1))
    names = registry.get(game).terminations
    results = zip(*(each.tolist() for each in found[:4]), strict=True)
    arrays: list[object] = [(winner, names[why - 1], tuple(score), n) for winner, why, score, n in results]
    plan = SimulationPlan(game, rules, len(bots), SEED, games, bots=bots)
    matches: list[object] = []
    for number in range(1, games + 1):
        match = play_game(plan, number)
        outcome = match.outcome
        assert outcome is not None
        matches.append((outcome.winner or 0, outcome.termination, outcome.score, len(match.picks)))
    return arrays, matches


@pytest.mark.parametrize(
    ("rules", "bots"),
    [
        ("classic(first=drawn)", ("uniform", "habit")),
        ("decisive(rounds=4,group=2)", ("equilibrium", "random")),
        ("purse(purse=6,max_stake=3,rounds=4,group=2)", ("habit", "equilibrium")),
        ("purse(purse=6,max_stake=3,rounds=4,group=2)", ("random", "uniform")),
        ("classic(tie=pair,rounds=2,group=1,slave_pays=1)", ("equilibrium", "habit")),
    ],
)
def test_ecard_as_arrays_is_the_game_of_a_match(rules: str, bots: tuple[str, ...]) -> None:
    arrays, matches = ends("ecard", rules, bots, 40)

    assert arrays == matches


@pytest.mark.parametrize("rules", ["short", "classic", "purse(purse=6,max_stake=3,rounds=4,group=2)"])
@pytest.mark.parametrize("character", [each.name for each in CHARACTERS])
def test_a_character_as_arrays_is_itself(rules: str, character: str) -> None:
    arrays, matches = ends("ecard", rules, (character, "habit"), 60)

    assert arrays == matches


@pytest.mark.parametrize(
    ("rules", "bots"),
    [
        ("davenport", ("uniform", "random", "highest", "lowest")),
        ("pointed", ("random", "uniform")),
        ("aces(exchange=off)", ("uniform", "lowest", "random", "random", "highest", "uniform", "random")),
    ],
)
def test_davenport_as_arrays_is_the_game_of_a_match(rules: str, bots: tuple[str, ...]) -> None:
    arrays, matches = ends("davenport", rules, bots, 25)

    assert arrays == matches


def test_nearly_all_games_are_the_same_even_if_rounding_differs() -> None:
    arrays, matches = ends("davenport", "aces", ("steady", "expert", "careful"), 30)

    assert sum(one == other for one, other in zip(arrays, matches, strict=True)) > 25


def test_a_simulation_is_the_same_by_either_engine_and_in_any_pieces() -> None:
    plan = SimulationPlan("ecard", "classic", 2, SEED, 1100)

    def tally(chunks: Iterator[GameChunk]) -> GameStatistics:
        whole = GameStatistics.empty(plan.seats)
        for chunk in chunks:
            whole.add(chunk.tally)
        return whole

    alone = tally(simulate_arrays(plan, 1))
    assert tally(simulate_arrays(plan, 2)) == alone == tally(simulate(plan, 1))


def test_an_arena_is_the_same_by_either_engine() -> None:
    arena = Arena("davenport", "aces", 3, SEED, ("random", "uniform"), 105)

    assert sorted(play_as_arrays(arena, 1)) == sorted(play(arena, 1))


@pytest.mark.parametrize("as_arrays", [False, True])
def test_an_executor_plays_the_same_arena(as_arrays: bool) -> None:
    arena = Arena("davenport", "aces", 3, SEED, ("random", "uniform"), 305)
    done = frozenset({1, 3})

    with ThreadPoolExecutor(2) as executor:
        found = list(play_on(executor, as_arrays, arena, 1, done))

    assert sorted(found) == sorted(play(arena, 1, done))


def test_a_file_of_a_run_that_rounds_differently_is_not_resumed_by_matches(tmp_path: Path) -> None:
    arena = Arena("davenport", "aces", 2, SEED, ("careful", "random"), 10)
    known = {field.name: getattr(arena, field.name) for field in fields(arena)}
    rounding = ArrayArena(**known, rounding=("careful",))
    with checkpoint(tmp_path / "run", rounding):
        pass

    with checkpoint(tmp_path / "run", rounding) as (done, _):
        assert done == []
    with pytest.raises(OtherRun), checkpoint(tmp_path / "run", arena):
        pass


def choose(asked: str = AUTO, game: str = "ecard", *bots: str, **others: object) -> Engine:
    asking: dict[str, object] = {"games": 5000, "lineup": NONE_HANDED, **others}
    return choose_engine(asked, game, bots or ("uniform",), **asking)  # type: ignore[arg-type]  # any of them


def test_arrays_are_chosen_if_they_pay_and_every_machine_has_an_array_form() -> None:
    assert choose() == ARRAYS
    assert choose(MATCH) == choose(games=300) == choose(records=True) == choose(memory=3) == MATCHES
    assert choose(AUTO, "davenport", "careful", "random") == Engine(BATCH, ("careful",))
    assert choose(AUTO, "ecard", "tests.sim.faulty:Raises", "random") == MATCHES
    assert choose(AUTO, "ecard", "reader", "random") == MATCHES
    own = Lineup(handed=(("random", MyRandom),))
    assert choose(AUTO, "ecard", "random", lineup=own) == MATCHES


class MyRandom(RandomECard):
    """A bot of a program that has the name of one of ours."""


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ({"records": True}, "arrays keep no records"),
        ({"memory": 2}, "arrays play each game alone"),
        ({"bots": ("tests.sim.faulty:Raises",)}, "has no batch form; those of ecard that have: uniform"),
    ],
)
def test_an_engine_that_cannot_play_names_the_reason(others: dict[str, object], sentence: str) -> None:
    asking = {"asked": BATCH, "game": "ecard", "bots": ("random",), "games": 10, "lineup": NONE_HANDED}

    with pytest.raises(Unsupported, match=sentence):
        choose_engine(**{**asking, **others})  # type: ignore[arg-type]  # any of them


def test_the_engine_is_described_in_one_sentence() -> None:
    rounding = Engine(BATCH, ("careful",))

    assert MATCHES.in_words() == []
    assert "careful may round differently" in rounding.in_words()[0]
