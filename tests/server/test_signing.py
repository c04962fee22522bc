"""The signing key of a server, and its change."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from facedown.server.signing import Signing
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.store import SqliteStore
from tests.server.table.failing_store import FailingStore

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("after", [False, True])
async def test_a_change_of_key_happens_whole_or_not_at_all(tmp_path: Path, after: bool) -> None:
    real = SqliteStore(tmp_path)
    store: Any = FailingStore(real, shared=False)
    number, has_failed = 1, True
    while has_failed:
        signing = Signing(store, "https://cards.example.org")
        await signing.load()
        store.fail_at(number, lambda: StoreFailed("the plug is pulled"), after=after, times=1000)
        with suppress(StoreFailed):
            await signing.change_key(number)
        number, has_failed = number + 1, store.has_failed
        store.work()
        await signing.load()
        published = signing.published()
        keys = [*(each.old for each in published.changes), published.key]
        assert [each.new for each in published.changes] == keys[1:]
    assert number > 4
    await real.close()
