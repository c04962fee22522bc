"""Cosignatures of the public log, from the witnesses that the operator names (C2SP tlog-witness)."""

from __future__ import annotations

import asyncio
import base64
import random
from collections.abc import Sequence
from http.client import HTTPException
from typing import Final

from facedown.core.errors import FacedownError
from facedown.core.links import NO_KEY
from facedown.proof.log import cosigned_at, read_checkpoint, read_witness_key
from facedown.server.ops.logs import get_log
from facedown.server.public_log import PublicLog
from facedown.server.signing import Signing
from facedown.server.store.failures import survive

_EVERY_S: Final = 30.0
_PATIENCE_S: Final = 10.0
_MOST_BYTES: Final = 4096
_CONFLICT: Final = 409


class Witnesses:
    """Submits the newest checkpoint to the witnesses, and keeps it with the cosignatures that it got."""

    def __init__(self, log: PublicLog, signing: Signing, named: Sequence[str]) -> None:
        """`named`: the key of each, a blank, its address."""
        self.cosigned = ""
        """The newest checkpoint that a witness cosigned; empty before the first."""
        self._public_log = log
        self._signing = signing
        pairs = [each.split(" ") for each in named]
        self.keys = tuple(key for key, _ in pairs)
        self._by_address = {address: read_witness_key(key) for key, address in pairs}
        self._sizes = dict.fromkeys(self._by_address, 0)
        """The size of the log that each witness cosigned last, as far as this server knows."""
        self._task: asyncio.Task[None] | None = None
        self._log = get_log(__name__)

    def start(self) -> None:
        if self.keys and self._signing.key != NO_KEY:
            self._log.info("witnesses know the log by this key", key=self._signing.log_key.text())
            self._task = asyncio.create_task(self._ask_all())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _ask_all(self) -> None:
        while True:
            with survive(self._log, "cosignatures of the log"):
                note = await self._public_log.checkpoint()
                lines = [await self._cosignature(address, note) for address in self._by_address]
                self.cosigned = note + "".join(lines) if any(lines) else self.cosigned
            await asyncio.sleep(_EVERY_S * random.uniform(0.8, 1.2))

    async def _cosignature(self, address: str, note: str) -> str:
        """The line that a witness adds to a checkpoint; empty if it does not."""
        size = read_checkpoint(note).size
        try:
            status, answer = await self._submit(address, note, size)
            if status == _CONFLICT and answer.strip().isdecimal() and int(answer) <= size:
                self._sizes[address] = int(answer)
                status, answer = await self._submit(address, note, size)
            for line in answer.splitlines(keepends=True) if status == 200 else ():
                if cosigned_at(note + line, self._by_address[address]) is not None:
                    self._sizes[address] = size
                    return line
        except (OSError, HTTPException, ValueError, FacedownError) as error:
            status, answer = 0, str(error)
        self._log.warning("a witness did not cosign", witness=address, status=status, answer=answer[:200])
        return ""

    async def _submit(self, address: str, note: str, size: int) -> tuple[int, str]:
        old = self._sizes[address]
        path = await self._public_log.consistency(old, size) if 0 < old < size else []
        lines = [f"old {old}", *(base64.b64encode(each).decode() for each in path), "", note]
        url = f"{address.rstrip('/')}/add-checkpoint"
        return await asyncio.to_thread(_post, url, "\n".join(lines).encode())


def _post(url: str, body: bytes) -> tuple[int, str]:
    """The status and the beginning of the answer."""
    import urllib.error
    import urllib.request

    try:
        request = urllib.request.Request(url, body, {"Content-Type": "text/plain"})
        with urllib.request.urlopen(request, timeout=_PATIENCE_S) as response:
            return response.status, response.read(_MOST_BYTES).decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read(_MOST_BYTES).decode()
