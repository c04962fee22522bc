"""What lists show of a table: written beside its events, and read by whoever lists tables."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct

from facedown.protocol.messages import Clock, GameResult
from facedown.server.store.base import TableSummary
from facedown.server.table.state import TableState


class SummarySeat(Struct, frozen=True):
    """Who sits where; no name where the seat is free."""

    seat: int
    name: str
    kind: Literal["person", "machine"]


class SummaryDetails(Struct, frozen=True):
    """The part of a summary that the store does not look into."""

    seats: tuple[SummarySeat, ...]
    clock: Clock
    hotseat: bool
    result: GameResult | None
    ended_at: int | None
    continued: bool = False


_encode = msgspec.json.Encoder().encode
_about: Final = msgspec.json.Decoder(SummaryDetails)


def summary_of(state: TableState) -> TableSummary:
    """How a list shows this table now."""
    about = SummaryDetails(
        seats=tuple(SummarySeat(place.seat, place.name, place.kind) for place in state.places),
        clock=state.setup.clock,
        hotseat=state.setup.hotseat,
        result=state.result,
        ended_at=state.ended_at,
        continued=state.setup.continues is not None,
    )
    made = state.setup
    return TableSummary(
        game=made.game,
        rules=made.rules,
        state=state.phase,
        public=made.public,
        created_at=state.created_at,
        about=_encode(about),
    )


def about_of(summary: TableSummary) -> SummaryDetails:
    """What a summary says besides the store's own columns."""
    return _about.decode(summary.about)
