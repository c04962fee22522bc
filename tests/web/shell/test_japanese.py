"""Every screen in Japanese: no English sentence is left on it, and nothing sticks out of a narrow one."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from playwright.sync_api import Page, expect

from tests.few import few
from tests.server.running import until
from tests.web.shell.server_process import Visitor, places_first

Comes = Callable[..., Visitor]

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
    """Nothing English is there, and the page is as wide as the screen."""
    found = set(WORD.findall(CARD.sub("", page.evaluate(READ, unread)))) - ALLOWED - set(allowed)
    assert found == set(), page.url
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page.url


def test_screens_without_a_table(comes: Comes) -> None:
    reads = partial(assert_japanese, unread=f"{UNREAD}, {NAMES}")
    visitor = comes(wide=360, locale="ja-JP")
    page = visitor.goes_to("/")
    expect(page.get_by_role("button", name="今すぐ遊ぶ").first).to_be_visible()
    reads(page)
    for path in ("/rules/ecard#R4", "/rules/davenport#R4"):
        visitor.goes_to(path)
        expect(page.locator("#R4 dd").first).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        reads(page, *SOURCE)
    for path, only_there in {
        "/settings": "main.settings h1",
        "/people": "main.people .people-lists",
        "/me": "main.profile h1",
        "/today": ".today-cards",
        f"/today?day={datetime.now(UTC).date() - timedelta(days=1)}": ".today-graph",
        "/notices": "main.notices h1",
        "/tables": "main.page > h1.unseen",
        "/new": "dialog .preset",
    }.items():
        visitor.follows(path)
        expect(page.locator(only_there).first).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        reads(page)
    expect(page.locator(".means .verdict")).to_be_visible()
    expect(page.locator(".means")).to_contain_text("引き分け")
    assert re.findall(r"[A-Za-z]{3,}", page.locator(".means").inner_text()) == []
    for preset in few(["完全決着", "持ち点"], 1):  # to solve the second takes long
        page.locator("label.preset", has_text=preset).get_by_role("radio").first.check(force=True)
        expect(page.locator(".means .verdict")).to_contain_text("最初の奴隷側が有利")
        reads(page)
        assert re.findall(r"[A-Za-z]{3,}", page.locator(".means").inner_text()) == []  # not even a name
    page.locator("dialog details.options summary").click()
    reads(page)
    page.locator("#option-rounds").fill("2")
    page.locator("#option-rounds").press("Tab")
    problem = "組のラウンド数（group=3）がラウンド数（rounds=2）を超えています"
    expect(page.locator(".means li", has_text=problem)).to_be_visible()
    reads(page, "group", "rounds")
    assert visitor.complaints == []

    visitor.goes_to("/i/NOSUCHCODE")
    expect(page.get_by_role("alert")).to_contain_text("招待")
    reads(page)
    visitor.complaints.clear()  # a browser says itself that something was not found


def test_tables_their_end_and_the_review(comes: Comes) -> None:
    visitor = comes(wide=360, high=640, phone=True, locale="ja-JP")
    page = visitor.goes_to("/")
    reads_a_table(page, "ダヴェンポート")
    visitor.follows("/")
    reads_a_table(page, "Eカード")
    table = page.url.rpartition("/")[2]
    page.evaluate(
        """async (table) => {
          const path = `/api/v1/tables/${table}`;
          const snap = await (await fetch(path)).json();
          const command = { id: `resign-${Date.now()}`, do: "resign", decision: snap.table.turn.decision };
          await fetch(`${path}/commands`, { method: "POST", body: JSON.stringify(command),
            headers: { "Content-Type": "application/json" } });
        }""",
        table,
    )
    expect(page.get_by_role("link", name="振り返る")).to_be_visible()
    assert_japanese(page)
    page.get_by_role("link", name="振り返る").click()
    expect(page.locator(".review-play p").first).not_to_be_empty()
    expect(page.locator(".review-columns h2").nth(2)).to_be_visible()
    assert_japanese(page)


def reads_a_table(page: Page, game: str) -> None:
    """A game is begun at home, by its name there; its table, a question and the keys are read."""
    page.get_by_role("button", name=game, exact=True).click()
    page.get_by_role("button", name=f"今すぐ遊ぶ：{game}").click()
    expect(page.locator(".stage ul[data-free=true]")).to_be_visible()
    assert_japanese(page)
    assert page.locator(".table-bar").evaluate("each => each.clientHeight") <= 64, "the title takes two lines"
    places_first(page)
    expect(page.locator("[role=log]")).not_to_be_empty()
    why = page.locator("dialog .why dd").first

    def asked() -> bool:
        page.keyboard.press("w")
        return why.is_visible()

    until(asked)  # as soon as there is something to explain
    expect(why).not_to_contain_text("…")
    assert_japanese(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("dialog[open] kbd").first).to_be_visible()
    assert_japanese(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.wait_for_function("() => !history.state?.layer")


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
