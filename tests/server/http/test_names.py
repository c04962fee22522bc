"""Names: a kept account is called by its handle, a machine by its name, a new guest by none of another."""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest

from facedown.core.chance import entropy_commitment
from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.server.http.client import ENTROPY, Caller, Meet, play_out, sit_down
from tests.server.http.keeping import follow, keep, new_handle, sign_in
from tests.server.http.test_cases import case_of, operator_of
from tests.server.http.test_tournaments import ALL, wait_for, wish
from tests.server.running import Server


def noor() -> str:
    """A handle with capitals, which no other test has."""
    return f"Noor_{new_handle()[:12]}"


def guest(meet: Meet) -> Caller:
    """A guest who gets a name from the server."""
    caller = meet()
    follow(caller, caller.ok("POST", "/session", {"kind": "program"}, 201))
    return caller


def names(table: dict[str, Any]) -> list[str]:
    return [each["name"] for each in table["seats"]]


def test_who_keeps_an_account_is_called_by_its_handle(server: Server, meet: Meet, here: Here) -> None:
    someone, bob, operator = guest(meet), meet("Bob"), operator_of(server, meet)
    table, handle = sit_down(someone, bob), noor()
    assert re.fullmatch(r"Guest \d{4}", someone.ok("GET", "/session")["name"])
    code = keep(someone, handle)

    # at the table where the guest sat, and in the chat
    assert names(bob.see(table)["table"]) == [handle, "Bob"]
    v = someone.do(table, "say", text="hello")["v"]
    said = [each for each in bob.see(table)["table"]["said"] if each["v"] == v]
    assert [each["name"] for each in said] == [handle]
    assert [names(each) for each in bob.ok("GET", "/tables?mine=true")["tables"]] == [[handle, "Bob"]]

    # when challenged, and among those one has played with
    play_out(table, someone, bob)
    met = bob.ok("GET", "/people/me/friends")["opponents"]
    assert [each["name"] for each in met] == [handle]
    someone.ok("POST", "/challenges", {"game": "ecard", "table": table, "seat": 2}, 201)
    assert [each["name"] for each in bob.ok("GET", "/notices")["notices"] if each["kind"] == "challenge"] == [
        handle
    ]

    # in a case, and wherever the operator looks
    bob.ok("POST", "/reports", {"about": "words", "table": table, "message": v}, 204)
    assert case_of(operator, someone)["name"] == handle
    found = operator.ok("GET", f"/admin/people?find={handle.lower()}")["people"]
    assert [(each["person"], each["name"], each["handle"]) for each in found] == [
        (someone.person, handle, handle)
    ]
    data = ("--data", str(server.data))
    assert f"{someone.person}  {handle}  account  " in here("admin", "people", handle.upper(), *data).out
    here("admin", "appoint", handle.lower(), *data)
    assert f"{someone.person}  {handle}  moderator  since " in here("admin", "moderators", *data).out
    assert f"the operator  appoint  {handle}\n" in here("admin", "audit", *data).out

    # the page has the capitals; signing in does not need them
    assert bob.ok("GET", f"/people/{handle.lower()}")["handle"] == handle
    assert sign_in(meet, handle.upper(), code).ok("GET", "/session")["name"] == handle


def test_no_one_sits_at_a_public_table_by_another_name(ann: Caller, meet: Meet) -> None:
    someone, table = guest(meet), ann.make(public=True)["table"]
    keep(someone, handle := noor())
    commit = entropy_commitment(table, 2, ENTROPY).hex()
    someone.ok("POST", f"/tables/{table}/join", {"seat": 2, "commit": commit, "name": "Somebody"}, 201)
    assert names(someone.see(table)["table"]) == ["", handle]


def test_the_past_has_the_names_that_people_have_now(ann: Caller, meet: Meet) -> None:
    """So that the games and the score against each opponent are those of one person."""
    someone, handle = guest(meet), noor()
    play_out(sit_down(someone, ann), someone, ann)
    keep(someone, handle)

    own = ann.ok("GET", "/people/me")
    assert [each["names"] for each in own["games"]] == [[handle, "Ann"]]
    assert [each["name"] for each in own["rivals"]] == [handle]
    found = ann.ok("GET", f"/people/me/games?opponent={handle}")["games"]
    assert [each["names"] for each in found] == [[handle, "Ann"]]


