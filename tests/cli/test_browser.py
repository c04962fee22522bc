"""Opening an address for a person: in the usual browser, or nowhere without a screen."""

from __future__ import annotations

import webbrowser

import pytest

from facedown.commands.serve import open_browser

LINK = "http://127.0.0.1:9/i/code"


@pytest.mark.parametrize("screen", [True, False])
def test_the_usual_browser_is_opened_if_there_is_a_screen(
    monkeypatch: pytest.MonkeyPatch, *, screen: bool
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv("DISPLAY", ":9")

    open_browser(LINK)

    while screen and not opened:  # by a thread of its own
        pass
    assert opened == [LINK] * screen
