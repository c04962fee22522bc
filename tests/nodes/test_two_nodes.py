"""Two servers on one PostgreSQL, and a tap between them and it, which hears no pick that lies face down."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgresql
from tests.nodes.canaries import face_down, tapped_postgresql
from tests.nodes.nodes import ServerNodes

pytestmark = pytest.mark.anyio
CANARIES = 3


@pytest.fixture
def short() -> Iterator[str]:
    """A folder with a name that is short enough for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="facedown-tap-") as folder:
        yield folder


async def test_two_servers_tell_nobody_what_lies_face_down(
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
    finally:
        nodes.close()
        await tap.close()
