"""One subscriber with a network of IPv6 comes from another address each time: limits count the networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.http.client import Caller, meeting
from tests.server.running import Server

_MOST = 1000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with narrow limits, behind a proxy that says where its clients are."""
    narrow = {"FACEDOWN_PEOPLE": "3", "FACEDOWN_GUESSES": "3", "FACEDOWN_PROXIES": "127.0.0.1"}
    running = Server(tmp_path / "data", **narrow).start()
    yield running
    running.close()


def new_guest(caller: Caller) -> int:
    return caller.ask("POST", "/session", {"name": "Ann", "kind": "program"}).status_code


def wrong_token(caller: Caller) -> int:
    return caller.ask("GET", "/people/me", Authorization="Bearer nonsense").status_code


@pytest.mark.parametrize(("attack", "allowed"), [(new_guest, 201), (wrong_token, 401)])
def test_addresses_of_one_network_share_what_they_may_do(
    server: Server, attack: Callable[[Caller], int], allowed: int
) -> None:
    with meeting(server.base) as meet:
        caller = meet()

        def tried_from(address: str) -> int:
            caller.http.headers["X-Forwarded-For"] = address
            return attack(caller)

        addresses = (f"2001:db8:7:{number:x}::1" for number in range(_MOST))
        answers = [tried_from(next(addresses))]
        while answers[-1] == allowed:
            answers.append(tried_from(next(addresses)))
        assert answers[-1] == 429
        assert tried_from("2001:db8:8::1") == allowed
        assert tried_from("192.0.2.7") == allowed
