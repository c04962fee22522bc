"""Many tables as arrays: the same games as one table at a time, and policies that are checked."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import pytest

from facedown.core import registry
from facedown.core.errors import Unsupported
from facedown_lab.batch import BadPolicy, CounterDraws, play_games, simulator
from facedown_lab.batch.policies import read_policy
from facedown_lab.parts import part_of
from facedown_lab.testing import compare

MANY = 40 if os.environ.get("THOROUGH") else 1
ECARD = (
    "classic",
    "victories(plays=1,rounds=5,group=2)",
    "decisive(rounds=2,group=1)",
    "purse(purse=4,max_stake=3)",
    "classic(tie=pair,rounds=1,group=1,slave_pays=1)",
)
DAVENPORT = (
    ("davenport", 7),
    ("aces", 4),
    ("pointed(playoff_wins=1,playoff_cards=5)", 3),
    ("aces(exchange=off,placing=in_turn)", 5),
    ("pointed", 2),
    ("davenport(playoff_cards=1)", 6),
)


@pytest.mark.parametrize("resign", [0.0, 0.03])
@pytest.mark.parametrize("rules", ECARD)
def test_ecard_in_a_batch_is_the_game_of_a_match(rules: str, resign: float) -> None:
    part = part_of("ecard", "batch")
    assert part is not None
    assert compare(registry.get("ecard"), part.BATCH, rules, 2, tables=8 * MANY, seed=3, resign=resign)


@pytest.mark.parametrize("resign", [0.0, 0.03])
@pytest.mark.parametrize(("rules", "seats"), DAVENPORT)
def test_davenport_in_a_batch_is_the_game_of_a_match(rules: str, seats: int, resign: float) -> None:
    part = part_of("davenport", "batch")
    assert part is not None
    assert compare(
        registry.get("davenport"), part.BATCH, rules, seats, tables=6 * MANY, seed=5, resign=resign
    )


def test_a_difference_between_batch_and_match_is_found() -> None:
    part = part_of("davenport", "batch")
    assert part is not None

    class Wrong(part.BATCH):  # type: ignore[name-defined, misc]
        def __init__(self, xp: object, rules: object, seats: int) -> None:
            super().__init__(xp, rules, seats)
            self.switches: Any = self.switches._replace(ace=True)

    with pytest.raises(AssertionError):
        compare(registry.get("davenport"), Wrong, "davenport", 4, tables=30, seed=1)


@pytest.mark.parametrize("rules", [*ECARD, "purse(purse=900,max_stake=500)"])
def test_a_state_that_was_packed_is_the_same_again(rules: str) -> None:
    tables, policy = simulator("ecard", rules), read_policy("ecard", "uniform")
    state, rows = tables.init(50, seed=1), np.arange(50, dtype=np.uint32)
    for step in range(1, 40):
        draws = CounterDraws(np, 1, step, rows)
        picks = tuple([policy.pick(tables.game, state, (), seat, draws) for seat in range(2)])
        state, _, _ = tables.game.go_on(state, picks, draws)
        np.testing.assert_equal(tables.game.unpack(tables.game.pack(state)), state)


@pytest.mark.parametrize(
    ("game", "rules", "seats"),
    [*(("ecard", rules, 2) for rules in ECARD), *(("davenport", rules, seats) for rules, seats in DAVENPORT)],
)
def test_every_array_of_a_state_keeps_its_type(game: str, rules: str, seats: int) -> None:
    tables, policy = simulator(game, rules, seats), read_policy(game, "uniform")
    state, rows = tables.init(50, seed=1), np.arange(50, dtype=np.uint32)
    begun = types_of(state)
    for step in range(1, 30):
        draws = CounterDraws(np, 1, step, rows)
        picks = tuple([policy.pick(tables.game, state, (), seat, draws) for seat in range(seats)])
        state, _, _ = tables.game.go_on(state, picks, draws)
        assert types_of(state) == begun, f"after step {step}"


def types_of(state: Any) -> Any:
    """The type of every array, at its place in the state."""
    if not isinstance(state, tuple):
        return state.dtype.name
    names = getattr(state, "_fields", range(len(state)))
    return {name: types_of(part) for name, part in zip(names, state, strict=True)}


def test_finished_tables_are_dealt_again() -> None:
    tables = simulator("davenport", "", 2)
    state = tables.init(200, seed=1)
    finished = 0
    for step in range(1, 30):
        picks = np.stack(
            [mask.argmax(axis=1) for mask in np.moveaxis(tables.legal_mask(state), 1, 0)], axis=1
        )
        state, payoffs, over = tables.step(state, picks, tables.draws(200, 1, step), redeal=True)
        finished += int(over.sum())
        assert (payoffs.sum(axis=1) == 0).all()
        assert ((payoffs != 0).all(axis=1) == over).all()
        assert not tables.game.over(state).any()

    assert finished > 100


def test_arrays_of_a_library_that_is_not_there_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax.numpy", None)

    with pytest.raises(Unsupported, match="compiled tables need the extra `jax`"):
        simulator("ecard", xp="jax")
    with pytest.raises(Unsupported, match="there are arrays of numpy and jax, not of 'torch'"):
        simulator("ecard", xp="torch")


def test_the_counter_draws_every_card_equally_often() -> None:
    draws = CounterDraws(np, 3, 1, np.arange(52_000, dtype=np.uint32))
    found = draws.below(9, np.full(52_000, 52, dtype=np.uint32), np.ones(52_000, dtype=bool))
    counts = np.bincount(found, minlength=52)

    assert ((counts - 1000.0) ** 2 / 1000.0).sum() < 100  # 51 degrees of freedom: passed once in 20,000


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (np.full(3, np.nan), "no finite number"),
        (np.asarray([0.5, -1.0, 0.5]), "below zero"),
        (np.asarray([0.0, 0.5, 0.5]), "not legal"),
        (np.zeros(3), "no chance to any legal pick"),
        (np.ones(4), "shape"),
        ("nosuch", "no batch form"),
        (7, "a policy is"),
    ],
)
def test_a_bad_policy_gets_one_clear_sentence(policy: object, sentence: str) -> None:
    with pytest.raises(BadPolicy, match=sentence) as raised:
        play_games(simulator("ecard"), [policy, "random"], 10)

    assert "\n" not in str(raised.value)


def test_a_function_may_be_a_policy() -> None:
    shares = play_games(simulator("ecard"), [lambda seen, legal: legal * 0.5, "random"], 500)

    assert shares.games == sum(shares.wins) + shares.draws == 500


def test_the_same_seed_gives_the_same_games() -> None:
    tables = simulator("davenport", "aces", 4)

    one, two, other = (
        play_games(tables, ["careful", "random", "highest", "lowest"], 300, seed) for seed in (1, 1, 2)
    )

    assert one == two != other
