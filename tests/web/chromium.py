"""The one way in which tests start a browser: the machine's own Chromium, with flags that keep it quiet."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.needs import without

_NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM: Final = os.environ.get("FACEDOWN_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
"""Where it is: as the environment says, or on the PATH. The first has no windows, and takes half the time."""
FLAGS: Final = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser; without one the test is skipped with a reason."""
    if CHROMIUM is None:
        without("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, chromium_sandbox=False, args=list(FLAGS)
        )
        try:
            yield browser
        finally:
            browser.close()
