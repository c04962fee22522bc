"""The real server, changed in one place, against the shipped client: it notices and keeps the evidence.

The operator deals itself better cards, plays the clock's pick instead of an acknowledged one, and asks a
client of a blind table to open before the others have sealed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from facedown.client import BlockingTable
from facedown.client.errors import BrokenPromise
from facedown.proof.evidence import judge_evidence
from facedown.protocol.messages import Clock
from facedown.protocol.rest import PersonSeat, TableOrder
from tests.client.players import signed_in, take_seat
from tests.patience import PATIENCE
from tests.server.running import Server

PERSON = PersonSeat()
CHOOSES_THE_DEAL = """
import facedown.server.table.commands as commands
import facedown.server.table.seating as seating
from facedown.core.chance import entropy_commitment
from facedown.server.table import facts
honest = seating.open_entropy
def evil(tx, actor, cmd):
    v, state = honest(tx, actor, cmd), tx.state
    if state.phase == "opening":
        other, number = 3 - actor.seat, bytes(32)
        state.place(other).commit = entropy_commitment(state.id, other, number).hex()
        tx.add(facts.EntropyOpened(other, number.hex()))
        seating._deal_if_opened(tx)
    return v
commands._HANDLERS["open"] = evil
"""
PLAYS_THE_CLOCKS_PICK = """
import facedown.server.table.commands as commands
honest = commands._HANDLERS["pick"]
def evil(tx, actor, cmd):
    if actor.seat != 1:
        return honest(tx, actor, cmd)
    commands._seal_by_clock(tx, 1, str(tx.state.match.legal(1)[-1]), True)
    return next(entry.v for entry in reversed(tx.entries) if entry.fact.kind == "sealed")
commands._HANDLERS["pick"] = evil
"""
ASKS_TOO_EARLY = """
import msgspec
import facedown.server.table.snapshot as snapshot
import facedown.server.table.updates as updates
honest = snapshot.turn_info
def evil(state):
    turn = honest(state)
    if turn is None:
        return turn
    return msgspec.structs.replace(turn, waiting=(), may_seal=(), to_open=(1,), open_until=1)
snapshot.turn_info = updates.turn_info = evil
"""


@contextmanager
def two_at(folder: Path, evil: str, order: TableOrder) -> Iterator[tuple[BlockingTable, BlockingTable]]:
    """Ann, who is cheated, and Bo, at a table of an evil server."""
    running = Server(folder / "data").after(evil).start()
    tables: list[BlockingTable] = []
    try:
        ann, bo = (signed_in(running.base, name) for name in ("Ann", "Bo"))
        made = ann.make(order)
        tables += [take_seat(ann, made.table, 1, memory=folder / "ann.json")]
        tables += [take_seat(bo, made.table, 2, made.invite, folder / "bo.json")]
        yield tables[0], tables[1]
    finally:
        for table in tables:
            table.close()
        running.close()


def alarm_of(table: BlockingTable) -> str:
    table.wait_for(lambda: table.table.witness.alarm is not None, PATIENCE)
    alarm = table.table.witness.alarm
    assert alarm is not None
    return alarm.kind


def contradicts(table: BlockingTable) -> bool | None:
    assert table.table.evidence is not None
    table.wait_for(lambda: bool(table.table.witness.memory.statements), PATIENCE)
    return judge_evidence(table.table.evidence.read_bytes()).contradicts


def test_a_deal_that_was_chosen_after_a_number_was_known_stops_play(tmp_path: Path) -> None:
    with two_at(tmp_path, CHOOSES_THE_DEAL, TableOrder("davenport", (PERSON, PERSON))) as (ann, bo):
        assert (alarm_of(ann), alarm_of(bo)) == ("promises", "promises")
        assert contradicts(ann), "the server has signed it"


def test_an_acknowledged_pick_that_becomes_the_clocks_stops_play(tmp_path: Path) -> None:
    order = TableOrder("ecard", (PERSON, PERSON), "decisive")
    with two_at(tmp_path, PLAYS_THE_CLOCKS_PICK, order) as (ann, bo):
        ann.wait_for(lambda: ann.mirror.may_pick, PATIENCE)
        ann.seal(ann.mirror.legal[0])
        assert alarm_of(ann) in ("pick", "clock"), "the acknowledgement may come first, or the clock's link"
        assert ann.table.witness.memory.own[1].acked is not None, "remembered in either order"
        assert alarm_of(bo) == "clock", "Bo sees a clock's pick at a table without a clock"
        assert contradicts(ann)
        with pytest.raises(BrokenPromise):
            ann.seal("C", 2)


def test_a_client_does_not_open_before_everyone_has_sealed(tmp_path: Path) -> None:
    live = Clock("decision", seconds=3600)
    order = TableOrder("ecard", (PERSON, PERSON), "decisive", clock=live, seal="blind")
    with two_at(tmp_path, ASKS_TOO_EARLY, order) as (ann, _):
        ann.wait_for(lambda: ann.table.witness.chain.dealt is not None, PATIENCE)
        ann.seal(ann.mirror.legal[0], 1)
        ann.wait_for(lambda: 1 in ann.table.witness.chain.sealed, PATIENCE)
        assert not ann.table.witness.memory.own[1].opened
        assert ann.table.witness.alarm is None
