"""Whole games of Davenport through the page: three to seven seats, both kinds of playoff, Ace rules."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playwright.sync_api import expect

from tests.few import few
from tests.server.programs import Chair
from tests.web.shell.server_process import ServerProcess, Visitor
from tests.web.whole import davenport
from tests.web.whole.conftest import Dealt, Invites
from tests.web.whole.davenport import Picks
from tests.web.whole.players import Player, Seen, endings, play
from tests.web.whole.tables import NAMES, all_sit, continues, make, reach, sealed, seals


def hands(seen: Mapping[int, Seen]) -> dict[int, list[str]]:
    """Everybody's cards, each from their own page; without those who are not in."""
    return {seat: each.hand for seat, each in seen.items() if each.hand}


def continued_by(visitors: list[Visitor], chairs: list[Chair]) -> list[Player]:
    """The players who go on in a browser where programs have played so far."""
    for visitor, chair, name in zip(visitors, chairs, NAMES, strict=False):
        continues(visitor, chair, name)
    return [Player(visitor) for visitor in visitors]


def ann_wins(seen: Mapping[int, Seen]) -> Picks:
    """Seat 1 shows its best, all others their least."""
    return davenport.hurry(hands(seen), 1)


def test_seven_at_one_table(invites: Invites, dealt: Dealt) -> None:
    table, chairs = reach(  # rounds before the last are as many others
        dealt("seven 1").url,
        "davenport",
        "davenport",
        7,
        plan=lambda held: davenport.save(held, 1),
        there=lambda held: davenport.soon(held, 1),
    )
    pages, programs = chairs[::6], chairs[1:6]
    players = continued_by(invites(2), pages)  # on seats 1 and 7; what they see has seven seats
    before = len(table.record()["picks"])
    exchanged: list[str] = []

    def plan(seen: Mapping[int, Seen]) -> Picks:
        picks = ann_wins(seen)
        if not exchanged:  # once, somebody gives a card away
            exchanged.append(picks[7])
            picks[7] = f"x{picks[7]}"
        for chair in programs:
            seals(chair, lambda hand: min(hand, key=davenport.rank))
        return picks

    play(players, plan)

    assert table.record()["result"]["termination"] == "out"
    assert [each[before:] for each in sealed(table)[::6]] == [player.picked for player in players]
    assert sealed(table)[6][before] == f"x{exchanged[0]}"
    ends, winner = endings(players), table.record()["result"]["winner"]
    called = {1: "Ann", 7: "Bo"}
    assert ends == ["You won" if seat == winner else f"{called[winner]} won" for seat in called]


@pytest.mark.parametrize(("rules", "salt"), few([("davenport", "davenport 11"), ("pointed", "pointed 5")], 1))
def test_a_playoff(invites: Invites, dealt: Dealt, rules: str, salt: str) -> None:
    ace = rules == "pointed"
    table, chairs = reach(
        dealt(salt).url,
        "davenport",
        rules,
        4,
        plan=lambda held: davenport.share(held, ace=ace),
        there=lambda held: davenport.sure(held, ace=ace),
    )
    players = continued_by(invites(4), chairs)
    before = len(table.record()["picks"])

    shared = False

    def plan(seen: Mapping[int, Seen]) -> Picks:
        nonlocal shared
        held = hands(seen)
        if not shared:
            shared = True
            return davenport.share(held, ace=ace)
        assert all(each.place.startswith("Playoff") for each in seen.values())
        return davenport.hurry(held, min(held))

    play(players, plan)

    assert table.record()["result"]["termination"] == "playoff"
    assert [each[before:] for each in sealed(table)] == [player.picked for player in players]
    for player in players:
        expect(player.page.locator(".ending p")).to_contain_text("Won in the playoff.")


def test_two_resign_and_the_last_one_wins(invites: Invites, server: ServerProcess) -> None:
    visitors = invites(3, wide=1280, high=800)
    table = make(server.url, "davenport", "davenport(placing=in_turn)", 3)
    all_sit(visitors, table)
    players = [Player(visitor) for visitor in visitors]
    play(players, ann_wins, until=lambda seen: all("2" in each.place for each in seen.values()))

    for player in players[1:]:
        player.page.get_by_role("button", name="Resign").press("Enter")
        player.page.locator("dialog").get_by_role("button", name="Resign").press("Enter")
        expect(players[0].page.locator("[role=log]")).to_contain_text("resigned")

    for player in players:
        expect(player.page.locator(".ending p")).to_contain_text("All others resigned.")
    assert endings(players) == ["You won", "Ann won", "Ann won"]
