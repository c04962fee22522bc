"""No screen overflows at any size. Pictures are left in `build/screenshots`.

A usual run looks at each screen on an upright phone and at half of the other sizes, and takes pictures of
some screens, on a phone in the dark. `THOROUGH=1` looks at all sizes in both themes, with pictures at three.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.few import few
from tests.web.screenshots.camera import Camera
from tests.web.screenshots.conftest import Shown, shown
from tests.web.screenshots.positions import Guest, Hands, Set, lay, lay_open, rank, towards_a_playoff
from tests.web.shell.server_process import ServerProcess, Visitor, visit

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

    mara.goes_to("/", ".home-lists li:nth-child(3)").takes("home", whole=True)
    mara.goes_to("/tables", "main:not(.home) .list li:nth-child(3)").takes("open-tables")
    for table in lobby:
        table.closes()


def test_a_new_table(mara: Shown) -> None:
    page = mara.visitor.page
    camera = mara.goes_to("/new?game=ecard", ".verdict")
    camera.takes("new-table")
    page.get_by_role("dialog").get_by_text("More options").click()
    camera.takes("new-table-options")
    page.get_by_role("radio", name="Davenport").check(force=True)
    page.get_by_role("radio", name="4", exact=True).press(" ")
    expect(page.locator(".verdict")).to_be_visible()
    camera.takes("new-table-seats")


def test_the_mind_of_the_day(mara: Shown) -> None:
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    mara.goes_to("/today", ".today-cards").takes("today", whole=True)
    mara.goes_to(f"/today?day={yesterday}", ".today-graph").takes("today-over", whole=True)


def test_before_the_start(mara: Shown, others: list[Guest]) -> None:
    table = lay_open(mara.guest, "davenport", 4)
    table.sits(mara.guest, 1)
    table.sits(others[0], 2)

    camera = mara.at(table)
    expect(mara.visitor.page.locator(".qr")).to_be_visible()
    camera.takes("lobby", whole=True)


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
    camera.takes("ecard-waiting")
    table.seals(2, "E")
    expect(page).to_have_title("● Your turn – E-Card")
    page.keyboard.press("3")
    camera.takes("ecard-placing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Why?").first).to_be_visible()
    camera.takes("ecard-slave-wins")

    page.keyboard.press("w")
    expect(page.get_by_role("dialog")).to_be_visible()
    camera.takes("why")
    page.keyboard.press("Escape")


def test_sealed(mara: Shown, others: list[Guest]) -> None:
    table = fifth_round(mara, others[0])
    table.plays("CC")
    table.seals(1, "S")
    mara.at(table).takes("ecard-sealed")


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
    camera.takes("invitation", whole=True)
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
    for key, name in (("l", "log"), ("t", "talk"), ("?", "keys")):
        page.keyboard.press(key)
        expect(page.locator("dialog li, dialog dt").first).to_be_visible()
        camera.takes(name)
        page.keyboard.press("Escape")


def at_random(hands: Hands) -> dict[int, str]:
    """A random pick for every seat."""
    return {seat: secrets.choice(legal) for seat, legal in hands.items()}


def test_the_end_and_the_review(mara: Shown, others: list[Guest]) -> None:
    page = mara.visitor.page
    table = fifth_round(mara, others[0])
    table.plays("SE")
    table.plays_on(at_random, lambda _: False)

    camera = mara.at(table)
    expect(page.locator(".ending")).to_be_visible()
    camera.takes("ecard-over")
    for size in ((1440, 900), (740, 360)):  # nothing has been scrolled, and nothing has to be
        camera.sees(".ending", size)
        assert page.evaluate("[scrollY, document.documentElement.scrollHeight - innerHeight]") == [0, 0]
    mara.goes_to(f"/review/{table.id}?seat=1", ".chances-line")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    camera.takes("review", whole=True)


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

    Camera(page).takes("line-down")
    page.close()


def test_pass_and_play(mara: Shown) -> None:
    page = mara.visitor.page
    mara.goes_to("/new?game=ecard&with=here", ".verdict")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Pass the device to Seat 1")).to_be_visible()

    mara.camera.takes("curtain")


# --- around the oval -------------------------------------------------------------------------------------


def test_two_around_the_oval(mara: Shown, others: list[Guest]) -> None:
    around(mara, others[:1], "davenport-2")


def test_four_around_the_oval(mara: Shown, others: list[Guest]) -> None:
    around(mara, others[:3], "davenport-4", rules="aces")


def test_seven_around_the_oval(mara: Shown, others: list[Guest]) -> None:
    around(mara, others[:6], "davenport-7")


def around(mara: Shown, company: list[Guest], name: str, rules: str = "") -> None:
    """A round with its seals and its reveal."""
    page = mara.visitor.page
    table = lay(mara.guest, "davenport", company, rules)
    table.plays(lowest(table))
    for seat in range(3, 2 + len(company)):
        table.seals(seat, table.snap(table.chair(seat))["legal"][0])
    camera = mara.at(table)
    page.keyboard.press("2")
    camera.takes(f"{name}-placing")
    page.keyboard.press("Enter")
    table.seals(2, table.snap(table.chair(2))["legal"][0])
    expect(page.get_by_text("Why?").first).to_be_visible()
    camera.takes(f"{name}-reveal")


def lowest(table: Set) -> list[str]:
    """Everybody's lowest card."""
    hands = (table.snap(chair)["legal"] for chair in table.chairs)
    return [min((pick for pick in legal if not pick.startswith("x")), key=rank) for legal in hands]


