"""What can go wrong between here and a server."""

from __future__ import annotations

from facedown.core.errors import FacedownError, Unreadable


class BadAddress(Unreadable):
    """Not the address of a server or a table."""

    code = "bad_address"


class Lost(FacedownError):
    """The server cannot be reached, or answers nothing that makes sense."""

    code = "lost_server"


class Refused(FacedownError):
    """The server understood, and said no; `name` is its stable code."""

    code = "refused"

    def __init__(self, name: str, say: str, *, rule: str = "", status: int = 0) -> None:
        super().__init__(say, rule=rule)
        self.name = name
        self.status = status
