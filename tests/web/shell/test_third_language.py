"""A language that is added by files alone, in a real browser: it is offered, its words are shown, and its own
plural rules choose among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.server.running import until
from tests.test_third_language import LANGUAGE, plain_words, pseudo
from tests.web.shell.served_copy import FORMS, ServedCopy
from tests.web.shell.server_process import Visitor
from tests.web.shell.test_japanese import READ

_MONTHS = """(language) => {
  const { format } = new Intl.DateTimeFormat(language, { month: "long" });
  return Array.from({ length: 12 }, (_, month) => format(new Date(2026, month)));
}"""
_ALL_FORMS = """async (counts) => {
  const { t } = await import("/app/words.js");
  return counts.map((count) => t("lobby.waiting", { count }));
}"""


@pytest.fixture
def visitor(served_copy: ServedCopy, browser: Browser) -> Iterator[Visitor]:
    come = Visitor(browser, served_copy.url, locale=f"{LANGUAGE}-SI")
    yield come
    come.leaves()
    assert come.complaints == []


def _plain_words(page: Page) -> set[str]:
    """Words that no catalogue has; the browser itself names months."""
    return plain_words(page.evaluate(READ), "Facedown", *page.evaluate(_MONTHS, LANGUAGE))


def _expect_the_new_language(page: Page) -> None:
    with suppress(AssertionError):
        until(lambda: not _plain_words(page))
    assert _plain_words(page) == set()


def test_the_page_is_in_the_new_language_from_the_first_moment(visitor: Visitor) -> None:
    page = visitor.page
    page.route("**/app/main.js", lambda route: None)  # never answered
    page.goto("/", wait_until="commit")

    expect(page.get_by_role("heading", name=pseudo("Davenport"), exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Davenport", exact=True)).to_have_count(0)


def test_the_new_language_is_chosen_in_the_settings_and_shown(visitor: Visitor) -> None:
    page = visitor.goes_to("/settings")
    expect(page.get_by_role("heading", name=pseudo("Settings"), exact=True)).to_be_visible()
    menu = page.locator(".settings-list select")
    expect(menu.locator("option", has_text="日本語")).to_have_count(1)

    menu.select_option("English")
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    visitor.follows("/rules/davenport")
    expect(page.get_by_role("heading", name="Davenport", exact=True)).to_be_visible()

    visitor.follows("/settings")
    menu.select_option(pseudo("English"))
    expect(page.get_by_role("heading", name=pseudo("Settings"), exact=True)).to_be_visible()
    visitor.follows("/new")
    expect(page.get_by_text(pseudo("Most rounds won wins."))).to_be_visible()  # a text of the server
    _expect_the_new_language(page)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGE)


def test_a_late_answer_in_the_previous_language_is_not_shown(visitor: Visitor) -> None:
    page = visitor.goes_to("/")
    expect(page.get_by_role("button", name=pseudo("Play now")).first).to_be_visible()
    visitor.follows("/settings")
    menu = page.locator(".settings-list select")
    held: list[Route] = []

    def hold_english(route: Route) -> None:
        if route.request.headers["accept-language"] == "en":
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/games", hold_english)
    menu.select_option("English")
    until(lambda: page.evaluate("1") and held)
    menu.select_option(pseudo("English"))
    visitor.follows("/new")
    expect(page.get_by_text(pseudo("Most rounds won wins."))).to_be_visible()
    _expect_the_new_language(page)

    with page.expect_request_finished(lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))")
    assert _plain_words(page) == set()


def test_plurals_and_a_table_with_its_game_are_in_the_new_language(visitor: Visitor) -> None:
    page = visitor.goes_to("/")
    expect(page.get_by_role("button", name=pseudo("Play now")).first).to_be_visible()
    assert page.evaluate(_ALL_FORMS, list(FORMS)) == [f"{count} {form}" for count, form in FORMS.items()]
    page.get_by_role("button", name=pseudo("Play now")).first.click()
    expect(page.locator(".stage ul[data-free=true]")).to_be_visible()
    _expect_the_new_language(page)
    expect(page.locator(".ec-seat-side").first).to_contain_text(
        re.compile(f"{pseudo('Slave side')}|{pseudo('Emperor side')}")  # drawn
    )
    hands = (f'[aria-label$="{pseudo(f"{held} cards in hand")}"]' for held in (4, 5))  # one may lie sealed
    expect(page.locator(",".join(hands)).first).to_be_attached()
