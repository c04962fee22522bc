"""Two servers that seal the same ballot at the same instant."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

from bench.nemeses.stage import Stage, percentile
from tests.cluster.history import anomalies
from tests.cluster.lockstep import Barriers

_COUNT_TRIES = """
import atexit, collections, json
from facedown.server.table.inbox import TableInbox
tries, answer = collections.Counter(), TableInbox._answer
def counted(self, answers):
    tries.update(job.tries + 1 for job, _, _ in answers)
    answer(self, answers)
TableInbox._answer = counted
atexit.register(lambda: open({path!r}, "w").write(json.dumps(tries)))
"""


async def ballots(stage: Stage) -> None:
    """The seats of a table at two servers seal at the same instant, again and again."""
    files = [stage.new_folder("tries") for _ in range(2)]
    before = {number: _COUNT_TRIES.format(path=str(file)) for number, file in enumerate(files)}
    nodes = stage.nodes(2, before=before)
    try:
        counted = Barriers(stage.sizes.ballots)
        bases = [node.base for node in nodes.all]
        await asyncio.gather(*(counted.play(bases) for _ in range(min(stage.tables, 10))))
        rows = await stage.rows(counted.tables)
        for node in nodes.all:
            await asyncio.to_thread(nodes.term, node)
    finally:
        nodes.close()
    found = anomalies(rows, counted.logs)
    revealed = sum(row.kind == "revealed" for events in rows.values() for row in events)
    stage.report.none_of(f"anomalies in {counted.done} ballots", len(found))
    stage.report.bar("reveals", revealed, revealed == counted.done, f"{counted.done}, one a ballot")
    stage.report.none_of("refusals", sum(len(log.refused) for log in counted.logs))
    tries = sorted(Counter(_tries(files)).elements())
    stage.report.bar("tries, p99", percentile(tries, 0.99), percentile(tries, 0.99) <= 2, "2")
    conflicts = sum(each > 1 for each in tries)
    apart = sorted(counted.apart)
    print(f"         {conflicts} of {len(tries)} commands met a head that had moved, most tries {tries[-1]};")
    print(f"         both sent within {percentile(apart, 0.99) * 1e6:.0f} µs (p99)")


def _tries(files: list[Path]) -> dict[int, int]:
    """How many commands took how many tries, at both servers."""
    found: Counter[int] = Counter()
    for file in files:
        found.update({int(number): many for number, many in json.loads(file.read_text()).items()})
    return found
