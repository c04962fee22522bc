"""The machines `expert` and `steady` at many tables: as at one table, and stronger than `careful`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.core import registry
from facedown.core.match import Match
from facedown.games.davenport.bots.expert import Expert, NetworkBot, Steady, chances
from facedown.games.davenport.bots.network import inputs
from facedown_lab.batch import CounterDraws, play_games, simulator
from facedown_lab.games.davenport.batch import BATCH
from facedown_lab.games.davenport.batch.shipped import BatchShipped
from facedown_lab.games.davenport.batch.thinking import first_habits
from facedown_lab.games.davenport.learn.sight import sight_of
from facedown_lab.testing import LoggedDraws, ReplayedChance

BOTH = pytest.mark.parametrize("machine", [Expert, Steady], ids=lambda each: each.name)


@BOTH
@pytest.mark.parametrize("seats", [2, 4])
def test_at_one_table_it_agrees_with_its_batch_form(machine: type[NetworkBot], seats: int) -> None:
    """At two seats with Ace rules, `expert` plays some of these games by other weights than the others."""
    game = registry.get("davenport")
    rules, tables = game.rules.read("aces"), 12
    random = np.random.default_rng(2)
    log: list[list[tuple[int, int]]] = [[] for _ in range(tables)]
    many = BATCH(np, rules, seats)
    state = many.init(tables, LoggedDraws(np, random, log, np.arange(tables)))
    matches = [Match(game, rules, "abcd"[:seats], ReplayedChance(drawn)) for drawn in log]
    in_batch = BatchShipped(machine)
    memory = in_batch.start(many, tables)
    alphabet = game.picks(rules, seats)
    near = compared = 0
    played: list[set[str]] = [set() for _ in range(seats * tables)]
    for _ in range(6):
        for seat in range(seats):
            likely = in_batch.chances(many, state, memory, seat)
            for table, match in enumerate(matches):
                if match.outcome is None and match.legal(seat + 1):
                    view = match.view(seat + 1)
                    network = machine.network_of(view)
                    played[seat * tables + table].add(network)
                    compared += 1
                    near += np.abs(chances(network, view) - likely[table]).max() < 1e-3
        legal = [many.legal(state, seat) for seat in range(seats)]
        picks = np.stack([(random.random(mask.shape) + mask).argmax(axis=1) for mask in legal], axis=1)
        after = many.step(state, picks, LoggedDraws(np, random, log, np.arange(tables)))
        memory, state = in_batch.after(many, memory, state, after), after
        for table, match in enumerate(matches):
            if match.outcome is None:
                due = [mask[table].any() for mask in legal]
                match.decide(
                    tuple(alphabet[picks[table, seat]] if due[seat] else None for seat in range(seats))
                )

    assert compared > 60
    assert near == compared
    assert all(len(each) == 1 for each in played), "a game is played by one network"
    assert set().union(*played) == set(machine.networks(seats, ace=True))


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
        seated = [*field[:seat], machine.name, *field[seat:]]
        won += play_games(simulator("davenport", "davenport", 4), seated, 400, seat).wins[seat]

    assert won > least * 1600


def test_at_two_seats_expert_uses_what_careful_shows() -> None:
    """It wins 56 of 100 against it; `steady`, which never looks at that, wins 51."""
    won = play_games(simulator("davenport", "davenport", 2), ["expert", "careful"], 1000, 0).wins[0]
    won += play_games(simulator("davenport", "davenport", 2), ["careful", "expert"], 1000, 1).wins[1]

    assert won > 0.53 * 2000


def test_knowing_steady_does_not_help_expert() -> None:
    """`expert` wins 50 of 100 against it; it wins 56 against `careful`."""
    won = 0
    for seat in range(2):
        seated: list[Any] = ["steady"]
        seated.insert(seat, "expert")
        won += play_games(simulator("davenport", "davenport", 2), seated, 1000, seat).wins[seat]

    assert won < 0.54 * 2000
