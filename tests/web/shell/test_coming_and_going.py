"""People come and go: stand up, leave to a machine, go on elsewhere, share a device, meet in the lobby."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.screenshots.positions import joined
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import REFUSALS, Visitor, places_first, visit


def open_table(visitor: Visitor, query: str = "", **changed: str) -> Page:
    """A new table; `changed` are options by their name."""
    page = visitor.goes_to(f"/new{query}")
    expect(page.get_by_role("dialog")).to_be_visible()
    if changed:
        page.get_by_role("dialog").get_by_text("More options").click()
    for name, value in changed.items():
        control = page.locator(f"#option-{name}")
        control.fill(value)
        control.blur()
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".table-frame")).to_be_visible()
    return page


def playing(page: Page, seat: int) -> None:
    frame = page.locator(f".table-frame[data-state=playing][data-seat='{seat}']")
    expect(frame.locator(".stage > *")).to_be_visible()


def log_contains(page: Page, what: str) -> None:
    """Checks the log, because the live region may already be a step further."""
    page.locator("nav button", has_text="Log").dispatch_event("click")  # in a menu, on a phone
    expect(page.get_by_role("dialog")).to_contain_text(what)
    page.keyboard.press("Escape")
    page.wait_for_function("() => !history.state?.layer")  # its step back would stop another page


# --- leaving ---------------------------------------------------------------------------------------------


def test_standing_up_frees_the_seat_and_sitting_down_takes_it_again(comes: Comes) -> None:
    page = open_table(comes())
    address = page.url

    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_text("Your seat becomes free")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()
    visit(page, address)

    expect(page.get_by_role("heading", name="2 seats free")).to_be_visible()
    page.get_by_role("button", name="Join").first.click()
    expect(page.locator(".table-frame[data-seat='1']")).to_be_visible()


def test_a_player_who_leaves_is_replaced_by_a_machine_once_all_agree(comes: Comes) -> None:
    host, friend, third = comes(), comes(wide=390, high=844, phone=True), comes()
    page = host.goes_to("/new?game=davenport")
    page.get_by_role("dialog").get_by_role("radio", name="3", exact=True).check(force=True)
    page.get_by_role("button", name="Open the table").click()
    link = page.locator(".address code").inner_text()
    for seat, visitor, name in ((2, friend, "Ines"), (3, third, "Otto")):
        visit(visitor.page, link)
        visitor.page.get_by_label("Your name").fill(name)
        visitor.page.get_by_role("button", name="Join").click()
        expect(visitor.page.locator(f".table-frame[data-seat='{seat}']")).to_be_visible()
    playing(page, 1)

    third.page.get_by_role("button", name="More").click()
    third.page.get_by_role("button", name="Leave").click()
    expect(third.page.get_by_text("the others may let a machine play")).to_be_visible()
    third.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(third.page.get_by_role("button", name="Play now").first).to_be_visible()
    page.get_by_role("button", name="Let Careful take over").click()
    expect(page.get_by_text("Waiting for Ines")).to_be_visible()
    friend.page.get_by_role("button", name="Agree").tap()

    expect(page.locator(".line")).to_have_count(0)
    for each in (page, friend.page):
        places_first(each)
    log_contains(page, "Round 1")  # three were turned: the machine plays
    visit(third.page, page.url)
    expect(third.page.get_by_text("Careful plays your seat for now")).to_be_visible()
    third.page.get_by_role("button", name="Take it back").click()
    expect(third.page.get_by_role("button", name="Take it back")).to_have_count(0)
    log_contains(page, "Otto plays again")


# --- elsewhere, and here ---------------------------------------------------------------------------------


def test_another_device_goes_on_and_the_first_looks_on(comes: Comes) -> None:
    first, second = comes(), comes(wide=390, high=844, phone=True)
    for visitor in (first, second):
        visitor.forgives(REFUSALS)
    page = open_table(first, "?with=machine")
    playing(page, 1)

    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Other device").click()
    page.get_by_role("button", name="Create a link").click()
    visit(second.page, page.locator(".address code").inner_text())
    second.page.get_by_role("button", name="Continue as me").tap()
    page.get_by_role("button", name="Let it in").click()

    playing(second.page, 1)
    assert second.page.url == page.url
    page.keyboard.press("Escape")
    expect(page.get_by_text("You’re playing in another window")).to_be_visible()
    places_first(second.page)
    for each in (second.page, page):
        log_contains(each, "Round 1")

    table = page.url
    first.follows("/settings")
    page.get_by_role("button", name="Sign out everywhere else").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out everywhere else").click()
    expect(page.get_by_text("Signed out everywhere else.")).to_be_visible()
    visit(page, table)
    playing(page, 1)  # here nothing is lost
    visit(second.page, table)
    expect(second.page.get_by_text("You’re watching")).to_be_visible()

    first.follows("/settings")
    page.get_by_role("button", name="Erase me").click()
    page.get_by_role("dialog").get_by_role("button", name="Erase me").click()
    expect(page).to_have_url(re.compile(r"/$"))
    visit(page, table)
    expect(page.get_by_text("You’re watching")).to_be_visible()
    expect(page.get_by_text("Someone who left").first).to_be_visible()


# --- who may sit, who may watch --------------------------------------------------------------------------


def test_a_table_is_in_the_lobby_only_when_it_was_asked_for(comes: Comes) -> None:
    host, stranger = comes(), comes()
    host.page.add_init_script("localStorage['facedown.name'] = JSON.stringify('Rosalind')")
    page = host.goes_to("/new")
    watching = page.get_by_role("dialog").locator("fieldset", has_text="Who can watch").locator("label")
    expect(watching).to_have_text(["Anyone with the link", "No one"])
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".lobby")).to_be_visible()
    page = host.follows("/new")
    page.get_by_label("Anyone", exact=True).check(force=True)
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".lobby")).to_contain_text("anyone can join")
    shown = page.url.rpartition("/")[2]

    listed = stranger.goes_to("/tables")
    row = listed.get_by_role("listitem").filter(has_text="Rosalind")
    expect(row).to_have_count(1)  # her first table is hidden
    row.get_by_role("button", name="Join").click()
    row.get_by_label("Your name").fill("Ines")
    row.get_by_role("button", name="Join").click()
    playing(listed, 2)
    assert listed.url.rpartition("/")[2] == shown


def test_a_game_played_over_days(comes: Comes) -> None:
    host = comes()
    page = host.goes_to("/new?game=davenport")
    page.get_by_label("1 day per card").check(force=True)
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".lobby")).to_contain_text("1 day per card")
    joined(host.url, page.url, page.locator(".address code").inner_text())

    playing(page, 1)
    places_first(page)
    expect(page.locator(".stage ul[data-free=true]")).to_have_count(0)
    host.follows("/")
    expect(page.locator(".list").first).to_contain_text("Waiting")


def test_notifications_refused_and_without_a_service(comes: Comes) -> None:
    visitor = comes(worker=True)
    visitor.forgives("Push API in incognito")  # the browser offers none to the windows that tests use
    page = visitor.goes_to("/settings")
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_role("alert")).to_contain_text("Notifications are blocked")

    visitor.context.grant_permissions(["notifications"])
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_role("alert")).to_contain_text("aren’t available in this browser right now")


# --- nowhere ---------------------------------------------------------------------------------------------


def test_an_address_that_leads_nowhere(comes: Comes) -> None:
    visitor = comes()
    visitor.forgives(REFUSALS)

    answer = visit(visitor.page, visitor.url + "/elsewhere")

    assert answer is not None
    assert answer.status == 404
    expect(visitor.page.get_by_role("heading", name="Page not found")).to_be_visible()
    api = visitor.context.request.get(visitor.url + "/api/v1/elsewhere", headers={"Accept": "text/html"})
    assert (api.status, api.json()["code"]) == (404, "not_there")


# --- people whom one need not listen to ------------------------------------------------------------------


def test_a_person_muted_in_the_chat_is_unmuted_in_the_settings(comes: Comes) -> None:
    host = comes()
    page = open_table(host)
    table = joined(host.url, page.url, page.locator(".address code").inner_text(), "Ines")
    playing(page, 1)
    table.says(table.chair(2), "You are slow")

    page.keyboard.press("t")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("You are slow")).to_be_visible()
    dialog.locator("li", has_text="You are slow").get_by_label("About Ines").first.click()
    dialog.get_by_role("button", name="Mute").click()
    expect(dialog.get_by_text("You are slow")).to_have_count(0)
    dialog.get_by_text("People at this table").click()
    dialog.get_by_role("button", name="Switch chat off").click()
    dialog.get_by_role("button", name="Keep the chat").click()
    dialog.get_by_role("button", name="Switch chat off").click()
    dialog.get_by_role("button", name="Switch off for everyone").click()
    expect(dialog.get_by_text("Chat is switched off")).to_be_visible()
    expect(page.locator("[role=log]")).to_contain_text("The host switched the chat off.")  # as to everyone
    assert table.snap(table.chair(2))["table"]["chat"] is False

    page.keyboard.press("Escape")
    page.wait_for_function("() => !history.state?.layer")
    host.follows("/settings")
    expect(page.locator(".settings").get_by_text("Ines", exact=True)).to_be_visible()
    page.get_by_role("button", name="Undo for Ines").click()
    expect(page.get_by_text("No one.")).to_be_visible()
