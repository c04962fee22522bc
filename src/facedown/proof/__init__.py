"""The whole proof of a game: the checks of `core.replay`, machines' picks, and the signature."""

from __future__ import annotations

from collections.abc import Iterator

from facedown.core.record import Record
from facedown.core.replay import Finding
from facedown.core.replay import verify as verify_record
from facedown.proof.checks import machine_finding, signature_finding

__all__ = ["verify"]


def verify(record: Record, origin: Record | None = None) -> Iterator[Finding]:
    """Check everything that a record claims; raises at the first thing that does not hold."""
    return verify_record(record, origin, (machine_finding, signature_finding))
