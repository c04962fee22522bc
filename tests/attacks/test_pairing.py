"""Attacks on pairing: a chosen opponent, two seats for one person, another person's ticket."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from facedown.core.chance import entropy_commitment
from tests.server.http.client import ENTROPY, Caller, Meet, sit_down

TICKET = "/pairing/ticket"
_banks = iter(range(1, 3000))


def wish() -> dict[str, Any]:
    """A wish with a clock that no other test has: tests share a server."""
    return {"game": "ecard", "clock": {"kind": "decision", "seconds": 30, "bank": next(_banks)}}


def put(caller: Caller, wanted: dict[str, Any]) -> Any:
    return caller.ok("PUT", TICKET, wanted)


def test_a_sniper_who_declines_does_not_get_the_same_victim_again(meet: Meet) -> None:
    """Looking at the name, and coming back until the right person sits there, takes the sniper to the end of
    the line, and away from this person for a while; the third time, pairing pauses."""
    victim, sniper, other, wanted = meet("Victim"), meet("Sniper"), meet("Other"), wish()
    since = put(victim, wanted)["since"]
    assert put(sniper, wanted)["state"] == "found"
    for _ in range(3):
        sniper.ok("DELETE", TICKET, status=204)
        assert put(sniper, wanted)["state"] == "waiting"
    assert (put(victim, wanted)["state"], put(victim, wanted)["since"]) == ("waiting", since)
    assert put(other, wanted)["state"] == "found"


def test_who_stops_waiting_before_being_told_of_a_table_is_not_blamed(meet: Meet) -> None:
    """The withdrawal crosses with the pairing. One who has been told, by either call, has declined."""
    for looks, kinds in (((), []), (("PUT",), ["declined"]), (("GET",), ["declined"])):
        ann, bob, wanted = meet("Ann"), meet("Bob"), wish()
        put(ann, wanted)
        table = put(bob, wanted)["table"]
        for method in looks:
            assert ann.ok(method, TICKET, wanted if method == "PUT" else None)["state"] == "found"
        ann.ok("DELETE", TICKET, status=204)
        assert faults(ann) == kinds
        assert bob.see(table)["table"]["state"] == "closed"
        assert put(bob, wanted)["state"] == "waiting"


def test_a_blocked_person_waits_and_does_not_learn_why(meet: Meet) -> None:
    ann, pest, wanted = meet("Ann"), meet("Pest"), wish()
    table = sit_down(ann, pest)
    seat = next(each["seat"] for each in ann.see(table)["table"]["seats"] if each["name"] == "Pest")
    ann.ok("POST", "/people/me/relations", {"kind": "block", "table": table, "seat": seat}, 201)
    put(ann, wanted)
    for _ in range(3):
        answer = put(pest, wanted)
        assert answer == {"state": "waiting", "since": answer["since"], "waiting": 2}
        assert put(ann, wanted)["state"] == "waiting"


def test_a_person_in_many_tabs_is_no_opponent_of_their_own(meet: Meet) -> None:
    ann, wanted = meet("Ann"), wish()
    with ThreadPoolExecutor(8) as tabs:
        answers = [each.result() for each in [tabs.submit(put, ann, wanted) for _ in range(16)]]
    assert {(each["state"], each["waiting"]) for each in answers} == {("waiting", 1)}
    assert len({each["since"] for each in answers}) == 1


def test_a_person_is_seated_once_whatever_they_ask_for_at_once(meet: Meet) -> None:
    """One who asks for several games from several tabs, with an opponent waiting in each."""
    greedy, wishes = meet("Greedy"), [wish() for _ in range(4)]
    for wanted in wishes:
        put(meet("Opponent"), wanted)
    with ThreadPoolExecutor(8) as tabs:
        answers = [each.result() for each in [tabs.submit(put, greedy, wanted) for wanted in wishes * 3]]
    assert len({each["table"] for each in answers}) == 1, "every tab gets the one table"


def test_no_call_names_another_person(meet: Meet) -> None:
    """A ticket is that of the session: there is nothing to forge in a call."""
    ann, eve, wanted = meet("Ann"), meet("Eve"), wish()
    put(ann, wanted)
    assert eve.refused("PUT", TICKET, {**wanted, "person": ann.person}) == (400, "bad_message")
    eve.ok("DELETE", f"{TICKET}?person={ann.person}", status=204)
    assert put(ann, wanted)["waiting"] == 1
    room = eve.ok("GET", "/room")
    assert ann.person not in str(room)
    assert "Ann" not in str(room)


def test_a_person_who_declined_does_not_sit_down_after_all(meet: Meet) -> None:
    """The others are sent back to the line: a late seat must not keep them at two tables."""
    ann, bob, wanted = meet("Ann"), meet("Bob"), wish()
    put(ann, wanted)
    found = put(bob, wanted)
    bob.ok("DELETE", TICKET, status=204)
    commit = entropy_commitment(found["table"], found["seat"], ENTROPY).hex()
    joining = {"seat": found["seat"], "commit": commit}
    assert bob.refused("POST", f"/tables/{found['table']}/join", joining) == (409, "not_now")


# --- conduct ---------------------------------------------------------------------------------------------


def decline(who: Caller, other: Caller) -> None:
    """They are paired, and the one turns it down."""
    wanted = wish()
    put(other, wanted)
    assert put(who, wanted)["state"] == "found"
    who.ok("DELETE", TICKET, status=204)


def faults(caller: Caller) -> list[str]:
    return [each["kind"] for each in caller.ok("GET", TICKET).get("conduct", {"faults": []})["faults"]]


def test_games_against_machines_take_no_fault_back(meet: Meet) -> None:
    rude = meet("Rude")
    decline(rude, meet("Other"))
    for _ in range(3):
        table = rude.make(people=1, machine="random", rules="classic(first=drawn)")["table"]
        rude.join(table, 1)
        rude.open(table)
        rude.do(table, "resign", decision=1)
    rude.ok("GET", "/standings/ecard")
    assert faults(rude) == ["declined"]


def test_a_new_name_and_a_second_refusal_change_nothing(meet: Meet) -> None:
    rude, other = meet("Rude"), meet("Other")
    decline(rude, other)
    rude.ok("DELETE", TICKET, status=204)
    rude.ok("PATCH", "/session", {"name": "Polite"})
    assert faults(rude) == ["declined"]
    assert faults(other) == [], "the one who was left is not blamed"


def test_no_one_can_be_blamed_by_another(meet: Meet) -> None:
    """One who takes their seat, and gets up again before the other has sat down, keeps the blame."""
    rude, victim, wanted = meet("Rude"), meet("Victim"), wish()
    put(victim, wanted)
    found = put(rude, wanted)
    rude.join(found["table"], found["seat"])
    rude.do(found["table"], "leave")
    rude.ok("DELETE", TICKET, status=204)
    assert (faults(rude), faults(victim)) == (["declined"], [])
    assert put(victim, wanted)["state"] == "waiting"
