"""A table on a server, for programs without an event loop: each call blocks until it is done."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from facedown.client.errors import ServerLost
from facedown.client.rest import RestClient, SeatKey
from facedown.client.table import KnownTable, ServerTable, Turn
from facedown.core.outcome import Outcome
from facedown.core.record import Record

if TYPE_CHECKING:
    from facedown.sim.bot_specs import BotLike

P = ParamSpec("P")
T = TypeVar("T")


def _blocking(
    method: Callable[Concatenate[ServerTable, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[BlockingTable, P], T]:
    """A method of `BlockingTable` that runs a method of `ServerTable` and waits for its result."""

    @wraps(method)
    def run(self: BlockingTable, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._run(method(self.table, *args, **kwargs))

    return run


class BlockingTable(KnownTable):
    """A `ServerTable` whose calls block: a thread of its own runs the event loop."""

    def __init__(
        self,
        server: RestClient,
        table: str,
        key: SeatKey | None = None,
        memory: Path | None = None,
        invitation: str = "",
    ) -> None:
        self.table = ServerTable(server, table, key, memory, invitation)
        """The same table for coroutines; its attributes can be read from any thread."""
        super().__init__(server, self.table.mirror, invitation)
        self._loop: asyncio.AbstractEventLoop | None = None

    wait = _blocking(ServerTable.wait)
    wait_for = _blocking(ServerTable.wait_for)
    seal = _blocking(ServerTable.seal)
    resign = _blocking(ServerTable.resign)
    say = _blocking(ServerTable.say)
    say_preset = _blocking(ServerTable.say_preset)
    rematch = _blocking(ServerTable.rematch)
    leave = _blocking(ServerTable.leave)
    replace = _blocking(ServerTable.replace)
    take_back = _blocking(ServerTable.take_back)
    agree = _blocking(ServerTable.agree)

    def open(self, patience: float = 20.0) -> None:
        """Connect; returns once the table is known, else raises `ServerLost` or `ServerRefused`."""
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=_run_loop, args=(self._loop,), name="facedown table", daemon=True).start()
        try:
            self._run(self.table.open(patience))
        except BaseException:
            self.close()
            raise

    def listen(self, changed: Callable[[], None]) -> None:
        """Set the function that is called after every change, from the table's thread."""
        self.table.listen(changed)

    def turns(self) -> Iterator[Turn]:
        """Each decision of this seat as it comes, until the game is over; seal a pick for each."""
        turns = self.table.turns()

        async def following() -> Turn | None:
            return await anext(turns, None)

        while (turn := self._run(following())) is not None:
            yield turn

    def play(self, bot: BotLike) -> Outcome | None:
        """Let a bot play this seat to the end, in the caller's thread; None if the table closes before."""
        from facedown.client.bot_player import BotPlayer

        player = BotPlayer(self.game, bot)
        for turn in self.turns():
            self.seal(player.pick(*turn, self.seat))
        return self.outcome

    def record(self) -> Record:
        """The record of the game: complete once it is over."""
        return self.server.record(self.id)

    def close(self) -> None:
        """Close the connection; the seat is kept."""
        loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._close(), loop).result()
            loop.call_soon_threadsafe(loop.stop)

    async def _close(self) -> None:
        """Close the table, which ends the calls of other threads, and wait for these."""
        await self.table.close()
        calls = asyncio.all_tasks() - {asyncio.current_task()}
        if calls:
            await asyncio.wait(calls)

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            coroutine.close()
            raise ServerLost("this table is closed")
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
