"""A page of another site has its own name point at this server, or speaks to it over another scheme."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from collections.abc import Iterator

import pytest

from tests.patience import PATIENCE
from tests.server.running import Server

PUBLIC = "https://cards.example.org"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("asked") / "data", FACEDOWN_PUBLIC_URL=PUBLIC).start()
    yield running
    running.close()


def answered(
    server: Server, method: str = "GET", path: str = "/api/v1/games", **headers: str
) -> tuple[int, str]:
    """Status and body of a request with these headers."""
    connection = http.client.HTTPConnection(server.base.removeprefix("http://"), timeout=PATIENCE)
    with contextlib.closing(connection):
        body = b"{}" if method == "POST" else None
        sent = {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        return response.status, response.read().decode()


def test_only_hosts_that_can_be_this_server_are_answered(server: Server) -> None:
    port = server.base.rpartition(":")[2]
    for own in (
        "cards.example.org",
        f"localhost:{port}",
        f"127.0.0.1:{port}",
        "192.168.1.20:8765",
        "den.local",
    ):
        assert answered(server, Host=own)[0] == 200, own
    for other in ("evil.example.com", f"rebound.example.net:{port}", "127.0.0.1.evil.example.com", "a@b.c"):
        status, body = answered(server, Host=other)
        assert status == 421, other
        assert json.loads(body)["code"] == "wrong_host"
    shaken = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Protocol": "facedown.v1",
    }
    assert answered(server, path="/ws/v1", Host="evil.example.com", **shaken)[0] == 421
    assert answered(server, path="/ws/v1", Host="cards.example.org", **shaken)[0] == 101


@pytest.mark.parametrize(
    "head",
    [
        "GET / HTTP/1.1\r\nHost: cards.example.org\r\nHost: evil.example.com",
        "GET / HTTP/1.1\r\nHost: evil.example.com\r\nHost: cards.example.org",
        "GET / HTTP/1.1\r\nHost: cards.example.org\r\nhost: cards.example.org",
        "GET http://evil.example.com/ HTTP/1.1\r\nHost: cards.example.org",
    ],
)
def test_a_request_that_names_two_hosts_is_refused(server: Server, head: str) -> None:
    assert raw_status(server, head) == 400


def test_an_absolute_address_of_the_same_host_is_answered(server: Server) -> None:
    head = "GET http://cards.example.org/healthz HTTP/1.1\r\nHost: cards.example.org"
    assert raw_status(server, head) == 200


def raw_status(server: Server, head: str) -> int:
    """The status that a request with this head gets."""
    host, _, port = server.base.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), PATIENCE) as connection:
        connection.sendall(f"{head}\r\nConnection: close\r\n\r\n".encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_the_scheme_is_part_of_the_origin(server: Server) -> None:
    start = {"method": "POST", "path": "/api/v1/session", "Host": "cards.example.org"}
    assert answered(server, **start, Origin="http://evil.example.com")[0] == 403
    assert answered(server, **start, Origin=PUBLIC)[0] == 201
    plain = {**start, "Host": server.base.removeprefix("http://")}
    assert answered(server, **plain, Origin=server.base.replace("http", "https", 1))[0] == 403
    assert answered(server, **plain, Origin=server.base)[0] == 201


def test_an_unknown_proxy_is_logged_once_and_gains_nothing(server: Server) -> None:
    said = "a proxy's header arrived, but no proxy is trusted"
    for _ in range(5):
        assert answered(server, X_Forwarded_For="203.0.113.5")[0] == 200
        assert answered(server, path="/metrics", X_Forwarded_For="127.0.0.1")[0] == 403
    assert server.log().count(said) == 1
