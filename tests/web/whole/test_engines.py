"""The newcomer's way and a whole game of each kind in Firefox and WebKit; with `THOROUGH=1`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.web.shell.server_process import ServerProcess
from tests.web.whole.engines import Engine, firefox, webkit
from tests.web.whole.players import READ

_COMPLAIN = """(() => {
  globalThis.complaints = [];
  const note = (event) => complaints.push(String(event.message ?? event.reason));
  addEventListener('error', note);
  addEventListener('unhandledrejection', note);
  return true;
})()"""


@pytest.mark.skipif(not os.environ.get("THOROUGH"), reason="other browsers are thorough")
@pytest.mark.parametrize("browser", [firefox, webkit])
def test_a_newcomer_and_whole_games(
    browser: Callable[[Path], AbstractContextManager[Engine]], server: ServerProcess, tmp_path: Path
) -> None:
    with browser(tmp_path / "profile") as engine:
        engine.goes_to(server.url)
        assert engine.waits(_COMPLAIN)
        _looks_around(engine)
        for game in ("E-Card", "Davenport"):
            engine.clicks("button", f"Play now: {game}")
            engine.waits("!!document.querySelector('.stage ul[data-free=true]')")
            engine.clicks("button", "Skip hints")
            engine.waits("!document.querySelector('.coach-hint')")
            _plays(engine)
            engine.clicks("a", "Review")
            engine.waits("!!document.querySelector('.verification li') || document.title.includes('Review')")
            engine.clicks("a", "Home")
        assert engine.reads("complaints") == []


def _looks_around(engine: Engine) -> None:
    engine.clicks("a", "Rules")
    engine.waits("!!document.querySelector('.rule-page')")
    engine.clicks("a", "Settings")
    engine.clicks(".choices input[value=ja]")
    engine.waits("document.querySelector('h1')?.textContent === '設定'")
    engine.clicks(".choices input[value=en]")
    engine.waits("document.querySelector('h1')?.textContent === 'Settings'")
    engine.clicks("a", "Home")
    assert engine.reads("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


_CARD = ".stage [data-pick][aria-disabled=false]"
_SEAL = ".ec-seal, .dv-play"
_GO_ON = ".ec-scene .ec-seal, .dv-on"


def _plays(engine: Engine) -> None:
    """A whole game by the mouse: any card, the button that seals it, and on from every result."""
    changed, before = time.monotonic(), None
    while not (seen := engine.reads(f"({READ})()"))["ending"]:
        if seen["due"]:
            engine.clicks(_SEAL if seen["raised"] else _CARD)
        elif engine.reads(f"!!document.querySelector('{_GO_ON}')"):
            engine.clicks(_GO_ON)
        elif seen["stage"] not in ("", "rest"):
            engine.clicks(".stage")  # hurries the reveal, and leads on from a draw
        if seen != before:
            changed, before = time.monotonic(), seen
        assert time.monotonic() < changed + PATIENCE, seen
        time.sleep(0.1)
