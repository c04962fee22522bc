"""Whole games of E-Card, rules `classic`: Facedown, OpenSpiel and PettingZoo, driven in the same ways.

First all of them play the same picks and must come to the same score; only then is anything timed.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pyspiel

from bench.laps import Play
from facedown.core import registry
from facedown.core.chance import Scripted
from facedown.core.game import Joint
from facedown.core.match import Match
from facedown.core.replay import AnyMatch
from lab.bench.rivals import openspiel_ecard
from lab.bench.rivals.pettingzoo_ecard import AGENTS, ECardEnv

GAME: Final = registry.get("ecard")
RULES: Final = GAME.rules.read("classic")
NAMES: Final = ("Ann", "Bo")
SCRIPTS: Final = 400
"""The number of games that are checked."""

OURS: Final = "Facedown, sealed seat by seat"
WHOLE: Final = "Facedown, whole decisions"
SPIEL: Final = "OpenSpiel, apply_actions"
SPIEL_CHECKED: Final = "OpenSpiel, apply_actions_with_legality_checks"
ZOO: Final = "PettingZoo, the mask read as cheaply as may be"
ZOO_GUIDE: Final = "PettingZoo, action_space(agent).sample(mask)"


def table() -> AnyMatch:
    """A new game of ours. Nothing is left to chance under these rules."""
    return Match(GAME, RULES, NAMES, Scripted(()))


# --- random games ----------------------------------------------------------------------------------------
# Everybody chooses by `legal[int(random() * len(legal))]`; only the last one does as PettingZoo's guide does.


def random_games(seed: int) -> dict[str, Play]:
    """All contestants, each with random numbers of its own."""
    return {
        OURS: _ours_sealed(Random(seed)),
        WHOLE: _ours_whole(Random(seed)),
        SPIEL: _spiel(Random(seed), "apply_actions"),
        SPIEL_CHECKED: _spiel(Random(seed), "apply_actions_with_legality_checks"),
        ZOO: _zoo(Random(seed)),
        ZOO_GUIDE: _zoo_guide(seed),
    }


def _ours_sealed(chooser: Random) -> Play:
    random = chooser.random

    def play() -> int:
        match = table()
        while waves := match.pending:
            for wave in waves:
                for seat in wave:
                    legal = match.legal(seat)
                    match.seal(seat, legal[int(random() * len(legal))])
        return len(match.picks)

    return play


def _ours_whole(chooser: Random) -> Play:
    random = chooser.random

    def play() -> int:
        match = table()
        while match.pending:
            joint = []
            for seat in (1, 2):
                legal = match.legal(seat)
                joint.append(legal[int(random() * len(legal))])
            match.decide(tuple(joint))
        return len(match.picks)

    return play


def _spiel(chooser: Random, method: str) -> Play:
    random = chooser.random
    game = pyspiel.load_game("python_ecard")

    def play() -> int:
        state = game.new_initial_state()
        apply = getattr(state, method)
        decisions = 0
        while not state.is_terminal():
            actions = []
            for player in (0, 1):
                legal = state.legal_actions(player)
                actions.append(legal[int(random() * len(legal))])
            apply(actions)
            decisions += 1
        return decisions

    return play


def _zoo(chooser: Random) -> Play:
    random = chooser.random
    env = ECardEnv()

    def play() -> int:
        observations, _ = env.reset()
        decisions = 0
        while env.agents:
            actions = {}
            for agent in env.agents:
                legal = observations[agent]["action_mask"].nonzero()[0].tolist()
                actions[agent] = legal[int(random() * len(legal))]
            observations = env.step(actions)[0]
            decisions += 1
        return decisions

    return play


def _zoo_guide(seed: int) -> Play:
    env = ECardEnv()
    for number, agent in enumerate(AGENTS):
        env.action_space(agent).seed(seed + number)

    def play() -> int:
        observations, _ = env.reset()
        decisions = 0
        while env.agents:
            actions = {
                agent: env.action_space(agent).sample(observations[agent]["action_mask"])
                for agent in env.agents
            }
            observations, _, _, _, _ = env.step(actions)
            decisions += 1
        return decisions

    return play


# --- the same picks for all ------------------------------------------------------------------------------


def scripts(seed: int) -> list[list[Joint]]:
    """The picks of some random games."""
    random = Random(seed)
    written = []
    for _ in range(SCRIPTS):
        match = table()
        while match.pending:
            match.decide(tuple(random.choice(match.legal(seat)) for seat in (1, 2)))
        written.append(match.picks)
    return written


def _actions(joint: Joint) -> list[int]:
    """A decision as both rivals take it: they number the cards alike."""
    return [openspiel_ecard.CARDS.index(card or "") for card in joint]


def differences(written: list[list[Joint]]) -> list[str]:
    """Where a rival does not come to our end of the same picks, each a sentence."""
    return [
        f"game {number}: ours ends with {ours}, {rival} with {theirs}"
        for number, game in enumerate(written, 1)
        for ours in [_our_end(game)]
        for rival, theirs in (("OpenSpiel", _spiel_end(game)), ("PettingZoo", _zoo_end(game)))
        if ours != theirs
    ]


def _our_end(game: list[Joint]) -> tuple[Any, ...]:
    match = table()
    for joint in game:
        match.decide(joint)
    assert match.outcome is not None, "a script is a whole game"
    return match.outcome.score, match.outcome.payoffs


def _spiel_end(game: list[Joint]) -> tuple[Any, ...]:
    state = pyspiel.load_game("python_ecard").new_initial_state()
    for joint in game:
        actions = _actions(joint)
        allowed = not state.is_terminal() and all(
            action in state.legal_actions(player) for player, action in enumerate(actions)
        )
        if not allowed:
            return ("a pick that it does not allow", joint)
        state.apply_actions(actions)
    return tuple(state.winnings), tuple(state.returns()) if state.is_terminal() else "a game that is not over"


def _zoo_end(game: list[Joint]) -> tuple[Any, ...]:
    env = ECardEnv()
    env.reset()
    rewards: dict[str, float] = {}
    for joint in game:
        if not env.agents:
            return ("a pick after the game", joint)
        rewards = env.step(dict(zip(AGENTS, _actions(joint), strict=True)))[1]
    over = not env.agents
    return tuple(env.winnings), tuple(map(rewards.get, AGENTS)) if over else "a game that is not over"
