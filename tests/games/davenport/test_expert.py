"""The machines `expert` and `steady`: they keep to the rules, and are stronger than `careful`."""

from __future__ import annotations

from importlib import resources
from typing import Any

import numpy as np
import pytest

from facedown.batch import CounterDraws, play_games, simulator
from facedown.core import registry
from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.match import Match
from facedown.games.davenport.batch import BATCH
from facedown.games.davenport.batch.thinking import first_habits, follow
from facedown.games.davenport.bots.expert import Expert, NetworkBot, Steady, chances, shipped_weights
from facedown.games.davenport.learn.network import decide, inputs
from facedown.games.davenport.learn.sight import BatchNetwork, sight_of
from facedown.testing.batches import LoggedDraws, ReplayedChance

BOTH = pytest.mark.parametrize("machine", [Expert, Steady], ids=lambda each: each.name)


@BOTH
def test_it_plays_whole_games_of_every_kind(machine: type[NetworkBot]) -> None:
    game = registry.get("davenport")
    for rules, seats in (("davenport", 2), ("pointed", 5), ("aces(exchange=off)", 7), ("aces", 3)):
        match = Match(game, game.rules.read(rules), "abcdefg"[:seats], Seeded(deal_key(seed_of("x"), rules)))
        stream = Stream(seed_of("bot"), "bot")
        bots = [machine() for _ in range(seats)]
        while waves := match.pending:
            for seat in (seat for wave in waves for seat in wave):
                match.seal(seat, bots[seat - 1].pick(match.view(seat), match.legal(seat), stream))
        assert match.outcome is not None


@BOTH
def test_at_one_table_it_agrees_with_its_batch_form(machine: type[NetworkBot]) -> None:
    game = registry.get("davenport")
    rules, seats, tables = game.rules.read("aces"), 4, 5
    random = np.random.default_rng(2)
    log: list[list[tuple[int, int]]] = [[] for _ in range(tables)]
    many = BATCH(np, rules, seats)
    state = many.init(tables, LoggedDraws(np, random, log, np.arange(tables)))
    matches = [Match(game, rules, "abcd", ReplayedChance(drawn)) for drawn in log]
    habits = first_habits(np, tables, seats)
    alphabet = game.picks(rules, seats)
    near = compared = 0
    for _ in range(6):
        for seat in range(seats):
            likely = decide(np, shipped_weights(machine.network), sight_of(many, state, habits, (seat,)))
            for table, match in enumerate(matches):
                if match.outcome is None and match.legal(seat + 1):
                    compared += 1
                    near += (
                        np.abs(chances(machine.network, match.view(seat + 1)) - likely[table]).max() < 1e-3
                    )
        legal = [many.legal(state, seat) for seat in range(seats)]
        picks = np.stack([(random.random(mask.shape) + mask).argmax(axis=1) for mask in legal], axis=1)
        after = many.step(state, picks, LoggedDraws(np, random, log, np.arange(tables)))
        habits, state = follow(np, habits, state, after, True), after
        for table, match in enumerate(matches):
            if match.outcome is None:
                due = [mask[table].any() for mask in legal]
                match.decide(
                    tuple(alphabet[picks[table, seat]] if due[seat] else None for seat in range(seats))
                )

    assert compared > 60
    assert near == compared


def test_some_rows_of_what_all_seats_know_are_those_rows() -> None:
    many = BATCH(np, registry.get("davenport").rules.read("aces"), 3)
    state = many.init(6, CounterDraws(np, 1, 0, np.arange(6, dtype=np.uint32)))
    habits = first_habits(np, 6, 3)
    rows = np.asarray([17, 0, 4, 9])

    whole, some = (inputs(np, sight_of(many, state, habits, range(3), each)) for each in (None, rows))

    np.testing.assert_allclose(some, whole[rows], rtol=1e-6)
    assert not np.array_equal(whole[0], whole[4])


@pytest.mark.parametrize(("machine", "least"), [(Expert, 0.28), (Steady, 0.26)])
def test_it_is_stronger_than_careful(machine: type[NetworkBot], least: float) -> None:
    """`expert` wins 33 of 100 against three, `steady` 29, and 25 are fair; 1,600 games separate that."""
    field = ["careful"] * 3
    won = 0
    for seat in range(4):
        seated = [*field[:seat], BatchNetwork(shipped_weights(machine.network)), *field[seat:]]
        won += play_games(simulator("davenport", "davenport", 4), seated, 400, seat).wins[seat]

    assert won > least * 1600


def test_knowing_steady_does_not_help_expert() -> None:
    """`expert` wins 49 of 100 against it; it wins 57 against `careful`."""
    won = 0
    for seat in range(2):
        seated: list[Any] = ["steady"]
        seated.insert(seat, "expert")
        won += play_games(simulator("davenport", "davenport", 2), seated, 1000, seat).wins[seat]

    assert won < 0.54 * 2000


@BOTH
def test_its_weights_are_a_small_file(machine: type[NetworkBot]) -> None:
    path = resources.files("facedown.games.davenport.bots") / f"{machine.network}.npz"

    assert len(path.read_bytes()) < 1_000_000
