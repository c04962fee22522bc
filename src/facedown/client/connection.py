"""A table on a server that stays connected: it heals by itself, loses no pick and sends none twice.

A thread of its own holds the socket. Whoever asks gets what was heard last; whoever does something waits
until the server has it on disk.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from facedown.client.errors import Lost, Refused
from facedown.client.mirror import Heard
from facedown.core.chance import entropy_commitment, pick_commitment
from facedown.protocol.messages import SUBPROTOCOL

_PROTOCOL: Final = Subprotocol(SUBPROTOCOL)
_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 5.0
"""Seconds between two tries to connect: each is twice as long as the one before."""
_SILENCE: Final = 60.0
"""Seconds without a word, pings too, after which a connection is taken for dead."""
_HOPELESS: Final = frozenset({"unknown_table", "bad_token", "not_seated", "bad_message"})
"""Why the server closes for good."""


@dataclass(frozen=True, slots=True)
class Key:
    """What proves that a seat is one's own, and what one threw into the deal: to be kept."""

    server: str
    table: str
    seat: int
    token: str
    entropy: str

    @staticmethod
    def promise(table: str, seat: int) -> tuple[str, str]:
        """Fresh random bytes for the deal, and what is told of them when one joins."""
        entropy = secrets.token_bytes(32)
        return entropy.hex(), entropy_commitment(table, seat, entropy).hex()


@dataclass(slots=True)
class _Asked:
    """A command that has not been answered yet; it is sent again after every lost connection."""

    message: dict[str, Any]
    answered: threading.Event = field(default_factory=threading.Event)
    answer: dict[str, Any] | None = None


