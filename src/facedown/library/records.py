"""Replaying, verifying and reviewing records."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any, Final

from facedown.core.errors import FacedownError
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.core.replay import Finding
from facedown.core.replay import replay as replay_record
from facedown.core.seats import Seat
from facedown.core.text.translation import ENGLISH
from facedown.library.arguments import BadArgument, count, seat_number
from facedown.library.catalogue import GameLike
from facedown.library.catalogue import game as find_game
from facedown.library.record_files import RecordLike, each_record, read_record
from facedown.proof import verify as findings_of
from facedown.review.readable import Readability, TimedRecord, readability, time_of
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
    """The review of one game for one seat: `print` shows it as text, `as_json` hands it out."""

    def as_json(self) -> dict[str, Any]:
        """The whole review as plain values: what `facedown review --json` prints."""
        return as_json(self)

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


def readable(
    records: RecordLike | Iterable[RecordLike],
    who: str | Seat = 1,
    *,
    game: GameLike | None = None,
    language: str = ENGLISH,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Readability:
    """What gives a player away over many games: habits, how sure they are, and what a reader makes of them.

    `who` is the name of the player, or a seat; records without them, and of other games than `game` (by
    default that of the first record), are left out. Records of servers say when they ended and are read in
    that order. `progress` is called with the number of games read, and of all.

    >>> import facedown
    >>> games = facedown.play_many("ecard", ["pip", "sage"], "short", games=40, seed=1)
    >>> print(facedown.readable(games, "pip").habits[0].say)
    You play your Emperor or Slave at the first play.
    """
    found = list(each_record(records))
    name = find_game(game).name if game is not None else found[0].game if found else ""
    read = [
        TimedRecord(record, seat, time_of(record))
        for record in found
        if record.game == name and (seat := _seat_of(record, who))
    ]
    if not read:
        raise BadArgument(
            f"{who!r:.60} has no seat in any of these {len(found)} records", text=f"{who!r:.60}"
        )
    return readability(name, sorted(read, key=lambda each: each.at or 0), language, progress)


def _seat_of(record: Record, who: str | Seat) -> Seat:
    """The seat of a player; 0 without one."""
    if isinstance(who, str):
        return record.seats.index(who) + 1 if who in record.seats else 0
    return seat_number(who, len(record.seats))