# --- the other pages -------------------------------------------------------------------------------------


def test_rules(mara: Shown) -> None:
    for game in ("ecard", "davenport"):
        there = f"main:has([href$='/rules/{game}'][aria-current]) .rule-page"
        mara.goes_to(f"/rules/{game}", there).takes(f"rules-{game}", whole=True)
    mara.goes_to("/about", ".about .list li").takes("about", whole=True)


def test_people_and_settings(mara: Shown, others: list[Guest]) -> None:
    for place, loser in enumerate((1, 2, 2, 1, 2, 2)):
        table = lay(mara.guest, "ecard" if place % 3 else "davenport", [others[place]])
        table.reveals_once()
        table.resigns(loser)

    mara.goes_to("/me", ".rating-head").takes("me", whole=True)
    mara.goes_to("/people", ".people-lists").takes("people", whole=True)
    mara.goes_to("/notices", ".notices:not([aria-busy=true]) .reached").takes("notices", whole=True)
    mara.goes_to("/settings", ".settings:not(:has([aria-busy=true]))").takes("settings", whole=True)


def test_pages_that_are_not_there(mara: Shown) -> None:
    for path, there, name in few(
        [
            ("/t/01ARZ3NDEKTSV4RRFFQ69G5FAV", ".notice", "no-such-table"),
            ("/i/NOSUCHCODE", ".invite .notice", "no-such-invitation"),
            ("/rules/nothing", ".rules > h1", "no-such-game"),
            ("/elsewhere", "main:not(.rules) > h1", "no-such-page"),
        ],
        2,  # the first two look alike, and so do the others
    ):
        mara.goes_to(path, there).takes(name)
    mara.visitor.complaints.clear()  # a browser says itself that something was not found


def test_a_playoff(browser: Browser, tmp_path: Path) -> None:
    """On a server whose first deal comes to a playoff; if it no longer does, a later one does."""
    server = ServerProcess(tmp_path / "dealt", FIXED_SALT="playoff 1")
    server.start()
    with shown(server, browser) as mara:
        others = [Guest(server.url, name) for name in ("Ines", "Ben", "Otto", "Mai")]
        table = next(
            found
            for found in (lay(mara.guest, "davenport", others) for _ in range(150))
            if found.plays_on(towards_a_playoff, lambda view: view["phase"] == "playoff")
        )

        camera = mara.at(table)
        camera.takes("davenport-playoff")
        assert mara.visitor.complaints == []
    server.stop()
