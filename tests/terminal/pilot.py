"""The full screen for tests: an app without a terminal, keys for it, and what it shows as text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from itertools import count
from typing import Any
from unittest.mock import patch

from textual._compositor import Compositor
from textual.events import Key
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from facedown.core import registry
from facedown.core.game import Pick
from facedown.terminal.app import TerminalApp
from facedown.terminal.screens.reveal_player import RevealPlayer
from facedown.terminal.screens.table_page import TablePage
from facedown.terminal.settings import Look
from facedown.terminal.tables.host import LocalHost
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import SaveGame
from facedown.terminal.tables.spec import TableSpec, default_names
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words
from tests.patience import PATIENCE

_LETTERS = {"space": " ", "enter": "\r", "escape": "\x1b"}
_SECONDS = count(1)


def spec_of(
    game: str, rules: str = "", seats: int | None = None, seed: str = "oak", people: tuple[int, ...] = (1,)
) -> TableSpec:
    """A table: people on some seats, blind machines on the others."""
    found = registry.get(game)
    many = found.meta.least_seats if seats is None else seats
    machines = tuple("" if seat in people else "uniform" for seat in range(1, many + 1))
    names = default_names(game, machines)
    return TableSpec(game, str(found.rules.read(rules)), names, people, machines, seed)


def open_table(
    spec: TableSpec, look: Look | None = None, savegame: SaveGame | None = None, *, keep: bool = False
) -> LocalTable:
    return LocalHost(keep=keep).open(spec, Words((look or Look()).language), savegame)


def app_of(table: TerminalTable | None = None, look: Look | None = None) -> TerminalApp:
    return TerminalApp(LocalHost(keep=False), look or Look(), table)


def at(
    app: TerminalApp,
    do: Callable[[Pilot[str]], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    *,
    reveals: bool = False,
) -> None:
    """Run the app on a screen of that size, and do something there; without `reveals` no result stands.

    `screen_text` and `screen_segments` draw the screen."""

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await do(pilot)

    with patch.object(Compositor, "render_update", _leaves_undrawn), ExitStack() as stack:
        if not reveals:
            stack.enter_context(patch.object(RevealPlayer, "_reveal", _is_over))
        asyncio.run(main())


async def _is_over(*_: object) -> None:
    """In place of a reveal and its pauses."""


def _leaves_undrawn(compositor: Compositor, *_: object, **__: object) -> None:
    """In place of drawing whatever changed, for a terminal that is not there: half of what a key costs."""
    compositor._dirty_regions.clear()


def screen_text(pilot: Pilot[str]) -> str:
    """The text on the screen: all widgets, in their order above each other."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def screen_segments(pilot: Pilot[str]) -> list[list[tuple[str, str]]]:
    """The text on the screen, with its colours."""
    strips = pilot.app.screen._compositor.render_strips()
    return [[(segment.text, str(segment.style)) for segment in strip] for strip in strips]


async def settle(pilot: Pilot[str]) -> None:
    """Wait until the page on top has its size and no messages left, and the table has shown every event.

    A page that was just opened has no size yet, and would show itself as too small.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if isinstance(pilot.app, TerminalApp) and pilot.app.failure is not None:
            raise pilot.app.failure
        if pilot.app._exception is not None:
            raise pilot.app._exception
        page = pilot.app.screen
        if page.is_mounted:
            # a key goes down to the focused widget and up again to the app, which knows the bindings
            done = await wait_until_handled(pilot.app, page.focused or page, page, pilot.app, page)
            if done and page.size == pilot.app.size and at_rest(page) and page is pilot.app.screen:
                return
        await asyncio.sleep(0.001)
    raise AssertionError("the table does not come to rest")


def at_rest(page: Any) -> bool:
    """Whether this page has nothing left to do or to show."""
    return not isinstance(page, TablePage) or page.idle


async def wait_until_handled(*pumps: MessagePump) -> bool:
    """Wait until each of these has handled its messages; false if a page was closed before that."""
    for pump in pumps:
        if not await _wait_for_call(pump.call_later):
            return False
    if isinstance(pumps[-1], TablePage):
        return True
    return await _wait_for_call(pumps[-1].call_after_refresh)  # widgets are laid out when the screen is drawn


async def _wait_for_call(call: Callable[[Callable[[], object]], object]) -> bool:
    done = asyncio.Event()
    call(done.set)
    try:
        await asyncio.wait_for(done.wait(), 0.2)
    except TimeoutError:
        return False
    return True


async def press(pilot: Pilot[str], *keys: str) -> None:
    """Press keys one after the other, a second apart; each is carried out before the next.

    The app gets them at once: Pilot's own way waits for an idle processor after each.
    """
    for key in keys:
        event = Key(key, key if len(key) == 1 else _LETTERS.get(key))
        event.time += next(_SECONDS)
        pilot.app.post_message(event)
        await settle(pilot)


async def place(pilot: Pilot[str], pick: Pick) -> None:
    """Raise what this pick needs and seal it, by the arrow keys."""
    page = pilot.app.screen
    assert isinstance(page, TablePage)
    held = page.session.held_cards()
    if page.session.selection.place is not None:  # the only one that can be placed
        await press(pilot, "enter")
        return
    for number, each in enumerate(held):
        also = [key for key, other, _ in each.also if other == pick]
        if each.pick == pick or also:
            back = len(held) - number
            moves = ["right"] * (number + 1) if number < back else ["left"] * back
            await press(pilot, *moves, *also, "enter")
            return
    raise AssertionError(f"{pick} is not in the fan")
