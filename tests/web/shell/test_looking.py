"""How the shell looks and reads: sizes, themes, languages, large text, contrast, assistive technology."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.few import few
from tests.web.reach import small
from tests.web.shell.server_process import ServerProcess, Visitor, visit
from tests.web.violations import violations

Comes = Callable[..., Visitor]
Theme = Literal["dark", "light"]

SCREENS = {
    "/": ".home-game",
    "/rules": ".rule-page",
    "/people": "main.people .people-lists",
    "/me": "main.profile h1",
    "/notices": "main.notices h1",
    "/settings": "main.settings h1",
    "/tables": "main.page > h1.unseen",
    "/new": "dialog .means .verdict",
}
"""All screens that anybody can go to, with what only that one has; the last one is a dialog."""
WIDEST: ViewportSize = {"width": 2560, "height": 1440}
"""All below are looked at in the pictures of every screen."""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def pages(visitor: Visitor) -> Iterator[str]:
    """All screens that anybody can go to, one after the other in one page: home is opened already."""
    page = visitor.page
    for path, only_there in SCREENS.items():
        visitor.follows(path)
        expect(page.locator(only_there).first).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        yield path
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_function("() => !history.state?.layer")


def tables(visitor: Visitor) -> Iterator[str]:
    """The screens that only a game has: its table with something raised, the log, the end, the review."""
    page = visitor.page
    for game in ("Davenport", "E-Card"):
        visitor.follows("/")
        page.get_by_role("button", name=f"Play now: {game}").click()
        expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
        page.keyboard.press("2")
        yield f"{game}, placing"
    page.keyboard.press("l")
    expect(page.get_by_role("dialog")).to_be_visible()
    yield "log"
    page.keyboard.press("Escape")
    page.get_by_role("navigation").get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".ending")).to_be_visible()
    yield "the end"
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".verification li").first).to_be_visible()
    yield "review"


def test_every_screen_at_every_size_in_all_colours(comes: Comes) -> None:
    """In one page: what measures it is put there once."""
    visitor = comes()
    page = visitor.goes_to("/")
    screens = chain(pages(visitor), tables(visitor))
    wrong = {
        screen: found
        for number, screen in enumerate(screens)
        if (found := list(looks_wrong(page, few(THEMES if number % 2 else THEMES[::-1], 1))))
    }
    assert wrong == {}


def test_a_first_visit_at_every_size_in_all_colours(comes: Comes) -> None:
    visitor = comes(new=True)
    page = visitor.goes_to("/")
    expect(page.locator(".hero-card")).to_have_count(2)

    assert list(looks_wrong(page, THEMES)) == []
    for wide, high in ((360, 780), (390, 844), (740, 360), (1440, 900)):
        page.set_viewport_size({"width": wide, "height": high})
        expect(page.get_by_role("button", name="Play E-Card")).to_be_in_viewport(ratio=1)


def looks_wrong(page: Page, themes: Sequence[Theme]) -> Iterator[str]:
    """What does not fit when wide, with large text, under a thumb, in the system's colours; then axe."""
    page.set_viewport_size(WIDEST)
    if page.evaluate(OVERFLOW) > 0:
        yield "too wide at 2560 px"
    for wide, high in few(((360, 640), (1440, 900)), 1):
        page.set_viewport_size({"width": wide, "height": high})
        if page.evaluate(_LARGE) > 0:
            yield f"too wide with text of twice the size at {wide} px"
    page.set_viewport_size({"width": 360, "height": 780})
    yield from (f"too small for a thumb: {each}" for each in small(page))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(forced_colors="active")
    if page.evaluate(OVERFLOW) > 0:
        yield "too wide in the system's colours"
    for theme in themes:
        page.emulate_media(forced_colors="none", color_scheme=theme)
        yield from (f"{theme}: {each}" for each in violations(page, only_colours=theme != themes[0]))


_LARGE = f"""() => {{
  document.documentElement.style.fontSize = "200%";
  const more = {OVERFLOW};
  document.documentElement.style.fontSize = "";
  return more;
}}"""
THEMES: tuple[Theme, ...] = ("dark", "light")
"""A usual run looks at every other screen in each of them, `THOROUGH=1` at every screen in both."""


