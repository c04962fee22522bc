"""Opening an address for a person: a window of its own, the usual browser, or nothing without a screen."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import pytest

from facedown.cli.browser import open_browser

LINK = "http://127.0.0.1:9/i/code"


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A screen, and a machine without browsers; what the usual one opens."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setenv("PATH", str(tmp_path))
    return opened


def test_a_window_of_its_own_is_opened_by_a_browser_that_can(screen: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "asked")
    browser = tmp_path / "chromium"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/asked\n')
    browser.chmod(0o755)

    assert open_browser(LINK, window=True) == ""

    assert (tmp_path / "asked").read_text() == f"--app={LINK}\n"
    assert screen == []


def test_without_one_the_usual_browser_opens_it_and_a_sentence_says_so(screen: list[str]) -> None:
    assert "your usual browser" in open_browser(LINK, window=True)
    assert open_browser(LINK) == ""
    while len(screen) < 2:  # by threads of their own
        pass
    assert screen == [LINK, LINK]


def test_without_a_screen_nothing_is_opened(screen: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)

    assert "no screen" in open_browser(LINK, window=True)
    assert screen == []
