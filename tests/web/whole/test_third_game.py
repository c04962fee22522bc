"""Games of other packages: one that brings no table for the browser is played at the generic one, one that
`new game --web` wrote at its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from facedown.scaffold.write import ScaffoldName, write_scaffold
from tests.cli.test_new import install
from tests.web.shell.server_process import ServerProcess, Visitor

THIRD_GAME = Path(__file__).parents[2] / "third_game"


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server where the third game is installed, and a new one with a table of its own."""
    new = tmp_path_factory.mktemp("new") / "thumb_war"
    write_scaffold("game", ScaffoldName.read("thumb_war"), new, web=True)
    install(new)
    path = os.pathsep.join(filter(None, [str(THIRD_GAME), str(new), os.environ.get("PYTHONPATH", "")]))
    served = ServerProcess(tmp_path_factory.mktemp("third"), PYTHONPATH=path)
    served.start()
    yield served
    served.stop()


def looks_pressed(button: Locator, filled: Locator) -> None:
    """A raised choice is filled, also under the pointer: its letters have the colour for that."""
    colour = filled.evaluate("(each) => getComputedStyle(each).backgroundColor")
    expect(button).to_have_css("background-color", colour)


def test_a_game_without_a_table_of_its_own_is_played_at_the_generic_one(
    browser: Browser, third: ServerProcess
) -> None:
    visitor = Visitor(browser, third.url, 360, 780)
    page = visitor.goes_to("/")
    page.get_by_role("button", name="Goofspiel", exact=True).click()
    card = page.locator(".home-game").filter(has=page.get_by_role("heading", name="Goofspiel"))
    card.locator(".first").click()

    for decision, pick in enumerate(("5", "13"), 1):
        expect(page.locator(".gn-status")).to_have_text("Choose one, then seal it.")
        expect(page.locator("[data-field=score] dt")).to_have_text("Points")
        seal = page.locator(".gn-seal")
        expect(seal).to_have_attribute("aria-disabled", "true")
        page.locator(f"[data-pick='{pick}']").click()
        expect(page.locator(f"[data-pick='{pick}']")).to_have_attribute("aria-pressed", "true")
        looks_pressed(page.locator(f"[data-pick='{pick}']"), seal)
        seal.click()

        turned = page.locator(".gn-turned")
        expect(turned.locator("li")).to_have_count(2)
        expect(
            turned.locator("li", has_text=re.compile(rf"\D{pick}$")).first
        ).to_be_visible()  # seats are drawn
        expect(turned).to_contain_text("The next prize is worth")
        page.get_by_role("button", name="Go on").click()
        expect(page.locator(".gn-choices button")).to_have_count(13 - decision)

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert visitor.complaints == []
    visitor.leaves()


def test_the_table_that_new_game_writes_is_played(browser: Browser, third: ServerProcess) -> None:
    visitor = Visitor(browser, third.url, 360, 780)
    page = visitor.goes_to("/")
    page.get_by_role("button", name="Thumb war", exact=True).click()
    page.get_by_role("button", name="Play now: Thumb war").click()
    table = page.locator(".thumb_war-table")
    choices, seal = table.locator("[data-pick]"), page.get_by_role("button", name="Seal", exact=True)

    expect(table).to_contain_text("One finger or two?")
    expect(seal).to_have_attribute("aria-disabled", "true")
    choices.first.click()
    expect(choices.first).to_have_attribute("aria-pressed", "true")
    looks_pressed(choices.first, seal)
    seal.click()
    expect(table).to_contain_text("won the round.")
    page.get_by_role("button", name="Go on").click()
    ending = page.locator(".ending")
    while not ending.is_visible():  # by the keys, as quickly as the reveals allow
        expect(choices.first.or_(ending)).to_be_visible()
        if choices.first.is_visible():
            page.locator("body").press("2")
            page.locator("body").press("Enter")
            expect(page.get_by_role("button", name="Go on")).to_be_visible()
            page.locator("body").press("Enter")

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert visitor.complaints == []
    visitor.leaves()
