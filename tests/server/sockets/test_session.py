"""What is said over a socket: hello, roles, commands."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from facedown.server.ops.limits import Rate

from .room import TABLE, USUAL, Room, joined, room, until

pytestmark = pytest.mark.anyio


async def say(client: ClientConnection, **message: Any) -> None:
    await client.send(json.dumps(message))


async def hear(client: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds; others are passed over."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(client.recv(), 5))
        if message["t"] in kinds:
            return message


async def answered(client: ClientConnection) -> None:
    """Return when the server has read all that was sent before this."""
    await asyncio.wait_for(await client.ping(), 5)


async def ended(client: ClientConnection) -> tuple[str, int]:
    """The codes of the goodbye and of the closing."""
    bye = await hear(client, "bye")
    closed = await _closing(client)
    assert closed.rcvd is not None
    return bye["code"], closed.rcvd.code


async def _closing(client: ClientConnection) -> ConnectionClosed:
    while True:
        try:
            await client.recv()
        except ConnectionClosed as closed:
            return closed


async def test_hello_is_answered_by_welcome_and_snap() -> None:
    async with room() as here, here.call() as client:
        here.table.happen("before")
        welcome, snap = await joined(client, "ann's")
        assert welcome | {"now": 0} == {
            "t": "welcome", "table": TABLE, "seat": 1, "v": 1, "plays": True, "now": 0, "ping": 5000,
        }  # fmt: skip
        assert (snap["v"], snap["legal"]) == (1, ["ann"])


async def test_whoever_was_away_gets_what_was_missed_once() -> None:
    async with room() as here, here.call() as client:
        for number in range(1, 6):
            here.table.happen(str(number))
        heard = await joined(client, "ann's", v=2)
        assert [each["v"] for each in heard] == [5, 3, 4, 5, 5]
        assert [each["t"] for each in heard] == ["welcome", "ev", "ev", "ev", "snap"]
        here.table.happen("6")
        assert (await hear(client, "ev"))["v"] == 6


async def test_whoever_missed_very_much_gets_the_snap_alone() -> None:
    async with room() as here, here.call() as client:
        for _ in range(100):
            here.table.happen("x" * 2000)
        assert [each["t"] for each in await joined(client, v=0)] == ["welcome", "snap"]


async def test_a_version_from_the_future_is_no_trouble() -> None:
    async with room() as here, here.call() as client:
        assert [each["t"] for each in await joined(client, v=1_000_000)] == ["welcome", "snap"]


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
        here.house.waits = asyncio.Event()
        await say(client, t="hello", table=TABLE, token="ann's")
        await say(client, t="cmd", id="one", do="say", text="early")
        await answered(client)
        assert not here.table.submitted
        here.house.waits.set()
        order = [(await hear(client, "welcome", "snap", "ack"))["t"] for _ in range(3)]
        assert order == ["welcome", "snap", "ack"]


async def test_but_not_very_many() -> None:
    async with room() as here, here.call() as client:
        here.house.waits = asyncio.Event()
        await say(client, t="hello", table=TABLE, token="ann's")
        for number in range(20):
            await say(client, t="cmd", id=str(number), do="say", text="early")
        assert await ended(client) == ("bad_message", 1008)
        here.house.waits.set()
        async with here.call() as other:
            await joined(other, "bob's")  # greeted after the first one would have been
            assert not here.table.submitted
            assert [listener.person for listener in here.table.listeners] == ["bob"]


async def test_hanging_up_during_hello_leaves_nothing_behind() -> None:
    async with room() as here:
        here.house.waits = asyncio.Event()
        client = await here.call()
        await say(client, t="hello", table=TABLE, token="ann's")
        await answered(client)
        client.transport.abort()
        await until(lambda: len(here.connections) == 0)
        here.house.waits.set()
        async with here.call() as other:
            await joined(other, "bob's")  # greeted after the first one would have been
            assert [listener.person for listener in here.table.listeners] == ["bob"]
        await until(lambda: not here.table.listeners)


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"table": "U" * 26}, "unknown_table"),
        ({"table": TABLE, "token": "stolen"}, "bad_token"),
        ({"table": TABLE, "token": ""}, "bad_token"),
        ({"table": "../../etc"}, "bad_message"),
        ({"table": TABLE, "token": "x" * 129}, "bad_message"),
        ({"table": TABLE, "v": -1}, "bad_message"),
        ({"table": TABLE, "token": 7}, "bad_message"),
        ({}, "bad_message"),
    ],
)
async def test_a_hello_that_opens_nothing(hello: dict[str, object], code: str) -> None:
    async with room() as here, here.call() as client:
        await say(client, t="hello", **hello)
        assert await ended(client) == (code, 1008)
        assert not here.table.listeners


async def test_guessing_tokens_is_slowed_down() -> None:
    async with room(caps=replace(USUAL, guesses=Rate(1, 60))) as here:
        for expected in (("bad_token", 1008), ("too_many", 1013)):
            async with here.call() as client:
                await say(client, t="hello", table=TABLE, token="guess")
                assert await ended(client) == expected


async def test_what_breaks_inside_is_told_and_logged_without_secrets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with room() as here, here.call() as client:
        here.house.breaks = True
        await say(client, t="hello", table=TABLE, token="ann's")
        assert await ended(client) == ("internal", 1011)
    assert "ZeroDivisionError" in caplog.text
    assert "ann's" not in caplog.text


async def test_a_second_hello_ends_the_talk() -> None:
    async with room() as here, here.call() as client:
        await joined(client, "ann's")
        await say(client, t="hello", table=TABLE, token="bob's")
        assert await ended(client) == ("bad_message", 1008)


@pytest.mark.parametrize("first", [{"t": "take"}, {"t": "pong"}, {"t": "cmd", "id": "a", "do": "leave"}])
async def test_the_first_message_has_to_be_hello(first: dict[str, str]) -> None:
    async with room() as here, here.call() as client:
        await say(client, **first)
        assert await ended(client) == ("bad_message", 1008)
        assert not here.table.submitted


async def test_the_newest_connection_plays_and_the_other_reads() -> None:
    async with room() as here, here.call() as old, here.call() as new:
        await joined(old, "ann's")
        assert (await joined(new, "ann's"))[0]["plays"] is True
        assert (await hear(old, "role"))["plays"] is False
        await say(old, t="cmd", id="a", do="say", text="still me")
        assert (await hear(old, "nak"))["code"] == "not_playing"
        assert not here.table.submitted
        await say(new, t="cmd", id="b", do="say", text="me now")
        assert (await hear(new, "ack"))["id"] == "b"
        assert (await hear(old, "ev"))["text"] == "me now"


async def test_take_swaps_who_plays() -> None:
    async with room() as here, here.call() as old, here.call() as new:
        await joined(old, "ann's")
        await joined(new, "ann's")
        await hear(old, "role")
        await say(old, t="take")
        assert (await hear(old, "role"))["plays"] is True
        assert (await hear(new, "role"))["plays"] is False
        await say(old, t="cmd", id="a", do="say", text="me again")
        assert (await hear(old, "ack"))["id"] == "a"
        await say(new, t="cmd", id="b", do="say", text="and me?")
        assert (await hear(new, "nak"))["code"] == "not_playing"


async def test_a_reader_that_reconnects_stays_a_reader() -> None:
    async with room() as here, here.call() as playing, here.call() as reading:
        await joined(playing, "ann's")
        assert (await joined(reading, "ann's", play=False))[0]["plays"] is False
        await say(playing, t="cmd", id="a", do="say", text="undisturbed")
        assert (await hear(playing, "ack", "role"))["t"] == "ack"


async def test_when_the_playing_one_goes_a_reader_may_take_the_seat() -> None:
    async with room() as here, here.call() as reading:
        await joined(reading, "ann's")
        async with here.call() as playing:
            await joined(playing, "ann's")
            assert len(here.sessions) == 1
        await until(lambda: len(here.sessions) == 0)
        await say(reading, t="take")
        await say(reading, t="cmd", id="a", do="say", text="hello")
        assert (await hear(reading, "ack", "nak"))["t"] == "ack"


async def test_seats_do_not_take_roles_from_each_other() -> None:
    async with room() as here, here.call() as ann, here.call() as bob, here.call() as watching:
        for client, token in ((ann, "ann's"), (bob, "bob's"), (watching, None)):
            await joined(client, token)
        for client, name in ((ann, "a"), (bob, "b"), (watching, "c")):
            await say(client, t="cmd", id=name, do="say", text=name)
            assert (await hear(client, "ack", "nak", "role"))["t"] == "ack"
        said = [(viewer, person, name) for viewer, person, name, _ in here.table.submitted]
        assert said == [(1, "ann", "Ann"), (2, "bob", "Bob"), (0, "", "")]


async def test_a_spectator_cannot_take_a_seat() -> None:
    async with room() as here, here.call() as client:
        await joined(client)
        await say(client, t="take")
        assert (await hear(client, "role"))["plays"] is False


@pytest.mark.parametrize(
    "header", [{"Cookie": "a=b; facedown_session=cyd's"}, {"Authorization": "Bearer cyd's"}]
)
async def test_a_spectator_with_a_session_is_known_by_name(header: dict[str, str]) -> None:
    async with room() as here, here.call(additional_headers=header) as client:
        here.table.watchable = False
        assert (await joined(client))[-1]["legal"] == ["cyd"]
        await say(client, t="cmd", id="a", do="say", text="hi")
        await hear(client, "ack")
        assert here.table.submitted[0][:3] == (0, "cyd", "Cyd")


async def test_a_table_that_is_not_to_be_watched_is_not_there() -> None:
    async with room() as here, here.call() as client:
        here.table.watchable = False
        await say(client, t="hello", table=TABLE)
        assert await ended(client) == ("unknown_table", 1008)


async def test_whoever_stood_up_cannot_play_for_the_next_one_on_the_seat() -> None:
    async with room() as here, here.call() as client:
        await joined(client, "ann's")
        here.table.holds = {"dan": (1,)}
        await say(client, t="cmd", id="a", do="resign", decision=1)
        assert (await hear(client, "nak"))["code"] == "bad_token"
        assert not here.table.submitted


async def test_too_many_commands_are_refused_and_counted_per_seat() -> None:
    async with (
        room(caps=replace(USUAL, commands=Rate(3, 20))) as here,
        here.call() as ann,
        here.call() as bob,
    ):
        await joined(ann, "ann's")
        await joined(bob, "bob's")
        for number in range(4):
            await say(ann, t="cmd", id=str(number), do="resign", decision=1)
        answers = [await hear(ann, "ack", "nak") for _ in range(4)]
        assert sorted(each["t"] for each in answers) == ["ack", "ack", "ack", "nak"]
        assert next(each for each in answers if each["t"] == "nak")["code"] == "too_many"
        await say(bob, t="cmd", id="mine", do="resign", decision=1)
        assert (await hear(bob, "ack", "nak"))["t"] == "ack"


async def test_talk_has_its_own_limit_and_presets_another() -> None:
    async with room(caps=replace(USUAL, chat=Rate(1, 10))) as here, here.call() as ann:
        await joined(ann, "ann's")
        await say(ann, t="cmd", id="1", do="say", text="one")
        assert (await hear(ann, "ack", "nak"))["t"] == "ack"
        await say(ann, t="cmd", id="2", do="say", text="two")
        assert (await hear(ann, "ack", "nak"))["code"] == "too_many"
        await say(ann, t="cmd", id="3", do="say", preset="sorry")
        assert (await hear(ann, "ack", "nak"))["t"] == "ack"


@pytest.mark.parametrize(
    "wrong",
    [
        {"do": "cheat"},
        {"do": "pick", "decision": 0},
        {"do": "pick", "decision": "3"},
        {"do": "pick", "decision": 1, "pick": "C", "commit": "zz", "nonce": "00" * 32},
        {"do": "say", "text": "x" * 281},
        {"do": "say", "preset": "you_cheat"},
        {"do": "replace", "seat": -1},
        {},
    ],
)
async def test_a_command_that_makes_no_sense_is_refused_by_its_id(wrong: dict[str, object]) -> None:
    async with room() as here, here.call() as client:
        await joined(client, "ann's")
        await say(client, t="cmd", id="odd", **wrong)
        answer = await hear(client, "ack", "nak", "bye")
        assert (answer["t"], answer["id"], answer["code"]) == ("nak", "odd", "bad_message")
        await say(client, t="cmd", id="fine", do="leave")
        assert (await hear(client, "ack"))["id"] == "fine"
        assert [cmd.id for *_, cmd in here.table.submitted] == ["fine"]


async def play_on(here: Room) -> None:
    """Somebody else at the table still plays."""
    async with here.call() as other:
        await joined(other, "bob's")
        await say(other, t="cmd", id="on", do="say", text="on")
        assert (await hear(other, "ack"))["id"] == "on"


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "{",
        "null",
        "[]",
        "7",
        '"hello"',
        '{"t":"unknown"}',
        '{"t":7}',
        '{"x":1}',
        '{"t":"cmd"}',
        '{"t":"cmd","id":"<script>","do":"say"}',
        '{"t":"cmd","id":"' + "a" * 33 + '","do":"say"}',
        '{"t":"welcome","seat":1}',
        '{"t":"ack","id":"a","v":1}',
        "[" * 4000,
        '{"a":' * 600,
        "\u0000",
    ],
)
async def test_nonsense_ends_the_talk_and_nothing_else(nonsense: str) -> None:
    async with room() as here, here.call() as client:
        await joined(client, "ann's")
        await client.send(nonsense)
        assert await ended(client) == ("bad_message", 1008)
        assert not here.table.submitted
        await play_on(here)
