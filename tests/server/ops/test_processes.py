"""Metrics and limits of several processes on one port: each reports those of all."""

from __future__ import annotations

import asyncio
from pathlib import Path

from facedown.server.ops.metrics import ConnectionCounts, GuardCounts, Metrics
from facedown.server.ops.processes import ProcessCounts, ServerProcesses


def counting(loaded: int, *hits: tuple[str, str, int, int]) -> ServerProcesses:
    """A process that has counted this, and for each table one chat message and one flood."""
    metrics = Metrics()
    metrics.watch_connections(GuardCounts(), ConnectionCounts(flooded=loaded))
    for _ in range(loaded):
        metrics.command("say")
    return ServerProcesses(lambda: ProcessCounts(metrics.page().decode(), hits, loaded))


def test_each_reports_the_counts_of_all(tmp_path: Path) -> None:
    async def main() -> None:
        one = counting(
            3, ("too many tables", "person ann", 2, 1000), ("too many reports", "person bob", 1, 900)
        )
        two = counting(4, ("too many tables", "person ann", 5, 2000))
        await one.join(tmp_path, 1)
        await two.join(tmp_path, 2)
        for asked in (one, two):
            assert await asked.loaded_tables() == 7
            assert await asked.hits() == (
                ("too many tables", "person ann", 7, 2000),
                ("too many reports", "person bob", 1, 900),
            )
            page = (await asked.page()).decode()
            assert page.count("# TYPE facedown_commands_total counter") == 1
            assert 'facedown_commands_total{code="ok",do="say",process="1"} 3.0' in page
            assert 'facedown_commands_total{code="ok",do="say",process="2"} 4.0' in page
            assert 'facedown_sockets_closed_total{process="1",why="flooded"} 3.0' in page
            assert 'facedown_sockets_closed_total{process="2",why="flooded"} 4.0' in page
        third = counting(5)
        await third.join(tmp_path, 2)  # replaces the second one, which still ends its work
        assert await one.loaded_tables() == 8
        await third.close()
        assert await one.loaded_tables() == 3  # a process that does not answer is left out
        await one.close()
        await two.close()

    asyncio.run(main())


def test_a_server_of_one_process_has_no_labels_of_processes() -> None:
    page = asyncio.run(counting(2).page()).decode()
    assert 'facedown_commands_total{code="ok",do="say"} 2.0' in page
    assert "process=" not in page
