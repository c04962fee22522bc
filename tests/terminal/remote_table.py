"""A table on a real server: Ann at this screen, others elsewhere; and a keyboard that is a pipe."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Callable

from facedown.client import RemoteTable, RestClient
from facedown.client.rest import Address
from facedown.core import registry
from facedown.protocol.messages import Clock
from facedown.protocol.rest import PersonSeat, TableOrder
from facedown.terminal.lines.console import Console
from facedown.terminal.tables.join import join_table
from facedown.terminal.tables.remote import OnlineTable
from facedown.terminal.words.words import Words
from tests.client.players import seated, signed_in
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
        self.other: RemoteTable | None = seated(self.bo, made.table, 1) if begun else None
        self.table = self.join(language)
        if begun:
            until(lambda: self.table.started)

    def join(self, language: str = "en") -> OnlineTable:
        return joined(self.link, language)

    @property
    def bos(self) -> RemoteTable:
        assert self.other is not None
        return self.other

    def close(self) -> None:
        self.table.close()
        if self.other is not None:
            self.other.close()


def joined(link: str, language: str = "en") -> OnlineTable:
    """Ann at this screen, by an invitation."""
    return join_table(Address.read(link), Words(language), print, name="Ann")


def until(state: Callable[[], bool]) -> None:
    """Wait until something holds; it says what it is waited for where it never does."""

    async def wait() -> None:
        await until_there(state)

    asyncio.run(wait())


async def until_there(state: Callable[[], object]) -> None:
    for _ in range(12_000):
        if state():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("this never came to be")


class Typed:
    """A keyboard that is a pipe, and what is printed."""

    def __init__(self) -> None:
        reading, self._writing = os.pipe()
        self.stream = os.fdopen(reading, encoding="utf-8")
        self.screen = io.StringIO()
        self.console = Console(self.stream, self.screen)

    def type(self, *lines: str) -> None:
        os.write(self._writing, "".join(f"{line}\n" for line in lines).encode())

    def end(self) -> None:
        os.close(self._writing)

    @property
    def shown(self) -> str:
        return self.screen.getvalue()

    async def until(self, words: str) -> None:
        for _ in range(12_000):
            if words in self.shown:
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"never {words!r}:\n{self.shown}")
