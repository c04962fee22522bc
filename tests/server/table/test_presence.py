"""Presence by the reports of other servers and the store."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest

from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.store.base import Store
from facedown.server.table.presence import STORE, Presence, TableHints
from facedown.server.table.state import TableState


def test_a_seat_that_left_is_gone_at_once_even_if_the_store_saw_it_a_moment_ago() -> None:
    async def main() -> None:
        presence, at = Presence(lambda: TableState("T"), lambda: True), now()
        presence.note_remote(1, "other", at - 20_000, here=True)
        presence.note_remote(1, STORE, at - 10_000, here=True)  # a vote reads the store
        assert presence.here == {1}
        presence.note_remote(1, "other", at, here=False)
        assert presence.here == set()
        presence.note_remote(1, STORE, at - 10_000, here=True)  # read again: nothing newer
        assert presence.here == set()
        presence.note_remote(1, STORE, at + 1, here=True)  # back at a third server, whose hint was lost
        assert presence.here == {1}

    asyncio.run(main())


def test_a_seat_that_left_one_server_may_be_at_another() -> None:
    async def main() -> None:
        presence, at = Presence(lambda: TableState("T"), lambda: True), now()
        presence.note_remote(1, "third", at - 5000, here=True)
        presence.note_remote(1, "other", at, here=False)
        assert presence.here == {1}

    asyncio.run(main())


class _Others:
    """A bus and a store of other servers; keeps the last number published for each topic."""

    shared = True
    node = "here"

    def __init__(self) -> None:
        self.published: dict[str, int] = {}

    def publish(self, topic: str, number: int) -> None:
        self.published[topic] = number

    async def mark_seen(self, _table: str, _seats: Sequence[int], _at: int) -> None:
        pass


def test_a_seat_whose_last_request_is_long_ago_is_published_as_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        presence, others = Presence(lambda: TableState("T"), lambda: True), _Others()
        hints = TableHints("T", cast(Bus, others), cast(Store, others), presence)
        presence.note_request(1)
        hints.publish_presence()
        assert others.published["here/T/1"] % 2 == 1
        monkeypatch.setattr("facedown.server.table.presence.RECENT_MS", -1)
        hints.republish()
        assert others.published["here/T/1"] % 2 == 0

    asyncio.run(main())