def test_a_sheet_keeps_the_focus_shows_each_choice_in_all_colours_and_escape_closes_it(comes: Comes) -> None:
    page = comes().goes_to("/new")
    expect(page.locator("dialog .choices").first).to_be_visible()

    page.emulate_media(forced_colors="active")
    border = "getComputedStyle(document.querySelector('dialog .choices label:has({})')).borderTopWidth"
    chosen, other = (page.evaluate(border.format(each)) for each in (":checked", "input:not(:checked)"))
    assert chosen != other
    page.emulate_media(forced_colors="none")

    inside = "document.activeElement.closest('dialog') !== null || document.activeElement === document.body"
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(inside)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_settings_of_language_and_looks_dress_the_page_and_stay(comes: Comes) -> None:
    page = comes(locale="ja-JP").goes_to("/")
    expect(page.get_by_role("button", name="今すぐ遊ぶ").first).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "ja"

    visit(page, page.url + "settings")
    page.locator(".settings-list select").select_option("English")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.get_by_label("Light").check()
    page.get_by_label("Large").check()
    page.reload()

    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    expect(root).to_have_attribute("data-cards", "large")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(241, 234, 217)"


def test_the_shell_opens_without_a_network(comes: Comes, server: ServerProcess) -> None:
    visitor = comes(worker=True)
    page = visitor.goes_to("/settings")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now by the worker

    visitor.context.set_offline(True)
    page.reload()

    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    visitor.complaints.clear()


ON_IOS: Final = """(standalone) => {
  delete globalThis.PushManager; // only an installed page has it there
  Object.defineProperty(navigator, "standalone", { value: standalone });
  Object.defineProperty(navigator, "maxTouchPoints", { value: 5 });
}"""
"""What Safari on iOS tells a page, in a tab and as an app of the home screen."""


@pytest.mark.parametrize(("standalone", "shown"), [("false", True), ("true", False), ("undefined", False)])
def test_safari_on_ios_is_told_how_to_install(comes: Comes, standalone: str, shown: bool) -> None:
    visitor = comes()
    visitor.page.add_init_script(f"({ON_IOS})({standalone})")
    page = visitor.goes_to("/settings")

    expect(page.get_by_text("Add to Home Screen")).to_have_count(int(shown))
    expect(page.get_by_text("Not available in this browser")).to_have_count(int(not shown))


OFFERS_TO_INSTALL: Final = """() => {
  const prompt = async () => { globalThis.asked = "to install"; };
  dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt }));
}"""
"""What a browser does that can install this page."""


def test_menus_and_dialogs_close_by_escape_by_a_tap_outside_and_by_back(comes: Comes) -> None:
    page = comes(wide=390, high=844, phone=True).goes_to("/")
    page.get_by_text("More options").first.tap()
    side = page.locator("label", has_text="Slave side")
    expect(page.get_by_role("radio", name="Random")).to_be_checked()
    expect(page.get_by_role("radio", name="Short")).to_be_checked()
    side.tap()
    expect(page.get_by_role("radio", name="Slave side")).to_be_checked()
    assert side.evaluate("each => each.offsetHeight") >= 44
    page.get_by_role("button", name="Play now").first.tap()
    expect(page.locator(".table-frame[data-state=playing][data-seat='2']")).to_be_visible()
    table = page.url
    menu, log = page.get_by_role("button", name="Menu"), page.get_by_role("button", name="Log")
    dialog = page.get_by_role("dialog")
    steps_back = page.evaluate("history.length")

    menu.tap()
    expect(log).to_be_visible()
    page.keyboard.press("Escape")
    expect(log).to_be_hidden()
    expect(menu).to_be_focused()
    menu.tap()
    expect(log).to_be_visible()
    page.touchscreen.tap(40, 760)
    expect(log).to_be_hidden()
    page.wait_for_function("() => history.state === null")  # two steps back at once would be one
    menu.tap()
    expect(log).to_be_visible()
    page.go_back()
    expect(log).to_be_hidden()
    menu.tap()
    log.tap()
    expect(dialog).to_be_visible()
    expect(log).to_be_hidden()
    page.go_back()
    expect(dialog).to_have_count(0)
    assert page.url == table
    page.keyboard.press("?")
    inside = dialog.bounding_box()
    assert inside is not None
    page.touchscreen.tap(inside["x"] + 6, inside["y"] + 6)  # the rim belongs to the dialog
    expect(dialog).to_be_visible()
    page.touchscreen.tap(195, 4)
    expect(dialog).to_have_count(0)
    assert page.url == table

    page.wait_for_function(
        "() => history.state === null"
    )  # nothing of all this is left for *Back* to walk through
    assert page.evaluate("history.length") <= steps_back + 1
    page.go_back()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()

    install = page.get_by_role("button", name="Install as an app")
    expect(install).to_have_count(0)
    page.evaluate(OFFERS_TO_INSTALL)
    install.last.tap()
    expect(install).to_have_count(0)
    assert page.evaluate("asked") == "to install"
