"""Start to end without a mouse, from home to the next game; and a whole game by finger alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from playwright.sync_api import Page, expect

from tests.web.shell.live_region import listen_to, wait_for_narration
from tests.web.whole.conftest import Invites
from tests.web.whole.plans import rank
from tests.web.whole.players import Player, Seen, play
from tests.web.whole.pointer import PointerPlayer, device

_FOCUSED = """() => {
  const at = document.activeElement === document.body ? null : document.activeElement;
  const labels = [...(at?.labels ?? [])].map((each) => each.textContent).join(' ');
  const name = at?.getAttribute('aria-label') || labels || at?.textContent || '';
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at ?? document.body);
  const seen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  return { name: name.replace(/\\s+/g, ' ').trim(), seen };
}"""


def tab_to(page: Page, name: str) -> None:
    """On from one control to the next, until one is called so; the focus can be seen there."""
    for _ in range(80):
        page.keyboard.press("Tab")
        at = page.evaluate(_FOCUSED)
        if re.search(name, at["name"]):
            assert at["seen"], f"the focus on {at['name']} cannot be seen"
            return
    raise AssertionError(f"no control is called {name}")


def chooses(page: Page, name: str) -> None:
    """By arrows from one entry of a list to the next: letters typed slowly would each begin a new search."""
    for _ in range(20):
        if name in page.evaluate("document.activeElement.selectedOptions[0].textContent"):
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"no entry is called {name}")


def test_from_home_to_the_next_game(invites: Invites) -> None:
    (visitor,) = invites(1, wide=1280, high=800)
    page = visitor.goes_to("/")
    player = Player(visitor)
    expect(page.get_by_role("button", name="Play now: E-Card")).to_be_visible()

    tab_to(page, "Open a table")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New table")).to_be_visible()
    tab_to(page, "More options")
    page.keyboard.press("Enter")
    for option in ("Rounds", "group"):
        tab_to(page, f"(?i){option}")
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type("2")
    tab_to(page, "Seat 2")
    chooses(page, "Machine")
    tab_to(page, "Open the table")
    page.keyboard.press("Enter")
    expect(page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()

    plays(player)
    tab_to(page, "Review")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Verify the deal")).to_be_visible()
    links = page.locator(".verification li[data-check=links]")
    expect(links).to_contain_text("public events of the table fit together")
    expect(page.locator('.verification li[data-holds="true"]')).not_to_have_count(0)
    expect(page.locator('.verification li[data-holds="false"]')).to_have_count(0)
    expect(page.locator(".chances-line")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".review-play h2")).to_have_text("Card 2")
    tab_to(page, "Rematch")
    page.keyboard.press("Enter")
    expect(page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()

    assert player.sees().seat == 2
    tab_to(page, "Resign")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    tab_to(page, "Resign")
    page.keyboard.press("Enter")
    expect(page.locator(".ending h2")).to_contain_text("You resigned")
    page.wait_for_function(
        "() => document.activeElement !== document.body"
    )  # the focus is not lost when a game ends


def plays(player: Player) -> None:
    """Against the machine, by arrows and Enter alone."""
    for _ in range(1000):
        seen = player.sees()
        if seen.ending:
            return
        if seen.due:
            player.press("ArrowRight")
            card = player.page.evaluate(_FOCUSED)  # a screen reader says which card it is
            assert card["seen"], card
            assert re.match("Emperor|Citizen|Slave", card["name"]), card
            player.press("Enter")
            player.waits("sealed", 20)
        elif seen.turning:
            player.press("Enter")
        player.page.wait_for_timeout(20)
    raise AssertionError(f"the game did not come to an end: {player.sees()}")


def test_two_enters_in_a_row_seal_once(invites: Invites) -> None:
    (visitor,) = invites(1)
    listen_to(visitor.page)
    page = visitor.goes_to("/")
    page.get_by_role("button", name="Play now: E-Card").press("Enter")
    expect(page.locator(".stage ul[data-free=true]")).to_be_visible()
    page.evaluate(
        """() => {
          globalThis.sealed = [];
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            if (text.includes('"pick"')) globalThis.sealed.push(JSON.parse(text).id);
            return send.call(this, text);
          };
        }"""
    )

    page.keyboard.press("1")
    page.evaluate(
        """() => {
          const enter = () => new KeyboardEvent('keydown', { key: 'Enter', bubbles: true });
          document.body.dispatchEvent(enter());
          document.body.dispatchEvent(enter());
        }"""
    )
    wait_for_narration(page, "showed")

    assert page.evaluate("() => new Set(globalThis.sealed).size") == 1
    expect(page.get_by_role("alert")).to_have_count(0)


def highest(seen: Mapping[int, Seen]) -> dict[int, str]:
    return {seat: max(each.hand, key=rank) for seat, each in seen.items() if each.due}


def test_a_whole_game_by_finger(invites: Invites) -> None:
    """From home over the sheet of a new table; against a machine that shows its lowest card."""
    (visitor,) = invites(1, **device("phone"))
    page = visitor.goes_to("/")
    page.get_by_role("link", name="Open a table").tap()
    page.get_by_role("dialog").locator("label:has(input[value=davenport])").tap()
    page.get_by_label("Seat 2").select_option("machine:lowest")
    page.get_by_role("button", name="Open the table").tap()
    page.wait_for_selector(".table-frame")
    player = PointerPlayer(visitor)

    play([player], highest)

    assert player.sees().ending.startswith(("You won", "You lost"))
