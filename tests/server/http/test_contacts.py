"""Following, recent opponents, challenges and notices, over REST."""

from __future__ import annotations

from typing import Any

from tests.server.http.client import Caller, Meet, play_out, sit_down
from tests.server.http.keeping import keep, new_handle

FRIENDS, CHALLENGES, NOTICES = "/people/me/friends", "/challenges", "/notices"


def befriend(ann: Caller, bob: Caller) -> tuple[int, int]:
    """Let both follow each other; the ids under which they do."""
    table = sit_down(ann, bob)
    first = ann.ok("POST", FRIENDS, {"table": table, "seat": 2}, 201)
    second = bob.ok("POST", FRIENDS, {"table": table, "seat": 1}, 201)
    return first["id"], second["id"]


def kinds(caller: Caller) -> list[str]:
    return [each["kind"] for each in caller.ok("GET", NOTICES)["notices"]]


def notice(caller: Caller, kind: str) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = [each for each in caller.ok("GET", NOTICES)["notices"] if each["kind"] == kind]
    return found


# --- following -------------------------------------------------------------------------------------------


def test_two_who_follow_each_other_are_friends(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob)
    followed = ann.ok("POST", FRIENDS, {"table": table, "seat": 2}, 201)
    assert (followed["name"], followed["friend"], followed["here"]) == ("Bob", False, False)
    assert bob.ok("GET", FRIENDS)["followed"] == [], "nobody is told"
    bob.ok("POST", FRIENDS, {"table": table, "seat": 1}, 201)
    (mine,) = ann.ok("GET", FRIENDS)["followed"]
    assert mine["friend"]
    ann.ok("DELETE", f"{FRIENDS}/{mine['id']}", status=204)
    assert ann.ok("GET", FRIENDS)["followed"] == []
    assert not bob.ok("GET", FRIENDS)["followed"][0]["friend"]


def test_a_person_is_followed_by_handle(ann: Caller, bob: Caller) -> None:
    handle = new_handle()
    keep(bob, handle)
    assert ann.ok("POST", FRIENDS, {"handle": handle.upper()}, 201)["handle"] == handle
    assert ann.refused("POST", FRIENDS, {"handle": "nobodyhasthis"}) == (404, "not_there")
    assert ann.refused("POST", FRIENDS, {}) == (400, "bad_message")
    assert bob.refused("POST", FRIENDS, {"handle": handle}) == (400, "bad_message"), "oneself"


def test_recent_opponents_have_a_score(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob)
    play_out(table, ann, bob)
    winner = ann.see(table)["table"]["result"]["winner"]
    (other,) = ann.ok("GET", FRIENDS)["opponents"]
    assert (other["name"], other["table"], other["seat"], other["games"]) == ("Bob", table, 2, 1)
    assert (other["won"], other["lost"]) == (int(winner == 1), int(winner == 2))
    assert other["follow"] == 0
    assert "over" not in kinds(ann), "she was there"
    ann.ok("POST", FRIENDS, {"table": table, "seat": 2}, 201)
    answer = ann.ok("GET", FRIENDS)
    assert answer["opponents"][0]["follow"] == answer["followed"][0]["id"]
    assert answer["followed"][0]["games"] == 1


def test_friends_see_who_is_here_if_both_allow_it(meet: Meet) -> None:
    ann, bob = meet("Ann", kind="browser"), meet("Bob", kind="browser")
    befriend(ann, bob)

    def is_here() -> bool:
        bob.ok("GET", NOTICES)
        here: bool = ann.ok("GET", FRIENDS)["followed"][0]["here"]
        assert ("here" in kinds(ann)) == here
        return here

    assert not is_here(), "by default nobody sees it"
    ann.ok("PATCH", "/people/me/contact", {"here": True})
    assert not is_here(), "Bob does not allow it"
    bob.ok("PATCH", "/people/me/contact", {"here": True})
    assert is_here()
    ann.ok("PATCH", "/people/me/contact", {"here": False})
    assert not is_here(), "who does not show it does not see it"


# --- challenges ------------------------------------------------------------------------------------------


def test_a_challenge_is_accepted_and_played(ann: Caller, bob: Caller) -> None:
    follow, _ = befriend(ann, bob)
    made = ann.ok("POST", CHALLENGES, {"game": "ecard", "follow": follow}, 201)
    table = made["table"]
    ann.join(table, made["seat"])
    asked = notice(bob, "challenge")
    assert (asked["name"], asked["game"], asked["table"], asked["seat"]) == (
        "Ann",
        "ecard",
        table,
        3 - made["seat"],
    )
    assert asked["unread"]
    assert ann.refused("POST", CHALLENGES, {"game": "ecard", "follow": follow}) == (409, "challenge_waits")
    bob.join(table, asked["seat"])
    assert "challenge" not in kinds(bob)
    assert notice(ann, "accepted")["name"] == "Bob"
    ann.open(table)
    bob.open(table)
    notices = [each for caller in (ann, bob) for each in caller.ok("GET", NOTICES)["notices"]]
    assert table in {each["table"] for each in notices if each["kind"] == "turn"}


