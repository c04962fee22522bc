"""The server's signing key: created on first use, kept in the store, changed with a statement of both keys.

Signs records and the heads of tables.
"""

from __future__ import annotations

import secrets
from typing import Final

import msgspec

from facedown.core.links import NO_KEY, head_digest, leaf_of_log, rotation_digest
from facedown.proof.log import Checkpoint, cosign
from facedown.proof.signatures import (
    can_sign,
    encode_signature,
    new_signing_key,
    public_key,
    sign,
    sign_text,
)
from facedown.protocol.rest import KeyChange, ServerKeys
from facedown.server.store.base import Store

_NAME: Final = "signing"
"""The name of the keys in the store, whose database only its owner can read."""


class _Keys(msgspec.Struct, frozen=True):
    """The private keys, the oldest first, and what both keys said of each change."""

    private: tuple[str, ...]
    changes: tuple[KeyChange, ...] = ()


class Signing:
    """Signs heads and records; leaves them unsigned if the library for it is not installed."""

    def __init__(self, store: Store, origin: str = "") -> None:
        """`origin` is the public address of the server."""
        self._store = store
        self.origin = origin
        self.key = NO_KEY
        """The public key of new tables."""
        self._private: dict[str, bytes] = {}
        """The private keys, past ones included, by their public keys."""
        self._changes: tuple[KeyChange, ...] = ()
        self._saved = b""
        """The keys as they are in the store."""

    async def load(self) -> None:
        """Read the keys, or create the first one; nothing if this server cannot sign."""
        if not can_sign():
            return
        first = _Keys((new_signing_key(secrets.token_bytes(64)).hex(),))
        self._saved = await self._store.set_value_once(_NAME, msgspec.json.encode(first))
        keys = msgspec.json.decode(self._saved, type=_Keys)
        privates = [bytes.fromhex(each) for each in keys.private]
        self._private = {public_key(each): each for each in privates}
        self._changes = keys.changes
        self.key = public_key(privates[-1])

    async def follow(self, key: str = "") -> None:
        """Read the keys again if another server may have changed them, unless it knows this one."""
        if self._store.shared and key not in self._private:
            await self.load()

    async def change_key(self, at: int) -> ServerKeys:
        """Create a new key for new tables, with a statement that the old and the new one sign."""
        is_changed = False
        while not is_changed:  # another server may change it at the same moment
            await self.load()
            is_changed = await self._change(at)
        await self.load()
        return self.published()

    async def _change(self, at: int) -> bool:
        new = new_signing_key(secrets.token_bytes(64))
        digest = rotation_digest(self.origin, bytes.fromhex(self.key), bytes.fromhex(public_key(new)), at)
        signed = (encode_signature(sign(each, digest)) for each in (self._private[self.key], new))
        change = KeyChange(self.key, public_key(new), at, *signed)
        before = self._saved
        keys = _Keys((*(each.hex() for each in self._private.values()), new.hex()), (*self._changes, change))
        await self._store.add_log_entry(leaf_of_log("key", "", digest))
        return await self._store.replace_value(_NAME, before, msgspec.json.encode(keys))

    def published(self) -> ServerKeys:
        """What anyone may know of the keys."""
        return ServerKeys(self.origin, self.key, self._changes)

    def sign_checkpoint(self, size: int, root: bytes) -> str:
        """A signed checkpoint of the public log, which is named after the first key of the server."""
        first = self._changes[0].old if self._changes else self.key
        return Checkpoint(f"facedown/{first[:32]}", size, root).sign(self._private[self.key])

    def cosign(self, note: str, at: int) -> str:
        """Another server's checkpoint with the signature of this one as its witness; `at` in milliseconds."""
        return cosign(note, self._private[self.key], at // 1000)

    def sign_record(self, text: str, key: str) -> str:
        """The JSON text of a record, signed with the key of its table."""
        private = self._private.get(key)
        return text if private is None else sign_text(text, private)

    def sign_head(self, key: str, table: str, number: int, head: bytes) -> str:
        """The signature of a head with the key of its table; empty if this server does not have it."""
        private = self._private.get(key)
        return "" if private is None else encode_signature(sign(private, head_digest(table, number, head)))
