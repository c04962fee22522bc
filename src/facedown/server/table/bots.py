"""Server-side bots: each gets the view and the legal picks of its seat, and seals by a command like a person.

It chooses at once, before it could know any other pick, and seals after a moment, as a person would. It never
gets the state of the table.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import structlog

from facedown.bots.find import find_bot
from facedown.core.chance import Stream, keyed, pick_commitment
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.views import ViewProtocol
from facedown.protocol.messages import Cmd

RANDOM: Final = "random"
"""The default for a seat whose time is up: any legal pick."""
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
        self._pause = pause
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="bot")
        self._thinking: set[asyncio.Future[None]] = set()
        self._stopped = False
        self._log = structlog.get_logger("facedown.bots")

    def play(
        self, turn: BotTurn, machine: str, key: bytes, beside: int, seal: Callable[[BotTurn, Cmd], None]
    ) -> None:
        """Choose a pick for this turn on a thread, then seal it; `beside` it that many bots think, too."""
        if self._stopped:
            return
        thought = asyncio.ensure_future(self._play(turn, machine, key, beside, seal))
        self._thinking.add(thought)
        thought.add_done_callback(self._thinking.discard)

    async def _play(
        self, turn: BotTurn, machine: str, key: bytes, beside: int, seal: Callable[[BotTurn, Cmd], None]
    ) -> None:
        moment = asyncio.create_task(asyncio.sleep(moment_of(turn, key, self._pause, beside)))
        pick = await self._think(turn, machine, key)
        await moment
        nonce = secrets.token_bytes(32)
        commit = pick_commitment(turn.table, turn.decision, turn.seat, pick, nonce)
        place = f"m{turn.decision}"
        seal(turn, Cmd(place, "pick", turn.decision, pick, commit.hex(), nonce.hex()))

    def choose(self, turn: BotTurn, machine: str, key: bytes) -> Pick:
        """The pick of a bot; a random legal one where the bot fails, which is logged."""
        stream = bot_stream(key, turn.seat, turn.decision)
        try:
            pick = find_bot(turn.game, machine)().pick(turn.view, turn.legal, stream)
            if pick in turn.legal:
                return str(pick)
            self._log.error("bot picked an illegal card", bot=machine, table=turn.table)
        except Exception as error:  # a bot must never stop a table
            self._log.error("bot pick failed", bot=machine, table=turn.table, error=type(error).__name__)
        return str(turn.legal[stream.below(len(turn.legal))])

    async def choose_on_timeout(self, turn: BotTurn, flag: str) -> Pick:
        """The pick for a seat whose time is up: random, or by the bot named in the table's setup."""
        if flag == RANDOM:
            return str(secrets.choice(turn.legal))
        return await self._think(turn, flag, secrets.token_bytes(32))

    async def _think(self, turn: BotTurn, machine: str, key: bytes) -> Pick:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self.choose, turn, machine, key)

    async def stop(self) -> None:
        """Cancel all bots, and end the threads."""
        self._stopped = True
        for thought in self._thinking:
            thought.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)


def bot_stream(key: bytes, seat: Seat, decision: int) -> Stream:
    """The random stream of a bot for one decision: a restart does not change what it picks."""
    return Stream(keyed(key, "facedown/1/machine", decision.to_bytes(4, "big")), f"bot/{seat}")


def moment_of(turn: BotTurn, key: bytes, pause: int, beside: int) -> float:
    """How long a bot takes at least, in seconds: 30 to 100 % of the pause, less where others think beside it.

    It follows from the turn alone: how long a bot takes says nothing about its pick.
    """
    chance = Stream(keyed(key, "facedown/1/moment", turn.decision.to_bytes(4, "big")), f"bot/{turn.seat}")
    return pause * (300 + chance.below(701)) / 1_000_000 / (1 + beside)
