"""The newcomer's way and a whole game of each kind in Firefox and WebKit; with `THOROUGH=1`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

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

_CHOOSE = """(() => {
  const list = document.querySelector('.settings select');
  if (list) list.value = 'LANG';
  return list?.dispatchEvent(new Event('change', { bubbles: true }));
})()"""
"""Chooses a language: the open list is the system's own, out of reach of a remote control."""


@pytest.mark.skipif(not os.environ.get("THOROUGH"), reason="other browsers are thorough")
@pytest.mark.parametrize("browser", [firefox, webkit])
def test_a_newcomer_and_whole_games(
    browser: Callable[[Path], AbstractContextManager[Engine]], server: ServerProcess, tmp_path: Path
) -> None:
    with browser(tmp_path / "profile") as engine:
        engine.goes_to(server.url)
        assert engine.waits(_COMPLAIN)
        _looks_around(engine)
        for play, acts in ("Play E-Card", _by_mouse), ("Play now: Davenport", _by_keys):
            engine.clicks("button", play)
            engine.waits("!!document.querySelector('.stage ul[data-free=true]')")
            engine.clicks("button", "Skip hints")
            engine.waits("!document.querySelector('.coach-hint')")
            _plays(engine, acts)
            engine.clicks("a", "Review")
            engine.waits("!!document.querySelector('.verification li') || document.title.includes('Review')")
            engine.clicks("a", "Home")
        assert engine.reads("complaints") == []


def _looks_around(engine: Engine) -> None:
    engine.clicks("a", "Rules")
    engine.waits("!!document.querySelector('.rule-page')")
    engine.clicks("a", "Settings")
    engine.waits(_CHOOSE.replace("LANG", "ja"))
    engine.waits("document.querySelector('h1')?.textContent === '設定'")
    engine.waits(_CHOOSE.replace("LANG", "en"))
    engine.waits("document.querySelector('h1')?.textContent === 'Settings'")
    engine.clicks("a", "Home")
    assert engine.reads("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


_CARD = ".stage [data-pick][aria-disabled=false]"
_SEAL = ".ec-seal, .dv-play"
_GO_ON = ".ec-scene .ec-seal, .dv-on"


def _by_mouse(engine: Engine, seen: dict[str, Any]) -> None:
    if seen["due"]:
        engine.clicks(_SEAL if seen["raised"] else _CARD)
    elif engine.reads(f"!!document.querySelector('{_GO_ON}')"):
        engine.clicks(_GO_ON)
    elif seen["stage"] not in ("", "rest"):
        engine.clicks(".stage")  # hurries the reveal, and leads on from a draw


def _by_keys(engine: Engine, seen: dict[str, Any]) -> None:
    """Cards are raised by their number. (Enter presses no button at all in a Firefox without a window.)"""
    if seen["due"] and not seen["raised"]:
        engine.presses("1")
    else:
        _by_mouse(engine, seen)


def _plays(engine: Engine, acts: Callable[[Engine, dict[str, Any]], None]) -> None:
    """A whole game: any card, what seals it, and on from every result."""
    changed, before = time.monotonic(), None
    while not (seen := engine.reads(f"({READ})()"))["ending"]:
        acts(engine, seen)
        if seen != before:
            changed, before = time.monotonic(), seen
        assert time.monotonic() < changed + PATIENCE, seen
        time.sleep(0.1)
