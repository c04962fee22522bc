"""All tables of this server: finds them, sets new ones up, watches their clocks, and gives back lost time.

A table is loaded from the store when it is asked for, and forgotten when nobody has needed it for a while.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from facedown.core import registry
from facedown.core.chance import seed_commitment
from facedown.core.errors import FacedownError, NotNow
from facedown.core.match import check_seats
from facedown.core.seats import Seat
from facedown.protocol.errors import BadMessage, UnknownTable
from facedown.protocol.messages import Ack, Cmd, Series
from facedown.protocol.rest import MachineSeat, Order
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import new_code, new_id
from facedown.server.store.base import Answer, Store, StoreFailed
from facedown.server.table import commands, facts
from facedown.server.table.bots import RANDOM, BotPlayers
from facedown.server.table.commands import Actor, check_bot
from facedown.server.table.setup import continued
from facedown.server.table.state import TableState
from facedown.server.table.table import Table, load
from facedown.server.table.transaction import Transaction

_TICK_S: Final = 0.25
_STALL_MS: Final = 1500
"""A tick that comes so late says that the server stood still, and nobody could play."""
_HEARTBEAT_MS: Final = 2000
_FORGET_MS: Final = 10 * 60 * 1000
_ALIVE: Final = "alive"


class Tables:
    """The tables in memory, and the watch over all clocks."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._machines = BotPlayers()
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._watch: asyncio.Task[None] | None = None
        self._next_deadline: int | None = None
        self._log = structlog.get_logger("facedown.tables")

    # --- coming up and going down --------------------------------------------------------------------

    async def start(self) -> None:
        """Go on where the last server stopped: the clocks get the outage back."""
        noted = await self._store.noted(_ALIVE)
        running = await self._store.running()
        if noted is not None and running:
            await self._give_back(max(0, now() - int(noted)), running)
        self._next_deadline = await self._store.next_deadline()
        self._watch = asyncio.create_task(self._watch_clocks())

    async def stop(self) -> None:
        """Finish what is being written, and stop the clocks."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._machines.stop()
        for table in tuple(self._tables.values()):
            await table.settled()
        with suppress(StoreFailed):
            await self._store.note(_ALIVE, str(now()).encode())

    @property
    def loaded(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    # --- finding and making --------------------------------------------------------------------------

    async def get(self, table: str) -> Table:
        """The table of that id; raises `UnknownTable`."""
        found = self._tables.get(table)
        if found is not None:
            return found
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def _load(self, table: str) -> Table:
        state = await load(self._store, table)
        if state.head == 0:
            raise UnknownTable("there is no such table")
        loaded = self._keep(state)
        loaded.invite = await self._store.invite(table)
        loaded.wake()
        return loaded

    def _keep(self, state: TableState) -> Table:
        table = Table(state, self._store, self._bus, self._machines, self)
        self._tables[state.id] = table
        return table

    async def make(self, order: Order, host: str, key: str = "") -> Table:
        """Set a table up; whoever asks again with the same key gets the same table."""
        return await self._once(lambda: ordered(order, host), host, key)

    async def go_on(
        self, table: Table, keep: int, seat: Seat, machine: str | None, host: str, key: str = ""
    ) -> Table:
        """A table that goes on from a position of a finished one; for the key the same holds."""
        return await self._once(lambda: continued(table.state, keep, seat, machine, host), host, key)

    async def _once(
        self, order: Callable[[], tuple[facts.TableCreated, facts.TableSecret, str]], host: str, key: str
    ) -> Table:
        known = await self._store.remembered(host, key) if key else None
        if known is not None:
            return await self.get(known.decode())
        made, secret, table_id = order()
        answer = Answer(host, key, table_id.encode()) if key else None
        return await self._set_up(table_id, made, secret, answer)

    async def _set_up(
        self, table_id: str, made: facts.TableCreated, secret: facts.TableSecret, answer: Answer | None = None
    ) -> Table:
        tx = Transaction(TableState(table_id), now())
        tx.add(made, secret)
        commands.deal_if_ready(tx)
        tx.invite = new_code()
        tx.answer = answer
        await self._store.append(tx.batch())
        table = self._keep(tx.state)
        table.invite = tx.invite
        table.wake()
        return table

    async def rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        """The next game of these people: everybody one seat further, and the score goes on."""
        await table.settled()
        state = table.state
        if state.next is not None:
            return Ack(cmd.id, state.head, state.next)
        if state.phase != "over":
            raise NotNow("a rematch is for when the game is over")
        if actor.seat not in range(1, len(state.places) + 1):
            raise NotNow("those who played ask for a rematch")
        made, secret, table_id = again(state, actor.person)
        following = await self._set_up(table_id, made, secret)
        ack = await table.do(lambda tx: commands.link_rematch(tx, actor, cmd, table_id))
        if ack.next != table_id:
            await following.close("another table is the next one")
        return ack

    # --- the watch -----------------------------------------------------------------------------------

    def schedule_deadline(self, deadline: int | None) -> None:
        """A table has to be looked at then."""
        if deadline is not None and (self._next_deadline is None or deadline < self._next_deadline):
            self._next_deadline = deadline

    async def _watch_clocks(self) -> None:
        last, beat, swept = now(), 0, now()
        while True:
            await asyncio.sleep(_TICK_S)
            at = now()
            try:
                if at - last > _TICK_S * 1000 + _STALL_MS:
                    await self._give_back(at - last, await self._store.running())
                if self._next_deadline is not None and at - beat >= _HEARTBEAT_MS:
                    await self._store.note(_ALIVE, str(at).encode())
                    beat = at
                if self._next_deadline is not None and self._next_deadline <= now():
                    await self._check_clocks()
                if at - swept > _FORGET_MS / 10:
                    self._forget(at)
                    swept = at
            except FacedownError as error:
                self._log.error("the watch over the clocks failed; it goes on", error=error.code)
            last = now()

    async def _check_clocks(self) -> None:
        at = now()
        self._next_deadline = None
        for table_id in await self._store.due(at):
            try:
                table = await self.get(table_id)
                await table.check_clocks(at)
            except FacedownError as error:
                self._log.error("a clock could not be looked at", table=table_id, error=error.code)
        self.schedule_deadline(await self._store.next_deadline())

    async def _give_back(self, ms: int, running: list[str]) -> None:
        """Nobody could play for so long: it counts for nobody."""
        if ms < _STALL_MS:
            return
        for table_id in running:
            with suppress(FacedownError):
                await (await self.get(table_id)).give_back(ms)
        if running:
            self._log.warning("outage given back", ms=ms, tables=len(running))

    def _forget(self, at: int) -> None:
        for table in tuple(self._tables.values()):
            if table.idle and at - table.touched > _FORGET_MS:
                del self._tables[table.id]


# --- orders ----------------------------------------------------------------------------------------------


def ordered(order: Order, host: str) -> tuple[facts.TableCreated, facts.TableSecret, str]:
    """A new table as somebody ordered it; raises where the order makes no sense."""
    game = registry.get(order.game)
    rules = game.rules.read(order.rules)
    check_seats(game, len(order.seats))
    chairs = tuple(
        facts.SeatSetup("machine", seat.machine)
        if isinstance(seat, MachineSeat)
        else facts.SeatSetup("person")
        for seat in order.seats
    )
    for machine in {chair.machine for chair in chairs} | {order.flag} - {RANDOM}:
        if machine is not None:
            check_bot(game.name, machine)
    if order.hotseat and order.public:
        raise BadMessage("a table on one device cannot be open to everybody")
    table, seed = new_id(), secrets.token_bytes(32)
    made = facts.TableCreated(
        game=game.name,
        version=game.version,
        rules=str(rules),
        chairs=chairs,
        clock=order.clock,
        flag=order.flag,
        public=order.public,
        watch=order.watch,
        hotseat=order.hotseat,
        series=Series(1, (0,) * len(chairs), 0, None),
        seed_commit=seed_commitment(table, seed).hex(),
    )
    return made, facts.TableSecret(seed.hex(), host), table


def again(state: TableState, host: str) -> tuple[facts.TableCreated, facts.TableSecret, str]:
    """The next table of the same people: all sit one seat further, seats are kept for them.

    A game that went on from another one's position counts for nothing: after it, the score begins anew.
    """
    made, result = state.made, state.result
    seats = len(state.places)
    chairs = [facts.SeatSetup("person")] * seats
    wins = [0] * seats
    for place in state.places:
        following = place.seat % seats
        kind = made.chairs[place.seat - 1]
        chairs[following] = facts.SeatSetup(kind.kind, kind.machine, place.person)
        won = result is not None and result.winner == place.seat
        wins[following] = made.series.wins[place.seat - 1] + won
    tied = result is not None and result.winner is None
    series = Series(made.series.number + 1, tuple(wins), made.series.ties + tied, state.id)
    if made.continues is not None:
        series = Series(1, (0,) * seats, 0, state.id)
    table, seed = new_id(), secrets.token_bytes(32)
    following_table = facts.TableCreated(
        game=made.game,
        version=state.game.version,
        rules=made.rules,
        chairs=tuple(chairs),
        clock=made.clock,
        flag=made.flag,
        public=False,
        watch=made.watch,
        hotseat=made.hotseat,
        series=series,
        seed_commit=seed_commitment(table, seed).hex(),
    )
    return following_table, facts.TableSecret(seed.hex(), host), table
