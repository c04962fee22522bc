"""A client that may do everything wrong: bytes on a TCP connection."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any

from websockets.frames import Close, Frame, Opcode

from tests.patience import PATIENCE

HANDSHAKE = (
    b"GET /ws/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: facedown.v1\r\n\r\n"
)


def text(payload: bytes, *, mask: bool = True, fin: bool = True, opcode: Opcode = Opcode.TEXT) -> bytes:
    return Frame(opcode, payload, fin).serialize(mask=mask)


class Raw:
    """One TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, port: int) -> Raw:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    @classmethod
    async def socket(cls, port: int) -> Raw:
        """With the handshake done."""
        raw = await cls.connect(port)
        raw.send(HANDSHAKE)
        head = await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        assert head.startswith(b"HTTP/1.1 101 "), head
        return raw

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def frame(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload."""
        first, length = await self._exactly(2)
        if length == 126:
            (length,) = struct.unpack("!H", await self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", await self._exactly(8))
        return first & 15, await self._exactly(length)

    async def message(self) -> dict[str, Any]:
        opcode, payload = await self.frame()
        assert opcode == Opcode.TEXT, (opcode, payload)
        message: dict[str, Any] = json.loads(payload)
        return message

    async def until_closed(self) -> tuple[list[dict[str, Any]], int | None]:
        """All messages up to the end of the connection, and the code of the closing, if there was one."""
        heard: list[dict[str, Any]] = []
        code: int | None = None
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    opcode, payload = await self.frame()
                    if opcode == Opcode.CLOSE:
                        code = Close.parse(payload).code
                    elif opcode == Opcode.TEXT:
                        heard.append(json.loads(payload))
        except (asyncio.IncompleteReadError, ConnectionError):
            return heard, code

    async def rest(self) -> bytes:
        """All bytes up to the end of the connection."""
        read = b""
        try:
            async with asyncio.timeout(PATIENCE):
                while part := await self.reader.read(65536):
                    read += part
        except ConnectionError:
            pass
        return read

    async def close(self) -> None:
        self.writer.close()
        try:
            await self.writer.wait_closed()
        except (ConnectionError, OSError):
            return

    async def _exactly(self, many: int) -> bytes:
        return await asyncio.wait_for(self.reader.readexactly(many), PATIENCE)
