"""Whole games on the full screen, by its keys: every preset, alone and on one device."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from facedown.core import registry
from facedown.core.chance import Stream
from facedown.core.replay import verify
from facedown.terminal.board import LEAST
from facedown.terminal.look import Look, cells
from tests.terminal.screens import app_of, at, opened, order_of, place, press, shown

PRESETS = [(game, preset.name) for game in registry.names() for preset in registry.get(game).rules.presets]
OF_PRESETS = pytest.mark.parametrize(("game", "preset"), PRESETS)
OF_GAMES = pytest.mark.parametrize("game", registry.names())


@OF_PRESETS
def test_a_whole_game_against_machines(game: str, preset: str) -> None:
    look = Look("ja" if len(preset) % 2 else "en", motion="off")
    sitting = opened(order_of(game, preset), look)
    fingers = Stream(b"fingers", preset)

    async def play(pilot: Pilot[str]) -> None:
        while sitting.outcome is None:
            legal = sitting.legal(1)
            pick = legal[fingers.below(len(legal))]
            before = sitting.decision
            await place(pilot, pick)
            assert sitting.match.picks[before - 1][0] == pick
            assert all(cells(line) <= 80 for line in shown(pilot).splitlines())
        assert sitting.record() is not None
        await press(pilot, "w")
        await press(pilot, "escape", "l", "escape", "r", "escape")

    at(app_of(sitting, look), play)
    record = sitting.record()
    assert record is not None
    assert all(finding.holds is not False for finding in verify(record))


@OF_PRESETS
def test_a_whole_game_on_one_device(game: str, preset: str) -> None:
    seats = min(3, registry.get(game).meta.most_seats)
    sitting = opened(order_of(game, preset, seats, people=tuple(range(1, seats + 1))))
    fingers = Stream(b"fingers", preset)

    async def play(pilot: Pilot[str]) -> None:
        while sitting.outcome is None:
            seat = sitting.may_seal[0]
            name = sitting.names[seat - 1]
            assert f"{name} is next." in shown(pilot)
            await press(pilot, "enter")
            legal = sitting.legal(seat)
            await place(pilot, legal[fingers.below(len(legal))])

    at(app_of(sitting), play, (100, 30))
    assert sitting.record() is not None


@OF_GAMES
def test_every_number_of_seats_fits_the_smallest_screen(game: str) -> None:
    meta = registry.get(game).meta
    for seats in sorted({meta.least_seats, (meta.least_seats + meta.most_seats) // 2, meta.most_seats}):
        for look in (Look(motion="off"), Look("ja", motion="off"), Look(ascii=True, motion="off")):
            sitting = opened(order_of(game, "", seats), look)

            async def play(pilot: Pilot[str], sitting=sitting, look=look) -> None:  # type: ignore[no-untyped-def]
                for _ in range(3):
                    if sitting.outcome is None and sitting.legal(1):
                        await place(pilot, sitting.legal(1)[0])
                lines = shown(pilot).splitlines()
                assert len(lines) == LEAST[1]
                assert max(map(cells, lines)) <= LEAST[0]
                assert all(name in shown(pilot) for name in sitting.names)
                if look.ascii:
                    assert shown(pilot).isascii()

            at(app_of(sitting, look), play, LEAST)


# --- the hot seat ----------------------------------------------------------------------------------------


@OF_GAMES
def test_nothing_on_the_screen_depends_on_what_another_has_sealed(game: str) -> None:
    """Between one's seal and the reveal the next person sees the same, whatever was sealed."""
    seats = registry.get(game).meta.least_seats
    order = order_of(game, "", seats, people=tuple(range(1, seats + 1)))
    first = opened(order).may_seal[0]
    picks = opened(order).legal(first)
    seen = set()
    for pick in picks[:: max(1, len(picks) // 3)]:
        sitting = opened(order)
        pages: list[str] = []

        async def play(pilot: Pilot[str], pick=pick, pages=pages, sitting=sitting) -> None:  # type: ignore[no-untyped-def]
            await press(pilot, "enter")
            await place(pilot, pick)
            assert sitting.sealed == (first,)
            for keys in ((), ("enter",), ("w",), ("escape", "l"), ("escape", "?"), ("escape", "escape")):
                await press(pilot, *keys)
                pages.append(shown(pilot))

        at(app_of(sitting), play)
        seen.add("\f".join(pages))
    assert len(picks) > 1
    assert len(seen) == 1


@OF_GAMES
def test_the_curtain_hides_every_hand(game: str) -> None:
    seats = registry.get(game).meta.least_seats
    sitting = opened(order_of(game, "", seats, people=tuple(range(1, seats + 1))))

    async def play(pilot: Pilot[str]) -> None:
        hidden = shown(pilot)
        await press(pilot, "enter")
        assert "Enter seal" in shown(pilot)
        assert "Enter seal" not in hidden
        assert len(hidden.split()) < 40
        for seat in range(1, seats + 1):
            for card in getattr(sitting.view(seat), "hand", ()):
                assert len(card) < 2 or card not in hidden

    at(app_of(sitting), play)
