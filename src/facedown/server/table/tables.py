"""All tables of this server: loads and creates them, watches their clocks, and credits outages.

A table is loaded from the store when it is asked for, and unloaded when it has been idle for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from facedown.core.errors import FacedownError, NotNow
from facedown.core.seats import Seat
from facedown.protocol.errors import UnknownTable
from facedown.protocol.messages import Ack, Cmd
from facedown.protocol.rest import TableOrder
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import new_code
from facedown.server.store.base import Store, StoredResponse, StoreFailed
from facedown.server.table import commands
from facedown.server.table.bots import BotPlayers
from facedown.server.table.commands import Actor
from facedown.server.table.setup import NewTable, from_order
from facedown.server.table.state import TableState, load_state
from facedown.server.table.table import Table
from facedown.server.table.transaction import Transaction

_TICK_S: Final = 0.25
_STALL_MS: Final = 1500
"""A tick that is later than this means that the server stood still, and no player could act."""
_HEARTBEAT_MS: Final = 2000
_UNLOAD_MS: Final = 10 * 60 * 1000
_ALIVE: Final = "alive"


class Tables:
    """The tables in memory, and the task that watches all clocks."""

    def __init__(self, store: Store, bus: Bus, machine_pause: int = 0) -> None:
        self._store = store
        self._bus = bus
        self._bots = BotPlayers(machine_pause)
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._watch: asyncio.Task[None] | None = None
        self._next_deadline: int | None = None
        self._log = structlog.get_logger("facedown.tables")

    # --- start and stop ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Credit the time since the last heartbeat to running clocks, then watch them."""
        heartbeat = await self._store.get_value(_ALIVE)
        running = await self._store.running()
        if heartbeat is not None and running:
            await self._credit_outage(max(0, now() - int(heartbeat)), running)
        self._next_deadline = await self._store.next_deadline()
        self._watch = asyncio.create_task(self._watch_clocks())

    async def stop(self) -> None:
        """Finish what is being written, and stop the clocks."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._bots.stop()
        for table in tuple(self._tables.values()):
            await table.settled()
        with suppress(StoreFailed):
            await self._store.set_value(_ALIVE, str(now()).encode())

    @property
    def loaded(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    # --- load and create -----------------------------------------------------------------------------

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
        state = await load_state(self._store, table)
        if state.head == 0:
            raise UnknownTable("there is no such table")
        loaded = self._add(state)
        loaded.invite = await self._store.invite_of(table)
        loaded.wake_bots()
        return loaded

    def _add(self, state: TableState) -> Table:
        table = Table(state, self._store, self._bus, self._bots, self)
        self._tables[state.id] = table
        return table

    async def create(self, order: TableOrder, host: str, key: str = "") -> Table:
        """Create a table; the same host gets the same table again for the same idempotency key."""
        return await self._create_once(lambda: from_order(order, host), host, key)

    async def continue_game(
        self, table: Table, keep: int, seat: Seat, machine: str | None, host: str, key: str = ""
    ) -> Table:
        """Create a table that continues a finished game; `key` as for `create`."""
        return await self._create_once(lambda: table.continuation_setup(keep, seat, machine, host), host, key)

    async def _create_once(self, setup: Callable[[], NewTable], host: str, key: str) -> Table:
        known = await self._store.stored_response(host, key) if key else None
        if known is not None:
            return await self.get(known.decode())
        new = setup()
        return await self._create(new, StoredResponse(host, key, new.id.encode()) if key else None)

    async def _create(self, new: NewTable, response: StoredResponse | None = None) -> Table:
        tx = Transaction(TableState(new.id), now())
        tx.add(new.created, new.secret)
        commands.deal_if_ready(tx)
        tx.invite = new_code()
        tx.response = response
        await self._store.append(tx.to_append())
        table = self._add(tx.state)
        table.invite = tx.invite
        table.wake_bots()
        return table

    async def rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        """Create the next table of the same people: each one seat further, and the series continues."""
        await table.settled()
        if table.next_table is not None:
            return Ack(cmd.id, table.head, table.next_table)
        if table.phase != "over":
            raise NotNow("a rematch can be asked for once the game is over")
        if not 1 <= actor.seat <= len(table.setup.chairs):
            raise NotNow("only those who played can ask for a rematch")
        new = table.rematch_setup(actor.person)
        following = await self._create(new)
        ack = await table.transact(lambda tx: commands.link_rematch(tx, actor, cmd, new.id))
        if ack.next != new.id:
            await following.close("another table is the next one")
        return ack

    # --- clocks --------------------------------------------------------------------------------------

    def schedule_deadline(self, deadline: int | None) -> None:
        """Check the clocks again at this time at the latest."""
        if deadline is not None and (self._next_deadline is None or deadline < self._next_deadline):
            self._next_deadline = deadline

    async def _watch_clocks(self) -> None:
        last, beat, swept = now(), 0, now()
        while True:
            await asyncio.sleep(_TICK_S)
            at = now()
            try:
                if at - last > _TICK_S * 1000 + _STALL_MS:
                    await self._credit_outage(at - last, await self._store.running())
                if self._next_deadline is not None and at - beat >= _HEARTBEAT_MS:
                    await self._store.set_value(_ALIVE, str(at).encode())
                    beat = at
                if self._next_deadline is not None and self._next_deadline <= now():
                    await self._check_clocks()
                if at - swept > _UNLOAD_MS / 10:
                    self._unload_idle(at)
                    swept = at
            except FacedownError as error:
                self._log.error("clock watch failed, retrying", error=error.code)
            last = now()

    async def _check_clocks(self) -> None:
        at = now()
        self._next_deadline = None
        for table_id in await self._store.due(at):
            try:
                table = await self.get(table_id)
                await table.check_clocks(at)
            except FacedownError as error:
                self._log.error("clock check failed", table=table_id, error=error.code)
        self.schedule_deadline(await self._store.next_deadline())

    async def _credit_outage(self, ms: int, running: list[str]) -> None:
        """Give running clocks back a time in which no player could act; short delays do not count."""
        if ms < _STALL_MS:
            return
        for table_id in running:
            with suppress(FacedownError):
                await (await self.get(table_id)).credit_outage(ms)
        if running:
            self._log.warning("outage credited to clocks", ms=ms, tables=len(running))

    def _unload_idle(self, at: int) -> None:
        for table in tuple(self._tables.values()):
            if table.idle and at - table.last_used > _UNLOAD_MS:
                del self._tables[table.id]
