"""Finding people to play with, over REST: tickets, the table that is found, and the protocol of its deal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from facedown.client.rest import RestClient, pair
from facedown.protocol.messages import Clock
from facedown.protocol.pairing import NewTicket
from tests.patience import PATIENCE
from tests.server.http.client import Caller, Meet
from tests.server.running import Server, until

TICKET = "/pairing/ticket"
_pools = iter(range(1, 3000))


def wish(**more: object) -> dict[str, Any]:
    """A wish with a clock that no other test has: tests share a server."""
    return {"game": "ecard", "clock": {"kind": "decision", "seconds": 30, "bank": next(_pools)}, **more}


def paired(ann: Caller, bob: Caller, wanted: dict[str, Any]) -> tuple[Any, Any]:
    """What both get for the same wish."""
    ann.ok("PUT", TICKET, wanted)
    theirs = bob.ok("PUT", TICKET, wanted)
    return ann.ok("PUT", TICKET, wanted), theirs


def waiting_for(caller: Caller, wanted: dict[str, Any]) -> list[int]:
    """How many people wait for this, as the room shows it."""
    pools = caller.ok("GET", "/room").get("pools", [])
    return [each["waiting"] for each in pools if each["clock"]["bank"] == wanted["clock"]["bank"]]


def conduct_of(caller: Caller) -> dict[str, Any]:
    found: dict[str, Any] = caller.ok("GET", TICKET).get("conduct", {"level": "fine", "faults": []})
    return found


def test_two_people_find_each_other_and_play(ann: Caller, bob: Caller) -> None:
    wanted = wish(rules="classic")
    waiting = ann.ok("PUT", TICKET, wanted)
    assert (waiting["state"], waiting["waiting"]) == ("waiting", 1)
    until(lambda: waiting_for(ann, wanted) == [1])

    mine, theirs = paired(ann, bob, wanted)

    table = mine["table"]
    assert mine["state"] == theirs["state"] == "found"
    assert table == theirs["table"]
    assert {mine["seat"], theirs["seat"]} == {1, 2}
    assert sorted(each["name"] for each in mine["people"]) == ["Ann", "Bob"]
    assert {(each["rating"], each["error"]) for each in mine["people"]} == {(1500, 400)}
    seen = ann.see(table)["table"]
    assert (seen["state"], seen["clock"]) == (
        "open",
        {**seen["clock"], **wanted["clock"]},
    )
    assert [each["kept_for"] for each in seen["seats"]] == [each["name"] for each in mine["people"]]

    ann.join(table, mine["seat"])
    bob.join(table, theirs["seat"])
    ann.open(table)
    bob.open(table)
    assert ann.see(table)["table"]["state"] == "playing"
    assert ann.ok("PUT", TICKET, wish())["state"] == "playing", "one game by seconds at a time"


def test_a_request_waits_until_a_table_is_found(ann: Caller, bob: Caller) -> None:
    wanted = wish()
    assert ann.ok("PUT", TICKET, wanted)["state"] == "waiting"
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(ann.ok, "PUT", f"{TICKET}?wait=5", wanted)
        found = bob.ok("PUT", TICKET, wanted)
        assert asked.result(PATIENCE)["table"] == found["table"]


def test_who_makes_others_wait_is_told_why_and_at_last_paused(ann: Caller, bob: Caller, meet: Meet) -> None:
    def declines(who: Caller, other: Caller) -> str:
        paired(who, other, wish())
        who.ok("DELETE", TICKET, status=204)
        return str(conduct_of(who)["level"])

    assert [declines(who, meet("Other")) for who in (ann, bob) for _ in range(2)] == ["notice", "slow"] * 2
    assert declines(ann, bob) == "paused", "the two meet at once, and others only later"
    assert ann.refused("PUT", TICKET, wish()) == (403, "pairing_paused")
    conduct = conduct_of(ann)
    assert [each["kind"] for each in conduct["faults"]] == ["declined"] * 3
    assert conduct["until"] == conduct["faults"][-1]["at"] + 600_000
    assert len(ann.ok("GET", "/people/me/data")["faults"]) == 3
    assert len(conduct_of(bob)["faults"]) == 2, "who was declined is not blamed"


def test_a_ticket_says_that_a_notice_is_due(ann: Caller, bob: Caller) -> None:
    wanted = wish()
    paired(ann, bob, wanted)
    ann.ok("DELETE", TICKET, status=204)
    assert ann.ok("PUT", TICKET, wish())["conduct"]["level"] == "notice"
    assert "conduct" not in bob.ok("PUT", TICKET, wanted)


def test_a_seat_is_for_the_person_it_was_found_for(ann: Caller, bob: Caller, stranger: Caller) -> None:
    mine, theirs = paired(ann, bob, wish())
    table = mine["table"]
    joining = {"seat": theirs["seat"], "commit": "0" * 64}
    assert ann.refused("POST", f"/tables/{table}/join", joining) == (409, "seat_taken")
    stranger.begin("Eve")
    assert stranger.refused("POST", f"/tables/{table}/join", joining) == (404, "unknown_table")
    for do in ("free", "close"):
        command = {"id": do, "do": do, "seat": theirs["seat"]}
        assert ann.refused("POST", f"/tables/{table}/commands", command) == (403, "not_yours")


def test_people_who_want_different_games_do_not_meet(ann: Caller, bob: Caller) -> None:
    ann.ok("PUT", TICKET, wish())
    assert bob.ok("PUT", TICKET, wish())["state"] == "waiting"
    days = wish(clock={"kind": "correspondence", "days": 2, "bank": next(_pools)})
    mine, theirs = paired(ann, bob, days)
    assert mine["table"] == theirs["table"]
    assert mine["until"] - mine["since"] > 20 * 3_600_000, "by days, people come when they can"


def test_a_wish_that_is_not_possible_is_refused(ann: Caller) -> None:
    def refusal(**more: object) -> tuple[int, str]:
        return ann.refused("PUT", TICKET, wish(**more))

    assert refusal(game="chess") == (400, "unknown_game")
    assert refusal(rules="nonsense") == (400, "unreadable_rules")
    assert refusal(clock={"kind": "none"}) == (400, "bad_message")
    assert refusal(least_seats=3)[1] == "illegal_seats"
    assert refusal(game="davenport", least_seats=5, most_seats=4)[1] == "illegal_seats"
    assert ann.ok("PUT", TICKET, wish(game="davenport", least_seats=3))["state"] == "waiting"


def test_a_ticket_is_in_the_export(ann: Caller) -> None:
    assert ann.ok("GET", "/people/me/data")["waits_for"] is None
    wanted = wish()
    since = ann.ok("PUT", TICKET, wanted)["since"]
    exported = ann.ok("GET", "/people/me/data")["waits_for"]
    assert exported["since"] == since
    assert str(wanted["clock"]["bank"]) in exported["pool"]


def test_programs_find_each_other_and_take_their_seats(server: Server) -> None:
    wanted = NewTicket("ecard", Clock("decision", 30, bank=next(_pools)))
    clients = [RestClient(server.base) for _ in range(2)]
    for each in clients:
        each.sign_in("Calm")
    with ThreadPoolExecutor() as pool:
        keys = [each.result(PATIENCE) for each in [pool.submit(pair, each, wanted) for each in clients]]
    assert None not in keys
    assert {key.seat for key in keys if key} == {1, 2}
    assert clients[0].table(keys[0].table if keys[0] else "").table.state == "opening"
    assert pair(clients[0], NewTicket("ecard", Clock("decision", 30, bank=next(_pools))), 0.1) is None


def test_a_request_that_waits_does_not_bring_a_withdrawn_ticket_back(ann: Caller, bob: Caller) -> None:
    """Another tab stops, while this one waits for its answer."""
    wanted = wish()
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(ann.ok, "PUT", f"{TICKET}?wait=5", wanted)
        while ann.ok("GET", TICKET)["state"] == "none":
            pass
        ann.ok("DELETE", TICKET, status=204)
        assert asked.result(PATIENCE) == {"state": "none"}
    assert bob.ok("PUT", TICKET, wanted)["state"] == "waiting"


def test_looking_at_a_ticket_changes_nothing(ann: Caller, bob: Caller) -> None:
    wanted = wish()
    assert ann.ok("GET", TICKET) == {"state": "none"}
    since = ann.ok("PUT", TICKET, wanted)["since"]
    assert ann.ok("GET", TICKET) == {"state": "waiting", "since": since, "waiting": 1}
    theirs = bob.ok("PUT", TICKET, wanted)
    mine = ann.ok("GET", TICKET)
    assert (mine["state"], mine["table"]) == ("found", theirs["table"])
    bob.ok("DELETE", TICKET, status=204)
    assert ann.ok("GET", TICKET)["state"] == "waiting"
    ann.ok("DELETE", TICKET, status=204)
    assert ann.ok("GET", TICKET) == {"state": "none"}


def test_a_first_game_waits_longer_for_those_who_read_the_hints(ann: Caller, bob: Caller) -> None:
    mine, _ = paired(ann, bob, wish())
    assert ann.see(mine["table"])["table"]["clock"]["ready"] == 60
