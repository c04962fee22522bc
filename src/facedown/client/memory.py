"""Memory of one seat: the links of its table as this client folded them, and what it did itself.

Its JSON form outlives the process. With an alarm it becomes the evidence, which a third party can check. The
record of the game is compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from facedown.core.chain import PERSON
from facedown.core.chance import digest
from facedown.core.links import Link, canonical_json, read_link
from facedown.core.record import Record
from facedown.core.replay import until
from facedown.core.views import plain
from facedown.proof.evidence import EVIDENCE, AlarmKind
from facedown.protocol.messages import OpenedPick
from facedown.protocol.rest import ServerKeys

FORMAT: Final = "facedown/memory/2"


class Alarm(Struct, frozen=True):
    """The first thing that did not fit: its kind and place, what was expected, and what came."""

    kind: AlarmKind
    decision: int = 0
    seat: int = 0
    heard: str = ""
    came: str = ""


class OwnPick(Struct, frozen=True, omit_defaults=True):
    """A pick of this client: kept before it is sent, and sent unchanged until it is answered."""

    pick: str
    nonce: str
    commit: str
    acked: int | None = None
    """The number of the link that the server acknowledged it with."""
    opened: bool = False
    """At a blind table: whether this client has sent its opening."""
    opening_acked: bool = False


class Statement(Struct, frozen=True, omit_defaults=True):
    """What a server signed: a list of links with the signature of the last head, a record, or a checkpoint of
    its public log."""

    links: tuple[tuple[Any, ...], ...] = ()
    sig: str = ""
    record: Any = None
    checkpoint: str = ""
    path: tuple[str, ...] = ()
    """The hashes with which the server wanted to prove that it continues the checkpoint before."""


class SeatMemory(Struct, omit_defaults=True):
    """Everything that is remembered of a table until its review."""

    table: str
    seat: int
    format: str = FORMAT
    origin: str = ""
    """The address of the server."""
    links: list[tuple[Any, ...]] = field(default_factory=list)
    sig: str = ""
    """The newest signature of a head that was checked."""
    signed: int = -1
    """The number of the link whose head it signs."""
    entropy: str = ""
    """What this seat throws into the deal."""
    attempt: int = 0
    """How many deals had come to nothing when it was promised."""
    full: str = ""
    """The head of the link `full` on which this client opened its number."""
    own: dict[int, OwnPick] = field(default_factory=dict)
    views: dict[int, str] = field(default_factory=dict)
    """The digest of the own view when each decision was opened."""
    turned: dict[int, list[OpenedPick]] = field(default_factory=dict)
    """The picks that were turned in each decision, as far as this seat may see them."""
    resigned: int = 0
    """The decision in which this client resigned."""
    ready: bool = False
    """Whether this client said that its player is ready for the first decision."""
    left: bool = False
    """Whether this client left its seat: a machine may take it over then."""
    elsewhere: list[int] = field(default_factory=list)
    """The numbers of links of the own seat that this client did not cause: another device played."""
    unanswered: list[int] = field(default_factory=list)
    """Decisions whose pick the server did not answer, though it answered otherwise."""
    log: dict[str, bool] = field(default_factory=dict)
    """Whether the server proved in time that its public log has the table (`table`), and its end (`record` or
    `closed`)."""
    alarm: Alarm | None = None
    statements: list[Statement] = field(default_factory=list)
    """What the server signed that does not fit the links above."""


class Evidence(Struct, frozen=True):
    """The file of an alarm. What it holds is checked by `facedown verify --evidence`."""

    format: str
    origin: str
    key: str
    table: str
    seat: int
    alarm: Alarm
    statements: tuple[Statement, ...]
    memory: SeatMemory | None = None
    keys: ServerKeys | None = None
    """How the server changed its key, if it did: each may have signed statements."""


def evidence_of(memory: SeatMemory, key: str, keys: ServerKeys | None = None) -> bytes:
    """The evidence as a file: a pick and its nonce only of decisions that were turned."""
    assert memory.alarm is not None
    shown = msgspec.structs.replace(
        memory,
        entropy="",
        own={decision: own for decision, own in memory.own.items() if decision in memory.turned},
        statements=[],
    )
    mine = Statement(tuple(memory.links[: memory.signed + 1]), memory.sig)
    statements = (*((mine,) if memory.sig else ()), *memory.statements)
    found = Evidence(
        EVIDENCE, memory.origin, key, memory.table, memory.seat, memory.alarm, statements, shown, keys
    )
    return msgspec.json.format(msgspec.json.encode(found), indent=1)


def read_memory(kept: bytes | None, table: str, seat: int) -> SeatMemory | None:
    """The memory of this seat; None if there is none that can be read."""
    if not kept:
        return None
    try:
        found = msgspec.json.decode(kept, type=SeatMemory)
    except (msgspec.MsgspecError, ValueError):
        return None
    same: tuple[Any, ...] = (found.format, found.table, found.seat)
    return found if same == (FORMAT, table, seat) else None


# --- the record ----------------------------------------------------------------------------------------


def differences(memory: SeatMemory, record: Record) -> list[Alarm]:
    """Where the record of a game differs from the memory of one of its seats."""
    if record.fair is None:
        return [Alarm("record")] if memory.links else []
    links = [read_link(each) for each in memory.links]
    found = [
        Alarm("record", heard=str(mine.plain()), came="" if theirs is None else str(theirs.plain()))
        for mine, theirs in _beside(links, record.fair.links)
        if mine != theirs
    ][:1]
    found += _own_differences(memory, record)
    for decision, opens in memory.turned.items():
        joint = record.picks[decision - 1] if decision <= len(record.picks) else ()
        found += [
            Alarm("record", decision, each.seat, each.pick, str(joint[each.seat - 1 : each.seat]))
            for each in opens
            if joint[each.seat - 1 : each.seat] != (each.pick,)
        ]
    return found or _hand_differences(memory, record)


def _beside(mine: list[Link], theirs: Iterable[Link]) -> Iterable[tuple[Link, Link | None]]:
    others = iter(theirs)
    return ((each, next(others, None)) for each in mine)


def _own_differences(memory: SeatMemory, record: Record) -> list[Alarm]:
    """Own picks that were acknowledged, but are not in the record."""
    assert record.fair is not None
    links = record.fair.links
    found = []
    for decision, own in memory.own.items():
        wanted = (decision, memory.seat, PERSON, own.commit)
        if own.acked is None:
            continue
        link = links[own.acked] if own.acked < len(links) else None
        if link is None or link.kind != "sealed" or link.fields != wanted:
            found.append(Alarm("pick", decision, memory.seat, own.commit, str(link and link.plain())))
    return found


def _hand_differences(memory: SeatMemory, record: Record) -> list[Alarm]:
    """Decisions in which the record gives this seat another view than it was shown."""
    if not memory.views:
        return []
    after = 0 if record.continues is None else record.continues.decisions
    match = until(record, after)
    for decision in range(after + 1, len(record.picks) + 2):
        seen = memory.views.get(decision)
        view = digest("facedown/2/view", canonical_json(plain(match.view(memory.seat)))).hex()
        if seen is not None and seen != view:
            return [Alarm("hand", decision, memory.seat, seen, view)]
        if decision <= len(record.picks):
            match.decide(record.picks[decision - 1])
    return []
