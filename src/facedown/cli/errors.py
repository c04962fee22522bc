"""What can go wrong at the edge, where people write commands and files are opened; and how it is said."""

from __future__ import annotations

from facedown.core.errors import FacedownError, Unreadable
from facedown.core.views import Plain


class Usage(FacedownError):
    """A command that is not written as it should be."""

    code = "usage"


class UnreadableFile(Unreadable):
    """A file that cannot be opened or read."""

    code = "unreadable_file"


class UnwritableFile(FacedownError):
    """A file that cannot be written."""

    code = "unwritable_file"


class InputEndedEarly(FacedownError):
    """A pipe that ended before the game did."""

    code = "input_ended"


def reason(error: OSError) -> str:
    """What the system says, as the end of a sentence."""
    return (error.strerror or type(error).__name__).lower()


def told(error: FacedownError) -> dict[str, Plain]:
    """An error as a program reads it."""
    return {
        "code": error.code,
        "say": error.say,
        "line": error.where.line,
        "decision": error.where.decision,
        "seat": error.where.seat,
        "rule": error.rule or None,
        "text": error.text or None,
    }
