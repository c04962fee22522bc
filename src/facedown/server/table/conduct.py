"""Faults of people at a paired table: who did not come, left, or let the clock run out, from its facts.

A fault is about the others, who sat and waited. No one is blamed for an outage of the server, nor for what
they did after another player was gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeGuard

from facedown.core.chain import PERSON
from facedown.core.seats import Seat
from facedown.server.store.values import Fault, FaultKind
from facedown.server.table import facts
from facedown.server.table.state import TableState

STALLS: Final = 2
"""Picks that the clock placed for a connected player of one game; fewer are no fault."""
ABSENCES: Final = 3
"""The same, connected or not."""


def faults_of_absent(state: TableState, absent: Iterable[Seat], at: int) -> tuple[Fault, ...]:
    """The faults of people for whom a paired table was closed: they did not make the first pick."""
    if not _counts(state):
        return ()
    people = [state.place(seat).person or state.place(seat).kept_for for seat in absent]
    return tuple(Fault(person, at, state.id, "absent") for person in people if person)


def faults_of_players(state: TableState, at: int) -> tuple[Fault, ...]:
    """The faults in a paired game that is over: those of the first seat that others had to wait for."""
    if not _counts(state):
        return ()
    left: dict[Seat, int] = {}
    late: dict[Seat, int] = {}
    flags: Counter[Seat] = Counter()
    stalls: Counter[Seat] = Counter()
    for entry in state.log:
        fact = entry.fact
        if isinstance(fact, facts.SeatLeft | facts.SeatReplaced):
            left.setdefault(fact.seat, entry.at)
        elif isinstance(fact, facts.SeatReturned | facts.SeatReclaimed) or _is_own_pick(fact):
            left.pop(fact.seat, None)
        elif isinstance(fact, facts.PickSealed) and fact.flag:
            late.setdefault(fact.seat, entry.at)
            flags[fact.seat] += 1
            stalls[fact.seat] += fact.here is True
    stalled = {seat: late[seat] for seat in late if stalls[seat] >= STALLS or flags[seat] >= ABSENCES}
    since = stalled | left
    first = min(since.values(), default=0)
    found = []
    for seat, begun in since.items():
        kind: FaultKind = "left" if seat in left else "stalled"
        if begun == first and (person := state.place(seat).person):
            found.append(Fault(person, at, state.id, kind))
    return tuple(found)


def _is_own_pick(fact: facts.TableFact) -> TypeGuard[facts.PickSealed]:
    return isinstance(fact, facts.PickSealed) and fact.placer == PERSON


def _counts(state: TableState) -> bool:
    """Whether strangers sit here and wait for each other, and no server was down in between."""
    setup = state.setup
    if not setup.seating or setup.challenge or setup.clock.kind != "decision":
        return False
    return not any(isinstance(entry.fact, facts.ServerOutage) for entry in state.log)
