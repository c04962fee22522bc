"""A copy of the package, served from its sources: a language that is added to it, and edits of its files.

The language is added by files alone: it is offered, its words are shown, and its own plural rules choose
among them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.patience import PATIENCE
from tests.server.running import until
from tests.test_third_language import LANGUAGE, copy_with_language, plain_words, pseudo
from tests.web.shell.server_process import Visitor
from tests.web.shell.test_languages import READ

FORMS: Final = {1: "enojina", 2: "dvojina", 3: "množina", 5: "ostalo", 101: "enojina", 104: "množina"}
"""Which form Slovenian takes for a number: it has four."""


class ServedCopy(NamedTuple):
    """Where the server is, and the folder of its package."""

    url: str
    package: Path


@pytest.fixture(scope="module")
def served_copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedCopy]:
    """The server of a copy."""
    tree = copy_with_language(tmp_path_factory.mktemp("copy"))
    _give_forms(tree / "facedown/web/locale" / f"{LANGUAGE}.po")
    server = subprocess.Popen(
        [sys.executable, "-m", "facedown", "serve", "--data", str(tree / "data"), "--port", "0"],
        env=os.environ | {"PYTHONPATH": str(tree), "FACEDOWN_CLIENT": "sources"},
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout is not None
    found = (re.search(r"http://[^/\s]+:\d+", line) for line in server.stdout)
    address = next(each[0] for each in found if each)
    reader = threading.Thread(target=server.stdout.read, daemon=True)  # a full pipe would block the server
    reader.start()
    yield ServedCopy(address, tree / "facedown")
    server.terminate()
    server.wait(PATIENCE)
    reader.join()
    server.stdout.close()


def _give_forms(source: Path) -> None:
    """Tell the forms of one message apart."""
    text = source.read_text(encoding="utf-8")
    start = text.index('msgid "lobby.waiting"')
    words = dict.fromkeys(FORMS.values())
    forms = "".join(f'msgstr[{at}] "{{count}} {word}"\n' for at, word in enumerate(words))
    entry = re.sub(r"(?:msgstr\[\d\] .*\n)+", forms, text[start:], count=1)
    source.write_text(text[:start] + entry, encoding="utf-8")


_MONTHS = """(language) => {
  const { format } = new Intl.DateTimeFormat(language, { month: "long" });
  return Array.from({ length: 12 }, (_, month) => format(new Date(2026, month)));
}"""
_ALL_FORMS = """async (counts) => {
  const { t } = await import("/app/words.js");
  return counts.map((count) => t("lobby.waiting", { count }));
}"""


def _plain_words(page: Page) -> set[str]:
    """Words that no catalogue has; the browser itself names months."""
    return plain_words(page.evaluate(READ), "Facedown", *page.evaluate(_MONTHS, LANGUAGE))


def _expect_the_new_language(page: Page) -> None:
    with suppress(AssertionError):
        until(lambda: not _plain_words(page))
    assert _plain_words(page) == set()


def test_a_language_that_is_added_and_edits_are_shown(served_copy: ServedCopy, browser: Browser) -> None:
    visitor = Visitor(browser, served_copy.url, locale=f"{LANGUAGE}-SI")
    page = visitor.page

    # from the first moment
    page.route("**/app/main.js", lambda route: None)  # never answered
    page.goto("/", wait_until="commit")
    expect(page.get_by_role("heading", name=pseudo("Davenport"), exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Davenport", exact=True)).to_have_count(0)
    expect(page.get_by_role("button")).to_have_count(0)
    page.unroute("**/app/main.js")

    # in the settings
    visitor.goes_to("/settings")
    expect(page.get_by_role("heading", name=pseudo("Settings"), exact=True)).to_be_visible()
    menu = page.locator(".settings-list select")
    expect(menu.locator("option", has_text="日本語")).to_have_count(1)
    menu.select_option("English")
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    visitor.follows("/rules/davenport")
    expect(page.get_by_role("heading", name="Davenport", exact=True)).to_be_visible()
    page.reload()
    visitor.follows("/settings")
    menu.select_option(pseudo("English"))
    visitor.goes_to("/")
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGE)
    expect(page.get_by_role("button", name=pseudo("Play now")).first).to_be_visible()
    visitor.follows("/settings")

    # a late answer in the previous language is not shown
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
    expect(page.get_by_text(pseudo("Most rounds won wins."))).to_be_visible()  # a text of the server
    _expect_the_new_language(page)
    with page.expect_request_finished(lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))")
    assert _plain_words(page) == set()

    # plurals, and a table with its game
    assert page.evaluate(_ALL_FORMS, list(FORMS)) == [f"{count} {form}" for count, form in FORMS.items()]
    visitor.goes_to("/")
    page.get_by_role("button", name=pseudo("Play now")).first.click()
    expect(page.locator(".stage ul[data-free=true]")).to_be_visible()
    _expect_the_new_language(page)
    expect(page.locator(".ec-seat-side").first).to_contain_text(
        re.compile(f"{pseudo('Slave side')}|{pseudo('Emperor side')}")  # drawn
    )
    hands = (f'[aria-label$="{pseudo(f"{held} cards in hand")}"]' for held in (4, 5))  # one may lie sealed
    expect(page.locator(",".join(hands)).first).to_be_attached()

    # edits are shown when the page is loaded again
    web = served_copy.package / "web"
    _add(web / "app/styles/base.css", "body { outline-color: rgb(1 2 3) }\n")
    _add(web / "app/html.js", "globalThis.edited = 1;\n")
    words = web / f"locale/{LANGUAGE}.po"
    edited = words.read_text(encoding="utf-8").replace(pseudo("Play now"), "Play at once")
    words.write_text(edited, encoding="utf-8")
    visitor.goes_to("/")
    expect(page.get_by_role("button", name="Play at once").first).to_be_visible()
    page.wait_for_function("() => getComputedStyle(document.body).outlineColor === 'rgb(1, 2, 3)'")
    assert page.evaluate("edited") == 1
    visitor.leaves()
    assert visitor.complaints == []


def _add(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as opened:
        opened.write(text)
