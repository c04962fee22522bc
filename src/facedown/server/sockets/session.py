"""The protocol session on a WebSocket: hello, which connection plays a seat, commands and their answers."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Set
from functools import partial
from typing import TYPE_CHECKING, Final, final

from websockets.frames import CloseCode

from facedown.core.errors import FacedownError
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.errors import AccountClosed, BadMessage, BadToken, NotPlaying, UnknownTable, status_of
from facedown.protocol.messages import (
    Ack,
    Bye,
    Cmd,
    Hello,
    Nak,
    Ping,
    Role,
    Take,
    Welcome,
    command_id_of,
    decode_client_message,
    encode,
    nak,
)
from facedown.server.accounts.credentials import seat_by_token
from facedown.server.bus import Bus
from facedown.server.bus.base import OnHint
from facedown.server.clock import now
from facedown.server.ops.rate_limits import Limits
from facedown.server.sockets.contract import Channel, CloseReason
from facedown.server.store.failures import StoreFailed
from facedown.server.table.presence import Update

if TYPE_CHECKING:
    from facedown.server.accounts.people import People
    from facedown.server.ops.metrics import Metrics
    from facedown.server.store.base import Store
    from facedown.server.table.table import Table
    from facedown.server.table.tables import Tables

_log = logging.getLogger(__name__)  # tracebacks show no values: one of them is a token
_EARLY: Final = 16  # messages accepted between hello and welcome
_MISSED: Final = 128 * 1024  # bytes of missed events; beyond that, the snapshot alone is sent
_MISSED_EVENTS: Final = 1000
_AGAIN: Final = 2000
_SOONEST: Final = 200  # clients that are sent away reconnect between this and `_AGAIN`, not all at once
_SAME_MS: Final = 12  # bits by which seats differ that are taken in the same millisecond
_GOODBYES: Final[dict[CloseReason, str]] = {
    "no_hello": "the first message must be hello, within the time limit",
    "silent": "no message was received for too long",
    "too_many": "too many messages at once",
    "draining": "the server is shutting down; reconnect in a moment",
}


def _bytes(frames: list[bytes]) -> int:
    return sum(map(len, frames))


def _signed_out() -> BadToken:
    return BadToken("you have signed out everywhere")


def _reconnect_ms() -> int:
    return secrets.choice(range(_SOONEST, _AGAIN))


def sign_out_topic(person: str) -> str:
    """The topic of hints that all connections of a person have to end."""
    return f"out/{person}"


def _plays(seat: tuple[str, Seat]) -> str:
    return f"plays/{seat[0]}/{seat[1]}"


# --- all sessions together -------------------------------------------------------------------------------


@final
class SocketSessions:
    """All WebSocket sessions of a server, and which of them plays a seat."""

    def __init__(
        self,
        tables: Tables,
        store: Store,
        people: People,
        limits: Limits,
        metrics: Metrics | None = None,
        *,
        bus: Bus | None = None,
    ) -> None:
        self.tables = tables
        self.store = store
        self.people = people
        self.limits = limits
        self.metrics = metrics
        self._bus = bus if bus is not None else Bus()
        self._playing: dict[tuple[str, int], SocketSession] = {}
        self._topics: dict[str, OnHint] = {}
        self._people: dict[str, set[SocketSession]] = {}
        self._greetings: dict[asyncio.Task[None], set[str]] = {}
        """The people who have signed out since each greeting began: it may have read a token before."""
        self.on_person: Callable[[str], None] = lambda _: None
        """Called with the id of a person who has connected."""

    def __len__(self) -> int:
        """The number of seats that are played over a WebSocket."""
        return len(self._playing)

    def open(self, channel: Channel) -> SocketSession:
        return SocketSession(self, channel)

    def greet(self, session: SocketSession, hello: Hello) -> None:
        """Identify the peer in the background."""
        signed_out: set[str] = set()
        task = asyncio.get_running_loop().create_task(session.greet(hello, signed_out))
        self._greetings[task] = signed_out
        task.add_done_callback(self._greetings.pop)

    def sign_out(self, person: str) -> None:
        """End all sessions of a person, on other servers too."""
        self._bus.publish(sign_out_topic(person), now())
        self._end_all(person)

    def _end_all(self, person: str, _number: int = 0, _node: str = "") -> None:
        for session in tuple(self._people.get(person, ())):
            session.end(_signed_out())
        for signed_out in self._greetings.values():
            signed_out.add(person)

    def add_person(self, session: SocketSession) -> None:
        if session.person:
            if session.person not in self._people:
                self._subscribe(sign_out_topic(session.person), partial(self._end_all, session.person))
            self._people.setdefault(session.person, set()).add(session)
            self.on_person(session.person)

    def has_person(self, person: str) -> bool:
        """Whether a person is connected to this server."""
        return person in self._people

    def play(self, session: SocketSession) -> None:
        """Let this session play its seat; the one that did becomes read-only, on any server."""
        assert session.seat is not None
        before = self._playing.get(session.seat)
        self._playing[session.seat] = session
        taken = (now() << _SAME_MS) + secrets.randbelow(1 << _SAME_MS)
        session.taken = max(taken, session.taken + 1, 0 if before is None else before.taken + 1)
        if before is None:
            self._subscribe(_plays(session.seat), partial(self._on_seat_taken, session.seat))
        elif before is not session:
            before.send(encode(Role(plays=False)))
        self._bus.publish(_plays(session.seat), session.taken)

    def republish(self) -> None:
        """Publish again which seats are played here: a hint may have been lost."""
        for seat, session in tuple(self._playing.items()):
            self._bus.publish(_plays(seat), session.taken)

    def _on_seat_taken(self, seat: tuple[str, Seat], taken: int, _node: str) -> None:
        """Another server published who plays a seat: the newest plays."""
        session = self._playing[seat]
        if taken > session.taken:
            self._stop_playing(seat)
            session.taken = taken  # taking it back counts from here
            session.send(encode(Role(plays=False)))
        elif taken < session.taken:
            self._bus.publish(_plays(seat), session.taken)

    def _stop_playing(self, seat: tuple[str, Seat]) -> None:
        del self._playing[seat]
        self._unsubscribe(_plays(seat))

    def _subscribe(self, topic: str, on_hint: OnHint) -> None:
        self._topics[topic] = on_hint
        self._bus.subscribe(topic, on_hint)

    def _unsubscribe(self, topic: str) -> None:
        self._bus.unsubscribe(topic, self._topics.pop(topic))

    def plays(self, session: SocketSession) -> bool:
        return session.seat is not None and self._playing.get(session.seat) is session

    def leave(self, session: SocketSession) -> None:
        if session.seat is not None and self.plays(session):
            self._stop_playing(session.seat)
        theirs = self._people.get(session.person, set())
        theirs.discard(session)
        if not theirs and self._people.pop(session.person, None) is not None:
            self._unsubscribe(sign_out_topic(session.person))

    async def identify(self, channel: Channel, hello: Hello) -> tuple[int, str, str]:
        """Seat, person and name: by the seat token, or else by the session token of the handshake.

        A seat's person talks under the name of the seat, so nothing is read for one."""
        if hello.token is not None:
            seated = await seat_by_token(
                self.store, self.limits, table=hello.table, token=hello.token, address=channel.address
            )
            return seated.viewer, seated.person, ""
        credential, channel.credential = channel.credential, None
        if credential is None or credential.kind == "token":  # a personal token takes seats by REST
            return SPECTATOR, "", ""
        watcher = await self.people.by_token(credential.token, credential.kind)
        return (SPECTATOR, watcher.id, watcher.name) if watcher is not None else (SPECTATOR, "", "")


