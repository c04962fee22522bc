"""One address floods the server with requests, sockets, names and rematches: it is limited, and no other is.
The server trusts a proxy here, which reports the address of each request.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import signal
import socket
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from facedown.client import RestClient, ServerRefused
from facedown.protocol.messages import SUBPROTOCOL
from facedown.server.ops.runfile import read_runfile
from tests.needs import without
from tests.patience import PATIENCE
from tests.server.programs import Chair, ask, call, open_body, pick_body, set_table
from tests.server.running import Server, until
from tests.server.sockets.raw import HANDSHAKE, Raw, text

pytestmark = pytest.mark.anyio

FLOODER, FAMILY = "198.51.100.7", "203.0.113.20"
FLOODER_OF_FRAMES = "198.51.100.8"
USUAL = {
    "FACEDOWN_PROXIES": "127.0.0.1",
    "FACEDOWN_REQUESTS": "900",
    "FACEDOWN_FRAMES": "200",
    "FACEDOWN_COMMANDS": "100",
    "FACEDOWN_JOINS": "30",
    "FACEDOWN_TABLES": "10",
}
RECORDS_ARE_MADE_ONCE = """
import threading
from facedown.server.table.table import Table
honest, made = Table.finished_record, set()
def once(table, unnamed, proofs):
    assert threading.current_thread() is not threading.main_thread(), "made on the event loop"
    assert (table.id, *table.names, unnamed) not in made, "made again"
    made.add((table.id, *table.names, unnamed))
    return honest(table, unnamed, proofs)
Table.finished_record = once
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = (
        Server(tmp_path_factory.mktemp("flooded") / "data", **USUAL).after(RECORDS_ARE_MADE_ONCE).start()
    )
    yield running
    running.close()


def asked(server: Server, address: str, path: str, **headers: str) -> int:
    """The status of a GET, from an address."""
    import http.client

    connection = http.client.HTTPConnection(server.base.removeprefix("http://"), timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"X-Forwarded-For": address, **headers})
        return connection.getresponse().status


def socket_from(server: Server, address: str) -> connect:
    url = server.base.replace("http", "ws", 1) + "/ws/v1"
    return connect(
        url,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        additional_headers={"X-Forwarded-For": address},
        open_timeout=PATIENCE,
    )


def from_address(server: Server, address: str, bearer: str = "") -> Any:
    """Calls of the API from an address."""

    def send(method: str, path: str, body: object = None, **headers: str) -> Any:
        sent = {"X-Forwarded-For": address, **{name.replace("_", "-"): v for name, v in headers.items()}}
        text = RestClient(server.base, bearer, timeout=PATIENCE).send(method, path, body, sent)
        return json.loads(text) if text else {}

    return send


def test_endless_requests_are_refused_and_those_of_a_family_are_not(server: Server) -> None:
    with ThreadPoolExecutor(16) as many:
        first_screens = list(many.map(lambda _: asked(server, FAMILY, "/api/v1/games"), range(5 * 18)))
        assert set(first_screens) == {200}  # five people behind one address, who open the page at once
        answers = Counter(many.map(lambda _: asked(server, FLOODER, "/metrics"), range(400)))
    assert set(answers) == {403, 429}  # how many of each depends on how long they took
    assert asked(server, FAMILY, "/api/v1/games") == 200
    assert asked(server, "2001:db8::1", "/api/v1/games") == 200


async def test_the_record_of_a_finished_game_is_made_once_off_the_event_loop(server: Server) -> None:
    chairs = await set_table(server.base, "ecard", 2)
    for chair in chairs:
        await command(chair, open_body(chair))
    await command(chairs[0], {"id": "up", "do": "resign", "decision": 1})
    with ThreadPoolExecutor(16) as many:
        path = f"/tables/{chairs[0].table}/record"
        records = list(many.map(lambda n: from_address(server, f"192.0.2.{n}")("GET", path), range(1, 41)))
    assert records == [records[0]] * 40
    assert records[0]["signed"]

    other = from_address(server, "192.0.2.1", chairs[1].bearer)
    name = other("GET", path)["seats"][0]
    await call(server.base, "DELETE", "/people/me", None, chairs[0].bearer)
    assert name
    assert name not in other("GET", path)["seats"]


