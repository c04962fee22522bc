"""`facedown arena` with one bot, as arrays."""

from __future__ import annotations

import argparse
import sys


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print their statistics; after Ctrl-C, those of the finished games."""
    from facedown.commands.simulate import (
        read_plan,
        show_simulation,
    )  # slow to import, and `--help` needs none
    from facedown.sim.simulate import simulate
    from facedown_lab.arrays import simulate_arrays
    from facedown_lab.engine import MATCHES, choose_engine

    plan, seed_text = read_plan(arguments)
    engine = choose_engine(
        arguments.engine, plan.game, plan.seated, plan.games, records=plan.records, lineup=plan.lineup
    )
    player = simulate if engine == MATCHES else simulate_arrays
    status = show_simulation(plan, seed_text, arguments, player)
    for line in engine.in_words():
        print(line, file=sys.stderr)
    return status
