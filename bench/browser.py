"""How the page feels on a slow phone.   python bench/browser.py [--loads N] [--reveals N] [--game NAME]

Owns what is measured in the browser, over its own protocol: the first visit over a thin line, from the bundle
and from the sources side by side (`--form`: from one of them), and what a reveal costs the page's one thread.
Needs the test environment, and Chromium.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from playwright.sync_api import Browser, CDPSession, Page

from facedown.core import registry
from tests.server.programs import ask
from tests.web.chromium import CHROMIUM, chromium
from tests.web.shell.server_process import ServerProcess

SLOWER: Final = 4
"""A slow phone: the number of times that it is slower than this machine."""
LINE: Final = 1_600_000
"""Bits a second: fast 3G."""
LATENCY: Final = 150
"""Milliseconds that the line adds to a request."""
TASK: Final = 200
"""Milliseconds that one task may take during a reveal."""
MOST: Final = {
    "painted_ms": 1000,
    "play_now_ms": 2000,
    "from_click_to_table_ms": 3000,
    "table_opened_by_link_ms": 3000,
    "layout_shift": 0.05,
    "requests": 25,
    "bytes": 200_000,
    "fetched_twice": 0,
}
"""What a first visit may cost: home, one click, the first table."""
FORMS: Final = ("bundle", "sources")
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
_ARRIVE: Final = """
  globalThis.arrived = {};
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    list.getEntries().forEach((each) => { if (!each.hadRecentInput) shift += each.value; });
  }).observe({ type: 'layout-shift', buffered: true });
  const READY = {
    play: '.home button.first:not([disabled])',
    table: '.stage ul[data-free=true]',
  };
  const look = () => {
    for (const [name, where] of Object.entries(READY)) {
      if (!arrived[name] && document.querySelector(where)) arrived[name] = performance.now();
    }
    requestAnimationFrame(look);
  };
  look();
"""
_PAINTED: Final = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
_DURING: Final = """() => reveals.map(([from, to]) =>
  tasks.filter(([start, long]) => start < to && start + long > from)
    .reduce((most, [, long]) => Math.max(most, long), 0))"""


def main() -> int:
    """Measure, and print what came out. No number is a failure."""
    arguments = _arguments()
    if CHROMIUM is None:
        print("There is no Chromium on this machine.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder, chromium() as browser:
        found = _measured(browser, Path(folder), arguments)
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(_report(found)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="First paint and reveals in a throttled browser.")
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    parser.add_argument("--loads", type=int, default=5, help="first visits, each with an empty cache")
    parser.add_argument("--reveals", type=int, default=6, help="reveals of each game")
    parser.add_argument("--form", choices=FORMS, help="visit and play only this form of the page")
    parser.add_argument(
        "--game",
        action="append",
        choices=registry.names(),
        help="play this one (more than one may be named)",
    )
    parser.add_argument(
        "--slower", type=int, default=SLOWER, help=f"how many times slower the phone is ({SLOWER})"
    )
    return parser.parse_args()


def _measured(browser: Browser, folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    with ExitStack() as stack:
        wanted = [arguments.form] if arguments.form else FORMS
        forms = {form: stack.enter_context(_server(folder, form)) for form in wanted}
        url = forms[wanted[0]]
        games: Any = ask(url, "GET", "/games")
        titles = [each["title"] for each in games if each["name"] in (arguments.game or [each["name"]])]
        return {
            "browser": browser.version,
            "slower": arguments.slower,
            "bits_a_second": LINE,
            "latency_ms": LATENCY,
            "loads": arguments.loads,
            "visits": _visits(browser, forms, arguments.loads, arguments.slower),
            "reveals": {
                f"{title}, {slower} x slower": _revealed(browser, url, title, slower, arguments.reveals)
                for title in titles
                for slower in sorted({1, arguments.slower})
            },
        }


@contextmanager
def _server(folder: Path, client: str) -> Iterator[str]:
    server = ServerProcess(
        folder / client, FACEDOWN_CLIENT=client, FACEDOWN_TABLES="10000", FACEDOWN_PEOPLE="10000"
    )
    server.start()
    try:
        yield server.url
    finally:
        server.stop()


@contextmanager
def _phone(browser: Browser, slower: int, state: Any = None) -> Iterator[tuple[Page, CDPSession]]:
    context = browser.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        reduced_motion="no-preference",
        locale="en-GB",
        storage_state=state,
    )
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    yield page, session
    context.close()


# --- the first visit -------------------------------------------------------------------------------------


def _visits(browser: Browser, forms: dict[str, str], many: int, slower: int) -> dict[str, dict[str, float]]:
    """The median of each number; the forms take turns, so that a busy machine is busy for both."""
    visits: dict[str, list[dict[str, float]]] = {form: [] for form in forms}
    for _ in range(many):
        for form, url in forms.items():
            visits[form].append(_visit(browser, url, slower))
    return {
        form: {name: median(each[name] for each in found) for name in MOST} for form, found in visits.items()
    }


def _visit(browser: Browser, url: str, slower: int) -> dict[str, float]:
    """With an empty cache: home, one click, the first table; then that table's address on another phone."""
    weights: list[float] = []
    asked: list[str] = []
    with _thin_line(browser, slower) as (page, session):
        session.on("Network.loadingFinished", lambda each: weights.append(each["encodedDataLength"]))
        page.on("request", lambda each: asked.append(f"{each.method} {each.url}"))
        page.goto(url)
        page.wait_for_function("() => arrived.play")
        page.wait_for_load_state("networkidle")
        began = page.evaluate("() => performance.now()")
        page.locator(".home button.first").first.click()
        page.wait_for_function("() => arrived.table")
        page.wait_for_load_state("networkidle")
        arrived = page.evaluate("() => arrived")
        shift, painted = page.evaluate("() => shift"), float(page.evaluate(_PAINTED))
        table, state = page.url, page.context.storage_state()
    with _thin_line(browser, slower, state) as (page, _):
        page.goto(table)
        page.wait_for_function("() => arrived.table")
        by_link = page.evaluate("() => arrived.table")
    files = [each for each in asked if "/api/" not in each]
    return {
        "painted_ms": painted,
        "play_now_ms": arrived["play"],
        "from_click_to_table_ms": arrived["table"] - began,
        "table_opened_by_link_ms": by_link,
        "layout_shift": shift,
        "requests": len(asked),
        "bytes": sum(weights),
        "fetched_twice": len(files) - len(set(files)),
    }


