"""A table on a server, for coroutines: its connection, its commands, and what a program knows of it.

The connection is restored when it is lost; no pick is lost or sent twice. A command returns once the server
has it on disk. `facedown.client.blocking` is the same for programs without an event loop.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from facedown.client.decode import read_view
from facedown.client.errors import BrokenPromise, ServerLost, ServerRefused
from facedown.client.keys import SERVERS, KnownServers
from facedown.client.mirror import TableMirror
from facedown.client.public_log import BrokenLog, ServerLog
from facedown.client.rest import RestClient, SeatKey
from facedown.client.witness import Witness
from facedown.core import registry
from facedown.core.errors import FacedownError, NotNow, Unreadable
from facedown.core.game import AnyGame, Waves
from facedown.core.links import NO_KEY, leaf_of_log
from facedown.core.outcome import Outcome
from facedown.core.record import Record
from facedown.core.rules import Rules
from facedown.core.seats import Seat
from facedown.files import replace_file
from facedown.proof.signatures import can_sign
from facedown.protocol.deltas import ViewJson
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
    Links,
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

if TYPE_CHECKING:
    from facedown.sim.bot_specs import BotLike

_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 5.0
"""Seconds between two attempts to connect; each pause is twice as long as the one before."""
_SILENCE: Final = 2.5
"""Ping intervals without a message after which a connection counts as dead."""
_USUAL_PING: Final = 20.0
"""Seconds between pings, until the server sends the interval."""
_PATIENCE_WITH_MACHINES: Final = 60.0
"""The longest time in seconds that a pick waits until the machines are bound; then it is not sent."""
_KEPT_AFTER: Final = 1.0
"""Seconds after which what was received is written; what this client does is written before it is sent."""
_UNANSWERED: Final = 10.0
"""Seconds after which a pick without an answer is noted."""
_LOG_PAUSE: Final = 1.5
"""Seconds before this client requests a proof of the server's log, which takes new entries every second."""
_LOG_PATIENCE: Final = 60.0
"""Seconds after which a missing proof is noted."""
_HOPELESS: Final = frozenset({"unknown_table", "bad_token", "not_seated", "bad_message"})
"""Codes with which the server closes for good."""


class Turn(NamedTuple):
    """A decision that this seat has to make: what it sees, and what it may pick."""

    view: Any
    """What the seat sees: the game's own view."""
    legal: tuple[str, ...]
    """What it may pick."""
    decision: int
    """The number of the decision, from 1."""


