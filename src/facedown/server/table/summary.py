"""What lists show of a table: written beside its events, and read by whoever lists tables."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct

from facedown.protocol.messages import Clock, Result
from facedown.server.store.base import Summary
from facedown.server.table.state import Situation


class ListedPlace(Struct, frozen=True):
    """Who sits where; no name where the seat is free."""

    seat: int
    name: str
    kind: Literal["person", "machine"]


class About(Struct, frozen=True):
    """The part of a summary that the store does not look into."""

    seats: tuple[ListedPlace, ...]
    clock: Clock
    hotseat: bool
    result: Result | None
    ended_at: int | None
    continued: bool = False


_encode = msgspec.json.Encoder().encode
_about: Final = msgspec.json.Decoder(About)


def summary_of(situation: Situation) -> Summary:
    """How a list shows this table now."""
    about = About(
        seats=tuple(ListedPlace(place.seat, place.name, place.kind) for place in situation.places),
        clock=situation.made.clock,
        hotseat=situation.made.hotseat,
        result=situation.result,
        ended_at=situation.ended_at,
        continued=situation.made.continues is not None,
    )
    made = situation.made
    return Summary(
        game=made.game,
        rules=made.rules,
        state=situation.phase,
        public=made.public,
        created_at=situation.created_at,
        about=_encode(about),
    )


def about_of(summary: Summary) -> About:
    """What a summary says besides the store's own columns."""
    return _about.decode(summary.about)
