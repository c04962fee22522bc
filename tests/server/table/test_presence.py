"""Who is connected, as other servers and the store say it."""

from __future__ import annotations

import asyncio

from facedown.server.clock import now
from facedown.server.table.seating.presence import STORE, Presence
from facedown.server.table.state import TableState


def test_a_seat_that_left_is_dark_at_once_though_the_store_saw_it_a_moment_ago() -> None:
    async def main() -> None:
        presence, at = Presence(lambda: TableState("T")), now()
        presence.heard(1, "other", at - 20_000, here=True)
        presence.heard(1, STORE, at - 10_000, here=True)  # a vote asked the store
        assert presence.here == {1}
        presence.heard(1, "other", at, here=False)
        assert presence.here == set()
        presence.heard(1, STORE, at - 10_000, here=True)  # asked again: it knows nothing newer
        assert presence.here == set()
        presence.heard(1, STORE, at + 1, here=True)  # back at a third server, whose hint was lost
        assert presence.here == {1}

    asyncio.run(main())


def test_a_seat_that_left_one_server_may_be_at_another() -> None:
    async def main() -> None:
        presence, at = Presence(lambda: TableState("T")), now()
        presence.heard(1, "third", at - 5000, here=True)
        presence.heard(1, "other", at, here=False)
        assert presence.here == {1}

    asyncio.run(main())
