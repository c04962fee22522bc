"""Whole games on the full screen, by its keys: every preset, alone and on one device."""

from __future__ import annotations

from difflib import unified_diff

import pytest
from textual.pilot import Pilot

from facedown.core import registry
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.replay import verify
from facedown.core.seats import Seat
from facedown.terminal.drawing.spans import LEAST, Line, cells
from facedown.terminal.settings import Look
from facedown.terminal.tables.local import LocalTable
from tests.few import few
from tests.terminal.pilot import app_of, at, open_table, place, press, screen_segments, screen_text, spec_of

PRESETS = [(game, preset.name) for game in registry.names() for preset in registry.get(game).rules.presets]
OF_GAMES = pytest.mark.parametrize("game", registry.names())


@pytest.mark.parametrize(("game", "preset"), few(PRESETS))
def test_a_whole_game_against_machines(game: str, preset: str) -> None:
    look = Look("ja" if len(preset) % 2 else "en")
    table = open_table(spec_of(game, preset), look)
    fingers = Stream(b"fingers", preset)

    async def play(pilot: Pilot[str]) -> None:
        while table.outcome is None:
            legal = table.legal(1)
            pick = legal[fingers.below(len(legal))]
            before = table.decision
            await place(pilot, pick)
            assert table.match.picks[before - 1][0] == pick
            assert all(cells(line) <= 80 for line in screen_text(pilot).splitlines())
        assert table.record() is not None
        await press(pilot, "w")
        await press(pilot, "escape", "l", "escape", "r", "escape")

    at(app_of(table, look), play)
    record = table.record()
    assert record is not None
    assert all(finding.holds is not False for finding in verify(record))


@pytest.mark.parametrize(("game", "preset"), few(PRESETS, 2))
def test_a_whole_game_on_one_device(game: str, preset: str) -> None:
    seats = min(3, registry.get(game).meta.most_seats)
    table = open_table(spec_of(game, preset, seats, people=tuple(range(1, seats + 1))))
    fingers = Stream(b"fingers", preset)

    async def play(pilot: Pilot[str]) -> None:
        while table.outcome is None:
            seat = table.may_seal[0]
            name = table.names[seat - 1]
            assert f"{name} is next." in screen_text(pilot)
            await press(pilot, "enter")
            legal = table.legal(seat)
            await place(pilot, legal[fingers.below(len(legal))])

    at(app_of(table), play, (100, 30))
    assert table.record() is not None


@OF_GAMES
def test_every_number_of_seats_fits_the_smallest_screen(game: str) -> None:
    meta = registry.get(game).meta
    for seats in sorted({meta.least_seats, (meta.least_seats + meta.most_seats) // 2, meta.most_seats}):
        for look in (Look(), Look("ja"), Look(ascii=True)):
            table = open_table(spec_of(game, "", seats), look)

            async def play(pilot: Pilot[str], table=table, look=look) -> None:  # type: ignore[no-untyped-def]
                for _ in range(3):
                    if table.outcome is None and table.legal(1):
                        await place(pilot, table.legal(1)[0])
                lines = screen_text(pilot).splitlines()
                assert len(lines) == LEAST[1]
                assert max(map(cells, lines)) <= LEAST[0]
                assert all(name in screen_text(pilot) for name in table.names)
                if look.ascii:
                    assert screen_text(pilot).isascii()

            at(app_of(table, look), play, LEAST)


# --- the hot seat ----------------------------------------------------------------------------------------


LOOKS = {
    "curtain": (),
    "table": ("enter",),
    "raised": ("right",),
    "why": ("w",),
    "log": ("escape", "l"),
    "rules": ("escape", "r"),
    "keys": ("escape", "?"),
    "pause": ("escape", "escape"),
    "resign?": ("down", "enter"),
}
"""Everything that the next person can look at before the reveal, and the keys that lead there."""


TABLES = [
    (game, seats)
    for game in registry.names()
    for seats in (2, 3)
    if registry.get(game).meta.least_seats <= seats <= registry.get(game).meta.most_seats
]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_nothing_on_the_screen_depends_on_what_another_has_sealed(game: str, seats: int) -> None:
    """Between one's seal and the reveal the next person sees the same, letters and colours, whatever was
    sealed: worlds that differ in that alone are looked at page by page."""
    spec = spec_of(game, "", seats, people=tuple(range(1, seats + 1)))
    first = open_table(spec).may_seal[0]
    picks = open_table(spec).legal(first)
    assert len(picks) > 1
    worlds = {pick: _looked_at(open_table(spec), first, pick) for pick in picks[:: max(1, len(picks) // 3)]}
    one, *others = worlds.items()
    for pick, pages in others:
        for page, lines in pages.items():
            known = one[1][page]
            diff = unified_diff(_text(known), _text(lines), one[0], pick, lineterm="")
            difference = "\n".join(diff) or "only by its colours"
            assert lines == known, f"the page {page!r} shows what was sealed:\n{difference}"


def _looked_at(table: LocalTable, first: Seat, pick: Pick) -> dict[str, list[Line]]:
    """All pages, as the second person sees them after the first has sealed this."""
    pages: dict[str, list[Line]] = {}

    async def play(pilot: Pilot[str]) -> None:
        await press(pilot, "enter")
        await place(pilot, pick)
        assert table.sealed == (first,)
        for name, keys in LOOKS.items():
            await press(pilot, *keys)
            pages[name] = screen_segments(pilot)

    at(app_of(table), play)
    assert len({str(_text(lines)) for lines in pages.values()}) == len(LOOKS), "each page is another one"
    return pages


def _text(lines: list[Line]) -> list[str]:
    return ["".join(text for text, _ in line).rstrip() for line in lines]


@OF_GAMES
def test_the_curtain_hides_every_hand(game: str) -> None:
    seats = registry.get(game).meta.least_seats
    table = open_table(spec_of(game, "", seats, people=tuple(range(1, seats + 1))))

    async def play(pilot: Pilot[str]) -> None:
        hidden = screen_text(pilot)
        await press(pilot, "enter")
        assert "Enter seal" in screen_text(pilot)
        assert "Enter seal" not in hidden
        assert len(hidden.split()) < 40
        for seat in range(1, seats + 1):
            for card in getattr(table.view(seat), "hand", ()):
                assert len(card) < 2 or card not in hidden

    at(app_of(table), play)
