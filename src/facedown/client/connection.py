"""Connection to a table on a server: reconnects by itself, loses no pick and sends none twice.

A thread of its own holds the WebSocket. Readers get the last known state; a command blocks until the server
has it on disk.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from facedown.client.errors import BrokenPromise, ServerLost, ServerRefused
from facedown.client.mirror import TableMirror
from facedown.client.witness import Witness
from facedown.core.chance import entropy_commitment, pick_commitment
from facedown.files import replace_file
from facedown.protocol.errors import BadMessage
from facedown.protocol.messages import (
    SUBPROTOCOL,
    Ack,
    Bye,
    ChatPreset,
    ClientMessage,
    Cmd,
    Ev,
    Hello,
    Here,
    Nak,
    Ping,
    Pong,
    Role,
    ServerMessage,
    Snap,
    Welcome,
    decode_server_message,
    encode,
    padding,
)

_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 5.0
"""Seconds between two attempts to connect; each pause is twice as long as the one before."""
_SILENCE: Final = 2.5
"""Ping intervals without a message after which a connection counts as dead."""
_USUAL_PING: Final = 20.0
"""Seconds between pings, until the server says how many."""
_PATIENCE_WITH_MACHINES: Final = 10.0
"""The longest time in seconds that a pick waits until the machines are bound."""
_UNSURE: Final = "store_failed"
"""The code of a refusal after which a command may be saved all the same."""
_HOPELESS: Final = frozenset({"unknown_table", "bad_token", "not_seated", "bad_message"})
"""Codes with which the server closes for good."""


@dataclass(frozen=True, slots=True)
class SeatKey:
    """Credentials of a seat, to be kept: its token, and the entropy that it contributes to the deal."""

    server: str
    table: str
    seat: int
    token: str
    entropy: str

    @staticmethod
    def promise(table: str, seat: int) -> tuple[str, str]:
        """Fresh entropy for the deal, and the commitment to it that joining sends."""
        entropy = secrets.token_bytes(32)
        return entropy.hex(), entropy_commitment(table, seat, entropy).hex()


@dataclass(slots=True)
class _PendingCommand:
    """A command without an answer yet; it is sent again after every lost connection."""

    message: Cmd
    answered: threading.Event = field(default_factory=threading.Event)
    answer: Ack | Nak | None = None


class RemoteTable(TableMirror):
    """One table on a server, from one seat or as a spectator (no key)."""

    def __init__(
        self, server: str, table: str, key: SeatKey | None = None, memory: Path | None = None
    ) -> None:
        """`memory`: the file in which what was heard and done is kept until the review."""
        super().__init__(table, 0 if key is None else key.seat)
        self._memory = memory
        self._kept = _contents(memory)
        self.witness = Witness(table, self.seat, "" if key is None else key.entropy, self._kept)
        self._address = f"{server.replace('http', 'ws', 1)}/ws/v1/{table}"
        self._key = key
        self._lock = threading.RLock()
        self._changes = threading.Condition(self._lock)
        self._pending: dict[str, _PendingCommand] = {}
        self._socket: ClientConnection | None = None
        self._ping = _USUAL_PING
        self._closed = False
        self._on_change: Callable[[], None] = lambda: None
        self._thread: threading.Thread | None = None
        self.connected = False
        self.plays = True
        """Whether this connection plays its seat; another one may have taken it."""
        self.failure = ""
        """Why it will not connect again; empty while it may."""
        self._failure_code = ""
        self._opening = _new_id()
        self._revealing: dict[str, int] = {}
        """The decisions whose picks this client opens at a blind table, by the ids of its commands."""
        self._trouble = ""
        """What was wrong with the last connection."""

    # --- connecting, waiting, closing ----------------------------------------------------------------

    def open(self, patience: float = 20.0) -> None:
        """Connect; returns once the table is known, else raises `ServerLost` or `ServerRefused`."""
        self._thread = threading.Thread(target=self._stay_connected, name="facedown table", daemon=True)
        self._thread.start()
        with self._changes:
            if not self._changes.wait_for(lambda: self.known or self.failure, patience):
                self._closed = True
                trouble = f": {self._trouble}" if self._trouble else ""
                raise ServerLost(f"{self._address} does not answer{trouble}")
        if self.failure and not self.known:
            raise ServerRefused(self._failure_code, self.failure)

    def listen(self, changed: Callable[[], None]) -> None:
        """Set the function that is called after every change, from the connection's thread."""
        self._on_change = changed

    def wait(self, seconds: float) -> None:
        """Block until something changes, at most for that long."""
        with self._changes:
            self._changes.wait(seconds)

    def wait_for(self, state: Callable[[], bool], seconds: float = 60.0) -> None:
        """Block until a condition holds; raises `ServerLost` where it does not within that time."""
        end = time.monotonic() + seconds
        with self._changes:
            while not state():
                if self._over() or time.monotonic() > end:
                    raise ServerLost(self.failure or "what was expected of this table did not happen in time")
                self._changes.wait(0.25)

    def close(self) -> None:
        """Close the connection; the seat is kept."""
        self._closed = True
        with self._lock:
            socket = self._socket
            for pending in self._pending.values():
                pending.answered.set()
            self._changes.notify_all()
        if socket is not None:
            socket.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5)

    # --- commands ------------------------------------------------------------------------------------

    def pick(self, pick: str, decision: int | None = None) -> None:
        """Seal a pick: returns once it is on the server's disk. Without a decision it is for the open one;
        with one it is refused where that one is over by then."""
        nonce = secrets.token_bytes(32)
        decision = self.decision if decision is None else decision
        self._wait_for_machines(decision)
        commit = pick_commitment(self.id, decision, self.seat, pick, nonce)
        with self._lock:
            self._check_alarm()
            self.witness.note_seal(decision, pick, nonce.hex(), commit.hex())
            self._remember()
        if self.witness.memory.blind:  # the pick and its nonce stay here until all have sealed
            sealed = Cmd(_new_id(), "pick", decision, commit=commit.hex())
        else:
            sealed = Cmd(_new_id(), "pick", decision, pick, commit.hex(), nonce.hex(), pad=padding(pick))
        self._command(sealed)
        with self._lock:
            if self.decision == decision:
                self.placed = pick

    def _wait_for_machines(self, decision: int) -> None:
        """Let every machine be bound to its pick before the server hears of this one."""
        end = time.monotonic() + _PATIENCE_WITH_MACHINES
        with self._changes:
            while self.machines_to_bind(decision) and not self._over() and time.monotonic() < end:
                self._changes.wait(0.25)

    def _check_alarm(self) -> None:
        """Raise where something did not fit what was heard before."""
        alarm = self.witness.alarm
        if alarm is not None:
            kept = f"; the evidence is in {self.evidence}" if self.evidence is not None else ""
            say = f"what the server sent does not fit its promise ({alarm.kind}): play is stopped{kept}"
            raise BrokenPromise(say).at(decision=alarm.decision or None, seat=alarm.seat or None)

    @property
    def evidence(self) -> Path | None:
        """The file with the evidence, once something did not fit."""
        if self._memory is None or self.witness.alarm is None:
            return None
        return self._memory.with_suffix(".evidence.json")

    def _remember(self) -> None:
        """Keep what was heard; with an alarm, a copy that nothing overwrites."""
        if self._memory is None:
            return
        kept = self.witness.write()
        if kept == self._kept:
            return
        with suppress(OSError):  # then this process remembers alone
            self._memory.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._memory, kept, mode=0o600)
            if self.evidence is not None and not self.evidence.exists():
                replace_file(self.evidence, kept, mode=0o600)
        self._kept = kept

    def resign(self) -> None:
        """Resign the game."""
        self._command(Cmd(_new_id(), "resign", decision=self.decision))

    def say(self, text: str) -> None:
        """Send a chat message to the seats; spectators chat among themselves."""
        self._command(Cmd(_new_id(), "say", text=text))

    def say_preset(self, preset: str) -> None:
        """Send a chat message that everybody reads in their own language."""
        self._command(Cmd(_new_id(), "say", preset=cast(ChatPreset, preset)))  # the server checks it

    def rematch(self) -> str:
        """After the end: the id of the next table of these people, made now or before."""
        following = self._command(Cmd(_new_id(), "rematch")).next
        if following is None:
            raise ServerLost("the server did not name the table of the rematch")
        return following

    def leave(self) -> None:
        """Leave the seat: before the game it is free again, during it a machine may take it over."""
        self._command(Cmd(_new_id(), "leave"))

    def replace(self, seat: int) -> None:
        """Offer that the table's machine takes over a seat that is `replaceable`; all others must agree."""
        self._command(Cmd(_new_id(), "replace", seat=seat))

    def take_back(self) -> None:
        """Take one's own seat back from the machine that plays it."""
        self._command(Cmd(_new_id(), "back"))

    def agree(self, seat: int) -> None:
        """Agree to the machine that was offered for a seat."""
        self._command(Cmd(_new_id(), "agree", seat=seat))

    def _command(self, command: Cmd) -> Ack:
        """Send a command; blocks until it is answered, over lost connections too. Raises `ServerRefused`."""
        pending = _PendingCommand(command)
        with self._lock:
            self._pending[command.id] = pending
            self._send(command)
        pending.answered.wait()
        with self._lock:
            self._pending.pop(command.id, None)
        answer = pending.answer
        if answer is None:
            raise ServerLost(self.failure or "the connection was closed before the server had answered")
        if isinstance(answer, Nak):
            raise ServerRefused(answer.code, answer.say, rule=answer.rule, status=answer.status)
        return answer

    def _send(self, message: ClientMessage) -> None:
        """Send where there is a connection with a snapshot; commands are sent again by the next one."""
        if self._socket is None or not self.connected:
            return
        with suppress(WebSocketException, OSError):  # the reader notices, reconnects and repeats it
            self._socket.send(encode(message), text=True)

    # --- the connection's thread ---------------------------------------------------------------------

    def _stay_connected(self) -> None:
        pause = _FIRST_PAUSE
        while not self._over():
            v = self.v
            try:
                self._connect()
            except (WebSocketException, OSError, BadMessage) as error:  # leave it, and try again
                self._trouble = str(error)
            pause = _FIRST_PAUSE if self.v > v else min(2 * pause, _LONGEST_PAUSE)
            with self._changes:
                self.connected = False
                self._socket = None
                self._notify()
                if not self._over():
                    self._changes.wait(pause * (0.5 + secrets.randbelow(100) / 100))
        with self._changes:
            for pending in self._pending.values():
                pending.answered.set()
            self._notify()

    def _over(self) -> bool:
        return self._closed or bool(self.failure)

    def _connect(self) -> None:
        """One connection, from hello to its end."""
        with connect(
            self._address,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            open_timeout=10,
            close_timeout=2,
            max_size=None,
        ) as socket:
            token = None if self._key is None else self._key.token
            socket.send(encode(Hello(self.id, token, self.v, self.plays)), text=True)
            with self._lock:
                self._socket = socket
            while not self._closed:
                message = decode_server_message(socket.recv(timeout=_SILENCE * self._ping))
                if message is not None and not self._receive(message):
                    return

    def _receive(self, message: ServerMessage) -> bool:
        """Take a message in; whether the connection is still good."""
        with self._lock:
            if isinstance(message, Welcome | Snap | Ping):
                self.set_clock(message.now)
            match message:
                case Ping():
                    if self._socket is not None:
                        self._socket.send(encode(Pong()), text=True)
                    return message.v <= self.v
                case Bye():
                    if message.again is None and message.code in _HOPELESS:
                        self._failure_code = message.code
                        self.failure = message.say or message.code
                    return False
                case Nak(code=code) if code == _UNSURE:
                    return False  # it may be saved: reconnect, and send the same again
                case Ack() | Nak():
                    self._answered(message)
                case Ev():
                    if message.v > self.v + 1 and self.known:
                        return False  # a gap: reconnect and ask for what is missing
                    fresh = message.v > self.v
                    self.take_event(message)
                    if fresh:
                        self.witness.take_event(message, self.info if self.known else None)
                        self._remember()
                    self._open_entropy()
                    self._reveal()
                case Snap():
                    self.take_snapshot(message)
                    self.witness.take_snapshot(message)
                    self._remember()
                    self._place_own()
                    self._resend()
                    self._open_entropy()
                    self._reveal()
                case Welcome():
                    self.seat, self.plays = message.seat, message.plays
                    self._ping = message.ping / 1000 if message.ping > 0 else _USUAL_PING
                case Role():
                    self.plays = message.plays
                case Here():
                    self.take_presence(message)
            self._notify()
        return True

    def _answered(self, answer: Ack | Nak) -> None:
        if answer.id == self._opening and isinstance(answer, Ack):
            self.witness.note_opened()
            self._remember()
        if answer.id in self._revealing and isinstance(answer, Ack):
            self.witness.note_revealed(self._revealing[answer.id])
            self._remember()
        pending = self._pending.get(answer.id)
        if pending is not None:
            pending.answer = answer
            pending.answered.set()

    def _resend(self) -> None:
        """After the first snapshot of a connection: send the commands that have no answer yet."""
        if self.connected:
            return
        self.connected = True
        for pending in self._pending.values():
            self._send(pending.message)

    def _open_entropy(self) -> None:
        """Once all seats are taken, open this seat's entropy; no answer is waited for."""
        if self._key is None or not self._key.entropy:  # a seat that was resumed elsewhere: nothing to open
            return
        if not self.known or self.info.state != "opening" or not self.connected:
            return
        mine = next((seat for seat in self.info.seats if seat.seat == self.seat), None)
        if mine is not None and not mine.opened:
            self._send(Cmd(self._opening, "open", entropy=self._key.entropy))

    def _place_own(self) -> None:
        """At a blind table nobody but this client knows what lies face down in front of it."""
        turn, own = self.info.turn, self.witness.memory.own.get(self.decision)
        sealed = () if turn is None else tuple(each.commit for each in turn.sealed if each.seat == self.seat)
        if self.placed is None and own is not None and own.commit in sealed:
            self.placed = own.pick

    def _reveal(self) -> None:
        """At a blind table, once all have sealed: open this seat's pick; no answer is waited for."""
        own = self.witness.to_reveal(self.info) if self.known and self.connected else None
        if own is None or own.opened:
            return
        decision = self.decision
        command = f"reveal-{decision}-{own.commit[:12]}"  # the same each time: a repeated one changes nothing
        self._revealing[command] = decision
        self._send(Cmd(command, "reveal", decision, own.pick, nonce=own.nonce, pad=padding(own.pick)))

    def _notify(self) -> None:
        self._changes.notify_all()
        self._on_change()


def _contents(path: Path | None) -> bytes | None:
    try:
        return None if path is None else path.read_bytes()
    except OSError:
        return None


def _new_id() -> str:
    """A command id that no other command of this seat has."""
    return secrets.token_hex(13)
