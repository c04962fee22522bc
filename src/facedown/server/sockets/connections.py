"""All WebSockets of a house: makes the line for each, counts them, and looks after them with one timer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from facedown.server.ops.limits import Limits, Rate
from facedown.server.sockets.connection import Line, Pace, Talker
from facedown.server.sockets.handshake import Trusted


@dataclass(slots=True)
class LineCounts:
    """Plain counters, read by the metrics."""

    opened: int = 0
    refused: int = 0  # handshakes
    heard: int = 0  # messages
    told: int = 0  # messages
    flooded: int = 0
    stuck: int = 0  # peers that did not read
    silent: int = 0
    broken: int = 0  # peers that do not speak the protocol


class Lines:
    """All sockets, and what they share."""

    def __init__(
        self,
        talker: Callable[[Line], Talker],
        limits: Limits,
        pace: Pace | None = None,
        *,
        pages: frozenset[str] = frozenset(),
        proxies: Trusted | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.talker = talker
        self.limits = limits
        self.frames: Rate = limits.caps.frames
        self.pace = pace or Pace()
        self.pages = pages  # origins, besides the host itself, whose pages may connect
        self.proxies = proxies or Trusted()  # peers whose X-Forwarded-For is believed
        self.now = now
        self.draining = False  # no new ones
        self.counts = LineCounts()
        self._all: set[Line] = set()
        self._held: list[Line] = []
        self._met = 0
        self._timer: asyncio.TimerHandle | None = None
        self._text = self._framed = b""

    def __len__(self) -> int:
        return len(self._all)

    def protocol(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> Line:
        """The protocol of one socket, in the way uvicorn asks for it."""
        return Line(self, cast("set[Any]", server_state.connections))

    def framed(self, text: bytes) -> bytes:
        """A text as a frame; the same text for many listeners in a row is framed once."""
        if text is not self._text:
            self._text = text
            self._framed = Frame(Opcode.TEXT, text).serialize(mask=False)
        return self._framed

    def hold(self, line: Line) -> None:
        """This line has something to send when the loop comes round: one write for all of it."""
        if not self._held:
            asyncio.get_running_loop().call_soon(self._send)
        self._held.append(line)

    def _send(self) -> None:
        held, self._held = self._held, []
        for line in held:
            line.send()

    def spread(self) -> float:
        """The part of its interval after which a line is pinged first: a thousand that came together are not
        pinged together.
        """
        self._met += 1
        return 0.5 + (self._met % 16) / 32

    def add(self, line: Line) -> None:
        """One more line to look after."""
        self._all.add(line)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.pace.tick, self._look)

    def remove(self, line: Line) -> None:
        """A line is gone."""
        self._all.discard(line)
        if line.address:
            self.limits.sockets.leave(line.address)

    def _look(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self.pace.tick, self._look)
        now = self.now()
        for line in [line for line in self._all if line.due <= now]:
            line.look(now)
        if not self._all:
            self._timer.cancel()
            self._timer = None
