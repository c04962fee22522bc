"""The view of Davenport: what was shown, counts, and the viewer's own cards and past choices."""

from __future__ import annotations

from typing import NamedTuple

from facedown.core.game import Waves
from facedown.core.outcome import Outcome
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import PLAYOFF, DavenportRound, DavenportState, Gone, Hand, OwnChoice

__all__ = ["PLAYOFF", "DavenportRound", "DavenportView", "Gone", "OwnChoice", "see"]


class DavenportView(NamedTuple):
    """One viewer's sight of the table."""

    viewer: Viewer
    rules: DavenportRules
    waiting: Waves
    outcome: Outcome | None
    seats: int
    phase: str
    round: int
    seats_in: tuple[Seat, ...]
    hand: Hand
    """One's own cards; empty for a spectator."""
    hands: tuple[int, ...]
    """How many cards each seat holds."""
    stock: int
    discards: int
    wins: tuple[int, ...]
    history: tuple[DavenportRound | Gone, ...]
    choices: tuple[OwnChoice, ...]
    """What this seat held and picked so far; what it exchanged away no other seat knows (D3)."""


def see(state: DavenportState, viewer: Viewer, waiting: Waves) -> DavenportView:
    """The view, built up from what this viewer may know."""
    watching = viewer == SPECTATOR
    return DavenportView(
        viewer=viewer,
        rules=state.rules,
        waiting=waiting,
        outcome=state.outcome,
        seats=len(state.hands),
        phase=state.phase,
        round=state.round,
        seats_in=state.seats_in,
        hand=() if watching else state.hands[viewer - 1],
        hands=tuple(map(len, state.hands)),
        stock=len(state.stock),
        discards=len(state.discards),
        wins=state.wins,
        history=state.history,
        choices=() if watching else state.choices[viewer - 1],
    )
