"""Takes one page's picture at every size in both themes, without loading it again.

The browser is told its size and theme directly, so that a moment of a game can be seen at all of them.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession, Page

from tests.web import reach

FOLDER: Final = Path(__file__).parents[3] / "build" / "screenshots"
SIZES: Final = {360: (360, 640), 768: (768, 1024), 1440: (1440, 900)}
THEMES: Final = ("dark", "light")
_TALLEST: Final = 5_000
_SETTLED: Final = """() => Promise.all([
    document.fonts.ready,
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    ...document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity)
        .map((each) => each.finished.catch(() => {})),
]).then(() => true)"""
_TOO_WIDE: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Camera:
    """Stands in front of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._line: CDPSession = page.context.new_cdp_session(page)

    def takes(self, name: str, *, whole: bool = False) -> None:
        """A picture for every size and theme; `whole`: down to the page's end.

        Nothing may be too wide, and no control out of a pointer's reach.
        """
        too_wide = {}
        for wide, (width, high) in SIZES.items():
            self._size(width, high)
            for theme in THEMES:
                self._dress(theme)
                self.page.evaluate(_SETTLED)
                self._write(f"{name}-{wide}-{theme}.png", width, high, whole)
            too_wide[wide] = self.page.evaluate(_TOO_WIDE)
        too_wide = {wide: more for wide, more in too_wide.items() if more > 0}
        assert not too_wide, f"{name} is too wide: {too_wide}"
        covered = self._covered()
        assert not covered, f"{name}: {covered}"

    def _covered(self) -> dict[str, list[str]]:
        """Controls that cannot be pressed where they are seen."""
        wrong = {}
        for width, high in reach.SIZES:
            self._size(width, high)
            for theme in THEMES:
                self._dress(theme)
                if found := reach.covered(self.page):
                    wrong[f"{width} × {high}, {theme}"] = found
        return wrong

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
        taken = self._line.send("Page.captureScreenshot", how)
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / file).write_bytes(base64.b64decode(taken["data"]))
