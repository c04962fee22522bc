"""Every screen at every size is asked everything at once: see `Camera.takes`.

A usual run looks at each screen on an upright phone, on a laptop and at half of the other sizes, in half of
the themes. `THOROUGH=1` looks at all.
"""

from __future__ import annotations

import secrets

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.few import few
from tests.web.screens import SCREENS, opens
from tests.web.screenshots.camera import Camera
from tests.web.screenshots.conftest import Shown
from tests.web.screenshots.positions import Guest, Set, lay, lay_open, rank
from tests.web.shell.server_process import REFUSALS, ServerProcess, Visitor, visit

SLOW = {"kind": "decision", "seconds": 240, "bank": 60}


# --- before a game ---------------------------------------------------------------------------------------


def test_home(mara: Shown, others: list[Guest]) -> None:
    ines, ben, otto, mai, *_ = others
    waiting = lay(mara.guest, "ecard", [ines])
    waiting.plays("CC", "CC")
    many = lay(mara.guest, "davenport", [ben, mai, otto])
    many.seals(1, many.snap(many.chair(1))["legal"][0])
    lobby = []
    for host, game, seats, rules in (
        (ines, "davenport", 5, "aces"),
        (ben, "ecard", 2, "purse"),
        (otto, "davenport", 7, ""),
    ):
        lobby.append(lay_open(host, game, seats, rules, public=True))
        lobby[-1].sits(host, 1)

    mara.goes_to("/", ".home-lists li:nth-child(3)").takes("home")
    mara.goes_to("/tables", "main:not(.home) .list li:nth-child(3)").fits("open-tables")
    for table in lobby:
        table.closes()


def test_a_new_table(mara: Shown) -> None:
    page = mara.visitor.page
    camera = mara.goes_to("/new?game=ecard", ".verdict")
    page.get_by_role("dialog").get_by_text("More options").click()
    page.get_by_role("radio", name="Davenport").check(force=True)
    page.get_by_role("radio", name="4", exact=True).press(" ")
    expect(page.locator(".verdict")).to_be_attached()
    camera.fits("new-table")


@pytest.mark.parametrize("path", [path for path in SCREENS if path not in ("/tables", "/me", "/notices")])
def test_a_screen_that_anybody_can_go_to(mara: Shown, path: str) -> None:
    """The others are looked at with something in them."""
    opens(mara.visitor, path)
    mara.camera.takes(path.strip("/").replace("/", "-"))


def test_a_first_visit(browser: Browser, server: ServerProcess) -> None:
    visitor = Visitor(browser, server.url, new=True)
    camera = Camera(visitor.page)
    expect(visitor.goes_to("/").locator(".hero-card")).to_have_count(2)
    camera.takes("first-visit")
    camera.sees(".hero button.first", (360, 780), (390, 844), (740, 360), (1440, 900))
    visitor.leaves()
    assert visitor.complaints == []


def test_before_the_start(mara: Shown, others: list[Guest]) -> None:
    table = lay_open(mara.guest, "davenport", 4)
    table.sits(mara.guest, 1)
    table.sits(others[0], 2)

    camera = mara.at(table)
    expect(mara.visitor.page.locator(".qr")).to_be_visible()
    camera.takes("lobby")


# --- the duel --------------------------------------------------------------------------------------------


def fifth_round(mara: Shown, ines: Guest) -> Set:
    """Round 5 after its first play: one behind on the Slave side, and the other places first."""
    table = lay(mara.guest, "ecard", [ines], clock=SLOW)
    table.plays("CC", "EC", "CC", "CC", "CC", "ES", "CE", "CC")
    return table


def test_the_duel(mara: Shown, others: list[Guest]) -> None:
    page = mara.visitor.page
    table = fifth_round(mara, others[0])
    camera = mara.at(table)
    table.seals(2, "E")
    expect(page).to_have_title("● Your turn – E-Card")
    page.keyboard.press("3")
    camera.takes("ecard-placing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Why?").first).to_be_visible()
    camera.fits("ecard-slave-wins")

    page.keyboard.press("w")
    expect(page.get_by_role("dialog")).to_be_visible()
    camera.takes("why")
    page.keyboard.press("Escape")


def test_invited_and_watching(browser: Browser, server: ServerProcess, others: list[Guest]) -> None:
    invited = lay_open(others[0], "ecard", 2)
    invited.sits(others[0], 1)
    watched = lay(others[0], "ecard", [others[1]], clock=SLOW)
    watched.plays("CC", "EC", "CC")
    watched.seals(1, "C")
    visitor = Visitor(browser, server.url)
    camera = Camera(visitor.page)

    visitor.goes_to(f"/i/{invited.invite}")
    expect(visitor.page.get_by_role("button", name="Join")).to_be_visible()
    camera.takes("invitation")
    camera.sees(".invite-card .button", (360, 780))
    visitor.follows(f"/t/{watched.id}")
    expect(visitor.page.get_by_text("You’re watching")).to_be_visible()
    camera.takes("ecard-spectator")
    visitor.follows("/")
    camera.sees(".home-acts .button", (740, 360), (720, 450))

    complaints = visitor.complaints
    visitor.leaves()
    assert complaints == []


