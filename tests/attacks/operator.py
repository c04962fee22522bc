"""A dishonest operator and its victim: the shipped Python client, without a network.

The operator runs an honest table as long as it likes, and may then send the victim any link, signed with the
server's real key.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from facedown.client import RestClient, SeatKey, ServerTable
from facedown.core.chance import pick_commitment
from facedown.core.links import Link, head_after, head_digest, read_link
from facedown.proof.signatures import encode_signature, public_key, sign
from facedown.protocol.messages import (
    Ack,
    Clock,
    Cmd,
    Ev,
    Links,
    Snap,
    Welcome,
    decode_client_message,
    decode_server_message,
)
from facedown.protocol.rest import TableOrder
from facedown.protocol.views import ViewEncoder
from facedown.server.table.actor import NOBODY
from facedown.server.table.setup import NewTable
from facedown.server.table.snapshot import snapshot_of
from facedown.server.table.updates import ViewerUpdates
from tests.server.playing import Bench, entropy_of, nonce_of, order

ME: Final = 1
FRIEND: Final = 2
PRIVATE: Final = bytes(range(32))
KEY: Final = public_key(PRIVATE)
LIVE: Final = Clock("decision", seconds=10, bank=5)


class SignedBench(Bench):
    """A table with the key of the server."""

    def _set_up(self, new: NewTable) -> None:
        super()._set_up(new._replace(created=replace(new.created, key=KEY)))


class _Line:
    """The victim's end of a connection."""

    def __init__(self) -> None:
        self.sent: list[Cmd] = []

    async def send(self, frame: bytes, text: bool = True) -> None:
        message = decode_client_message(frame)
        if isinstance(message, Cmd):
            self.sent.append(message)


