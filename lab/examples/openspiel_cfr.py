"""OpenSpiel's CFR and Facedown's solver on the same game: `python openspiel_cfr.py [ITERATIONS]`.

Needs `pip install 'facedown[openspiel,solve]'`; OpenSpiel has builds for Linux and macOS.
"""

import sys

import pyspiel
from open_spiel.python.algorithms import expected_game_score, exploitability
from open_spiel.python.algorithms.cfr import CFRPlusSolver

import facedown
from facedown_lab.adapters.openspiel import register

iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 200
register()
game = pyspiel.convert_to_turn_based(
    pyspiel.load_game("python_facedown_ecard(rules=classic[rounds:2;group:1;plays:2])")
)
solver = CFRPlusSolver(game)
for _ in range(iterations):
    solver.evaluate_and_update_policy()
learnt = solver.average_policy()

gain = exploitability.nash_conv(game, learnt)
worth = expected_game_score.policy_value(game.new_initial_state(), [learnt, learnt])[0]
exact = facedown.solve("ecard", "classic(rounds=2,group=1,plays=2)").value
print(
    f"after {iterations} iterations seat 1 scores {(1 + worth) / 2:.4f} ({exact:.4f} by the exact solution);"
)
print(f"best answers to what was learnt gain {gain:.4f}, both seats together")
