"""A server that shows two histories: its public log gives it away to clients that remember."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from facedown.client import BlockingTable, RestClient, ServerRefused
from facedown.client.keys import KnownServers
from facedown.client.memory import Alarm, Evidence
from facedown.client.public_log import BrokenLog, ServerLog
from facedown.core.errors import Unreadable
from facedown.core.links import leaf_of_log, rotation_digest
from facedown.core.merkle import consistency_path
from facedown.proof.evidence import EVIDENCE, judge_evidence
from facedown.proof.log import read_checkpoint
from facedown.proof.signatures import encode_signature, public_key, sign
from facedown.protocol.rest import (
    KeyChange,
    LogConsistency,
    LogInclusion,
    PersonSeat,
    ServerKeys,
    TableOrder,
)
from facedown.server.ops.runfile import read_runfile
from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.client.players import signed_in, take_seat
from tests.core.test_log import ENTRIES, LOG, OTHER, PRIVATE, Log
from tests.patience import PATIENCE
from tests.server.running import Server, for_sqlite, until

ADDRESS = "http://cards.invalid"
REWRITTEN = Log([*ENTRIES[:4], leaf_of_log("table", "another", bytes(32)), *ENTRIES[5:]])
DROPPED = Log([*ENTRIES[:4], *ENTRIES[5:], ENTRIES[4]])
NEW_KEY = hashlib.sha256(b"new key").digest()


class Liar(RestClient):
    """A server that shows any log, of any size, and proves what it can of the log that it shows."""

    def __init__(self, log: Log = LOG, size: int = 13, private: bytes = PRIVATE) -> None:
        super().__init__(ADDRESS)
        self.log, self.size, self.private = log, size, private
        self.changes: tuple[KeyChange, ...] = ()

    def keys(self) -> ServerKeys:
        return ServerKeys(ADDRESS, public_key(self.private), self.changes)

    def log_checkpoint(self) -> str:
        return self.log.checkpoint(self.size).sign(self.private)

    def log_proof(self, leaf: bytes) -> LogInclusion:
        return LogInclusion(str(self.log.proof(4, self.size)))

    def log_consistency(self, old: int, new: int) -> LogConsistency:
        if new > self.size:
            raise ServerRefused("unknown_entry", "it has fewer", status=404)
        return LogConsistency(tuple(each.hex() for each in self.log.hashes(consistency_path(old, new))))

    def show(self, log: Log, size: int = 13) -> None:
        self.log, self.size = log, size


def contradicts(broken: BrokenLog, server: Liar) -> bool | None:
    alarm, statements = Alarm("log"), tuple(broken.statements)
    keys = server.keys()
    found = Evidence(EVIDENCE, ADDRESS, public_key(PRIVATE), "", 0, alarm, statements, keys=keys)
    return judge_evidence(msgspec.json.encode(found)).contradicts


# --- a client that remembers -----------------------------------------------------------------------------


@pytest.mark.parametrize("log", [REWRITTEN, DROPPED], ids=["an entry was rewritten", "a table was dropped"])
@pytest.mark.parametrize("sizes", [(7, 13), (13, 13), (13, 9)], ids=str)
def test_a_log_that_was_changed_contradicts_the_checkpoint_that_a_client_kept(
    log: Log, sizes: tuple[int, int]
) -> None:
    server = Liar(size=sizes[0])
    seen = ServerLog(server, KnownServers())
    seen.advance()
    server.show(log, sizes[1])
    with pytest.raises(BrokenLog) as caught:
        seen.advance()
    provable = sizes[0] <= sizes[1]  # of a log that became shorter, the server proves nothing
    assert contradicts(caught.value, server) is (True if provable else None)


def test_an_old_checkpoint_is_harmless_while_the_log_still_goes_on_from_it_and_else_an_alarm() -> None:
    server, known = Liar(), KnownServers()
    seen = ServerLog(server, known)
    newest = seen.advance()
    server.log_checkpoint = lambda: LOG.checkpoint(7).sign(PRIVATE)  # type: ignore[method-assign]
    assert seen.advance() == newest == known.checkpoint(ADDRESS)
    server.size = 7
    with pytest.raises(BrokenLog, match="fewer entries"):
        seen.advance()


@pytest.mark.parametrize("entry", [ENTRIES[5], leaf_of_log("record", "T4", bytes([4]) * 32)])
def test_a_false_proof_of_an_entry_is_an_alarm(entry: bytes) -> None:
    seen = ServerLog(Liar(), KnownServers())
    assert seen.prove(ENTRIES[4]).index == 4
    with pytest.raises(BrokenLog, match="false"):
        seen.prove(entry)


def test_a_checkpoint_by_another_key_is_an_alarm_and_after_an_announced_change_is_not() -> None:
    server, known = Liar(), KnownServers()
    seen = ServerLog(server, known)
    seen.advance()
    server.private = OTHER
    with pytest.raises(BrokenLog, match="known key"):
        seen.advance()
    old, new = public_key(PRIVATE), public_key(NEW_KEY)
    digest = rotation_digest(ADDRESS, bytes.fromhex(old), bytes.fromhex(new), 5)
    by_old, by_new = (encode_signature(sign(each, digest)) for each in (PRIVATE, NEW_KEY))
    server.private, server.changes = NEW_KEY, (KeyChange(old, new, 5, by_old, by_new),)
    seen.advance()
    assert known.keys == {ADDRESS: new}
    server.show(REWRITTEN)
    with pytest.raises(BrokenLog) as caught:
        seen.advance()
    assert contradicts(caught.value, server), (
        "the old checkpoint is signed by the old key, the new one by the new"
    )
    server.changes = ()
    assert contradicts(caught.value, server) is False, "nothing says that these keys are of one server"


# --- evidence --------------------------------------------------------------------------------------------

CHANGE = {"old": public_key(PRIVATE), "new": "", "at": -1, "by_old": "", "by_new": ""}


@pytest.mark.parametrize(
    "change",
    [
        {"key": 5},
        {"key": "zz"},
        {"keys": 7},
        {"keys": {"origin": 3, "changes": [{"old": []}]}},
        {"keys": {"origin": "", "changes": [{**CHANGE, "by_old": 5}]}},
        {"statements": [{"checkpoint": 7}]},
        {"statements": [{"checkpoint": "nonsense"}]},
        {"statements": [{"checkpoint": LOG.checkpoint(3).sign(PRIVATE), "path": ["zz"]}]},
        {"statements": [{"checkpoint": LOG.checkpoint(3).sign(PRIVATE), "path": 4}]},
    ],
    ids=str,
)
def test_nonsense_in_evidence_is_unreadable(change: dict[str, Any]) -> None:
    whole = {"format": EVIDENCE, "key": public_key(PRIVATE), "alarm": {"kind": "log"}, "statements": []}
    with pytest.raises(Unreadable):
        judge_evidence(json.dumps(whole | change))


def test_a_client_cannot_make_up_a_fork() -> None:
    """A forged checkpoint, a forged path, and two checkpoints that fit together."""
    old, new = LOG.checkpoint(7).sign(PRIVATE), LOG.checkpoint(13).sign(PRIVATE)
    path = tuple(each.hex() for each in LOG.hashes(consistency_path(7, 13)))
    lies = tuple(each.hex() for each in REWRITTEN.hashes(consistency_path(7, 13)))
    server = Liar()
    assert contradicts(BrokenLog("", (old, new), path), server) is None
    assert contradicts(BrokenLog("", (old, new), lies), server) is None
    assert contradicts(BrokenLog("", (old, new)), server) is None
    forged = REWRITTEN.checkpoint(13).sign(PRIVATE).rpartition("—")[0] + new[new.index("—") :]
    assert contradicts(BrokenLog("", (forged, new)), server) is False
    assert contradicts(BrokenLog("", (REWRITTEN.checkpoint(13).sign(OTHER), new)), server) is False


# --- real servers ----------------------------------------------------------------------------------------


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients check the log at once."""
    monkeypatch.setattr("facedown.client.table._LOG_PAUSE", 0.05)


