"""People's pages: one's own, and what others see of it."""

from __future__ import annotations

from typing import Any

from tests.server.http.client import Caller, sit_down
from tests.server.http.keeping import keep, new_handle

RATED = "classic(first=drawn)"


def show(caller: Caller, *parts: str) -> Any:
    return caller.ok("PUT", "/people/me/page", {"shows": parts})


def test_a_guest_has_a_page_of_their_own_that_no_one_else_sees(ann: Caller) -> None:
    me = ann.ok("GET", "/people/me")
    assert (me["name"], me["page"]) == ("Ann", None)
    assert ann.refused("PUT", "/people/me/page", {"shows": ["page"]}) == (409, "not_now")


def test_a_kept_account_has_a_page_at_its_handle(ann: Caller, bob: Caller, stranger: Caller) -> None:
    handle = new_handle()
    keep(ann, handle)
    ann.do(sit_down(ann, bob, rules=RATED), "resign", decision=1)

    page = stranger.ok("GET", f"/people/{handle}")

    assert (page["handle"], page["you"]) == (handle, False)
    (rated,) = page["ratings"]
    assert (rated["game"], rated["rating"]["games"]) == ("ecard", 1)
    assert ann.person not in str(page), "an id is for its owner alone"
    assert ann.ok("GET", f"/people/{handle.upper()}") == {**page, "you": True}
    assert ann.ok("GET", "/people/me")["page"]["shows"] == ["page", "rating", "results"]


def test_each_part_is_shown_by_choice(ann: Caller, bob: Caller, stranger: Caller) -> None:
    handle = new_handle()
    keep(ann, handle)
    ann.do(sit_down(ann, bob, rules=RATED), "resign", decision=1)

    assert show(ann, "page")["shows"] == ["page"]
    assert stranger.ok("GET", f"/people/{handle}")["ratings"] is None
    show(ann, "rating", "results")
    assert stranger.refused("GET", f"/people/{handle}") == (404, "not_there")
    assert ann.refused("GET", f"/people/{handle}") == (404, "not_there"), "one sees what others see"
    show(ann, "page", "rating")
    assert stranger.ok("GET", f"/people/{handle}")["ratings"]
    assert ann.refused("PUT", "/people/me/page", {"shows": ["everything"]}) == (400, "bad_message")
    assert ann.ok("GET", "/people/me/data")["account"]["shows"] == ["page", "rating"]
