"""Play without a network: the server is stopped, the network is cut, and the page goes on alone.

Python takes long to start in a browser: there are few tests here, and each of them does much.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.web.offline.pyodide import NoPyodide, cache_folder, require_pyodide
from tests.needs import without
from tests.patience import PATIENCE, PATIENCE_MS
from tests.web.screenshots.camera import Camera
from tests.web.screenshots.positions import Guest, lay
from tests.web.shell.server_process import ServerProcess, Visitor
from tests.web.whole.players import Seen, play
from tests.web.whole.pointer import PointerPlayer

THIRD_GAME: Final = Path(__file__).parents[2] / "third_game"
START_MS: Final = 2 * PATIENCE_MS
"""Milliseconds for Python to start, beside whatever else this machine does."""


@pytest.fixture(scope="module", autouse=True)
def pyodide() -> Path:
    """Python for browsers, which is fetched once."""
    try:
        return require_pyodide(cache_folder())
    except NoPyodide as error:
        without(f"Python for browsers cannot be had: {error}")


def first_playable(seen: Mapping[int, Seen]) -> dict[int, str]:
    """Everybody plays the first card that may be played."""
    return {seat: each.playable[0] for seat, each in seen.items() if each.due}


def plays_a_round(visitor: Visitor) -> PointerPlayer:
    """By the pointer; the rounds after the first are like it."""
    player = PointerPlayer(visitor)
    play([player], first_playable, until=lambda seen: all("Round 2" in each.place for each in seen.values()))
    return player


def plays_a_round_and_resigns(visitor: Visitor) -> str:
    """By the pointer; what the page says then."""
    page, player = visitor.page, plays_a_round(visitor)
    if page.get_by_role("button", name="Menu").is_visible():
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".ending h2")).to_contain_text(re.compile("won|resigned"))
    return player.sees().ending


_CANCEL: Final = """() => {
  const look = (_, watch) => {
    const status = [...document.querySelectorAll("[role=status]")];
    if (!status.some((each) => each.textContent.includes("Getting the table ready"))) return;
    watch.disconnect();
    globalThis.waited = document.querySelectorAll(".empty-place").length;
    document.querySelector("[role=status] button").click();
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""
"""Notes that a page asks for patience and shows the places of a table, and gives the start up then.

Where Python keeps all cores busy, a click comes back only when it has started: too late to look.
"""


def starts(page: Page, game: str) -> None:
    """The big button, then a moment until the table is ready; the first hints are not wanted."""
    page.get_by_role("button", name=f"Play now: {game}").click()
    expect(page.locator(".table-frame")).to_be_visible(timeout=START_MS)
    page.get_by_role("button", name="Skip hints").click()


_COMPILED: Final = """async (expected) => {
  const cache = await caches.open("facedown-compiled");
  const found = [];
  for (const each of await cache.keys())
    if ((await (await cache.match(each)).text()).includes(".pyc")) found.push(each.url.split("/").at(-1));
  return found.sort().join() === expected;
}"""
"""Whether these are the archives that are kept with bytecode in them."""


def reads_the_review(page: Page) -> None:
    """From the end of a game to what it was worth."""
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".review-columns")).to_be_visible(timeout=START_MS)
    expect(page.locator(".review-columns .notice")).to_have_count(0)


def proves_a_game_on_the_server(visitor: Visitor, url: str) -> None:
    """Python in the page checks the rules: with what the browser checks itself, nothing is missing."""
    ann, bob = Guest(url, "Ann"), Guest(url, "Bob")
    table = lay(ann, "ecard", [bob])
    table.plays("CC", "CC")
    table.resigns(2)
    page = visitor.goes_to(f"/review/{table.id}?seat=2")
    verdict = page.locator(".verification [data-verdict]")
    expect(verdict).to_have_text("consistent, but not proven; missing: cards, result")
    page.get_by_role("button", name="Check the rules too").click()
    expect(verdict).to_have_text("proven", timeout=START_MS)
    expect(page.locator(".verification li[data-check=picks]")).to_contain_text("3 decisions")
    expect(page.locator(".verification li[data-check=history][data-holds=true]")).to_be_visible()


# --- the server's own page ------------------------------------------------------------------------------


