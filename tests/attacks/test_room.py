"""Attacks on the room: reading private tables, hidden picks and people out of what home shows to anyone."""

from __future__ import annotations

import time
from typing import Any

from tests.patience import PATIENCE
from tests.server.http.client import Caller, Meet, sit_down

CLOCK = {"kind": "decision", "seconds": 3600}


def shown(caller: Caller, table: str) -> Any:
    """The room, once it shows this table: answers are kept for a few seconds."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        room = caller.ok("GET", "/room")
        if room.get("watch", {}).get("table") == table:
            return room
        time.sleep(0.2)
    raise AssertionError(f"{table} is not shown")


def test_a_stranger_sees_what_spectators_see_and_nothing_of_private_tables(meet: Meet) -> None:
    ann, bob, eve = meet("Ann-who-plays"), meet("Bob-who-plays"), meet()
    hidden = [
        sit_down(meet("Hidden-host"), meet("Hidden-guest"), clock=CLOCK, watch="anyone"),
        sit_down(meet("Hidden-host"), meet("Hidden-guest"), clock=CLOCK, public=True, watch="nobody"),
    ]
    table = sit_down(ann, bob, clock=CLOCK, public=True, watch="anyone")
    decision = ann.see(table)["table"]["turn"]["decision"]
    ann.pick(table, 1, decision, ann.see(table)["legal"][0])
    room = shown(eve, table)
    text = str(room)
    assert not [each for each in hidden if each in text]
    assert "Hidden" not in text
    assert [ann.person in text, bob.person in text] == [False, False]
    assert room["watch"]["view"] == eve.see(table)["view"]
    assert "legal" not in room["watch"]
    assert ann.ok("GET", "/room").get("watch", {}).get("table") != table, "one's own game is not one to watch"


def test_a_person_who_waits_is_a_number(meet: Meet) -> None:
    ann, eve = meet("Ann-who-waits"), meet()
    wanted = {"game": "ecard", "clock": {"kind": "decision", "seconds": 30, "bank": 2999}}
    ann.ok("PUT", "/pairing/ticket", wanted)
    text = str(eve.ok("GET", "/room"))
    assert ann.person not in text
    assert "Ann-who-waits" not in text


def test_flooding_the_ticket_is_one_ticket_and_ends_in_a_refusal(meet: Meet) -> None:
    """Repeating it faster than a client does neither helps in the line nor costs more than other requests."""
    greedy, other = meet("Greedy"), meet("Other")
    wanted = {"game": "ecard", "clock": {"kind": "decision", "seconds": 30, "bank": 2998}}
    answers = [greedy.ask("PUT", "/pairing/ticket", wanted) for _ in range(150)]
    assert {each.status_code for each in answers} <= {200, 429}
    assert {each.json()["waiting"] for each in answers if each.status_code == 200} == {1}
    assert len({each.json()["since"] for each in answers if each.status_code == 200}) == 1
    other.ok("PUT", "/pairing/ticket", {**wanted, "clock": {**wanted["clock"], "bank": 2997}})  # type: ignore[dict-item]


def test_many_tables_of_one_guest_do_not_hide_those_of_others(meet: Meet) -> None:
    """The list of public tables has the newest of each host first."""
    ann, greedy = meet("Ann"), meet("Greedy")
    waiting = ann.make(public=True)["table"]
    many = [greedy.make(public=True)["table"] for _ in range(60)]
    listed = [each["table"] for each in meet("Visitor").ok("GET", "/tables")["tables"]]
    assert waiting in listed
    assert len(listed) == 50
    assert (
        listed.index(many[-1])
        < listed.index(waiting)
        < min(listed.index(each) for each in many[:-1] if each in listed)
    )