async def test_many_sockets_of_one_address_share_one_pace(server: Server) -> None:
    """Each socket stays below its own limit, but all are read no faster than one address may send."""
    chairs = [chair for _ in range(4) for chair in await set_table(server.base, "ecard", 2)]
    async with contextlib.AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(socket_from(server, FLOODER_OF_FRAMES)) for _ in chairs]
        begun = asyncio.get_running_loop().time()
        for chair, each in zip(chairs, sockets, strict=True):
            await each.send(json.dumps({"t": "hello", "table": chair.table, "token": chair.token}))
            await each.recv()
            for number in range(60):
                late = pick_body(chair, 99, "C", f"late{number}", head="00" * 32)
                await each.send(json.dumps({"t": "cmd", **late}))
        for each in sockets:
            async with asyncio.timeout(PATIENCE):
                while json.loads(await each.recv()).get("id") != "late59":
                    pass
        assert asyncio.get_running_loop().time() - begun > 1.5  # 488 frames: 100 at once, 200 a second


def test_one_person_has_one_budget_wherever_they_are(server: Server) -> None:
    here = from_address(server, "192.0.2.1")("POST", "/session", {"kind": "program"})["token"]
    answered: list[Any] = []

    def ask_until_refused() -> None:  # a slow machine takes longer, and gets more of the budget
        while True:
            address = f"192.0.2.{len(answered) % 200 + 1}"
            answered.append(from_address(server, address, here)("GET", "/people/me"))

    with pytest.raises(ServerRefused) as refused:
        ask_until_refused()
    assert refused.value.name == "too_many"
    assert len(answered) > 20


def test_a_verdict_that_no_call_waits_for_is_stopped(server: Server) -> None:
    if not Path("/proc/self/stat").exists():
        without("this system does not say which processes run")
    host, port = server.base.removeprefix("http://").split(":")
    idle = set(server.analyses)
    asking = socket.create_connection((host, int(port)))
    line = "GET /api/v1/games/ecard/verdict?rules=purse HTTP/1.1\r\nX-Forwarded-For: 192.0.2.50\r\n"
    asking.sendall(f"{line}Host: {host}\r\n\r\n".encode())
    until(lambda: set(server.analyses) - idle)
    (process,) = set(server.analyses) - idle
    os.kill(process, signal.SIGSTOP)  # it would never end
    asking.close()
    until(lambda: process not in server.analyses)


def test_strangers_do_not_read_what_is_for_the_operator(server: Server) -> None:
    operator = f"Bearer {read_runfile(server.data).token}"
    for path in ("/metrics", "/readyz"):
        assert asked(server, "203.0.113.77", path) == 403
        assert asked(server, "203.0.113.77", path, Authorization=operator) == 200
        for forwarded in (
            "",
            "127.0.0.1",
            "127.0.0.2",
        ):  # a proxy that names no client, or what the client says
            assert asked(server, forwarded, path) == 403
    assert asked(server, "203.0.113.77", "/healthz") == 200


async def test_an_address_whose_socket_flooded_has_to_wait(server: Server) -> None:
    async with socket_from(server, FLOODER) as flooding:
        await flood(flooding)
    with pytest.raises(InvalidStatus) as refused:
        async with socket_from(server, FLOODER):
            pass
    assert refused.value.response.status_code == 429
    assert int(refused.value.response.headers["Retry-After"]) >= 1
    async with socket_from(server, FAMILY):
        pass


