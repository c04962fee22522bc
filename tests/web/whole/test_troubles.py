"""Lines that break, servers that die, tabs that close, laptops that sleep: nothing is lost or doubled."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import until
from tests.web.shell.house import House, Visitor
from tests.web.whole.cable import Cable
from tests.web.whole.conftest import Invites
from tests.web.whole.ecard import Script
from tests.web.whole.players import Player, endings, play
from tests.web.whole.rooms import Room, all_sit, make, sealed

ONE_ROUND = "classic(rounds=1,group=1)"
SCRIPT = Script("CC CC EC")
DOWN = "Connection lost"


@pytest.fixture
def cables(house: House) -> Iterator[list[Cable]]:
    """A line of its own for each of two browsers."""
    strung = [Cable(house.port), Cable(house.port)]
    yield strung
    for each in strung:
        each.close()


def seated(
    invites: Invites, house: House, cables: list[Cable], rules: str = ONE_ROUND
) -> tuple[Room, list[Player]]:
    """Two at a table; the second play is open. Pages carry a mark that a reload would wipe off."""
    visitors = invites(2)
    for visitor, cable in zip(visitors, cables, strict=False):
        visitor.url = cable.url
    room = make(house.url, "ecard", rules, 2)
    all_sit(visitors, room)
    players = [Player(visitor) for visitor in visitors]
    for player in players:
        player.page.evaluate("() => (globalThis.marked = true)")
    play(players, SCRIPT, until=lambda seen: all(len(each.hand) == 4 for each in seen.values()))
    return room, players


def goes_on(room: Room, players: list[Player]) -> None:
    """The rest of the game, without a reload; the record holds exactly what was sealed."""
    until(lambda: players[0].sees().due or len(players[0].picked) == 2, 40)
    if len(players[0].picked) < 2:
        players[0].seals("C")
    play(players, SCRIPT)
    assert endings(players) == ["You won, 1 to 0", "Ann won, 1 to 0"]
    assert sealed(room) == [player.picked for player in players] == [["C", "C", "E"], ["C", "C", "C"]]
    for player in players:
        assert player.page.evaluate("() => globalThis.marked === true")
        player.visitor.complaints.clear()  # a browser says itself that a socket could not be opened


def test_a_cut_of_twenty_seconds(invites: Invites, house: House, cables: list[Cable]) -> None:
    room, (ann, bo) = seated(invites, house, cables)
    cables[0].silence()  # nobody tells Ann
    cables[1].cut()
    bo.visitor.context.set_offline(True)
    bo.seals("C")  # in the second play the Slave side places first
    expect(bo.page.get_by_text("Your pick is saved and will be sent")).to_be_visible()

    bo.page.wait_for_timeout(20_000)
    for cable in cables:
        cable.mend()
    bo.visitor.context.set_offline(False)

    expect(bo.page.get_by_text(DOWN)).to_have_count(0, timeout=30_000)
    goes_on(room, [ann, bo])


def test_a_server_killed_in_mid_play(invites: Invites, house: House) -> None:
    room, (ann, bo) = seated(invites, house, [])
    bo.seals("C")
    expect(ann.page.locator("[role=log]")).to_contain_text("Bo has sealed")

    house.stop(signal.SIGKILL)
    expect(ann.page.get_by_text(DOWN)).to_be_visible()
    ann.seals("C")
    house.start()

    goes_on(room, [ann, bo])


def test_a_tab_closed_and_opened_again(invites: Invites, house: House) -> None:
    room, (ann, bo) = seated(invites, house, [])
    bo.seals("C")
    bo.page.close()
    expect(ann.page.get_by_text("Bo is away")).to_be_visible()

    bo.visitor.page = bo.visitor.tab()
    bo.page.goto(room.address)
    expect(bo.page.get_by_text("You have sealed")).to_be_visible()
    assert len(bo.sees().hand) == 3
    bo.page.evaluate("() => (globalThis.marked = true)")

    goes_on(room, [ann, bo])


def test_another_device_goes_on_with_the_same_seat(invites: Invites, house: House) -> None:
    room, (ann, bo) = seated(invites, house, [])
    (phone,) = invites(1, phone=True)
    bo.seals("C")
    link = handed_over(bo.visitor)

    phone.page.goto(link)
    phone.page.get_by_role("button", name="Continue as me").tap()
    phone.page.get_by_role("link", name=re.compile("Ann")).tap()

    expect(bo.page.get_by_text("You’re playing in another window")).to_be_visible()
    expect(phone.page.get_by_text("You have sealed")).to_be_visible()
    phone.page.evaluate("() => (globalThis.marked = true)")
    goes_on(room, [ann, Player(phone, bo.picked)])


def handed_over(visitor: Visitor) -> str:
    """The link of the settings page that makes another device go on as oneself."""
    page: Page = visitor.tab()
    page.goto(f"{visitor.url}/settings")
    page.get_by_role("button", name="Create a link").press("Enter")
    link = page.locator("code.address").inner_text()
    page.close()
    return link


def test_a_stranger_with_the_same_invitation_is_told_what_to_do(invites: Invites, house: House) -> None:
    room, _ = seated(invites, house, [])
    (stranger,) = invites(1)

    stranger.page.goto(room.invitation)
    expect(stranger.page.get_by_text("All seats are taken.")).to_be_visible()
    stranger.page.get_by_role("link", name="Watch").press("Enter")

    expect(stranger.page.get_by_text("You’re watching")).to_be_visible()


def test_a_laptop_asleep_for_five_minutes(invites: Invites, house: House, cables: list[Cable]) -> None:
    visitors = invites(2)
    visitors[0].url = cables[0].url
    visitors[0].page.clock.install()
    clock = {"kind": "decision", "seconds": 600, "bank": 0}
    room = make(house.url, "ecard", ONE_ROUND, 2, clock=clock)
    all_sit(visitors, room)
    ann, bo = players = [Player(visitor) for visitor in visitors]
    for player in players:
        player.page.evaluate("() => (globalThis.marked = true)")
    play(players, SCRIPT, until=lambda seen: all(len(each.hand) == 4 for each in seen.values()))

    cables[0].forget()  # meanwhile the server gives her up …
    bo.seals("C")  # … and the other plays on
    expect(bo.page.get_by_text("Ann is away")).to_be_visible()
    ann.page.clock.fast_forward(300_000)
    cables[0].mend()

    expect(ann.page.get_by_text("Bo has sealed").first).to_be_visible(timeout=30_000)
    assert 500 < seconds(ann.page) <= 600  # by the server's clock, whatever this one says
    goes_on(room, players)


def seconds(page: Page) -> int:
    """What the clock of the seat that is to place says."""
    minutes, rest = page.locator("[role=timer][data-running=true]").first.inner_text().split(":")
    return int(minutes) * 60 + int(rest)
