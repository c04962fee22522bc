"""Blind tables under attack: not even the server can know a pick before all have sealed, and refusing to open
gains nothing."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from facedown.client.witness import Witness
from facedown.core.chance import pick_commitment
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.protocol.messages import Clock, Ev, OpenedPick
from facedown.protocol.rest import PersonSeat, TableOrder
from facedown.protocol.views import ViewEncoder
from facedown.server.table.actor import NOBODY
from facedown.server.table.snapshot import snapshot_of
from tests.server.http.client import Caller, Meet, new_id, sit_down
from tests.server.kept import everything_of, kept_by
from tests.server.playing import Bench
from tests.server.running import Server, until

LIVE = {"kind": "decision", "seconds": 3600, "bank": 0}
PATIENT = "import facedown.server.table.state as state\nstate.OPEN_PICKS_MS = 3_600_000"
HASTY = "import facedown.server.table.state as state\nstate.OPEN_PICKS_MS = 1_000"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits for openings as long as a busy machine may need."""
    running = Server(tmp_path_factory.mktemp("blind") / "data", FACEDOWN_MACHINE_PAUSE="0")
    yield running.after(PATIENT).start()
    running.close()


class Sealed(NamedTuple):
    """A pick that its player keeps."""

    caller: Caller
    table: str
    seat: int
    decision: int
    pick: str
    nonce: bytes

    @property
    def commit(self) -> str:
        return pick_commitment(self.table, self.decision, self.seat, self.pick, self.nonce).hex()

    def reveal(self, command: str = "") -> Any:
        body = {"decision": self.decision, "pick": self.pick, "nonce": self.nonce.hex()}
        return self.caller.ask("POST", _path(self.table), {"id": command or new_id(), "do": "reveal", **body})


def _path(table: str) -> str:
    return f"/tables/{table}/commands"


def seal(caller: Caller, table: str, seat: int, place: int = 0) -> Sealed:
    snap = caller.see(table)
    decision, pick = snap["table"]["turn"]["decision"], snap["legal"][place % len(snap["legal"])]
    made = Sealed(caller, table, seat, decision, pick, secrets.token_bytes(32))
    caller.do(table, "pick", decision=decision, commit=made.commit)
    return made


def blind(ann: Caller, bob: Caller, **more: object) -> str:
    return sit_down(ann, bob, clock=LIVE, seal="blind", **more)


def test_the_owner_of_the_server_finds_nothing_before_all_have_sealed(meet: Meet, server: Server) -> None:
    """Ann seals. The server's owner reads the whole disk, and asks Ann's client to open too early."""
    ann, bob, watcher = meet("Ann"), meet("Bob"), meet("Wat")
    table = blind(ann, bob)
    turn = ann.see(table)
    whole = {"decision": 1, "pick": turn["legal"][0], "commit": "00" * 32, "nonce": "7e" * 32}
    refused = {"id": new_id(), "do": "pick", **whole}
    assert ann.refused("POST", _path(table), refused) == (400, "bad_message"), "a client that says too much"

    mine = seal(ann, table, 1)
    assert mine.reveal().json()["code"] == "not_now"
    disk = everything_of(server)
    assert mine.commit.encode() in disk, "what was acknowledged is there"
    for nonce in (mine.nonce, b"\x7e" * 32):
        assert nonce not in disk
        assert nonce.hex().encode() not in disk
    assert kept_by(server).secrets_of(table, ("sealed", "unsealed")) == []

    theirs = seal(bob, table, 2)
    assert mine.reveal().status_code == 200
    assert bob.see(table)["table"]["turn"]["to_open"] == [2]
    for other in (bob, watcher):
        heard = (
            other.ask("GET", f"/tables/{table}/events?after=0").text
            + other.ask("GET", f"/tables/{table}").text
        )
        assert mine.nonce.hex() not in heard
        assert '"opens"' not in heard, "nothing is turned before all have opened"
    assert theirs.reveal().status_code == 200
    heard = watcher.ask("GET", f"/tables/{table}/events?after=0").text
    assert mine.nonce.hex() in heard


def test_a_server_killed_at_every_stage_loses_nothing_and_learns_nothing(meet: Meet, server: Server) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    table = blind(ann, bob)

    def killed() -> None:
        server.kill()
        server.start()

    mine = seal(ann, table, 1)
    killed()
    assert [each["commit"] for each in ann.see(table)["table"]["turn"]["sealed"]] == [mine.commit]
    theirs = seal(bob, table, 2)
    killed()
    assert ann.see(table)["table"]["turn"]["to_open"] == [1, 2]
    command = new_id()
    done = mine.reveal(command).json()
    killed()
    assert ann.see(table)["table"]["turn"]["to_open"] == [2]
    assert ann.see(table)["placed"] == mine.pick
    assert bob.see(table)["placed"] is None
    assert mine.reveal(command).json() == done, "a repeated opening gets its first answer"
    assert theirs.reveal().status_code == 200
    killed()
    assert ann.see(table)["table"]["turn"]["decision"] == 2
    events = ann.ok("GET", f"/tables/{table}/events?after=0")["events"]
    [turned] = [each for each in events if each["k"] == "revealed"]
    assert [(each["pick"], each["nonce"]) for each in turned["opens"]] == [
        (mine.pick, mine.nonce.hex()),
        (theirs.pick, theirs.nonce.hex()),
    ]


