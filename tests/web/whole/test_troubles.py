"""Lines that break, servers that die, tabs that close, laptops that sleep: nothing is lost or doubled."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.screenshots.positions import Set
from tests.web.shell.server_process import FAILURES, ServerProcess, Visitor, visit
from tests.web.whole.conftest import Invites
from tests.web.whole.plans import Script
from tests.web.whole.players import LONGEST, Player, endings, play
from tests.web.whole.proxy import Proxy
from tests.web.whole.tables import all_sit, dealt, make, sealed

ONE_ROUND = "classic(rounds=1,group=1,placing=together)"
SCRIPT = Script("CC CC EC")
DOWN = "Connection lost"


@pytest.fixture
def proxies(server: ServerProcess) -> Iterator[list[Proxy]]:
    """A line of its own for each of two browsers."""
    strung = [Proxy(server.port), Proxy(server.port)]
    yield strung
    for each in strung:
        each.close()


def seated(visitors: list[Visitor], table: Set) -> list[Player]:
    """Two at a table; the second play is open. Pages carry a mark that a reload would wipe off."""
    all_sit(visitors, table)
    players = [Player(visitor) for visitor in visitors]
    for player in players:
        player.visitor.forgives(*FAILURES)
        player.page.evaluate("() => (globalThis.marked = true)")
    play(players, SCRIPT, until=lambda seen: all(len(each.hand) == 4 for each in seen.values()))
    return players


def never_reloaded(*players: Player) -> None:
    """No page was reloaded, whatever happened."""
    for player in players:
        assert player.page.evaluate("() => globalThis.marked === true")


def test_a_cut_of_twenty_seconds_then_a_laptop_asleep_for_five_minutes(
    invites: Invites, server: ServerProcess, proxies: list[Proxy]
) -> None:
    """One game: in the second play Bo's line breaks and Ann's is silent, in the third Ann's laptop sleeps."""
    visitors = invites(2)
    for visitor, proxy in zip(visitors, proxies, strict=True):
        visitor.url = proxy.url
    visitors[0].page.clock.install()
    clock = {"kind": "decision", "seconds": 600, "bank": 0}
    table = make(server.url, "ecard", ONE_ROUND, 2, clock=clock)
    ann, bo = seated(visitors, table)
    is_cut(bo, "C", proxies)
    ann.seals("C")
    play([ann, bo], SCRIPT, until=lambda seen: all(len(each.hand) == 3 for each in seen.values()))

    proxies[0].forget()  # the server gives her up …
    bo.seals("C")  # … and the other plays on
    expect(bo.page.get_by_text("Ann is away")).to_be_visible()
    ann.page.clock.fast_forward(300_000)
    proxies[0].mend()
    expect(ann.page.get_by_text("Bo is ready").first).to_be_visible()
    assert 300 < seconds(ann.page) <= 600  # by the server's clock; by this one five minutes are over
    ann.seals("E")
    play([ann, bo], SCRIPT)

    assert endings([ann, bo]) == ["You won, 1 to 0", "You lost, 0 to 1"]
    assert sealed(table) == [ann.picked, bo.picked] == [["C", "C", "E"], ["C", "C", "C"]]
    never_reloaded(ann, bo)


def is_cut(player: Player, pick: str, proxies: list[Proxy]) -> None:
    """For twenty seconds, in which a pick is sealed; the other one is not notified."""
    proxies[0].silence()
    proxies[1].cut()
    player.visitor.context.set_offline(True)
    player.seals(pick)
    expect(player.page.get_by_text("Your card is saved and will be sent")).to_be_visible()

    player.page.wait_for_timeout(20_000)
    for proxy in proxies:
        proxy.mend()
    player.visitor.context.set_offline(False)

    expect(player.page.get_by_text(DOWN)).to_have_count(0)


