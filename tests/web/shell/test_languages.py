"""Every language on a narrow screen: nothing is too wide, cut off or broken, and Japanese has no English."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from facedown.core.text.translation import languages
from facedown.web.words import game_texts, shell_texts
from tests.few import few
from tests.server.running import until
from tests.web.screens import SCREENS, opens
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import REFUSALS, Visitor, places_first

LONGEST_FIRST: Final = sorted(
    set(languages()) - {"en", "ja"}, key=lambda language: -len(str(shell_texts("", language)))
)
WORD = re.compile(r"[A-Za-z][A-Za-z'’_]+")
CARD = re.compile(r"[A2-9TJQK][CDHS](?![A-Za-z])")
ALLOWED = {"Facedown", "English", "Enter", "Esc", "QR", "MB", "UTC"}
"""Names that are not translated: of the site, of a language, of keys, of a unit, of a time."""
SOURCE = ["TheVirtuoid", "Fun", "With", "JavaScript", "The", "Davenport", "Card", "Game"]
"""Whom a rules page thanks, and for what."""
READ = """(unread) => {
  const shown = document.body.cloneNode(true);
  shown.querySelectorAll(unread).forEach((each) => each.remove());
  document.body.append(shown);
  const said = [shown.innerText];
  shown.remove();
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder], option:not([lang])")) {
    for (const name of ["aria-label", "title", "placeholder"]) said.push(each.getAttribute(name) ?? "");
    if (each instanceof HTMLOptionElement) said.push(each.textContent ?? "");
  }
  return [...said, document.title].join("\\n");
}"""
"""Everything seen or read aloud, except what matches `unread`."""
UNREAD = "code, kbd, script, style, option[lang]"
"""What is the same in every language: rules as text, keys, and what other languages call themselves."""
NAMES = "bdi.name"
"""People's names, for pages that show people of other tests."""


def assert_japanese(page: Page, *allowed: str, unread: str = UNREAD) -> None:
    """Nothing English is there."""
    found = set(WORD.findall(CARD.sub("", page.evaluate(READ, unread)))) - ALLOWED - set(allowed)
    assert found == set(), page.url


CUT_OFF: Final = """() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const isOut = (button) => {
    const box = button.getBoundingClientRect();
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const text = texts.currentNode;
      range.selectNode(text);
      const out = ({ left, right, width }) => width > 1 && (right > box.right + 4 || left < box.left - 4);
      if ([...range.getClientRects()].some(out)) return true;
      for (const { index, 0: word } of text.data.matchAll(/\\p{Script=Latin}+/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (range.getClientRects().length > 1) return true;
      }
    }
    return false;
  };
  const shown = "button, .button:not(.skip), summary, .choices label";
  const cut = [...document.querySelectorAll(shown)].filter((each) => each.checkVisibility() && isOut(each))
    .map((each) => each.innerText.trim());
  const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (all.nextNode()) {
    const { data } = all.currentNode;
    if (/[。！？] [\u3040-\u9fff]/.test(data)) cut.push(data);
  }
  return [...(wide > 0 ? [`the page, by ${wide} px`] : []), ...cut];
}"""
"""What sticks out of the screen, or out of what is pressed, what is pressed with a word on two lines, and
sentences with a space between them where the language has none."""


