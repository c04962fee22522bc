"""REST types for handovers: another device continues as the same person, once the first one lets it in."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from facedown.protocol.accounts import Session
from facedown.protocol.messages import Millis, TableId


class NewHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """The table at which the other device continues; none if it is left out."""

    table: TableId | None = None


class Handover(Struct, frozen=True):
    """A handover code, which works once, on another device: its link, and that as a QR code (SVG). The code
    is behind the `#` of the link, which browsers send to no server, and the picture comes with it."""

    code: str
    expires_at: Millis
    link: str
    qr: str


class HandoverState(Struct, frozen=True):
    """What became of the handover that this session made: `made` waits for a device, `claimed` asks whether
    the device with these digits may come in, and `none` is over."""

    state: Literal["none", "made", "claimed", "allowed", "refused"]
    digits: str = ""
    app: str = ""
    system: str = ""
    expires_at: Millis | None = None


class AnswerHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the device that shows these digits may come in."""

    digits: Annotated[str, Meta(pattern="^[0-9]{2}$")]
    allow: bool


class ClaimHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """The code of another device."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class HandoverClaim(Struct, frozen=True):
    """A claimed handover: the digits to be shown on this device, and the claim that asks for the session.

    `name` is the person whose device made the code, `handle` that of a kept account; `games` is how many
    games the guest who calls would leave behind, 50 at most."""

    claim: str
    digits: str
    expires_at: Millis
    name: str
    games: int = 0
    handle: str | UnsetType = UNSET


class TakeHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """The claim of a handover, and the kind of client that takes it. With `leave`, the
    guest who calls ends here, and the games of that guest stay behind."""

    claim: Annotated[str, Meta(min_length=1, max_length=128)]
    kind: Literal["browser", "program"] = "browser"
    leave: bool = False


class HandoverResult(Struct, frozen=True):
    """The answer of the other device: ask again while it is `waiting`; with `done` comes the session."""

    state: Literal["waiting", "refused", "done"]
    session: Session | None = None
