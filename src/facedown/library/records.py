"""Replaying, verifying and reviewing records."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from facedown.core.errors import FacedownError
from facedown.core.match import Match
from facedown.core.replay import Finding
from facedown.core.replay import replay as replay_record
from facedown.core.seats import Seat
from facedown.core.text.translation import ENGLISH
from facedown.library.arguments import count, seat_number
from facedown.library.record_files import RecordLike, read_record
from facedown.proof import verify as findings_of
from facedown.review.html.page import page
from facedown.review.reports import as_json, plain_text
from facedown.review.review import Review
from facedown.review.review import review as review_record

_MOST_ROLLOUTS: Final = 1_000_000


def replay(record: RecordLike) -> Match[Any, Any, Any]:
    """The match of a record, played to its last decision; raises at the first that breaks a rule.

    >>> import facedown
    >>> match = facedown.play("ecard", ["sage", "uniform"], "decisive", seed="oak")
    >>> facedown.replay(match.record()).outcome == match.outcome
    True
    """
    return replay_record(read_record(record))


def verify(record: RecordLike, origin: RecordLike | None = None) -> tuple[Finding, ...]:
    """Everything that a record claims, checked: one finding each, up to the first that does not hold.

    `holds` is True, False, or None if the record lacks what the check needs. `origin` is the
    record of the game that this one continues.

    >>> import facedown
    >>> match = facedown.play("ecard", ["sage", "uniform"], "decisive", seed="oak")
    >>> [(finding.check, finding.holds) for finding in facedown.verify(match.record())]
    [('picks', True), ('result', True), ('links', None), ('deal', True)]
    """
    whole = read_record(record)
    before = None if origin is None else read_record(origin)
    found: list[Finding] = []
    try:
        for finding in findings_of(whole, before):
            found.append(finding)
    except FacedownError as error:
        found.append(Finding(error.code, False, str(error)))
    return tuple(found)


class SeatReview(Review):
    """The review of one game for one seat: `print` shows it as text, `as_json` and `html` hand it out."""

    def as_json(self) -> dict[str, Any]:
        """The whole review as plain values: what `facedown review --json` prints."""
        return as_json(self)

    def html(self) -> str:
        """The review as one HTML page."""
        return page(self)

    def __str__(self) -> str:
        return plain_text(self)

    def __repr__(self) -> str:
        return f"facedown.review({self.record!r}, seat={self.seat})"


def review(
    record: RecordLike, seat: Seat = 1, *, rollouts: int | None = None, language: str = ENGLISH
) -> SeatReview:
    """The review of a game for one seat: winning chances, what picks cost, luck and skill.

    Games without a judge of their own are played out by bots: `rollouts` is how often, for each position.

    >>> import facedown
    >>> match = facedown.play("ecard", ["sage", "uniform"], "decisive", seed="oak")
    >>> len(facedown.review(match, seat=2).judged.chances) == len(match.picks)
    True
    """
    whole = read_record(record)
    seat_number(seat, len(whole.seats))
    times = None if rollouts is None else count("rollouts", rollouts, _MOST_ROLLOUTS, least=2)
    found = review_record(whole, seat, times, language=language)
    return SeatReview(**{field.name: getattr(found, field.name) for field in fields(found)})
