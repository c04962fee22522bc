"""What is said over a socket: hello, who plays a seat, commands and their answers. Knows tables by their
interface and lines by `tell` and `close`; bytes of frames and rules of games are none of its business.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

import msgspec
from websockets.frames import CloseCode

from facedown.core.errors import FacedownError
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.errors import BadMessage, BadToken, NotPlaying, UnknownTable, status_of
from facedown.protocol.messages import (
    Ack,
    Bye,
    Cmd,
    CommandId,
    Hello,
    Nak,
    Ping,
    Role,
    Take,
    Welcome,
    encode,
    nak,
    read_message,
)
from facedown.server.clock import now
from facedown.server.ids import hash_token
from facedown.server.ops.limits import Limits
from facedown.server.sockets.connection import Line, Why
from facedown.server.sockets.ports import CommandCount, SocketPeople, SocketStore, SocketTable, SocketTables
from facedown.server.store.base import StoreFailed

_log = logging.getLogger("facedown.sockets")  # its tracebacks show no values: one of them is a token
_EARLY: Final = 16  # messages that may come between hello and welcome
_MISSED: Final = 128 * 1024  # bytes of missed events; whoever missed more gets the snap alone
_AGAIN: Final = 2000
_SAYS: Final[dict[Why, str]] = {
    "no_hello": "the first message has to be hello, and in time",
    "silent": "nothing was heard for too long",
    "too_many": "too many messages at once",
    "draining": "the server is going down; come back in a moment",
}


# --- all sockets together --------------------------------------------------------------------------------


class Talks:
    """Who talks at which table, and which connection plays a seat."""

    def __init__(
        self,
        tables: SocketTables,
        store: SocketStore,
        people: SocketPeople,
        limits: Limits,
        count: CommandCount | None = None,
        *,
        ping: float = 20.0,
    ) -> None:
        self.tables = tables
        self.store = store
        self.people = people
        self.limits = limits
        self.count = count
        self.ping_ms = int(ping * 1000)
        self._playing: dict[tuple[str, int], Talk] = {}
        self._greetings: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """How many seats are played over a socket."""
        return len(self._playing)

    def talk(self, line: Line) -> Talk:
        """Somebody called."""
        return Talk(self, line)

    def greet(self, talk: Talk, hello: Hello) -> None:
        """Finds out who this is, in the background."""
        task = asyncio.get_running_loop().create_task(talk.greet(hello))
        self._greetings.add(task)
        task.add_done_callback(self._greetings.discard)

    def play(self, talk: Talk) -> None:
        """This connection plays its seat from now on; the one that did reads."""
        assert talk.seat is not None
        before = self._playing.get(talk.seat)
        self._playing[talk.seat] = talk
        if before is not None and before is not talk:
            before.tell(encode(Role(plays=False)))

    def plays(self, talk: Talk) -> bool:
        """Whether it is this connection that plays its seat."""
        return talk.seat is not None and self._playing.get(talk.seat) is talk

    def leave(self, talk: Talk) -> None:
        """This connection plays no more."""
        if talk.seat is not None and self.plays(talk):
            del self._playing[talk.seat]

    async def who(self, line: Line, hello: Hello) -> tuple[int, str, str]:
        """Seat, person and name: by the seat's token, or else by the session that came with the handshake."""
        if hello.token is not None:
            held = await self.store.seat_of(hello.table, hash_token(hello.token))
            if held is None:
                self.limits.guess(line.address)
                raise BadToken("this seat token opens nothing (any more)")
            person = await self.store.person(held[1])
            return held[0], held[1], person.name if person is not None else ""
        credential, line.credential = line.credential, None
        watcher = await self.people.by_token(credential[1], credential[0]) if credential is not None else None
        return (SPECTATOR, watcher.id, watcher.name) if watcher is not None else (SPECTATOR, "", "")


class _Named(msgspec.Struct, frozen=True, tag_field="t", tag="cmd"):
    """As much of a command as is needed to refuse it."""

    id: CommandId


_named: Final = msgspec.json.Decoder(_Named)


