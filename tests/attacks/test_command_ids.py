"""Attacks with command ids: an id belongs to its sender, and is good for one command."""

from __future__ import annotations

from typing import Any

from tests.server.http.client import ENTROPY, Caller, Meet, new_id, sealed, sit_down
from tests.server.running import Server, until


def send(caller: Caller, table: str, command: str, what: str, **more: object) -> Any:
    """Send a command with an id of the attacker's choice."""
    return caller.ok("POST", f"/tables/{table}/commands", {"id": command, "do": what, **more})


def picks_of(caller: Caller, table: str, decision: int) -> list[int]:
    """The seats that have sealed in this decision."""
    events = caller.ok("GET", f"/tables/{table}/events")["events"]
    return [each["seat"] for each in events if each["k"] == "sealed" and each["decision"] == decision]


def may_seal(caller: Caller, table: str, seat: int, decision: int) -> bool:
    """Whether this decision is open, and the seat may place now."""
    turn = caller.see(table)["table"]["turn"]
    return turn["decision"] == decision and seat in turn["may_seal"]


def legal_and_head(caller: Caller, table: str) -> tuple[str, str]:
    """A legal pick, and the head of the open decision."""
    snap = caller.see(table)
    return snap["legal"][0], snap["table"]["turn"]["head"]


def test_an_id_is_not_acknowledged_for_a_second_pick(meet: Meet) -> None:
    """A program numbers its picks and begins again from 1: its next pick must not vanish with an `ack`."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob, game="davenport")
    first = sealed(table, 1, 1, *legal_and_head(ann, table))
    acked = send(ann, table, "p1", **first)
    assert send(ann, table, "p1", **first) == acked, "the very same again gets the first answer"
    bob.pick(table, 2, 1, bob.see(table)["legal"][0])

    second = sealed(table, 1, 2, *legal_and_head(ann, table))
    body = {"id": "p1", "do": second.pop("what"), **second}

    assert ann.refused("POST", f"/tables/{table}/commands", body) == (409, "reused_id")
    assert picks_of(ann, table, 2) == [], "nothing was stored"
    assert ann.ok("POST", f"/tables/{table}/commands", {**body, "id": "p2"})["v"]
    assert picks_of(ann, table, 2) == [1]


def test_a_stranger_cannot_use_up_the_ids_of_the_next_player(meet: Meet) -> None:
    """A stranger sits at a public table, uses every id that clients are known to use, and leaves."""
    ann, bob, squatter = meet("Ann"), meet("Bob"), meet("Squatter")
    table = ann.make(public=True)["table"]
    squatter.join(table, 1)
    for likely in ("open-1", "open1", "open", "1"):
        send(squatter, table, likely, "say", preset="hello")
    squatter.do(table, "leave")

    ann.join(table, 1)
    bob.join(table, 2)
    send(ann, table, "open-1", "open", entropy=ENTROPY.hex())
    bob.open(table)

    seats = ann.see(table)["table"]["seats"]
    assert [seat["opened"] for seat in seats] == [ENTROPY.hex()] * 2, "dealt with the entropy of both"


def test_a_player_cannot_freeze_the_machine_that_takes_the_seat_over(meet: Meet, server: Server) -> None:
    """Bob chats with the ids of machines, leaves, and is replaced: the machine plays all the same."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob)
    for number in range(1, 8):
        send(bob, table, f"m{number}", "say", preset="smile")
    bob.do(table, "leave")
    machine = ann.see(table)["table"].get("substitute", "uniform")
    ann.do(table, "replace", seat=2, machine=machine)
    server.kill()
    server.start()

    for decision in (1, 2):
        until(lambda asked=decision: may_seal(ann, table, 1, asked))  # the machine may have to place first
        ann.pick(table, 1, decision, ann.see(table)["legal"][0])
        until(lambda asked=decision: sorted(picks_of(ann, table, asked)) == [1, 2])


def test_ids_are_known_after_a_crash(meet: Meet, server: Server) -> None:
    """The answer to a pick is lost with the server: repeating it seals nothing twice, and nothing else."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob)
    pick = sealed(table, 1, 1, *legal_and_head(ann, table))
    acked = send(ann, table, "p1", **pick)
    server.kill()
    server.start()

    assert send(ann, table, "p1", **pick) == acked
    other = {"id": "p1", "do": "say", "preset": "hello"}
    assert ann.refused("POST", f"/tables/{table}/commands", other) == (409, "reused_id")
    assert picks_of(ann, table, 1) == [1]


def test_a_key_makes_one_table_and_stays_good_for_its_order(meet: Meet, server: Server) -> None:
    """The answer to an order is lost, and its table changes: repeated, it is the same order."""
    ann = meet("Ann")
    order = {"game": "davenport", "seats": [{"kind": "person"}] * 3}
    key = new_id()
    made = ann.ok("POST", "/tables", order, 201, Idempotency_Key=key)
    ann.join(made["table"], 1)
    ann.do(made["table"], "fill", seat=3, machine="uniform")
    server.kill()
    server.start()

    again = ann.ok("POST", "/tables", order, 201, Idempotency_Key=key)
    assert again["table"] == made["table"]
    other = {**order, "public": True}
    assert ann.refused("POST", "/tables", other, Idempotency_Key=key) == (409, "reused_id")
