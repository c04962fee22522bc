"""A server that shows two histories: its public log gives it away to clients and witnesses that remember."""

from __future__ import annotations

import hashlib
import http.client
import json
import shutil
import threading
from collections.abc import Callable
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from facedown.client import BlockingTable, RestClient, ServerRefused
from facedown.client.keys import SERVERS, KnownServers
from facedown.client.log_entries import DAY_S, EntryCount
from facedown.client.memory import Alarm, Evidence
from facedown.client.public_log import BrokenLog, ServerLog, fork_evidence, observe
from facedown.commands.witness import _Files
from facedown.core.errors import Unreadable
from facedown.core.links import leaf_of_log, rotation_digest
from facedown.core.merkle import consistency_path
from facedown.proof.evidence import EVIDENCE, judge_evidence
from facedown.proof.log import NotInLog, cosign, read_checkpoint
from facedown.proof.signatures import encode_signature, public_key, sign
from facedown.protocol.rest import (
    KeyChange,
    LogCheckpoint,
    LogConsistency,
    LogInclusion,
    PersonSeat,
    ServerKeys,
    TableOrder,
    WitnessedLog,
    WitnessedLogs,
)
from facedown.server.ops.runfile import read_runfile
from tests.cli.command import Ran
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
        self.seen: tuple[WitnessedLog, ...] = ()

    def keys(self) -> ServerKeys:
        return ServerKeys(ADDRESS, public_key(self.private), self.changes)

    def log_checkpoint(self) -> LogCheckpoint:
        return LogCheckpoint(self.log.checkpoint(self.size).sign(self.private), public_key(self.private))

    def log_proof(self, leaf: bytes) -> LogInclusion:
        return LogInclusion(str(self.log.proof(4, self.size)))

    def log_consistency(self, old: int, new: int) -> LogConsistency:
        if new > self.size:
            raise ServerRefused("unknown_entry", "it has fewer", status=404)
        return LogConsistency(tuple(each.hex() for each in self.log.hashes(consistency_path(old, new))))

    def witnessed(self) -> WitnessedLogs:
        return WitnessedLogs(self.seen)

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
    server.log_checkpoint = lambda: LogCheckpoint(LOG.checkpoint(7).sign(PRIVATE), "")  # type: ignore[method-assign]
    assert seen.advance() == newest == known.checkpoint(ADDRESS)
    server.size = 7
    with pytest.raises(BrokenLog, match="fewer entries"):
        seen.advance()


@pytest.mark.parametrize("entry", [ENTRIES[5], leaf_of_log("record", "T4", bytes([4]) * 32)])
def test_a_false_proof_of_an_entry_is_an_alarm(entry: bytes) -> None:
    seen = ServerLog(Liar(), KnownServers())
    assert seen.holds(ENTRIES[4])
    with pytest.raises(BrokenLog, match="false"):
        seen.holds(entry)


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


# --- witnesses -------------------------------------------------------------------------------------------


def witness_of(
    server: Liar, monkeypatch: pytest.MonkeyPatch, seen: WitnessedLog | None = None
) -> WitnessedLog:
    monkeypatch.setattr("facedown.client.public_log.RestClient", lambda address: server)
    return observe(ADDRESS, seen, lambda note: cosign(note, OTHER, 1_700_000_000))


def witness_with(*seen: WitnessedLog, private: bytes = OTHER) -> Liar:
    witness = Liar(private=private)
    witness.address, witness.seen = "http://witness.invalid", seen
    return witness


