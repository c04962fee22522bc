"""Signing of records with the server's own key, which is created on first use and kept in the store."""

from __future__ import annotations

import secrets
from typing import Final

from facedown.proof.checks import can_sign, new_signing_key, public_key, signed
from facedown.server.store.base import Store

_KEY: Final = "signing"
"""The name of the key in the store, whose database only its owner can read."""


class Signing:
    """Signs records; leaves them unsigned if the library for it is not installed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: bytes | None = None

    async def sign(self, record: str) -> str:
        """The JSON text of a record, signed."""
        return signed(record, await self.private_key()) if can_sign() else record

    async def private_key(self) -> bytes:
        if self._key is None:
            kept = await self._store.get_value(_KEY)
            if kept is None:
                kept = await self._store.set_value_once(_KEY, new_signing_key(secrets.token_bytes(64)))
            self._key = kept
        return self._key

    async def public_key(self) -> bytes:
        return public_key(await self.private_key())
