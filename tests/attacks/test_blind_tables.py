"""Blind tables under attack: not even the server can know a pick before all have sealed, and refusing to open
gains nothing."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from facedown.core.chance import pick_commitment
from facedown.core.game import FORFEIT
from facedown.core.record import Record
from facedown.core.replay import verify
from tests.server.http.client import Caller, Meet, new_id, sit_down
from tests.server.kept import everything_of, kept_by
from tests.server.running import Server, until

LIVE = {"kind": "decision", "seconds": 3600, "bank": 0}
PATIENT = "import facedown.server.table.setup as setup\nsetup.OPENING_MS = 3_600_000"
HASTY = "import facedown.server.table.setup as setup\nsetup.OPENING_MS = 1_000"


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
    head: bytes
    pick: str
    nonce: bytes

    @property
    def commit(self) -> str:
        return pick_commitment(self.table, self.decision, self.seat, self.head, self.pick, self.nonce).hex()

    def reveal(self, command: str = "") -> Any:
        body = {"decision": self.decision, "pick": self.pick, "nonce": self.nonce.hex()}
        return self.caller.ask("POST", _path(self.table), {"id": command or new_id(), "do": "reveal", **body})


def _path(table: str) -> str:
    return f"/tables/{table}/commands"


def seal(caller: Caller, table: str, seat: int, place: int = 0) -> Sealed:
    snap = caller.see(table)
    turn, pick = snap["table"]["turn"], snap["legal"][place % len(snap["legal"])]
    decision, head = turn["decision"], bytes.fromhex(turn["head"])
    made = Sealed(caller, table, seat, decision, head, pick, secrets.token_bytes(32))
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
    assert kept_by(server).secrets_of(table, ("sealed", "shown")) == []

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


def test_refusing_to_open_costs_the_round_and_the_second_time_the_game(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Bob never opens what he seals: it never helps him, and the record says so."""
    running = Server(tmp_path_factory.mktemp("hasty") / "data").after(HASTY).start()
    try:
        with Caller(running.base) as ann, Caller(running.base) as bob:
            ann.begin("Ann")
            bob.begin("Bob")
            table = blind(ann, bob)
            while (snap := ann.see(table))["table"]["state"] == "playing":
                turn = snap["table"]["turn"]
                order = [seat for wave in turn["waiting"] for seat in wave]
                sealed = {seat: seal((ann, bob)[seat - 1], table, seat) for seat in order}
                if 1 in sealed:
                    sealed[1].reveal()
                until(lambda now=turn["decision"]: _decision(ann, table) != now)
            record = Record.read(ann.ask("GET", f"/tables/{table}/record").text)
    finally:
        running.close()
    forfeits = [joint for joint in record.picks if joint[1] == FORFEIT]
    assert 1 <= len(forfeits) <= 2
    assert record.result is not None
    assert record.result["winner"] != 2
    assert all(each.holds is not False for each in verify(record))


def _decision(caller: Caller, table: str) -> int:
    turn = caller.see(table)["table"]["turn"]
    return 0 if turn is None else int(turn["decision"])
