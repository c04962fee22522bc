"""What the server refuses, with stable codes, and the HTTP status of every code. An error's text may be shown
to whoever caused it: it never holds a token, a pick of another seat or a seed.
"""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.errors import FacedownError, Illegal, NotAllowed, NotNow, Unreadable, Unsupported


class ServerError(FacedownError):
    """Anything that the server refuses; `status` is the HTTP status that goes with it."""

    status: ClassVar[int] = 400


class BadMessage(ServerError):
    """Bytes that are no message of the protocol, or a part is missing, too long or of the wrong kind."""

    code = "bad_message"


class BadSeal(ServerError):
    """A seal that does not fit its pick, or entropy that does not fit its commitment."""

    code = "bad_seal"


class NeedsSession(ServerError):
    """A call that needs to know who is calling."""

    code = "needs_session"
    status = 401


class BadToken(ServerError):
    """A token that opens nothing (any more)."""

    code = "bad_token"
    status = 401


class NotSeated(ServerError):
    """Only somebody who sits at this table may do this."""

    code = "not_seated"
    status = 403


class NotYours(ServerError):
    """Another person's seat or table."""

    code = "not_yours"
    status = 403


class WrongOrigin(ServerError):
    """A page of another site used this visitor's cookie."""

    code = "wrong_origin"
    status = 403


class UnknownTable(ServerError):
    """No table of that id, or not for this caller."""

    code = "unknown_table"
    status = 404


class UnknownInvite(ServerError):
    """An invitation that does not exist or was withdrawn."""

    code = "unknown_invite"
    status = 404


class NotFound(ServerError):
    """A path at which there is nothing."""

    code = "not_there"
    status = 404


class SeatTaken(ServerError):
    """Somebody else sits there."""

    code = "seat_taken"
    status = 409


class WrongDecision(ServerError):
    """A command for a decision that is not open: it came too late, or too early."""

    code = "wrong_decision"
    status = 409


class ReusedId(ServerError):
    """An id that was used for something else before."""

    code = "reused_id"
    status = 409


class NotPlaying(ServerError):
    """Another connection of this seat plays; this one reads."""

    code = "not_playing"
    status = 409


class TooLarge(ServerError):
    """More bytes than anybody needs for this."""

    code = "too_large"
    status = 413


class TooMany(ServerError):
    """More than the limits allow; `again` says in how many milliseconds to come back."""

    code = "too_many"
    status = 429

    def __init__(self, say: str, *, again: int = 1000) -> None:
        super().__init__(say)
        self.again = again


class Draining(ServerError):
    """The server is going down; come back in a moment."""

    code = "draining"
    status = 503


_OF_CORE: Final[tuple[tuple[type[FacedownError], int], ...]] = (
    (Unreadable, 400),
    (Illegal, 409),
    (NotNow, 409),
    (NotAllowed, 403),
    (Unsupported, 501),
)


def status_of(error: FacedownError) -> int:
    """The HTTP status that goes with an error."""
    own: int | None = getattr(error, "status", None)
    if own is not None:
        return own
    return next((status for kind, status in _OF_CORE if isinstance(error, kind)), 400)
