"""All tables of this server: loads and creates them, watches their clocks, and credits outages.

A table is loaded from the store when it is asked for, and unloaded when it has been idle for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

import msgspec

from facedown.core.errors import FacedownError, NotNow, UnknownGame, UnknownVersion
from facedown.core.seats import Seat
from facedown.protocol.errors import BrokenTable, ReusedId, UnknownTable
from facedown.protocol.messages import Ack, Cmd
from facedown.protocol.rest import TableOrder
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import new_code
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Append, CommandKnown, HeadMoved, Store, StoredResponse, StoreFailed
from facedown.server.store.failures import store_failures, survive
from facedown.server.table import commands
from facedown.server.table.actor import Actor
from facedown.server.table.bots import BotPlayers, bots_wake_at
from facedown.server.table.facts import LogEntry, TableClosed, to_row
from facedown.server.table.inbox import topic_of
from facedown.server.table.seating.joining import deal_if_ready
from facedown.server.table.seating.relations import Relations
from facedown.server.table.setup import NewTable, from_order, setup_digest
from facedown.server.table.state import TableState, fold_rows
from facedown.server.table.table import GameFailed, Table
from facedown.server.table.transaction import Transaction

_TICK_S: Final = 0.25
_STALL_MS: Final = 1500
"""A tick that is later than this means that the server stood still, and no player could act."""
_HEARTBEAT_MS: Final = 2000
_UNLOAD_MS: Final = 10 * 60 * 1000
_ALIVE: Final = "alive"
_REMATCH: Final = "rematch"
"""Under this key the id of a table's rematch is kept; the table stands in the place of a person."""
_OF_NEWER: Final = (UnknownGame, UnknownVersion, msgspec.MsgspecError, KeyError)
"""What meets a server that reads events of a newer one."""
_UNREAD: Final = "the table could not be read"
_BROKEN: Final = "this game cannot be played on: it was dealt by another version of its rules"


