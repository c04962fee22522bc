"""Attacks on contacts: floods of challenges, watching a person who did not agree to it."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.server.http.client import Caller, Meet, sit_down
from tests.server.http.keeping import keep

FRIENDS, CHALLENGES, NOTICES, CONTACT = "/people/me/friends", "/challenges", "/notices", "/people/me/contact"


def challenge(table: str, seat: int) -> dict[str, Any]:
    return {"game": "ecard", "table": table, "seat": seat}


def kinds(caller: Caller) -> list[str]:
    return [each["kind"] for each in caller.ok("GET", NOTICES)["notices"]]


def test_one_victim_gets_one_challenge_of_a_pest(meet: Meet) -> None:
    pest, victim = meet("Pest"), meet("Victim")
    table = sit_down(pest, victim)
    with ThreadPoolExecutor(4) as tabs:
        asked = [tabs.submit(pest.ask, "POST", CHALLENGES, challenge(table, 2)) for _ in range(8)]
        statuses = sorted(each.result().status_code for each in asked)
    assert statuses == [201] + [409] * 7
    assert kinds(victim).count("challenge") == 1
    (waiting,) = [each for each in victim.ok("GET", NOTICES)["notices"] if each["kind"] == "challenge"]
    victim.ok("DELETE", f"{CHALLENGES}/{waiting['table']}", status=204)
    assert pest.refused("POST", CHALLENGES, challenge(table, 2)) == (409, "challenge_waits")
    assert "challenge" not in kinds(victim)


def test_guests_do_not_block_the_challenges_of_a_friend(meet: Meet) -> None:
    """Many guests of one address, and accounts, challenge a person; a friend's challenge comes through."""
    victim, friend = meet("Victim"), meet("Friend")
    met = sit_down(victim, friend)
    victim.ok("POST", FRIENDS, {"table": met, "seat": 2}, 201)
    statuses = []
    for number in range(23):
        pest = meet(f"Pest {number}")
        if number >= 12:
            keep(pest)
        asked = pest.ask("POST", CHALLENGES, challenge(sit_down(pest, victim), 2))
        statuses.append(asked.status_code)
    assert statuses == [201] * 10 + [429] * 2 + [201] * 10 + [429]
    assert friend.ask("POST", CHALLENGES, challenge(met, 1)).status_code == 201


def test_a_handle_does_not_tell_that_a_hidden_account_exists(meet: Meet) -> None:
    """Following by handle answers as for nobody; who met the person at a table follows them by the seat."""
    hidden, curious = meet("Hidden"), meet("Curious")
    handle = f"hidden{secrets.token_hex(4)}"
    keep(hidden, handle)
    hidden.ok("PUT", "/people/me/page", {"shows": []})
    unknown = curious.ask("POST", FRIENDS, {"handle": f"nobody{secrets.token_hex(4)}"}).json()
    for path, body in ((FRIENDS, {}), (CHALLENGES, {"game": "ecard"})):
        refused = curious.ask("POST", path, {**body, "handle": handle}).json()
        assert {**refused, "request": ""} == {**unknown, "request": ""}
    table = sit_down(hidden, curious)
    curious.ok("POST", FRIENDS, {"table": table, "seat": 1}, 201)


def test_a_pest_cannot_challenge_everybody(meet: Meet) -> None:
    pest = meet("Pest")
    tables = [sit_down(pest, meet(f"Victim {number}")) for number in range(7)]
    answers = [pest.ask("POST", CHALLENGES, challenge(table, 2)).status_code for table in tables]
    assert answers == [201] * 5 + [429] * 2


def test_a_blocked_person_cannot_challenge_or_see_and_does_not_learn_why(meet: Meet) -> None:
    ann, pest = meet("Ann", kind="browser"), meet("Pest", kind="browser")
    table = sit_down(ann, pest)
    for caller, seat in ((ann, 2), (pest, 1)):
        caller.ok("POST", FRIENDS, {"table": table, "seat": seat}, 201)
        caller.ok("PATCH", CONTACT, {"here": True})
        caller.ok("GET", NOTICES)
    assert pest.ok("GET", FRIENDS)["followed"][0]["here"]

    ann.ok("POST", "/people/me/relations", {"kind": "block", "table": table, "seat": 2}, 201)

    assert pest.ok("GET", FRIENDS)["followed"] == []
    pest.ok("POST", FRIENDS, {"table": table, "seat": 1}, 201)
    (again,) = pest.ok("GET", FRIENDS)["followed"]
    assert (again["friend"], again["here"]) == (False, False)
    assert "here" not in kinds(pest)
    refusal = pest.ask("POST", CHALLENGES, challenge(table, 1)).json()
    other = meet("Other")
    elsewhere = sit_down(other, pest)
    other.ok("PATCH", CONTACT, {"challenges": "nobody"})
    usual = pest.ask("POST", CHALLENGES, challenge(elsewhere, 1)).json()
    assert (refusal["code"], refusal["detail"]) == (usual["code"], usual["detail"])
    assert ann.refused("POST", FRIENDS, {"table": table, "seat": 2}) == (409, "cannot_follow")


def test_a_one_sided_follower_does_not_see_who_is_here(meet: Meet) -> None:
    ann, stalker = meet("Ann", kind="browser"), meet("Stalker", kind="browser")
    table = sit_down(ann, stalker)
    for caller in (ann, stalker):
        caller.ok("PATCH", CONTACT, {"here": True})
        caller.ok("GET", NOTICES)
    stalker.ok("POST", FRIENDS, {"table": table, "seat": 1}, 201)
    assert not stalker.ok("GET", FRIENDS)["followed"][0]["here"]
    assert "here" not in kinds(stalker)


def test_an_erased_person_cannot_be_followed_or_challenged(meet: Meet) -> None:
    ann, bob, eve = meet("Ann"), meet("Bob"), meet("Eve")
    table, other = sit_down(ann, bob), sit_down(eve, bob)
    follow = ann.ok("POST", FRIENDS, {"table": table, "seat": 2}, 201)["id"]
    bob.ok("POST", CHALLENGES, challenge(table, 1), 201)
    assert "challenge" in kinds(ann)
    bob.ok("DELETE", "/people/me", status=204)
    assert ann.ok("GET", FRIENDS)["followed"] == []
    assert "challenge" not in kinds(ann)
    assert ann.refused("POST", CHALLENGES, {"game": "ecard", "follow": follow}) == (404, "not_there")
    for seat_of_erased in (table, other):
        status, code = eve.refused("POST", FRIENDS, {"table": seat_of_erased, "seat": 2})
        assert (status, code) in ((400, "bad_message"), (409, "cannot_follow"))
    assert "Bob" not in str(ann.ok("GET", FRIENDS)) + str(ann.ok("GET", NOTICES))


def test_a_stranger_cannot_answer_for_others(meet: Meet) -> None:
    ann, bob, eve = meet("Ann"), meet("Bob"), meet("Eve")
    table = sit_down(ann, bob)
    made = ann.ok("POST", CHALLENGES, challenge(table, 2), 201)
    assert eve.refused("DELETE", f"{CHALLENGES}/{made['table']}") == (404, "not_there")
    joining = {"seat": 3 - made["seat"], "commit": "0" * 64}
    assert eve.refused("POST", f"/tables/{made['table']}/join", joining) == (404, "unknown_table")
    assert "challenge" in kinds(bob)
