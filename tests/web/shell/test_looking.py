"""How the shell looks and reads: sizes, themes, languages, large text, contrast, assistive technology."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # ships no types
from playwright.sync_api import Page, expect

from tests.web.shell.house import House, Visitor, needs_chromium

Comes = Callable[..., Visitor]
pytestmark = needs_chromium

SCREENS = ("/", "/new", "/rules", "/people", "/settings", "/tables")
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(("wide", "high"), [(360, 640), (768, 1024), (1440, 900), (2560, 1440)])
def test_no_screen_is_wider_than_the_window(comes: Comes, wide: int, high: int) -> None:
    visitor = comes(wide=wide, high=high, phone=wide < 500)

    too_wide = {}
    for path in SCREENS:
        page = visitor.goes_to(path)
        expect(page.locator("main h1, main h2").first).to_be_attached()
        page.wait_for_load_state("networkidle")
        too_wide[path] = page.evaluate(OVERFLOW)

    assert {path: more for path, more in too_wide.items() if more > 0} == {}


def tables(page: Page) -> Iterator[str]:
    """The screens that only a game has: its table with something raised, the log, the end, the review."""
    for game in ("Davenport", "E-Card"):
        page.goto("/")
        page.get_by_role("button", name=f"Play now: {game}").click()
        expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
        page.keyboard.press("2")
        yield f"{game}, placing"
    page.keyboard.press("l")
    expect(page.get_by_role("dialog")).to_be_visible()
    yield "log"
    page.keyboard.press("Escape")
    if page.get_by_role("button", name="Menu").is_visible():
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation").get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".ending")).to_be_visible()
    yield "the end"
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".verification li").first).to_be_visible()
    yield "review"


@pytest.mark.parametrize("wide", [360, 1280])
def test_text_of_twice_the_size_still_fits(comes: Comes, wide: int) -> None:
    visitor = comes(wide=wide, high=900)
    page = visitor.page
    large = "document.documentElement.style.fontSize = '200%'"

    too_wide = {}
    for path in SCREENS:
        visitor.goes_to(path).wait_for_load_state("networkidle")
        page.evaluate(large)
        too_wide[path] = page.evaluate(OVERFLOW)
    for name in tables(page):
        page.evaluate(large)
        too_wide[name] = page.evaluate(OVERFLOW)
        page.evaluate("document.documentElement.style.fontSize = ''")

    assert {name: more for name, more in too_wide.items() if more > 0} == {}


def test_where_the_system_paints_in_its_own_colours_every_choice_is_still_seen(comes: Comes) -> None:
    visitor = comes()
    page = visitor.page
    page.emulate_media(forced_colors="active")

    for path in SCREENS:
        visitor.goes_to(path).wait_for_load_state("networkidle")
        assert page.evaluate(OVERFLOW) <= 0, path
    assert [name for name in tables(page) if page.evaluate(OVERFLOW) > 0] == []
    page.goto("/new")
    border = "getComputedStyle(document.querySelector('.choices label:has({})')).borderTopWidth"
    expect(page.locator(".choices").first).to_be_visible()
    chosen, other = (page.evaluate(border.format(each)) for each in (":checked", "input:not(:checked)"))
    assert chosen != other


@pytest.mark.parametrize("light", [False, True], ids=["dark", "light"])
def test_axe_finds_nothing(comes: Comes, light: bool) -> None:
    visitor = comes(light=light)

    for path in SCREENS:
        page = visitor.goes_to(path)
        page.wait_for_load_state("networkidle")
        check_with_axe(page)
    page = visitor.goes_to("/")
    page.get_by_role("button", name="Play now").first.click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    check_with_axe(page)


def check_with_axe(page: Page) -> None:
    found = Axe().run(
        page, options={"preload": False}
    )  # it would fetch style sheets in a way the policy forbids
    assert found.violations_count == 0, found.generate_report()


def test_japanese_from_the_browser_or_by_choice(comes: Comes) -> None:
    page = comes(locale="ja-JP").goes_to("/")
    expect(page.get_by_role("button", name="今すぐ遊ぶ").first).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "ja"

    page.goto(page.url + "settings")
    page.get_by_label("English").check(force=True)  # a machine without Japanese letters draws the rest empty

    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


def test_settings_dress_the_page_and_stay(comes: Comes) -> None:
    page = comes().goes_to("/settings")

    page.get_by_label("Light").check()
    page.get_by_label("Large").check()
    page.reload()

    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    expect(root).to_have_attribute("data-cards", "large")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(241, 234, 217)"


def test_the_shell_opens_without_a_network(comes: Comes, house: House) -> None:
    visitor = comes()
    page = visitor.goes_to("/settings")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now by the worker

    visitor.context.set_offline(True)
    page.reload()

    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    visitor.complaints.clear()


def test_a_sheet_keeps_the_focus_and_escape_closes_it(comes: Comes) -> None:
    page = comes().goes_to("/new")
    expect(page.get_by_role("dialog")).to_be_visible()

    inside = "document.activeElement.closest('dialog') !== null || document.activeElement === document.body"
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(inside)
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
