"""Hello at a table that is slow, breaks, or has much to tell: nothing is lost, early or left behind."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
from websockets.exceptions import InvalidStatus

from facedown.server.ops.rate_limits import Rate

from .messages import answered, ended, hear, say
from .room import TABLE, USUAL, joined, room, until

pytestmark = pytest.mark.anyio


async def test_whoever_missed_very_much_gets_the_snap_alone() -> None:
    async with room() as here, here.call() as client:
        for _ in range(100):
            here.table.happen("x" * 2000)
        assert [each["t"] for each in await joined(client, v=0)] == ["welcome", "links", "snap"]


async def test_the_address_may_name_the_table_but_no_other_one() -> None:
    async with room() as here:
        async with here.call(TABLE) as client:
            assert [each["t"] for each in await joined(client)] == ["welcome", "links", "snap"]
        async with here.call("0" * 26) as client:
            await say(client, t="hello", table=TABLE)
            assert await ended(client) == ("bad_message", 1008)


async def test_hello_waits_until_everything_is_written_and_loses_nothing() -> None:
    async with room() as here, here.call() as client:
        here.table.writing = asyncio.Event()
        greeting = asyncio.create_task(joined(client, "ann's", v=0))
        await asyncio.sleep(0)  # it says hello
        await answered(client)
        assert not greeting.done()
        here.table.happen("while waiting")
        writing, here.table.writing = here.table.writing, None
        writing.set()
        here.table.happen("just then")
        heard = await greeting
        assert [each["v"] for each in heard if each["t"] == "ev"] == [1, 2]
        assert heard[-1]["v"] == 2
        here.table.happen("after")
        assert (await hear(client, "ev"))["v"] == 3


async def test_commands_before_the_welcome_are_done_after_it() -> None:
    async with room() as here, here.call() as client:
        here.services.waits = asyncio.Event()
        await say(client, t="hello", table=TABLE, token="ann's")
        await say(client, t="cmd", id="one", do="say", text="early")
        await answered(client)
        assert not here.table.submitted
        here.services.waits.set()
        order = [(await hear(client, "welcome", "snap", "ack"))["t"] for _ in range(3)]
        assert order == ["welcome", "snap", "ack"]


async def test_but_not_very_many() -> None:
    async with room() as here, here.call() as client:
        here.services.waits = asyncio.Event()
        await say(client, t="hello", table=TABLE, token="ann's")
        for number in range(20):
            await say(client, t="cmd", id=str(number), do="say", text="early")
        assert await ended(client) == ("bad_message", 1008)
        here.services.waits.set()
        async with here.call() as other:
            await joined(other, "bob's")  # greeted after the first one would have been
            assert not here.table.submitted
            assert [listener.person for listener in here.table.listeners] == ["bob"]


async def test_hanging_up_during_hello_leaves_nothing_behind() -> None:
    async with room() as here:
        here.services.waits = asyncio.Event()
        client = await here.call()
        await say(client, t="hello", table=TABLE, token="ann's")
        await answered(client)
        client.transport.abort()
        await until(lambda: len(here.connections) == 0)
        here.services.waits.set()
        async with here.call() as other:
            await joined(other, "bob's")  # greeted after the first one would have been
            assert [listener.person for listener in here.table.listeners] == ["bob"]
        await until(lambda: not here.table.listeners)


async def test_what_breaks_inside_is_told_and_logged_without_secrets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with room() as here, here.call() as client:
        here.services.breaks = True
        await say(client, t="hello", table=TABLE, token="ann's")
        assert await ended(client) == ("internal", 1011)
    assert "ZeroDivisionError" in caplog.text
    assert "ann's" not in caplog.text


async def test_hellos_that_ask_for_much_are_refused_when_the_budget_is_spent() -> None:
    caps = replace(USUAL, requests=Rate(100, 36_000))
    async with room(caps=caps) as here, AsyncExitStack() as calls:
        for _ in range(60):
            here.table.happen("x" * 2000)  # 15 units of events for each hello
        clients = [await calls.enter_async_context(here.call()) for _ in range(10)]
        answers = []
        for client in clients:
            await say(client, t="hello", table=TABLE, v=0, recap=True)
            answers.append(await hear(client, "snap", "bye"))
        kinds = [each["t"] for each in answers]
        assert kinds == ["snap"] * 4 + ["bye"] * 6
        assert {each["code"] for each in answers[4:]} == {"too_many"}


async def test_handshakes_of_an_address_have_a_pace() -> None:
    async with room(caps=replace(USUAL, request_pace=Rate(10, 3600))) as here, here.call(), here.call():
        with pytest.raises(InvalidStatus) as refused:
            await here.call()
        assert refused.value.response.status_code == 429


async def test_a_handshake_may_have_to_wait_for_its_turn() -> None:
    caps = replace(USUAL, request_pace=Rate(8, 0.5))
    async with room(caps=caps) as here, here.call(), here.call(), here.call() as late:
        assert [each["t"] for each in await joined(late)] == ["welcome", "links", "snap"]
