"""The history checker: compares the log of every client with the store, whose rows are the witness.

Each acknowledged command is saved, once. What any client received is what the store holds, in its order and
without a gap. No pick was opened before the store held its reveal, no table was closed, no innocent command
refused, and no clock ran out early.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple

from facedown.server.store import open_store
from facedown.server.store.values import EventRow

PASSING: Final = frozenset({"store_failed", "draining", "too_many", "not_playing"})
"""Codes of refusals that pass: the client repeats its command, here or at another server."""
_SLOW: Final = frozenset({"silent", "no_hello"})
"""Codes with which a server closes the connection of a client that is too slow, on a busy machine."""
ENDLESS_S: Final = 3600
"""A clock that no test waits for: it does not run out."""
_COMPARED: Final = ("seat", "decision", "commit", "entropy", "seed", "ms")
"""Fields that an event has in common with the row it was made from."""
_NONCE: Final = re.compile(rb"[0-9a-f]{64}")


class SeenEvent(NamedTuple):
    """An event as a client received it: what can be compared with the row of its number."""

    v: int
    kind: str
    at: int | None = None
    fields: tuple[tuple[str, Any], ...] = ()
    opens: tuple[tuple[int, str, str], ...] = ()
    """Seat, pick and nonce of each pick that was opened."""

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> SeenEvent:
        """From an `ev` of the protocol."""
        fields = tuple((name, message[name]) for name in _COMPARED if name in message)
        opens = tuple((each["seat"], each["pick"], each["nonce"]) for each in message.get("opens", ()))
        return cls(message["v"], message["k"], message.get("at"), fields, opens)


class SeenSnapshot(NamedTuple):
    """A snapshot as a client received it: its number, and the commitments of the open decision."""

    v: int
    sealed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> SeenSnapshot:
        """From a `snap` of the protocol."""
        turn = message["table"]["turn"] or {"sealed": ()}
        return cls(message["v"], frozenset(seal["commit"] for seal in turn["sealed"]))


class Refusal(NamedTuple):
    """A command that was refused, with the code of the refusal."""

    command: str
    code: str
    do: str = ""
    decision: int = 0


class HeardNonce(NamedTuple):
    """The nonce of another seat's pick in a message, and the number of that message."""

    v: int
    seat: int
    decision: int


class Deadline(NamedTuple):
    """A deadline that a message announced: until then no pick is placed or forfeited for the seat."""

    v: int
    at: int
    kind: str
    """The kind of the event that may follow it: `sealed`, or `unsealed` at a blind table."""
    decision: int
    seat: int


@dataclass
class ClientLog:
    """What one client sent, was answered and saw, in its order."""

    table: str
    seat: int
    """0 for a spectator."""
    invoked: list[str] = field(default_factory=list)
    acked: dict[str, int] = field(default_factory=dict)
    """By command, the number of its event."""
    changed: list[tuple[str, int, int]] = field(default_factory=list)
    """Commands that were answered twice, and not in the same way: both numbers."""
    refused: list[Refusal] = field(default_factory=list)
    farewells: list[str] = field(default_factory=list)
    """The codes with which the server closed a connection."""
    failed: list[tuple[str, int, str]] = field(default_factory=list)
    """Requests that were refused: what was asked, status and code."""
    seen: list[SeenEvent] = field(default_factory=list)
    read: list[SeenSnapshot] = field(default_factory=list)
    stale: list[tuple[int, int]] = field(default_factory=list)
    """Snapshots that were older than what the client had seen: what, and at which number."""
    head: int = 0
    """The highest number that a `welcome` or a `ping` named."""
    heard: list[HeardNonce] = field(default_factory=list)
    deadlines: dict[tuple[str, int, int], Deadline] = field(default_factory=dict)
    """The last one of each, by kind, decision and seat."""

    def note(self, message: Mapping[str, Any]) -> None:
        """Log an event or a snapshot, with the deadlines in it."""
        if message["t"] == "ev":
            self.seen.append(SeenEvent.of(message))
            turn = message.get("turn")
        else:
            self.read.append(SeenSnapshot.of(message))
            turn = message["table"]["turn"]
        for each in _deadlines(message["v"], turn) if turn else ():
            self.deadlines[each.kind, each.decision, each.seat] = each


class Nonces:
    """The nonces of all picks that the clients of a run sealed: found in what other clients receive."""

    def __init__(self) -> None:
        self._sealed: dict[bytes, tuple[str, int, int]] = {}

    def add(self, nonce: str, table: str, seat: int, decision: int) -> None:
        """A client is about to seal a pick with this nonce."""
        self._sealed[nonce.encode()] = (table, seat, decision)

    def heard_in(self, frame: bytes, v: int, table: str, seat: int) -> list[HeardNonce]:
        """The nonces of other seats in a message with this number, received by this seat."""
        found = [self._sealed.get(nonce) for nonce in _NONCE.findall(frame)]
        return [HeardNonce(v, of[1], of[2]) for of in found if of is not None and of[:2] != (table, seat)]


