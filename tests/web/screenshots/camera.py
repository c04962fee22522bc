"""Takes one page's picture, and looks at it at every size, without loading it again.

The browser is told its size and theme directly, so that a moment of a game can be seen at all of them.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession, Page

from tests.few import few
from tests.web import reach
from tests.web.unpainted import painted

FOLDER: Final = Path(__file__).parents[3] / "build" / "screenshots"
_PHONE, _TABLET, _DESK = (360, 640), (768, 1024), (1440, 900)
PICTURES: Final = few(
    [(_PHONE, "dark"), (_PHONE, "light"), (_TABLET, "light"), (_DESK, "dark"), (_DESK, "light")], 2
)
"""Sizes of pictures, and in which themes: nothing lies elsewhere in the other."""
SIZES: Final = sorted({*(size for size, _ in PICTURES), *reach.SIZES})
_TALLEST: Final = 5_000
_SETTLED: Final = """() => Promise.all([
    document.fonts.ready,
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    ...document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity)
        .map((each) => each.finished.catch(() => {})),
]).then(() => true)"""
_TOO_WIDE: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

_STICKS_OUT: Final = """() => [...document.querySelectorAll("body *")]
    .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
    .map((each) => `${each.tagName.toLowerCase()}.${each.getAttribute("class") ?? ""}`).slice(0, 8)"""
"""What is to blame, from the outside in."""


class Camera:
    """Stands in front of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._line: CDPSession = page.context.new_cdp_session(page)

    def takes(self, name: str, *, whole: bool = False) -> None:
        """A look at every size, and pictures of some; `whole`: down to the page's end.

        Nothing may be too wide, and no control out of a pointer's reach.
        """
        wrong: dict[str, object] = {}
        for width, high in SIZES:
            self._size(width, high)
            themes = [theme for size, theme in PICTURES if size == (width, high)]
            for theme in themes:
                self._dress(theme)
                self.page.evaluate(_SETTLED)
                self._write(f"{name}-{width}-{theme}.png", width, high, whole)
            if not themes:
                self.page.evaluate(_SETTLED)
            if (more := self.page.evaluate(_TOO_WIDE)) > 0:
                wrong[f"{width} × {high}"] = f"{more} px too wide: {self.page.evaluate(_STICKS_OUT)}"
            elif found := reach.covered(self.page):
                wrong[f"{width} × {high}"] = found
        assert not wrong, f"{name}: {wrong}"

    def _size(self, width: int, high: int) -> None:
        # No fingers for the phone: this browser gives the mouse back only when a page is loaded again.
        metrics = {"width": width, "height": high, "deviceScaleFactor": 1, "mobile": width < 500}
        self._line.send("Emulation.setDeviceMetricsOverride", metrics)

    def _dress(self, theme: str) -> None:
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self._line.send("Emulation.setEmulatedMedia", {"features": features})

    def _write(self, file: str, width: int, high: int, whole: bool) -> None:
        how: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if whole:
            end = int(self.page.evaluate("document.documentElement.scrollHeight"))
            how["captureBeyondViewport"] = True
            how["clip"] = {
                "x": 0,
                "y": 0,
                "width": width,
                "height": min(_TALLEST, max(high, end)),
                "scale": 1,
            }
        with painted(self.page):
            taken = self._line.send("Page.captureScreenshot", how)
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / file).write_bytes(base64.b64decode(taken["data"]))