def test_an_opening_of_something_else_is_refused(meet: Meet) -> None:
    """Bob has received nothing yet, but would like another card now that Ann has sealed."""
    ann, bob = meet("Ann"), meet("Bob")
    table = blind(ann, bob)
    mine, theirs = seal(ann, table, 1), seal(bob, table, 2)
    other = next(each for each in bob.see(table)["legal"] if each != theirs.pick)
    assert theirs._replace(pick=other).reveal().json()["code"] == "bad_seal"
    assert theirs._replace(nonce=bytes(32)).reveal().json()["code"] == "bad_seal"
    assert theirs._replace(caller=ann).reveal().json()["code"] == "bad_seal", "no seat opens for another"
    assert theirs.reveal().status_code == 200
    assert mine.reveal().status_code == 200


def test_blind_tables_need_people_who_can_open(meet: Meet) -> None:
    ann = meet("Ann")
    for more in (
        {},
        {"clock": {"kind": "correspondence"}},
        {"clock": LIVE, "hotseat": True, "watch": "nobody"},
    ):
        body = {"game": "ecard", "seats": [{"kind": "person"}] * 2, "seal": "blind", **more}
        assert ann.refused("POST", "/tables", body) == (400, "not_blind")


def test_refusing_to_open_forfeits_and_the_record_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bob never opens what he seals: a pick is drawn for him, and anyone can draw it again."""
    running = Server(tmp_path_factory.mktemp("hasty") / "data").after(HASTY).start()
    try:
        with Caller(running.base) as ann, Caller(running.base) as bob:
            ann.begin("Ann")
            bob.begin("Bob")
            table = blind(ann, bob)
            acknowledged: set[int] = set()
            while (snap := ann.see(table))["table"]["state"] == "playing":
                turn = snap["table"]["turn"]
                order = [seat for wave in turn["waiting"] for seat in wave]
                sealed = {seat: seal((ann, bob)[seat - 1], table, seat) for seat in order}
                if (mine := sealed[1]).reveal().status_code == 200:
                    acknowledged.add(mine.decision)
                until(lambda now=turn["decision"]: _decision(ann, table) != now)
                if turn["decision"] == 3 and _decision(ann, table) == 4:
                    ann.do(table, "resign", decision=4)
            record = Record.read(ann.ask("GET", f"/tables/{table}/record").text)
    finally:
        running.close()
    assert record.fair is not None
    turned = [(at, each) for at, seals in enumerate(record.fair.seals, 1) for each in seals]
    assert {each.seat for _, each in turned if each.forfeit} >= {2}
    assert all(each.forfeit for _, each in turned if each.seat == 2), "Bob's picks are drawn, all of them"
    assert not [at for at, each in turned if each.seat == 1 and each.forfeit and at in acknowledged]
    assert all(each.holds is not False for each in verify(record))


def test_a_server_that_lies_about_openings_is_noticed() -> None:
    """It asks for openings before all have sealed, takes its word back, or claims that nothing was opened."""
    bench = Bench(TableOrder("ecard", (PersonSeat(), PersonSeat()), clock=Clock("decision"), seal="blind"))
    bench.begin()
    info = snapshot_of(bench.state, 1, "person 1", NOBODY, None, 0, ViewEncoder())
    witness = Witness(bench.table, 1)
    witness.take_snapshot(info)
    witness.take_snapshot(replace(info, table=replace(info.table, seal="server")))
    assert witness.memory.blind, "once blind, a client never sends a pick before all have sealed"

    commit = pick_commitment(bench.table, 1, 1, "C", bytes(32)).hex()
    witness.note_seal(1, "C", "00" * 32, commit)
    assert info.table.turn is not None
    asked = replace(info.table, turn=replace(info.table.turn, to_open=(1, 2), open_until=1))
    witness.take_event(Ev(9, "sealed", decision=1, seat=1, commit=commit), asked)
    assert witness.to_reveal(asked) is None, "the other seal was never heard"
    witness.note_seal(1, "S", "11" * 32, "22" * 32)
    assert witness.memory.own[1].pick == "C", "what the server has can still be opened"
    witness.take_event(Ev(10, "sealed", decision=1, seat=2, commit="ab" * 32), asked)
    assert witness.to_reveal(asked) == witness.memory.own[1]

    turned = Ev(11, "revealed", decision=1, opens=(OpenedPick(1, "S", ""),))
    again = Witness(bench.table, 1, kept=witness.write())
    again.take_event(turned, asked)
    assert again.alarm is None, "it was not acknowledged: the line may have been lost"
    witness.note_revealed(1)
    witness.take_event(turned, asked)
    assert witness.alarm is not None
    assert (witness.alarm.kind, witness.alarm.came) == ("pick", "forfeit")
    plain = Witness(bench.table, 2)
    plain.take_event(turned, None)
    assert plain.alarm is not None, "at other tables nothing is forfeited"


def _decision(caller: Caller, table: str) -> int:
    turn = caller.see(table)["table"]["turn"]
    return 0 if turn is None else int(turn["decision"])
