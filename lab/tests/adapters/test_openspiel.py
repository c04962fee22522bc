"""OpenSpiel games: its own tests, its exploitability of our mixes, its CFR beside ours."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import facedown
from facedown.core.views import plain
from facedown.games.davenport.rules import DavenportRules
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from facedown.solve.best_response import Strategy, exploitability, value
from facedown.solve.tree import Tree
from lab.tests.adapters.tables import EVERY
from lab.tests.solve.openspiel import nash_conv, pyspiel
from tests.few import few
from tests.solve.ecard import mixes_of_solution
from tests.solve.small_davenport import SmallDavenport

spiel = pyspiel()

from facedown_lab.adapters.openspiel import register  # noqa: E402  # needs OpenSpiel


class Tiny(SmallDavenport):
    """Three cards, one each."""

    name = "tiny_davenport"

    def __init__(self) -> None:
        super().__init__("4H 7D KC", 1)


@pytest.fixture(autouse=True)
def register_game() -> None:
    register(Tiny())


@pytest.mark.parametrize(("game", "rules", "seats"), few(EVERY, 3))
def test_their_random_simulation_passes(game: str, rules: str, seats: int) -> None:
    loaded = spiel.load_game(f"python_facedown_{game}(rules={rules},players={seats})")
    spiel.random_sim_test(loaded, num_sims=1, serialize=seats == 2, verbose=False)


def test_the_documented_parameters_load() -> None:
    page = (Path(__file__).parents[2] / "docs/researchers.md").read_text(encoding="utf-8")
    (whole,) = re.findall(r"`(python_facedown_\w+\([^)`]+\))`", page)
    (options,) = re.findall(r"`(rules=\w+\[[^`]+\])`", page)

    assert spiel.load_game(whole).num_players() == 4
    assert "tie=pair" in str(spiel.load_game(f"python_facedown_ecard({options})").rules)


def policy_of(turn_based: Any, tree: Tree, strategy: Strategy, picks: tuple[str, ...]) -> Any:
    """Our strategy as a policy of theirs: what a player sees is the text of its view."""
    from open_spiel.python.policy import TabularPolicy

    ours = {json.dumps(plain(each.view), separators=(",", ":")): each for each in tree.situations}
    policy = TabularPolicy(turn_based)
    for state in policy.states:
        text = state.information_state_string()
        situation = ours.get(text[text.index("{") :])
        row = policy.action_probability_array[policy.state_index(state)]
        if situation is None:  # a seat that passes
            assert state.legal_actions() == [len(picks)]
            continue
        row[:] = 0
        for pick, share in zip(situation.legal, strategy[situation], strict=True):
            row[picks.index(pick)] = share
    return policy


ECARD = [
    "classic(rounds=2,group=1,plays=2)",
    "decisive(rounds=1,group=1,plays=3,tie=draw)",
    "victories(rounds=2,group=1,plays=1)",
    "purse(rounds=1,group=1,purse=2,max_stake=2,tie=draw,plays=2)",
]


@pytest.mark.parametrize("rules", few(ECARD, 2))
def test_nothing_is_gained_on_our_mixes_by_their_count(rules: str) -> None:
    game = facedown.game("ecard")
    read = ECardRules.read(rules)
    tree = facedown.lay_out(game, read)
    text = rules.translate(str.maketrans("(=,)", "[:;]"))
    theirs = spiel.convert_to_turn_based(spiel.load_game(f"python_facedown_ecard(rules={text})"))
    if read.stakes == "named":  # the parts of the solver that know any game
        mixes: Strategy = facedown.solve_sequence_form(tree)[1]
    else:
        mixes = mixes_of_solution(tree, solve(read))
    policy = policy_of(theirs, tree, mixes, game.picks(read, 2))

    assert nash_conv(theirs, policy) == pytest.approx(0, abs=1e-9)


def test_their_cfr_meets_ours_on_a_small_davenport() -> None:
    from open_spiel.python.algorithms.cfr import CFRSolver

    tree = facedown.lay_out(Tiny(), DavenportRules.of())
    learner = facedown.Learner(tree)
    learner.run(40)
    ours = learner.average()
    theirs = spiel.convert_to_turn_based(spiel.load_game("python_facedown_tiny_davenport"))
    solver = CFRSolver(theirs)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    found = nash_conv(theirs, solver.average_policy())

    assert value(tree.root, ours) == pytest.approx(1 / 3, abs=0.01)
    assert found < 0.05
    assert 2 * exploitability(tree, ours) < 0.02
    policy = policy_of(theirs, tree, ours, Tiny().picks(DavenportRules.of(), 2))
    assert nash_conv(theirs, policy) == pytest.approx(2 * exploitability(tree, ours), abs=1e-9)


def test_a_player_gets_its_view_and_nothing_else() -> None:
    state = spiel.load_game("python_facedown_davenport(rules=aces,players=3)").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    match = facedown.new("davenport", "aces", seats=3)
    views = [json.loads(state.information_state_string(player)) for player in range(3)]
    assert set(views[0]) == set(match.view(1)._fields)
    assert [each["viewer"] for each in views] == [1, 2, 3]
    assert not set(views[0]["hand"]) & set(views[1]["hand"])
    numbers = state.observation_tensor(1)
    held = {
        str(card)
        for card, holds in zip(match.game.picks(match.rules, 3)[:52], numbers[19:71], strict=True)
        if holds
    }
    assert held == set(views[1]["hand"])


def test_wrong_parameters_get_one_sentence() -> None:
    for parameters in ({"rules": "nonsense"}, {"players": 9}):
        with pytest.raises((facedown.FacedownError, RuntimeError), match=r"nonsense|2 to 7 seats"):
            spiel.load_game("python_facedown_davenport", parameters)
