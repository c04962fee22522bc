"""`facedown review`: what a game's picks gave away, in words, for programs, or as a page to send to a friend."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any, Final

from facedown.commands import DONE
from facedown.commands.failures import Usage
from facedown.commands.files import check_writable, writing
from facedown.commands.records import Source, reading
from facedown.commands.seating import within
from facedown.core.errors import FacedownError, UnreadableRecord
from facedown.core.record import Record, result_of
from facedown.review.page import page
from facedown.review.plain import plain_text
from facedown.review.review import ROLLOUTS, Part, Review, review
from facedown.review.words import how_readable, luck_and_skill
from facedown.terminal.progress import Progress

_MOST_ROLLOUTS: Final = 100_000
_MOST_LINES: Final = 10**9


def run(arguments: argparse.Namespace) -> int:
    """Review one record for one seat."""
    if arguments.html is not None:
        check_writable(arguments.html)
    times = ROLLOUTS if arguments.rollouts is None else arguments.rollouts
    rollouts = within("--rollouts", times, _MOST_ROLLOUTS, least=2)
    if arguments.line is not None:
        within("--line", arguments.line, _MOST_LINES)
    found = _reviewed(arguments, rollouts)
    if arguments.html is not None:
        with writing(arguments.html) as file:
            file.write(page(found))
    if arguments.json:
        print(json.dumps(told(found), ensure_ascii=False))
    elif arguments.html is None:
        print(plain_text(found))
    else:
        print(f"Written to {arguments.html}.")
    return DONE


def _reviewed(arguments: argparse.Namespace, rollouts: int) -> Review:
    """The review; what is wrong with a record is said with its line."""
    with reading(arguments.record) as source:
        text, line = _chosen(source, arguments.line)
    progress = _Progress()
    try:
        return review(Record.read(text), arguments.seat, rollouts, progress.reach)
    except FacedownError as error:
        raise error.at(line=line) from None
    finally:
        progress.close()


def _chosen(source: Source, line: int | None) -> tuple[bytes, int | None]:
    """The one record of a source, or the one that stands on the line asked for."""
    if line is not None:
        for entry in source.entries:
            if (entry.line or 1) == line:
                return entry
        raise Usage(f"--line {line}: {source.name} has no record on that line")
    entries = iter(source.entries)
    first = next(entries, None)
    if first is None:
        raise UnreadableRecord(f"{source.name}: not a record: there is nothing in it")
    if next(entries, None) is not None:
        raise Usage(f"{source.name} holds several records: --line N says which one to review")
    return first


class _Progress:
    """A bar that is there once somebody tells how long it will take."""

    def __init__(self) -> None:
        self._bar: Progress | None = None

    def reach(self, done: int, of: int) -> None:
        if of:
            self._bar = self._bar or Progress(of, "decisions")
            self._bar.reach(done)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


# --- for programs ----------------------------------------------------------------------------------------


def told(found: Review) -> dict[str, Any]:
    """The review as a program reads it; chances from 0 to 1."""
    judged = found.judged
    return {
        "game": found.record.game,
        "rules": found.rules,
        "seat": found.seat,
        "judge": judged.judge,
        "adviser": judged.adviser,
        "outcome": result_of(found.outcome) if found.outcome is not None else None,
        "chances": [each._asdict() for each in judged.chances],
        "picks": [asdict(each) for each in judged.appraisals],
        "luck_and_skill": _luck_and_skill(found) if judged.chances else None,
        "timing": None if judged.timing is None else asdict(judged.timing),
        "readable": None if found.readable is None else found.readable._asdict(),
        "exposure": None if judged.exposure is None else judged.exposure._asdict(),
        "say": {
            "luck_and_skill": " ".join(luck_and_skill(found)),
            "readable": how_readable(found),
            "habit": judged.habit,
        },
    }


def _luck_and_skill(found: Review) -> dict[str, Any]:
    """Start + skill + gifts + luck = end; gifts are null where they are part of the luck."""
    parts: dict[str, Part | None] = {
        "start": found.start,
        "skill": found.skill,
        "gifts": found.gifts,
        "luck": found.luck,
        "end": found.end,
    }
    return {name: None if part is None else part._asdict() for name, part in parts.items()}
