"""The explorer and the trainer in a browser: by link, by keyboard, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.shell.server_process import Visitor
from tests.web.violations import violations

Comes = Callable[..., Visitor]

SEEN_ENOUGH = """() => {
  const house = JSON.parse(localStorage.getItem("facedown.house"));
  house.known["ecard/mara"].rounds = house.known["ecard/mara"].asks;
  localStorage.setItem("facedown.house", JSON.stringify(house));
}"""
"""As if enough rounds had been played."""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_walking_through_positions_and_training(comes: Comes) -> None:
    visitor = comes(wide=360, high=740, phone=True, light=True)
    page = visitor.goes_to("/")
    page.get_by_role("link", name="Explorer").click()
    expect(page.locator(".study-found h2").first).to_have_text("Round 1 of 12, play 1 of 3")
    expect(page.locator(".balance-words").first).to_contain_text("44.4%")
    assert page.evaluate(OVERFLOW) == 0
    assert violations(page) == []

    way = page.get_by_role("link", name="Both play a Citizen")
    way.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".study-found h2").first).to_have_text("Round 1 of 12, play 2 of 3")
    expect(page).to_have_url(re.compile(r"/explore/ecard\?at=round%3D1%2Cscore%3D0%3A0%2Cplay%3D2"))
    page.locator(".study-fields select").first.select_option(label="Round 5 of 12")
    expect(page.locator(".study-found h2").first).to_have_text("Round 5 of 12, play 1 of 3")
    page.go_back()
    expect(page.locator(".study-found h2").first).to_have_text("Round 1 of 12, play 2 of 3")
    page.reload()
    page.get_by_role("button", name="Add a habit").click()
    expect(page.locator(".study-answer")).to_contain_text("The Emperor side can win")
    page.get_by_role("spinbutton", name="Play 1").fill("13")
    page.keyboard.press("Tab")
    expect(page).to_have_url(re.compile("chances%3D13"))
    visitor.goes_to("/explore/ecard?at=round%3D2%2Cscore%3D9%3A9")
    page.get_by_role("button", name="Back to the start of the game").click()
    expect(page.locator(".study-found h2").first).to_have_text("Round 1 of 12, play 1 of 3")
    visitor.complaints.clear()  # the browser complains of what was refused

    page.get_by_role("link", name="Train with questions").click()
    expect(page.get_by_text(re.compile("How often would you play"))).to_be_visible()
    assert page.evaluate(OVERFLOW) == 0
    assert violations(page) == []
    page.get_by_role("spinbutton", name="Percent").fill("100")
    page.keyboard.press("Enter")
    expect(page.locator(".study-mark")).to_contain_text("The exact answer")
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    expect(page.locator(".study-streak")).to_contain_text("Streak 0")
    page.get_by_role("link", name="Look at it in the explorer").click()
    expect(page.locator(".study-found h2").first).to_be_visible()


def test_a_character_is_met_watched_and_seen_through(comes: Comes) -> None:
    visitor = comes(wide=360, high=740, phone=True, light=True)
    page = visitor.goes_to("/")
    page.get_by_role("link", name="The house").click()
    expect(page.get_by_role("heading", name="Pip", exact=True)).to_be_visible()
    page.locator(".house-steps").get_by_role("button", name="Mara").tap()
    one = page.get_by_role("region", name="Mara")
    expect(one).to_contain_text("A perfect reader wins 58.1% of games against Mara")
    expect(one).to_contain_text("0 of 20 rounds watched")
    assert page.evaluate(OVERFLOW) == 0
    assert violations(page) == []
    one.get_by_role("button", name="Play Mara").tap()
    expect(page.get_by_role("list", name="Your hand")).to_be_visible()
    expect(page.locator(".stage")).to_contain_text("Mara")
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Resign").tap()
    page.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    visitor.goes_to("/house/ecard")
    page.locator(".house-steps").get_by_role("button", name="Mara").tap()
    expect(one).to_contain_text("You have won 0 of 1 game.")
    page.evaluate(SEEN_ENOUGH)
    page.reload()
    page.locator(".house-steps").get_by_role("button", name="Mara").tap()
    one.get_by_role("button", name="While ahead, never opens").tap()
    expect(one).to_contain_text("That is not it.")
    expect(one).to_contain_text("20 of 30 rounds watched")
    page.evaluate(SEEN_ENOUGH)
    page.reload()
    page.locator(".house-steps").get_by_role("button", name="Mara").tap()
    one.get_by_role("button", name="Never opens with the Emperor.").tap()
    expect(one.get_by_role("heading", name="What gives Mara away")).to_be_visible()
    expect(one).to_contain_text("Never opens with the Emperor.")
    expect(page.locator(".house-steps").get_by_role("button", name="Mara")).to_contain_text("Tell found")
    assert violations(page) == []
