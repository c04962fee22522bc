"""Witness of other servers: follows the public logs of its peers, and cosigns what it saw of them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Final

import msgspec

from facedown.core.errors import FacedownError
from facedown.core.links import NO_KEY
from facedown.protocol.rest import WitnessedLog, WitnessedLogs
from facedown.server.clock import now
from facedown.server.ops.logs import get_log
from facedown.server.signing import Signing
from facedown.server.store.base import Store
from facedown.server.store.failures import survive

_EVERY_S: Final = 30.0
_SEEN: Final = "witnessed/"
"""What was seen of a peer is kept in the store under this name and its address."""


class Peers:
    """Follows the logs of other servers in the background."""

    def __init__(self, store: Store, signing: Signing, addresses: Sequence[str]) -> None:
        self._store = store
        self._signing = signing
        self._addresses = tuple(addresses)
        self._task: asyncio.Task[None] | None = None
        self._log = get_log(__name__)

    def start(self) -> None:
        if self._addresses and self._signing.key != NO_KEY:
            self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def witnessed_logs(self) -> WitnessedLogs:
        """What was seen of every peer, as far as it was reached."""
        found = [await self._witnessed_log(each) for each in self._addresses]
        return WitnessedLogs(tuple(each for each in found if each is not None))

    async def _witnessed_log(self, address: str) -> WitnessedLog | None:
        kept = await self._store.get_value(_SEEN + address)
        return None if kept is None else msgspec.json.decode(kept, type=WitnessedLog)

    async def _watch(self) -> None:
        while True:
            for address in self._addresses:
                with survive(self._log, "a peer's log"):
                    await self._observe(address)
            await asyncio.sleep(_EVERY_S * random.uniform(0.8, 1.2))

    async def _observe(self, address: str) -> None:
        from facedown.client.public_log import observe  # a server in a page has no client, and no peers

        before = await self._witnessed_log(address)
        try:
            seen = await asyncio.to_thread(
                observe, address, before, lambda note: self._signing.cosign(note, now())
            )
        except FacedownError as error:
            self._log.warning("a peer cannot be witnessed", peer=address, error=str(error))
            return
        if seen.fork and (before is None or not before.fork):
            self._log.error("a peer shows two histories of its log", peer=address)
        if seen != before:
            await self._store.set_value(_SEEN + address, msgspec.json.encode(seen))
