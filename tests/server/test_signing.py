"""The signing key of a server, and its change."""

from __future__ import annotations

import asyncio
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


async def test_two_servers_that_change_the_key_at_once_both_do(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    one, two, third = (Signing(store, "https://cards.example.org") for _ in range(3))
    await asyncio.gather(one.load(), two.load())
    first = one.key
    await asyncio.gather(one.change_key(1), two.change_key(2))

    await third.load()
    changes = third.published().changes
    assert {each.at for each in changes} == {1, 2}
    assert [first, *(each.new for each in changes)] == [*(each.old for each in changes), third.key]
    for key in (first, *(each.new for each in changes)):
        assert third.sign_head(key, "T", 0, bytes(32)) != "", "a key of tables was lost"
    await store.close()
