"""Attacks on people's pages: reading what is not shown, by others, the blocked and the mistaken."""

from __future__ import annotations

from tests.server.http.client import Meet, sit_and_reveal, sit_down
from tests.server.http.keeping import keep, new_handle

NOT_THERE = (404, "not_there")


def test_a_page_that_may_not_be_seen_looks_like_one_that_never_was(meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    handle = new_handle()
    keep(ann, handle)
    assert bob.ok("GET", f"/people/{handle}")["handle"] == handle
    ann.ok("PUT", "/people/me/page", {"shows": []})
    hidden, unknown = (bob.ask("GET", f"/people/{each}").json() for each in (handle, new_handle()))
    assert {**hidden, "request": "", "instance": ""} == {**unknown, "request": "", "instance": ""}


def test_the_blocked_see_no_page(meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    handle = new_handle()
    keep(ann, handle)
    table = sit_down(ann, bob, rules="classic(first=drawn)")
    ann.ok("POST", "/people/me/relations", {"kind": "block", "table": table, "seat": 2}, 201)
    assert bob.refused("GET", f"/people/{handle}") == NOT_THERE
    assert meet().ok("GET", f"/people/{handle}")["handle"] == handle


def test_an_address_that_looks_alike_shows_no_one(meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    handle = f"a{new_handle()}"
    keep(ann, handle)
    cyrillic = f"\u0430{handle[1:]}"
    for like in (cyrillic, f"{handle}\u200b", f"{handle}.", f"{handle}%2f", f"{handle}'--", handle * 40):
        assert bob.refused("GET", f"/people/{like}") == NOT_THERE, like


def test_no_one_lists_everyone(meet: Meet) -> None:
    """A search needs the beginning of a handle, shows few people, and comes back rarely."""
    bob = meet("Bob")
    assert bob.refused("GET", "/people") == (400, "bad_message")
    for wild in ("%25", "_", "*", "%5c"):
        assert bob.ok("GET", f"/people?find={wild}")["people"] == []
    number = 0
    while (status := bob.ask("GET", f"/people?find=h{number}").status_code) == 200:
        number += 1  # a slow machine gets more answers: one comes back every second
    assert status == 429


def test_no_one_searches_the_games_of_another(meet: Meet) -> None:
    ann, bob, stranger = meet("Ann"), meet("Bob"), meet()
    ann.do(sit_and_reveal(ann, bob, rules="classic(first=drawn)"), "resign", decision=2)
    assert stranger.refused("GET", "/people/me/games") == (401, "needs_session")
    assert meet("Eve").ok("GET", f"/people/me/games?person={ann.person}&opponent=Bob")["games"] == []
    keep(ann, handle := new_handle())
    for path in (f"/people/{handle}/games", f"/people/{ann.person}", f"/people/{handle}/data"):
        assert stranger.refused("GET", path) == NOT_THERE


def test_a_table_with_an_invitation_is_not_linked_from_a_page(meet: Meet) -> None:
    """Who knows its id may look at such a table: only those who sat there give it on."""
    ann, bob = meet("Ann"), meet("Bob")
    keep(ann, handle := new_handle())
    ann.ok("PUT", "/people/me/page", {"shows": ["page", "games"]})
    table = sit_down(ann, bob, rules="classic(first=drawn)")
    ann.do(table, "resign", decision=1)
    assert table not in str(meet().ok("GET", f"/people/{handle}"))


def test_no_one_learns_what_gives_another_away(meet: Meet) -> None:
    ann, bob, stranger = meet("Ann"), meet("Bob"), meet()
    keep(ann, handle := new_handle())
    ann.ok("PUT", "/people/me/page", {"shows": ["page", "rating", "results", "rivals", "games"]})
    ann.do(sit_and_reveal(ann, bob, rules="classic(first=drawn)"), "resign", decision=2)
    assert stranger.refused("GET", "/people/me/readable?game=ecard") == (401, "needs_session")
    eve = meet("Eve").ok("GET", f"/people/me/readable?game=ecard&person={ann.person}&handle={handle}")
    assert eve["games"] == 0
    for path in (f"/people/{handle}/readable", f"/people/{ann.person}/readable"):
        assert bob.refused("GET", f"{path}?game=ecard") == NOT_THERE
    assert "readable" not in str(bob.ok("GET", f"/people/{handle}"))


def test_a_person_who_asks_again_and_again_is_stopped(meet: Meet) -> None:
    ann = meet("Ann")
    answers = [ann.ask("GET", "/people/me/readable?game=ecard") for _ in range(20)]
    assert {each.status_code for each in answers} == {200, 429}
    assert int(answers[-1].headers["retry-after"]) > 0
    assert meet("Bob").ask("GET", "/people/me/readable?game=ecard").status_code in (200, 429)
