"""Metrics and limits of all server processes on one port (`--processes N`). The process that is asked asks
the others, over UNIX sockets in a folder that only their user can read.

The multiprocess mode of `prometheus_client` would replace only the merging of pages: it leaves out collectors
and reports callback gauges as 0, which most of our metrics are, and it knows no limits or loaded tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from facedown.server.ops.metrics import Families

_ANSWER_S: Final = 2.0
"""A process that takes longer to answer is left out."""


class ProcessCounts(Struct, frozen=True):
    """Metrics and limits of one process."""

    metrics: str
    """In the text format of Prometheus."""
    hits: tuple[tuple[str, str, int, int], ...]
    """The limits that were hit: which, by whom, how often, and when last (ms)."""
    loaded: int
    """Tables in memory."""


class ServerProcesses:
    """This process among those that serve on one port."""

    def __init__(self, own_counts: Callable[[], ProcessCounts]) -> None:
        self._own_counts = own_counts
        self._folder: Path | None = None
        self._number = 1
        self._server: asyncio.Server | None = None

    async def join(self, folder: Path, number: int) -> None:
        """Answer the others from now on; takes the place of an ending process with the same number."""
        self._folder, self._number = folder, number
        path = folder / str(number)
        path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._answer, path)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _answer(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write(msgspec.json.encode(self._own_counts()))
            await writer.drain()
        writer.close()

    async def counts(self) -> dict[int, ProcessCounts]:
        """The counts of all processes that answer, by their numbers."""
        numbers = (
            []
            if self._folder is None
            else sorted(int(each.name) for each in self._folder.iterdir() if each.name.isdigit())
        )
        others = [each for each in numbers if each != self._number]
        answers = await asyncio.gather(*(self._ask(each) for each in others))
        found = {number: answer for number, answer in zip(others, answers, strict=True) if answer is not None}
        return dict(sorted({self._number: self._own_counts(), **found}.items()))

    async def _ask(self, number: int) -> ProcessCounts | None:
        assert self._folder is not None
        try:
            async with asyncio.timeout(_ANSWER_S):
                reader, writer = await asyncio.open_unix_connection(self._folder / str(number))
                try:
                    return msgspec.json.decode(await reader.read(), type=ProcessCounts)
                finally:
                    writer.close()
        except (OSError, msgspec.MsgspecError):  # it is gone, or does not answer
            return None

    async def page(self) -> bytes:
        if self._folder is None:
            return self._own_counts().metrics.encode()
        return _merge_pages({number: each.metrics for number, each in (await self.counts()).items()})

    async def hits(self) -> tuple[tuple[str, str, int, int], ...]:
        """The limits that were hit at any process, the latest first."""
        found: dict[tuple[str, str], tuple[int, int]] = {}
        for counts in (await self.counts()).values():
            for limit, who, times, at in counts.hits:
                before, last = found.get((limit, who), (0, 0))
                found[limit, who] = (before + times, max(last, at))
        hits = ((limit, who, times, at) for (limit, who), (times, at) in found.items())
        return tuple(sorted(hits, key=lambda hit: -hit[3]))

    async def loaded_tables(self) -> int:
        """Tables in memory, counted at every process that has them."""
        return sum(counts.loaded for counts in (await self.counts()).values())


def _merge_pages(pages: Mapping[int, str]) -> bytes:
    """The metrics of several processes as one page, with the label `process`.

    >>> page = _merge_pages({1: "# TYPE a gauge\\na 3.0\\n", 2: "# TYPE a gauge\\na 4.0\\n"})
    >>> print(page.decode().partition("gauge\\n")[2], end="")
    a{process="1"} 3.0
    a{process="2"} 4.0
    """
    families: dict[str, Metric] = {}
    for number, page in pages.items():
        for family in text_string_to_metric_families(page):
            empty = Metric(family.name, family.documentation, family.type)
            whole = families.setdefault(family.name, empty)
            for sample in family.samples:
                whole.add_sample(sample.name, {**sample.labels, "process": str(number)}, sample.value)
    registry = CollectorRegistry()
    registry.register(Families(families.values))
    return generate_latest(registry)
