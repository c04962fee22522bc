"""How the page feels on a slow phone.   python bench/browser.py [--json] [--loads N] [--reveals N]

Owns what is measured in the browser, over its own protocol: first paint over a thin line, and what a reveal
costs the page's one thread. Needs the test environment, and Chromium.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from playwright.sync_api import Browser, CDPSession, Page

from tests.server.programs import ask
from tests.web.chromium import CHROMIUM, chromium
from tests.web.shell.server_process import ServerProcess

SLOWER: Final = 4
"""A slow phone: so many times slower than this machine."""
LINE: Final = 1_600_000
"""Bits a second."""
PAINT: Final = 1000
"""Milliseconds that the first paint may take."""
TASK: Final = 200
"""Milliseconds that one task may take during a reveal."""
WEIGHT: Final = 200_000
"""Bytes that the whole client may have on the wire."""
PHONE: Final = {"width": 390, "height": 844}
_WATCH: Final = """
  globalThis.tasks = [];
  globalThis.reveals = [];
  new PerformanceObserver((list) => {
    list.getEntries().forEach((each) => tasks.push([each.startTime, each.duration]));
  }).observe({ type: 'longtask', buffered: true });
  let stage = 'rest';
  new MutationObserver(() => {
    const now = document.querySelector('.stage [data-stage]')?.dataset.stage ?? 'rest';
    if (stage === 'rest' && now !== 'rest') reveals.push([performance.now(), Infinity]);
    if (stage !== 'rest' && now === 'rest') reveals.at(-1)[1] = performance.now();
    stage = now;
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-stage'] });
"""
_PAINTED: Final = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
_DURING: Final = """() => reveals.map(([from, to]) =>
  tasks.filter(([start, long]) => start < to && start + long > from)
    .reduce((most, [, long]) => Math.max(most, long), 0))"""


def main() -> int:
    """Measure, and say what came out. No number is a failure."""
    arguments = _arguments()
    if CHROMIUM is None:
        print("There is no Chromium on this machine.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        server = ServerProcess(Path(folder), FACEDOWN_TABLES="10000", FACEDOWN_PEOPLE="10000")
        server.start()
        try:
            with chromium() as browser:
                found = _measured(browser, server.url, arguments)
        finally:
            server.stop()
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(_report(found)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="First paint and reveals in a throttled browser.")
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    parser.add_argument("--loads", type=int, default=5, help="loads of each page, each with an empty cache")
    parser.add_argument("--reveals", type=int, default=6, help="reveals of each game")
    parser.add_argument("--latency", type=int, default=0, help="milliseconds that the line adds to a request")
    return parser.parse_args()


def _measured(browser: Browser, url: str, arguments: argparse.Namespace) -> dict[str, Any]:
    games: Any = ask(url, "GET", "/games")
    pages = {"home": "/", **{f"rules of {each['title']}": f"/rules/{each['name']}" for each in games}}
    return {
        "browser": browser.version,
        "slower": SLOWER,
        "bits_a_second": LINE,
        "latency_ms": arguments.latency,
        "loads": arguments.loads,
        "paint": {name: _painted(browser, url + path, arguments) for name, path in pages.items()},
        "reveals": {
            f"{each['title']}, {slower} x slower": _revealed(
                browser, url, each["title"], slower, arguments.reveals
            )
            for each in games
            for slower in (1, SLOWER)
        },
    }


@contextmanager
def _phone(browser: Browser, slower: int) -> Iterator[tuple[Page, CDPSession]]:
    context = browser.new_context(viewport=PHONE, reduced_motion="no-preference", locale="en-GB")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(120_000)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    yield page, session
    context.close()


# --- first paint -----------------------------------------------------------------------------------------


def _painted(browser: Browser, address: str, arguments: argparse.Namespace) -> dict[str, float]:
    loads = [_load(browser, address, arguments.latency) for _ in range(arguments.loads)]
    return {
        "first_contentful_paint_ms": median(paint for paint, _ in loads),
        "slowest_ms": max(paint for paint, _ in loads),
        "bytes": median(weight for _, weight in loads),
    }


def _load(browser: Browser, address: str, latency: int) -> tuple[float, float]:
    """With an empty cache: when something was first seen, and what came over the line until it was quiet."""
    weights: list[float] = []
    with _phone(browser, SLOWER) as (page, session):
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda each: weights.append(each["encodedDataLength"]))
        line = {
            "offline": False,
            "latency": latency,
            "downloadThroughput": LINE / 8,
            "uploadThroughput": LINE / 8,
        }
        session.send("Network.emulateNetworkConditions", line)
        page.goto(address)
        page.wait_for_load_state("networkidle")
        return float(page.evaluate(_PAINTED)), sum(weights)


# --- reveals ---------------------------------------------------------------------------------------------


def _revealed(browser: Browser, url: str, title: str, slower: int, many: int) -> dict[str, Any]:
    """The longest task during each of so many reveals, with full motion, against a machine."""
    with _phone(browser, slower) as (page, _):
        page.add_init_script(_WATCH)
        page.goto(url)
        page.get_by_role("button", name=f"Play now: {title}").click()
        for done in range(many):
            page.wait_for_selector(".stage ul[data-free=true], .ending")
            if page.locator(".ending").count():
                break
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.wait_for_function("(done) => reveals.length > done", arg=done)
            page.wait_for_timeout(2500)  # all of the turning, and some of the reading
            page.keyboard.press("Escape")
            page.keyboard.press("Escape")
            page.wait_for_selector(".stage [data-stage=rest]")
        longest: list[float] = page.evaluate(_DURING)
    return {"reveals": len(longest), "longest_task_ms": max(longest, default=0), "each_ms": longest}


# --- the report ------------------------------------------------------------------------------------------


def _report(found: dict[str, Any]) -> Iterator[str]:
    yield (
        f"Chromium {found['browser']}, a phone {found['slower']} x slower than this machine, "
        f"{found['bits_a_second'] / 1e6:.1f} Mbit/s, {found['latency_ms']} ms more a request"
    )
    yield ""
    yield f"First contentful paint with an empty cache, {found['loads']} loads; the share of {PAINT} ms"
    yield f"  {'':<34} {'median':>9} {'share':>7} {'slowest':>9} {'KB':>7} {'share':>7}"
    for name, row in found["paint"].items():
        paint, weight = row["first_contentful_paint_ms"], row["bytes"]
        yield (
            f"  {name:<34} {paint:>6.0f} ms {paint / PAINT:>7.0%} {row['slowest_ms']:>6.0f} ms "
            f"{weight / 1000:>7.0f} {weight / WEIGHT:>7.0%}"
        )
    yield ""
    yield f"The longest task during a reveal, full motion; the share of {TASK} ms (0: none over 50 ms)"
    yield f"  {'':<34} {'reveals':>9} {'longest':>9} {'share':>7}"
    for name, row in found["reveals"].items():
        longest = row["longest_task_ms"]
        yield f"  {name:<34} {row['reveals']:>9} {longest:>6.0f} ms {longest / TASK:>7.0%}"


if __name__ == "__main__":
    raise SystemExit(main())