def test_a_server_killed_then_a_tab_closed_then_another_device(
    invites: Invites, server: ServerProcess
) -> None:
    """One game through three troubles, each in a play in which a pick already lies face down."""
    table = make(server.url, "ecard", "classic(rounds=2,group=1,placing=together)", 2)
    ann, bo = seated(invites(2), table)
    script = Script("CC CC EC", "CC ES")
    bo.seals("C")
    expect(ann.page.locator("[role=log]")).to_contain_text("Bo has sealed")
    is_killed(server, ann, "C")
    play([ann, bo], script, until=lambda seen: all(len(each.hand) == 3 for each in seen.values()))
    bo.seals("C")
    goes_and_comes_back(bo, ann, "E", table)
    play([ann, bo], script, until=lambda seen: all("2" in each.place for each in seen.values()))
    bo.seals("C")
    phone = goes_on_elsewhere(bo, invites)
    ann.seals("C")
    play([ann, phone], script)

    assert endings([ann, phone]) == ["You won, 6 to 0", "You lost, 0 to 6"]
    assert (
        sealed(table) == [ann.picked, phone.picked] == [["C", "C", "E", "C", "S"], ["C", "C", "C", "C", "E"]]
    )
    never_reloaded(ann, bo, phone)


def is_killed(server: ServerProcess, player: Player, pick: str) -> None:
    """With `kill -9`, and a player seals before it is back."""
    server.stop(signal.SIGKILL)
    expect(player.page.get_by_text(DOWN)).to_be_visible()
    player.seals(pick)
    server.start()


def goes_and_comes_back(player: Player, other: Player, pick: str, table: Set) -> None:
    """Twice: the tab finds what was sealed there, then what the other one's pick has turned since."""
    left = len(player.sees().hand)
    player.page.close()
    expect(other.page.get_by_text("Bo is away")).to_be_visible()

    player.visitor.page = player.visitor.tab()
    visit(player.page, table.address)
    expect(player.page.get_by_text("Sealed", exact=True)).to_be_visible()
    assert len(player.sees().hand) == left
    player.page.close()
    expect(other.page.get_by_text("Bo is away")).to_be_visible()
    other.seals(pick)

    player.visitor.page = player.visitor.tab()
    visit(player.page, table.address)
    expect(player.page.get_by_text("Since you left")).to_be_visible()  # what he missed is turned first
    assert player.waits("busy", LONGEST).turning
    while player.sees().turning:
        player.press("Escape")  # to its result, and on from there
    expect(player.page.get_by_text("Since you left")).to_have_count(0)
    player.page.evaluate("() => (globalThis.marked = true)")


def goes_on_elsewhere(player: Player, invites: Invites) -> Player:
    """On a phone, by a link of the settings page; the first device says that it plays no more."""
    (phone,) = invites(1, phone=True)
    settings = player.visitor.tab()
    visit(settings, f"{player.visitor.url}/settings")
    settings.get_by_role("button", name="Create a link").press("Enter")
    visit(phone.page, settings.locator(".address code").inner_text())
    phone.page.get_by_role("button", name="Continue as me").tap()
    settings.get_by_role("button", name="Let it in").press("Enter")
    phone.page.get_by_role("link", name=re.compile("Ann")).tap()
    settings.close()

    expect(player.page.get_by_text("You’re playing in another window")).to_be_visible()
    expect(phone.page.get_by_text("Sealed", exact=True)).to_be_visible()
    phone.page.evaluate("() => (globalThis.marked = true)")
    return Player(phone, player.picked)


def test_a_stranger_with_the_same_invitation_sees_what_to_do(invites: Invites, server: ServerProcess) -> None:
    table = dealt(server.url, "ecard", ONE_ROUND, 2)
    (stranger,) = invites(1)

    visit(stranger.page, f"{table.base}/i/{table.invite}")
    expect(stranger.page.get_by_text("All seats are taken.")).to_be_visible()
    stranger.page.get_by_role("link", name="Watch").press("Enter")

    expect(stranger.page.get_by_text("You’re watching")).to_be_visible()


def seconds(page: Page) -> int:
    """What the clock of the seat that is to place says."""
    shown = page.locator("[role=timer][data-running=true]").first.inner_text()
    parts = [each.lstrip("+").split(":") for each in shown.split()]  # of the pick, and of the reserve
    return sum(int(minutes) * 60 + int(rest) for minutes, rest in parts)
