"""How long a static site takes to its first table.   python bench/site.py [--visits N] [--folder SITE]

Owns what is measured of Python in a page: the bytes that travel, the stages of the start that the worker
reports, and the time from *Play now* to a hand; on a first visit, a later one, and without a network.
Run it on a quiet machine. Needs the test environment, Chromium, and Python for browsers (fetched once).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from playwright.sync_api import Browser, BrowserContext

from tests.web.chromium import CHROMIUM, chromium

MOST: Final = {"first": 15_000, "later": 5_000, "offline": 5_000}
"""Milliseconds from *Play now* to the first table."""
_PATIENCE_MS: Final = 300_000
_WATCH: Final = """
  globalThis.stages = {};
  const Before = Worker;
  globalThis.Worker = class extends Before {
    constructor(...all) {
      super(...all);
      stages.worker = performance.now();
      this.addEventListener("message", ({ data }) => {
        if (data.part !== undefined) stages[data.part] = performance.now();
        if (data.ready) stages.ready = performance.now();
      });
    }
  };
"""
_TABLE: Final = ".stage ul[data-free=true]"


def main() -> int:
    """Measure, and print what came out. No number is a failure."""
    parser = argparse.ArgumentParser(description="A static site, from Play now to the first table.")
    parser.add_argument("--visits", type=int, default=3, help="visitors, each with an empty browser")
    parser.add_argument("--folder", type=Path, help="a site that is there already")
    parser.add_argument("--read", type=float, default=0, help="seconds that a visitor looks at home first")
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    arguments = parser.parse_args()
    if CHROMIUM is None:
        print("There is no Chromium on this machine.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        site = arguments.folder or _site(Path(folder))
        with _served(site) as address, chromium() as browser:
            found = [_visits(browser, address, arguments.read) for _ in range(arguments.visits)]
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(_report(found)))
    return 0


def _site(folder: Path) -> Path:
    command = [sys.executable, "-m", "facedown", "site", str(folder / "site")]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "site"


@contextmanager
def _served(site: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def _visits(browser: Browser, address: str, read: float) -> dict[str, dict[str, float]]:
    """One person's first visit, a later one, and one without a network."""
    context = browser.new_context()
    context.add_init_script(_WATCH)
    try:
        return {
            "first": _visit(context, address, read),
            "later": _visit(context, address, read),
            "offline": _visit(context, address, read, offline=True),
        }
    finally:
        context.close()


def _visit(context: BrowserContext, address: str, read: float, *, offline: bool = False) -> dict[str, float]:
    context.set_offline(offline)
    page = context.new_page()
    sizes: list[float] = []
    page.on("requestfinished", lambda each: sizes.append(each.sizes()["responseBodySize"]))
    page.goto(address)
    button = page.locator(".home button.first").first
    button.wait_for(timeout=_PATIENCE_MS)
    page.wait_for_timeout(1000 * read)
    pressed = page.evaluate("performance.now()")
    button.click()
    page.locator(_TABLE).wait_for(timeout=_PATIENCE_MS)
    table = page.evaluate("performance.now()")
    stages: dict[str, float] = page.evaluate("stages")
    found = {"table": table - pressed} | {name: at - pressed for name, at in stages.items()}
    page.wait_for_timeout(8000)  # what is kept after the first table
    page.close()
    return {name: round(each) for name, each in found.items()} | {"bytes": sum(sizes)}


def _report(found: list[dict[str, dict[str, Any]]]) -> Iterator[str]:
    for visit, most in MOST.items():
        yield f"{visit} visit: first table after {most} ms at most"
        names = [name for name in found[0][visit] if name != "bytes"]
        for name in sorted(names, key=lambda each: found[0][visit][each]):
            yield f"  {name:10} {median(each[visit][name] for each in found):8.0f} ms after Play now"
        yield f"  {median(each[visit]['bytes'] for each in found):,.0f} bytes"


if __name__ == "__main__":
    sys.exit(main())