class Operator:
    """The table, and the client of seat 1."""

    def __init__(self, asked: TableOrder, folder: Path | None = None, *, keep: bytes | None = None) -> None:
        self.bench = SignedBench(asked, at=1_700_000_000_000, seed=7)
        key = SeatKey("http://nowhere.invalid", self.bench.table, ME, "token", entropy_of(ME).hex())
        memory = None if folder is None else folder / "seat.json"
        self.victim = ServerTable(RestClient(key.server), self.bench.table, key, memory)
        self.victim.witness.keys = frozenset({KEY})
        self.line = _Line()
        self._shown = 0
        self._began = time.monotonic()
        self._updates = ViewerUpdates()
        self.links: list[Link] = []
        """The history that the victim is shown."""
        self.heads: list[bytes] = []

    # --- what the victim gets --------------------------------------------------------------------------

    @property
    def sent(self) -> list[str]:
        """What the victim has sent, by kind."""
        return [each.do for each in self.line.sent]

    @property
    def alarm(self) -> str:
        found = self.victim.witness.alarm
        return "" if found is None else found.kind

    def sig(self) -> str:
        number = len(self.links) - 1
        return encode_signature(sign(PRIVATE, head_digest(self.bench.table, number, self.heads[number])))

    def _fold(self, link: Link) -> None:
        before = self.heads[-1] if self.heads else bytes(32)
        self.heads.append(head_after(before, len(self.links), link))
        self.links.append(link)

    async def greet(self) -> None:
        """Connect: welcome, all links, the snapshot."""
        state = self.bench.state
        self.victim._socket = self.line  # type: ignore[assignment]  # what the client needs of a socket
        self.victim.witness.asks()
        await self._give(Welcome(self.bench.table, ME, state.head, True, self.bench.at, 20_000))
        known = self.victim.witness.chain.number
        for link in state.links[len(self.links) :]:
            self._fold(link)
        plain = tuple(tuple(json.loads(json.dumps(link.plain()))) for link in self.links[known + 1 :])
        await self._give(Links(known + 1, plain, self.sig()))
        await self._give(self.snapshot())
        self._updates.follow(state, ME)
        self._shown = state.head

    def snapshot(self) -> Snap:
        return snapshot_of(self.bench.state, ME, "person 1", NOBODY, None, self.bench.at, ViewEncoder())

    async def show(self, change: Callable[[Ev], Ev] = lambda event: event, *, signed: bool = True) -> None:
        """Send what has happened since, as an honest server would; `change` may lie about it."""
        state = self.bench.state
        entries = state.log[self._shown :]
        if not entries:
            return
        self._shown = state.head
        frames = self._updates.updates(state, entries, lambda: NOBODY, (ME,))[ME].frames
        for link in state.links[len(self.links) :]:
            self._fold(link)
        events = [decode_server_message(frame) for frame in frames]
        for place, event in enumerate(events):
            assert isinstance(event, Ev)
            last = place == len(events) - 1
            await self._give(change(replace(event, sig=self.sig()) if last and signed else event))

    async def claim(self, kind: str, *fields: Any, at: int | None = None, signed: bool = True) -> None:
        """Send a link of the operator's own making."""
        self.bench.at += 1000
        link = read_link([kind, self.bench.at if at is None else at, *fields])
        self._fold(link)
        names = {
            "sat": ("seat", "commit"),
            "opened": ("seat", "entropy"),
            "dealt": ("due",),
            "sealed": ("decision", "seat", "placer", "commit"),
            "shown": ("decision", "seat"),
            "revealed": ("decision", "forfeited", "due"),
            "resigned": ("decision", "seat", "due"),
            "replaced": ("decision", "seat", "machine"),
            "void": ("unopened",),
        }[kind]
        event = Ev(
            self.victim.mirror.v + 1,
            kind,
            link.at,
            n=len(self.links) - 1,
            **dict(zip(names, link.fields, strict=True)),
        )
        await self._give(replace(event, sig=self.sig()) if signed else event)

    def _run_clock(self) -> None:
        """The server's clock goes on like everybody's."""
        self.bench.at = max(self.bench.at, 1_700_000_000_000 + int((time.monotonic() - self._began) * 1000))

    async def _give(self, message: Any) -> None:
        await self.victim._receive(message)

    async def obey(self, change: Callable[[Ack], Ack] = lambda ack: ack) -> None:
        """Carry out what the victim has sent, and acknowledge it."""
        self._run_clock()
        commands, self.line.sent = self.line.sent, []
        for cmd in commands:
            ack = self.bench.act(ME, cmd)
            await self._give(change(ack))
            self.line.sent.append(cmd)
        self.line.sent.clear()

    # --- a game ------------------------------------------------------------------------------------------

    async def sit(self) -> None:
        for seat in (ME, FRIEND):
            self.bench.sit(seat)
        await self.greet()

    async def begin(self) -> None:
        """Everyone sits and opens; the cards are dealt."""
        await self.sit()
        await self.obey()
        self.bench.open(FRIEND)
        await self.show()

    def commit(self, seat: int, pick: str = "C", nonce: bytes | None = None) -> str:
        state = self.bench.state
        decision = state.match.decision
        kept = nonce_of(decision, seat) if nonce is None else nonce
        return pick_commitment(state.id, decision, seat, state.decision_head, pick, kept).hex()

    async def pick(self, pick: str = "C", *, ack: bool = True) -> asyncio.Task[None]:
        """The victim seals a pick; the operator stores it, and may acknowledge it."""
        task = asyncio.create_task(self.victim.seal(pick))
        while "pick" not in self.sent and not task.done():
            await asyncio.sleep(0)
        if task.done():
            await task  # raises why nothing was sent
        if ack:
            await self.obey()
            await task
        return task

    def friend_seals(self, pick: str = "C") -> None:
        cmd = Cmd(
            f"f{self.bench.state.match.decision}",
            "pick",
            self.bench.state.match.decision,
            commit=self.commit(FRIEND, pick),
        )
        if self.bench.state.setup.seal != "blind":
            cmd = replace(cmd, pick=pick, nonce=nonce_of(cmd.decision or 0, FRIEND).hex())
        self.bench.act(FRIEND, cmd)

    def friend_opens(self, pick: str = "C") -> None:
        decision = self.bench.state.match.decision
        nonce = nonce_of(decision, FRIEND).hex()
        self.bench.act(FRIEND, Cmd(f"o{decision}", "reveal", decision, pick, nonce=nonce))


def ordinary(clock: Clock | None = None) -> TableOrder:
    """Both seats place together, so that either may be first."""
    more: dict[str, Any] = {} if clock is None else {"clock": clock}
    return order("ecard", 2, "decisive", **more)


def blind() -> TableOrder:
    return order("ecard", 2, "decisive", clock=LIVE, seal="blind")


def seats(waves: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(wave) for wave in waves]