@final
class SocketSession:
    """The session on one connection: a listener at a table, and the handler of incoming messages."""

    __slots__ = ("_channel", "_early", "_sessions", "name", "person", "seat", "table", "taken", "viewer")

    def __init__(self, sessions: SocketSessions, channel: Channel) -> None:
        self._sessions = sessions
        self._channel: Channel | None = channel
        self._early: list[bytes] | None = None  # received between hello and welcome
        self.table: Table | None = None
        self.seat: tuple[str, Seat] | None = None  # the seat of the token
        self.taken = 0  # when this session took it to play, in ms and some random bits
        self.viewer: Viewer = SPECTATOR
        self.person = ""
        self.name = ""

    # --- what tables and connections call -------------------------------------------------------------

    def notify(self, update: Update) -> None:
        if self._channel is not None:
            self._channel.send_all(update.frames)

    def send(self, frame: bytes) -> None:
        if self._channel is not None:
            self._channel.send(frame)

    def disconnect(self, error: StoreFailed) -> None:
        """This server has lost the table: the client has to connect again."""
        self.end(error)

    def ping(self) -> bytes:
        return encode(Ping(self.table.head if self.table is not None else 0, now()))

    def goodbye(self, why: CloseReason) -> bytes:
        again = _reconnect_ms() if why == "draining" else _AGAIN
        return encode(Bye(why, _GOODBYES[why], None if why in ("no_hello", "too_many") else again))

    def connection_lost(self) -> None:
        self._channel = None
        if self.table is not None:
            self._sessions.leave(self)
            self.table.detach(self)

    def receive(self, text: bytes) -> None:
        if self.table is None and self._early is not None:
            self._keep_early(text)
            return
        try:
            message = decode_client_message(text)
        except BadMessage as error:
            self._refuse_unreadable(text, error)
            return
        if isinstance(message, Cmd) and self.table is not None:
            self._command(self.table, message)
        elif isinstance(message, Hello):
            self._hello(message)
        elif self.table is None:
            self.end(BadMessage("the first message must be hello"))
        elif isinstance(message, Take):
            self._take()

    # --- hello ----------------------------------------------------------------------------------------

    def _hello(self, hello: Hello) -> None:
        if self.table is not None:
            self.end(BadMessage("hello was sent already"))
            return
        if self._channel is not None:
            if self._channel.asked_table not in ("", hello.table):
                self.end(BadMessage("the address of this connection names another table than hello"))
                return
            self._early = []
            self._channel.start_pings()
            self._sessions.greet(self, hello)

    def _keep_early(self, text: bytes) -> None:
        assert self._early is not None
        if len(self._early) >= _EARLY:
            self.end(BadMessage("too many messages before the welcome"))
            return
        self._early.append(text)

    async def greet(self, hello: Hello, signed_out: Set[str] = frozenset()) -> None:
        """Find the table and the seat, and send the welcome; not to people who sign out meanwhile."""
        channel = self._channel
        if channel is None:
            return
        try:
            if wait := channel.hello_wait():
                await asyncio.sleep(wait)
            await self._sessions.tables.get(hello.table)
            viewer, person, name = await self._sessions.identify(channel, hello)
            table = await self._sessions.tables.get(hello.table)  # the first one may have been unloaded
            if table.is_closed_for(person):
                raise AccountClosed("a moderator has closed this account: your page says why")
            if viewer == SPECTATOR and not table.may_watch(person or None):
                raise UnknownTable("there is no table with this id, or you may not see it")
            await table.settle()
            if person in signed_out:
                raise _signed_out()
            if viewer != SPECTATOR:
                table.check_holder(person, viewer)
        except FacedownError as error:
            self.end(error)
        except Exception:
            _log.exception("unhandled error during hello at table %s", hello.table)
            self.send(encode(Bye("internal", "internal error; reconnect in a moment", _AGAIN)))
            channel.close(CloseCode.INTERNAL_ERROR, "internal")
        else:
            if self._channel is not None:  # still connected
                self.viewer, self.person, self.name = viewer, person, name
                channel.watches = viewer == SPECTATOR
                self._sessions.add_person(self)
                self._welcome(channel, table, hello)

    def _welcome(self, channel: Channel, table: Table, hello: Hello) -> None:
        """Send welcome, missed events and snapshot in one go: each later event follows them, exactly once."""
        at = now()
        self.table = table
        if self.viewer != SPECTATOR:
            self.seat = (table.id, self.viewer)
            if hello.play:
                self._sessions.play(self)
        plays = self._sessions.plays(self)
        snapshot = table.snapshot(self.viewer, self.person or None, at)
        ping = channel.set_pace(live=snapshot.table.clock.kind == "decision")
        frames = [
            encode(Welcome(table.id, self.viewer, table.head, plays, at, ping)),
            encode(table.links(hello.n, hello.head)),
            *self._missed_events(table, hello, at),
            encode(snapshot),
        ]
        for frame in frames:
            self.send(frame)
        channel.charge(_bytes(frames))
        table.attach(self)
        early, self._early = self._early or [], None
        for text in early:
            self.receive(text)

    def _missed_events(self, table: Table, hello: Hello, at: int) -> list[bytes]:
        """The events that the peer has missed; none if they are too many."""
        if hello.v is None:
            return []
        if table.head - hello.v > _MISSED_EVENTS:
            return []
        missed: list[bytes] = []
        if hello.recap and self.viewer != SPECTATOR:
            missed = table.recap(self.viewer, self.person or None, hello.v, at)
        if not missed or _bytes(missed) > _MISSED:
            missed = table.events(self.viewer, self.person or None, hello.v)
        return missed if _bytes(missed) <= _MISSED else []

    # --- playing --------------------------------------------------------------------------------------

    def _take(self) -> None:
        if self.seat is not None:
            self._sessions.play(self)
        self.send(encode(Role(plays=self._sessions.plays(self))))

    def _command(self, table: Table, cmd: Cmd) -> None:
        try:
            self._check_seat(table, cmd)
            limits, who = self._sessions.limits, self.person or self._address()
            limits.command(table.id, self.viewer, who)
            if cmd.do == "rematch":
                limits.new_table(who, self._address())
            if cmd.do == "say":
                limits.chat(table.id, self.viewer, who, preset=cmd.preset is not None)
        except FacedownError as error:
            self._answer(cmd.do, nak(cmd.id, error, status_of(error)))
            return
        done = partial(self._answer, cmd.do)
        table.submit(self.viewer, cmd, done, person=self.person, name=self.name)

    def _check_seat(self, table: Table, cmd: Cmd) -> None:
        if self.seat is None:
            return
        if not table.holds_seat(self.person, self.seat[1]):  # stood up: another person may sit there
            raise BadToken("this seat is not yours any more")
        if cmd.do == "reveal":  # only the connection that sealed a pick can open it
            return
        if not self._sessions.plays(self):
            raise NotPlaying("another connection plays this seat; take it back to play here")

    def _address(self) -> str:
        return self._channel.address if self._channel is not None else ""

    def _answer(self, do: str, answer: Ack | Nak) -> None:
        if self._sessions.metrics is not None:
            self._sessions.metrics.command(do, answer.code if isinstance(answer, Nak) else "ok")
        self.send(encode(answer))

    # --- refusing -------------------------------------------------------------------------------------

    def _refuse_unreadable(self, text: bytes, error: BadMessage) -> None:
        """A command that has an id is answered with a nak; anything else ends the session."""
        command = command_id_of(text)
        if command is None or self.table is None:
            self.end(error)
            return
        self._answer("unreadable", nak(command, error, error.status))

    def end(self, error: FacedownError) -> None:
        again: int | None = (
            _reconnect_ms() if isinstance(error, StoreFailed) else getattr(error, "again", None)
        )
        self.send(encode(Bye(error.code, str(error.message), again)))
        if self._channel is not None:
            code = CloseCode.POLICY_VIOLATION if again is None else CloseCode.TRY_AGAIN_LATER
            self._channel.close(code, error.code)
