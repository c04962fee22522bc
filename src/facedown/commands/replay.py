"""`facedown replay`: a recorded game in words, step by step or at once, or as JSON; one, or one a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, islice
from typing import Any, Final

from facedown.cli import DONE, FAILED
from facedown.cli.complaints import Complaint, Complaints, complaint
from facedown.cli.errors import Usage, error_as_json
from facedown.cli.table_options import within
from facedown.core.errors import FacedownError
from facedown.core.record import Record, result_of
from facedown.core.registry import is_ours
from facedown.core.replay import start, turns
from facedown.library.record_files import RecordSource, RecordText, reading
from facedown.sim.workers import MOST_JOBS, spread, usual_jobs

_CHUNK: Final = 100
"""Records that a process gets at once."""
_compact = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@cache
def _quick() -> Callable[[object], bytes] | None:
    """msgspec's encoder, if installed: seven times as fast as `json`, and the same for ASCII and numbers."""
    try:
        from msgspec.json import Encoder
    except ImportError:
        return None
    return Encoder(enc_hook=str.__str__).encode


def _compact_json(game: str, whole: dict[str, Any]) -> str:
    """A replayed record as compact JSON; only for our own games is it known that both encoders agree."""
    quick = _quick() if is_ours(game) else None
    return _compact(whole) if quick is None else quick(whole).decode("ascii")


def run(arguments: argparse.Namespace) -> int:
    """Narrate every record of the source, or print it as JSON."""
    _check(arguments)
    usual = 1 if arguments.record == "-" else usual_jobs()
    with reading(arguments.record) as source:
        if arguments.json:
            return _print_objects(source, arguments.jobs or usual)
        from facedown.cli.narration import narrate_all  # the terminal takes a quarter of the start of --json

        return narrate_all(source, arguments)


def _check(arguments: argparse.Namespace) -> None:
    if arguments.json and (arguments.step or arguments.viewer is not None):
        raise Usage("--json prints the whole record: leave out --step and --as")
    if arguments.step and arguments.record == "-":
        raise Usage("--step reads the keyboard, so the record cannot come from standard input")
    if arguments.jobs is not None:
        within("--jobs", arguments.jobs, MOST_JOBS)


def record_json(record: Record) -> dict[str, Any]:
    """A record as JSON: its outcome (None while it runs) and every decision."""
    match = start(record)
    game = match.game
    steps = [
        {"decision": decision, **game.decision_json(turn.before, turn.joint, turn.step)}
        for decision, turn in enumerate(turns(record, match), 1)
    ]
    outcome = match.outcome
    return {"outcome": None if outcome is None else result_of(outcome), "steps": steps}


def _print_objects(source: RecordSource, jobs: int) -> int:
    """Print one object a record, in order; with one process, each as soon as it is ready."""
    complaints = Complaints(source)
    first = list(islice(source.entries, 0 if jobs == 1 else _CHUNK))
    if len(first) < _CHUNK:
        jobs = 1  # a few records are done before other processes have started
    size = 1 if jobs == 1 else _CHUNK
    for answers in spread(_answers, _chunks(chain(first, source.entries), size), jobs):
        for text, wrong in answers:
            complaints.add(wrong)
            if wrong is None or source.by_line:
                print(text)
        sys.stdout.flush()
        if complaints.hopeless:
            break
    return DONE if complaints.close() else FAILED


def _answers(entries: list[RecordText]) -> list[tuple[str, Complaint | None]]:
    return [_answer(entry) for entry in entries]


def _answer(entry: RecordText) -> tuple[str, Complaint | None]:
    """What is printed for a record, and what is wrong with it."""
    try:
        record = Record.read(entry.text)
        head = {"id": record.id, "game": record.game, "rules": record.rules, "seats": record.seats}
        return f"{_compact(head)[:-1]},{_compact_json(record.game, record_json(record))[1:]}", None
    except FacedownError as error:
        wrong = complaint(error, entry.line)
        return _compact({"error": error_as_json(error)}), wrong


def _chunks(entries: Iterator[RecordText], size: int) -> Iterator[list[RecordText]]:
    while chunk := list(islice(entries, size)):
        yield chunk
