"""Requests of one address that wait for an opponent, or for the rest of a body: they hold no neighbour up."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.server.http.client import Caller, Meet, meeting, sit_down
from tests.server.running import Server, until

WAITING, BODIES = 12, 12
WAITS_UNTIL_WOKEN = """
from facedown.server import pairing
honest = pairing.Pairing.put
def put(self, person, wanted, wait):
    return honest(self, person, wanted, wait and 3600)
pairing.Pairing.put = put
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data", FACEDOWN_BODY_SECONDS="3600").after(WAITS_UNTIL_WOKEN).start()
    yield running
    running.close()


@pytest.fixture
def meet(server: Server) -> Iterator[Meet]:
    with meeting(server.base) as meet:
        yield meet


def wait_for_an_opponent(person: Caller, number: int) -> int:
    """The status of the answer, which comes when the ticket is withdrawn: nobody wants these rules."""
    clock = {"kind": "correspondence", "days": 2}
    ticket = {"game": "ecard", "rules": f"purse(max_stake={number})", "clock": clock}
    return person.ask("PUT", "/pairing/ticket?wait=5", ticket).status_code


def any_done(tickets: list[Future[int]]) -> bool:
    return any(ticket.done() for ticket in tickets)


def half_sent(server: Server) -> socket.socket:
    """A request whose body has begun to be read and does not end."""
    host, port = server.base.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)), timeout=PATIENCE)
    head = f"POST /api/v1/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    line.sendall(f"{head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n".encode())
    assert line.recv(100).startswith(b"HTTP/1.1 100 ")
    line.sendall(b'{"name":')
    line.setblocking(False)
    return line


def test_neighbours_play_while_others_wait(server: Server, meet: Meet) -> None:
    people = [meet(f"Guest {number}") for number in range(WAITING)]
    room = meet()
    with ExitStack() as open_lines, ThreadPoolExecutor(WAITING) as pool:
        lines = [half_sent(server) for _ in range(BODIES)]
        for line in lines:
            open_lines.enter_context(line)
        tickets = [pool.submit(wait_for_an_opponent, each, n) for n, each in enumerate(people, 1)]
        until(lambda: len(room.ok("GET", "/room").get("pools", [])) == WAITING)

        ann, bob = meet("Ann"), meet("Bob")
        table = sit_down(ann, bob)
        ann.pick(table, 1, 1, ann.see(table)["legal"][0])
        assert meet().http.get(f"{server.base}/").status_code == 200

        assert not any_done(tickets)
        for line in lines:
            with pytest.raises(BlockingIOError):
                line.recv(1)
        for each in people:
            each.ok("DELETE", "/pairing/ticket", status=204)
        assert {ticket.result(PATIENCE) for ticket in tickets} == {200}


def test_one_body_too_many_ends_the_oldest(server: Server) -> None:
    with ExitStack() as open_lines:
        lines = [open_lines.enter_context(half_sent(server)) for _ in range(65)]
        lines[0].setblocking(True)
        assert lines[0].recv(100).startswith(b"HTTP/1.1 408 ")
        with pytest.raises(BlockingIOError):
            lines[1].recv(1)