async def rows_of(url: str, tables: Sequence[str]) -> dict[str, list[EventRow]]:
    """All events of these tables, as the store holds them."""
    store = open_store(url)
    try:
        return {table: await store.rows(table) for table in tables}
    finally:
        await store.close()


def anomalies(
    rows: Mapping[str, Sequence[EventRow]],
    logs: Iterable[ClientLog],
    outages: Sequence[tuple[int, int]] = (),
) -> list[str]:
    """Everything that must not be; empty if all is right. No client could play during the `outages`."""
    found: list[str] = []
    for table, events in rows.items():
        found += _of_table(table, events)
        found += _of_clocks(table, events, outages)
    for log in logs:
        found += _of_client(log, rows.get(log.table, ()))
    return found


# --- the rows of a table ---------------------------------------------------------------------------------


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
    found += [f"{table}: closed at {row.v}, and no one closed it" for row in events if row.kind == "closed"]
    sealed: list[int] = []
    for row in events:
        if row.kind == "sealed":
            seat = _public(row)["seat"]
            if seat in sealed:
                found.append(f"{table}: seat {seat} sealed twice before a reveal, at {row.v}")
            sealed.append(seat)
        elif row.kind == "revealed":
            if len(sealed) < 2:
                found.append(f"{table}: revealed at {row.v} after {len(sealed)} seals")
            sealed = []
    return found


def _of_clocks(table: str, events: Sequence[EventRow], outages: Sequence[tuple[int, int]]) -> list[str]:
    """No flag at a clock that no test waits for, and none for time in which no one could play."""
    found = []
    for row, public in _timeouts(events):
        if row.kind != "sealed":
            continue
        who = f"{table}: false flag: seat {public['seat']} at {row.v}"
        seconds = _public(events[0])["clock"]["seconds"]
        if seconds >= ENDLESS_S:
            found.append(f"{who}, which had {seconds} s")
        began = max(each.at for each in events[: row.v] if each.kind in ("dealt", "revealed"))
        lost = sum(max(0, min(end, row.at) - max(begin, began)) for begin, end in outages)
        if row.spent + lost > row.at - began:
            charged = f"is charged {row.spent} ms of {row.at - began}"
            found.append(f"{who} {charged}, {lost} of them without a server")
    return found


# --- the log of a client ---------------------------------------------------------------------------------


def _of_client(log: ClientLog, events: Sequence[EventRow]) -> list[str]:
    """What one client received is what the store holds."""
    who = f"{log.table or 'no table'} seat {log.seat}"
    by_v = {row.v: row for row in events}
    found = [
        *_of_answers(log, by_v),
        *_ghosts(log, by_v),
        *_early_openings(log, events),
        *_early_flags(log, events),
        *_refusals(log, events),
        *(f"a snapshot at {v} after {seen}" for v, seen in log.stale),
    ]
    if any(after.v != before.v + 1 for before, after in pairwise(log.seen)):
        found.append("events with a gap, or twice")
    if len(log.invoked) != len(set(log.invoked)):
        found.append("the client used an id twice")
    return [f"{who}: {each}" for each in found]


def _of_answers(log: ClientLog, by_v: Mapping[int, EventRow]) -> list[str]:
    """Each acknowledged command is saved where its answer says, and is answered the same again."""
    found = [f"{command} was acknowledged at {v}, then at {other}" for command, v, other in log.changed]
    for command, v in log.acked.items():
        row = by_v.get(v)
        if row is None:
            found.append(f"{command} was acknowledged at {v} and is lost")
        elif (row.seat, row.command.rpartition(":")[2]) != (log.seat, command):
            found.append(f"{command} was acknowledged at {v}, where {row.command!r} of seat {row.seat} is")
    return found


def _ghosts(log: ClientLog, by_v: Mapping[int, EventRow]) -> list[str]:
    """What was published and is not saved: events, snapshots, numbers."""
    secrets = _secrets(by_v.values())
    found = []
    for seen in log.seen:
        wrong = _difference(seen, by_v.get(seen.v), secrets)
        if wrong:
            found.append(f"ghost: saw {seen.kind} at {seen.v}, {wrong}")
    head = max(by_v, default=0)
    sealed = _commitments(by_v.values())
    for snapshot in log.read:
        if snapshot.v > head:
            found.append(f"ghost: a snapshot at {snapshot.v}, but {head} is the last event saved")
        elif snapshot.sealed != sealed.get(snapshot.v, frozenset()):
            found.append(f"ghost: a snapshot at {snapshot.v} with seals that are not saved")
    if log.head > head:
        found.append(f"ghost: a number {log.head}, but {head} is the last event saved")
    return found


