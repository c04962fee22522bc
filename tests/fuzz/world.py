"""A whole server without a network, which is sent changed messages and calls.

Whatever it is sent: it answers with a status or a code of its own, never with `internal`; and what it refuses
changes nothing in its store.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from facedown.protocol.messages import Cmd, decode_server_message, encode
from facedown.server.clock import now
from facedown.server.store.sqlite.data_dir import DATABASE
from tests.fuzz.mutate import parsed
from tests.server.test_in_page import ENTROPY, Page

OPEN = encode(Cmd("open", "open", entropy=ENTROPY.hex()))
"""Carried out, at the right time."""
STORED = (
    *("select count(*) from tables", "select * from people", "select * from invites", "select * from texts"),
    *(
        "select * from relations",
        "select * from reports",
        "select * from subscriptions",
    ),
)
CODE = re.compile(r"[a-z]+(_[a-z]+)*")
AFTER = json.dumps({"t": "cmd", "id": "after", "do": "pick", "decision": 9999})
"""Always refused: whatever was sent before it has been answered by then."""


class Stored(NamedTuple):
    """What is in the store at a time."""

    rows: list[Any]
    seen: dict[tuple[str, int], int]
    """When each seat of each table was last seen: a refused call is a sign of life, too."""
    at: int


class World:
    """A page's server with one table against a machine and one with a free seat."""

    def __init__(self, folder: Path) -> None:
        self.page = Page(folder)
        self.folder = folder
        self.tables: dict[str, str] = {}
        """The seat token of each table, by its id."""
        self.invite = ""

    async def open(self) -> None:
        await self.page.__aenter__()
        await self.page.ok("POST", "/session", {"name": "Ann"})
        await self.set_up()

    async def set_up(self) -> None:
        """Fresh tables: an input may have ended the old ones."""
        dealt, token = await self.page.sit()
        seats = [{"kind": "person"}, {"kind": "person"}]
        made = await self.page.ok("POST", "/tables", {"game": "davenport", "seats": seats})
        body = {"seat": 1, "commit": "00" * 32}
        sat = await self.page.ok("POST", f"/tables/{made['table']}/join", body)
        self.tables = {dealt: token, made["table"]: sat["token"]}
        self.invite = made["invite"]

    async def close(self) -> None:
        await self.page.__aexit__()

    async def stored(self) -> Stored:
        """What people have in the store; nothing else changes the table with a free seat.

        When a seat was last seen is written in the background: this waits until it is.
        """
        for table in self.page.server._services.tables.all_loaded:
            while table.hints._tasks:
                await asyncio.wait(table.hints._tasks)
        with closing(sqlite3.connect(self.folder / DATABASE)) as database:
            rows: list[Any] = [database.execute(query).fetchall() for query in STORED]
            query = "select head, state from tables where id = ?"
            rows += database.execute(query, [list(self.tables)[-1]])
            database.row_factory = sqlite3.Row
            seats = [dict(row) for row in database.execute("select * from seats")]
        seen = {(seat["table_id"], seat["seat"]): seat.pop("seen_at") for seat in seats}
        return Stored([*rows, seats], seen, now())

    async def assert_unchanged(self, before: Stored, table: str) -> None:
        """Nothing was stored since, but that the person was seen now on the seat at this table."""
        after = await self.stored()
        assert after.rows == before.rows
        for place, at in after.seen.items():
            is_now = place == (table, 1) and before.at <= at <= after.at
            assert at == before.seen[place] or is_now, place

    # --- messages -------------------------------------------------------------------------------------

    async def message(self, data: bytes, table: str, *, first: bool) -> None:
        """Send a message as the first one of a connection, or after a hello."""
        heard: list[dict[str, Any]] = []
        ended = asyncio.Event()

        def deliver(text: str) -> None:
            assert decode_server_message(text) is not None
            heard.append(json.loads(text))

        connection = self.page.server.connect(deliver, ended.set)
        if not first:
            hello = {"t": "hello", "table": table, "token": self.tables[table], "play": True}
            connection.receive(json.dumps(hello))
            await until(lambda: ended.is_set() or any(each["t"] == "snap" for each in heard))
            heard.clear()
        before = await self.stored()
        connection.handler.receive(data)
        if first:
            await until(lambda: ended.is_set() or any(each["t"] == "snap" for each in heard), 300)
        connection.receive(AFTER)
        await until(lambda: ended.is_set() or any(each.get("id") == "after" for each in heard), 300 * first)
        connection.disconnect()
        refused = False
        for each in heard:
            if each["t"] in ("nak", "bye"):
                assert CODE.fullmatch(each["code"]), each
                assert each["code"] != "internal", each
                assert each.get("status", 400) < 500, each
                refused = True
        if refused and not any(each["t"] in ("ack", "ev") for each in heard):
            await self.assert_unchanged(before, table)

    # --- calls ----------------------------------------------------------------------------------------

    async def call(self, data: bytes, method: str, path: str) -> None:
        """Make a call with this body; ids in the path are replaced by those of a table that is here."""
        table = next(iter(self.tables)) if len(data) % 2 else list(self.tables)[-1]
        path = re.sub(r"/tables/[^/?]+", f"/tables/{table}", path)
        path = re.sub(r"/invites/[^/?]+", f"/invites/{self.invite}", path)
        before = await self.stored()
        headers = {"Content-Type": "application/json", "Accept-Language": "en"}
        asked = {"method": method, "path": path, "headers": headers, "body": data.decode("utf-8", "replace")}
        answer = json.loads(await self.page.server.request(json.dumps(asked)))
        status, body = answer["status"], parsed(answer["body"].encode())
        assert status < 500, answer
        if status >= 400:
            assert CODE.fullmatch(body["code"]), answer
            assert body["status"] == status
            await self.assert_unchanged(before, table if table in path else "")


async def until(ready: Any, turns: int = 0) -> None:
    """Let the server work until something has happened, or for that many turns of the loop."""
    turn = 0
    while not ready() and (not turns or turn < turns):
        await asyncio.sleep(0)
        turn += 1