def reads(page: Page, language: str, *allowed: str, unread: str = UNREAD) -> None:
    """A page is complete and fits; in Japanese nothing English is there but what is allowed."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert page.evaluate(CUT_OFF) == [], page.url
    if language == "ja":
        assert_japanese(page, *allowed, unread=unread)


@pytest.mark.parametrize("language", few([*LONGEST_FIRST, "ja"], 2))
def test_every_screen_and_a_table_in_360_pixels(comes: Comes, language: str) -> None:
    """English has the screens at every size."""
    visitor = comes(wide=360, high=780, phone=True, locale=language)
    page = visitor.goes_to("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".home button.first").first).to_be_visible()
    reads(page, language, unread=f"{UNREAD}, {NAMES}")
    for path in SCREENS:
        opens(visitor, path)
        used = SOURCE if path.startswith("/rules") else ()
        reads(page, language, *used, unread=f"{UNREAD}, {NAMES}, .about")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !history.state?.layer")
    visitor.follows("/")
    begins(visitor, "ecard", language)


def test_tables_their_end_and_the_review_in_japanese(comes: Comes) -> None:
    visitor = comes(wide=360, high=780, phone=True, locale="ja")
    page = visitor.goes_to("/")
    for game in ("davenport", "ecard"):
        visitor.follows("/")
        begins(visitor, game, "ja")
        plays(page)
    page.evaluate(RESIGN, page.url.rpartition("/")[2])
    expect(page.locator(".ending a[href*='/review/']")).to_be_visible()
    reads(page, "ja")
    page.locator(".ending a[href*='/review/']").first.click()
    expect(page.locator(".review-play p").first).not_to_be_empty()
    expect(page.locator(".review-columns h2").nth(2)).to_be_visible()
    reads(page, "ja")


RESIGN: Final = """async (table) => {
  const path = `/api/v1/tables/${table}`;
  const snap = await (await fetch(path)).json();
  const command = { id: `resign-${Date.now()}`, do: "resign", decision: snap.table.turn.decision };
  await fetch(`${path}/commands`, { method: "POST", body: JSON.stringify(command),
    headers: { "Content-Type": "application/json" } });
}"""


def begins(visitor: Visitor, game: str, language: str) -> None:
    """A game is begun at home; its table with its hints is read, and with a raised card."""
    page, title = visitor.page, game_texts(game, language)["title"]
    page.get_by_role("button", name=str(title), exact=True).click()
    page.locator(".home-game", has_text=str(title)).locator("button.first").click()
    hand = page.locator(".stage ul[data-free=true] button")
    expect(hand.first).to_be_visible()
    reads(page, language)
    assert page.locator(".table-bar").evaluate("each => each.clientHeight") <= 64, "the title takes two lines"
    page.set_viewport_size({"width": 1024, "height": 768})
    reads(page, language)
    page.set_viewport_size({"width": 360, "height": 780})
    hand.last.click()
    reads(page, language)
    page.keyboard.press("Escape")


def plays(page: Page) -> None:
    """A card is placed; what is to be explained then is read, and the keys."""
    places_first(page)
    expect(page.locator("[role=log]")).not_to_be_empty()
    why = page.locator("dialog .why dd").first

    def asked() -> bool:
        page.keyboard.press("w")
        return why.is_visible()

    until(asked)  # as soon as there is something to explain
    expect(why).not_to_contain_text("…")
    reads(page, "ja")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("dialog[open] kbd").first).to_be_visible()
    reads(page, "ja")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.wait_for_function("() => !history.state?.layer")


def test_the_sheet_of_a_new_table_in_japanese(comes: Comes) -> None:
    """What presets come to, and what is wrong with options."""
    visitor = comes(wide=360, locale="ja-JP")
    page = visitor.goes_to("/new")
    means = page.locator(".means")
    expect(means.locator(".verdict")).to_be_visible()
    expect(means).to_contain_text("引き分け")
    for preset in few(["完全決着", "持ち点"], 1):  # to solve the second takes long
        page.locator("label.preset", has_text=preset).get_by_role("radio").first.check(force=True)
        expect(means.locator(".verdict")).to_contain_text("最初の奴隷側が有利")
        assert re.findall(r"[A-Za-z]{3,}", means.inner_text()) == []  # not even a name
    page.locator("dialog details.options summary").click()
    page.locator("#option-rounds").fill("2")
    page.locator("#option-rounds").press("Tab")
    problem = "組のラウンド数（group=3）がラウンド数（rounds=2）を超えています"
    expect(page.locator(".means li", has_text=problem)).to_be_visible()
    assert_japanese(page, "group", "rounds", unread=f"{UNREAD}, {NAMES}")
    assert visitor.complaints == []

    visitor.forgives(REFUSALS)
    visitor.goes_to("/i/NOSUCHCODE")
    expect(page.get_by_role("alert")).to_contain_text("招待")
    assert_japanese(page)


def test_a_notification_is_in_the_language_that_was_chosen(comes: Comes) -> None:
    visitor = comes(locale="ja-JP", worker=True)
    visitor.page.add_init_script("PushManager.prototype.getSubscription = async () => ({})")  # as if agreed
    page = visitor.goes_to("/settings")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    visitor.goes_to("/settings")
    page.evaluate(
        """async () => {
          const soon = () => new Promise((next) => setTimeout(next, 50));
          while (!(await caches.match("/words-of-notices"))) await soon();
        }"""
    )
    worker = visitor.context.service_workers[0]
    notified = worker.evaluate(  # a browser without windows shows none: what it would show is caught
        """async () => {
          const [shown, kind] = [{}, ServiceWorkerRegistration.prototype];
          const own = kind.showNotification;
          kind.showNotification = async (title, { body }) => { shown[title] = body; };
          const turn = { kind: "turn", body: "It is your turn." };
          await announce({ ...turn, table: "T", game: "ecard", title: "E-Card" });
          await announce({ ...turn, table: "U", game: "other", title: "Other" });
          kind.showNotification = own;
          return shown;
        }"""
    )
    assert notified == {"Eカード": "あなたの番です。", "Other": "あなたの番です。"}
