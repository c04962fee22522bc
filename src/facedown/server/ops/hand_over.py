"""The hand-over of connections between the server processes on one port (`--processes N`): those that name a
table go to the process of that table.

Processes that share a table fight over its head: each append of one is read again by the others. The kernel
chooses which process accepts before a byte has come, so the one that has accepted reads the table's id from
the first request, and passes the socket with the bytes read on to the process of that id, over a UNIX socket.
From then on nothing stands between that process and the client, as a routing process would.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, final
from zlib import crc32

from facedown.server.ops.metrics import Counts

MOST_BYTES: Final = 32 * 1024
"""A connection that has sent more than this is not handed over."""
_BACKLOG: Final = 64
_AT_ONCE: Final = 32
_BUFFER: Final = 1024 * 1024
"""The system allows less: some hundred connections wait for a process that is busy."""
_TABLE: Final = re.compile(rb"/(?:ws/v1|api/v1/tables)/([0-9A-Za-z]{1,40})(?=[/?]|$)")


def process_of(path: bytes, processes: int) -> int | None:
    """The number of the process for the table that a request's path names; None if it names none.

    >>> process_of(b"/ws/v1/T7", 2), process_of(b"/api/v1/tables/T7/seats?x=1", 2), process_of(b"/", 2)
    (1, 1, None)
    """
    found = _TABLE.match(path)
    return crc32(found[1]) % processes + 1 if found else None


@final
class HandOver:
    """Hands connections over to the other processes, and takes over theirs.

    Each process listens in a folder that only their user can read, and keeps a line open to each of the
    others. What fails is left to the caller, who then serves the connection itself.
    """

    def __init__(
        self, folder: Path, number: int, processes: int, take: Callable[[socket.socket, bytes], None]
    ) -> None:
        """`take` serves a connection from another process, which has read these bytes of it."""
        self._folder = folder
        self._number = number
        self._processes = processes
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._listening: socket.socket | None = None
        self._from: set[socket.socket] = set()
        self._to: dict[int, socket.socket] = {}
        self._handed = self._kept = 0

    def start(self) -> None:
        """Take connections over from now on, in the place of an ending process with the same number."""
        path = self._path(self._number)
        path.unlink(missing_ok=True)
        try:
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError:  # macOS has no such sockets: there every process serves what it accepts
            return
        listening.setblocking(False)
        listening.bind(str(path))
        listening.listen(_BACKLOG)
        self._loop.add_reader(listening, self._accept, listening)
        self._listening = listening

    def counts(self) -> Counts:
        return Counts(
            (
                ("handed_over", "Connections handed over to the process of their table.", self._handed),
                ("not_handed_over", "Connections for which that failed: served here.", self._kept),
            ),
            (),
        )

    # --- to other processes ---------------------------------------------------------------------------

    def process_of(self, path: bytes) -> int | None:
        """The number of the other process that has to serve a request; None if it may be served here."""
        number = process_of(path, self._processes)
        return number if number != self._number else None

    def send(self, number: int, connection: int, received: bytes) -> bool:
        """Hand a connection over by its file descriptor, which the caller closes if this succeeds.

        The caller must not read from the connection any more.
        """
        is_sent = self._send_to(number, connection, received)
        self._handed += is_sent
        self._kept += not is_sent
        return is_sent

    def _send_to(self, number: int, connection: int, received: bytes) -> bool:
        for _ in range(2):  # the line may still be to a process that was replaced
            try:
                socket.send_fds(self._line_to(number), [received], [connection])
            except BlockingIOError:  # it has too much to do
                return False
            except OSError:
                if (line := self._to.pop(number, None)) is None:  # there is no such process now
                    return False
                line.close()
            else:
                return True
        return False

    def _line_to(self, number: int) -> socket.socket:
        line = self._to.get(number)
        if line is None:
            line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            try:
                line.setblocking(False)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
                line.connect(str(self._path(number)))
            except OSError:
                line.close()
                raise
            self._to[number] = line
        return line

    # --- from other processes -------------------------------------------------------------------------

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            line, _ = listening.accept()
            line.setblocking(False)
            self._from.add(line)
            self._loop.add_reader(line, self._read, line)

    def _read(self, line: socket.socket) -> None:
        """Take over some of the connections that wait; the loop calls again while there are more."""
        for _ in range(_AT_ONCE):
            try:
                received, files, flags, _ = socket.recv_fds(line, MOST_BYTES, 1)
            except BlockingIOError:
                return
            except OSError:
                received, files, flags = b"", [], 0
            for file in files:
                connection = socket.socket(fileno=file)
                if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
                    connection.close()
                    continue
                connection.set_inheritable(False)
                connection.setblocking(False)
                self._take(connection, received)
            if not received:  # that process has ended
                self._stop_reading(line)
                return

    def _stop_reading(self, line: socket.socket) -> None:
        self._loop.remove_reader(line)
        self._from.discard(line)
        line.close()

    def close(self) -> None:
        """Take over what is on its way, and nothing more: the others serve it, or a successor does."""
        if self._listening is not None:
            self._loop.remove_reader(self._listening)
            self._listening.close()
            self._listening = None
        for line in tuple(self._from):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RD)  # from now on sending fails
            while line in self._from:
                self._read(line)
        for line in self._to.values():
            line.close()
        self._to.clear()

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.take"
