"""The tables in memory: loads, creates and unloads them.

A table is loaded from the store on the first request for it, and unloaded after a while without one. `Node`
keeps their time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

import msgspec

from facedown.core.errors import NotNow, UnknownGame, UnknownVersion
from facedown.core.seats import Seat
from facedown.protocol.errors import BrokenTable, ReusedId, UnknownTable
from facedown.protocol.messages import Ack, Cmd
from facedown.protocol.rest import TableOrder
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import new_code
from facedown.server.ops.backoff import Backoff
from facedown.server.ops.chat_filter import ChatFilter
from facedown.server.ops.logs import get_log
from facedown.server.signing import Signing
from facedown.server.store.base import Store
from facedown.server.store.callers import current_caller
from facedown.server.store.failures import (
    WRITE_S,
    CommandKnown,
    HeadMoved,
    StoreFailed,
    StoreFault,
    store_failures,
)
from facedown.server.store.values import REMATCH, Append, Notice, StoredResponse
from facedown.server.table import commands
from facedown.server.table.actor import Actor
from facedown.server.table.bots import BotPlayers, bots_wake_at
from facedown.server.table.facts import LogEntry, TableClosed, to_row
from facedown.server.table.inbox import topic_of
from facedown.server.table.presence import publish_texts_erased
from facedown.server.table.relations import Relations
from facedown.server.table.seating import go_on_if_full
from facedown.server.table.setup import NewTable, from_order, setup_digest
from facedown.server.table.state import TableState, fold_rows
from facedown.server.table.table import GameFailed, Table
from facedown.server.table.transaction import Transaction

_UNLOAD_MS: Final = 10 * 60 * 1000
_UNLOAD_SOON_MS: Final = 60 * 1000
"""The same for a table that is over, or that another server has moved on: it is read again in any case."""
_OF_NEWER: Final = (UnknownGame, UnknownVersion, msgspec.MsgspecError, KeyError)
"""What reading the events of a newer server raises."""
_UNREAD: Final = "the table could not be read"
_BROKEN: Final = "this game cannot be played on: it was dealt by another version of its rules"


class Tables:
    """The tables in memory."""

    def __init__(self, store: Store, bus: Bus, machine_pause: int = 0, origin: str = "") -> None:
        """`origin` is the public address of the server."""
        self._store = store
        self.bus = bus
        self.signing = Signing(store, origin)
        self._bots = BotPlayers(machine_pause)
        self.relations = Relations(store, bus)
        """Who has muted or blocked whom, and what moderators decided."""
        self.chat_filter = ChatFilter()
        self.backoff = Backoff()
        """The failures of all background work of this server."""
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._rematches: dict[str, asyncio.Lock] = {}
        self.broken: dict[str, str] = {}
        """Tables that could not be replayed, and why."""
        self._log = get_log("facedown.tables")

    # --- start and stop ------------------------------------------------------------------------------

    async def start(self) -> None:
        await self.relations.load()
        await self.signing.load()

    async def stop(self) -> None:
        """Stop the bots, and finish what is being written."""
        await self._bots.stop()
        for table in tuple(self._tables.values()):
            with suppress(StoreFailed):
                await table.finish_writing()

    @property
    def loaded(self) -> int:
        return len(self._tables)

    @property
    def all_loaded(self) -> tuple[Table, ...]:
        return tuple(self._tables.values())

    # --- load and create -----------------------------------------------------------------------------

    async def get(self, table: str) -> Table:
        """The table of that id, with what other servers have announced of it.

        Raises `UnknownTable`, or `StoreFailed` if it cannot be read now.
        """
        found = self._tables.get(table)
        if found is not None and found.inbox.is_behind:
            found.inbox.catch_up()
            with suppress(StoreFailed):  # this copy was dropped, and the table is loaded again
                await found.finish_writing()
            found = self._tables.get(table)
        if found is not None:
            found.inbox.last_used = now()
            return found
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        try:
            return await asyncio.shield(loading)
        finally:
            del loading  # what it raises refers to this frame

    def loaded_table(self, table: str) -> Table | None:
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
                raise StoreFault("a server of another version serves this table: try again") from error
            await self._close_broken(table, error)
            raise BrokenTable(_BROKEN) from error
        with store_failures(_UNREAD):
            await self.signing.follow(state.setup.key)
        loaded = self._add(state)
        loaded.invite = invite
        loaded.hints.request_presence()
        try:
            if state.deadline is not None:
                await loaded.credit_owed()
        except BaseException:
            loaded.inbox.drop()
            raise
        loaded.inbox.bots.wake()
        return loaded

    async def _close_broken(self, table: str, error: BaseException) -> None:
        """Close a table that cannot be replayed, so that its clock does not run out again."""
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
        """The table in memory; another request may have created or loaded it in the meantime."""
        if (known := self._tables.get(state.id)) is not None:
            return known
        table = Table(state, self._store, self.bus, self._bots, self)
        self._tables[state.id] = table
        self.bus.subscribe(topic_of(state.id), table.inbox.on_hint)
        table.hints.subscribe(len(state.places), table.on_texts_erased)
        return table

    def _remove(self, table: str) -> None:
        found = self._tables.pop(table, None)
        if found is not None:
            self.bus.unsubscribe(topic_of(table), found.inbox.on_hint)
            found.hints.unsubscribe()
            found.release()

    def on_dropped(self, table: Table) -> None:
        """This copy of a table cannot be used any more: the next request loads it from the store.

        Without a request, the node claims the table when its clocks or bots are due.
        """
        if self._tables.get(table.id) is table:
            self._remove(table.id)

    async def forget_texts(self, table: str) -> None:
        """Read a table again, here and at other servers: a person who wrote there was erased."""
        publish_texts_erased(self.bus, table)
        if (loading := self._loading.get(table)) is not None:  # it may have read the words before
            await asyncio.wait((loading,))
        if (loaded := self._tables.get(table)) is not None:
            await loaded.forget_texts()

    async def create(self, order: TableOrder, host: str, key: str = "") -> Table:
        """Create a table; the same host gets the same table again for the same idempotency key.

        Raises `ReusedId` if that key was used for another order."""
        return await self._create_once(from_order(order, host), host, key)

    async def continue_game(
        self, table: Table, keep: int, seat: Seat, machine: str | None, host: str, key: str = ""
    ) -> Table:
        """Create a table that continues a finished game; `key` as for `create`."""
        return await self._create_once(table.continuation_setup(keep, seat, machine, host), host, key)

    async def _create_once(self, new: NewTable, host: str, key: str) -> Table:
        if not key:
            return await self._create(new)
        digest = setup_digest(new)
        with store_failures("the store could not be read"):
            known = await self._store.stored_response(host, key)
        if known is None:
            return await self._create(new, StoredResponse(host, key, new.id.encode(), digest))
        table = await self.get(known.body.decode())
        if known.digest != digest:
            raise ReusedId("this Idempotency-Key was used for another table")
        return table

    async def _create(self, new: NewTable, response: StoredResponse | None = None) -> Table:
        tx = self._begin(new)
        go_on_if_full(tx)
        tx.invite = new_code()
        tx.response = response
        kept_for = {chair.kept_for for chair in new.created.chairs} - {None, new.secret.host}
        tx.notices += [Notice(person, new.id, 0, "rematch") for person in kept_for if person]
        with store_failures("the table could not be saved"):
            async with asyncio.timeout(WRITE_S):
                append = tx.to_append(bots_wake_at(tx.state, tx.now, self._bots.pause))
                caller = current_caller()
                await self._store.append(append._replace(callers=(caller,)) if caller else append)
        table = self._add(tx.state)
        table.invite = tx.invite
        table.inbox.bots.wake()
        return table

    def _begin(self, new: NewTable) -> Transaction:
        """The first transaction of a new table."""
        tx = Transaction(TableState(new.id), now())
        created = msgspec.structs.replace(new.created, key=self.signing.key, origin=self.signing.origin)
        tx.add(created, new.secret)
        return tx

    def to_append(self, new: NewTable, notified: Iterable[str] = (), kind: str = "found") -> Append:
        """The append of a new table at which no one sits yet; these people are notified of it.

        The caller saves it: the table is loaded by the first request for it."""
        tx = self._begin(new)
        go_on_if_full(tx)  # machines do not have to sit down
        tx.notices = [Notice(person, new.id, 0, kind) for person in notified]
        return tx.to_append(bots_wake_at(tx.state, tx.now, self._bots.pause))

    async def rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        """Create the next table of the same people: each one seat further, and the series continues."""
        await table.settle()
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
        await table.finish_writing()
        if table.next_table is not None:  # another seat was first
            return Ack(cmd.id, table.head, table.next_table)
        if not table.all_may_meet():
            raise NotNow("there is no rematch of this game")
        following = await self._create_rematch(table, actor.person)
        return await table.inbox.transact(lambda tx: commands.link_rematch(tx, actor, cmd, following))

    async def _create_rematch(self, table: Table, host: str) -> str:
        """The id of the table's only rematch, which the first server to save one has made."""
        new = table.rematch_setup(host)
        try:
            await self._create(new, StoredResponse(table.id, REMATCH, new.id.encode()))
        except CommandKnown:  # made by another server, or by one that died before it could link it
            made = await self._store.stored_response(table.id, REMATCH)
            if made is None:
                raise
            return made.body.decode()
        return new.id

    # --- clocks --------------------------------------------------------------------------------------

    async def check_clocks(self, table: Table, at: int) -> bool:
        """Do what is due at a table; False if its game failed, and the table is closed."""
        try:
            await table.check_clocks(at)
        except GameFailed as failed:
            await self._close_broken(table.id, failed.__cause__ or failed)
            return False
        return True

    def unload_idle(self, at: int) -> None:
        for table in tuple(self._tables.values()):
            soon = table.phase in ("over", "closed") or table.inbox.is_behind
            if table.idle and at - table.inbox.last_used > (_UNLOAD_SOON_MS if soon else _UNLOAD_MS):
                self._remove(table.id)
