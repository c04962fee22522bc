"""The training of `expert`: a small one for a few seconds, from the command line to a machine that plays.

What needs JAX is imported inside: a process that has loaded it while collecting forks nothing more.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown.core import registry
from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.match import Match
from facedown.games.davenport.bots import expert
from facedown.games.davenport.bots.network import NUMBERS, PICKS, Weights, judge
from facedown_lab.games.davenport.learn.weights import new_weights
from lab.tests import quick_jax

SMALL = ("--tables", "16", "--seats", "2", "--steps", "3", "--hidden", "8", "8")
PAGE = Path(__file__).parents[3] / "docs" / "expert.md"


def read_weights(path: Path) -> Weights:
    from facedown_lab.games.davenport.learn.stages import read_weights

    return read_weights(path)


def small_recipe() -> Any:
    """Two stages. The simple machines of the second are others, so what is compiled for one serves both."""
    from facedown_lab.games.davenport.learn.population import HIGHEST, LOWEST
    from facedown_lab.games.davenport.learn.stages import TrainingStage
    from facedown_lab.games.davenport.learn.train import TrainingPlan

    fields = list(TrainingPlan().fields)
    fields[HIGHEST], fields[LOWEST] = 0.0, fields[HIGHEST] + fields[LOWEST]
    return TrainingStage("one", 2, TrainingPlan()), TrainingStage(
        "two", 1, TrainingPlan(fields=tuple(fields))
    )


def run(folder: Path, *options: str) -> int:
    from facedown_lab.games.davenport.learn.__main__ import main

    return main(["--to", str(folder), *SMALL, *options], small_recipe())


def train(folder: Path, *options: str) -> Weights:
    assert run(folder, *options) == 0
    return read_weights(folder / "weights.npz")


@pytest.fixture(scope="module", autouse=True)
def compiled_for_tests() -> Iterator[None]:
    with quick_jax.quickly_compiled():
        yield


@pytest.fixture(scope="module")
def in_one_go(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    train(folder)
    return folder


def seed_with_the_same_shapes() -> int:
    """Another seed, with as many seats of each kind: what was compiled for the first one serves it, too."""
    from facedown_lab.games.davenport.learn.population import thinking_seats
    from facedown_lab.games.davenport.learn.train import TrainingPlan

    def shapes(seed: int) -> list[int]:
        plan = TrainingPlan(tables=16, seats=2, seed=seed)
        return [len(rows) for rows in thinking_seats(plan.population(), plan.seats)]

    first = shapes(1)
    return next(seed for seed in range(2, 1000) if shapes(seed) == first)


def same(one: Weights, other: Weights) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_a_seed_gives_the_same_weights_and_another_seed_others(in_one_go: Path, tmp_path: Path) -> None:
    whole = read_weights(in_one_go / "weights.npz")

    assert same(train(tmp_path / "again"), whole)
    assert not same(whole, new_weights(np, 1, (8, 8))), "it has learned something"
    assert not same(train(tmp_path / "other", "--seed", str(seed_with_the_same_shapes())), whole)


def test_stopped_after_every_iteration_and_resumed_it_learns_the_same(
    in_one_go: Path, tmp_path: Path
) -> None:
    for _ in range(3):
        resumed = train(tmp_path, "--seconds", "0")

    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [(line["stage"], line["iteration"]) for line in lines] == [("one", 1), ("one", 2), ("two", 3)]
    assert same(resumed, read_weights(in_one_go / "weights.npz"))


def test_ctrl_c_keeps_finished_work_and_the_same_command_continues(
    in_one_go: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from facedown_lab.games.davenport.learn.stages import StageRunner

    with monkeypatch.context() as patched:
        patched.setattr(StageRunner, "_report", lambda *_: signal.raise_signal(signal.SIGINT))
        assert run(tmp_path) == 130
    assert "Stopped after 1 of 3 iterations: the same command goes on." in capsys.readouterr().out

    assert same(train(tmp_path), read_weights(in_one_go / "weights.npz"))


def test_a_folder_takes_no_other_training(in_one_go: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(in_one_go, "--seed", "2")

    assert "holds a training with other settings" in capsys.readouterr().err


def test_the_recipe_is_the_one_that_the_page_describes() -> None:
    from facedown_lab.games.davenport.learn.population import RANDOM
    from facedown_lab.games.davenport.learn.stages import RECIPE

    rows = [
        f"| {number} | {stage.name} | {stage.iterations:,} | {stage.plan.tables:,} |"
        f" {100 * stage.plan.fields[RANDOM]:.0f} % |"
        for number, stage in enumerate(RECIPE, 1)
    ]
    page = PAGE.read_text(encoding="utf-8")
    assert [row for row in rows if row not in page] == []
    assert all(sum(stage.plan.fields) == pytest.approx(1) for stage in RECIPE)


def test_more_tables_have_the_seats_that_are_asked_for() -> None:
    from facedown_lab.games.davenport.learn.__main__ import seats_of
    from facedown_lab.games.davenport.learn.train import TrainingPlan

    fields = (1.0, *[0.0] * 7)
    plan = TrainingPlan(tables=400, fields=fields, seats_taken=seats_of("3,0,0,0,0,1"))
    players = np.asarray(plan.population().rules.players)

    assert set(players.tolist()) == {2, 7}
    assert 250 < (players == 2).sum() < 350


@pytest.mark.parametrize("option", ["--begin", "--against"])
def test_it_can_begin_with_given_weights(option: str, in_one_go: Path, tmp_path: Path) -> None:
    given = in_one_go / "weights.npz"

    taken = ("--fields", "self=1,random=2", "--seats-taken", "5,1,1,1,1,1")
    begun = train(tmp_path, option, str(given), "--iterations", "0", *taken)

    assert same(begun, read_weights(given))


def test_a_rival_learns_beside_the_learner(tmp_path: Path) -> None:
    from facedown_lab.games.davenport.learn.stages import read_learner

    options = ("--fields", "rival=1,careful=1", "--leash", "0.1", "--keep-every", "1", "--iterations", "2")
    train(tmp_path, *options)
    learner = read_learner(tmp_path / "learner.npz")

    first = new_weights(np, 1, (8, 8))
    assert not same(learner.weights, first)
    assert not same(learner.rival.weights, first)
    assert not same(learner.rival.weights, learner.weights)


def test_weights_that_saw_fewer_numbers_judge_as_before() -> None:
    path = Path(str(resources.files("facedown.games.davenport.bots") / "expert.npz"))
    random = np.random.default_rng(1)
    seen = random.random((3, NUMBERS)), np.ones((3, PICKS), bool), np.zeros(3, int), np.zeros(3, bool)

    now, then = (judge(np, each, *seen) for each in (read_weights(path), expert.shipped_weights("expert")))

    np.testing.assert_allclose(now.scores, then.scores, rtol=1e-6)
    assert len(read_weights(path).first) == NUMBERS > len(expert.shipped_weights("expert").first)


def test_a_best_response_meets_the_weights_that_it_answers() -> None:
    from facedown_lab.games.davenport.learn.train import new_learner

    own, field = (new_weights(np, seed, (8, 8)) for seed in (1, 2))
    learner = new_learner(own, field)

    assert same(learner.weights, own)
    assert all((past == met).all() for past, met in zip(learner.past, field, strict=True))


def test_every_seat_that_thinks_is_asked_once_and_finds_its_pick() -> None:
    from facedown_lab.games.davenport.learn.population import FIELDS, SIMPLE, population_of, thinking_seats

    population = population_of(200, 5, [1.0] * len(FIELDS), seed=3)
    asked = thinking_seats(population, 5)
    players, field, hero = (
        np.asarray(each) for each in (population.rules.players, population.field, population.hero)
    )
    rows = np.concatenate(asked[:4])

    thinks = [
        seat < players[table] and (seat == hero[table] or field[table] not in SIMPLE)
        for seat in range(5)
        for table in range(200)
    ]
    assert sorted(rows.tolist()) == np.flatnonzero(thinks).tolist()
    assert (rows[np.asarray(asked.place)[rows]] == rows).all()
    assert set((hero * 200 + np.arange(200)).tolist()) <= set(np.asarray(asked.learner).tolist())


def test_the_written_weights_play_legal_picks(in_one_go: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = read_weights(in_one_go / "weights.npz")
    monkeypatch.setattr(expert, "shipped_weights", cache(lambda *_: weights))
    expert.chances.cache_clear()
    game = registry.get("davenport")
    for rules, seats in (("davenport", 2), ("pointed", 4)):
        match = Match(game, game.rules.read(rules), "abcd"[:seats], Seeded(deal_key(seed_of("x"), rules)))
        stream, bot = Stream(seed_of("bot"), "bot"), expert.Expert()
        while waves := match.pending:
            for seat in (seat for wave in waves for seat in wave):
                match.seal(seat, bot.pick(match.view(seat), match.legal(seat), stream))
        assert match.outcome is not None
    expert.chances.cache_clear()


def test_a_best_response_is_measured_against_the_field_alone() -> None:
    from facedown_lab.games.davenport.learn.__main__ import asked_of
    from facedown_lab.games.davenport.learn.population import PAST

    asked = asked_of(best_response=True)

    assert {each.field for each in asked} == {PAST}
    assert {each.players for each in asked} == set(range(2, 8))
    assert {each.players for each in asked_of(best_response=True, seats=2)} == {2}


@pytest.mark.parametrize(
    "wrong",
    [
        ("--tables", "4"),
        ("--seats", "8"),
        ("--fields", "nosuch=1"),
        ("--seats-taken", "1,2"),
        ("--begin", "nowhere.npz"),
    ],
)
def test_a_training_that_cannot_be_is_refused(
    wrong: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        train(tmp_path, *wrong)

    said = capsys.readouterr().err.splitlines()[-1]
    assert wrong[0] in said or wrong[1] in said
