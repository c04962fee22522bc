"""Whole games of E-Card through the page: every way in which one may end; the others are in test_words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.shell.server_process import ServerProcess
from tests.web.whole.conftest import Invites
from tests.web.whole.ecard import Script
from tests.web.whole.players import Player, Seen, endings, play
from tests.web.whole.tables import Hands, Table, all_sit, continues, make, reach, sealed, seals, sits_down


def two(invites: Invites, server: ServerProcess, rules: str) -> tuple[Table, list[Player]]:
    """Two people at a new table, by invitation."""
    visitors = invites(2)
    table = make(server.url, "ecard", rules, 2)
    all_sit(visitors, table)
    return table, [Player(visitor) for visitor in visitors]


def test_at_a_blind_table_picks_open_by_themselves_after_a_reload_too(
    invites: Invites, server: ServerProcess
) -> None:
    """Nothing sent before all have sealed holds a pick; a page that is loaded again opens its own."""
    visitors = invites(2)
    sent: list[dict[str, Any]] = []
    for visitor in visitors:
        visitor.page.on("websocket", lambda line: line.on("framesent", lambda text: _note(sent, text)))
    clock = {"kind": "decision", "seconds": 3600, "bank": 0}
    table = make(server.url, "ecard", "victories(rounds=2,group=1)", 2, clock=clock, seal="blind")
    sits_down(visitors[0], table, "Ann")
    expect(visitors[0].page.locator(".table-frame")).to_contain_text("not even the server can know")
    sits_down(visitors[1], table, "Bo")
    players = [Player(visitor) for visitor in visitors]
    for visitor in visitors:
        expect(visitor.page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    reloaded: list[int] = []

    def reload_once() -> None:
        """The player who has sealed first reloads the page before the other one seals."""
        if not reloaded:
            first = next(each for each in players if not each.sees().due)
            first.page.reload()
            expect(first.page.locator('.ec-place[data-who="you"][data-state="sealed"]')).to_be_visible()
            reloaded.append(first.sees().seat)

    play(players, Script("ES", "CS"), before_last=reload_once)

    assert endings(players) == ["You lost, 0 to 2", "You won, 2 to 0"]
    assert reloaded
    assert sealed(table) == [player.picked for player in players]
    seals = [each for each in sent if each["do"] == "pick"]
    assert {len(each["commit"]) for each in seals} == {64}
    assert not [each for each in seals if {"pick", "nonce", "pad"} & each.keys()]
    assert {each["pick"] for each in sent if each["do"] == "reveal"} == {"E", "S", "C"}
    links = table.record()["fair"]["links"]
    assert links[0][4]["seal"] == "blind"
    assert [link[3] for link in links if link[0] == "revealed"] == [[]] * len(table.record()["picks"])
    players[0].page.get_by_role("link", name="Review").click()
    expect(players[0].page.locator('.verification li[data-holds="true"]')).not_to_have_count(0)
    expect(players[0].page.locator('.verification li[data-holds="false"]')).to_have_count(0)


def _note(sent: list[dict[str, Any]], text: str | bytes) -> None:
    frame = json.loads(text)
    if frame.get("t") == "cmd":
        sent.append(frame)


def strongest(cards: list[str]) -> str:
    """The card that decides the round: the Emperor or the Slave, as long as it is held."""
    return next((card for card in cards if card != "C"), "C")


def test_an_extra_round_decides_and_lasts_to_its_fifth_play(invites: Invites, server: ServerProcess) -> None:
    """Programs play to the last play of it; one of them goes on in a browser."""
    decided = 0

    def plan(held: Hands) -> dict[int, str]:
        """The Emperor side takes every round, one for each seat; then no side decides a round."""
        nonlocal decided
        decided += 1
        return {seat: "E" if "E" in cards and decided <= 2 else "C" for seat, cards in held.items()}

    table, (chair, other) = reach(
        server.url,
        "ecard",
        "decisive(rounds=2,group=1,placing=together)",
        2,
        plan=plan,
        there=lambda held: all(len(cards) == 1 for cards in held.values()),
    )
    (visitor,) = invites(1)
    continues(visitor, chair, "Ann")
    ann = Player(visitor)
    before = len(table.record()["picks"])

    def last(seen: Mapping[int, Seen]) -> dict[int, str]:
        seals(other, strongest)
        return {1: strongest(seen[1].hand)}

    play([ann], last)

    assert before == 2 + 4
    assert sealed(table)[0][before:] == ann.picked
    won = table.record()["result"]["winner"] == 1
    assert ann.sees().ending == "You won, 2 to 1" if won else "You lost, 1 to 2"
    expect(ann.page.locator(".ending-story")).to_contain_text("the extra rounds decided.")


def test_an_empty_purse_ends_it(invites: Invites, server: ServerProcess) -> None:
    """Against a program on the Emperor side."""
    table, chairs = reach(
        server.url,
        "ecard",
        "purse(first=1,placing=together)",
        2,
        plan=lambda held: {},
        there=lambda held: True,
    )
    (visitor,) = invites(1)
    continues(visitor, chairs[1], "Bo")
    bo = Player(visitor)

    def plan(seen: Mapping[int, Seen]) -> dict[int, str]:
        if seen[2].stake:
            return {2: "10"}
        seals(chairs[0], strongest)
        return {2: "S"}

    play([bo], plan)

    assert table.record()["result"]["termination"] == "ruin"
    expect(bo.page.locator(".ending-story")).to_contain_text(
        f"{table.record()['seats'][0]}’s purse is empty."
    )
    assert bo.sees().ending == "You won, 60 to 0"


def test_resigning_then_a_rematch_with_the_seats_changed(invites: Invites, server: ServerProcess) -> None:
    _, players = two(invites, server, "classic(rounds=1,group=1)")
    play(players, Script("CC"), until=lambda seen: all(len(each.hand) == 4 for each in seen.values()))

    resign(players[1].page)
    for player, said in zip(
        players, ("You won: Bo resigned at 0–0.", "You resigned at 0–0. Ann wins."), strict=True
    ):
        expect(player.page.locator(".ending h2")).to_have_text(said)
    players[0].page.get_by_role("button", name="Rematch").press("Enter")
    expect(players[0].page.get_by_role("heading", name="Waiting for Bo")).to_be_visible()
    expect(players[0].page.locator(".qr:visible")).to_have_count(0)  # he knows already
    expect(players[1].page.get_by_text("Ann wants a rematch")).to_be_visible()
    players[1].page.get_by_role("button", name="Accept").press("Enter")
    for player in players:
        expect(player.page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    play(players, Script("EC"))

    assert [player.sees().seat for player in players] == [2, 1]
    assert endings(players) == ["You lost, 0 to 1", "You won, 1 to 0"]
    expect(players[0].page.locator(".ending-more")).to_contain_text("Game 2 of this series")


def test_pass_and_play_on_one_device(invites: Invites) -> None:
    (visitor,) = invites(1)
    page = visitor.goes_to("/new?game=ecard&with=here")
    page.get_by_role("dialog").locator("details.options summary").press("Enter")
    page.locator("#option-rounds").fill("2")
    page.keyboard.press("Tab")
    expect(page.locator(".sheet-means")).to_contain_text("group=3 is more than rounds=2")
    page.locator("#option-group").fill("1")
    page.keyboard.press("Tab")
    expect(page.locator(".sheet-means")).to_contain_text("Exact")
    page.get_by_role("button", name="Open the table").press("Enter")
    curtain = page.get_by_role("heading", name="Pass the device to Seat 1")
    expect(curtain).to_be_visible()
    player = Player(visitor)
    script = Script("CC ES", "EC")

    play([player], script)

    assert player.sees().ending == "Seat 2 won, 6 to 0"
    assert sorted(player.picked) == ["C", "C", "C", "E", "E", "S"]


def resign(page: Page) -> None:
    """By the menu, as on a phone; asked twice."""
    page.get_by_role("button", name="Menu").press("Enter")
    page.get_by_role("button", name="Resign").press("Enter")
    page.locator("dialog").get_by_role("button", name="Resign").press("Enter")
