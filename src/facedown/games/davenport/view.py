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
    """The seat that sees this; 0 for a spectator."""
    rules: DavenportRules
    """The rules, with a field for each option."""
    waiting: Waves
    """Who has to pick, in placing order."""
    outcome: Outcome | None
    """How the game ended; None while it is in progress."""
    seats: int
    """How many seats there are."""
    phase: str
    """`main` or `playoff`."""
    round: int
    """The round in its phase, from 1."""
    seats_in: tuple[Seat, ...]
    """The seats that are still in."""
    hand: Hand
    """One's own cards; empty for a spectator."""
    hands: tuple[int, ...]
    """How many cards each seat holds."""
    stock: int
    """How many cards are left in the stock."""
    discards: int
    """How many cards have been discarded."""
    wins: tuple[int, ...]
    """Rounds won in a playoff, by seat."""
    history: tuple[DavenportRound | Gone, ...]
    """The finished rounds, and the seats that resigned."""
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
