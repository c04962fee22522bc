"""Parts of messages that are written or read apart from the whole: what is the same for many is encoded once.

Their fields have the names and the order that they have in the whole message.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from facedown.protocol.deltas import ViewDelta
from facedown.protocol.messages import CommandId, Phase, SeatInfo, TurnInfo

# --- of `Ev` ---------------------------------------------------------------------------------------------


class SealedEvent(Struct, frozen=True, tag_field="t", tag="ev"):
    """An `Ev` of a pick that its own seat has sealed: the most frequent one, with the fields that it has."""

    v: int
    k: str
    at: int
    seat: int
    commit: str
    decision: int


class RevealedEvent(Struct, frozen=True, tag_field="t", tag="ev"):
    """The first fields of the `Ev` of a reveal."""

    v: int
    k: str
    at: int
    decision: int


class TableParts(Struct, frozen=True, omit_defaults=True):
    """The fields of `Ev` that hold the table after the event, in their order: the same for all viewers."""

    state: Phase | UnsetType = UNSET
    seats: tuple[SeatInfo, ...] | UnsetType = UNSET
    turn: TurnInfo | UnsetType | None = UNSET


class OwnParts(Struct, frozen=True, omit_defaults=True):
    """The last fields of `Ev`, in their order: how the game looks to one viewer after the event."""

    view: Raw | UnsetType = UNSET
    change: ViewDelta | UnsetType = UNSET
    legal: tuple[str, ...] | UnsetType = UNSET


# --- of `Cmd` --------------------------------------------------------------------------------------------


class _IdentifiedCommand(Struct, frozen=True, tag_field="t", tag="cmd"):
    """As much of a command as is needed to refuse it."""

    id: CommandId


_identified: Final = msgspec.json.Decoder(_IdentifiedCommand)


def command_id_of(frame: bytes) -> str | None:
    """The id of a command of which nothing else may be readable; None for anything else."""
    try:
        return _identified.decode(frame).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
