"""What `facedown replay` tells people: each record in words, step by step or at once."""

from __future__ import annotations

import argparse

from facedown.cli import DONE, FAILED
from facedown.cli.complaints import Complaint, Complaints, complaint
from facedown.cli.errors import Usage
from facedown.core.errors import FacedownError
from facedown.core.record import Record
from facedown.core.replay import replay
from facedown.core.seats import SPECTATOR, Viewer
from facedown.library.record_files import RecordSource, RecordText
from facedown.terminal.lines.console import Console, InputEnded, LeaveTable
from facedown.terminal.lines.replay import RecordNarrator
from facedown.terminal.settings import chosen_language
from facedown.terminal.words import Words


def narrate_all(source: RecordSource, arguments: argparse.Namespace) -> int:
    """Narrate every record of the source; with `--step`, decision by decision."""
    console = Console()
    complaints = Complaints(source)
    try:
        for entry in source.entries:
            if complaints.hopeless:
                break
            wrong: Complaint | None = None
            try:
                _narrate(console, entry, arguments)
            except FacedownError as error:
                wrong = complaint(error, entry.line)
            complaints.add(wrong)
    except (LeaveTable, InputEnded):
        return DONE
    return DONE if complaints.close() else FAILED


def _narrate(console: Console, entry: RecordText, arguments: argparse.Namespace) -> None:
    """Narrate one record, after checking that all of it can be replayed."""
    record = Record.read(entry.text)
    over = replay(record).outcome is not None
    viewer = _viewer(arguments.viewer, len(record.seats), over)
    if entry.line is not None:
        console.say(f"--- line {entry.line}")
    narrator = RecordNarrator(console, record, viewer, Words(chosen_language(arguments.language)))
    for left in narrator.tell():
        if arguments.step and left:
            narrator.pause()


def _viewer(asked: str | None, seats: int, over: bool) -> Viewer | None:
    if asked is None:
        return None if over else SPECTATOR
    if asked.strip().lower() == "spectator":
        return SPECTATOR
    word = asked.strip()
    if word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= seats:
        return int(word)
    raise Usage(f"--as {asked[:40]!r}: a seat from 1 to {seats}, or spectator")