def test_a_challenge_is_declined(ann: Caller, bob: Caller) -> None:
    follow, _ = befriend(ann, bob)
    wanted = {"game": "ecard", "follow": follow, "clock": {"kind": "correspondence", "days": 2}}
    table = ann.ok("POST", CHALLENGES, wanted, 201)["table"]
    bob.ok("DELETE", f"{CHALLENGES}/{table}", status=204)
    assert notice(ann, "declined")["name"] == "Bob"
    assert "challenge" not in kinds(bob)
    assert ann.see(table)["table"]["state"] == "closed"
    assert ann.refused("POST", CHALLENGES, wanted) == (409, "challenge_waits"), "not before tomorrow"
    assert bob.refused("DELETE", f"{CHALLENGES}/{table}") == (404, "not_there")


def test_a_challenge_is_withdrawn(ann: Caller, bob: Caller) -> None:
    follow, _ = befriend(ann, bob)
    table = ann.ok("POST", CHALLENGES, {"game": "ecard", "follow": follow}, 201)["table"]
    assert (notice(ann, "sent")["name"], notice(ann, "sent")["unread"]) == ("Bob", False)
    ann.ok("DELETE", f"{CHALLENGES}/{table}", status=204)
    assert "sent" not in kinds(ann)
    assert "challenge" not in kinds(bob)
    ann.ok("POST", CHALLENGES, {"game": "ecard", "follow": follow}, 201)


def test_a_person_chooses_who_may_challenge(ann: Caller, bob: Caller) -> None:
    follow, back = befriend(ann, bob)
    wanted = {"game": "ecard", "follow": follow}
    bob.ok("PATCH", "/people/me/contact", {"challenges": "nobody"})
    assert ann.refused("POST", CHALLENGES, wanted) == (409, "no_challenge")
    bob.ok("PATCH", "/people/me/contact", {"challenges": "followed"})
    bob.ok("DELETE", f"{FRIENDS}/{back}", status=204)
    assert ann.refused("POST", CHALLENGES, wanted) == (409, "no_challenge")
    bob.ok("PATCH", "/people/me/contact", {"challenges": "anyone"})
    ann.ok("POST", CHALLENGES, wanted, 201)


def test_a_challenge_that_is_not_possible_is_refused(ann: Caller, bob: Caller) -> None:
    follow, _ = befriend(ann, bob)
    assert ann.refused("POST", CHALLENGES, {"game": "chess", "follow": follow}) == (400, "unknown_game")
    assert ann.refused("POST", CHALLENGES, {"game": "ecard", "follow": 0}) == (404, "not_there")
    assert ann.refused("POST", CHALLENGES, {"game": "ecard"}) == (400, "bad_message")


# --- notices ---------------------------------------------------------------------------------------------


def test_notices_are_unread_until_they_are_read(ann: Caller, bob: Caller) -> None:
    sit_down(ann, bob)
    answer = ann.ok("GET", NOTICES)
    assert answer["unread"]
    ann.ok("PUT", f"{NOTICES}/read", {"at": answer["notices"][0]["at"]}, 204)
    after = ann.ok("GET", NOTICES)
    assert (after["unread"], len(after["notices"])) == (False, len(answer["notices"]))
    ann.ok("PUT", f"{NOTICES}/read", {"at": 0}, 204)
    assert not ann.ok("GET", NOTICES)["unread"], "what was read stays read"


def test_a_rematch_that_the_other_wants_is_a_notice(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob)
    play_out(table, ann, bob)
    following = ann.do(table, "rematch")["next"]
    assert (notice(bob, "rematch")["table"], notice(bob, "rematch")["name"]) == (following, "Ann")
    assert "rematch" not in kinds(ann)
    bob.join(following, notice(bob, "rematch")["seat"])
    assert "rematch" not in kinds(bob)


def test_everything_is_in_the_export(ann: Caller, bob: Caller) -> None:
    follow, _ = befriend(ann, bob)
    table = ann.ok("POST", CHALLENGES, {"game": "ecard", "follow": follow}, 201)["table"]
    bob.ok("PATCH", "/people/me/contact", {"here": True})
    contacts = bob.ok("GET", "/people/me/data")["contacts"]
    assert (contacts["here"], contacts["followed"][0]["name"]) == (True, "Ann")
    assert [(each["table"], each["sent"]) for each in contacts["challenges"]] == [(table, False)]