@pytest.fixture
def stopped(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server whose machines do not hesitate, and which a test may stop."""
    served = ServerProcess(tmp_path / "server", FACEDOWN_MACHINE_PAUSE="0")
    served.start()
    yield served
    served.stop()


def test_without_server_and_network_a_game_against_a_machine_and_pass_and_play(
    stopped: ServerProcess, browser: Browser
) -> None:
    visitor = Visitor(browser, stopped.url, wide=390, high=844, worker=True)
    page = visitor.goes_to("/settings")
    page.get_by_role("button", name="Keep on this device").click()
    expect(page.get_by_text("You can play without a network")).to_be_visible()
    proves_a_game_on_the_server(visitor, stopped.url)
    assert visitor.complaints == []

    stopped.stop()
    visitor.context.set_offline(True)
    visitor.follows("/")  # Python runs in this page; below, a reload starts it without a network
    expect(page.get_by_text("No network")).to_be_visible()
    expect(page.get_by_role("link", name="Challenge a friend")).to_have_count(0)
    starts(page, "E-Card")
    assert page.url.rpartition("/")[2].startswith("LOCAL")
    ending = plays_a_round_and_resigns(visitor)
    page.wait_for_function(_COMPILED, arg="code.zip,python_stdlib.zip", timeout=START_MS)
    page.reload()  # now from the bytecode that is kept
    expect(page.locator(".ending h2")).to_have_text(ending, timeout=START_MS)
    reads_the_review(page)

    page.get_by_role("link", name="Home").first.click()
    page.get_by_role("button", name="Davenport", exact=True).click()
    page.locator(".home-game", has_text="Davenport").get_by_role("link", name="Pass and play").click()
    page.get_by_label("Name of seat 1").fill("Ann")
    page.get_by_label("Name of seat 2").fill("Bo")
    page.get_by_role("button", name="Open the table").click()
    curtain = page.locator("dialog.curtain[open]")
    expect(curtain).to_contain_text("Ann")
    assert page.locator(".stage [data-pick]").count() == 0, "a hand is in the page behind the curtain"
    assert len(plays_a_round(visitor).picked) == 2
    visitor.leaves()


# --- the static site ------------------------------------------------------------------------------------


class _Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site, in a folder of a plain web server, called like one of its own folders."""
    tmp_path = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "facedown", "site", str(tmp_path / "app")]
    path = os.pathsep.join(filter(None, [str(THIRD_GAME), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "FACEDOWN_MACHINE_PAUSE": "0", "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert "Games: goofspiel, davenport, ecard." in done.stdout
    assert "http.server" in done.stdout
    for other in ("games", "x/y"):
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).symlink_to(tmp_path / "app")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path))) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/app/"
        served.shutdown()


def test_a_static_site_in_a_folder_has_rules_a_game_and_its_review(site: str, browser: Browser) -> None:
    visitor = Visitor(browser, site, worker=True)
    foreign: list[str] = []
    visitor.page.on(
        "request", lambda asked: None if asked.url.startswith(site) else foreign.append(asked.url)
    )
    page = visitor.goes_to("")
    page.get_by_role("link", name="Rules").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("link", name="Home").first.click()
    expect(page.get_by_role("button", name="Play now: E-Card")).to_be_visible()
    page.evaluate(_CANCEL)
    page.get_by_role("button", name="Play now: E-Card").click()
    expect(page.get_by_text("Nothing was lost")).to_be_visible()
    assert page.evaluate("globalThis.waited") == 2, "no table was shown while Python started"
    Camera(page).takes("given-up")
    starts(page, "E-Card")
    assert plays_a_round_and_resigns(visitor)
    reads_the_review(page)
    page.get_by_role("link", name="Home").first.click()
    page.get_by_role("button", name="Play now: Goofspiel").click()  # a game of another package
    expect(page.locator(".gn-status")).to_have_text("Choose one, then seal it.")
    assert [each for each in foreign if not each.startswith("data:")] == []
    assert visitor.complaints == []

    page.go_back()
    expect(page.get_by_role("button", name="Play now: E-Card")).to_be_visible()
    page.go_back()  # to the review: what Python did once, it does without a network
    visitor.context.set_offline(True)
    page.reload()
    expect(page.locator(".review-columns")).to_be_visible(timeout=START_MS)
    page.evaluate("Promise.all([caches.delete('facedown-run'), caches.delete('facedown-compiled')])")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("needs the network once more")
    page.get_by_role("link", name="Home").first.click()
    expect(page.get_by_role("link", name="Settings")).to_be_visible()
    visitor.leaves()


def test_a_static_site_works_whatever_its_folder_is_called(site: str, browser: Browser) -> None:
    for folder in ("games/", "x/y/"):
        visitor = Visitor(browser, site.removesuffix("app/") + folder)
        page = visitor.goes_to("")
        expect(page.get_by_role("button", name="Play now: E-Card")).to_be_visible()
        page.get_by_role("link", name="Rules").first.click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert visitor.complaints == []
        visitor.leaves()
