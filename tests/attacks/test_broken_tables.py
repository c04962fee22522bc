"""A table that can no longer be replayed is closed with a reason, and affects no other table."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from facedown.client import ServerRefused
from facedown.server.ops.runfile import read_runfile
from tests.patience import PATIENCE
from tests.server.kept import kept_by
from tests.server.programs import Chair, ask, call, open_body, set_table
from tests.server.running import Server, until

pytestmark = pytest.mark.anyio
CLOCK = {"kind": "decision", "seconds": 5, "bank": 0}


async def begun(server: Server, **more: Any) -> list[Chair]:
    chairs = await set_table(server.base, "davenport", 2, **more)
    for chair in chairs:
        path = f"/tables/{chair.table}/commands"
        await call(server.base, "POST", path, open_body(chair), chair.bearer, Facedown_Seat=chair.token)
    return chairs


async def test_one_table_of_the_future_stops_no_other(server: Server) -> None:
    broken = await begun(server, clock=CLOCK)
    mine = broken[0]
    well = await call(server.base, "POST", "/tables", order(), mine.bearer)
    clocked = await begun(server, clock=CLOCK)
    server.stop()
    kept_by(server).rewrite_first_event(mine.table, lambda made: made.update(version=99))
    server.start()

    with pytest.raises(ServerRefused) as refused:
        ask(server.base, "GET", f"/tables/{mine.table}", None, mine.bearer)
    if server.store_url:  # another server may be newer, and serve it
        assert (refused.value.name, refused.value.status) == ("store_failed", 503)
    else:
        assert (refused.value.name, refused.value.status) == ("broken_table", 410)
        is_closed(server, mine)
        renamed = ask(server.base, "PATCH", "/session", {"name": "Still here"}, mine.bearer)
        assert renamed["name"] == "Still here"
    assert ask(server.base, "GET", f"/tables/{well['table']}", None, mine.bearer)["v"] >= 1

    def flagged() -> bool:  # the clocks of others go on
        path = f"/tables/{clocked[0].table}/events?after=0"
        events = ask(server.base, "GET", path, None, clocked[0].bearer)["events"]
        return any(event.get("placer") == "clock" for event in events)

    until(flagged)


def is_closed(server: Server, mine: Chair) -> None:
    """Every answer of the only server reports it as closed, and the log once."""
    listed = {
        row["table"]: row for row in ask(server.base, "GET", "/tables?mine=true", None, mine.bearer)["tables"]
    }
    assert listed[mine.table]["state"] == "closed"
    operator = read_runfile(server.data).token
    tables = ask(server.base, "GET", "/admin/tables", None, operator)["tables"]
    assert {row["table"]: row["state"] for row in tables}[mine.table] == "closed"
    assert server.log().count("a table cannot be replayed and is closed") == 1
    assert json.loads(page(server, "/readyz"))["broken_tables"] == 1
    until(lambda: "facedown_tables_broken 1.0" in page(server, "/metrics"))


async def test_a_table_goes_on_by_the_rules_that_dealt_it(server: Server) -> None:
    chairs = await begun(server)
    table = chairs[0].table
    before = ask(server.base, "GET", f"/tables/{table}", None, chairs[0].bearer)
    server.stop()
    kept_by(server).rewrite_first_event(table, lambda made: made.update(version=1))
    server.start()
    after = ask(server.base, "GET", f"/tables/{table}", None, chairs[0].bearer)
    assert after["table"]["version"] == 1
    assert after["view"] == before["view"]


def page(server: Server, path: str) -> str:
    with urllib.request.urlopen(server.base + path, timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
        return text


def order() -> dict[str, Any]:
    return {"game": "ecard", "rules": "", "seats": [{"kind": "person"}] * 2}
