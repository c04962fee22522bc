"""Attacks on people's pages: reading what is not shown, by others, the blocked and the mistaken."""

from __future__ import annotations

from tests.server.http.client import Meet, sit_down
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


def test_the_erased_have_no_page_and_their_address_stays_empty(meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    handle = new_handle()
    keep(ann, handle)
    ann.ok("DELETE", "/people/me", status=204)
    assert bob.refused("GET", f"/people/{handle}") == NOT_THERE
    assert bob.refused("POST", "/account", {"handle": handle}) == (409, "handle_taken")


def test_an_address_that_looks_alike_shows_no_one(meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    handle = f"a{new_handle()}"
    keep(ann, handle)
    cyrillic = f"\u0430{handle[1:]}"
    for like in (cyrillic, f"{handle}\u200b", f"{handle}.", f"{handle}%2f", f"{handle}'--", handle * 40):
        assert bob.refused("GET", f"/people/{like}") == NOT_THERE, like
