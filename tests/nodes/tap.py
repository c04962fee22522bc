"""A tap between servers and PostgreSQL: all bytes are read on the way, and passed on unchanged."""

from __future__ import annotations

import asyncio
import re
import struct
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

_CHUNK = 65536
_STARTUP = 8
"""Before its first typed message a client of PostgreSQL sends one that has no type."""

_UNNEST = re.compile(r"unnest\(([^()]*)\)(?: with ordinality)?\s+as \w+ \(([^()]*)\)")
Dial: TypeAlias = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


class PostgresTap:
    """A proxy that knows PostgreSQL's messages; `heard` counts where the canary was: in a column of a row, in
    a parameter, or elsewhere."""

    def __init__(self, dial: Dial, canary: bytes) -> None:
        self._dial = dial
        self._canary = canary, canary.hex().encode()
        self.heard: Counter[str] = Counter()
        self.bytes = 0
        self._server: asyncio.AbstractServer | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open_socket(self, path: Path) -> None:
        """Listen on a socket in the file system."""
        self._server = await asyncio.start_unix_server(self._enter, str(path))
        path.chmod(0o777)

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def found(self, data: bytes, place: str) -> None:
        """Count the canary in these bytes, as it is and written as hex."""
        self.bytes += len(data)
        if any(canary in data for canary in self._canary):
            self.heard[place] += 1

    async def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await self._dial()
        except OSError:
            writer.close()
            return
        session = PostgresSession(self.found)
        both = (reader, far_writer, session.hear_client), (far_reader, writer, session.hear_server)
        for source, target, hear in both:
            task = asyncio.create_task(_pass_on(source, target, hear))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def _pass_on(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, hear: Callable[[bytes], None]
) -> None:
    try:
        while data := await source.read(_CHUNK):
            hear(data)
            target.write(data)
            await target.drain()
    except OSError:
        pass
    finally:
        target.close()


class PostgresSession:
    """One connection to PostgreSQL: which parameters and columns its values belong to."""

    def __init__(self, found: Callable[[bytes, str], None]) -> None:
        self._found = found
        self._statements: dict[bytes, str] = {}
        self._columns: dict[bytes, list[str]] = {}
        self._described: deque[bytes] = deque()
        self._executed: deque[bytes] = deque()
        self._bound = b""
        self._client, self._server = b"", b""
        self._started = False

    def hear_client(self, data: bytes) -> None:
        self._client += data
        if not self._started and len(self._client) >= _STARTUP:
            (length,) = struct.unpack_from(">I", self._client)
            if len(self._client) < length:
                return
            self._found(self._client[:length], "startup")
            self._client, self._started = self._client[length:], True
        self._client = _messages(self._client, self._from_client)

    def hear_server(self, data: bytes) -> None:
        self._server = _messages(self._server + data, self._from_server)

    def _from_client(self, kind: bytes, body: bytes) -> None:
        if kind == b"P":
            name, rest = body.split(b"\0", 1)
            self._statements[name] = rest.split(b"\0", 1)[0].decode()
            self._found(body, "text of a statement")
        elif kind == b"D":
            self._described.append(body[1:-1] if body[:1] == b"S" else self._bound)
        elif kind == b"B":
            _, self._bound, rest = body.split(b"\0", 2)
            places = parameter_places(self._statements.get(self._bound, ""))
            for number, value in enumerate(_parameters(rest), 1):
                self._found(value, places.get(number, f"parameter {number}"))
        elif kind == b"E":
            self._executed.append(self._bound)
        else:
            self._found(body, f"message {kind.decode()} of a server")

    def _from_server(self, kind: bytes, body: bytes) -> None:
        if kind == b"T":
            self._columns[self._described.popleft() if self._described else b""] = _column_names(body)
        elif kind == b"n" and self._described:
            self._columns[self._described.popleft()] = []
        elif kind == b"D":
            names = self._columns.get(self._executed[0] if self._executed else b"", [])
            for number, value in enumerate(_values(body)):
                self._found(value, f"column {names[number] if number < len(names) else number}")
        elif kind in (b"C", b"s", b"I"):
            if self._executed:
                self._executed.popleft()
        elif kind == b"E":
            self._executed.clear()
            self._described.clear()
            self._found(body, "an error of PostgreSQL")
        else:
            self._found(body, f"message {kind.decode()} of PostgreSQL")


@lru_cache
def parameter_places(statement: str) -> dict[int, str]:
    """The columns that parameters become, where a statement unfolds arrays to rows.

    >>> parameter_places("insert … from unnest($9::int[], $10::bytea[]) as e (v, secret)")
    {9: 'column v', 10: 'column secret'}
    """
    found = {}
    for values, names in _UNNEST.findall(statement):
        for value, name in zip(values.split(","), names.split(","), strict=False):
            found[int(value.split("::")[0].strip().removeprefix("$"))] = f"column {name.strip()}"
    return found


def _messages(data: bytes, take: Callable[[bytes, bytes], None]) -> bytes:
    """Hand over all whole messages; what is left of the next one."""
    at = 0
    while len(data) - at >= 5:
        (length,) = struct.unpack_from(">I", data, at + 1)
        if len(data) - at < 1 + length:
            break
        take(data[at : at + 1], data[at + 5 : at + 1 + length])
        at += 1 + length
    return data[at:]


def _parameters(rest: bytes) -> list[bytes]:
    """The values of a Bind message, after its two names."""
    (formats,) = struct.unpack_from(">H", rest)
    return _values(rest[2 + 2 * formats :])


def _values(body: bytes) -> list[bytes]:
    """Values with their lengths before them, and their number before all."""
    (count,) = struct.unpack_from(">H", body)
    at, found = 2, []
    for _ in range(count):
        (length,) = struct.unpack_from(">i", body, at)
        at += 4
        found.append(body[at : at + max(length, 0)])
        at += max(length, 0)
    return found


def _column_names(body: bytes) -> list[str]:
    (count,) = struct.unpack_from(">H", body)
    at, names = 2, []
    for _ in range(count):
        end = body.index(b"\0", at)
        names.append(body[at:end].decode())
        at = end + 1 + 18
    return names
