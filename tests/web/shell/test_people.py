"""People in the browser: one's own page, what others see of it, lists, and searches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from facedown.core.chance import entropy_commitment
from tests.few import few
from tests.server.http.client import ENTROPY, Caller, meeting, sit_and_reveal
from tests.server.http.keeping import keep, new_handle
from tests.server.http.test_profiles import play_first
from tests.web.shell.server_process import ServerProcess, Visitor
from tests.web.shell.test_accounts import fits

Comes = Callable[..., Visitor]

RATED = "classic(first=drawn)"
SIZES = few([("en-GB", 360, True), ("ja-JP", 1440, False), ("ja-JP", 360, False), ("en-GB", 1440, True)], 1)


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


def rival_of(caller: Caller) -> str:
    return str(caller.ok("GET", "/people/me")["rivals"][0]["name"])


def words_of(name: str) -> list[str]:
    return re.findall("[A-Za-z_']+", name)


def comes_as(caller: Caller, visitor: Visitor) -> Page:
    visitor.page.add_init_script("localStorage['facedown.known'] = true")
    visitor.continues_as(caller.token)
    return visitor.page


@pytest.mark.parametrize(("locale", "wide", "light"), SIZES)
def test_a_page_of_ones_own_and_what_others_see_of_it(
    comes: Comes, ann: Caller, locale: str, wide: int, light: bool
) -> None:
    visitor, other = (comes(wide=wide, high=900, locale=locale, light=light) for _ in range(2))
    page, handle = comes_as(ann, visitor), handle_of(ann)
    (rival,) = ann.ok("GET", "/people/me")["rivals"]
    names = (*re.findall("[A-Za-z_']+", f"{handle} {rival['name']}"), "Bob")
    visitor.goes_to("/me")
    expect(page.locator("h1")).to_have_text(handle)
    expect(page.locator(".profile-games li")).to_have_count(4)
    expect(page.locator(".rivals .rival-score")).to_have_text("3–1")
    expect(page.locator(".result").first).to_contain_text("3")
    expect(page.locator(".rating-lines")).to_be_visible()
    fits(page, locale, *names)
    page.locator(".rating-numbers summary").click()
    expect(page.locator(".rating-numbers tbody tr")).to_have_count(4)
    fits(page, locale, *names)

    seen = other.goes_to(f"/people/{handle}")
    expect(seen.locator(".rating-head")).to_be_visible()
    expect(seen.locator(".result").first).to_be_visible()
    expect(seen.locator(".profile-games, .rivals, .shown-parts")).to_have_count(0)
    fits(seen, locale, *names)
    parts = page.locator(".shown-parts input")
    expect(parts).to_have_count(5)
    parts.nth(4).check()
    expect(page.locator(".shown-parts [role=alert]")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    seen.reload()
    expect(seen.locator(".profile-games li")).to_have_count(4)
    fits(seen, locale, *names)
    page.get_by_role("link", name=re.compile("What others see|ほかの人から見た")).click()
    expect(page.locator(".profile-preview")).to_be_visible()
    fits(page, locale, *names)
    page.locator(".profile-preview a").click()

    parts.first.uncheck()
    expect(parts).to_have_count(1)
    page.wait_for_load_state("networkidle")
    seen.reload()
    expect(seen.get_by_role("heading")).to_have_text(re.compile("No such page|ページが見つかりません"))
    fits(seen, locale, *names)
    other.complaints.clear()  # the page was not found


@pytest.mark.parametrize(("locale", "wide", "light"), SIZES)
def test_games_and_people_are_found(comes: Comes, ann: Caller, locale: str, wide: int, light: bool) -> None:
    visitor = comes(wide=wide, high=900, locale=locale, light=light)
    page, handle = comes_as(ann, visitor), handle_of(ann)
    names = (*words_of(handle), *words_of(rival_of(ann)))
    visitor.goes_to("/me/games")
    games = page.locator(".profile-games li")
    expect(games).to_have_count(4)
    fits(page, locale, *names, "mm", "dd", "yyyy")
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
    fits(page, locale, *names, handle[:8].upper())
    found.click()
    expect(page.locator("h1")).to_have_text(handle)


def test_people_are_found_by_what_was_typed_last(comes: Comes, ann: Caller) -> None:
    visitor = comes()
    page, handle = comes_as(ann, visitor), handle_of(ann)
    held: list[Route] = []
    page.route("**/api/v1/people?find=zz", lambda route: held.append(route))  # it marks the handler
    visitor.goes_to("/people")
    field = page.get_by_role("searchbox")
    with page.expect_request("**/api/v1/people?find=zz"):
        field.fill("zz")
    field.fill(handle[:8])
    expect(page.locator(".people-find li a")).to_have_text(re.compile(handle))
    assert len(held) == 1
    field.fill("")
    expect(page.locator(".people-find li")).to_have_count(0)


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


@pytest.mark.parametrize(("locale", "wide", "light"), SIZES)
def test_what_gives_one_away_and_the_drill_against_it(
    comes: Comes, server: ServerProcess, locale: str, wide: int, light: bool
) -> None:
    with meeting(server.url) as meet:
        ann, bob = meet("Ann"), meet("Bob")
        visitor = comes(wide=wide, high=900, locale=locale, light=light)
        page = comes_as(ann, visitor)
        play_first(ann, bob, 20)
        visitor.goes_to("/me")
        fits(page, locale, "Ann", "Bob")
        page.locator(".readable-block a").click()
        expect(page.locator(".readable-missing")).to_be_visible()
        fits(page, locale)

        play_first(ann, bob, 20)
        page.reload()
        expect(page.locator(".habit h2").first).to_have_text(re.compile("at the first play|1勝負目"))
        fits(page, locale)
        page.locator(".habit a").first.click()
        cards = page.locator(".drill-card")
        for number in range(20):
            expect(page.locator(".drill-fields [data-did=none]")).to_have_count(20 - number)
            expect(page.locator(".drill")).to_have_attribute("aria-busy", "false")
            cards.nth(0 if number in (3, 8, 12, 17) else 1).click()
        expect(page.locator(".study-mark")).to_contain_text(re.compile("The habit is gone|癖は消えました"))
        fits(page, locale)
        page.locator(".study-mark a").click()
        page.go_back()
        expect(page.locator(".drill-fields [data-did=true]")).to_have_count(4)
        page.goto(f"{server.url}/me")
        expect(page.locator(".readable-block")).to_be_visible()
