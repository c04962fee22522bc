"""People in the browser: one's own page, what others see of it, lists, and searches."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from facedown.core.chance import entropy_commitment
from tests.server.http.client import ENTROPY, Caller, meeting, sit_and_reveal
from tests.server.http.keeping import keep, new_handle
from tests.server.http.test_profiles import play_first
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import REFUSALS, ServerProcess, Visitor
from tests.web.shell.test_accounts import fits

RATED = "classic(first=drawn)"


@pytest.fixture
def ann(server: ServerProcess) -> Iterator[Caller]:
    """A person with an account, who has played four games against another one."""
    with meeting(server.url) as meet:
        ann, bob = meet("Ann"), meet("Bob")
        for caller, name in ((ann, f"ann{new_handle()}"), (bob, f"bob{new_handle()}")):
            keep(caller, name)
        for loser in (ann, bob, bob, bob):
            loser.do(sit_and_reveal(ann, bob, rules=RATED), "resign", decision=2)
        yield ann


def handle_of(caller: Caller) -> str:
    return str(caller.ok("GET", "/people/me")["page"]["handle"])


def comes_as(caller: Caller, visitor: Visitor) -> Page:
    visitor.page.add_init_script("localStorage['facedown.known'] = true")
    visitor.continues_as(caller.token)
    return visitor.page


def test_a_page_of_ones_own_and_what_others_see_of_it(comes: Comes, ann: Caller) -> None:
    visitor, other = (comes(wide=360, high=900, light=True) for _ in range(2))
    other.forgives(REFUSALS)  # at the end the page is not found
    page, handle = comes_as(ann, visitor), handle_of(ann)
    visitor.goes_to("/me")
    expect(page.locator("h1")).to_have_text(handle)
    expect(page.locator(".profile-games li")).to_have_count(4)
    expect(page.locator(".rivals .rival-score")).to_have_text("3–1")
    expect(page.locator(".result").first).to_contain_text("3")
    expect(page.locator(".rating-lines")).to_be_visible()
    page.locator(".rating-numbers summary").click()
    expect(page.locator(".rating-numbers tbody tr")).to_have_count(4)
    fits(page)

    seen = other.goes_to(f"/people/{handle}")
    expect(seen.locator(".rating-head")).to_be_visible()
    expect(seen.locator(".result").first).to_be_visible()
    expect(seen.locator(".profile-games, .rivals, .shown-parts")).to_have_count(0)
    parts = page.locator(".shown-parts input")
    expect(parts).to_have_count(5)
    parts.nth(4).check()
    expect(page.locator(".shown-parts [role=alert]")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    seen.reload()
    expect(seen.locator(".profile-games li")).to_have_count(4)
    fits(seen)
    page.get_by_role("link", name="What others see").click()
    expect(page.locator(".profile-preview")).to_be_visible()
    page.locator(".profile-preview a").click()

    parts.first.uncheck()
    expect(parts).to_have_count(1)
    page.wait_for_load_state("networkidle")
    seen.reload()
    expect(seen.get_by_role("heading")).to_have_text("No such page")
    fits(seen)


def test_games_and_people_are_found_by_what_was_typed_last(comes: Comes, ann: Caller) -> None:
    visitor = comes(wide=360, high=900)
    page, handle = comes_as(ann, visitor), handle_of(ann)
    visitor.goes_to("/me/games")
    games = page.locator(".profile-games li")
    expect(games).to_have_count(4)
    fits(page)
    page.locator(".search-form select").last.select_option("lost")
    expect(games).to_have_count(1)
    page.locator(".search-form input").first.fill("nobody")
    expect(games).to_have_count(0)
    page.locator(".search-form input").first.fill("bo")
    expect(games).to_have_count(1)

    visitor.follows("/people")
    field = page.get_by_role("searchbox")
    field.fill(handle[:8].upper())
    found = page.locator(".people-find li a")
    expect(found).to_have_text(re.compile(handle))
    fits(page)
    held: list[Route] = []
    page.route("**/api/v1/people?find=zz", lambda route: held.append(route))  # it marks the handler
    with page.expect_request("**/api/v1/people?find=zz"):
        field.fill("zz")
    field.fill(handle[:9])
    expect(found).to_have_text(re.compile(handle))
    assert len(held) == 1
    field.fill("")
    expect(found).to_have_count(0)


def test_a_guest_sees_a_page_that_no_one_else_sees(comes: Comes) -> None:
    visitor = comes()
    page = visitor.goes_to("/")
    page.get_by_role("button", name="Play now: E-Card").click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    visitor.follows("/me")
    expect(page.locator(".shown-parts")).to_contain_text("Only you see this page")
    expect(page.get_by_role("link", name="Keep this account")).to_be_visible()


def test_a_game_on_one_device_names_those_who_play_it(server: ServerProcess, comes: Comes) -> None:
    with meeting(server.url) as meet:
        host = meet("Ann")
        table = host.make(hotseat=True)["table"]
        for seat, name in ((1, "Ann"), (2, "Bo")):
            commit = entropy_commitment(table, seat, ENTROPY).hex()
            sat = {"seat": seat, "commit": commit, "name": name}
            host.ok("POST", f"/tables/{table}/join", sat, 201)
        page = comes_as(host, visitor := comes())
        visitor.goes_to("/")
        expect(page.locator(".your-game .who")).to_have_text("Ann and Bo, on this device")
        expect(page.get_by_role("button", name="Put away: Ann, Bo")).to_be_visible()


def test_what_gives_one_away_and_the_drill_against_it(comes: Comes, server: ServerProcess) -> None:
    with meeting(server.url) as meet:
        ann, bob = meet("Ann"), meet("Bob")
        visitor = comes(wide=360, high=900, light=True)
        page = comes_as(ann, visitor)
        play_first(ann, bob, 20)
        visitor.goes_to("/me")
        page.locator(".readable-block a").click()
        expect(page.locator(".readable-missing")).to_be_visible()
        fits(page)

        play_first(ann, bob, 20)
        page.reload()
        expect(page.locator(".habit h2").first).to_have_text(re.compile("at the first play"))
        fits(page)
        page.locator(".habit a").first.click()
        cards = page.locator(".drill-card")
        for number in range(20):
            expect(page.locator(".drill-fields [data-did=none]")).to_have_count(20 - number)
            expect(page.locator(".drill")).to_have_attribute("aria-busy", "false")
            cards.nth(0 if number in (3, 8, 12, 17) else 1).click()
        expect(page.locator(".study-mark")).to_contain_text("The habit is gone")
        fits(page)
        page.locator(".study-mark a").click()
        page.go_back()
        expect(page.locator(".drill-fields [data-did=true]")).to_have_count(4)
        page.goto(f"{server.url}/me")
        expect(page.locator(".readable-block")).to_be_visible()