class RemoteTable(Heard):
    """One table, from one seat or from the spectators' place (no token)."""

    def __init__(self, server: str, table: str, key: Key | None = None) -> None:
        super().__init__(table, 0 if key is None else key.seat)
        self._address = server.replace("http", "ws", 1) + "/ws/v1"
        self._key = key
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._asked: dict[str, _Asked] = {}
        self._socket: ClientConnection | None = None
        self._closed = False
        self._changed: Callable[[], None] = lambda: None
        self._thread: threading.Thread | None = None
        self.connected = False
        self.plays = True
        """Whether this connection plays its seat; another one may have taken it."""
        self.failure = ""
        """Why it will not connect again; empty while it may."""
        self._failed = ""
        """The server's code for that."""

    # --- being there ---------------------------------------------------------------------------------

    def open(self, patience: float = 20.0) -> None:
        """Connect; returns once the table is known, raises `Lost` or `Refused` where it cannot be."""
        self._thread = threading.Thread(target=self._stay, name="facedown table", daemon=True)
        self._thread.start()
        with self._news:
            if not self._news.wait_for(lambda: self.info or self.failure, patience):
                self._closed = True
                raise Lost(f"{self._address} does not answer")
        if self.failure and not self.info:
            raise Refused(self._failed, self.failure)

    def listen(self, changed: Callable[[], None]) -> None:
        """Call this whenever something has changed; from the table's own thread."""
        self._changed = changed

    def wait(self, seconds: float) -> None:
        """Block until something changes, or so long."""
        with self._news:
            self._news.wait(seconds)

    def wait_for(self, state: Callable[[], bool], seconds: float = 60.0) -> None:
        """Block until something holds; raises `Lost` where it does not come to be in this time."""
        end = time.monotonic() + seconds
        with self._news:
            while not state():
                if self._over() or time.monotonic() > end:
                    raise Lost(self.failure or "what was waited for at this table did not happen")
                self._news.wait(0.25)

    def close(self) -> None:
        """Let go of the table; the seat stays one's own."""
        self._closed = True
        with self._lock:
            socket = self._socket
            for asked in self._asked.values():
                asked.answered.set()
            self._news.notify_all()
        if socket is not None:
            socket.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5)

    # --- doing something -----------------------------------------------------------------------------

    def pick(self, pick: str, decision: int | None = None) -> None:
        """Seal a pick: returns once it is on the server's disk. Without a decision it is for the open one;
        with one it is refused where the table has gone on by then."""
        nonce = secrets.token_bytes(32)
        decision = self.decision if decision is None else decision
        commit = pick_commitment(self.id, decision, self.seat, pick, nonce)
        self.do("pick", decision=decision, pick=pick, commit=commit.hex(), nonce=nonce.hex())
        with self._lock:
            if self.decision == decision:
                self.placed = pick

    def resign(self) -> None:
        """Give up."""
        self.do("resign", decision=self.decision)

    def say(self, text: str) -> None:
        """Say something to those at the table; spectators talk among themselves."""
        self.do("say", text=text)

    def say_preset(self, preset: str) -> None:
        """Say something that everybody reads in their own language."""
        self.do("say", preset=preset)

    def rematch(self) -> str:
        """After the end: the next table of these people, made now or by somebody before."""
        return str(self.do("rematch")["next"])

    def leave(self) -> None:
        """Get up: before the game the seat is free again, during it the others may go on with a machine."""
        self.do("leave")

    def replace(self, seat: int, machine: str) -> None:
        """Offer that a machine plays for somebody who left or is away; all who are there have to agree."""
        self.do("replace", seat=seat, machine=machine)

    def agree(self, seat: int) -> None:
        """Consent to the machine that was offered for a seat."""
        self.do("agree", seat=seat)

    def do(self, what: str, **more: object) -> dict[str, Any]:
        """Any command; blocks until it is answered, over lost connections too. Raises `Refused`."""
        name = secrets.token_hex(13)
        asked = _Asked({"t": "cmd", "id": name, "do": what, **more})
        with self._lock:
            self._asked[name] = asked
            self._send(asked.message)
        asked.answered.wait()
        with self._lock:
            self._asked.pop(name, None)
        answer = asked.answer
        if answer is None:
            raise Lost(self.failure or "the table was left before the server had answered")
        if answer["t"] == "nak":
            raise Refused(str(answer["code"]), str(answer["say"]), rule=str(answer.get("rule", "")))
        return answer

    def _send(self, message: dict[str, Any]) -> None:
        """Send, if there is a connection that has been welcomed; else it is sent with the next one."""
        if self._socket is None or not self.connected:
            return
        try:
            self._socket.send(json.dumps(message))
        except (WebSocketException, OSError):
            return  # the reader notices, connects again and repeats it

    # --- staying connected ---------------------------------------------------------------------------

    def _stay(self) -> None:
        pause = _FIRST_PAUSE
        while not self._over():
            heard = self.v
            with suppress(WebSocketException, OSError, ValueError, LookupError, TypeError):
                self._connected()  # a server that talks nonsense is left, and asked again
            pause = _FIRST_PAUSE if self.v > heard else min(2 * pause, _LONGEST_PAUSE)
            with self._news:
                self.connected = False
                self._socket = None
                self._tell()
                if not self._over():
                    self._news.wait(pause * (0.5 + secrets.randbelow(100) / 100))
        with self._news:
            for asked in self._asked.values():
                asked.answered.set()
            self._tell()

    def _over(self) -> bool:
        return self._closed or bool(self.failure)

    def _connected(self) -> None:
        """One connection, from hello to its end."""
        with connect(
            self._address,
            subprotocols=[_PROTOCOL],
            compression=None,
            open_timeout=10,
            close_timeout=2,
            max_size=None,
        ) as socket:
            token = None if self._key is None else self._key.token
            socket.send(
                json.dumps({"t": "hello", "table": self.id, "token": token, "v": self.v, "play": self.plays})
            )
            with self._lock:
                self._socket = socket
            while not self._closed:
                frame = socket.recv(timeout=_SILENCE)
                if not self._hear(json.loads(frame)):
                    return

    def _hear(self, message: dict[str, Any]) -> bool:
        """Take a message in; whether the connection is still good."""
        kind = message.get("t")
        with self._lock:
            self.note_time(message)
            if kind == "ping":
                self._answer_ping()
                return bool(message["v"] <= self.v)
            if kind == "bye":
                if message.get("again") is None and message.get("code") in _HOPELESS:
                    self._failed = str(message["code"])
                    self.failure = str(message.get("say") or self._failed)
                return False
            if kind in ("ack", "nak"):
                self._answered(message)
            elif kind == "ev":
                if message["v"] > self.v + 1 and self.info:
                    return False  # a gap: come back and ask for what is missing
                self.happened(message)
                self._open_entropy()
            elif kind == "snap":
                self.snapped(message)
                self._come_in()
                self._open_entropy()
            elif kind == "welcome":
                self.seat, self.plays = int(message["seat"]), bool(message["plays"])
            elif kind == "role":
                self.plays = bool(message["plays"])
            elif kind == "here":
                self.here(message["seats"], message["replaceable"])
            self._tell()
        return True

    def _answer_ping(self) -> None:
        if self._socket is not None:
            self._socket.send('{"t":"pong"}')

    def _answered(self, message: dict[str, Any]) -> None:
        asked = self._asked.get(message["id"])
        if asked is not None:
            asked.answer = message
            asked.answered.set()

    def _come_in(self) -> None:
        """Welcomed, and the table is known: repeat what was not answered."""
        if self.connected:
            return
        self.connected = True
        for asked in self._asked.values():
            self._send(asked.message)

    def _open_entropy(self) -> None:
        """Once all seats are taken, show what one threw into the deal; no answer is waited for."""
        if self._key is None or not self._key.entropy:  # a seat that was resumed elsewhere: nothing to show
            return
        if self.info.get("state") != "opening" or not self.connected:
            return
        mine = next((seat for seat in self.info["seats"] if seat["seat"] == self.seat), None)
        if mine is not None and not mine["opened"]:
            name = f"open-{self.seat}"
            self._send({"t": "cmd", "id": name, "do": "open", "entropy": self._key.entropy})

    def _tell(self) -> None:
        self._news.notify_all()
        self._changed()
