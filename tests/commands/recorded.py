"""Records of any game, made by playing it."""

from __future__ import annotations

import json
from typing import Any

from facedown.core import registry
from facedown.core.chance import Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.core.replay import AnyMatch
from facedown.core.seats import all_seats
from facedown.sim.simulate import SimulationPlan, play_game

SEED = seed_of("a record")


def finished_game(game: str, number: int = 1) -> Record:
    """The n-th game of a simulation with as few seats as it has, with its seed."""
    plan = SimulationPlan(game, "", registry.get(game).meta.least_seats, SEED, number)
    return play_game(plan, number).record(game_id=str(number), seed=SEED)


def running_game(game: str, decisions: int) -> Record:
    """A running game: every seat took the first pick in each of these decisions."""
    match = table(game)
    for _ in range(decisions):
        deciding = {seat for wave in match.pending for seat in wave}
        match.decide(tuple(match.legal(seat)[0] if seat in deciding else None for seat in seats(match)))
    assert match.outcome is None
    return match.record()


def table(game: str) -> AnyMatch:
    """A table with all seats taken and nothing decided."""
    played = registry.get(game)
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"][: played.meta.least_seats]
    return Match(played, played.rules.of(), names, Seeded(deal_key(SEED, "local")))


def seats(match: AnyMatch) -> tuple[int, ...]:
    return all_seats(len(match.names))


def record_with(record: Record, **parts: Any) -> bytes:
    """The record's text with some parts replaced."""
    return json.dumps({**json.loads(record.write()), **parts}).encode()
