"""A store over several PostgreSQL clusters: tables are divided by their ids, all else is in the home cluster.

Every transaction is on one cluster. What a transaction owes another cluster is saved with it, and done soon
afterwards, by any server, until it is done: a changed table is copied to the home cluster for lists,
ratings and standings (`TableCluster`); a table that pairing, a challenge or a tournament makes elsewhere, an
erasure, a merge or an ended session is an errand that the home cluster keeps. A cluster that is away keeps
its own tables waiting, and no others; without the home cluster, games go on, and what is about people waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Final, TypeVar, cast

import asyncpg
from msgspec import msgpack

from facedown.server.store.base import Statement, Store
from facedown.server.store.failures import StoreFailed, StoreRefused
from facedown.server.store.merge import ADD_ALIAS
from facedown.server.store.postgresql import forget as forgetting
from facedown.server.store.postgresql.connections import MOST_OPEN
from facedown.server.store.postgresql.store import PostgresStore
from facedown.server.store.postgresql.writer import save_whole
from facedown.server.store.sharded import home
from facedown.server.store.sharded.cluster import ERASE, MAKE, MERGE, TOKENS, LogEnd, TableCluster
from facedown.server.store.sharded.layout import Layout, begun_mark, place_of, place_of_answer
from facedown.server.store.tickets import BeginSteps
from facedown.server.store.tokens import DROP_SEAT_TOKENS, DROP_SEAT_TOKENS_OF
from facedown.server.store.tournaments import DoneTable
from facedown.server.store.values import (
    Append,
    EventRow,
    ForgetBefore,
    Forgotten,
    ListedRow,
    Notice,
    StoredResponse,
    WrittenText,
)

T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., Any])

PATIENCE_S: Final = 1.0
"""How long a request waits for clusters that are late, and can do without them."""
_AT_ONCE: Final = 200
_ECHOED: Final = {DROP_SEAT_TOKENS: TOKENS, DROP_SEAT_TOKENS_OF: TOKENS, ADD_ALIAS: MERGE}
"""Statements about a person that tables in other clusters have to follow."""


def _for_cluster_of_table(method: Method) -> Method:
    """The same method of the cluster that keeps the table, which is its first argument."""

    def call(store: ShardedStore, table: str, *values: Any, **named: Any) -> Any:
        return method(store.cluster_of(table), table, *values, **named)

    return cast("Method", wraps(method)(call))


class ShardedStore(PostgresStore):
    """The home cluster, which sends what is about a table to the cluster of that table."""

    def __init__(
        self, urls: Sequence[str], serves: Collection[int] = (), most_connections: int = MOST_OPEN
    ) -> None:
        """`serves`: the places of the clusters whose tables this server keeps the time of; none are all.
        `most_connections`: to each cluster."""
        super().__init__(urls[0], most_connections=most_connections)
        self.url = " ".join(urls)
        self._layout = Layout(len(urls), self)
        self._others = [
            TableCluster(url, number, self._layout, self.stats, most_connections)
            for number, url in enumerate(urls[1:], 1)
        ]
        self._clusters: tuple[PostgresStore, ...] = (self, *self._others)
        self._own = tuple(self._clusters[place] for place in serves) or self._clusters
        """Where this server makes new tables."""
        self._is_closing = False
        self._made_for: set[TableCluster] = set()
        """Clusters for which the last steps have left errands."""
        self._soon: set[TableCluster] = set()
        """Clusters that are settled with in a moment."""
        self._begun: set[TableCluster] = set()
        """Clusters of which the home cluster has noted that they may have tables."""
        self._one_settles = {each: asyncio.Lock() for each in self._others}

    @property
    def clusters(self) -> Sequence[PostgresStore]:
        return self._clusters

    @property
    def served(self) -> Sequence[PostgresStore]:
        """The home cluster, which every server is connected to, and its own ones."""
        return (self, *(each for each in self._others if each in self._own))

    def cluster_of(self, table: str) -> PostgresStore:
        return self._clusters[place_of(table, len(self._clusters))]

    def is_beside(self, table: str, person: str, key: str) -> bool:
        return self.cluster_of(table) is self.cluster_of(place_of_answer(person, key))

    def reaches(self, table: str) -> bool:
        return not self.cluster_of(table).is_away or all(each.is_away for each in self._clusters)

    def takes(self, table: str) -> bool:
        are_away = all(each.is_away for each in self._own)
        return self.reaches(table) and (are_away or self.cluster_of(table) in self._own)

    async def _check_layout(self, connection: asyncpg.Connection) -> None:
        await self._layout.check(connection, 0)

    # --- asking several ----------------------------------------------------------------------------------

    async def _ask(self, questions: Mapping[PostgresStore, Coroutine[Any, Any, T]]) -> list[T]:
        """The answers of the clusters that can be reached; raises if none can."""
        answers, failures = await _first_answers([self.start(each) for each in questions.values()])
        if failures and not answers:
            raise failures.pop(0)  # no name refers to it here
        return answers

    async def _ask_in_time(self, questions: Mapping[PostgresStore, Coroutine[Any, Any, T]]) -> list[T]:
        """The same, but nothing if no cluster answers in time: a copy has to do."""
        answers, failures = await _answers_in_time([self.start(each) for each in questions.values()])
        if failures and isinstance(failures[0], StoreRefused):
            raise failures.pop(0)
        return answers

    def _split(self, tables: Sequence[str]) -> dict[PostgresStore, list[str]]:
        found: dict[PostgresStore, list[str]] = {}
        for table in tables:
            found.setdefault(self.cluster_of(table), []).append(table)
        return found

    # --- tables ----------------------------------------------------------------------------------------

    listed = _for_cluster_of_table(PostgresStore.listed)
    rearm = _for_cluster_of_table(PostgresStore.rearm)
    outage_of = _for_cluster_of_table(PostgresStore.outage_of)
    mark_seen = _for_cluster_of_table(PostgresStore.mark_seen)
    last_seen = _for_cluster_of_table(PostgresStore.last_seen)
    seat_of = _for_cluster_of_table(PostgresStore.seat_of)
    rotate_seat_token = _for_cluster_of_table(PostgresStore.rotate_seat_token)
    set_invite = _for_cluster_of_table(PostgresStore.set_invite)
    invite_of = _for_cluster_of_table(PostgresStore.invite_of)

    @property
    def waiting(self) -> int:
        return super().waiting + sum(each.waiting for each in self._others)

    def append(self, batch: Append) -> asyncio.Future[None]:
        cluster = self.cluster_of(batch.table)
        if not isinstance(cluster, TableCluster):
            return super().append(batch)
        answer = cluster.append(batch)
        if batch.summary is not None:  # it is shown in lists
            answer.add_done_callback(lambda _: self._settle_soon(cluster))
        return answer

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        cluster = self.cluster_of(table)
        found = await PostgresStore.rows(cluster, table, after)
        if not found and not after and isinstance(cluster, TableCluster) and await self._make(cluster, table):
            found = await cluster.rows(table)
        return found

    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        found = await super().tables(state=state, game=game, public=public, person=person, limit=limit)
        if not person:
            return found
        ids = self._split([each.id for each in found])
        asked: dict[PostgresStore, Coroutine[Any, Any, list[ListedRow]]] = {
            one: one.listed_some(ids[one]) for one in self._others if one in ids
        }
        fresh = {row.id: row for rows in await self._ask_in_time(asked) for row in rows}
        rows = [replace(fresh.get(each.id, each), seats=each.seats) for each in found]
        return sorted(rows, key=lambda row: -row.changed_at)

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        asked = {one: PostgresStore.heads(one, ids) for one, ids in self._split(tables).items()}
        return {table: head for heads in await self._ask(asked) for table, head in heads.items()}

    async def set_about(self, table: str, about: bytes, before: bytes) -> None:
        cluster = self.cluster_of(table)
        if isinstance(cluster, TableCluster):
            await cluster.set_about(table, about, before)
            self._settle_soon(cluster)
        else:
            await super().set_about(table, about, before)

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        asked = {one: PostgresStore.owed_tables(one, ids) for one, ids in self._split(tables).items()}
        return [table for owed in await self._ask(asked) for table in owed]

    async def was_seen(self, person: str, since: int) -> bool:
        asked = {one: PostgresStore.was_seen(one, person, since) for one in self.clusters}
        return any(await self._ask(asked))

    async def table_of_invite(self, code: str) -> str | None:
        asked = {one: PostgresStore.table_of_invite(one, code) for one in self.clusters}
        answers = await self._ask(asked)
        found = [table for table in answers if table is not None]
        if not found and len(answers) < len(asked):
            raise StoreFailed("a cluster does not answer: the invite may be for one of its tables")
        return found[0] if found else None

    async def stored_response(self, person: str, key: str) -> StoredResponse | None:
        cluster = self.cluster_of(place_of_answer(person, key))
        return await PostgresStore.stored_response(cluster, person, key)

    # --- notices ---------------------------------------------------------------------------------------

    async def claim_notices(self, node: str, now: int, lease_ms: int, limit: int) -> list[tuple[int, Notice]]:
        async def claim(number: int, one: PostgresStore) -> list[tuple[int, Notice]]:
            found = await PostgresStore.claim_notices(one, node, now, lease_ms, limit)
            return [(own * len(self.clusters) + number, notice) for own, notice in found]

        served = self.served
        asked = {one: claim(number, one) for number, one in enumerate(self.clusters) if one in served}
        return [notice for claimed in await self._ask(asked) for notice in claimed]

    async def delete_notices(self, ids: Sequence[int]) -> None:
        count = len(self.clusters)
        own = {
            one: [each // count for each in ids if each % count == n] for n, one in enumerate(self.clusters)
        }
        await self._ask_in_time({one: PostgresStore.delete_notices(one, own[one]) for one in own if own[one]})

    # --- tables that other things make -------------------------------------------------------------------

    async def _run_steps(self, begin: BeginSteps[T]) -> T:
        result = await super()._run_steps(begin)
        made_for, self._made_for = self._made_for, set()
        await self._settle_now(made_for)
        return result

    async def _save_in_steps(self, connection: asyncpg.Connection, batches: Sequence[Append]) -> list[Any]:
        """Save tables of this cluster; those of others as errands, with a copy for lists."""
        for batch in batches:
            cluster = self.cluster_of(batch.table)
            if isinstance(cluster, TableCluster):
                await home.add_errand(connection, cluster.number, MAKE, batch.table, msgpack.encode(batch))
                await home.copy_new(connection, batch)
                self._made_for.add(cluster)
        own = [batch for batch in batches if self.cluster_of(batch.table) is self]
        return await save_whole(connection, own) if own else []

    async def _make(self, cluster: TableCluster, table: str) -> bool:
        """Make a table that an errand still has to make; whether there is one."""
        found = await self._select(home.ERRANDS_ABOUT, table, MAKE)
        for (body,) in found:
            await cluster.run_errand(MAKE, body)
        return bool(found)

    async def done_tables(self, tables: Sequence[str]) -> list[DoneTable]:
        """What is done of these tables, from their own clusters; from copies, if these do not answer."""
        split = self._split(tables)
        asked: dict[PostgresStore, Coroutine[Any, Any, list[DoneTable]]] = {
            one: one.done_tables(split[one]) for one in self._others if one in split
        }
        found = {done[0]: done for some in await self._ask_in_time(asked) for done in some}
        left = [table for table in tables if table not in found]
        return [*found.values(), *await super().done_tables(left)]

    # --- people ----------------------------------------------------------------------------------------

    async def _execute_all(self, *statements: Statement) -> None:
        async def work(connection: asyncpg.Connection) -> None:
            for statement, values in statements:
                await connection.execute(statement, *values)
                if kind := _ECHOED.get(statement):
                    await self._leave_to_others(connection, kind, values[:2] if kind == TOKENS else values)

        await self._transaction_for_caller(work)
        if any(statement in _ECHOED for statement, _ in statements):
            await self._settle_now(self._others)

    async def _leave_to_others(
        self, connection: asyncpg.Connection, kind: str, values: Sequence[object]
    ) -> None:
        for each in self._others:
            await home.add_errand(connection, each.number, kind, "", msgpack.encode(values))

    async def texts_of(self, person: str) -> list[WrittenText]:
        found = await asyncio.gather(*(PostgresStore.texts_of(one, person) for one in self.clusters))
        texts = [text for some in found for text in some]
        return sorted(texts, key=lambda text: (text.at, text.table, text.v, text.slot))

    async def erase_person(self, person: str, name: str) -> list[str]:
        async def work(connection: asyncpg.Connection) -> list[str]:
            await self._leave_to_others(connection, ERASE, (person, name))
            return await forgetting.erase(connection, person, name)

        await asyncio.gather(*(each.time() for each in self._others))  # all of them have to be there
        concerned = set(await self._transaction_for_caller(work))
        for one in self._others:
            concerned |= set(await one.erase_person(person, name))
        await self._settle_now(self._others)
        return sorted(concerned)

    async def forget(self, rules: ForgetBefore) -> Forgotten:
        guests = await forgetting.unused_guests(self._select, rules.guests)
        erased = await forgetting.erased_people_with_ratings(self._select)
        try:
            for one in self._others:
                guests = sorted(set(guests) - await one.people_with_texts(guests))
        except StoreFailed:  # next time
            guests = []
        work = partial(forgetting.forget, rules=rules, candidates=guests, erased=erased)
        done = [await self._transaction(work)]
        done += await self._ask_in_time({one: one.forget(rules) for one in self._others})
        return Forgotten(
            *(sum(getattr(each, name) for each in done) for name in ("keys", "guests", "answers", "tables"))
        )

    # --- what clusters owe each other --------------------------------------------------------------------

    async def settle(self, cluster: Store) -> None:
        """Do what is owed between the home cluster and another one: errands, copies, entries of the log."""
        if not isinstance(cluster, TableCluster):
            return
        async with self._one_settles[cluster]:
            self._soon.discard(cluster)
            while await self._select(home.ERRANDS, cluster.number, 1):
                if not await self._transaction(partial(home.run_errands, cluster=cluster, limit=_AT_ONCE)):
                    break
            while await cluster.has_changed():
                changed = await self._transaction(partial(home.copy_tables, cluster=cluster, limit=_AT_ONCE))
                if changed is None:  # another server does it
                    break
                if changed.noted:
                    await self.ensure_certain()  # before the cluster forgets what it has to copy
                    await cluster.note_copied(changed)
            await self._settle_log(cluster)
            if cluster not in self._begun:
                await self.set_value_once(begun_mark(cluster.number), b"")
                self._begun.add(cluster)

    async def _settle_log(self, cluster: TableCluster) -> None:
        while await cluster.number_log_entries(home.MOST_ENTRIES):
            pass
        name = home.copied_entries(cluster.number)
        while LogEnd.read(await self.get_value(name)) != await cluster.log_end():
            if not await self._transaction(partial(home.copy_entries, cluster=cluster)):
                break

    async def _settle_now(self, clusters: Collection[TableCluster]) -> None:
        """The same for several; those that are late, or away, are settled with later."""
        if clusters:
            await asyncio.wait([self.start(self.settle(each)) for each in clusters], timeout=PATIENCE_S)

    def _settle_soon(self, cluster: TableCluster) -> None:
        """The same without a caller; for all changes of a moment at once."""
        if cluster not in self._soon and not self._is_closing:
            self._soon.add(cluster)
            self.start(self._settle_once(cluster))

    async def _settle_once(self, cluster: TableCluster) -> None:
        await asyncio.sleep(home.COPY_PAUSE_S)
        with suppress(StoreFailed):  # the node settles every second
            await self.settle(cluster)

    # --- the store itself ------------------------------------------------------------------------------

    async def ready(self) -> None:
        await self._ask({one: PostgresStore.ready(one) for one in self.served})

    async def close(self) -> None:
        self._is_closing = True
        await self._appends.close()
        while self._running:  # they read other clusters
            await asyncio.gather(*self._running, return_exceptions=True)
        for each in self._others:
            await each.close()
        await self.close_connections()


async def _first_answers(tasks: Collection[asyncio.Task[T]]) -> tuple[list[T], list[StoreFailed]]:
    """The answers that come in time, or else the first one, and failures of stores.

    The caller raises them: these frames refer to the tasks, and only the garbage collector would free both.
    """
    answers, failures = await _answers_in_time(tasks)
    late = {task for task in tasks if not task.done()}
    while late and not answers:
        _, late = await asyncio.wait(late, return_when=asyncio.FIRST_COMPLETED)
        answers, failures = _answers(tasks)
    return answers, failures


async def _answers_in_time(tasks: Collection[asyncio.Task[T]]) -> tuple[list[T], list[StoreFailed]]:
    """The answers that come in time, and failures of stores."""
    if tasks:
        await asyncio.wait(tasks, timeout=PATIENCE_S)
    return _answers(tasks)


def _answers(tasks: Collection[asyncio.Task[T]]) -> tuple[list[T], list[StoreFailed]]:
    """The answers that are there, and failures of stores; raises what else a task has raised."""
    errors = {task: task.exception() for task in tasks if task.done()}
    failures = [error for error in errors.values() if isinstance(error, StoreFailed)]
    if unknown := [error for error in errors.values() if error is not None and error not in failures]:
        raise unknown[0]
    answers = [task.result() for task, error in errors.items() if error is None]
    return answers, failures


async def settle_clusters(urls: Sequence[str]) -> None:
    """Settle what the clusters of a store owe each other; raises `StoreFailed` if one is away."""
    store = ShardedStore(urls)
    try:
        for each in store.clusters:
            await store.settle(each)
    finally:
        await store.close()
