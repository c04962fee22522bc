"""Server-side bots: each receives the view and the legal picks of its seat, never the state of the table.

A bot chooses at once and is bound to its choice before people seal; it places the pick after a moment, as a
person would. What a bot does goes through the table's inbox like any command.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from facedown.bots.choice import choose
from facedown.core.chance import Stream, clock_stream, mac, machine_stream
from facedown.core.errors import FacedownError
from facedown.core.game import Pick
from facedown.core.links import RANDOM
from facedown.core.seats import Seat
from facedown.core.views import ViewProtocol
from facedown.server.ops.logs import get_log
from facedown.server.table import commands
from facedown.server.table.state import TableState
from facedown.server.table.transaction import TableJob, Transaction

RETRY_S: Final = 0.5
"""How long after a failed write a bot tries again."""
_LATE_MS: Final = 3000
"""How late a bot must be before another server moves for it."""
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
    """Runs bots on a few threads beside the event loop."""

    def __init__(self, pause: int = 0) -> None:
        self.pause = pause
        """The longest time in ms that a bot takes at a table with people; alone they take none."""
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="bot")
        self._thinking: set[asyncio.Future[None]] = set()
        self._stopped = False
        self._log = get_log("facedown.bots")

    def play(
        self, turn: BotTurn, machine: str, key: bytes, bind: Callable[[BotTurn, str, Pick], None]
    ) -> None:
        """Choose a pick for this turn on a thread, then bind the machine to it."""

        async def choose_and_bind() -> None:
            stream = machine_stream(key, turn.decision, turn.seat)
            bind(turn, machine, await self._think(turn, machine, stream))

        self._start(choose_and_bind())

    def place_later(
        self, turn: tuple[int, Seat], key: bytes, pause: int, beside: int, place: Callable[[int, Seat], None]
    ) -> None:
        """Place the promised pick of a decision and seat; `beside` is the number of other bots due."""

        async def pause_and_place() -> None:
            await asyncio.sleep(moment_of(*turn, key, pause, beside))
            place(*turn)

        self._start(pause_and_place())

    def _start(self, work: Coroutine[None, None, None]) -> None:
        if self._stopped:
            work.close()
            return
        task = asyncio.ensure_future(work)
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    def choose(self, turn: BotTurn, machine: str, stream: Stream) -> Pick:
        """The pick of a bot; a random legal one if the bot fails, which is logged."""
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
        self._stopped = True
        for task in self._thinking:
            task.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)


def moment_of(decision: int, seat: Seat, key: bytes, pause: int, beside: int) -> float:
    """How long a bot waits before it places, in seconds: 30 to 100 % of the pause, less beside other bots.

    It depends on the turn alone, so the delay says nothing about the pick.
    """
    chance = Stream(mac(key, "facedown/1/moment", decision.to_bytes(4, "big")), f"bot/{seat}")
    return pause * (300 + chance.below(701)) / 1_000_000 / (1 + beside)


class BotSeats:
    """The bots of one table that are choosing or placing a pick in this process."""

    __slots__ = ("_bots", "_enqueue", "_loop", "_placing", "_state", "_stopped", "_thinking")

    def __init__(
        self, bots: BotPlayers, state: Callable[[], TableState], enqueue: Callable[[TableJob], None]
    ) -> None:
        self._bots = bots
        self._state = state
        self._enqueue = enqueue
        self._loop = asyncio.get_running_loop()
        self._thinking: set[tuple[int, Seat]] = set()
        self._placing: set[tuple[int, Seat]] = set()
        self._stopped = False

    @property
    def busy(self) -> bool:
        return bool(self._thinking or self._placing)

    def stop(self) -> None:
        self._stopped = True

    def release(self) -> None:
        """Stop, and refer to the table no more."""
        self.stop()
        state = self._state()
        self._state, self._enqueue = lambda: state, lambda _: None

    def forget(self) -> None:
        self._thinking.clear()
        self._placing.clear()

    def wake(self) -> None:
        """Let every bot without a promise choose, and every bot place whose turn it is."""
        state = self._state()
        if self._stopped or not state.playing or not state.has_machines:
            return
        decision, may_seal = state.match.decision, state.match.may_seal
        for seat in state.unpromised:
            machine = state.place(seat).machine
            if machine is None or (decision, seat) in self._thinking:
                continue
            self._thinking.add((decision, seat))
            self._bots.play(turn_of_bot(state, seat), machine, state.key, self._bind)
        due = [seat for seat in may_seal if seat in state.promises and state.place(seat).kind == "machine"]
        pause = 0 if machines_play_alone(state) else self._bots.pause
        for seat in due:
            if (decision, seat) not in self._placing:
                self._placing.add((decision, seat))
                self._bots.place_later((decision, seat), state.key, pause, len(due) - 1, self._place)

    def wake_at(self, at: int) -> int | None:
        """When another server should move for the bots that are due here, in case this one is gone."""
        return bots_wake_at(self._state(), at, self._bots.pause)

    def _bind(self, turn: BotTurn, machine: str, pick: Pick) -> None:
        self._run(
            self._thinking,
            (turn.decision, turn.seat),
            lambda tx: commands.promise(tx, turn.seat, turn.decision, machine, pick),
        )

    def _place(self, decision: int, seat: Seat) -> None:
        self._run(self._placing, (decision, seat), lambda tx: commands.place_promised(tx, seat, decision))

    def _run(
        self, busy: set[tuple[int, Seat]], turn: tuple[int, Seat], run: Callable[[Transaction], bool]
    ) -> None:
        """Save what a bot does, and try again if the write fails."""

        def done(_: bool, error: FacedownError | None) -> None:
            busy.discard(turn)
            if error is not None:
                self._loop.call_later(RETRY_S, self.wake)

        self._enqueue(TableJob(run, done))


def machines_play_alone(state: TableState) -> bool:
    """Whether no person has a seat in the game any more: machines then play on without pauses."""
    return all(state.place(seat).person is None for seat in state.game.standing(state.match.state))


def bots_wake_at(state: TableState, at: int, pause: int) -> int | None:
    """When the node checks on the bots of a table; None if none is due."""
    if not state.playing or not state.has_machines:
        return None
    due = state.unpromised or any(state.place(each).kind == "machine" for each in state.match.may_seal)
    return at + pause + _LATE_MS if due else None


def turn_of_bot(state: TableState, seat: Seat) -> BotTurn:
    """The turn of a seat, as far as a bot may know it."""
    match = state.match
    return BotTurn(state.setup.game, state.id, match.decision, seat, match.view(seat), match.legal(seat))
