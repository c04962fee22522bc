"""Merging a guest into an account: one person brings the games of a device along when signing in on it.

Needs the credentials of both. Ratings are not merged, and no game that others still play changes hands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from facedown.core.errors import NotNow
from facedown.protocol.errors import GamesRunning
from facedown.server import clock
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.values import ListedRow
from facedown.server.table.summary import details_of
from facedown.server.table.tables import Tables

_MOST: Final = 100_000


class Merging:
    """Merges guests into accounts, on one store."""

    def __init__(self, store: Store, tables: Tables, on_sign_out: Callable[[str], None]) -> None:
        self._store = store
        self._tables = tables
        self._on_sign_out = on_sign_out
        self._log = get_log(__name__)

    async def check(self, guest: str, account: str) -> None:
        """Raise `GamesRunning` or `NotNow` if the guest cannot be merged into the account."""
        if await self._store.accounts.account(guest) is not None:
            raise NotNow("this device is signed in to another account, which stays what it is")
        if await self._store.accounts.account(account) is None:
            raise NotNow("only a kept account can take over the games of this device")
        theirs = {each.id for each in await self._store.tables(person=account, limit=_MOST)}
        for each in await self._store.tables(person=guest, limit=_MOST):
            if _is_running(each, with_account=each.id in theirs):
                raise GamesRunning(
                    "you play with others on this device: finish or leave these games first, or sign in "
                    "without bringing them along"
                )

    async def merge(self, guest: str, account: str) -> None:
        """Merge, after `check`."""
        store = self._store
        named = {each.id for each in await store.tables(person=guest, limit=_MOST)}
        named |= {each.table for each in await store.texts_of(guest)}
        named |= {each.id for each in self._tables.all_loaded if each.host_is(guest)}
        await store.accounts.merge(guest, account, clock.now())
        await self._tables.relations.reload()
        for table in named:
            await self._tables.forget_texts(table)
        self._on_sign_out(guest)
        self._log.info("guest merged into an account", tables=len(named))


def _is_running(listed: ListedRow, *, with_account: bool) -> bool:
    """Whether other people still play at a table, or the account itself sits there."""
    if listed.summary.state in ("over", "closed"):
        return False
    people = [each for each in details_of(listed.summary.about).seats if each.kind == "person"]
    return with_account or (listed.summary.state != "open" and len(people) > len(listed.seats))
