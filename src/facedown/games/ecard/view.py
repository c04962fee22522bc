"""The view of E-Card: everything revealed, and the viewer's own hand; never the other's pick."""

from __future__ import annotations

from typing import NamedTuple

from facedown.core.game import Waves
from facedown.core.outcome import Outcome
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.plays import BySeat, Play
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.shown import ECardRound, Meeting
from facedown.games.ecard.state import ECardState, by_place


class ECardView(NamedTuple):
    """One viewer's view of the table."""

    viewer: Viewer
    """The seat that sees this; 0 for a spectator."""
    rules: ECardRules
    """The rules, with a field for each option."""
    waiting: Waves
    """Who has to pick, in placing order."""
    outcome: Outcome | None
    """How the game ended; None while it is in progress."""
    round: int
    """The round, from 1."""
    play: int
    """The play in the round, from 1."""
    last_play: int
    """The number of the round's last play."""
    extra: bool
    """Whether it is an extra round, after a tie."""
    emperor: Seat
    """The seat that is the Emperor side of this round."""
    first: Seat | None
    """The seat that places first; None if both place together."""
    stake: int | None
    """What the round is about; None while it has to be named."""
    hand: tuple[str, ...]
    """One's own cards, the special one first; empty for a spectator."""
    cards_left: int
    """How many cards each side still holds: the same for both (E2, E5)."""
    score: BySeat
    """What decides the game, by seat."""
    winnings: BySeat
    """What was won, by seat."""
    wins: BySeat
    """Rounds won, by seat."""
    purses: BySeat | None
    """What is left, by seat; None unless stakes are named."""
    rounds: tuple[ECardRound, ...]
    """The finished rounds, as they were revealed."""
    sides: tuple[Seat, ...]
    """The Emperor side of each round of the game; extra rounds are not among them (E8)."""
    meets: tuple[Meeting, ...]
    """What each card in hand comes to against each of the other's (E1, E10, E13)."""


def hand_of(at: Play, seat: Seat) -> tuple[str, ...]:
    """The cards a seat still holds in this round (E2, E5)."""
    special = EMPEROR if seat == at.emperor else SLAVE
    return (special,) + (CITIZEN,) * (DECIDED - at.number)


def see(state: ECardState, viewer: Viewer, waiting: Waves) -> ECardView:
    """The view, built up from what this viewer may know."""
    at = state.at
    over = state.outcome is not None
    fields = (
        viewer,
        at.rules,
        waiting,
        state.outcome,
        at.round,
        at.number,
        at.last_play,
        at.extra,
        at.emperor,
        at.first,
        at.stake,
        () if over or viewer == SPECTATOR else hand_of(at, viewer),
        0 if over else DECIDED + 1 - at.number,
        state.score,
        state.winnings,
        state.wins,
        state.purses if at.named else None,
        state.rounds,
        at.course,
        () if over or viewer == SPECTATOR or at.stake is None else _meets(state, viewer),
    )
    # Named arguments cost 40 % of a decision with its views (`bench/engine.py`), so the fields go by place;
    # a test compares each of them by name.
    return by_place(ECardView, fields)


def _meets(state: ECardState, viewer: Viewer) -> tuple[Meeting, ...]:
    """What each card comes to; with named stakes not more than the loser has (E13)."""
    meets = state.at.meets[viewer - 1]
    if not state.at.named:
        return meets
    return tuple(
        each if each.winner is None else each._replace(paid=min(each.paid, state.purses[2 - each.winner]))
        for each in meets
    )
