"""The one way in which tests start a browser: the machine's own Chromium, with flags that keep it quiet."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.needs import without
from tests.patience import PATIENCE_MS

expect.set_options(timeout=PATIENCE_MS)

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
            executable_path=CHROMIUM, chromium_sandbox=False, args=list(FLAGS), timeout=PATIENCE_MS
        )
        browser.on("context", _be_patient)
        try:
            yield browser
        finally:
            browser.close()


def _be_patient(context: BrowserContext) -> None:
    """Let every page of a context wait as long as a busy machine needs, not 30 seconds."""
    context.set_default_timeout(PATIENCE_MS)
    context.set_default_navigation_timeout(PATIENCE_MS)
