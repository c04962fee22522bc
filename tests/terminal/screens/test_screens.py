"""Every screen as text, compared with the reviewed ones in `golden/`.

`python -m tests.terminal.screens.test_screens` writes them again: look at the diff before you commit it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.events import Key
from textual.pilot import Pilot

from facedown.terminal.app import TerminalApp
from facedown.terminal.settings import Look
from tests.terminal.pilot import app_of, at, open_table, place, press, screen_text, settle, spec_of

GOLDEN = Path(__file__).parent / "golden"
SIZES = {"80x24": (80, 24), "72x20": (72, 20), "120x40": (120, 40)}
Act = Callable[[Pilot[str]], Awaitable[None]]


async def nothing(pilot: Pilot[str]) -> None:
    """Only look."""


def keys(*pressed: str) -> Act:
    async def act(pilot: Pilot[str]) -> None:
        await press(pilot, *pressed)

    return act


def table(
    game: str, rules: str, seats: int, plays: int, look: Look | None = None, seed: str = "oak"
) -> tuple[TerminalApp, Act]:
    """A table after `plays` decisions, each with the first legal pick."""
    table = open_table(spec_of(game, rules, seats, seed), look)

    async def act(pilot: Pilot[str]) -> None:
        for _ in range(plays):
            if table.outcome is None:
                await place(pilot, table.legal(1)[0])

    return app_of(table, look), act


def then(first: Act, second: Act) -> Act:
    async def act(pilot: Pilot[str]) -> None:
        await first(pilot)
        await second(pilot)

    return act


def at_a_table(*pressed: str, plays: int = 5) -> tuple[TerminalApp, Act]:
    app, act = table("ecard", "classic", 2, plays)
    return app, then(act, keys(*pressed))


def revealing(game: str, seats: int, wait: float) -> tuple[TerminalApp, Act]:
    """A reveal that is paused: before the cards are turned, or after."""
    table = open_table(spec_of(game, "", seats))

    async def act(pilot: Pilot[str]) -> None:
        await press(pilot, "right")
        pilot.app.post_message(Key("enter", "\r"))
        stop = "is_down" if wait == 0 else "turned"
        for _ in range(20_000):
            await asyncio.sleep(0.005)
            text = screen_text(pilot)
            down = text.count("◉") - 1 >= seats
            if "any key" in text and down == (stop == "is_down"):
                return
        raise AssertionError(f"never {stop}")

    return app_of(table), act


def hot(*pressed: str) -> tuple[TerminalApp, Act]:
    return app_of(open_table(spec_of("ecard", people=(1, 2)))), keys(*pressed)


JA = Look("ja")
ASCII = Look(ascii=True)
SCREENS: dict[str, tuple[str, Callable[[], tuple[TerminalApp, Act]]]] = {
    "ecard-start": ("80x24", lambda: table("ecard", "classic", 2, 0)),
    "ecard-later": ("80x24", lambda: at_a_table("right")),
    "ecard-large": ("120x40", lambda: at_a_table("right")),
    "ecard-small": ("72x20", lambda: at_a_table("right")),
    "ecard-stake": ("80x24", lambda: table("ecard", "purse", 2, 6, seed="elm")),
    "ecard-over": ("80x24", lambda: table("ecard", "decisive", 2, 99)),
    "ecard-ja": ("80x24", lambda: table("ecard", "classic", 2, 5, JA)),
    "ecard-ascii": ("80x24", lambda: table("ecard", "classic", 2, 5, ASCII)),
    "ecard-face-down": ("80x24", lambda: revealing("ecard", 2, 0)),
    "ecard-turned": ("80x24", lambda: revealing("ecard", 2, 1)),
    "davenport-two": ("80x24", lambda: table("davenport", "davenport", 2, 3)),
    "davenport-seven": ("80x24", lambda: table("davenport", "aces", 7, 3)),
    "davenport-seven-large": ("120x40", lambda: table("davenport", "aces", 7, 3)),
    "davenport-ja": ("80x24", lambda: table("davenport", "aces", 4, 3, JA)),
    "davenport-ascii": ("72x20", lambda: table("davenport", "aces", 7, 3, ASCII)),
    "davenport-exchange": ("80x24", lambda: table("davenport", "davenport", 4, 0)),
    "davenport-turned": ("80x24", lambda: revealing("davenport", 3, 1)),
    "why": ("80x24", lambda: at_a_table("w")),
    "log": ("80x24", lambda: at_a_table("l")),
    "rules": ("80x24", lambda: at_a_table("r")),
    "keys": ("80x24", lambda: at_a_table("?")),
    "pause": ("80x24", lambda: at_a_table("escape")),
    "resign": ("80x24", lambda: at_a_table("escape", "down", "enter")),
    "curtain": ("80x24", lambda: hot()),
    "curtain-opened": ("80x24", lambda: hot("enter")),
    "menu": ("80x24", lambda: (app_of(), nothing)),
}


def draw(name: str) -> str:
    size, make = SCREENS[name]
    app, act = make()
    found: list[str] = []

    async def look(pilot: Pilot[str]) -> None:
        if name == "davenport-exchange":
            await press(pilot, "right", "x")
        await act(pilot)
        found.append(screen_text(pilot))

    at(app, look, SIZES[size], reveals=name.endswith(("-face-down", "-turned")))
    return found[0] + "\n"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_looks_as_it_did(name: str) -> None:
    known = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")

    assert draw(name) == known, "`python -m tests.terminal.screens.test_screens` writes it again"


def test_there_is_no_picture_of_a_screen_that_is_not_drawn() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(SCREENS)


@pytest.mark.parametrize("opening", ["end", "w", "escape"])  # the table itself, a text, a list
def test_a_page_on_a_small_terminal_shows_a_message_and_takes_keys_again_when_it_grows(opening: str) -> None:
    app, _ = at_a_table()

    async def look(pilot: Pilot[str]) -> None:
        table = pilot.app.screen
        await press(pilot, opening)
        before = screen_text(pilot)
        await pilot.resize_terminal(50, 12)
        await settle(pilot)
        assert "50 × 12" in screen_text(pilot)
        assert "72 × 20" in " ".join(screen_text(pilot).split())
        assert "Esc" not in screen_text(pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert screen_text(pilot) == before
        if pilot.app.screen is not table:
            await press(pilot, "down", "escape")
        assert pilot.app.screen is table

    at(app, look)


async def press_and_scroll(pilot: Pilot[str], *keys: str) -> None:
    for key in keys:
        await press(pilot, key)
        await pilot.wait_for_animation()


def test_a_long_text_is_scrolled_by_keys_and_closed_by_any_other() -> None:
    app, _ = at_a_table()

    async def look(pilot: Pilot[str]) -> None:
        table = pilot.app.screen
        await press(pilot, "r")
        top = screen_text(pilot)
        await press_and_scroll(pilot, "j", "down", "k")
        assert screen_text(pilot).splitlines()[2:20] == top.splitlines()[3:21]
        await press_and_scroll(pilot, "end")
        end = screen_text(pilot)
        await press_and_scroll(pilot, "space")
        assert screen_text(pilot) == end
        await press_and_scroll(pilot, "home")
        assert screen_text(pilot) == top
        await press(pilot, "x")
        assert pilot.app.screen is table

    at(app, look)


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        for screen in SCREENS:
            (GOLDEN / f"{screen}.txt").write_text(draw(screen), encoding="utf-8")
