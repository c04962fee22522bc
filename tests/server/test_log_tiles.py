"""Tiles of the public log (C2SP tlog-tiles) in a log of more than one full tile."""

from __future__ import annotations

import pytest

from facedown.core.merkle import leaf_hash, node_hash
from facedown.server.public_log import PublicLog, UnknownEntry
from facedown.server.signing import Signing
from facedown.server.store import open_store
from tests.server.store.steps import creation

pytestmark = pytest.mark.anyio


async def test_higher_tiles_are_the_hashes_of_full_ones(anywhere: str) -> None:
    entries = [number.to_bytes(2, "big") for number in range(600)]
    store = open_store(anywhere)
    try:
        await store.append(creation("T")._replace(log_entries=tuple(entries)))
        assert await store.number_log_entries(600) == 600
        log = PublicLog(store, Signing(store))
        full = [await log.tile("0", place) for place in ("000", "001")]
        assert await log.tile("1", "000.p/2") == b"".join(_root(each) for each in full)
        assert await log.tile("0", "002.p/88") == b"".join(map(leaf_hash, entries[512:]))
        assert await log.tile("entries", "001.p/1") == b"\0\2" + entries[256]
        for level, place in (
            ("0", "002"),
            ("0", "002.p/89"),
            ("1", "000"),
            ("2", "000.p/1"),
            ("entries", "002"),
        ):
            with pytest.raises(UnknownEntry):
                await log.tile(level, place)
    finally:
        await store.close()


def _root(tile: bytes) -> bytes:
    """The root of a full tile."""
    hashes = [tile[at : at + 32] for at in range(0, len(tile), 32)]
    while len(hashes) > 1:
        hashes = [node_hash(*pair) for pair in zip(hashes[::2], hashes[1::2], strict=True)]
    return hashes[0]
