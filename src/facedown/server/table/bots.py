"""The server's own players. A machine gets its seat's view and legal picks and seals like everybody.

It does so at once: it has committed before it could know. It never sees a state.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import structlog

from facedown.bots.find import bots_of, find_bot
from facedown.core import registry
from facedown.core.chance import Stream, keyed, pick_commitment
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.views import ViewProtocol
from facedown.protocol.messages import Cmd

RANDOM: Final = "random"
"""What a table agrees on where nobody says otherwise: a flag picks any legal card."""
_THREADS: Final = 2


class BotTurn(NamedTuple):
    """A seat's turn, as a machine may know it."""

    game: str
    table: str
    decision: int
    seat: Seat
    view: ViewProtocol
    legal: tuple[Pick, ...]


class BotPlayers:
    """Lets machines think beside the loop, a few at a time, and seals what they pick."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="machine")
        self._thinking: set[asyncio.Future[None]] = set()
        self._stopped = False
        self._log = structlog.get_logger("facedown.machines")

    def play(self, turn: BotTurn, machine: str, key: bytes, seal: Callable[[BotTurn, Cmd], None]) -> None:
        """Think about a turn, then seal the pick."""
        if self._stopped:
            return
        thought = asyncio.ensure_future(self._play(turn, machine, key, seal))
        self._thinking.add(thought)
        thought.add_done_callback(self._thinking.discard)

    async def _play(
        self, turn: BotTurn, machine: str, key: bytes, seal: Callable[[BotTurn, Cmd], None]
    ) -> None:
        pick = await self._think(turn, machine, key)
        nonce = secrets.token_bytes(32)
        commit = pick_commitment(turn.table, turn.decision, turn.seat, pick, nonce)
        place = f"m{turn.decision}"
        seal(turn, Cmd(place, "pick", turn.decision, pick, commit.hex(), nonce.hex()))

    def choose(self, turn: BotTurn, machine: str, key: bytes) -> Pick:
        """What the machine picks; one that stumbles picks blindly, and the log says so."""
        stream = bot_stream(key, turn.seat, turn.decision)
        try:
            pick = find_bot(turn.game, machine)().pick(turn.view, turn.legal, stream)
            if pick in turn.legal:
                return str(pick)
            self._log.error("machine picked what is not legal", machine=machine, table=turn.table)
        except Exception as error:  # whatever a machine does, the table goes on
            self._log.error("machine stumbled", machine=machine, table=turn.table, error=type(error).__name__)
        return str(turn.legal[stream.below(len(turn.legal))])

    async def choose_on_timeout(self, turn: BotTurn, flag: str) -> Pick:
        """What is picked for somebody whose time is up: at random, or by the machine the table agreed on."""
        if flag == RANDOM:
            return str(secrets.choice(turn.legal))
        return await self._think(turn, flag, secrets.token_bytes(32))

    async def _think(self, turn: BotTurn, machine: str, key: bytes) -> Pick:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self.choose, turn, machine, key)

    async def stop(self) -> None:
        """Think no more."""
        self._stopped = True
        for thought in self._thinking:
            thought.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)


def usual_machine(game: str) -> str:
    """Against whom a newcomer plays: the one that the game names as USUAL, else the last of its own."""
    part = registry.part(game, "bots")
    if part is None or not part.BOTS:
        return next(iter(bots_of(game)))
    usual: str = getattr(part, "USUAL", part.BOTS[-1]).name
    return usual


def bot_stream(key: bytes, seat: Seat, decision: int) -> Stream:
    """The chance of a machine in one decision: a restart does not change what it picks."""
    return Stream(keyed(key, "facedown/1/machine", decision.to_bytes(4, "big")), f"bot/{seat}")