@contextmanager
def _thin_line(browser: Browser, slower: int, state: Any = None) -> Iterator[tuple[Page, CDPSession]]:
    with _phone(browser, slower, state) as (page, session):
        page.add_init_script(_ARRIVE)
        session.send("Network.enable")
        line = {
            "offline": False,
            "latency": LATENCY,
            "downloadThroughput": LINE / 8,
            "uploadThroughput": LINE / 8,
        }
        session.send("Network.emulateNetworkConditions", line)
        yield page, session


# --- reveals ---------------------------------------------------------------------------------------------


def _revealed(browser: Browser, url: str, title: str, slower: int, many: int) -> dict[str, Any]:
    """The longest task during each of this number of reveals, with full motion, against a machine."""
    with _phone(browser, slower) as (page, _):
        page.add_init_script(_WATCH)
        page.add_init_script("localStorage['facedown.played'] ??= true")  # home lists all games
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
    visits = found["visits"]
    yield f"A first visit with an empty cache, {found['loads']} times, by the form of the page"
    yield f"  {'':<26} {'at most':>9} {' '.join(f'{form:>9}' for form in visits)} {'ratio':>7}"
    for name, most in MOST.items():
        numbers = [each[name] for each in visits.values()]
        ratio = f"{numbers[0] / numbers[1]:>7.2f}" if len(numbers) == 2 and numbers[1] else ""
        columns = " ".join(f"{number:>9.5g}" for number in numbers)
        yield f"  {name.replace('_', ' '):<26} {most:>9g} {columns} {ratio}".rstrip()
    yield ""
    yield f"The longest task during a reveal, full motion; the share of {TASK} ms (0: none over 50 ms)"
    yield f"  {'':<34} {'reveals':>9} {'longest':>9} {'share':>7}"
    for name, row in found["reveals"].items():
        longest = row["longest_task_ms"]
        yield f"  {name:<34} {row['reveals']:>9} {longest:>6.0f} ms {longest / TASK:>7.0%}"


if __name__ == "__main__":
    raise SystemExit(main())
