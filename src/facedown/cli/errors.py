"""Errors of the command line, and every error as JSON for programs."""

from __future__ import annotations

from facedown.core.errors import FacedownError
from facedown.core.views import Plain


class Usage(FacedownError):
    """A command that is not written as it should be."""

    code = "usage"


def error_as_json(error: FacedownError) -> dict[str, Plain]:
    """An error as a JSON object."""
    return {
        "code": error.code,
        "say": str(error.message),
        "line": error.where.line,
        "decision": error.where.decision,
        "seat": error.where.seat,
        "rule": error.rule or None,
        "text": error.text or None,
    }