@pytest.mark.parametrize("sizes", [(13, 13), (7, 13), (13, 7)], ids=str)
def test_two_people_who_are_shown_two_logs_are_told_apart_by_one_witness(
    sizes: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Liar(LOG, sizes[0])
    witness = witness_with(witness_of(server, monkeypatch))
    assert ServerLog(server, KnownServers()).holds(ENTRIES[4], witness), "Ann sees what the witness saw"
    server.show(Log([*REWRITTEN_ENTRIES, *ENTRIES]), sizes[1])
    bob = ServerLog(server, KnownServers())
    bob.advance()
    with pytest.raises(BrokenLog) as caught:
        bob.is_witnessed(witness, 4, bob.advance())
    assert contradicts(caught.value, server) is (True if sizes[0] <= sizes[1] else None)


REWRITTEN_ENTRIES = [leaf_of_log("table", f"B{number}", bytes(32)) for number in range(13)]


def test_a_fork_that_a_witness_saw_stays_and_is_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Liar(size=7)
    first = witness_of(server, monkeypatch)
    server.show(DROPPED)
    forked = witness_of(server, monkeypatch, first)
    assert (forked.checkpoint, bool(forked.fork)) == (first.checkpoint, True)
    server.show(LOG)
    assert witness_of(server, monkeypatch, forked) == forked, "it does not heal"
    assert judge_evidence(fork_evidence(forked)).contradicts
    with pytest.raises(BrokenLog) as caught:
        ServerLog(server, KnownServers()).holds(ENTRIES[4], witness_with(forked))
    assert contradicts(caught.value, server), "it signed the history that it does not show as well"


@pytest.mark.parametrize(
    "lie",
    [
        {"checkpoint": "nonsense"},
        {"checkpoint": cosign(REWRITTEN.checkpoint(13).sign(OTHER), OTHER, 1)},
        {
            "checkpoint": cosign(
                REWRITTEN.checkpoint(13).sign(PRIVATE).rpartition("— ")[0] + "— x AAAAAAAA\n", OTHER, 1
            )
        },
        {"fork": "nonsense"},
        {"fork": REWRITTEN.checkpoint(13).sign(OTHER)},
        {"fork": LOG.checkpoint(12).sign(PRIVATE)},
    ],
    ids=["text", "another key", "no signature", "fork of text", "fork by another key", "fork that is none"],
)
def test_a_witness_that_lies_raises_no_alarm(lie: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    server = Liar()
    witness = witness_with(msgspec.structs.replace(witness_of(server, monkeypatch), **lie))
    assert ServerLog(server, KnownServers()).holds(ENTRIES[4], witness) is ("fork" in lie)


def test_a_client_believes_only_a_witness_that_signed_and_has_seen_its_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Liar(size=4)
    early = witness_of(server, monkeypatch)
    server.size = 13
    late = witness_of(server, monkeypatch)
    for witness, holds in (
        (witness_with(), False),
        (witness_with(early), False),  # entry 4 came later
        (witness_with(late, private=NEW_KEY), False),  # another witness signed it
        (witness_with(late), True),
    ):
        assert ServerLog(server, KnownServers()).holds(ENTRIES[4], witness) is holds


def test_entries_without_an_end_are_counted_and_a_second_end_is_refused() -> None:
    count = EntryCount()
    for entry in ENTRIES:
        count.add(entry)
        assert count.root == LOG.checkpoint(count.size).root
    count.note_time(0)
    count.add(leaf_of_log("record", "T3", bytes(32)))
    count.add(leaf_of_log("closed", "T4", bytes(32)))
    count.add(leaf_of_log("key", "", bytes(32)))
    count.add(leaf_of_log("table", "young", bytes(32)))
    count.note_time(31 * DAY_S)
    again = msgspec.json.decode(msgspec.json.encode(count), type=EntryCount)
    assert (len(again.tables), again.unfinished(29 * DAY_S), again.unfinished(31 * DAY_S)) == (12, 0, 11)
    for entry in (leaf_of_log("record", "T3", bytes(32)), ENTRIES[5], b"nonsense"):
        with pytest.raises(NotInLog):
            count.add(entry)


CHANGE = {"old": public_key(PRIVATE), "new": "", "at": -1, "by_old": "", "by_new": ""}


# --- evidence --------------------------------------------------------------------------------------------


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
    before = read_checkpoint(person.log_checkpoint().checkpoint).size
    for _ in range(count):
        person.make(TableOrder("ecard", (PersonSeat(), PersonSeat())))
    until(lambda: read_checkpoint(person.log_checkpoint().checkpoint).size >= before + count)


def sit(server: Server, memory: Path, witness: str = "") -> BlockingTable:
    """Ann at a new table; she remembers servers in the folder of her memory."""
    person = signed_in(server.base, "Ann")
    made = person.make(TableOrder("ecard", (PersonSeat(), PersonSeat())))
    return take_seat(person, made.table, 1, memory=memory, witness=witness)


def entry_of(seat: BlockingTable) -> bytes:
    return leaf_of_log("table", seat.id, bytes.fromhex(seat.table.witness.head(0)))


def is_checked(seat: BlockingTable, entries: int) -> bool:
    """Whether the client has seen that many entries of the log, or something that does not fit."""
    kept = seat.table._servers.checkpoint(seat.server.address)
    return seat.table.witness.alarm is not None or bool(kept and read_checkpoint(kept).size >= entries)


@for_sqlite
def test_a_server_that_goes_back_to_an_old_store_is_caught_by_client_and_witness(
    tmp_path: Path, here: Here, soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    witness = ("witness", "--once", "--folder", str(tmp_path / "public"))
    server = Server(tmp_path / "data").after("from facedown.server import node; node._LOG_S = 0.05").start()
    try:
        server.kill()
        shutil.copytree(server.data, tmp_path / "old")
        server.start()
        make_tables(server, 2)
        first = sit(server, tmp_path / "ann" / "1.json")
        first.wait_for(lambda: is_checked(first, 3), PATIENCE)
        first.close()
        assert here(*witness, server.base).status == 0
        server.kill()
        shutil.rmtree(server.data)
        shutil.copytree(tmp_path / "old", server.data)
        server.start()
        make_tables(server, 5)
        second = sit(server, tmp_path / "ann" / "2.json")
        second.wait_for(lambda: second.table.witness.alarm is not None, PATIENCE)
        second.close()
        ran = here(*witness, server.base)
    finally:
        server.close()
    alarm = second.table.witness.alarm
    assert alarm is not None
    assert alarm.kind == "log"
    assert (ran.status, "two histories" in ran.err) == (1, True), ran
    (published,) = (tmp_path / "public").glob("*.evidence.json")
    for evidence in (str(second.table.evidence), str(published)):
        judged = here("verify", "--evidence", evidence)
        assert (judged.status, "two different histories of its public log" in judged.out) == (0, True), judged


def is_proven(seat: BlockingTable, look: Callable[[], Ran]) -> tuple[int, Alarm | None, dict[str, bool]]:
    """What the witness says once the log has the table of a seat, and the client after that."""
    until(lambda: _has(ServerLog(RestClient(seat.server.address), KnownServers()), entry_of(seat)))
    ran = look()
    seat.wait_for(lambda: "table" in seat.table.witness.memory.log, PATIENCE)
    return ran.status, seat.table.witness.alarm, seat.table.witness.memory.log


def test_an_honest_server_raises_no_alarm_over_kills(
    server: Server, tmp_path: Path, here: Here, soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    witness = ("witness", "--once", "--json", "--folder", str(tmp_path / "public"), server.base)
    handler = partial(_Files, directory=str(tmp_path / "public"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as public:
        threading.Thread(target=public.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{public.server_address[1]}"
        first = sit(server, tmp_path / "ann" / "1.json", address)
        assert is_proven(first, lambda: here(*witness)) == (0, None, {"table": True})
        server.kill()
        server.start()
        first.wait_for(lambda: first.table.connected, PATIENCE)
        second = sit(server, tmp_path / "ann" / "2.json", address)
        assert is_proven(second, lambda: here(*witness)) == (0, None, {"table": True})
        assert first.table.witness.alarm is None
        first.close()
        second.close()
        asked = http.client.HTTPConnection("127.0.0.1", public.server_address[1], timeout=PATIENCE)
        for path in ("/../state/facedown/witness/key", "/%2e%2e/state/facedown/witness/key"):
            asked.request("GET", path)
            answer = asked.getresponse()
            answer.read()
            assert (path, answer.status) == (path, 404)
        public.shutdown()
    assert len(KnownServers(tmp_path / "ann" / SERVERS).keys) == 2, "the server and the witness"


def test_a_peer_publishes_what_it_saw_and_a_change_of_key_is_in_the_log(
    server: Server, tmp_path: Path, here: Here
) -> None:
    make_tables(server, 1)
    peer = Server(tmp_path / "data", FACEDOWN_PEERS=server.base).start()
    try:
        asked = RestClient(peer.base)
        until(lambda: asked.witnessed().logs)
        known = KnownServers()
        log = ServerLog(RestClient(server.base), known)
        note = log.advance()
        assert log.is_witnessed(asked, 0, note)
        keys = RestClient(peer.base, read_runfile(peer.data).token).send("POST", "/admin/key")
        (change,) = msgspec.json.decode(keys, type=ServerKeys).changes
        digest = rotation_digest("", bytes.fromhex(change.old), bytes.fromhex(change.new), change.at)
        entry = leaf_of_log("key", "", digest)
        changed = ServerLog(asked, known)
        until(lambda: _has(changed, entry))
    finally:
        peer.close()


def _has(log: ServerLog, entry: bytes) -> bool:
    try:
        return log.holds(entry)
    except ServerRefused:
        return False
