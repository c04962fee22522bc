"""Tables for tests of the terminal: consoles without a terminal, and records of every kind."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from facedown.core.events import Event
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.terminal.lines.console import Console

RECORDS = Path(__file__).parents[1] / "records"


class Screen(io.StringIO):
    """A terminal that keeps what was printed."""

    def isatty(self) -> bool:
        return True


def console(typed: str = "") -> tuple[Console, io.StringIO]:
    """A console on pipes, and what is printed there."""
    screen = io.StringIO()
    return Console(io.StringIO(typed), screen), screen


def fixtures() -> Iterator[Record]:
    """All finished games among the fixtures: every odd case of every game."""
    for file in sorted(RECORDS.glob("*.jsonl")):
        if not file.name.endswith(".replay.jsonl"):
            yield from map(Record.read, file.read_text(encoding="utf-8").splitlines())


def events_of(record: Record) -> Iterator[Event]:
    """All events of a record, the deal first."""
    match = start(record)
    yield from match.dealt.events
    for turn in turns(record, match):
        yield from turn.step.events
