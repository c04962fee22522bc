"""What the live region says over a whole game: enough to follow it with closed eyes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.server.programs import ask
from tests.web.screenshots.positions import Set
from tests.web.shell.live_region import listen_to, narrated
from tests.web.shell.server_process import ServerProcess, Visitor
from tests.web.whole.conftest import Invites
from tests.web.whole.page_spy import spoken
from tests.web.whole.plans import Script, hurry
from tests.web.whole.players import Player, Seen, endings, play
from tests.web.whole.tables import NAMES, all_sit, continues, dealt, make, sealed

GOLDEN = Path(__file__).parent / "golden"


def test_a_game_of_e_card_in_words_and_as_it_was_played(invites: Invites, server: ServerProcess) -> None:
    """One reads English, the other Japanese."""
    visitors = invites(2)
    listen_to(visitors[0].page)
    table = make(server.url, "ecard", "classic(rounds=3,group=1)", 2)
    all_sit(visitors, table)
    _reads_japanese(visitors[1])
    players = [Player(visitor) for visitor in visitors]

    play(players, Script("EC", "CC CC CC", "CC ES"))

    for visitor, ending in zip(visitors, ("ann", "bo.ja"), strict=True):
        _same(GOLDEN / f"ecard-classic-{ending}.txt", narrated(visitor.page))
    assert endings(players) == ["You lost, 1 to 5", "あなたの勝ち、5対1"]
    assert sealed(table) == [player.picked for player in players]


def _reads_japanese(visitor: Visitor) -> None:
    """From here on, with the live region recorded."""
    page = visitor.page
    listen_to(page)
    page.evaluate("localStorage.setItem('facedown.settings', JSON.stringify({ lang: 'ja' }))")
    page.reload()
    expect(page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()


def _same(golden: Path, lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    if os.environ.get("FACEDOWN_WRITE_GOLDEN"):
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def test_a_game_of_davenport_in_words(invites: Invites, tmp_path: Path) -> None:
    served = ServerProcess(tmp_path / "server", FIXED_SALT="in words")
    served.start()
    table = dealt(served.url, "davenport", "davenport", 3)
    visitors = invites(3)
    for seat, visitor in enumerate(visitors, 1):
        listen_to(visitor.page)
        continues(visitor, table, seat)
    _reads_japanese(visitors[1])

    play([Player(visitor) for visitor in visitors], _some_exchange)

    rounds = history(table)
    assert any(any(turned["exchanged"]) for turned in rounds)
    for seat, visitor, ending in zip((1, 2, 3), visitors, ("ann", "bo.ja", "cy"), strict=True):
        lines = narrated(visitor.page)
        _same(GOLDEN / f"davenport-{ending}.txt", lines)
        for turned in rounds:
            start = f"Round {turned['number']}. "
            if seat != 2:
                (line,) = [each for each in lines if each.startswith(start) and "won the round" in each]
                _tells(line, turned, seat)
    served.stop()


def _some_exchange(seen: Mapping[int, Seen]) -> dict[int, str]:
    """The first seat wins as soon as it can; the second one exchanges in every third round."""
    picks = hurry({seat: each.hand for seat, each in seen.items()}, 1)
    if len(seen[1].hand) % 3 == 0:
        picks[2] = f"x{picks[2]}"
    return picks


def _tells(line: str, turned: dict[str, Any], you: int) -> None:
    """One round: who showed what, who exchanged, who won, and which cards came into one's own hand."""
    called = {seat: "you" if seat == you else NAMES[seat - 1] for seat in (1, 2, 3)}
    for seat, name in called.items():
        note = " (exchanged)" if turned["exchanged"][seat - 1] else ""
        start = f"{name}: {spoken(turned['shown'][seat - 1])}{note}"
        assert start.lower() in line.lower()
    winners = {called[seat].lower() for seat in turned["winners"]}
    who = line.split(" won the round")[0].rpartition(". ")[2].lower()
    assert set(who.replace(" and ", ", ").split(", ")) == winners or who == "everyone"
    assert line.count(" drew ") - line.lower().count("you drew") <= 1
    own = turned["drew"][you - 1]
    if own:
        drawn = line.rpartition("You drew ")[2].split(".")[0]
        assert drawn.count(" of ") == own, line


def history(table: Set) -> list[dict[str, Any]]:
    """The rounds as everybody may know them after the end."""
    view = ask(table.base, "GET", f"/tables/{table.id}", None, table.host)["view"]
    rounds: list[dict[str, Any]] = view["history"]
    return rounds
