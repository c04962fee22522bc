"""A newcomer's first visit, by finger alone: no dead end, no foreign word, nothing to be known beforehand.
And the visit after it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from playwright.sync_api import Page, Route, expect

from tests.server.running import until
from tests.web.reach import SIZES, covered
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import ServerProcess, visit
from tests.web.whole.tables import all_sit, make


def test_the_first_visit(comes: Comes) -> None:
    visitor = comes(wide=390, high=844, phone=True, new=True)
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visitor.goes_to("/")

    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Everyone places .* at once\\.$"))
    expect(page.locator(".hero-card")).to_have_count(2)
    expect(page.get_by_role("button", name="or Davenport")).to_be_visible()
    page.get_by_role("button", name="Play E-Card").tap()
    expect(page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    expect(page.get_by_role("complementary", name="Hints")).to_contain_text(
        re.compile("Your (Emperor|Slave) beats")
    )
    page.get_by_role("button", name="Skip hints").tap()
    assert covered(page) == []
    plays_a_round(page)
    page.get_by_role("button", name="Why?").first.tap()
    answer = page.get_by_role("dialog")
    expect(answer.get_by_role("heading")).to_have_text(
        re.compile("^[A-Z][a-z]+ (beats|against) [A-Z][a-z]+: ")
    )
    expect(answer.locator(".lesson-card svg")).to_have_count(2)
    expect(page.locator("dialog .why dd").first).not_to_be_empty()
    expect(answer.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    page.get_by_role("dialog").get_by_role("button", name="Close").first.tap()
    page.get_by_role("button", name=re.compile("^Round 2")).press("Enter")  # the focus and the ear go on, too
    expect(page.get_by_role("list", name="Your hand")).to_be_focused()
    expect(page.get_by_role("log")).to_contain_text("Round 2 of 6.")
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("navigation").get_by_role("button", name="Rules").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Emperor")
    page.get_by_role("dialog").get_by_role("button", name="Close").first.tap()

    page.get_by_role("link", name="Home").tap()
    page.get_by_role("link", name="Settings").tap()
    page.get_by_role("combobox", name="Language").select_option("日本語")
    expect(page.get_by_role("heading", name="設定")).to_be_visible()
    page.get_by_role("combobox", name="言語").select_option("English")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.get_by_role("link", name="Home").first.tap()
    page.locator(".your-game a", has_text="E-Card").first.tap()

    expect(page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("navigation").get_by_role("button", name="Resign").tap()
    page.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    expect(page.locator(".ending h2")).to_contain_text("You resigned")
    page.get_by_role("link", name="Review").tap()
    expect(page.locator(".review-play p").first).not_to_be_empty()
    expect(page.locator(".chances-line")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Share")).first.tap()
    expect(page.get_by_role("dialog")).to_contain_text("Anyone with this link can read the game")
    page.get_by_role("dialog").get_by_role("button", name="Copy the link").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Copied")
    link = str(page.evaluate("navigator.clipboard.readText()"))
    assert "/review/" in link

    visitor.goes_to("/")  # from the first finished game on, home is that of a player
    expect(page.get_by_role("button", name="Play now: E-Card")).to_be_visible()
    expect(page.locator(".hero")).to_have_count(0)

    stranger = comes(wide=390, high=844, phone=True, new=True)
    visit(stranger.page, link)
    expect(stranger.page.locator(".chances-line")).to_be_visible()
    expect(stranger.page.get_by_role("alert")).to_have_count(0)
    assert "Your chance" not in stranger.page.locator("main").inner_text()


def test_coming_back_the_next_day(comes: Comes) -> None:
    """At once there: one's turn, the next opponent, what is done today beside yesterday's result."""
    today = datetime.now(UTC).date()
    yesterday = str(today - timedelta(days=1))

    def with_yesterday(route: Route) -> None:
        found = route.fetch().json()
        found.get("state", found)["yesterday"] = {"day": yesterday, "beaten": 0.63, "squares": 3}
        route.fulfill(json=found)

    visitor = comes(wide=360, high=780, phone=True)
    page = visitor.page
    page.add_init_script(
        """localStorage.setItem("facedown.house", JSON.stringify({counted: [], known:
            {"ecard/pip": {rounds: 6, games: 1, won: 1, asks: 20}}}))"""
    )
    page.route(re.compile("/api/v1/mind(/today)?$"), with_yesterday)
    visitor.goes_to("/").get_by_role("button", name="Play now: E-Card").tap()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    table = page.url

    visitor.goes_to("/")
    own, strip = page.locator(".your-game"), page.get_by_role("region", name="Today")
    expect(own).to_contain_text("Your turn")
    expect(page.locator(".home-acts .faces img")).to_have_count(4)  # one, and three of the other game
    expect(page.get_by_role("button", name="E-Card", exact=True)).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("button", name="Play now: E-Card")).to_contain_text("against Anselm")
    expect(strip.get_by_role("link", name="Mind of the day")).to_contain_text("Yesterday you beat 63%.")
    expect(strip.get_by_role("link", name="The house")).to_contain_text("Next: Anselm. Beaten so far: 1.")
    expect(strip.get_by_role("link", name="Today’s five")).to_contain_text("the same for everyone")

    page.get_by_role("button", name="Davenport", exact=True).tap()
    expect(page.get_by_role("button", name="Play now: Davenport")).to_be_visible()
    expect(page.get_by_role("button", name="Play now: E-Card")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("button", name="Play now: Davenport")).to_be_visible()

    strip.get_by_role("link", name="Mind of the day").tap()
    expect(page.get_by_role("link", name="Yesterday")).to_have_attribute("href", f"/today?day={yesterday}")
    page.get_by_role("button", name="Seal my ten").tap()
    expect(page.get_by_text(re.compile("^Sealed"))).to_be_visible()
    days = {"ecard": {"day": str(today), "points": [100, 60]}}
    page.evaluate("days => localStorage.setItem('facedown.days', JSON.stringify(days))", days)
    visitor.goes_to("/")
    expect(strip.get_by_role("link", name="Mind of the day")).to_contain_text("Sealed.")
    expect(strip.get_by_role("link", name="Today’s five")).to_contain_text("2 answered, 3 to go.")
    expect(strip.locator("[data-done=true]")).to_have_count(2)
    own.get_by_role("link").first.tap()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    assert page.url == table


OVERLAID: Final = """() => {
  const hint = document.querySelector(".coach-hint").getBoundingClientRect();
  return [...document.querySelectorAll(".stage :is([data-anchor], [data-drop])")].filter((seat) => {
    const box = seat.getBoundingClientRect();
    return box.width > 0 && box.left < hint.right && hint.left < box.right
      && box.top < hint.bottom && hint.top < box.bottom;
  }).map((seat) => seat.textContent.trim());
}"""
"""The seats, and the place of the own card, over which the hint lies."""


def test_an_invited_friend_gets_hints_that_cover_no_seat(comes: Comes, server: ServerProcess) -> None:
    ann, bo = (comes(wide=360, high=780, phone=True) for _ in range(2))
    all_sit([ann, bo], make(server.url, "ecard", "classic", 2))
    dee = comes(wide=360, high=780, phone=True)
    dee.goes_to("/").get_by_role("button", name="Davenport", exact=True).tap()
    dee.page.get_by_role("button", name="Play now: Davenport").tap()

    for page in (ann.page, dee.page):
        hint = page.get_by_role("complementary", name="Hints").locator("p")
        expect(hint).not_to_be_empty()
        for wide, high in SIZES:
            page.set_viewport_size({"width": wide, "height": high})
            page.wait_for_function(f"({OVERLAID})().length === 0")
        page.set_viewport_size({"width": 360, "height": 780})
        skip = page.get_by_role("button", name="Skip hints").bounding_box()
        assert skip is not None
        assert skip["height"] >= 44
        first = hint.inner_text()
        page.get_by_role("button", name="Got it").tap()
        expect(hint).not_to_have_text(first)
        page.locator(".stage [data-pick]").last.tap()
        expect(hint).to_be_hidden()  # the button is where it was
        page.get_by_role("button", name=re.compile("^(Seal|Play)")).tap()
        expect(hint).to_be_empty()
    bo_hint = bo.page.get_by_role("complementary", name="Hints")
    expect(bo_hint).to_contain_text("Your Slave beats only the Emperor")
    bo.page.reload()
    expect(bo_hint).to_contain_text("Your Slave beats only the Emperor")


def plays_a_round(page: Page) -> None:
    """Cards are tapped and sealed until a round is won or lost, and its result stays."""
    onwards = page.get_by_role("button", name=re.compile("^Round 2"))

    def over() -> bool:
        card = page.locator(".stage [data-pick][aria-disabled=false]").last
        seal = page.get_by_role("button", name=re.compile("^Seal"))
        if onwards.is_visible():
            return True
        if seal.is_visible() and seal.is_enabled():
            seal.tap()
        elif card.is_visible():
            card.tap()
        return False

    until(over)