class Tables:
    """The tables in memory, and the task that watches all clocks."""

    def __init__(self, store: Store, bus: Bus, machine_pause: int = 0) -> None:
        self._store = store
        self.bus = bus
        self._bots = BotPlayers(machine_pause)
        self.relations = Relations(store, bus)
        """Who has muted or blocked whom."""
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._watch: asyncio.Task[None] | None = None
        self._ticker: asyncio.Task[None]
        self._ticked = now()
        self._stalled = 0
        """For how long the server stood still, until that is credited."""
        self._next_deadline: int | None = None
        self._rematches: dict[str, asyncio.Lock] = {}
        self.broken: dict[str, str] = {}
        """Tables that could not be replayed, and why."""
        self._dropped: set[str] = set()
        """Tables that were dropped here: when they are loaded again, their bots go on."""
        self._beats: set[asyncio.Future[None]] = set()
        self._log = get_log("facedown.tables")

    # --- start and stop ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Credit the time since the last heartbeat to running clocks, then watch them.

        Where servers share the store, that is the business of the node."""
        await self.relations.load()
        if self._store.shared:
            return
        heartbeat = await self._store.get_value(_ALIVE)
        if heartbeat is not None:
            at = now()
            alive = max(int(heartbeat), await self._store.last_change(at))
            await self._credit_outage(at - alive)
        await self._beat()
        self._next_deadline = await self._store.next_deadline()
        self._ticked = now()
        self._ticker = asyncio.create_task(self._tick())
        self._watch = asyncio.create_task(self._watch_clocks())

    async def stop(self) -> None:
        """Finish what is being written, and stop the clocks."""
        if self._watch is not None:
            self._watch.cancel()
            self._ticker.cancel()
            await asyncio.gather(self._watch, self._ticker, return_exceptions=True)
        await self._bots.stop()
        for table in tuple(self._tables.values()):
            with suppress(StoreFailed):
                await table.quiet()
        if not self._store.shared:
            await self._beat()

    @property
    def loaded(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    @property
    def all_loaded(self) -> tuple[Table, ...]:
        """The tables in memory."""
        return tuple(self._tables.values())

    # --- load and create -----------------------------------------------------------------------------

    async def get(self, table: str) -> Table:
        """The table of that id; raises `UnknownTable`, or `StoreFailed` if it cannot be read now."""
        found = self._tables.get(table)
        if found is not None:
            found.inbox.last_used = now()
            return found
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    def loaded_table(self, table: str) -> Table | None:
        """The table of that id, where it is in memory."""
        return self._tables.get(table)

    async def _load(self, table: str) -> Table:
        if table in self.broken:
            raise BrokenTable(_BROKEN)
        with store_failures(_UNREAD):
            rows = await self._store.rows(table)
            if not rows:
                raise UnknownTable("there is no such table")
            invite = await self._store.invite_of(table)
        try:
            state = fold_rows(table, rows)
        except Exception as error:  # another version of a game may have written it: it must stop nothing else
            if self._store.shared and isinstance(error, _OF_NEWER):  # others may run another version
                self._log.warning(
                    "a table is left to servers of another version", table=table, error=str(error)
                )
                raise StoreFailed("a server of another version serves this table: try again") from error
            await self._close_broken(table, error)
            raise BrokenTable(_BROKEN) from error
        loaded = self._add(state)
        loaded.invite = invite
        loaded.hints.request_presence()
        try:
            if state.deadline is not None:
                await loaded.credit_owed()
        except BaseException:
            loaded.inbox.drop()
            raise
        if not self._store.shared or table in self._dropped:  # else the server that appended last woke them
            loaded.inbox.wake_bots()
        self._dropped.discard(table)
        return loaded

    async def _close_broken(self, table: str, error: BaseException) -> None:
        """Close a table that cannot be replayed: nobody waits for it, and its clock is not tried again."""
        if (loaded := self._tables.get(table)) is not None:
            loaded.inbox.drop()
        with store_failures(_UNREAD):
            listed = await self._store.listed(table)
            if listed is not None and listed.summary.state not in ("over", "closed"):
                entry = LogEntry(listed.head + 1, now(), TableClosed(_BROKEN))
                summary = replace(listed.summary, state="closed")
                try:
                    await self._store.append(Append(table, listed.head, (to_row(entry),), None, summary))
                except HeadMoved:  # another server goes on with it
                    raise StoreFailed(_UNREAD) from None
        self.broken[table] = f"{type(error).__name__}: {error}"
        self._log.error("a table cannot be replayed and is closed", table=table, error=self.broken[table])

    def _add(self, state: TableState) -> Table:
        table = Table(state, self._store, self.bus, self._bots, self)
        self._tables[state.id] = table
        self.bus.subscribe(topic_of(state.id), table.inbox.on_hint)
        table.hints.subscribe(len(state.places), table.set_invite, table.on_texts_erased)
        return table

    def _remove(self, table: str) -> None:
        found = self._tables.pop(table, None)
        if found is not None:
            self.bus.unsubscribe(topic_of(table), found.inbox.on_hint)
            found.hints.unsubscribe()

    def on_dropped(self, table: Table) -> None:
        """This copy of a table cannot be used any more: the next request loads it from the store.

        If servers share the store, one of them claims the table when its clocks or bots are due; else the
        watch over the clocks loads it.
        """
        if self._tables.get(table.id) is table:
            self._remove(table.id)
            self._dropped.add(table.id)

    async def create(self, order: TableOrder, host: str, key: str = "") -> Table:
        """Create a table; the same host gets the same table again for the same idempotency key.

        Raises `ReusedId` where that key was used for another order."""
        return await self._create_once(lambda: from_order(order, host), host, key)

    async def continue_game(
        self, table: Table, keep: int, seat: Seat, machine: str | None, host: str, key: str = ""
    ) -> Table:
        """Create a table that continues a finished game; `key` as for `create`."""
        return await self._create_once(lambda: table.continuation_setup(keep, seat, machine, host), host, key)

    async def _create_once(self, setup: Callable[[], NewTable], host: str, key: str) -> Table:
        new = setup()
        if not key:
            return await self._create(new)
        digest = setup_digest(new)
        with store_failures("the store could not be read"):
            known = await self._store.stored_response(host, key)
        if known is None:
            return await self._create(new, StoredResponse(host, key, new.id.encode(), digest))
        table = await self.get(known.body.decode())
        if known.digest not in (digest, b""):
            raise ReusedId("this Idempotency-Key was used for another table")
        return table

    async def _create(self, new: NewTable, response: StoredResponse | None = None) -> Table:
        tx = Transaction(TableState(new.id), now())
        tx.add(new.created, new.secret)
        deal_if_ready(tx)
        tx.invite = new_code()
        tx.response = response
        with store_failures("the table could not be saved"):
            await self._store.append(tx.to_append(bots_wake_at(tx.state, tx.now, self._bots.pause)))
        table = self._add(tx.state)
        table.invite = tx.invite
        table.inbox.wake_bots()
        return table

    async def rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        """Create the next table of the same people: each one seat further, and the series continues."""
        await table.settled()
        table.check_repeat(actor, cmd)
        if table.next_table is not None:
            return Ack(cmd.id, table.head, table.next_table)
        if table.phase != "over":
            raise NotNow("a rematch can be asked for once the game is over")
        if not 1 <= actor.seat <= len(table.setup.chairs):
            raise NotNow("only those who played can ask for a rematch")
        async with self._rematches.setdefault(table.id, asyncio.Lock()):
            try:
                return await self._rematch(table, actor, cmd)
            finally:
                self._rematches.pop(table.id, None)

    async def _rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        await table.quiet()
        if table.next_table is not None:  # another seat was first
            return Ack(cmd.id, table.head, table.next_table)
        if not table.all_may_meet():
            raise NotNow("there is no rematch of this game")
        following = await self._create_rematch(table, actor.person)
        return await table.inbox.transact(lambda tx: commands.link_rematch(tx, actor, cmd, following))

    async def _create_rematch(self, table: Table, host: str) -> str:
        """The id of the table's rematch, of which there is one, whichever server is asked first."""
        new = table.rematch_setup(host)
        try:
            await self._create(new, StoredResponse(table.id, _REMATCH, new.id.encode()))
        except CommandKnown:  # made by another server, or by one that died before it could link it
            made = await self._store.stored_response(table.id, _REMATCH)
            if made is None:
                raise
            return made.body.decode()
        return new.id

    # --- clocks --------------------------------------------------------------------------------------

    def schedule_deadline(self, deadline: int | None) -> None:
        """Check the clocks again at this time at the latest."""
        if deadline is None or self._store.shared:
            return
        if self._next_deadline is None:  # the first clock that runs: from now on an outage counts
            self._send_beat()
        if self._next_deadline is None or deadline < self._next_deadline:
            self._next_deadline = deadline

    def _send_beat(self) -> None:
        """Beat, and do not wait for it: a watch that waits does not notice that the server stands still."""
        beat = asyncio.ensure_future(self._beat())
        self._beats.add(beat)
        beat.add_done_callback(self._beats.discard)

    async def _beat(self) -> None:
        """Save that the server is alive."""
        with survive(self._log, "heartbeat"):
            await self._store.set_value(_ALIVE, str(now()).encode())

    async def _watch_clocks(self) -> None:
        beat, swept = 0, now()
        while True:
            await asyncio.sleep(_TICK_S)
            at = now()
            with survive(self._log, "clock watch"):
                while stalled := self._take_stall():
                    await self._credit_stall(stalled)
                if self._next_deadline is not None and at - beat >= _HEARTBEAT_MS:
                    self._send_beat()
                    beat = at
                if self._next_deadline is not None and self._next_deadline <= now():
                    await self._check_clocks()
                if at - swept > _UNLOAD_MS / 10:
                    self.unload_idle(at)
                    swept = at
                for table in tuple(self._dropped):
                    await self._load_again(table)

    async def _credit_stall(self, ms: int) -> None:
        """Give back the time for which the server stood still; if the store fails, at the next tick."""
        try:
            await self._credit_outage(ms)
        except BaseException:
            self._stalled += ms
            raise

    async def _load_again(self, table: str) -> None:
        """Load a table that was dropped, so that its bots move on; the next tick tries again."""
        try:
            await self.get(table)
        except StoreFailed:
            raise
        except FacedownError:  # it is broken, or gone
            self._dropped.discard(table)

    async def _tick(self) -> None:
        """Notice that the server stood still, also while the watch waits for the store."""
        while True:
            await asyncio.sleep(_TICK_S)
            self._note_stall()

    def _note_stall(self) -> None:
        at = now()
        if at - self._ticked > _TICK_S * 1000 + _STALL_MS:
            self._stalled += at - self._ticked
        self._ticked = at

    def _take_stall(self) -> int:
        """For how long the server stood still, in ms; asked right before the clocks are."""
        self._note_stall()
        stalled, self._stalled = self._stalled, 0
        return stalled

    async def _check_clocks(self) -> None:
        at, due = now(), self._next_deadline
        self._next_deadline = None
        try:
            for table_id in await self._store.due(at):
                await self.look_after(table_id, at)
            self.schedule_deadline(await self._store.next_deadline())
        except BaseException:
            self.schedule_deadline(due)  # the store could not be asked: look again
            raise

    async def look_after(self, table_id: str, at: int) -> Table | None:
        """Do what is due at a table; None if that failed. Only a game that fails closes its table."""
        done: Table | None = None
        with survive(self._log, "clock check"):
            table = await self.get(table_id)
            try:
                await table.check_clocks(at)
                done = table
            except GameFailed as failed:
                await self._close_broken(table_id, failed.__cause__ or failed)
        return done

    async def _credit_outage(self, ms: int) -> None:
        """Give running clocks back a time in which no player could act; short delays do not count.

        One write for all tables: one that is not in memory gets its own fact when it is loaded next. Negative
        where the system's clock was set back while the server was down.
        """
        if abs(ms) < _STALL_MS:
            return
        credited = await self._store.credit_outage(ms, now())
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        loaded = tuple(self._tables.values())
        results = await asyncio.gather(*(each.credit_outage(ms) for each in loaded), return_exceptions=True)
        for table, failure in zip(loaded, results, strict=True):
            if failure is not None:  # it is credited when it is loaded again
                table.inbox.drop()
        if credited:
            self._log.warning("outage credited to clocks", ms=ms, tables=credited)

    def unload_idle(self, at: int) -> None:
        """Unload the tables that nobody has used for a while."""
        if self._store.shared:
            self._dropped.clear()  # claimed since
        for table in tuple(self._tables.values()):
            if table.idle and at - table.inbox.last_used > _UNLOAD_MS:
                self._remove(table.id)
