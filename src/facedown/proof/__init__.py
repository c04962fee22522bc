"""The whole proof of a game: the checks of `core.replay`, of machines, signature, key, log; the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Literal, TypeAlias

from facedown.core.record import Record
from facedown.core.replay import Finding
from facedown.core.replay import verify as verify_record
from facedown.proof.checks import key_finding, log_finding, machine_finding, signature_finding

__all__ = ["CONSISTENT", "FALSE", "PROVEN", "Verdict", "verdict_of", "verify"]

Verdict: TypeAlias = Literal["proven", "consistent", "false"]
PROVEN: Final = "proven"
CONSISTENT: Final = "consistent"
"""Nothing contradicts, but something is missing: a finding that does not hold says what."""
FALSE: Final = "false"


def verify(
    record: Record,
    origin: Record | None = None,
    anchors: Mapping[str, str] | None = None,
    *,
    only: bool = False,
) -> Iterator[Finding]:
    """Check everything that a record claims; raises at the first thing that does not hold.

    `anchors` are public keys with what they are known by; with `only`, no other key may have signed.
    """
    known = partial(key_finding, anchors=anchors or {}, only=only)
    return verify_record(record, origin, (machine_finding, signature_finding, known, log_finding))


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """The verdict on a record of which nothing was false: everything is proven, or something is missing."""
    return PROVEN if findings and all(each.holds for each in findings) else CONSISTENT
