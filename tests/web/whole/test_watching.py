"""No page holds what is hidden from it, a spectator least: not in markup, traffic, storage or memory."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import expect

import facedown
from tests.web.screenshots.positions import Set
from tests.web.shell.server_process import ServerProcess, Visitor, visit
from tests.web.whole.conftest import Invites
from tests.web.whole.page_spy import PageSpy, leaks
from tests.web.whole.plans import hurry
from tests.web.whole.players import Player, Seen, play
from tests.web.whole.tables import continues, dealt

_WEB = Path(facedown.__file__).parent / "games" / "davenport" / "web"
WRITTEN = {
    card
    for file in _WEB.rglob("*.js")
    for card in re.findall(r"\b[A2-9TJQK][CDHS]\b", file.read_text("utf-8"))
} | {"TD", "TH"}
"""What every page has in its memory: cards of the playable examples, and names of elements."""


def watches(visitor: Visitor, table: Set) -> None:
    visit(visitor.page, table.address)
    visitor.page.wait_for_selector(".table-frame[data-seat='0']")
    expect(visitor.page.get_by_role("button", name="Resign")).to_have_count(0)


def test_hands_of_davenport(invites: Invites, server: ServerProcess) -> None:
    """One page and a spectator's, both listened to; programs hold, and seal, what may not be found there."""
    visitors = invites(2)
    spies = [PageSpy(visitor.page) for visitor in visitors]
    table = dealt(server.url, "davenport", "davenport", 3)
    continues(visitors[0], table, 1)
    watches(visitors[1], table)
    expect(visitors[1].page.get_by_text("You’re watching")).to_be_visible()
    spectator = spies[1]
    held: dict[int, set[str]] = {1: set(), 2: set(), 3: set()}
    shown: set[str] = set()
    looks = 0
    nonces: list[str] = []

    def plan(seen: Mapping[int, Seen]) -> dict[int, str]:
        hands = {1: seen[1].hand, 2: table.hand(2), 3: table.hand(3)}
        for seat, cards in hands.items():
            held[seat] |= set(cards)
        wanted = hurry(hands, 2)
        if looks == 0:
            wanted[3] = f"x{wanted[3]}"  # one card goes away that no page ever shows
        nonces[:] = [table.seals(seat, wanted[seat]) for seat in (2, 3)]
        return {1: wanted[1]}

    def look() -> None:
        nonlocal looks
        looks += 1
        shown.update(_shown(spies[0].frames))
        secrets = {seat: hand - shown for seat, hand in held.items()}
        everybody = set.union(*secrets.values())
        assert leaks(everybody, spectator.all()) == []
        assert leaks(everybody - secrets[1], spies[0].all()) == []
        assert leaks(secrets[1], {"markup": spies[0].markup()})  # the search finds what is there
        assert [where for each in spies for where, text in each.all().items() if nonces[0] in text] == []
        assert spectator.page.locator("[data-pick]").count() == 0
        if looks == 2:
            assert not any(nonce in text for text in spectator.memory() for nonce in nonces)
            assert spectator.holds(everybody - WRITTEN) == set()
            assert spies[0].holds(everybody - WRITTEN) == secrets[1] - WRITTEN

    play(
        [Player(visitors[0])],
        plan,
        before_last=look,
        until=lambda seen: looks >= 3 or any(each.ending for each in seen.values()),
    )

    assert looks == 3
    assert nonces[0] in "\n".join(spectator.frames)  # the seals were opened to everyone
    heard = [json.loads(frame) for frame in spectator.frames]
    assert not any(each.get("legal") or each.get("placed") for each in heard)
    assert not any(each["view"]["hand"] for each in heard if each.get("view"))


def _shown(frames: list[str]) -> set[str]:
    """All cards that have been turned."""
    events = [json.loads(frame) for frame in frames]
    turned = [each for event in events if event.get("k") == "revealed" for each in event["events"]]
    return {card for each in turned if each["kind"] == "reveal" for card in each["facts"]["shown"] if card}
