"""The measurements of `lab/bench/solve.py`: presets solved cold, and one round beside OpenSpiel's CFR+."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from statistics import median
from typing import Any, Final

from bench.laps import stay_on_one_core
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve import course
from facedown.games.ecard.solve.round import RoundEnds, choices, mixes, value
from facedown.games.ecard.solve.solution import Solution, solve
from lab.bench.rivals import openspiel_round

BAR: Final = 1e-3
"""The exploitability at which a rival has arrived."""
CHECK_EVERY: Final = 20
"""Rounds of learning between two looks at the exploitability, which are not counted."""
MOST_ROUNDS: Final = 100_000
ROUND: Final = ECardRules.read("decisive(rounds=1,group=1,first=1)")
LAPS: Final = 51
OFTEN: Final = 50
"""Times that a lap of ours solves the round: once is too short for the clock."""


def main(texts: list[str]) -> int:
    """Print all of it as one JSON object; 1 where the rival's game is not the same."""
    stay_on_one_core()
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: only the presets are solved.", file=sys.stderr)
        print(json.dumps({"presets": presets(texts)}))
        return 0
    game = openspiel_round.load()
    solution = solve(ROUND)
    gained, worth = _judged(game, solution)
    if gained > 1e-12 or abs(worth - (2 * float(solution.value) - 1)) > 1e-12:
        print(f"not the same game: {gained} is gained on our mixes, worth {worth}", file=sys.stderr)
        return 1
    print(json.dumps({"presets": presets(texts), "contest": _contest(game)}))
    return 0


def presets(texts: list[str]) -> list[dict[str, Any]]:
    """Rule sets, each solved for the first time in this process."""
    return [_preset(text) for text in texts]


def _preset(text: str) -> dict[str, Any]:
    rules = ECardRules.read(text)
    begun = time.perf_counter()
    solution = solve(rules)
    solved = time.perf_counter()
    gained = solution.exploitability
    proved = time.perf_counter()
    return {
        "rules": str(rules),
        "solved": solved - begun,
        "proved": proved - solved,
        "exact": solution.exact,
        "value": float(solution.value),
        "exploitability": gained,
    }


# --- one round, beside OpenSpiel -------------------------------------------------------------------------


def _contest(game: Any) -> dict[str, Any]:
    import pyspiel
    from open_spiel.python.algorithms import cfr, exploitability

    ours = _median_time(_closed_form)
    rivals = {
        "OpenSpiel, CFR+ in C++": (pyspiel.CFRPlusSolver, pyspiel.exploitability),
        "OpenSpiel, CFR+ in Python": (cfr.CFRPlusSolver, exploitability.exploitability),
    }
    rows = [{"name": name, **_learnt(game, *rival)} for name, rival in rivals.items()]
    return {
        "bar": BAR,
        "ours": ours,
        "ours_through_solve": _median_time(_through_solve),
        "rivals": [row | {"ours_is_times_as_fast": row["seconds"] / ours} for row in rows],
    }


def _closed_form() -> None:
    """The round for itself: its value, and the mixes of every play that has a choice."""
    lost = Fraction(-1)
    ends = RoundEnds(Fraction(1), lost, lost, towards=1)
    value(ends, choices(ROUND.plays), Fraction)
    mixes(ends, choices(ROUND.plays), Fraction)


def _through_solve() -> None:
    """The same as a whole game of one round; cold, as far as a process can forget."""
    solve.cache_clear()
    course.spots.cache_clear()
    solution = solve(ROUND)
    solution.answers.plays(solution.course.start, 1)


def _median_time(act: Callable[[], None]) -> float:
    return median(_lap(act) for _ in range(LAPS)) / OFTEN


def _lap(act: Callable[[], None]) -> float:
    begun = time.process_time()
    for _ in range(OFTEN):
        act()
    return time.process_time() - begun


def _learnt(game: Any, make: Callable[[Any], Any], left: Callable[[Any, Any], float]) -> dict[str, Any]:
    """Learns until no more than the bar is left to gain."""
    learner = make(game)
    seconds, rounds, gained = 0.0, 0, 1.0
    while gained > BAR and rounds < MOST_ROUNDS:
        begun = time.process_time()
        for _ in range(CHECK_EVERY):
            learner.evaluate_and_update_policy()
        seconds += time.process_time() - begun
        rounds += CHECK_EVERY
        gained = left(game, learner.average_policy())
    return {"seconds": seconds, "rounds": rounds, "left": gained}


def _judged(game: Any, solution: Solution) -> tuple[float, float]:
    """What OpenSpiel says about our mixes on its game: what can be gained on them, and their value."""
    from open_spiel.python.algorithms import expected_game_score, exploitability
    from open_spiel.python.policy import TabularPolicy

    mixes = solution.answers.plays(solution.course.start, 1)
    policy = TabularPolicy(game)
    state = game.new_initial_state()
    for play in mixes:  # along the Citizens, from play to play
        for special in (play.emperor, play.slave):
            *citizen, card = state.legal_actions()
            row = policy.policy_for_key(state.information_state_string())
            row[:] = 0
            row[card] = float(special)
            for each in citizen:
                row[each] = 1 - float(special)
            state.apply_action(state.legal_actions()[0])
    worth = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    return exploitability.nash_conv(game, policy), worth


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
