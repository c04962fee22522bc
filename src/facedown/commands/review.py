"""`facedown review` and `readable`: what the picks of one game, or of many, gave away."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import islice
from typing import Final

from facedown.cli import DONE, FAILED
from facedown.cli.complaints import complaint
from facedown.cli.errors import Usage
from facedown.cli.progress import Progress
from facedown.cli.table_options import within
from facedown.core.errors import FacedownError
from facedown.core.record import Record
from facedown.library.record_files import RecordSource, RecordText, reading
from facedown.library.records import readable
from facedown.review.reports import as_json, plain_text
from facedown.review.review import Review, review
from facedown.terminal.settings import chosen_language

_MOST_ROLLOUTS: Final = 100_000
_MOST_LINES: Final = 10**9


def run(arguments: argparse.Namespace) -> int:
    """Review one record for one seat; or find what gives a player away in many."""
    if arguments.command == "readable":
        _print_readable(arguments)
        return DONE
    rollouts = _check(arguments)
    language = chosen_language(arguments.language)
    with reading(arguments.record) as source:
        entry = _entry(source, arguments.line)
    try:
        found = _review(entry, arguments.seat, rollouts, language)
    except FacedownError as error:
        code, text = complaint(error, entry.line)
        print(f"facedown: {code}: {source.name}: {text}", file=sys.stderr)
        return FAILED
    print(json.dumps(as_json(found), ensure_ascii=False) if arguments.json else plain_text(found))
    return DONE


def _print_readable(arguments: argparse.Namespace) -> None:
    if arguments.name is not None and arguments.seat is not None:
        raise Usage("--name and --seat: one of them says who is read")
    progress = Progress(0, "games")
    try:
        found = readable(
            arguments.records,
            arguments.name or arguments.seat or 1,
            game=arguments.game,
            language=chosen_language(arguments.language),
            progress=progress.reach,
        )
    finally:
        progress.close()
    print(json.dumps(found.as_json(), ensure_ascii=False) if arguments.json else found)


def _check(arguments: argparse.Namespace) -> int | None:
    if arguments.line is not None:
        within("--line", arguments.line, _MOST_LINES)
    times: int | None = arguments.rollouts
    return None if times is None else within("--rollouts", times, _MOST_ROLLOUTS, least=2)


def _entry(source: RecordSource, line: int | None) -> RecordText:
    if line is not None:
        for entry in source.entries:
            if line == (1 if entry.line is None else entry.line):
                return entry
        raise Usage(f"--line {line}: {source.name} has no record on that line")
    entries = list(islice(source.entries, 2))
    if not entries:
        raise source.nothing
    if len(entries) > 1:
        raise Usage(f"{source.name} holds several records: --line N says which one to review")
    return entries[0]


def _review(entry: RecordText, seat: int, rollouts: int | None, language: str) -> Review:
    progress = Progress(0, "decisions")
    try:
        return review(Record.read(entry.text), seat, rollouts, progress.reach, language)
    finally:
        progress.close()