def test_log_chat_and_keys(mara: Shown, others: list[Guest]) -> None:
    page = mara.visitor.page
    table = lay(mara.guest, "ecard", [others[0]])
    table.plays("CC", "CC", "CC", "EC")
    table.says(table.chair(2), "Good luck. I think I can read you.")
    table.says(table.chair(1), "We shall see.")
    camera = mara.at(table)
    for key, look in (("l", camera.fits), ("t", camera.takes), ("?", camera.fits)):
        page.keyboard.press(key)
        expect(page.locator("dialog li, dialog dt").first).to_be_visible()
        look(f"dialog of {key}")
        page.keyboard.press("Escape")


def test_the_end_and_the_review(mara: Shown, others: list[Guest]) -> None:
    page = mara.visitor.page
    table = fifth_round(mara, others[0])
    table.plays("SE")
    table.plays_out(secrets.choice)

    camera = mara.at(table)
    expect(page.locator(".ending")).to_be_visible()
    camera.takes("ecard-over")
    for size in ((1440, 900), (740, 360)):  # nothing has been scrolled, and nothing has to be
        camera.sees(".ending", size)
        assert page.evaluate("[scrollY, document.documentElement.scrollHeight - innerHeight]") == [0, 0]
    mara.goes_to(f"/review/{table.id}?seat=1", ".chances-line")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    camera.takes("review")


def test_a_lost_connection(mara: Shown, others: list[Guest]) -> None:
    page = mara.visitor.tab()
    table = lay(mara.guest, "ecard", [others[0]])
    mara.keeps(table)
    lines: list[WebSocketRoute] = []
    down = False

    def between(line: WebSocketRoute) -> None:
        if down:
            line.close()
            return
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket("**/ws/v1/*", between)
    visit(page, f"/t/{table.id}")
    expect(page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    down = True
    lines[0].close()
    expect(page.get_by_text("Connection lost")).to_be_visible()

    Camera(page).fits("line-down")
    page.close()


def test_pass_and_play(mara: Shown) -> None:
    page = mara.visitor.page
    mara.goes_to("/new?game=ecard&with=here", ".verdict")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Pass the device to Seat 1")).to_be_visible()

    mara.camera.fits("curtain")


# --- around the oval -------------------------------------------------------------------------------------


def test_seven_around_the_oval(mara: Shown, others: list[Guest]) -> None:
    """A round with its seals and its reveal."""
    page = mara.visitor.page
    table = lay(mara.guest, "davenport", others)
    table.plays(lowest(table))
    for seat in range(3, 8):
        table.seals(seat, table.snap(table.chair(seat))["legal"][0])
    camera = mara.at(table)
    page.keyboard.press("2")
    camera.takes("davenport-7-placing")
    page.keyboard.press("Enter")
    table.seals(2, table.snap(table.chair(2))["legal"][0])
    expect(page.get_by_text("Why?").first).to_be_visible()
    camera.fits("davenport-7-reveal")


def lowest(table: Set) -> list[str]:
    """Everybody's lowest card."""
    hands = (table.snap(chair)["legal"] for chair in table.chairs)
    return [min((pick for pick in legal if not pick.startswith("x")), key=rank) for legal in hands]


# --- the other pages -------------------------------------------------------------------------------------


def test_people(mara: Shown, others: list[Guest]) -> None:
    for place, loser in enumerate((1, 2, 2, 1, 2, 2)):
        table = lay(mara.guest, "ecard" if place % 3 else "davenport", [others[place]])
        table.reveals_once()
        table.resigns(loser)

    mara.goes_to("/me", ".rating-head").takes("profile")
    mara.goes_to("/people", ".people-lists").takes("people")
    mara.goes_to("/notices", ".notices:not([aria-busy=true]) .reached").takes("notices")


def test_pages_that_are_not_there(mara: Shown) -> None:
    mara.visitor.forgives(REFUSALS)
    for path, there, name in few(
        [
            ("/t/01ARZ3NDEKTSV4RRFFQ69G5FAV", ".notice", "no-such-table"),
            ("/i/NOSUCHCODE", ".invite .notice", "no-such-invitation"),
            ("/rules/nothing", ".rules > h1", "no-such-game"),
            ("/elsewhere", "main:not(.rules) > h1", "no-such-page"),
        ],
        2,  # the first two look alike, and so do the others
    ):
        mara.goes_to(path, there).fits(name)