def _difference(
    seen: SeenEvent, row: EventRow | None, secrets: Mapping[tuple[int, int], tuple[str, str]]
) -> str:
    """How an event differs from what is saved at its number; empty if it does not."""
    if row is None:
        return "where nothing is saved"
    if seen.kind == "-":
        return ""
    if seen.kind != row.kind:
        return f"where {row.kind} is saved"
    if seen.at not in (None, row.at):
        return f"of {seen.at}, but it is saved as of {row.at}"
    saved = _public(row)
    for name, value in seen.fields:
        if saved.get(name) != value:
            return f"with {name} {value!r}, but {saved.get(name)!r} is saved"
    for seat, pick, nonce in seen.opens:
        if secrets.get((saved.get("decision", 0), seat)) != (pick, nonce):
            return f"with pick {pick!r} of seat {seat}, which is not saved"
    return ""


def _early_openings(log: ClientLog, events: Sequence[EventRow]) -> list[str]:
    """Nonces of other seats that came before the store held their reveal."""
    reveals = {_public(row)["decision"]: row.v for row in events if row.kind == "revealed"}
    return [
        f"early: the nonce of seat {seat} in decision {decision} at {v}, revealed at {reveals.get(decision)}"
        for v, seat, decision in log.heard
        if decision not in reveals or reveals[decision] > v
    ]


def _early_flags(log: ClientLog, events: Sequence[EventRow]) -> list[str]:
    """Picks that were placed for a seat, or forfeited, before the deadline that it was shown."""
    found = []
    for row, public in _timeouts(events):
        known = log.deadlines.get((row.kind, public["decision"], public["seat"]))
        if known is not None and known.v < row.v and row.at < known.at:
            early = f"{known.at - row.at} ms before its deadline"
            found.append(f"false flag: seat {public['seat']} at {row.v}, {early}")
    return found


def _refusals(log: ClientLog, events: Sequence[EventRow]) -> list[str]:
    """Refusals of what an innocent client asked. A seat whose time was up has to bear them."""
    late = {("open", 0) for row in events if row.kind == "void" and log.seat in _public(row)["unopened"]}
    late |= {
        (do, public["decision"])
        for _, public in _timeouts(events)
        for do in ("pick", "reveal")
        if public["seat"] == log.seat
    }
    found = [
        f"wrong refusal: {each.do or each.command} of decision {each.decision} is refused: {each.code}"
        for each in log.refused
        if each.code not in PASSING and (each.do, each.decision) not in late
    ]
    found += [f"wrong refusal: goodbye with {code}" for code in log.farewells if code not in PASSING | _SLOW]
    found += [
        f"wrong refusal: {asked} is answered {status} {code}"
        for asked, status, code in log.failed
        if code not in PASSING
    ]
    return found


# --- reading rows and messages ---------------------------------------------------------------------------


def _public(row: EventRow) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(row.public)
    return read


def _timeouts(events: Sequence[EventRow]) -> Iterator[tuple[EventRow, dict[str, Any]]]:
    """The picks that a clock placed, or that were forfeited, with their public parts."""
    for row in events:
        public = _public(row) if row.kind in ("sealed", "revealed") else {}
        if public.get("flag"):
            yield row, public
        for seat in public.get("forfeited", ()):
            yield row, {"decision": public["decision"], "seat": seat}


def _secrets(events: Iterable[EventRow]) -> dict[tuple[int, int], tuple[str, str]]:
    """Pick and nonce by decision and seat, as saved when they were sealed, or opened at a blind table."""
    found = {}
    for row in events:
        if row.kind in ("sealed", "shown") and row.secret:
            public, secret = _public(row), json.loads(row.secret)
            found[public["decision"], public["seat"]] = (secret["pick"], secret["nonce"])
    return found


def _commitments(events: Iterable[EventRow]) -> dict[int, frozenset[str]]:
    """By the number of an event, the commitments that are sealed after it and not revealed."""
    found, sealed = {}, frozenset[str]()
    for row in events:
        if row.kind == "sealed":
            sealed |= {_public(row)["commit"]}
        elif row.kind in ("revealed", "resigned"):
            sealed = frozenset()
        found[row.v] = sealed
    return found


def _deadlines(v: int, turn: Mapping[str, Any]) -> list[Deadline]:
    """The deadlines in a `turn` of the protocol."""
    decision = turn["decision"]
    found = [Deadline(v, at, "sealed", decision, int(seat)) for seat, at in turn["deadlines"].items()]
    found += [Deadline(v, turn["open_until"], "revealed", decision, seat) for seat in turn.get("to_open", ())]
    return found
