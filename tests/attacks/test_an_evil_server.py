"""The real server, changed so that it deals itself better cards, against the shipped client.

The list of lies is in `test_a_dishonest_operator`, which asks the same client without processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from facedown.client import BlockingTable
from facedown.proof.evidence import judge_evidence
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
