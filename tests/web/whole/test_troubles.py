"""Lines that break, servers that die, tabs that close, laptops that sleep: nothing is lost or doubled."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import until
from tests.web.shell.server_process import ServerProcess, Visitor, visit
from tests.web.whole.conftest import Invites
from tests.web.whole.ecard import Script
from tests.web.whole.players import LONGEST, Player, endings, play
from tests.web.whole.proxy import Proxy
from tests.web.whole.tables import Table, all_sit, make, reach, sealed

ONE_ROUND = "classic(rounds=1,group=1)"
SCRIPT = Script("CC CC EC")
DOWN = "Connection lost"


@pytest.fixture
def proxies(server: ServerProcess) -> Iterator[list[Proxy]]:
    """A line of its own for each of two browsers."""
    strung = [Proxy(server.port), Proxy(server.port)]
    yield strung
    for each in strung:
        each.close()


def seated(
    invites: Invites, server: ServerProcess, proxies: list[Proxy], rules: str = ONE_ROUND
) -> tuple[Table, list[Player]]:
    """Two at a table; the second play is open. Pages carry a mark that a reload would wipe off."""
    visitors = invites(2)
    for visitor, proxy in zip(visitors, proxies, strict=False):
        visitor.url = proxy.url
    table = make(server.url, "ecard", rules, 2)
    all_sit(visitors, table)
    players = [Player(visitor) for visitor in visitors]
    for player in players:
        player.page.evaluate("() => (globalThis.marked = true)")
    play(players, SCRIPT, until=lambda seen: all(len(each.hand) == 4 for each in seen.values()))
    return table, players


def goes_on(table: Table, players: list[Player]) -> None:
    """The rest of the game, without a reload; the record holds exactly what was sealed."""
    until(lambda: players[0].sees().due or len(players[0].picked) == 2)
    if len(players[0].picked) < 2:
        players[0].seals("C")
    play(players, SCRIPT)
    assert endings(players) == ["You won, 1 to 0", "Ann won, 1 to 0"]
    assert sealed(table) == [player.picked for player in players] == [["C", "C", "E"], ["C", "C", "C"]]
    for player in players:
        assert player.page.evaluate("() => globalThis.marked === true")
        player.visitor.complaints.clear()  # a browser says itself that a socket could not be opened


def test_a_cut_of_twenty_seconds(invites: Invites, server: ServerProcess, proxies: list[Proxy]) -> None:
    table, (ann, bo) = seated(invites, server, proxies)
    proxies[0].silence()  # nobody tells Ann
    proxies[1].cut()
    bo.visitor.context.set_offline(True)
    bo.seals("C")  # in the second play the Slave side places first
    expect(bo.page.get_by_text("Your pick is saved and will be sent")).to_be_visible()

    bo.page.wait_for_timeout(20_000)
    for proxy in proxies:
        proxy.mend()
    bo.visitor.context.set_offline(False)

    expect(bo.page.get_by_text(DOWN)).to_have_count(0)
    goes_on(table, [ann, bo])


def test_a_server_killed_in_mid_play(invites: Invites, server: ServerProcess) -> None:
    table, (ann, bo) = seated(invites, server, [])
    bo.seals("C")
    expect(ann.page.locator("[role=log]")).to_contain_text("Bo has sealed")

    server.stop(signal.SIGKILL)
    expect(ann.page.get_by_text(DOWN)).to_be_visible()
    ann.seals("C")
    server.start()

    goes_on(table, [ann, bo])


def test_a_tab_closed_and_opened_again(invites: Invites, server: ServerProcess) -> None:
    table, (ann, bo) = seated(invites, server, [])
    bo.seals("C")
    bo.page.close()
    expect(ann.page.get_by_text("Bo is away")).to_be_visible()

    bo.visitor.page = bo.visitor.tab()
    visit(bo.page, table.address)
    expect(bo.page.get_by_text("Sealed", exact=True)).to_be_visible()
    assert len(bo.sees().hand) == 3
    bo.page.close()
    expect(ann.page.get_by_text("Bo is away")).to_be_visible()
    ann.seals("C")

    bo.visitor.page = bo.visitor.tab()
    visit(bo.page, table.address)
    expect(bo.page.get_by_text("Since you left")).to_be_visible()  # what he missed is turned first
    assert bo.waits("busy", LONGEST).turning
    while bo.sees().turning:
        bo.press("Escape")  # to its result, and on from there
    expect(bo.page.get_by_text("Since you left")).to_have_count(0)
    bo.page.evaluate("() => (globalThis.marked = true)")

    goes_on(table, [ann, bo])


def test_another_device_goes_on_with_the_same_seat(invites: Invites, server: ServerProcess) -> None:
    table, (ann, bo) = seated(invites, server, [])
    (phone,) = invites(1, phone=True)
    bo.seals("C")
    link = handed_over(bo.visitor)

    visit(phone.page, link)
    phone.page.get_by_role("button", name="Continue as me").tap()
    phone.page.get_by_role("link", name=re.compile("Ann")).tap()

    expect(bo.page.get_by_text("You’re playing in another window")).to_be_visible()
    expect(phone.page.get_by_text("Sealed", exact=True)).to_be_visible()
    phone.page.evaluate("() => (globalThis.marked = true)")
    goes_on(table, [ann, Player(phone, bo.picked)])


def handed_over(visitor: Visitor) -> str:
    """The link of the settings page that makes another device go on as oneself."""
    page: Page = visitor.tab()
    visit(page, f"{visitor.url}/settings")
    page.get_by_role("button", name="Create a link").press("Enter")
    link = page.locator(".address code").inner_text()
    page.close()
    return link


def test_a_stranger_with_the_same_invitation_is_told_what_to_do(
    invites: Invites, server: ServerProcess
) -> None:
    table, _ = reach(server.url, "ecard", ONE_ROUND, 2, plan=lambda held: {}, there=lambda held: True)
    (stranger,) = invites(1)

    visit(stranger.page, table.invitation)
    expect(stranger.page.get_by_text("All seats are taken.")).to_be_visible()
    stranger.page.get_by_role("link", name="Watch").press("Enter")

    expect(stranger.page.get_by_text("You’re watching")).to_be_visible()


def test_a_laptop_asleep_for_five_minutes(
    invites: Invites, server: ServerProcess, proxies: list[Proxy]
) -> None:
    visitors = invites(2)
    visitors[0].url = proxies[0].url
    visitors[0].page.clock.install()
    clock = {"kind": "decision", "seconds": 600, "bank": 0}
    table = make(server.url, "ecard", ONE_ROUND, 2, clock=clock)
    all_sit(visitors, table)
    ann, bo = players = [Player(visitor) for visitor in visitors]
    for player in players:
        player.page.evaluate("() => (globalThis.marked = true)")
    play(players, SCRIPT, until=lambda seen: all(len(each.hand) == 4 for each in seen.values()))

    proxies[0].forget()  # meanwhile the server gives her up …
    bo.seals("C")  # … and the other plays on
    expect(bo.page.get_by_text("Ann is away")).to_be_visible()
    ann.page.clock.fast_forward(300_000)
    proxies[0].mend()

    expect(ann.page.get_by_text("Bo is ready").first).to_be_visible()
    assert 500 < seconds(ann.page) <= 600  # by the server's clock, whatever this one says
    goes_on(table, players)


def seconds(page: Page) -> int:
    """What the clock of the seat that is to place says."""
    minutes, rest = page.locator("[role=timer][data-running=true]").first.inner_text().split(":")
    return int(minutes) * 60 + int(rest)