def make_tables(server: Server, count: int) -> None:
    """Tables at which no one sits, all of them in the log."""
    person = signed_in(server.base, "Ann")
    before = read_checkpoint(person.log_checkpoint()).size
    for _ in range(count):
        person.make(TableOrder("ecard", (PersonSeat(), PersonSeat())))
    until(lambda: read_checkpoint(person.log_checkpoint()).size >= before + count)


def sit(server: Server, memory: Path) -> BlockingTable:
    """Ann at a new table; she remembers servers in the folder of her memory."""
    person = signed_in(server.base, "Ann")
    made = person.make(TableOrder("ecard", (PersonSeat(), PersonSeat())))
    return take_seat(person, made.table, 1, memory=memory)


def entry_of(seat: BlockingTable) -> bytes:
    return leaf_of_log("table", seat.id, bytes.fromhex(seat.table.witness.head(0)))


def is_checked(seat: BlockingTable, entries: int) -> bool:
    """Whether the client has seen that many entries of the log, or something that does not fit."""
    kept = seat.table._servers.checkpoint(seat.server.address)
    return seat.table.witness.alarm is not None or bool(kept and read_checkpoint(kept).size >= entries)


@for_sqlite
def test_a_server_that_goes_back_to_an_old_store_is_caught(tmp_path: Path, here: Here, soon: None) -> None:
    server = Server(tmp_path / "data").after("from facedown.server import node; node._LOG_S = 0.05").start()
    try:
        server.kill()
        shutil.copytree(server.data, tmp_path / "old")
        server.start()
        make_tables(server, 2)
        first = sit(server, tmp_path / "ann" / "1.json")
        first.wait_for(lambda: is_checked(first, 3), PATIENCE)
        first.close()
        server.kill()
        shutil.rmtree(server.data)
        shutil.copytree(tmp_path / "old", server.data)
        server.start()
        make_tables(server, 5)
        second = sit(server, tmp_path / "ann" / "2.json")
        second.wait_for(lambda: second.table.witness.alarm is not None, PATIENCE)
        second.close()
    finally:
        server.close()
    alarm = second.table.witness.alarm
    assert alarm is not None
    assert alarm.kind == "log"
    judged = here("verify", "--evidence", str(second.table.evidence))
    assert (judged.status, "two different histories of its public log" in judged.out) == (0, True), judged