class Talk:
    """One conversation: a listener at a table, and the talker of a line."""

    __slots__ = ("_early", "_line", "_talks", "name", "person", "seat", "table", "viewer")

    def __init__(self, talks: Talks, line: Line) -> None:
        self._talks = talks
        self._line: Line | None = line
        self._early: list[bytes] | None = None  # said between hello and welcome
        self.table: SocketTable | None = None
        self.seat: tuple[str, Seat] | None = None  # the seat that was opened with a token
        self.viewer: Viewer = SPECTATOR
        self.person = ""
        self.name = ""

    # --- what tables and lines call ----------------------------------------------------------------------

    def tell(self, frame: bytes) -> None:
        """Sends a frame, if anybody is there."""
        if self._line is not None:
            self._line.tell(frame)

    def ping(self) -> bytes:
        return encode(Ping(self.table.head if self.table is not None else 0, now()))

    def goodbye(self, why: Why) -> bytes:
        return encode(Bye(why, _SAYS[why], None if why in ("no_hello", "too_many") else _AGAIN))

    def lost(self) -> None:
        self._line = None
        if self.table is not None:
            self._talks.leave(self)
            self.table.detach(self)

    def heard(self, text: bytes) -> None:
        if self.table is None and self._early is not None:
            self._hold(text)
            return
        try:
            message = read_message(text)
        except BadMessage as error:
            self._unreadable(text, error)
            return
        if isinstance(message, Cmd) and self.table is not None:
            self._command(self.table, message)
        elif isinstance(message, Hello):
            self._hello(message)
        elif self.table is None:
            self._bye(BadMessage("the first message has to be hello"))
        elif isinstance(message, Take):
            self._take()

    # --- hello -----------------------------------------------------------------------------------------

    def _hello(self, hello: Hello) -> None:
        if self.table is not None:
            self._bye(BadMessage("there was a hello already"))
            return
        if self._line is not None:
            self._early = []
            self._line.met()
            self._talks.greet(self, hello)

    def _hold(self, text: bytes) -> None:
        assert self._early is not None
        if len(self._early) >= _EARLY:
            self._bye(BadMessage("too many messages before the welcome"))
            return
        self._early.append(text)

    async def greet(self, hello: Hello) -> None:
        """Finds table and seat, and says welcome."""
        line = self._line
        if line is None:
            return
        try:
            await self._talks.tables.get(hello.table)
            viewer, person, name = await self._talks.who(line, hello)
            table = await self._talks.tables.get(hello.table)  # not one that was forgotten meanwhile
            if viewer == SPECTATOR and not table.may_watch(person or None):
                raise UnknownTable("there is no table of that id, or it is not for you")
            await table.settled()
        except FacedownError as error:
            self._bye(error)
        except Exception:
            _log.exception("the hello at table %s failed", hello.table)
            self.tell(encode(Bye("internal", "something went wrong here; come back in a moment", _AGAIN)))
            line.close(CloseCode.INTERNAL_ERROR, "internal")
        else:
            if self._line is not None:  # nobody hung up meanwhile
                self.viewer, self.person, self.name = viewer, person, name
                self._welcome(table, hello)

    def _welcome(self, table: SocketTable, hello: Hello) -> None:
        """All of it in one go: whatever happens next at the table comes after it, and once."""
        at = now()
        self.table = table
        if self.viewer != SPECTATOR:
            self.seat = (table.id, self.viewer)
            if hello.play:
                self._talks.play(self)
        plays = self._talks.plays(self)
        self.tell(encode(Welcome(table.id, self.viewer, table.head, plays, at, self._talks.ping_ms)))
        missed = table.events(self.viewer, hello.v) if hello.v is not None else []
        if sum(map(len, missed)) <= _MISSED:
            for frame in missed:
                self.tell(frame)
        self.tell(encode(table.snap(self.viewer, self.person or None, at)))
        table.attach(self)
        early, self._early = self._early or [], None
        for text in early:
            self.heard(text)

    # --- playing ---------------------------------------------------------------------------------------

    def _take(self) -> None:
        if self.seat is not None:
            self._talks.play(self)
        self.tell(encode(Role(plays=self._talks.plays(self))))

    def _command(self, table: SocketTable, cmd: Cmd) -> None:
        try:
            self._check_seat(table)
            limits, who = self._talks.limits, self.person or self._whence()
            limits.command(table.id, self.viewer, who)
            if cmd.do == "say":
                limits.say(table.id, self.viewer, who, preset=cmd.preset is not None)
        except FacedownError as error:
            self._answer(cmd.do, nak(cmd.id, error, status_of(error)))
            return
        done = partial(self._answer, cmd.do)
        table.submit(self.viewer, cmd, done, person=self.person, name=self.name)

    def _check_seat(self, table: SocketTable) -> None:
        if self.seat is None:
            return
        if self.seat[1] not in table.seats_of(self.person):  # stood up, and somebody else may sit there
            raise BadToken("this seat is not yours any more")
        if not self._talks.plays(self):
            raise NotPlaying("another connection plays this seat; take it back to play here")

    def _whence(self) -> str:
        return self._line.address if self._line is not None else ""

    def _answer(self, do: str, answer: Ack | Nak) -> None:
        if self._talks.count is not None:
            self._talks.count.command(do, answer.code if isinstance(answer, Nak) else "ok")
        self.tell(encode(answer))

    # --- refusing --------------------------------------------------------------------------------------

    def _unreadable(self, text: bytes, error: BadMessage) -> None:
        """A command that has an id is refused by it; anything else ends the talk."""
        try:
            command = _named.decode(text).id
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._bye(error)
            return
        if self.table is None:
            self._bye(error)
            return
        self._answer("unreadable", nak(command, error, error.status))

    def _bye(self, error: FacedownError) -> None:
        passing = isinstance(error, StoreFailed) or hasattr(error, "again")
        again = getattr(error, "again", _AGAIN) if passing else None
        self.tell(encode(Bye(error.code, error.say, again)))
        if self._line is not None:
            code = CloseCode.TRY_AGAIN_LATER if passing else CloseCode.POLICY_VIOLATION
            self._line.close(code, error.code)
