"""What other requests do while one waits for the store: it decides by what is true afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Ack, Cmd, Nak
from facedown.server.forgetting import Forgetting
from facedown.server.services import Services, open_services
from facedown.server.settings import Settings
from facedown.server.store.values import Person
from facedown.server.table.table import Table
from tests.patience import PATIENCE
from tests.server.playing import entropy_of, order

pytestmark = pytest.mark.anyio
T = TypeVar("T")


class Held:
    """A coroutine function whose first answer is there, but waits until it is let go."""

    def __init__(self, real: Callable[..., Awaitable[Any]]) -> None:
        self._real = real
        self.asked, self.free = asyncio.Event(), asyncio.Event()

    async def __call__(self, *args: Any, **more: Any) -> Any:
        answer = await self._real(*args, **more)
        if not self.asked.is_set():
            self.asked.set()
            await self.free.wait()
        return answer


async def between(held: Held, waiting: Awaitable[T], meanwhile: Callable[[], Awaitable[object]]) -> T:
    """The outcome of a request that waits while something else is done."""
    async with asyncio.timeout(PATIENCE):
        task = asyncio.ensure_future(waiting)
        await held.asked.wait()
        await meanwhile()
        held.free.set()
        return await task


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Services]:
    services = open_services(Settings(data=folder / "data", machine_pause=0))
    await services.start()
    try:
        yield services
    finally:
        await services.close()


async def sit(table: Table, seat: int, person: str = "") -> str:
    commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
    return await table.join(seat, Person(person or f"person {seat}", f"Name {seat}", 0), commit)


async def do(table: Table, seat: int, cmd: Cmd, person: str = "") -> Ack | Nak:
    answered: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
    table.submit(seat, cmd, answered.set_result, person=person or f"person {seat}", name=f"Name {seat}")
    return await answered


# --- tables in memory ------------------------------------------------------------------------------------


async def test_a_table_that_is_read_while_it_is_created_is_in_memory_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        tables, store = services.tables, services.store
        held = Held(store.append)
        monkeypatch.setattr(store, "append", held)
        found: list[Table] = []

        async def read() -> None:
            (listed,) = await store.tables()
            found.append(await tables.get(listed.id))

        made = await between(held, tables.create(order("ecard"), "person 1"), read)
        assert found == [made] == [await tables.get(made.id)]


async def test_a_table_that_is_created_while_it_is_read_is_in_memory_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        tables, store = services.tables, services.store
        appended, read = Held(store.append), Held(store.invite_of)
        monkeypatch.setattr(store, "append", appended)
        monkeypatch.setattr(store, "invite_of", read)
        creating = asyncio.ensure_future(tables.create(order("ecard"), "person 1"))
        await appended.asked.wait()
        (listed,) = await store.tables()

        async def finish() -> None:
            appended.free.set()
            await creating

        found = await between(read, tables.get(listed.id), finish)
        assert found is await creating is await tables.get(listed.id)


async def test_a_table_that_is_read_while_its_words_are_erased_does_not_keep_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        tables, store = services.tables, services.store
        await store.add_person("person 1", "Name 1", 1)
        table = await tables.create(order("ecard"), "host")
        await sit(table, 1)
        await sit(table, 2)
        await do(table, 1, Cmd("a", "say", text="secret words"))
        tables._remove(table.id)
        held = Held(store.rows)
        monkeypatch.setattr(store, "rows", held)

        swept, erasing = asyncio.Event(), list[asyncio.Task[None]]()

        async def sweep() -> None:
            swept.set()

        monkeypatch.setattr(store, "drop_traces", sweep)  # then it turns to the tables in memory

        async def erase() -> None:
            erasing.append(asyncio.create_task(Forgetting(store, tables)._erase("person 1", "gone")))
            await swept.wait()
            await asyncio.sleep(0)

        await between(held, tables.get(table.id), erase)
        await asyncio.wait_for(erasing[0], PATIENCE)
        again = await tables.get(table.id)
        assert again.names == ("gone", "Name 2")
        assert not any(b"secret words" in each for each in again.events(1, "person 1", 0))