def is_proven(seat: BlockingTable) -> tuple[Alarm | None, dict[str, bool]]:
    """What the client has noted once it knows whether the log has its table."""
    seat.wait_for(lambda: "table" in seat.table.witness.memory.log, PATIENCE)
    return seat.table.witness.alarm, seat.table.witness.memory.log


def test_an_honest_server_raises_no_alarm_over_kills(server: Server, tmp_path: Path, soon: None) -> None:
    first = sit(server, tmp_path / "ann" / "1.json")
    assert is_proven(first) == (None, {"table": True})
    server.kill()
    server.start()
    first.wait_for(lambda: first.table.connected, PATIENCE)
    second = sit(server, tmp_path / "ann" / "2.json")
    assert is_proven(second) == (None, {"table": True})
    assert first.table.witness.alarm is None
    first.close()
    second.close()


def test_a_change_of_key_is_in_the_log(server: Server) -> None:
    make_tables(server, 1)
    log = ServerLog(RestClient(server.base), KnownServers())
    log.advance()
    keys = RestClient(server.base, read_runfile(server.data).token).send("POST", "/admin/key")
    (change,) = msgspec.json.decode(keys, type=ServerKeys).changes
    digest = rotation_digest("", bytes.fromhex(change.old), bytes.fromhex(change.new), change.at)
    until(lambda: _has(log, leaf_of_log("key", "", digest)))


def _has(log: ServerLog, entry: bytes) -> bool:
    try:
        log.prove(entry)
    except ServerRefused:
        return False
    return True
