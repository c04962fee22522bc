"""Server-side bots: each gets the view and the legal picks of its seat, and never the state of the table.

It chooses at once and is bound to its choice before people seal; it places the pick after a
moment, as a person would.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from facedown.bots.choice import choose
from facedown.core.chance import Stream, clock_stream, mac, machine_stream
from facedown.core.fairness import RANDOM
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.views import ViewProtocol
from facedown.server.ops.logs import get_log

_THREADS: Final = 2


class BotTurn(NamedTuple):
    """The turn of a seat, as far as a bot may know it."""

    game: str
    table: str
    decision: int
    seat: Seat
    view: ViewProtocol
    legal: tuple[Pick, ...]


class BotPlayers:
    """Runs bots on a few threads beside the event loop, and seals their picks."""

    def __init__(self, pause: int = 0) -> None:
        self.pause = pause
        """How long a bot takes at most, in ms."""
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="bot")
        self._thinking: set[asyncio.Future[None]] = set()
        self._stopped = False
        self._log = get_log("facedown.bots")

    def play(
        self, turn: BotTurn, machine: str, key: bytes, bind: Callable[[BotTurn, str, Pick], None]
    ) -> None:
        """Choose a pick for this turn on a thread, then bind the machine to it."""
        self._start(self._play(turn, machine, key, bind))

    async def _play(
        self, turn: BotTurn, machine: str, key: bytes, bind: Callable[[BotTurn, str, Pick], None]
    ) -> None:
        bind(turn, machine, await self._think(turn, machine, machine_stream(key, turn.decision, turn.seat)))

    def after_a_moment(
        self, turn: tuple[int, Seat], key: bytes, beside: int, place: Callable[[int, Seat], None]
    ) -> None:
        """Place the promised pick of a decision and seat; `beside` it that many bots are due, too."""
        self._start(self._pause_before(turn, key, beside, place))

    async def _pause_before(
        self, turn: tuple[int, Seat], key: bytes, beside: int, place: Callable[[int, Seat], None]
    ) -> None:
        await asyncio.sleep(moment_of(*turn, key, self.pause, beside))
        place(*turn)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        if self._stopped:
            work.close()
            return
        thought = asyncio.ensure_future(work)
        self._thinking.add(thought)
        thought.add_done_callback(self._thinking.discard)

    def choose(self, turn: BotTurn, machine: str, stream: Stream) -> Pick:
        """The pick of a bot; a random legal one where the bot fails, which is logged."""
        pick, trouble = choose(turn.game, machine, turn.view, turn.legal, stream)
        if trouble:
            self._log.error("bot pick failed", bot=machine, table=turn.table, error=trouble)
        return pick

    async def choose_on_timeout(self, turn: BotTurn, flag: str, key: bytes) -> Pick:
        """The pick for a seat whose time is up: random, or by the bot named in the table's setup."""
        stream = clock_stream(key, turn.decision, turn.seat)
        if flag == RANDOM:
            return str(turn.legal[stream.below(len(turn.legal))])
        return await self._think(turn, flag, stream)

    async def _think(self, turn: BotTurn, machine: str, stream: Stream) -> Pick:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self.choose, turn, machine, stream)

    async def stop(self) -> None:
        """Cancel all bots, and end the threads."""
        self._stopped = True
        for thought in self._thinking:
            thought.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)


def moment_of(decision: int, seat: Seat, key: bytes, pause: int, beside: int) -> float:
    """How long a bot takes at least, in seconds: 30 to 100 % of the pause, less with others beside it.

    It follows from the turn alone: how long a bot takes says nothing about its pick.
    """
    chance = Stream(mac(key, "facedown/1/moment", decision.to_bytes(4, "big")), f"bot/{seat}")
    return pause * (300 + chance.below(701)) / 1_000_000 / (1 + beside)
