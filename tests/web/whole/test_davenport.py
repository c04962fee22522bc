"""Davenport through the page to each of its ends: seven seats, both kinds of playoff, Ace rules.

One page at a table of programs, who play up to where it comes in; games of pages alone are in test_words.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playwright.sync_api import expect

from tests.few import few
from tests.server.programs import Chair
from tests.web.shell.server_process import ServerProcess
from tests.web.whole import davenport
from tests.web.whole.conftest import Dealt, Invites
from tests.web.whole.davenport import Picks
from tests.web.whole.players import Player, Seen, play
from tests.web.whole.tables import continues, hand, picks, reach, resigns, sealed, seals


def hands(chairs: list[Chair]) -> dict[int, list[str]]:
    """Everybody's cards; without those who are not in."""
    held = {chair.seat: hand(chair) for chair in chairs}
    return {seat: cards for seat, cards in held.items() if cards}


def comes_in(invites: Invites, chair: Chair, name: str, **how: object) -> Player:
    """A player who continues in a browser where a program has played so far."""
    (visitor,) = invites(1, **how)
    continues(visitor, chair, name)
    return Player(visitor)


def test_seven_at_one_table(invites: Invites, dealt: Dealt) -> None:
    table, chairs = reach(  # rounds before the last are as many others
        dealt("seven 3").url,
        "davenport",
        "davenport",
        7,
        plan=lambda held: davenport.save(held, 1),
        there=lambda held: davenport.soon(held, 1),
    )
    gus = comes_in(invites, chairs[6], "Gus")
    before = len(table.record()["picks"])

    def plan(seen: Mapping[int, Seen]) -> Picks:
        seals(chairs[0], lambda cards: max(cards, key=davenport.rank))
        for chair in chairs[1:6]:
            seals(chair, lambda cards: min(cards, key=davenport.rank))
        lowest = min(seen[7].hand, key=davenport.rank)
        return {7: lowest if gus.picked else f"x{lowest}"}  # once, a card is given away

    play([gus], plan)

    result = table.record()["result"]
    assert result["termination"] == "out"
    assert sealed(table)[6][before:] == gus.picked
    assert gus.picked[0].startswith("x")
    assert gus.sees().ending == f"{table.record()['seats'][result['winner'] - 1]} won"


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
    held = hands(chairs)
    seat = next(each for each in davenport.winners(held, ace=ace) if len(held[each]) == 1)
    programs = {chair.seat: chair for chair in chairs if chair.seat != seat}
    ann = comes_in(invites, chairs[seat - 1], "Ann")
    before = len(table.record()["picks"])

    def plan(seen: Mapping[int, Seen]) -> Picks:
        held = {seat: seen[seat].hand, **hands([*programs.values()])}
        assert seen[seat].place.startswith("Playoff") == bool(ann.picked)
        wanted = davenport.hurry(held, seat) if ann.picked else davenport.share(held, ace=ace)
        for other in wanted.keys() - {seat}:
            picks(programs[other], wanted[other])
        return {seat: wanted[seat]}

    play([ann], plan)

    assert table.record()["result"]["termination"] == "playoff"
    assert sealed(table)[seat - 1][before:] == ann.picked
    assert len(ann.picked) > 1
    expect(ann.page.locator(".ending-story")).to_contain_text("won the playoff.")


def test_two_resign_and_the_last_one_wins(invites: Invites, server: ServerProcess) -> None:
    """At a table where they place one after the other."""
    rules = "davenport(placing=in_turn)"
    _, chairs = reach(server.url, "davenport", rules, 3, plan=lambda held: {}, there=lambda held: True)
    ann = comes_in(invites, chairs[0], "Ann", wide=1280, high=800)
    ann.seals(min(ann.sees().playable, key=davenport.rank))
    for chair in chairs[1:]:
        seals(chair, lambda cards: min(cards, key=davenport.rank))
    play([ann], lambda seen: {}, until=lambda seen: all("2" in each.place for each in seen.values()))

    for chair in chairs[1:]:
        resigns(chair)
        expect(ann.page.locator("[role=log]")).to_contain_text("resigned")

    expect(ann.page.locator(".ending-story")).to_contain_text("All others resigned.")
    assert ann.sees().ending == "You won"
