"""Clients that write down every byte they are sent, and a conversation in which one thing happens at a time.

Speaks HTTP and raw frames only, and imports nothing of the project: whatever is behind the doors may move.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import signal
import struct
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from tests.patience import PATIENCE
from tests.server import forked
from tests.server.conversation.fixed_server import CLOCK, FIXED, WIDTH
from tests.server.forked import ForkedProcess
from tests.steady import steady

PUBLIC: Final = "https://cards.example.org"
_STARTS_AT: Final = 1_800_000_000_000
_STEP_MS: Final = 3
_HEADERS: Final = (
    *("content-type", "content-disposition", "content-security-policy", "cache-control", "etag", "vary"),
    *("allow", "location", "referrer-policy", "retry-after", "set-cookie", "www-authenticate"),
    *("x-content-type-options", "x-request-id"),
)
_USUAL: Final = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""Headers that are written down where they are missing or different."""


# --- the bytes of seals (DESIGN: commitments) --------------------------------------------------------------


def _digest(tag: str, *parts: bytes) -> str:
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in (tag.encode(), *parts))
    return hashlib.sha256(framed).hexdigest()


def secret(label: str) -> bytes:
    """32 bytes that look random, the same every time."""
    return hashlib.sha256(label.encode()).digest()


def entropy_commit(table: str, seat: int, entropy: bytes) -> str:
    """What a seat publishes of its entropy when it joins."""
    return _digest("facedown/2/entropy", table.encode(), struct.pack(">I", seat), entropy)


def pick_commit(table: str, decision: int, seat: int, head: str, pick: str, nonce: bytes) -> str:
    """The seal of a pick in a decision that was opened on this head."""
    place = (struct.pack(">I", decision), struct.pack(">I", seat))
    return _digest("facedown/2/pick", table.encode(), *place, bytes.fromhex(head), pick.encode(), nonce)


# --- one client ------------------------------------------------------------------------------------------


class Socket:
    """One WebSocket at a table; keeps its frames in order, and what a player has to know to pick."""

    def __init__(self, talk: Conversation, who: str, connection: ClientConnection) -> None:
        self.who = who
        self.v = 0
        self.state = ""
        self.turn: dict[str, Any] | None = None
        self.legal: list[str] = []
        self.frames: list[dict[str, Any]] = []
        self.closed = False
        self._talk = talk
        self._connection = connection
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for frame in self._connection:
                assert isinstance(frame, str)
                message = json.loads(frame)
                if message["t"] == "ping":  # comes with real time: no part of the conversation
                    await self._connection.send('{"t":"pong"}')
                    continue
                self._talk.note(self.who, f"< {frame}")
                self._take(message)
                self.frames.append(message)
                self._news.set()
        except ConnectionClosed:
            pass
        self.closed = True
        self._talk.note(self.who, f"closed {self._connection.close_code} {self._connection.close_reason}")
        self._news.set()

    def _take(self, message: dict[str, Any]) -> None:
        if message["t"] not in ("ev", "snap"):
            return
        new = {**message, **message["table"]} if message["t"] == "snap" else message
        self.v = new["v"]
        self.state = new.get("state", self.state)
        self.turn = new.get("turn", self.turn)
        self.legal = new.get("legal", self.legal)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something holds of this client."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def will_receive(self, **facts: object) -> Callable[[], bool]:
        """Whether a frame with these facts has come since this call, to be asked later."""
        since = len(self.frames)
        return lambda: any(facts.items() <= frame.items() for frame in self.frames[since:])

    async def send(self, text: str) -> None:
        """One frame as it is."""
        self._talk.note(self.who, f"> {text}")
        await self._connection.send(text)

    async def settle(self) -> None:
        """Wait for a pong: everything that the server sent before it has arrived then."""
        async with asyncio.timeout(PATIENCE):
            await (await self._connection.ping())

    async def hang_up(self) -> None:
        """Close from this side."""
        await self._connection.close()
        await self._reading


def _due(turn: dict[str, Any]) -> set[int]:
    """Who may place now, or has not promised yet: machines do both without being asked."""
    bound = {each["seat"] for each in (*turn["sealed"], *turn.get("promised", ()))}
    return {*turn["may_seal"], *(seat for wave in turn["waiting"] for seat in wave if seat not in bound)}


