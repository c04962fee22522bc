"""The client with servers that are newer, broken or something else: it reports that, and tries again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import msgspec
import pytest
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from facedown.client import BlockingTable, RestClient, ServerLost, ServerRefused
from facedown.protocol.messages import SUBPROTOCOL, Ack, Bye, Cmd, Ev, Nak, Ping, Snap, Welcome, encode
from facedown.protocol.rest import PersonSeat, TableOrder
from facedown.protocol.views import NO_VIEW
from tests.client.infos import seat_info, table_info

TABLE = "0" * 26
WELCOME = encode(Welcome(TABLE, 0, 1, False, 5, 20_000))
SNAP = encode(Snap(1, 5, table_info(id=TABLE, seats=(seat_info(1),)), NO_VIEW, (), None))


# --- sockets ---------------------------------------------------------------------------------------------


@contextmanager
def talking(*connections: list[bytes]) -> Iterator[str]:
    """A server with a list of frames for each connection; the last list serves all further ones."""
    number = iter(range(10_000))

    def talk(socket: ServerConnection) -> None:
        socket.recv()
        for frame in connections[min(next(number), len(connections) - 1)]:
            socket.send(frame.decode())
        for _ in socket:
            pass

    with serving(talk) as base:
        yield base


@contextmanager
def serving(talk: Callable[[ServerConnection], None]) -> Iterator[str]:
    """A server that runs this function for each connection; its address."""
    with serve(talk, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@contextmanager
def open_table(base: str) -> Iterator[BlockingTable]:
    table = BlockingTable(RestClient(base), TABLE)
    table.open()
    yield table
    table.close()


def test_a_store_that_failed_is_no_refusal_and_the_same_command_is_sent_again() -> None:
    received: list[Cmd] = []

    def talk(socket: ServerConnection) -> None:
        socket.recv()
        socket.send(WELCOME.decode())
        socket.send(SNAP.decode())
        for frame in socket:
            cmd = msgspec.json.decode(frame, type=Cmd)
            received.append(cmd)
            saved = len(received) > 1
            socket.send(
                encode(Ack(cmd.id, 1) if saved else Nak(cmd.id, "store_failed", "", status=503)).decode()
            )

    with serving(talk) as base, open_table(base) as table:
        table.say("hello")

    assert len(received) == 2
    assert received[0] == received[1]


def test_messages_and_fields_that_it_does_not_know_are_skipped() -> None:
    newer: dict[str, Any] = msgspec.json.decode(SNAP)
    newer["weather"] = "fine"
    newer["table"]["seats"][0]["hat"] = {"colour": "red"}
    messages = [
        WELCOME,
        b'{"t":"weather","fine":true}',
        msgspec.json.encode(newer),
        encode(Ev(2, "hail", seat=1)),
    ]
    with talking(messages) as base, open_table(base) as table:
        table.wait_for(lambda: table.mirror.v == 2)

        assert table.mirror.info.seats[0] == seat_info(1)
        assert table.table.connected


@pytest.mark.parametrize(
    "frame",
    [
        b"nonsense",
        b"[]",
        b"{}",
        b'{"t":7}',
        b'{"t":"snap","v":"one"}',
        b'{"t":"ev","v":2}',
        SNAP.replace(b'"view":null', b'"view":[1]'),
        b"[" * 100_000,
    ],
)
def test_after_nonsense_the_client_connects_again(frame: bytes) -> None:
    with talking([WELCOME, frame], [WELCOME, SNAP]) as base, open_table(base) as table:
        assert table.mirror.info.id == TABLE


def test_a_server_that_only_sends_nonsense_is_lost() -> None:
    with talking([b'{"t":"snap","v":"one"}']) as base, pytest.raises(ServerLost) as lost:
        BlockingTable(RestClient(base), TABLE).open(patience=0.6)

    assert "does not answer: not a message of this protocol: Expected `int`, got `str`" in str(lost.value)


def test_a_gap_and_a_ping_ahead_are_healed_by_another_connection() -> None:
    first = [WELCOME, SNAP, encode(Ev(9, "hail"))]
    second = [WELCOME, SNAP, encode(Ping(9, 5))]
    third = [WELCOME, encode(Ev(2, "hail")), SNAP.replace(b'"v":1', b'"v":2', 1)]
    with talking(first, second, third) as base, open_table(base) as table:
        table.wait_for(lambda: table.mirror.v == 2)

        assert [event.v for event in table.mirror.events] == [2]


def test_a_silent_connection_is_given_up_by_the_interval_that_its_welcome_names() -> None:
    silent = [encode(Welcome(TABLE, 0, 1, False, 5, 100)), SNAP]
    with talking(silent, [WELCOME, SNAP, encode(Ev(2, "hail"))]) as base, open_table(base) as table:
        table.wait_for(lambda: table.mirror.v == 2)


@pytest.mark.parametrize("ping", [0, -1])
def test_a_ping_interval_that_is_none_is_ignored(ping: int) -> None:
    odd = [encode(Welcome(TABLE, 0, 1, False, 5, ping)), SNAP, encode(Ev(2, "hail"))]
    with talking(odd, []) as base, open_table(base) as table:
        table.wait_for(lambda: table.mirror.v == 2)
        assert table.table.connected


def test_the_client_does_not_connect_again_after_a_final_bye() -> None:
    with talking([encode(Bye("unknown_table", "there is no such table"))]) as base:
        table = BlockingTable(RestClient(base), TABLE)
        with pytest.raises(ServerRefused) as refused:
            table.open()
        assert (refused.value.name, refused.value.message) == ("unknown_table", "there is no such table")
        table.close()


def test_a_command_that_the_server_never_answers_ends_with_the_connection() -> None:
    with talking([WELCOME, SNAP]) as base, open_table(base) as table:
        closing = threading.Timer(0.2, table.close)
        closing.start()
        with pytest.raises(ServerLost, match="before the server had answered"):
            table.say("hello")
        closing.join()


def test_a_closed_table_refuses_commands_and_ends_waiting_calls() -> None:
    with talking([WELCOME, SNAP]) as base, open_table(base) as table:
        closing = threading.Timer(0.2, table.close)
        closing.start()
        assert list(table.turns()) == []
        closing.join()
        with pytest.raises(ServerLost, match="closed"):
            table.say("hello")


def test_waiting_ends_when_nothing_happens() -> None:
    with (
        talking([WELCOME, SNAP]) as base,
        open_table(base) as table,
        pytest.raises(ServerLost, match="in time"),
    ):
        table.wait_for(lambda: table.mirror.v > 1, seconds=0.1)


# --- calls -----------------------------------------------------------------------------------------------


@contextmanager
def answering(status: int, body: bytes, length: int | None = None) -> Iterator[RestClient]:
    """A server that answers every call with this."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body) if length is None else length))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = answer

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield RestClient(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


CALLS: list[Callable[[RestClient], object]] = [
    lambda server: server.sign_in("Ann"),
    lambda server: server.games(),
    lambda server: server.make(TableOrder("x", (PersonSeat(),))),
    lambda server: server.invited("x"),
    lambda server: server.join("x", 1, "00", "code"),
    lambda server: server.resume("x"),
    lambda server: server.table("x"),
    lambda server: server.record("x"),
    lambda server: server.admin_tables(),
]


@pytest.mark.parametrize(
    "body", [b"", b"nonsense", b"7", b'{"table":7}', b"[" * 100_000, b'{"seats":"\xff"}']
)
def test_an_answer_of_something_else_is_a_lost_server(body: bytes) -> None:
    with answering(200, body) as server:
        for call in CALLS:
            with pytest.raises(ServerLost, match=r"answers (what no such server does|with no record)"):
                call(server)


def test_fields_that_it_does_not_know_are_skipped() -> None:
    with answering(200, b'{"seat":2,"token":"x","hat":"red"}') as server:
        assert server.resume("x").seat == 2
    with answering(200, b'{"person":"p","name":"Ann","token":"secret","hat":"red"}') as server:
        assert server.is_known()
        server.rename("Anna")
        assert server.sign_in() == server.token == "secret"


@pytest.mark.parametrize(
    ("body", "name", "say", "rule"),
    [
        (b'{"code":"bad_seat","detail":"no such seat","rule":"E1"}', "bad_seat", "no such seat", "E1"),
        (b'{"code":"bad_seat","title":"Seats"}', "bad_seat", "Seats", ""),
        (b"{}", "", "Conflict", ""),
        (b"<html>", "", "the server answered 409 Conflict", ""),
        (b'{"code":7}', "", "the server answered 409 Conflict", ""),
    ],
)
def test_a_refusal_is_read_as_far_as_it_goes(body: bytes, name: str, say: str, rule: str) -> None:
    with answering(409, body) as server:
        with pytest.raises(ServerRefused) as refused:
            server.close_table("x", "")
        assert not server.is_known()

    error = refused.value
    assert (error.name, error.message, error.rule, error.status) == (name, say, rule, 409)


def test_an_answer_that_is_cut_off_is_a_lost_server() -> None:
    with (
        answering(200, b'{"seat":2', length=100) as server,
        pytest.raises(ServerLost, match="cannot be reached"),
    ):
        server.resume("x")
