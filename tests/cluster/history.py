"""The history checker: every client's log is held against the store, whose log of each table is the witness.

Each acknowledged command is there, once; nobody saw anything but what the store holds, in its order, without
a gap; and nothing was revealed before all had sealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from facedown.server.store.base import EventRow


@dataclass
class ClientLog:
    """What one client sent, was answered and saw, in its order."""

    table: str
    seat: int
    person: str = ""
    invoked: list[str] = field(default_factory=list)
    acked: dict[str, int] = field(default_factory=dict)
    """By command, the number of its event."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Commands, and the codes of their refusals."""
    seen: list[tuple[int, str]] = field(default_factory=list)
    """Numbers and kinds of events."""
    read: list[int] = field(default_factory=list)
    """The numbers of snapshots, with how far the client had seen before: never less."""
    stale: list[tuple[int, int]] = field(default_factory=list)
    """Snapshots that were older than what the client had seen: what, and at which number."""


def anomalies(rows: Mapping[str, Sequence[EventRow]], logs: Iterable[ClientLog]) -> list[str]:
    """All that should not be; empty where everything is right."""
    found = [each for table, events in rows.items() for each in _of_table(table, events)]
    for log in logs:
        found += _of_client(log, rows.get(log.table, ()))
    return found


def _of_table(table: str, events: Sequence[EventRow]) -> list[str]:
    """One total order: no gap, no command twice, time never back, no reveal before all seals."""
    found = []
    if [row.v for row in events] != list(range(1, len(events) + 1)):
        found.append(f"{table}: a gap in its events")
    commands = Counter((row.seat, row.command) for row in events if row.command)
    found += [
        f"{table}: command {command} is saved {n} times" for (_, command), n in commands.items() if n > 1
    ]
    times = [row.at for row in events]
    if times != sorted(times):
        found.append(f"{table}: its time went back")
    sealed: list[int] = []
    for row in events:
        if row.kind == "sealed":
            if row.seat in sealed:
                found.append(f"{table}: seat {row.seat} sealed twice before a reveal, at {row.v}")
            sealed.append(row.seat)
        elif row.kind == "revealed":
            if len(sealed) < 2:
                found.append(f"{table}: revealed at {row.v} after {len(sealed)} seals")
            sealed = []
    return found


def _of_client(log: ClientLog, events: Sequence[EventRow]) -> list[str]:
    """What one client was told is what the store holds."""
    who = f"{log.table} seat {log.seat}"
    found = [f"{who}: a snapshot at {v} after {seen}" for v, seen in log.stale]
    by_v = {row.v: row for row in events}
    for command, v in log.acked.items():
        row = by_v.get(v)
        if row is None:
            found.append(f"{who}: {command} was acknowledged at {v} and is lost")
        elif row.command.rpartition(":")[2] != command:
            found.append(f"{who}: {command} was acknowledged at {v}, where {row.command!r} is")
    for v, kind in log.seen:
        row = by_v.get(v)
        if row is None or (kind not in ("-", row.kind)):
            found.append(f"{who}: saw {kind} at {v}, where {None if row is None else row.kind} is")
    numbers = [v for v, _ in log.seen]
    if numbers != list(range(numbers[0], numbers[-1] + 1) if numbers else ()):
        found.append(f"{who}: events with a gap, or twice")
    if len(log.invoked) != len(set(log.invoked)):
        found.append(f"{who}: the client used an id twice")
    return found
