"""What a visitor can do with the shell itself: choose looks, close dialogs, install it, open it offline."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import FAILURES, ServerProcess, visit


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

    visitor.forgives(*FAILURES)
    visitor.context.set_offline(True)
    page.reload()

    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


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
