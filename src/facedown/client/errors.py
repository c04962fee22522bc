"""Errors of the client: bad addresses, lost connections, refusals by the server."""

from __future__ import annotations

from facedown.core.errors import FacedownError, Unreadable


class BadAddress(Unreadable):
    """Text that is no address of a server or a table."""

    code = "bad_address"


class ServerLost(FacedownError):
    """A server that cannot be reached, or whose answers are not of the protocol."""

    code = "lost_server"


class BrokenPromise(FacedownError):
    """What the server sent does not fit what it had promised: nothing more is played at this table."""

    code = "broken_promise"


class ServerRefused(FacedownError):
    """A refusal by the server; `name` is its stable code."""

    code = "refused"

    def __init__(self, name: str, message: str, *, rule: str = "", status: int = 0) -> None:
        super().__init__(message, rule=rule)
        self.name = name
        self.status = status
