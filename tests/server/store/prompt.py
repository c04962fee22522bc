"""A store over two clusters that settles before every question, so that tests need not wait for copies."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, TypeVar

from facedown.server.store.base import Store
from facedown.server.store.postgresql.store import PostgresStore
from facedown.server.store.sharded.store import ShardedStore
from facedown.server.store.tickets import BeginSteps

T = TypeVar("T")

_is_settling: ContextVar[bool] = ContextVar("is_settling", default=False)


class PromptStore(ShardedStore):
    """Asks all clusters where a server asks each of them at times of its own."""

    async def settle_all(self) -> None:
        if not _is_settling.get():
            for each in self.clusters[1:]:
                await self.settle(each)

    async def settle(self, cluster: Store) -> None:
        token = _is_settling.set(True)
        try:
            await super().settle(cluster)
        finally:
            _is_settling.reset(token)

    async def get_value(self, name: str) -> bytes | None:
        token = _is_settling.set(True)  # opening a cluster asks for one, and settling opens it
        try:
            return await super().get_value(name)
        finally:
            _is_settling.reset(token)

    async def _select(self, statement: str, *values: object) -> list[Any]:
        await self.settle_all()
        return await super()._select(statement, *values)

    async def _run_steps(self, begin: BeginSteps[T]) -> T:
        await self.settle_all()
        return await super()._run_steps(begin)

    async def number_log_entries(self, limit: int) -> int:
        await self.settle_all()
        return await super().number_log_entries(limit)

    async def claim_due(self, node: str, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
        given = (node, now, lease_ms, limit, stall_ms)
        found = [await PostgresStore.claim_due(each, *given) for each in self.clusters]
        return [table for some in found for table in some]

    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        return max([await PostgresStore.beat(each, node, now, stall_ms) for each in self.clusters])
