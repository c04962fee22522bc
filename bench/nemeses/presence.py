"""People who sit at one server and are voted on at another; notices that must be sent once."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench.nemeses.stage import Stage
from facedown.client import ServerRefused
from facedown.protocol.messages import SUBPROTOCOL
from facedown.server.store import open_store
from facedown.server.table.presence import RECENT_MS
from tests.patience import PATIENCE
from tests.server.http.push_service import Browser, Service
from tests.server.programs import Chair, call, open_body, set_table

_AWAY_S = 40
"""Minutes of absence are shorter here, but longer than the half minute in which presence is written down."""
_SOON = f"""
import facedown.server.table.presence as presence
presence.LIVE_MS = {_AWAY_S * 1000}
"""
_REQUESTED_S = RECENT_MS / 1000 + 1
"""Seats opened by a request, which counts as being connected for so long, whether they hang up or not."""
_CLOCK = {"kind": "decision", "seconds": 1, "bank": 3600}
_RULES = "decisive"
"""Both place at once: it is everybody's turn."""
_LAMP_S = 3.0
_TO_OURS = """
import ssl
from facedown.server.push import PushSender
made = PushSender.__init__
def make(self, *given, **named):
    tls = ssl.create_default_context(cafile={certificate!r})
    made(self, *given, **named, reach=lambda _: True, tls=tls, any_port=True)
PushSender.__init__ = make
"""


async def presence(stage: Stage) -> None:
    """A seat is connected to one server, and another seat votes to replace it at another one."""
    nodes = stage.nodes(2, before={0: _SOON, 1: _SOON})
    try:
        pairs = [await _begin(nodes.all[0].base) for _ in range(min(stage.tables, 10))]
        votes = [VotedOn(*pair, nodes.all[0].base, nodes.all[1].base) for pair in pairs]
        for vote in votes:
            await vote.sit_down()
        lit = [await vote.lamp(1, on=True) for vote in votes]
        end = time.monotonic() + max(_AWAY_S + stage.sizes.seconds, _REQUESTED_S)
        while time.monotonic() < end:
            await asyncio.gather(*(vote.try_to_replace() for vote in votes))
            await asyncio.sleep(1)
        tries = sum(vote.tries for vote in votes)
        replaced = sum(vote.replaced for vote in votes)
        stage.report.none_of(f"replaced while connected, in {tries} votes at the other server", replaced)
        for vote in votes:
            await vote.leave()
        dark = [await vote.lamp(1, on=False) for vote in votes]
        stage.report.at_most("lamps go on, slowest", max(lit), _LAMP_S, len(lit))
        stage.report.at_most("lamps go off, slowest", max(dark), _LAMP_S, len(dark))
        await _until_replaced(stage, votes)
    finally:
        nodes.close()


async def _until_replaced(stage: Stage, votes: list[VotedOn]) -> None:
    """Who is gone for good is replaced: the votes could have succeeded."""
    left, end = time.monotonic(), time.monotonic() + 4 * _AWAY_S
    while not all(vote.replaced for vote in votes) and time.monotonic() < end:
        await asyncio.gather(*(vote.try_to_replace() for vote in votes if not vote.replaced))
        await asyncio.sleep(1)
    count = sum(bool(vote.replaced) for vote in votes)
    took = time.monotonic() - left
    stage.report.bar("replaced once gone", f"{count} after {took:.0f} s", count == len(votes), "all")
    for vote in votes:
        await vote.close()


async def _begin(base: str) -> tuple[Chair, Chair]:
    """A table that waits for both of its seats."""
    one, two = await set_table(base, "ecard", 2, _RULES, clock=_CLOCK)
    for chair in (one, two):
        await _command(base, chair, open_body(chair))
    return one, two


async def _command(base: str, chair: Chair, body: dict[str, Any]) -> Any:
    path, seat = f"/tables/{chair.table}/commands", {"Facedown_Seat": chair.token}
    return await call(base, "POST", path, body, chair.bearer, **seat)


