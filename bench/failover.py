"""Three servers on a PostgreSQL that fails over, behind a proxy.   python bench/failover.py [NEMESIS …]

For each nemesis tables are played by clients that repeat what was not answered and come back anywhere; then
every client's history is compared with the store. Prints each bar with its figure; status 1 if one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from bench.nemeses import patroni, proxied, standby
from bench.nemeses.stage import Report, Stage
from tests import postgresql

NEMESES: Final[dict[str, Callable[[Stage], Awaitable[Any]]]] = {
    each.__name__: each for each in (proxied.proxy, standby.standby, patroni.patroni)
}


def main() -> int:
    """Run the requested nemeses, or all."""
    listed = "\n".join(f"  {name:12}{each.__doc__}" for name, each in NEMESES.items())
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\n{listed}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "nemeses", nargs="*", default=list(NEMESES), choices=[*NEMESES, []], metavar="NEMESIS"
    )
    parser.add_argument("--tables", type=int, default=50, help="tables that are played at a time (50)")
    asked = vars(parser.parse_args())
    nemeses = asked.pop("nemeses")
    report = Report()
    print(json.dumps({"python": interpreter(), "cores": os.cpu_count(), **asked}))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        os.chmod(folder, 0o777)  # PostgreSQL runs as another user where this is root
        cluster = postgresql.Cluster(Path(folder) / "postgresql").make().start()
        postgresql.end_with(os.getpid(), cluster)
        stage = Stage(cluster, Path(folder), asked["tables"], report)
        try:
            for name in nemeses:
                print(f"{name}: {NEMESES[name].__doc__}", flush=True)
                asyncio.run(NEMESES[name](stage))  # type: ignore[arg-type]  # all of them are coroutines
        finally:
            cluster.stop()
    print("all bars hold" if not report.missed else f"missed: {', '.join(report.missed)}")
    return bool(report.missed)


if __name__ == "__main__":
    sys.exit(main())
