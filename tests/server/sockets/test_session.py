"""The session on a socket at a real table: hello, roles, commands, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from facedown.protocol.messages import Clock, Cmd
from facedown.server.ops.rate_limits import Rate
from facedown.server.sockets.contract import SocketLimits
from tests.server.playing import pick_command

from .messages import ended, hear, say
from .real_table import ENTROPY, RealTable, real_table
from .room import USUAL, until

pytestmark = pytest.mark.anyio
HERE = "the table's own id"


async def test_hello_is_answered_by_welcome_and_snap(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        head = here.table.head
        welcome, links, snap = await here.joined(client, "Ann")
        assert [each[0] for each in links["links"]] == ["made", "sat", "sat", "full"]
        assert welcome | {"now": 0} == {
            "t": "welcome",
            "table": here.table.id,
            "seat": 1,
            "v": head,
            "plays": True,
            "now": 0,
            "ping": 5000,
        }
        assert (snap["v"], snap["table"]["yours"]) == (head, [1])


@pytest.mark.parametrize(
    ("kind", "ping"), [("none", 20_000), ("correspondence", 20_000), ("decision", 8_000)]
)
async def test_the_welcome_says_how_often_pings_come(
    tmp_path: Path, kind: Literal["none", "correspondence", "decision"], ping: int
) -> None:
    async with real_table(tmp_path, clock=Clock(kind), pace=SocketLimits()) as here, here.call() as client:
        welcome, *_ = await here.joined(client, "Ann")
        assert welcome["ping"] == ping


async def test_whoever_was_away_gets_what_was_missed_once(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        before = here.table.head
        for number in range(1, 4):
            await here.do("Bob", Cmd(f"c{number}", "say", text=str(number)))
        heard = await here.joined(client, "Ann", v=before)
        assert [each["t"] for each in heard] == ["welcome", "links", "ev", "ev", "ev", "snap"]
        assert [each["v"] - before for each in heard if each["t"] != "links"] == [3, 1, 2, 3, 3]
        await here.do("Bob", Cmd("c4", "say", text="4"))
        assert (await hear(client, "ev"))["v"] == before + 4


async def test_a_seat_that_asks_gets_the_missed_reveal_as_it_was_then(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here:
        for who in ("Ann", "Bob"):
            await here.do(who, Cmd("open", "open", entropy=ENTROPY.hex()))
        before = here.table.head
        await here.do("Ann", pick_command(here.table._state, 1, 1, "C"))
        await here.do("Bob", pick_command(here.table._state, 1, 2, "C"))
        late = ["welcome", "sealed", "sealed", "revealed", "snap"]
        ann = here.tokens["Ann"]
        for token, asks, wanted in (
            (ann, True, ["welcome", "snap", *late[1:]]),
            (ann, False, late),
            (None, True, late),
        ):
            async with here.call() as client:
                hello = {"table": here.table.id, "token": token, "v": before, "recap": asks}
                await say(client, t="hello", **hello)
                heard = [await hear(client, "welcome", "snap", "ev") for _ in wanted]
            assert [each.get("k", each["t"]) for each in heard] == wanted
            if wanted != late:
                then, turned = heard[1], heard[4]
                assert (then["v"], then["table"]["turn"]["decision"]) == (before, 1)
                assert (turned["turn"]["decision"], "change" in turned) == (2, True)


async def test_the_players_of_a_table_that_is_dropped_are_sent_away_at_once(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as client, here.call() as again:
        await here.joined(client, "Ann")
        here.table.inbox.drop()
        bye = await hear(client, "bye")
        assert bye["code"] == "store_failed"
        assert 200 <= bye["again"] < 2000
        *_, snap = await here.joined(again, "Ann")  # the same table, loaded from the store
        assert snap["v"] == here.table.head


async def test_a_version_from_the_future_is_no_trouble(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        assert [each["t"] for each in await here.joined(client, v=1_000_000)] == ["welcome", "links", "snap"]


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"table": "U" * 26}, "unknown_table"),
        ({"table": HERE, "token": "stolen"}, "bad_token"),
        ({"table": HERE, "token": ""}, "bad_token"),
        ({"table": "../../etc"}, "bad_message"),
        ({"table": HERE, "token": "x" * 129}, "bad_message"),
        ({"table": HERE, "v": -1}, "bad_message"),
        ({"table": HERE, "token": 7}, "bad_message"),
        ({}, "bad_message"),
    ],
)
async def test_a_hello_that_opens_nothing(tmp_path: Path, hello: dict[str, object], code: str) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        own = {"table": here.table.id} if hello.get("table") == HERE else {}
        await say(client, t="hello", **{**hello, **own})
        assert await ended(client) == (code, 1008)
        assert not here.present


async def test_guessing_tokens_is_slowed_down(tmp_path: Path) -> None:
    async with real_table(tmp_path, caps=replace(USUAL, guesses=Rate(1, 3600))) as here:
        for expected in (("bad_token", 1008), ("too_many", 1013)):
            async with here.call() as client:
                await say(client, t="hello", table=here.table.id, token="guess")
                assert await ended(client) == expected


async def test_a_second_hello_ends_the_session(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        await here.joined(client, "Ann")
        await say(client, t="hello", table=here.table.id, token=here.tokens["Bob"])
        assert await ended(client) == ("bad_message", 1008)


@pytest.mark.parametrize("first", [{"t": "take"}, {"t": "pong"}, {"t": "cmd", "id": "a", "do": "leave"}])
async def test_the_first_message_has_to_be_hello(tmp_path: Path, first: dict[str, str]) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        head = here.table.head
        await say(client, **first)
        assert await ended(client) == ("bad_message", 1008)
        assert here.table.head == head


async def test_the_newest_connection_plays_and_the_other_reads(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as old, here.call() as new:
        await here.joined(old, "Ann")
        assert (await here.joined(new, "Ann"))[0]["plays"] is True
        assert (await hear(old, "role"))["plays"] is False
        await say(old, t="cmd", id="a", do="say", text="still me")
        assert (await hear(old, "nak"))["code"] == "not_playing"
        await say(new, t="cmd", id="b", do="say", text="me now")
        assert (await hear(new, "ack"))["id"] == "b"
        assert (await hear(old, "ev"))["text"] == "me now"
        assert here.said_to(2) == [(1, "Ann", "me now")]


async def test_take_swaps_who_plays(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as old, here.call() as new:
        await here.joined(old, "Ann")
        await here.joined(new, "Ann")
        await hear(old, "role")
        await say(old, t="take")
        assert (await hear(old, "role"))["plays"] is True
        assert (await hear(new, "role"))["plays"] is False
        await say(old, t="cmd", id="a", do="say", text="me again")
        assert (await hear(old, "ack"))["id"] == "a"
        await say(new, t="cmd", id="b", do="say", text="and me?")
        assert (await hear(new, "nak"))["code"] == "not_playing"


async def test_a_reader_that_reconnects_stays_a_reader(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as playing, here.call() as reading:
        await here.joined(playing, "Ann")
        assert (await here.joined(reading, "Ann", play=False))[0]["plays"] is False
        await say(playing, t="cmd", id="a", do="say", text="undisturbed")
        assert (await hear(playing, "ack", "role"))["t"] == "ack"


async def test_when_the_playing_one_goes_a_reader_may_take_the_seat(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as reading:
        await here.joined(reading, "Ann")
        async with here.call() as playing:
            await here.joined(playing, "Ann")
            assert len(here.sessions) == 1
        await until(lambda: len(here.sessions) == 0)
        await say(reading, t="take")
        await say(reading, t="cmd", id="a", do="say", text="hello")
        assert (await hear(reading, "ack", "nak"))["t"] == "ack"


async def test_seats_do_not_take_roles_from_each_other(tmp_path: Path) -> None:
    async with (
        real_table(tmp_path) as here,
        here.call() as ann,
        here.call() as bob,
        here.call(additional_headers={"Authorization": f"Bearer {here.bearer}"}) as watching,
    ):
        for client, who in ((ann, "Ann"), (bob, "Bob"), (watching, None)):
            await here.joined(client, who)
        for client, name in ((ann, "a"), (bob, "b"), (watching, "c")):
            await say(client, t="cmd", id=name, do="say", text=name)
            assert (await hear(client, "ack", "nak", "role"))["t"] == "ack"
        assert here.said_to(1) + here.said_to(0) == [(1, "Ann", "a"), (2, "Bob", "b"), (0, "Cyd", "c")]


async def test_a_spectator_cannot_take_a_seat(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        await here.joined(client)
        await say(client, t="take")
        assert (await hear(client, "role"))["plays"] is False
        await say(client, t="cmd", id="a", do="open", entropy=ENTROPY.hex())
        assert (await hear(client, "ack", "nak"))["code"] == "not_seated"


async def test_a_spectator_without_a_session_only_watches(tmp_path: Path) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        await here.joined(client)
        await say(client, t="cmd", id="a", do="say", text="hi")
        assert (await hear(client, "ack", "nak"))["code"] == "needs_session"
        assert here.said_to(0) == []


@pytest.mark.parametrize("kind", ["browser", "program"])
async def test_a_spectator_with_a_session_is_known_by_name(tmp_path: Path, kind: str) -> None:
    async with real_table(tmp_path, watch="nobody") as here:  # but for its host, who is Cyd
        cookie, bearer = f"a=b; facedown_session={here.session}", f"Bearer {here.bearer}"
        header = {"Cookie": cookie} if kind == "browser" else {"Authorization": bearer}
        async with here.call(additional_headers=header) as client:
            assert (await here.joined(client))[-1]["t"] == "snap"
            await say(client, t="cmd", id="a", do="say", text="hi")
            await hear(client, "ack")
            assert here.said_to(0) == [(0, "Cyd", "hi")]


async def test_a_table_that_is_not_to_be_watched_is_not_there(tmp_path: Path) -> None:
    async with real_table(tmp_path, watch="nobody") as here, here.call() as client:
        await say(client, t="hello", table=here.table.id)
        assert await ended(client) == ("unknown_table", 1008)


async def test_whoever_stood_up_cannot_play_for_the_next_one_on_the_seat(tmp_path: Path) -> None:
    async with real_table(tmp_path, seated=["Ann"]) as here, here.call() as client:
        await here.joined(client, "Ann")
        await here.do("Ann", Cmd("away", "leave"))
        await here.table.join(1, here.people["Cyd"], "0" * 64)
        head = here.table.head
        await say(client, t="cmd", id="a", do="leave")
        assert (await hear(client, "ack", "nak"))["code"] == "bad_token"
        assert here.table.head == head


async def test_too_many_commands_are_refused_and_counted_per_seat(tmp_path: Path) -> None:
    few = replace(USUAL, commands=Rate(3, 3600))
    async with real_table(tmp_path, caps=few) as here, here.call() as ann, here.call() as bob:
        await here.joined(ann, "Ann")
        await here.joined(bob, "Bob")
        for number in range(4):
            await say(ann, t="cmd", id=str(number), do="say", preset="sorry")
        answers = [await hear(ann, "ack", "nak") for _ in range(4)]
        assert sorted(each["t"] for each in answers) == ["ack", "ack", "ack", "nak"]
        assert next(each for each in answers if each["t"] == "nak")["code"] == "too_many"
        await say(bob, t="cmd", id="mine", do="say", preset="sorry")
        assert (await hear(bob, "ack", "nak"))["t"] == "ack"


async def test_chat_has_its_own_limit_and_presets_another(tmp_path: Path) -> None:
    async with real_table(tmp_path, caps=replace(USUAL, chat=Rate(1, 3600))) as here, here.call() as ann:
        await here.joined(ann, "Ann")
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
async def test_a_command_that_makes_no_sense_is_refused_by_its_id(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        await here.joined(client, "Ann")
        head = here.table.head
        await say(client, t="cmd", id="odd", **wrong)
        answer = await hear(client, "ack", "nak", "bye")
        assert (answer["t"], answer["id"], answer["code"]) == ("nak", "odd", "bad_message")
        assert here.table.head == head
        await say(client, t="cmd", id="fine", do="open", entropy=ENTROPY.hex())
        assert (await hear(client, "ack"))["id"] == "fine"


async def play_on(here: RealTable) -> None:
    """Another seat at the table still plays."""
    async with here.call() as other:
        await here.joined(other, "Bob")
        await say(other, t="cmd", id="on", do="open", entropy=ENTROPY.hex())
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
async def test_nonsense_ends_the_session_and_nothing_else(tmp_path: Path, nonsense: str) -> None:
    async with real_table(tmp_path) as here, here.call() as client:
        await here.joined(client, "Ann")
        head = here.table.head
        await client.send(nonsense)
        assert await ended(client) == ("bad_message", 1008)
        assert here.table.head == head
        await play_on(here)
