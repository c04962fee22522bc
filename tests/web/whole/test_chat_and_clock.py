"""What others say is seen at their seat, and what the clock does is seen and explained."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.reach import covered
from tests.web.shell.server_process import ServerProcess
from tests.web.violations import violations
from tests.web.whole.conftest import Invites
from tests.web.whole.tables import all_sit, make

WATCH = """() => {
  globalThis.shown = [];
  const note = () => {
    for (const each of document.querySelectorAll('.bubble, .line'))
      globalThis.shown.push(`${each.className} ${each.dataset.of ?? ''}: ${each.innerText.trim()}`);
    if (document.querySelector('.clock[data-hurry=true][data-own=true]')) globalThis.shown.push('hurry');
    globalThis.shown.push(document.querySelector('[aria-live=assertive]').textContent);
    const mine = document.querySelector('.ec-place[data-who=you][data-state=sealed]');
    if (mine && document.querySelectorAll('[data-pick]').length === 4) globalThis.shown.push('placed for me');
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Notes what a page shows for a few seconds only: a busy machine may look too late."""


FINISHED = '{"ecard": {"read": [], "done": true}}'
"""What a browser keeps in which a game was finished: it shows no hints."""


def shows(page: Page, what: str) -> None:
    page.wait_for_function("(what) => globalThis.shown.some((each) => each.startsWith(what))", arg=what)


def test_what_is_said_shows_at_the_seat_and_what_the_clock_placed_is_explained(
    invites: Invites, server: ServerProcess
) -> None:
    ann, bo = invites(1, wide=1280)[0], invites(1, phone=True)[0]
    table = make(server.url, "ecard", "classic", 2, clock={"kind": "decision", "seconds": 12, "bank": 0})
    all_sit([ann, bo], table)
    for visitor in (ann, bo):
        visitor.page.evaluate(WATCH)
    menu = bo.page.locator("button.unfold")

    ann.page.keyboard.press("t")
    expect(ann.page.get_by_label("Message")).to_be_focused()
    ann.page.keyboard.type("How are you?")
    ann.page.keyboard.press("Enter")
    shows(bo.page, "bubble 1: Ann How are you?")
    expect(menu).to_have_accessible_name("Menu, 1 unread message")
    menu.tap()
    bo.page.get_by_role("button", name="Chat").tap()
    expect(bo.page.get_by_role("dialog")).to_contain_text("How are you?")
    bo.page.get_by_role("button", name="Laughing").tap()
    expect(bo.page.get_by_role("dialog")).to_have_count(0)
    expect(menu).to_have_accessible_name("Menu")
    shows(ann.page, "bubble 2: Bo")
    expect(ann.page.get_by_role("dialog").get_by_role("img", name="Laughing")).to_have_count(2)
    ann.page.keyboard.press("Escape")
    expect(bo.page.locator(".bubble")).to_have_count(0)  # they go by themselves

    shows(ann.page, "hurry")
    shows(ann.page, "10 seconds left.")
    shows(ann.page, "line : Your time ran out")
    shows(ann.page, "placed for me")
    shows(bo.page, "line : Time ran out: a card was played for Ann")


def test_the_clocks_of_a_first_game_wait_until_the_hints_are_read(
    invites: Invites, server: ServerProcess
) -> None:
    ann, bo = invites(1)[0], invites(1)[0]
    clock = {"kind": "decision", "seconds": 600, "bank": 0, "ready": 60}
    table = make(server.url, "ecard", "classic", 2, clock=clock)
    bo.page.add_init_script(f"localStorage.setItem('facedown.guides', '{FINISHED}')")
    all_sit([ann, bo], table)
    hers = bo.page.locator(".clock[data-running=true]")

    expect(bo.page.locator(".line", has_text="The clocks are waiting for Ann")).to_be_visible()
    expect(hers).to_have_text("10:00")
    ann.page.get_by_role("button", name="Skip hints").click()
    expect(hers).not_to_have_text("10:00")
    expect(bo.page.locator(".line", has_text="waiting")).to_have_count(0)


def test_where_there_is_room_the_chat_is_beside_the_table_and_the_game_goes_on(
    invites: Invites, server: ServerProcess
) -> None:
    ann, bo = invites(1, wide=1280, high=800)[0], invites(1, phone=True)[0]
    page = ann.page
    with page.expect_event("requestfinished", lambda request: "table_dialogs" in request.url):
        all_sit([ann, bo], make(server.url, "ecard", "classic", 2))  # the first letter is not lost
    page.get_by_role("button", name="Skip hints").click()

    page.keyboard.press("t")
    page.keyboard.type("Your turn soon.")
    page.keyboard.press("Enter")
    chat = page.get_by_role("dialog", name="Chat")
    expect(chat).to_contain_text("Your turn soon.")
    assert covered(page) == []
    assert violations(page) == []
    page.locator(".stage [data-pick]").last.click()
    page.get_by_role("button", name="Seal the").click()
    expect(bo.page.locator(".ec-place[data-who=other][data-state=sealed]")).to_be_visible()
    expect(chat).to_be_visible()

    page.get_by_label("Message").press("Escape")
    expect(chat).to_have_count(0)