class KnownTable:
    """What a program knows of its table on a server; both kinds of tables have it."""

    def __init__(self, server: RestClient, mirror: TableMirror, invitation: str = "") -> None:
        self.server = server
        self.mirror = mirror
        """The state of the table as the server has sent it."""
        self.invitation = invitation
        """The address by which others join; empty if this program did not create the table."""
        self._view: tuple[object, Any] = (None, None)

    @property
    def id(self) -> str:
        """The id of the table, which is also that of its game."""
        return self.mirror.id

    @property
    def address(self) -> str:
        """The address of the table, for browsers and for `connect`."""
        return f"{self.server.address}/t/{self.id}"

    @property
    def seat(self) -> Seat:
        """This program's seat; 0 for a spectator."""
        return self.mirror.seat

    @property
    def session(self) -> str:
        """The secret token of this program's session: with it, `connect` finds the same seat again."""
        return self.server.token

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return registry.get(self.mirror.info.game)

    @property
    def rules(self) -> Rules:
        """The rules that are played by."""
        rules: Rules = self.game.rules.read(self.mirror.info.rules)
        return rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the seats; empty if a seat is free."""
        return tuple(seat.name for seat in self.mirror.info.seats)

    @property
    def view(self) -> Any:
        """What this seat sees, as the game's own view; None before the deal."""
        sent = self.mirror.view
        if self._view[0] is not sent:
            self._view = (sent, None if sent is None else read_view(self.game, sent))
        return self._view[1]

    @property
    def legal(self) -> tuple[str, ...]:
        """What this seat may pick now; empty if it has nothing to decide, or has sealed."""
        return self.mirror.legal if self.mirror.may_pick else ()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game is in progress."""
        return None if self.view is None else self.view.outcome

    def __repr__(self) -> str:
        return f"facedown.connect({self.address!r}, seat={self.seat})"


class ServerTable(KnownTable):
    """One table on a server, from one seat or as a spectator (no key)."""

    def __init__(
        self,
        server: RestClient,
        table: str,
        key: SeatKey | None = None,
        memory: Path | None = None,
        invitation: str = "",
    ) -> None:
        """`memory`: the file that keeps what was received and done until the review."""
        super().__init__(server, TableMirror(table, 0 if key is None else key.seat), invitation)
        self.key = key
        self._memory = memory
        self._kept: bytes | None = None
        if memory is not None:
            with suppress(OSError):
                self._kept = memory.read_bytes()
        entropy = "" if key is None else key.entropy
        self.witness = Witness(table, self.seat, entropy, self._kept, server.address)
        self._servers = KnownServers(None if memory is None else memory.with_name(SERVERS))
        self._socket_address = f"{server.address.replace('http', 'ws', 1)}/ws/v1/{table}"
        self._pending: dict[str, tuple[Cmd, asyncio.Future[Ack | Nak]]] = {}
        """The commands without an answer yet; they are sent again after every lost connection."""
        self._socket: ClientConnection | None = None
        self._ping = _USUAL_PING
        self._closed = False
        self._changed = asyncio.Event()
        """Is set at the next change, and replaced by a new one."""
        self._on_change: Callable[[], None] = lambda: None
        self._task: asyncio.Task[None] | None = None
        self._log_task: asyncio.Task[None] | None = None
        self.connected = False
        self.plays = True
        """Whether this connection plays its seat; another one may have taken it."""
        self.failure = ""
        """Why it will not connect again; empty while it may."""
        self._failure_code = ""
        self._revealing: dict[str, int] = {}
        """The decisions whose picks this client opens at a blind table, by the ids of its commands."""
        self._keeping: asyncio.TimerHandle | None = None
        """Writes the memory soon."""
        self._trouble = ""
        """What was wrong with the last connection."""

    # --- connecting, waiting, closing ----------------------------------------------------------------

    async def open(self, patience: float = 20.0) -> None:
        """Connect; returns once the table is known, else raises `ServerLost` or `ServerRefused`."""
        self.witness.keys = await asyncio.to_thread(self._servers.meet, self.server)
        self.witness.published = self._servers.published
        self._task = asyncio.create_task(self._stay_connected())
        self._log_task = asyncio.create_task(self._watch_log())
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    while not (self.mirror.known or self._is_closed()):
                        await self._changed.wait()
        finally:
            if not self.mirror.known:
                await self.close()
        if self.mirror.known:
            return
        if self.failure:
            raise ServerRefused(self._failure_code, self.failure)
        trouble = f": {self._trouble}" if self._trouble else ""
        raise ServerLost(f"{self._socket_address} does not answer{trouble}")

    def listen(self, changed: Callable[[], None]) -> None:
        """Set the function that is called after every change, from the thread of the event loop."""
        self._on_change = changed

    async def wait(self, seconds: float) -> None:
        """Wait until something changes, at most for that long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def wait_for(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until a condition holds; raises `ServerLost` if it does not within that time."""
        end = time.monotonic() + seconds
        while not condition():
            if self._is_closed() or time.monotonic() > end:
                raise ServerLost(self.failure or "what was expected of this table did not happen in time")
            await self.wait(0.25)

    async def close(self) -> None:
        """Close the connection; the seat is kept."""
        self._closed = True
        self._remember()
        self._drop_pending()
        tasks = {task for task in (self._task, self._log_task) if task is not None}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._notify()

    # --- commands ------------------------------------------------------------------------------------

    async def seal(self, pick: str, decision: int | None = None) -> None:
        """Place a pick face down: returns once it is on the server's disk. Raises `ServerRefused`.

        Without a decision it is for the open one; with one it is refused if that one is over by then.
        """
        pick = str(pick)  # not a kind of text, such as a card of a view: it is encoded
        decision = self.mirror.decision if decision is None else decision
        if self.witness.is_freed:
            raise NotNow("this seat was freed before the deal, and another person may have it")
        await self._wait_for_turn(decision)
        self._check_alarm()
        own = self.witness.seal(decision, pick, secrets.token_bytes(32))
        self._remember()
        if self.witness.chain.setup.blind:  # the pick and its nonce stay here until all have sealed
            command = Cmd(_new_id(), "pick", decision, commit=own.commit)
        else:
            command = Cmd(_new_id(), "pick", decision, own.pick, own.commit, own.nonce, pad=padding(own.pick))
        notice = asyncio.get_running_loop().call_later(_UNANSWERED, self._note_unanswered, decision)
        try:
            answer = await self._command(command)
        except ServerRefused:
            self.witness.forget_refused(decision)
            self._remember()
            raise
        finally:
            notice.cancel()
        self.witness.note_sealed(decision, answer.n)
        self._remember()
        if self.mirror.decision == decision:
            self.mirror.placed = own.pick

    def _note_unanswered(self, decision: int) -> None:
        """The server answers otherwise, but not this pick: the memory keeps it."""
        if self.connected:
            self.witness.note_unanswered(decision)
            self._remember()
            self._notify()

    async def _wait_for_turn(self, decision: int) -> None:
        """Wait until every earlier seat has sealed and every machine is bound, so that none can depend on
        this pick. The server refuses a pick that is not due, with its reason."""
        end = time.monotonic() + _PATIENCE_WITH_MACHINES
        while not self.witness.may_seal(decision) and not self._is_closed():
            if not self._is_waiting(decision):
                return
            if time.monotonic() > end:  # a pick that is sent now could be read before a machine is bound
                raise NotNow("the server has not bound its machines to their picks: nothing was sent")
            await self.wait(0.25)

    def _is_waiting(self, decision: int) -> bool:
        """Whether machines are still to be bound before this seat may seal."""
        chain = self.witness.chain
        return decision == chain.decision and self.seat in chain.may_seal and self.witness.alarm is None

    def _check_alarm(self) -> None:
        alarm = self.witness.alarm
        if alarm is not None:
            kept = f"; the evidence is in {self.evidence}" if self.evidence is not None else ""
            what = f"what the server sent does not fit its promise ({alarm.kind}): play is stopped{kept}"
            raise BrokenPromise(what).at(decision=alarm.decision or None, seat=alarm.seat or None)

    @property
    def evidence(self) -> Path | None:
        """The file with the evidence, once something did not fit."""
        if self._memory is None or self.witness.alarm is None:
            return None
        return self._memory.with_suffix(".evidence.json")

    def _remember_soon(self) -> None:
        """Keep what was received, at the latest after a second; at once if something does not fit."""
        if self.witness.alarm is not None:
            self._remember()
        elif self._memory is not None and self._keeping is None:
            self._keeping = asyncio.get_running_loop().call_later(_KEPT_AFTER, self._remember)

    def _remember(self) -> None:
        """Keep what was received and done, now; with an alarm, also as evidence for others."""
        if self._keeping is not None:
            self._keeping.cancel()
            self._keeping = None
        if self._memory is None:
            return
        kept = msgspec.json.encode(self.witness.memory)
        if kept == self._kept:
            return
        with suppress(OSError):  # then this process remembers alone
            self._memory.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._memory, kept, mode=0o600)
            if self.evidence is not None:
                replace_file(self.evidence, self.witness.evidence(), mode=0o600)
        self._kept = kept

    async def resign(self) -> None:
        """Resign the game: returns once the table shows it.

        If all picks are sealed and some are still to be opened, this decision counts, and the seat resigns
        right after it; then this returns before that.
        """
        decision = self.mirror.decision
        self.witness.note_resigned(decision)
        self._remember()
        answer = await self._command(Cmd(_new_id(), "resign", decision=decision))
        with suppress(ServerLost):  # the server has it: the update comes with the next connection
            await self.wait_for(lambda: self._shows_resignation(answer), _UNANSWERED)

    def _shows_resignation(self, answer: Ack) -> bool:
        """Whether the mirror has the state after it: answers are sent before updates, which are signed first,
        and the last event of an update holds the state."""
        mirror = self.mirror
        left = next((each.decision for each in reversed(mirror.events) if each.v == answer.v), None)
        return mirror.v >= answer.v and (answer.n is None or left != mirror.decision)

    async def say(self, text: str) -> None:
        """Send a chat message to the seats; spectators chat among themselves."""
        await self._command(Cmd(_new_id(), "say", text=text))

    async def say_preset(self, preset: str) -> None:
        """Send a chat message that everybody reads in their own language."""
        await self._command(Cmd(_new_id(), "say", preset=cast(ChatPreset, preset)))  # the server checks it

    async def rematch(self) -> str:
        """The id of the next table of these people, after the end; the first call creates it."""
        following = (await self._command(Cmd(_new_id(), "rematch"))).next
        if following is None:
            raise ServerLost("the server did not name the table of the rematch")
        return following

    async def leave(self) -> None:
        """Leave the seat: before the game it is free again, during it a machine may take it over."""
        memory = self.witness.memory
        before, memory.left = memory.left, True
        try:
            await self._command(Cmd(_new_id(), "leave"))
        except ServerRefused:
            memory.left = before
            raise

    async def replace(self, seat: int) -> None:
        """Offer that the table's machine takes over a seat that is `replaceable`; all others must agree."""
        await self._command(Cmd(_new_id(), "replace", seat=seat))

    async def take_back(self) -> None:
        """Take one's own seat back from the machine that plays it."""
        await self._command(Cmd(_new_id(), "back"))
        self.witness.memory.left = False  # not before: a refused one changes nothing

    async def agree(self, seat: int) -> None:
        """Agree to the machine that was offered for a seat."""
        await self._command(Cmd(_new_id(), "agree", seat=seat))

    async def _command(self, command: Cmd) -> Ack:
        """Send a command and wait for its answer, over lost connections too; raises `ServerRefused`."""
        answer: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
        self._pending[command.id] = command, answer
        if self._is_closed():
            self._drop_pending()
        try:
            await self._send(command)
            received = await answer
        finally:
            self._pending.pop(command.id, None)
        if isinstance(received, Nak):
            raise ServerRefused(received.code, received.say, rule=received.rule, status=received.status)
        return received

    def _drop_pending(self) -> None:
        why = self.failure or "the connection was closed before the server had answered"
        for _, answer in self._pending.values():
            if not answer.done():
                answer.set_exception(ServerLost(why))

    async def _send(self, message: ClientMessage) -> None:
        """Send if there is a connection with a snapshot; the next connection sends commands again."""
        if self._socket is None or not self.connected:
            return
        with suppress(WebSocketException, OSError):  # the reader notices, reconnects and repeats it
            await self._socket.send(encode(message), text=True)

    # --- playing -------------------------------------------------------------------------------------

    async def turns(self) -> AsyncIterator[Turn]:
        """Each decision of this seat as it comes, until the game is over; seal a pick for each."""
        done = 0
        mirror = self.mirror
        while True:
            if mirror.may_pick and mirror.decision != done and mirror.placed is None:
                done = mirror.decision
                yield Turn(self.view, self.legal, done)
            elif self.failure:
                raise NotNow(self.failure)
            elif mirror.info.state in ("over", "closed") or self._closed:
                return
            else:
                await self.wait(1.0)

    async def play(self, bot: BotLike) -> Outcome | None:
        """Let a bot play this seat to the end, in a thread of its own; None if the table closes before."""
        from facedown.client.bot_player import BotPlayer

        player = BotPlayer(self.game, bot)
        async for turn in self.turns():
            await self.seal(await asyncio.to_thread(player.pick, *turn, self.seat))
        return self.outcome

    async def record(self) -> Record:
        """The record of the game: complete once it is over."""
        return await asyncio.to_thread(self.server.record, self.id)

    # --- the connection ------------------------------------------------------------------------------

    async def _stay_connected(self) -> None:
        pause = _FIRST_PAUSE
        while not self._is_closed():
            v = self.mirror.v
            try:
                await self._connect()
            except (WebSocketException, OSError, BadMessage) as error:  # leave it, and try again
                self._trouble = str(error)
            pause = _FIRST_PAUSE if self.mirror.v > v else min(2 * pause, _LONGEST_PAUSE)
            self.connected = False
            self._socket = None
            self.witness.is_lost()
            self._notify()
            if not self._is_closed():
                await asyncio.sleep(pause * (0.5 + secrets.randbelow(100) / 100))
        self._drop_pending()
        self._notify()

    def _is_closed(self) -> bool:
        return self._closed or bool(self.failure)

    async def _connect(self) -> None:
        async with connect(
            self._socket_address,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            open_timeout=10,
            close_timeout=2,
            max_size=None,
        ) as socket:
            token = None if self.key is None else self.key.token
            chain = self.witness.chain
            n, head = (chain.number, chain.head.hex()) if chain.number >= 0 else (None, None)
            self.witness.asks()
            await socket.send(
                encode(Hello(self.id, token, self.mirror.v, self.plays, n=n, head=head)), text=True
            )
            self._socket = socket
            while True:
                async with asyncio.timeout(_SILENCE * self._ping):
                    frame = await socket.recv()
                message = decode_server_message(frame)
                if message is not None and not await self._receive(message):
                    return

    async def _receive(self, message: ServerMessage) -> bool:
        """Take a message in; whether the connection is still good."""
        mirror = self.mirror
        if isinstance(message, Welcome | Snap | Ping):
            mirror.set_clock(message.now)
        match message:
            case Ping():
                if self._socket is not None:
                    await self._socket.send(encode(Pong()), text=True)
                return message.v <= mirror.v
            case Bye():
                if message.again is None and message.code in _HOPELESS:
                    self._failure_code = message.code
                    self.failure = message.say or message.code
                return False
            case Nak(code="store_failed"):
                return False  # it may be saved: reconnect, and send the same again
            case Ack() | Nak():
                self._take_answer(message)
            case Ev():
                if message.v > mirror.v + 1 and mirror.known:
                    return False  # a gap: reconnect and ask for what is missing
                shown = mirror.view
                mirror.take_event(message)
                self.witness.take_event(message)
                if mirror.view is not shown:
                    self.witness.take_view(mirror.view, self._dues)
                self._remember_soon()
                await self._answer_by_itself()
                if self.witness.doubted is not None:
                    return False
            case Links():
                self.witness.take_links(message)
                self._remember_soon()
            case Snap():
                mirror.take_snapshot(message)
                self.witness.take_snapshot(message)
                self.witness.take_view(mirror.view, self._dues)
                self._remember_soon()
                self._place_own()
                await self._resend()
                await self._answer_by_itself()
            case Welcome():
                mirror.seat, self.plays = message.seat, message.plays
                self.witness.is_welcome(message.now, plays=message.plays, newest=message.v)
                self._ping = message.ping / 1000 if message.ping > 0 else _USUAL_PING
            case Role():
                self.plays = message.plays
                self.witness.set_role(plays=message.plays)
            case Here():
                mirror.take_presence(message)
        self._notify()
        return True

    def _take_answer(self, answer: Ack | Nak) -> None:
        if answer.id in self._revealing and isinstance(answer, Ack):
            self.witness.note_revealed(self._revealing[answer.id])
            self._remember()
        if answer.id in self._pending and not self._pending[answer.id][1].done():
            self._pending[answer.id][1].set_result(answer)

    async def _resend(self) -> None:
        """After the first snapshot of a connection: send the commands that have no answer yet."""
        if self.connected:
            return
        self.connected = True
        for command, _ in tuple(self._pending.values()):
            await self._send(command)

    def _dues(self, view: ViewJson) -> Waves | None:
        """Who is due by the rules, as far as this program knows them."""
        setup = self.witness.chain.setup
        try:
            game = registry.get(setup.game, setup.version)
        except Unreadable:
            return None
        try:
            return game.due(read_view(game, {**view, "rules": setup.rules, "waiting": []}))
        except (FacedownError, LookupError, TypeError, ValueError):
            return ((),)  # no view of this game: no seat can be due by it

    async def _answer_by_itself(self) -> None:
        """Do what the protocol asks of this seat: promise or open its number, be ready, open its pick. The
        ids are the same each time, so that a repeated command changes nothing; none waits for its answer."""
        if self.connected:
            await self._promise_entropy()
            await self._open_entropy()
            await self._be_ready()
            await self._reveal()

    async def _promise_entropy(self) -> None:
        """After a deal that came to nothing: promise a fresh number."""
        if not self.witness.to_promise():
            return
        commit = self.witness.promise()
        self._remember()
        command = f"promise-{self.witness.chain.voids}-{commit[:12]}"
        await self._send(Cmd(command, "promise", commit=commit))

    async def _open_entropy(self) -> None:
        """Once all promises are fixed and signed, open this seat's number."""
        entropy = self.witness.to_open()
        if entropy:
            self._remember()
            await self._send(Cmd(f"open-{self.witness.chain.voids}-{self.seat}", "open", entropy=entropy))

    async def _be_ready(self) -> None:
        """Let the clocks of the first decision start: a program needs no time to read the rules."""
        if self.witness.to_be_ready():
            self._remember()
            await self._send(Cmd(f"ready-{self.seat}", "ready"))

    def _place_own(self) -> None:
        """At a blind table only this client knows its own sealed pick."""
        turn, own = self.mirror.info.turn, self.witness.memory.own.get(self.mirror.decision)
        sealed = () if turn is None else tuple(each.commit for each in turn.sealed if each.seat == self.seat)
        if self.mirror.placed is None and own is not None and own.commit in sealed:
            self.mirror.placed = own.pick

    async def _reveal(self) -> None:
        """At a blind table, once all have sealed: open this seat's pick."""
        own, decision = self.witness.to_reveal(), self.witness.chain.decision
        if own is None or own.opening_acked:
            return
        command = f"reveal-{decision}-{own.commit[:12]}"
        self._revealing[command] = decision
        self.witness.note_reveal_sent(decision)
        self._remember()
        await self._send(Cmd(command, "reveal", decision, own.pick, nonce=own.nonce, pad=padding(own.pick)))

    # --- the public log ------------------------------------------------------------------------------

    async def _watch_log(self) -> None:
        """Check beside play that the server's public log has this table, and once it is over its end."""
        chain = self.witness.chain
        while chain.number < 0:
            await self._changed.wait()
        if chain.key == NO_KEY or not can_sign():
            return
        server = RestClient(self.server.address, timeout=10.0)
        log = await asyncio.to_thread(ServerLog, server, self._servers, self.witness.keys)
        await self._check_log(log, "table", self.witness.head(0))
        while not chain.ended:
            await self._changed.wait()
        kind = "record" if chain.ended == "over" else chain.ended
        await self._check_log(log, kind, chain.head.hex())

    async def _check_log(self, log: ServerLog, kind: str, head: str) -> None:
        """Wait until the log has an entry; without it, note that."""
        entry = leaf_of_log(kind, self.id, bytes.fromhex(head))
        end, pause, holds = time.monotonic() + _LOG_PATIENCE, _LOG_PAUSE, False
        while not holds and self.witness.alarm is None and time.monotonic() < end:
            await asyncio.sleep(pause)
            pause *= 1.5
            while self._pending:  # a pick goes first
                await self.wait(1.0)
            try:
                await asyncio.to_thread(log.prove, entry)
                holds = True
            except BrokenLog as broken:
                self.witness.note_broken_log(str(broken), broken.statements)
            except (ServerLost, ServerRefused):
                pass  # it may have it in a moment
        self.witness.memory.log[kind] = holds
        self._remember()
        self._notify()

    def _notify(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        self._on_change()


def _new_id() -> str:
    return secrets.token_hex(13)
