"""What lies face down in the open decision: promised picks, seals, and what came of a step.

At a blind table a person's pick is known to the table only once its seat has opened it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.core.events import Event
from facedown.core.fairness import Seal
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.server.clock import SECOND_MS

OPEN_PICKS_MS: Final = 30 * SECOND_MS
"""How long the seats of a blind table may take to open their picks once all have sealed."""


class StepResult(NamedTuple):
    """The result of a deal, a reveal or a resignation: its events, and the picks that were revealed."""

    events: tuple[Event, ...]
    picks: tuple[tuple[Seat, Pick, str], ...] = ()
    """Seat, pick and nonce; no nonce where the seat never opened its seal."""


class Promise(NamedTuple):
    """What a machine has promised to pick in the open decision: its seal, and the pick."""

    seal: Seal
    pick: Pick


def unknown_seal(seat: Seat, commit: bytes) -> Seal:
    """The seal of a pick that only its seat knows yet."""
    return Seal(seat, commit, b"")
