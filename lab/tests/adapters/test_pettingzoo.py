"""PettingZoo environments: its own tests, what agents get, and what they may not do."""

from __future__ import annotations

from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import facedown
from facedown_lab.adapters.pettingzoo import aec_env, parallel_env
from lab.tests.adapters.tables import SOME

TABLES = pytest.mark.parametrize(("game", "rules", "seats"), SOME)


@TABLES
def test_the_parallel_form_passes_their_tests(game: str, rules: str, seats: int) -> None:
    parallel_api_test(parallel_env(game, rules, seats), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(game, rules, seats), num_cycles=10)


@pytest.mark.filterwarnings("ignore:Observation (space for each agent probably|is not a NumPy)")  # but a dict
@TABLES
def test_the_aec_form_passes_their_tests(game: str, rules: str, seats: int) -> None:
    api_test(aec_env(game, rules, seats), num_cycles=60)
    seed_test(lambda: aec_env(game, rules, seats), num_cycles=10)


def play(env: Any, seed: int) -> tuple[list[dict[str, int]], dict[str, float]]:
    """One game, each agent taking its first legal action; all actions, and the rewards."""
    observed, _ = env.reset(seed=seed)
    rewards: dict[str, float] = {}
    taken = []
    while env.agents:
        taken.append({agent: int(seen["action_mask"].argmax()) for agent, seen in observed.items()})
        observed, rewards, _, _, _ = env.step(taken[-1])
    return taken, rewards


def test_a_game_is_the_match_of_its_seed() -> None:
    env = parallel_env("davenport", "aces", 4)
    taken, rewards = play(env, 7)
    match = facedown.new("davenport", "aces", seats=4, seed=7)
    picks = match.game.picks(match.rules, 4)
    for actions in taken:
        match.decide(tuple(picks[a] if a < len(picks) else None for a in actions.values()))

    assert match.outcome is not None
    assert tuple(rewards.values()) == match.outcome.payoffs


def test_resets_without_a_seed_go_on_to_other_games_and_come_back() -> None:
    env = parallel_env("davenport", seats=2)
    hands = []
    for seed in (5, None, None, 5, None):
        observed, _ = env.reset(seed=seed)
        hands.append(tuple(observed["seat_1"]["observation"][19:71]))
    assert hands[0] == hands[3]
    assert hands[1] == hands[4]
    assert len(set(hands)) == 3


def test_a_seat_with_nothing_to_decide_passes() -> None:
    env = parallel_env("ecard", "purse(first=1)")
    observed, _ = env.reset(seed=1)
    last = len(observed["seat_1"]["action_mask"]) - 1
    assert observed["seat_1"]["action_mask"].nonzero()[0].tolist() == [last]
    assert observed["seat_2"]["action_mask"].nonzero()[0].tolist() == list(range(3, 13))
    observed, *_ = env.step({"seat_1": last, "seat_2": 5})
    assert observed["seat_1"]["action_mask"].nonzero()[0].tolist() == [0, 1]


def test_an_illegal_action_resigns_and_is_reported() -> None:
    env = parallel_env("ecard", "classic")
    env.reset(seed=1)
    _, rewards, ended, _, infos = env.step({"seat_1": 2, "seat_2": 0})  # the Emperor side plays the Slave
    assert rewards == {"seat_1": -1, "seat_2": 1}
    assert all(ended.values())
    assert infos["seat_1"]["error"] == "illegal_pick"
    assert (
        "action 2 is S, which this seat may not do now; it has C (0), E (1)" in infos["seat_1"]["error_says"]
    )


@pytest.mark.parametrize("action", [float("nan"), None, "C", 9, -1, [0, 1], True])
def test_nonsense_is_refused_in_one_sentence(action: Any) -> None:
    env = parallel_env("ecard", "classic")
    env.reset(seed=1)
    with pytest.raises(
        facedown.IllegalPick, match="is no action: an action is a whole number from 0 to 3"
    ) as no:
        env.step({"seat_1": action, "seat_2": 0})
    assert no.value.code == "illegal_pick"


def test_wrong_calls_are_refused_in_one_sentence() -> None:
    strict = parallel_env("ecard", illegal="raise")
    with pytest.raises(facedown.FacedownError, match="no game is being played"):
        strict.step({})
    strict.reset(seed=1)
    with pytest.raises(facedown.IllegalPick, match="no action, where every seat has one"):
        strict.step({"seat_1": 0})
    with pytest.raises(facedown.IllegalPick, match="may not do now"):
        strict.step({"seat_1": 2, "seat_2": 0})
    with pytest.raises(facedown.FacedownError, match="`render_mode` is one of None, 'ansi', 'human'"):
        parallel_env("ecard", render_mode="rgb_array")


def test_render_shows_what_a_spectator_sees(capsys: pytest.CaptureFixture[str]) -> None:
    env = parallel_env("davenport", seats=3, render_mode="ansi")
    env.reset(seed=1)
    drawn = env.render()
    assert drawn is not None
    assert "Seat 3" in drawn
    human = parallel_env("ecard", render_mode="human")
    human.reset(seed=1)
    assert "Seat 1" in capsys.readouterr().out