class VotedOn:
    """A table whose first seat is connected here, and whose second one votes there."""

    def __init__(self, sits: Chair, votes: Chair, here: str, there: str) -> None:
        self._sits, self._votes, self._here, self._there = sits, votes, here, there
        self.tries = self.replaced = 0
        self._lamps: frozenset[int] = frozenset()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._open = AsyncExitStack()

    async def sit_down(self) -> None:
        """The second seat first: it sees the first one come."""
        await self._connect(self._votes, self._there)
        self._seat = await self._connect(self._sits, self._here)

    async def _connect(self, chair: Chair, base: str) -> ClientConnection:
        url = f"{base.replace('http', 'ws', 1)}/ws/v1/{chair.table}"
        socket = await self._open.enter_async_context(
            connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, close_timeout=1)
        )
        await socket.send(json.dumps({"t": "hello", "table": chair.table, "token": chair.token, "v": 0}))
        self._tasks.append(asyncio.create_task(self._listen(socket, chair is self._votes)))
        return socket

    async def _listen(self, socket: ClientConnection, is_voter: bool) -> None:
        async for frame in socket:
            message = json.loads(frame)
            if message["t"] == "ping":
                await socket.send('{"t":"pong"}')
            elif message["t"] == "snap" and is_voter:
                self._light(seat["seat"] for seat in message["table"]["seats"] if seat["here"])
            elif message["t"] == "here" and is_voter:
                self._light(message["seats"])

    def _light(self, seats: Iterable[int]) -> None:
        """These are connected, as the voter sees it."""
        self._lamps = frozenset(seats)
        self._changed.set()

    async def lamp(self, seat: int, *, on: bool) -> float:
        """How long it takes until the voter sees a seat come or go."""
        began = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            while (seat in self._lamps) is not on:
                self._changed.clear()
                await self._changed.wait()
        return time.monotonic() - began

    async def try_to_replace(self) -> None:
        """Vote for a machine on the first seat."""
        self.tries += 1
        try:
            await _command(
                self._there, self._votes, {"id": f"r{self.tries}", "do": "replace", "seat": self._sits.seat}
            )
        except ServerRefused as refused:
            if refused.name != "not_now":
                raise
        else:
            self.replaced += 1

    async def leave(self) -> None:
        """The first seat hangs up."""
        await self._seat.close()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._open.aclose()


async def pushes(stage: Stage) -> None:
    """Three servers send the same notices, each one once; then again while all of them are killed."""
    folder = stage.new_folder("push")
    folder.mkdir()
    service, browser = Service(folder), Browser()
    before = dict.fromkeys(range(3), _TO_OURS.format(certificate=str(service.certificate)))
    nodes = stage.nodes(before=before)
    try:
        wanted = await _notices(stage, nodes.all[0].base, browser, service)
        sent = await _all_sent(stage, browser, service)
        stage.report.none_of(f"notices never sent, of {len(wanted)}", len(wanted - set(sent)))
        stage.report.none_of(f"notices sent twice, of {sum(sent.values())}", sent.total() - len(sent))

        service.got.clear()
        wanted = await _notices(stage, nodes.all[0].base, browser, service)
        async with asyncio.timeout(PATIENCE):
            while len(service.got) < len(wanted) // 4:
                await asyncio.sleep(0.01)
        for node in nodes.all:
            await asyncio.to_thread(nodes.kill, node)
        for node in nodes.all:
            await asyncio.to_thread(nodes.rise, node)
        sent = await _all_sent(stage, browser, service)
        never = len(wanted - set(sent))
        stage.report.none_of(f"notices never sent while all servers were killed, of {len(wanted)}", never)
        print(f"         {sent.total() - len(sent)} were under way at the kill, and sent twice")
    finally:
        nodes.close()
        service.close()


async def _all_sent(stage: Stage, browser: Browser, service: Service) -> Counter[tuple[str, int]]:
    """Wait until the outbox is empty: how often each notice came to the push service."""
    async with asyncio.timeout(PATIENCE):
        while await stage.select("select count(*) from facedown.notices"):
            await asyncio.sleep(0.2)
    notices = (browser.read(body) for _, body in service.got)
    return Counter((each["table"], each["decision"]) for each in notices)


async def _notices(stage: Stage, base: str, browser: Browser, service: Service) -> set[tuple[str, int]]:
    """Put many notices into the outbox at once: their tables and numbers."""
    people = 50
    tables = [(await set_table(base, "ecard", 2))[0] for _ in range(people)]
    store = open_store(stage.url)
    connection = await asyncpg.connect(stage.url)
    try:
        found = await connection.fetch(
            "select table_id, person from facedown.seats where seat = 1 and table_id = any($1)",
            [chair.table for chair in tables],
        )
        for number, (_, person) in enumerate(found):
            await store.subscribe(person, browser.at(f"{service.endpoint}&n={number}"))
        rows = [
            (person, table, number, "over")
            for table, person in found
            for number in range(1, 1 + stage.sizes.pushes // people)
        ]
        insert = "insert into facedown.notices (person, table_id, decision, kind) values ($1, $2, $3, $4)"
        await connection.executemany(insert, rows)
    finally:
        await connection.close()
        await store.close()
    return {(table, number) for _, table, number, _ in rows}
