"""The shell in a real browser against a real server: from the first click to the review."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.server.running import until
from tests.web.shell.conftest import Comes
from tests.web.shell.live_region import listen_to, wait_for_narration
from tests.web.shell.server_process import Visitor, places_first, visit
from tests.web.violations import violations


def play_now(visitor: Visitor, title: str = "E-Card") -> Page:
    page = visitor.goes_to("/")
    page.get_by_role("button", name=f"Play now: {title}").click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    return page


AUDIO: Final = """globalThis.rooms = [];
  globalThis.AudioContext = class extends AudioContext {
    constructor() { super(); rooms.push(this); this.states = []; this.sounds = 0;
      this.onstatechange = () => this.states.push(this.state); }
  };
  globalThis.AudioBufferSourceNode = class extends AudioBufferSourceNode {
    constructor(audio, how) { super(audio, how); audio.sounds += 1; }
  };"""
"""Counts the audio contexts of a page, with their states and sounds."""


RESIGNS_AT_ONCE: Final = """new MutationObserver((_, watching) => {
    const all = [...document.querySelectorAll("nav button")];
    const resign = all.find((each) => each.textContent.trim() === "Resign");
    if (!resign) return;
    watching.disconnect();
    resign.click();
  }).observe(document, { childList: true, subtree: true });"""
"""Quicker than any finger, as a busy machine is slower than it."""


def test_a_game_from_the_first_click_to_its_end(comes: Comes) -> None:
    visitor = comes()
    visitor.page.add_init_script(AUDIO)
    listen_to(visitor.page)
    page = play_now(visitor)
    assert re.search(r"/t/[0-9A-Z]{26}$", page.url)

    # the title and the icon say whose turn it is
    expect(page).to_have_title(re.compile("Your turn"))
    assert page.locator("#icon").get_attribute("href").endswith("seal-due.svg")  # type: ignore[union-attr]

    # a pick; after its sounds a page is at rest: an audio context that runs keeps a processor awake
    page.wait_for_function("() => rooms[0].state === 'suspended'")
    places_first(page)
    wait_for_narration(page, "showed")
    page.wait_for_function("() => rooms[0].sounds > 0")  # paper and wax
    page.wait_for_function("() => rooms[0].state === 'suspended'")
    states = page.evaluate("[rooms.length, rooms[0].states.slice(0, 3)]")
    assert states == [1, ["running", "suspended", "running"]]

    # *Why?* answers with the rule and its id
    page.keyboard.press("l")
    page.keyboard.press("1")  # the log may still be loading: no card answers
    page.locator(".log button").first.click()
    expect(page.locator(".why dt").first).to_have_text(re.compile(r"E\d+"))
    expect(page.locator(".why dd").first).not_to_have_text("…")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("raised"))).to_have_count(0)

    page.wait_for_function("() => !history.state?.layer")  # its step back would stop what is loaded
    loads_again(visitor)

    # resigning asks first
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Keep playing").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".ending")).to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".ending")).to_be_visible()


def test_sound_is_switched_off_and_on_by_one_tap_and_its_volume_is_remembered(comes: Comes) -> None:
    visitor = comes(wide=360, high=780, phone=True)
    visitor.page.add_init_script(AUDIO)
    listen_to(visitor.page)
    page = visitor.goes_to("/settings")
    assert page.evaluate("rooms.length") == 0  # nothing was touched yet
    volume = page.get_by_role("slider", name="Volume")
    assert volume.input_value() == "70"
    volume.focus()
    for _ in range(8):
        volume.press("ArrowLeft")
    page.wait_for_function("() => rooms[0].sounds > 0")  # a change is heard

    held: list[str] | None = None
    lines: list[WebSocketRoute] = []

    def between(line: WebSocketRoute) -> None:
        def passed_on(said: str | bytes) -> None:
            if held is None:
                line.send(said)
            else:
                held.append(str(said))

        lines.append(line)
        line.connect_to_server().on_message(passed_on)

    page.route_web_socket("**/ws/v1/*", between)
    page = play_now(visitor)
    sound = page.get_by_role("button", name="Sound", exact=True)
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.tap()
    expect(sound).to_have_attribute("aria-pressed", "false")
    page.evaluate("rooms.forEach((room) => room.sounds = 0)")
    expect(page.locator(".stage ul[data-free=true]")).to_be_visible()
    held = []
    places_first(page)
    until(lambda: page.evaluate("1") and '"k":"revealed"' in "".join(held or ()))

    # the menu opens before the cards turn, and stays until a person closes it
    menu = page.get_by_role("button", name="Menu")
    menu.tap()
    volume = page.get_by_role("slider", name="Volume")
    expect(volume).to_be_visible()
    coming, held = held, None
    for said in coming:
        lines[-1].send(said)
    wait_for_narration(page, "showed")
    assert page.evaluate("rooms[0].sounds") == 0
    page.locator(".stage ul[data-free]").focus()  # as the page does itself when a button has gone
    expect(menu).to_have_attribute("aria-expanded", "true")
    menu.focus()
    page.keyboard.press("m")
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => rooms[0].sounds > 0")
    assert volume.input_value() == "30"
    volume.press("ArrowLeft")
    assert volume.input_value() == "25"
    page.locator(".table-bar nav button:visible").last.focus()
    page.keyboard.press("Tab")
    expect(menu).to_have_attribute("aria-expanded", "false")


def test_after_resigning_nobody_has_to_watch_the_machines_play_on(comes: Comes) -> None:
    page = play_now(comes(), "Davenport")
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()

    expect(page.locator(".ending")).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)


def loads_again(visitor: Visitor) -> None:
    """A table that is being played is opened in another tab, and loaded again twice."""
    page = visitor.page

    # another tab takes the seat over and gives it back
    second = visitor.tab()
    visit(second, page.url)
    expect(page.get_by_text("You’re playing in another window")).to_be_visible()
    page.get_by_role("button", name="Play here").click()
    expect(second.get_by_text("You’re playing in another window")).to_be_visible()
    expect(page.get_by_text("You’re playing in another window")).to_have_count(0)
    second.close()

    # a button of the bar stays that button when the game has loaded
    held: list[Route] = []
    page.route("**/games/ecard/table.js", lambda route: held.append(route))
    page.reload()
    resign = page.get_by_role("button", name="Resign")
    resign.focus()
    until(lambda: page.evaluate("1") and bool(held))
    for route in held:
        route.continue_()
    expect(page.locator(".stage > *")).to_be_visible()
    expect(resign).to_be_focused()  # and not *Rules*, which becomes a button only now
    page.unroute("**/games/ecard/table.js")

    # a dialog opened the moment the table is there stays open
    page.add_init_script(RESIGNS_AT_ONCE)
    page.reload()
    expect(page.get_by_role("dialog")).to_contain_text("Resign this game?")
    page.get_by_role("button", name="Keep playing").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_friend_is_challenged_by_one_tap_and_a_link(comes: Comes) -> None:
    host, friend = (comes(wide=360, high=780, phone=True) for _ in range(2))
    host.page.add_init_script("navigator.share = async (what) => { globalThis.shared = what; }")
    page = host.goes_to("/")
    page.get_by_role("link", name="Challenge a friend").first.tap()
    page.get_by_label("Your name").fill("Mara")
    share = page.get_by_role("button", name="Share")
    expect(share).to_be_in_viewport(ratio=1)
    share.tap()
    page.wait_for_function("globalThis.shared !== undefined")
    first = page.evaluate("shared.url")
    expect(page.locator(".lobby-seats")).to_contain_text("Mara")
    expect(page.locator(".lobby-rules summary")).to_contain_text("sides drawn · no clock")

    page.get_by_text("Rules and clock").tap()
    page.get_by_role("link", name="Change").tap()
    page.get_by_label("2 min per card").check(force=True)
    page.get_by_role("button", name="Open the table").tap()
    expect(page.locator(".lobby-rules")).to_contain_text("2 min per card")
    until(lambda: page.locator(".qr").evaluate("image => image.naturalWidth") > 0)
    link = page.locator(".address code").inner_text()
    assert link != first
    visit(friend.page, first)
    expect(friend.page.get_by_text("This table was closed")).to_be_visible()

    visit(friend.page, link)
    expect(friend.page.get_by_role("heading", name="Mara invites you to E-Card")).to_be_visible()
    expect(friend.page.get_by_role("radio")).to_have_count(0)
    friend.page.get_by_label("Your name").fill("Ines")
    join = friend.page.get_by_role("button", name="Join")
    expect(join).to_be_in_viewport(ratio=1)
    join.tap()

    for each in (page, friend.page):
        expect(each.locator(".table-frame[data-state=playing]")).to_be_visible()
    expect(page.get_by_text("Ines").first).to_be_visible()


def test_a_challenge_that_nobody_has_taken_up_is_found_again_with_questions_meanwhile(comes: Comes) -> None:
    visitor = comes(wide=360, high=780)
    page = visitor.goes_to("/new?game=ecard&with=friend")
    page.wait_for_selector(".lobby")
    table = page.url
    page = visitor.goes_to("/")
    page.get_by_role("link", name="Challenge a friend").first.click()
    page.wait_for_selector(".lesson")

    assert page.url == table
    assert violations(page) == []

    waiting = page.get_by_role("region", name="Which card wins?")
    waiting.get_by_role("button", name="Citizen").click()
    expect(waiting.get_by_role("status")).to_have_text("No. The Emperor beats a Citizen: 1 point.")
    waiting.get_by_role("button", name="Next question").click()
    expect(waiting.get_by_role("button").first).to_be_focused()
    waiting.get_by_role("button", name="Citizen").click()
    expect(waiting.get_by_role("status")).to_have_text("Right. A Citizen beats the Slave: 1 point.")
    assert violations(page) == []
