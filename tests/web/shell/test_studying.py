"""Explorer, trainer, house and mind of the day in a browser: by link, by keyboard, on a phone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Route, expect

from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import REFUSALS
from tests.web.violations import violations

SEEN_ENOUGH = """() => {
  const house = JSON.parse(localStorage.getItem("facedown.house"));
  house.known["ecard/mara"].rounds = house.known["ecard/mara"].asks;
  localStorage.setItem("facedown.house", JSON.stringify(house));
}"""
"""As if enough rounds had been played."""


def test_walking_through_positions_and_training(comes: Comes) -> None:
    visitor = comes(wide=360, high=740, phone=True, light=True)
    page = visitor.goes_to("/")
    page.get_by_role("link", name="Explorer").click()
    expect(page.locator(".study-found h2").first).to_have_text("Round 1 of 12, play 1 of 3")
    expect(page.locator(".balance-words").first).to_contain_text("44.4%")

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
    visitor.forgives(REFUSALS)
    visitor.goes_to("/explore/ecard?at=round%3D2%2Cscore%3D9%3A9")
    page.get_by_role("button", name="Back to the start of the game").click()
    expect(page.locator(".study-found h2").first).to_have_text("Round 1 of 12, play 1 of 3")

    page.get_by_role("link", name="Train with questions").click()
    expect(page.get_by_text(re.compile("How often would you play"))).to_be_visible()
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
    page.get_by_role("link", name="The house").first.click()
    expect(page.get_by_role("heading", name="Pip", exact=True)).to_be_visible()
    page.locator(".house-steps").get_by_role("button", name="Mara").tap()
    one = page.get_by_role("region", name="Mara")
    expect(one).to_contain_text("A perfect reader wins 58.1% of games against Mara")
    expect(one).to_contain_text("0 of 20 rounds watched")
    one.get_by_role("button", name="Play Mara").tap()
    expect(page.get_by_role("list", name="Your hand")).to_be_visible()
    expect(page.locator(".stage")).to_contain_text("Mara")
    portrait = page.locator(".stage .seat-face")
    expect(portrait).to_have_attribute("src", re.compile("/mara-small"))
    assert portrait.evaluate("each => each.closest('h2').offsetHeight") < 40, "it stands beside the name"
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Resign").tap()
    page.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    expect(page.locator(".ending-says")).to_contain_text("“That is all.”")
    expect(page.locator(".ending-says .face")).to_have_attribute("src", re.compile("/mara-small-pleased"))
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


def with_own_chips(route: Route) -> None:
    """The real answer about a day that is over, as if the caller had laid three chips."""
    answer = route.fetch()
    day = answer.json()
    score = {"day": day["day"], "beaten": 0.63, "squares": 3}
    own = {"chips": 3, "gain": 0.0123, "risk": 0.004, "score": score}
    route.fulfill(
        response=answer,
        json={**day, "own": own, "people": 204, "counts": [1, 9, 20, 40, 20, 9, 1, 0, 0, 0, 0]},
    )


def test_ten_chips_are_laid_and_sealed_until_midnight(comes: Comes) -> None:
    visitor = comes(wide=360, high=780, phone=True, light=True)
    page = visitor.goes_to("/today")
    first, second = page.get_by_role("spinbutton").nth(0), page.get_by_role("spinbutton").nth(1)
    expect(first).to_have_attribute("aria-valuetext", "5 of 10 chips")
    second.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(first).to_have_attribute("aria-valuenow", "3")
    page.keyboard.press("Home")
    expect(first).to_have_attribute("aria-valuenow", "10")
    page.locator(".today-stack").first.tap()
    page.get_by_role("button", name="One more chip on Citizen").tap()
    page.locator(".today-card").nth(1).tap()
    expect(first).to_have_attribute("aria-valuenow", "7")
    page.get_by_role("button", name="Seal my ten").focus()
    page.keyboard.press("Enter")
    broken = page.get_by_role("button", name="Break the seal")
    expect(broken).to_be_focused()
    expect(page.get_by_role("status")).to_contain_text(re.compile(r"Sealed\. \d+ minds? so far\."))
    page.locator(".today-card").nth(1).tap()
    expect(first).to_have_attribute("aria-valuenow", "7")
    page.reload()
    broken.click()
    expect(page.get_by_role("status")).to_contain_text("Your seal on 7 and 3 counts until you seal again.")
    page.keyboard.press("Enter")
    expect(broken).to_be_visible()
    assert violations(page) == []


def test_a_day_that_is_over_shows_the_crowd_and_shares_nothing_that_spoils(comes: Comes) -> None:
    visitor = comes(wide=360, high=780, phone=True)
    page = visitor.page
    page.add_init_script(
        """localStorage.setItem("facedown.house", JSON.stringify({counted: [], known:
            {"ecard/pip": {rounds: 20, games: 1, won: 1, asks: 20, found: "at_once"}}}));
        Object.defineProperty(navigator, "share", {value: async (given) => { window.shared = given; }});"""
    )
    yesterday = str(datetime.now(UTC).date() - timedelta(days=1))
    visitor.goes_to(f"/today?day={yesterday}")
    expect(page.get_by_role("heading", level=1)).to_have_text("You laid no chips that day")
    expect(page.locator("main")).to_contain_text("8 minds of the house met at midnight, and no people.")
    page.route("**/api/v1/mind/20*", with_own_chips)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("You beat 63% of the crowd")
    expect(page.locator("main")).to_contain_text("212 minds met at midnight: 204 people and 8 of the house.")
    expect(page.locator(".today-facts")).to_contain_text("+1.2")
    expect(page.locator(".today-facts")).to_contain_text("−0.4")
    expect(page.locator(".today-residents img")).to_have_count(1)
    page.get_by_text("The same as a table").tap()
    expect(page.get_by_role("row", name=re.compile(r"^3 \(you\)"))).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Share").tap()
    shared = page.evaluate("window.shared")
    assert shared["text"].endswith("63%.\n■■■□□")
    assert not re.search("Emperor|Slave|Citizen|chip", shared["text"])
    page.get_by_role("link", name="Today’s position").tap()
    expect(page.get_by_role("button", name="Seal my ten")).to_be_visible()