class Follower:
    """One `GET /api/v1/stream`: the events of a person with one seat, line by line."""

    def __init__(self, talk: Conversation, who: str, seat: int, answer: httpx2.Response) -> None:
        self.lines: list[dict[str, Any]] = []
        self._talk = talk
        self._who = who
        self._seat = seat
        self._answer = answer
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for line in self._answer.aiter_lines():
            if not line:
                continue  # signs of life come with real time
            message = json.loads(line)
            self._talk.note(self._who, f"< {line}")
            self.lines.append(message)
            self._news.set()

    async def settle(self, table: Socket) -> None:
        """Wait until it has the line of the turn that the table waits for, or of the end."""
        async with asyncio.timeout(PATIENCE):
            while not self._is_up_to_date(table):
                self._news.clear()
                await self._news.wait()

    def _is_up_to_date(self, table: Socket) -> bool:
        if table.state == "over":
            return any(line["t"] == "over" for line in self.lines)
        if table.state != "playing" or not table.turn or self._seat not in table.turn["may_seal"]:
            return bool(self.lines)
        if not self.lines:
            return False
        turns = self.lines[-1]["turns"] if self.lines[-1]["t"] == "state" else self.lines[-1:]
        return any(each.get("decision") == table.turn["decision"] for each in turns)

    async def stop(self) -> None:
        """Read no more."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await self._answer.aclose()


# --- all of them -----------------------------------------------------------------------------------------


class Conversation:
    """A server with fixed chance and time, and everybody who talks with it, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.said: dict[str, list[str]] = {}
        self.sockets: list[Socket] = []
        self.followers: list[Follower] = []
        self._folder = folder
        self._clock = folder / "clock"
        self._now = _STARTS_AT
        self._process: ForkedProcess | None = None
        self._base = ""
        self._calls: dict[str, int] = {}
        self._http = httpx2.AsyncClient(timeout=PATIENCE, trust_env=False, verify=False)

    async def __aenter__(self) -> Conversation:
        self._set_clock()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FACEDOWN_")}
        environment |= {CLOCK: str(self._clock), "PYTHONUTF8": "1"}
        environment |= {
            "FACEDOWN_PUBLIC_URL": PUBLIC,
            "FACEDOWN_LOG": "json",
            "FACEDOWN_STUDY_SECONDS": "600",
        }
        arguments = ["serve", "--port", "0", "--data", str(self._folder / "data")]
        with (self._folder / "server.log").open("wb") as errors:
            self._process = forked.start(arguments, environment, FIXED, errors.fileno())
        while line := await asyncio.to_thread(self._process.stdout.readline):
            found = re.search(rb"(http://[0-9.]+:[0-9]+)", line)
            if found:
                self._base = found[1].decode()
                return self
        raise AssertionError(f"the server did not start:\n{self.log()[-3000:]}")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        for follower in self.followers:
            await follower.stop()
        for socket in self.sockets:
            await socket.hang_up()
        await self._http.aclose()
        self._process.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(self._process.wait, PATIENCE)
        finally:
            self._process.send_signal(signal.SIGKILL)
            self._process.stdout.close()

    def log(self) -> str:
        """What the server wrote."""
        return (self._folder / "server.log").read_text()

    def note(self, who: str, line: str) -> None:
        """Record one line that a client sent or received."""
        self.said.setdefault(who, []).append(steady(line))

    # --- time ----------------------------------------------------------------------------------------

    def pass_time(self, ms: int = _STEP_MS) -> None:
        """Some time passes for the server; to be called while nothing happens there."""
        self._now += ms
        self._set_clock()

    def _set_clock(self) -> None:
        file = os.open(self._clock, os.O_WRONLY | os.O_CREAT)
        os.pwrite(file, b"%0*d" % (WIDTH, self._now), 0)
        os.close(file)

    # --- HTTP ------------------------------------------------------------------------------------------

    async def call(self, who: str, method: str, path: str, body: object = None, **headers: str) -> Any:
        """One request and its answer, whose JSON comes back. Headers have _ for -; bytes go as they are."""
        self.pass_time()
        answer = await self.ask(who, method, path, body, **headers)
        await self.settle()
        return answer

    async def ask(self, who: str, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The same, while others go on."""
        number = self._calls[who] = self._calls.get(who, 0) + 1
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        shown = json.dumps(sent) if sent else ""
        named = re.sub("[^0-9A-Za-z]+", "-", who)
        sent["X-Request-Id"] = f"{named}-{number:06}"
        address = f"{self._base}{path}"
        answer = await self._http.request(method, address, content=content, headers=sent)
        self._http.cookies.clear()
        self.note(who, f"> {method} {path} {shown}".rstrip())
        if content is not None:
            self.note(who, f"> {content.decode()}")
        asked = {name: answer.headers.get(name) for name in _HEADERS}
        unusual = {name: value for name, value in asked.items() if value != _USUAL.get(name)}
        self.note(who, f"< {answer.status_code} {json.dumps(unusual, ensure_ascii=False)}")
        if answer.content:
            self.note(who, f"< {answer.text}")
        return answer.json() if answer.headers.get("content-type", "").endswith("json") else answer.text

    async def follow(self, who: str, seat: int, **headers: str) -> Follower:
        """Open the stream of a person's events."""
        request = self._http.build_request("GET", f"{self._base}/api/v1/stream", headers=headers)
        answer = await self._http.send(request, stream=True)
        self.note(who, f"< {answer.status_code} {answer.headers['content-type']}")
        follower = Follower(self, who, seat, answer)
        self.followers.append(follower)
        await self.settle()
        return follower

    # --- sockets ---------------------------------------------------------------------------------------

    async def connect(self, who: str, hello: dict[str, Any], **headers: str) -> Socket:
        """A socket that has sent `hello` and received the snapshot (or was closed)."""
        self.pass_time()
        address = self._base.replace("http", "ws", 1) + "/ws/v1"
        connection = await connect(
            address,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            additional_headers=headers,
            ping_interval=None,
            proxy=None,
        )
        socket = Socket(self, who, connection)
        done = socket.will_receive(t="snap")
        await socket.send(json.dumps({"t": "hello", **hello}))
        await socket.until(lambda: done() or socket.closed)
        if not socket.closed:
            self.sockets.append(socket)
        await self.settle()
        return socket

    async def send(self, socket: Socket, message: dict[str, Any]) -> None:
        """Send a command; returns when its answer and all its events have arrived everywhere."""
        self.pass_time()
        answers = [socket.will_receive(t=kind, id=message.get("id")) for kind in ("ack", "nak")]
        await socket.send(json.dumps({"t": "cmd", **message}))
        await socket.until(lambda: socket.closed or any(answer() for answer in answers))
        await self.settle()

    async def hang_up(self, socket: Socket, *, alone: bool = False) -> None:
        """Close one client; returns when the others have received that its seat is empty, unless `alone`."""
        self.pass_time()
        self.sockets.remove(socket)
        others = [] if alone else [(each, each.will_receive(t="here")) for each in self.sockets]
        await socket.hang_up()
        for each, received in others:
            await each.until(received)
        await self.settle()

    async def settle(self) -> None:
        """Return when everybody knows what the best informed knows, and no machine has to pick any more."""
        async with asyncio.timeout(PATIENCE):
            while not await self._is_settled():
                pass

    async def _is_settled(self) -> bool:
        for socket in self.sockets:
            await socket.settle()
        if not self.sockets:
            return True
        newest = max(self.sockets, key=lambda each: each.v)
        if any(each.v < newest.v for each in self.sockets):
            return False
        if newest.state == "playing" and newest.turn and self.machines & _due(newest.turn):
            v = newest.v
            await newest.until(lambda: newest.v > v)
            return False
        for follower in self.followers:
            await follower.settle(newest)
        return True

    machines: frozenset[int] = frozenset()
    """The seats of machines at the table that is played now."""

    # --- what it came to -------------------------------------------------------------------------------

    def written(self) -> str:
        """All of it, client by client: > for what they sent, < for what they were sent."""
        parts = [f"## {who}\n" + "".join(f"{line}\n" for line in lines) for who, lines in self.said.items()]
        return "\n".join(parts)