def test_standings_have_each_name_once_and_machines_by_theirs(ann: Caller, meet: Meet) -> None:
    keep(ann, handle := noor())
    machines = ["pip", "mara"]
    made = ann.ok("POST", ALL, wish(kind="rounds", rounds=1, starts_in=60, machines=machines), 201)
    path = f"{ALL}/{made['head']['tournament']}"
    late, twins = guest(meet), [meet("Guest 4821") for _ in range(2)]
    late.ok("PUT", f"{path}/entry", {})
    keep(late, later := noor())
    for each in (ann, *twins):
        each.ok("PUT", f"{path}/entry", {})

    rows = wait_for(ann, path, lambda info: len(info["rows"]) == 6 and info["rows"])["rows"]
    people = {each["name"] for each in rows if not each.get("machine")}
    assert people == {handle, later, "Guest 4821", "Guest 4821 2"}
    assert {each["name"] for each in rows if each.get("machine")} == {*machines}, "programs read ids"
    lines = list(csv.reader(ann.ask("GET", f"{path}/results.csv").text.splitlines()))
    assert {line[1] for line in lines[1:]} == {*people, "Pip", "Mara"}


def test_a_kept_account_changes_no_more_than_the_capitals_of_its_name(ann: Caller, meet: Meet) -> None:
    keep(ann, handle := noor())
    assert ann.refused("PATCH", "/session", {"name": "Somebody"}) == (409, "name_is_handle")
    renamed = ann.ok("PATCH", "/session", {"name": handle.upper()})
    assert (renamed["name"], renamed["handle"]) == (handle.upper(), handle.upper())
    assert meet().ok("GET", f"/people/{handle}")["handle"] == handle.upper()
    bot = ann.ok("POST", "/account/bots", {"handle": f"B{new_handle()[:3]}"}, 201)
    assert bot["bot"]["name"] == f"{bot['bot']['handle']} (bot: {handle.upper()})"
    program = meet()
    program.http.headers["Authorization"] = f"Bearer {bot['token']}"
    assert program.ask("PATCH", "/session", {"name": "Human"}).status_code in (403, 409)


# --- machines, and games in which no one waits -----------------------------------------------------------


def test_a_notice_has_the_names_of_machines(ann: Caller, bob: Caller) -> None:
    made = ann.make("davenport", machine="jorun")
    table = made["table"]
    ann.join(table, 1)
    bob.join(table, 2, made["invite"])
    ann.open(table)
    bob.open(table)

    turns = [each for each in ann.ok("GET", "/notices")["notices"] if each["kind"] == "turn"]
    assert [each["name"] for each in turns] == ["Bob, Jorun"]
    turns = ann.ok("GET", "/notices", accept_language="ja")["notices"]
    assert "jorun" not in turns[0]["name"]


@pytest.mark.parametrize("alone", ["against a machine", "on one device"])
def test_a_game_in_which_no_one_else_waits_makes_no_notice(ann: Caller, alone: str) -> None:
    if alone == "on one device":
        table = ann.make(hotseat=True)["table"]
        tokens = [ann.join(table, seat)["token"] for seat in (1, 2)]
        for token in tokens:
            ann.http.headers["Facedown-Seat"] = token
            ann.open(table)
        del ann.http.headers["Facedown-Seat"]
    else:
        table = ann.make(people=1, machine="pip")["table"]
        ann.join(table, 1)
        ann.open(table)

    assert ann.ok("GET", "/tables?mine=true")["tables"][0]["your_turn"]
    assert ann.ok("GET", "/notices")["notices"] == []


# --- the operator ----------------------------------------------------------------------------------------


def test_two_equal_guests_are_told_apart_before_one_is_erased(server: Server, meet: Meet) -> None:
    operator, name = operator_of(server, meet), f"Twin {new_handle()[:6]}"
    one, other, bob = meet(name), meet(name), meet("Bob")
    sit_down(one, bob)

    found = operator.ok("GET", f"/admin/people?find={name}")["people"]
    facts = {each["person"]: (each["seats"], each["handle"], each["used_at"] > 0) for each in found}
    assert facts == {one.person: (1, "", True), other.person: (0, "", True)}


def test_the_audit_list_says_what_was_refused(server: Server, meet: Meet, here: Here) -> None:
    operator, guest = operator_of(server, meet), meet("Lou")
    operator.refused("DELETE", "/admin/people/nobody-of-this-name")
    operator.refused("PUT", f"/admin/moderators/{guest.person}")

    lines = here("admin", "audit", "--data", str(server.data)).out.splitlines()
    assert lines[1].endswith("the operator  appoint  Lou  refused (not_now)")
    assert lines[2].endswith("the operator  erase person    refused (not_there)")
