"""Two servers on one PostgreSQL, and a tap between them and it: ballots that both seal at the same instant,
picks that lie face down, and a bus that is cut."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests import postgresql
from tests.nodes.canaries import face_down, tapped_postgresql
from tests.nodes.history import anomalies, rows_of
from tests.nodes.lockstep import Barriers
from tests.nodes.nodes import ServerNodes

pytestmark = pytest.mark.anyio
BALLOTS = 24
CANARIES = 3
_CUT = """select count(pg_terminate_backend(pid)) from pg_stat_activity
    where application_name = 'facedown bus' and datname = current_database()"""


@pytest.fixture
def short() -> Iterator[str]:
    """A folder with a name that is short enough for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="facedown-tap-") as folder:
        yield folder


async def test_two_servers_seal_the_same_ballots_and_tell_nobody(
    cluster: postgresql.Cluster, store_url: str, short: str, tmp_path: Path
) -> None:
    folder = Path(short) / "tap"
    tap = await tapped_postgresql(cluster.folder, folder)
    tapped = store_url.replace(str(cluster.folder), str(folder))
    nodes = ServerNodes(tmp_path, tapped, 2)
    try:
        await asyncio.to_thread(nodes.start)
        bases = [node.base for node in nodes.all]
        await asyncio.gather(*(face_down(bases) for _ in range(CANARIES)))
        heard = dict(tap.heard)
        assert heard.pop("column secret") >= CANARIES, "the tap hears what is there to hear"
        assert heard == {}, "a pick that lies face down is in `secret` alone"

        played = Barriers(BALLOTS)
        playing = asyncio.gather(*(played.play(bases) for _ in range(2)))
        cut = partial(cluster.sql, _CUT, store_url.partition("///")[2].partition("?")[0])
        assert int(await asyncio.to_thread(cut)) == len(bases), "both listen over a connection of their own"
        await playing
    finally:
        nodes.close()
        await tap.close()
    rows = await rows_of(store_url, played.tables)
    assert anomalies(rows, played.logs) == []
    assert sum(row.kind == "revealed" for events in rows.values() for row in events) == played.done
    assert not [refused for log in played.logs for refused in log.refused]
    assert all(len(log.acked) == len(log.invoked) for log in played.logs)
