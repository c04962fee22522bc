"""A table on a real server: Ann at this screen, others elsewhere; and a keyboard that is a pipe."""

from __future__ import annotations

import asyncio
import io
import os
import time
from collections.abc import Callable, Coroutine
from typing import Any

from facedown.client import BlockingTable, RestClient
from facedown.client.rest import Address
from facedown.core import registry
from facedown.protocol.messages import Clock
from facedown.protocol.rest import PersonSeat, TableOrder
from facedown.terminal.lines.console import Console
from facedown.terminal.tables.join import join_table
from facedown.terminal.tables.remote import OnlineTable
from facedown.terminal.words.words import Words
from tests.client.players import signed_in, take_seat
from tests.patience import PATIENCE
from tests.server.running import Server

GAME = registry.names()[-1]
PERSON = PersonSeat()


class OnlinePair:
    """A table of two: Ann at the screen, Bo elsewhere."""

    def __init__(
        self, running: Server, *, language: str = "en", begun: bool = True, clock: Clock | None = None
    ) -> None:
        self.bo: RestClient = signed_in(running.base, "Bo")
        made = self.bo.make(TableOrder(GAME, (PERSON, PERSON), "classic(placing=together)", clock or Clock()))
        self.link = f"{running.base}/i/{made.invite}"
        self.other: BlockingTable | None = take_seat(self.bo, made.table, 1) if begun else None
        self.table = self.join(language)
        if begun:
            until(lambda: self.table.started)

    def join(self, language: str = "en") -> OnlineTable:
        return join(self.link, language)

    @property
    def bos(self) -> BlockingTable:
        assert self.other is not None
        return self.other

    def close(self) -> None:
        self.table.close()
        if self.other is not None:
            self.other.close()


def join(link: str, language: str = "en") -> OnlineTable:
    """Ann at this screen, by an invitation."""
    return join_table(Address.read(link), Words(language), print, name="Ann")


def until(state: Callable[[], bool]) -> None:
    """Wait until something holds; fails if it never does."""

    async def wait() -> None:
        await until_there(state)

    asyncio.run(wait())


async def until_there(state: Callable[[], object], never: Callable[[], str] = lambda: "this") -> None:
    over = time.monotonic() + PATIENCE
    while not state():
        assert time.monotonic() < over, f"{never()} never came to be"
        await asyncio.sleep(0.02)


class Typed:
    """A keyboard that is a pipe, and what is printed."""

    def __init__(self) -> None:
        reading, self._writing = os.pipe()
        self.stream = os.fdopen(reading, encoding="utf-8")
        self.screen = io.StringIO()
        self.console = Console(self.stream, self.screen)

    def type(self, *lines: str) -> None:
        os.write(self._writing, "".join(f"{line}\n" for line in lines).encode())

    def at(self, play: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Play, and always end the input: the test would wait forever for a reader that is still open."""

        async def play_and_end() -> None:
            try:
                await play()
            finally:
                self.end()

        asyncio.run(play_and_end())

    def end(self) -> None:
        """No more lines come."""
        if self._writing >= 0:
            os.close(self._writing)
            self._writing = -1

    @property
    def screen_text(self) -> str:
        return self.screen.getvalue()

    async def until(self, words: str) -> None:
        await until_there(lambda: words in self.screen_text, lambda: f"{words!r} in {self.screen_text}")