async def flood(socket: ClientConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.send('{"t":"pong"}')


async def test_names_change_a_few_times_a_minute(server: Server) -> None:
    one, other = await set_table(server.base, "ecard", 2)
    before = seen(other)["v"]
    answers: Counter[str] = Counter()
    for number in range(20):
        try:
            ask(server.base, "PATCH", "/session", {"name": f"Ann {number}"}, one.bearer)
            answers["ok"] += 1
        except ServerRefused as refusal:
            answers[refusal.name] += 1
    assert answers["too_many"] > 0
    assert seen(other)["v"] == before + answers["ok"]


def seen(chair: Chair) -> Any:
    return ask(chair.base, "GET", f"/tables/{chair.table}", None, chair.bearer, Facedown_Seat=chair.token)


async def command(chair: Chair, body: dict[str, Any]) -> Any:
    path = f"/tables/{chair.table}/commands"
    return await call(chair.base, "POST", path, body, chair.bearer, Facedown_Seat=chair.token)


async def test_a_hundred_rematches_at_once_are_one_table(server: Server) -> None:
    chairs = await set_table(server.base, "ecard", 2)
    for chair in chairs:
        await command(chair, open_body(chair))
    await command(chairs[0], {"id": "r", "do": "resign", "decision": 1})
    operator = read_runfile(server.data).token
    before = {table["table"] for table in ask(server.base, "GET", "/admin/tables", None, operator)["tables"]}

    async def again(number: int) -> str:
        try:
            answer = await command(chairs[number % 2], {"id": f"again-{number}", "do": "rematch"})
        except ServerRefused as refused:
            return str(refused.name)
        return str(answer["next"])

    answers = Counter(await asyncio.gather(*(again(number) for number in range(30))))
    made = {table["table"] for table in ask(server.base, "GET", "/admin/tables", None, operator)["tables"]}
    assert len(made - before) == 1
    assert set(answers) <= {"too_many", *(made - before)}


# --- what the operator sees of it ------------------------------------------------------------------------


def count(server: Server, metric: str) -> float:
    """The value of a counter, such as `name{label="value"}`, summed over the processes of the server."""
    name, _, label = metric.removesuffix("}").partition("{")
    with urllib.request.urlopen(f"{server.base}/metrics", timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    values = [
        float(line.rpartition(" ")[2])
        for line in lines
        if re.match(rf"{name}(?=[{{ ])", line) and label in line.rpartition(" ")[0]
    ]
    assert values, f"{metric} is not in /metrics"
    return sum(values)


async def test_floods_and_broken_connections_are_counted(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", FACEDOWN_CONNECTIONS="8", FACEDOWN_COMMANDS="100").start()
    port = int(server.base.rpartition(":")[2])
    try:
        for wrong in (b"\x00\x01\r\n\r\n", b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 17_000 + b"\r\n\r\n"):
            refused = await Raw.connect(port)
            refused.send(wrong)
            await refused.rest()
            await refused.close()
        broken = await Raw.socket(port)
        broken.send(text(b"not masked", mask=False))
        await broken.until_closed()
        flooding, again = await Raw.connect(port), await Raw.connect(port)
        flooding.send(HANDSHAKE + text(b'{"t":"pong"}') * 400)
        await flooding.rest()
        again.send(HANDSHAKE)
        await again.rest()
        crowd = [await Raw.connect(port) for _ in range(30)]
        answers = [asyncio.create_task(each.rest()) for each in crowd]
        for refusal in itertools.islice(asyncio.as_completed(answers), 22):  # 8 at once
            assert (await refusal).startswith(b"HTTP/1.1 429 ")
        for each in (*crowd, broken, flooding, again):
            await each.close()
        await asyncio.gather(*answers)

        least = {
            'facedown_http_closed_total{why="malformed"}': 1,
            'facedown_http_closed_total{why="too_large"}': 1,
            'facedown_http_closed_total{why="crowded"}': 14,
            'facedown_sockets_closed_total{why="flooded"}': 1,
            'facedown_sockets_closed_total{why="broken"}': 1,
            'facedown_socket_messages_total{direction="received"}': 1,
            'facedown_socket_messages_total{direction="sent"}': 1,
            "facedown_sockets_opened_total": 2,
            "facedown_sockets_refused_total": 1,
            'facedown_http_closed_total{why="cut_off"}': 0,
            'facedown_http_closed_total{why="late"}': 0,
            'facedown_http_closed_total{why="unread"}': 0,
            'facedown_sockets_closed_total{why="stuck"}': 0,
            'facedown_sockets_closed_total{why="silent"}': 0,
        }
        until(lambda: asked(server, "", "/healthz") == 200)  # the crowd has left
        until(lambda: not {metric for metric, value in least.items() if count(server, metric) < value})
    finally:
        server.close()
