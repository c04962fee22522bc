"""Slots: who of an address computes, who waits for a turn, and who has given theirs back."""

from __future__ import annotations

import asyncio

import pytest

from facedown.server.ops.slots import BodiesUnderWay, RequestSlots, waiting

pytestmark = pytest.mark.anyio


class Request:
    """A request that goes on when it is told to."""

    def __init__(self, slots: RequestSlots, address: str = "ann", *, waits: bool = False) -> None:
        self.came = asyncio.Event()
        self.go_on = asyncio.Event()
        self.task = asyncio.create_task(self._run(slots, address, waits))

    async def _run(self, slots: RequestSlots, address: str, waits: bool) -> None:
        async with slots.request(address):
            self.came.set()
            if waits:
                async with waiting():
                    await self.go_on.wait()
            else:
                await self.go_on.wait()

    async def end(self) -> None:
        self.go_on.set()
        await self.task


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_requests_of_an_address_have_their_turns_in_order() -> None:
    slots = RequestSlots(at_once=1)
    first, second, third = (Request(slots) for _ in range(3))
    other = Request(slots, "bob")
    await other.came.wait()
    await settle()
    assert [each.came.is_set() for each in (first, second, third)] == [True, False, False]
    await first.end()
    await second.came.wait()
    assert not third.came.is_set()
    for each in (second, third, other):
        await each.end()
    assert len(slots) == 0


async def test_requests_that_wait_for_others_hold_no_slot() -> None:
    slots = RequestSlots(at_once=1)
    waiters = [Request(slots, waits=True) for _ in range(5)]
    for each in waiters:
        await each.came.wait()
    await settle()
    assert len(slots) == 0
    working = Request(slots)
    await working.came.wait()
    waiters[0].go_on.set()
    await settle()
    assert not waiters[0].task.done()  # it has to wait for its turn again
    await working.end()
    for each in waiters:
        await each.end()
    assert len(slots) == 0


async def test_a_request_that_is_cancelled_leaves_its_slot() -> None:
    slots = RequestSlots(at_once=1)
    requests = [Request(slots), Request(slots, waits=True), Request(slots)]
    await settle()
    for each in requests:
        each.task.cancel()
    await asyncio.gather(*(each.task for each in requests), return_exceptions=True)
    assert len(slots) == 0


async def test_a_task_that_outlives_its_request_takes_no_slot() -> None:
    slots, go_on = RequestSlots(at_once=1), asyncio.Event()

    async def wait() -> None:
        async with waiting():
            await go_on.wait()

    async with slots.request("ann"):
        left_behind = asyncio.create_task(wait())
        await settle()
        assert len(slots) == 0
    go_on.set()
    await left_behind
    assert len(slots) == 0


async def test_the_oldest_of_too_many_bodies_is_ended() -> None:
    bodies, ended = BodiesUnderWay(most=2), []

    async def read(name: str, address: str = "ann") -> None:
        try:
            async with asyncio.timeout(None) as deadline:
                with bodies.count(address, deadline):
                    await asyncio.Event().wait()
        except TimeoutError:
            ended.append(name)

    tasks = []
    for name in ("first", "second", "third", "fourth"):
        tasks.append(asyncio.create_task(read(name)))
        tasks.append(asyncio.create_task(read(f"other {name}", name)))
    await asyncio.gather(tasks[0], tasks[2])
    assert ended == ["first", "second"]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
