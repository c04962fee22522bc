"""Looks at one page at every size, without loading it again, and takes its picture where that is wanted.

The camera sets the browser's size and theme directly, so that a moment of a game can be seen at all of them.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession, Page

from tests.few import few
from tests.web import reach
from tests.web.unpainted import painted

FOLDER: Final = Path(__file__).parents[3] / "build" / "screenshots"
PICTURED: Final = few([(360, 780), (768, 1024), (1440, 900)], 1)
"""Sizes at which pictures are taken: phone, tablet, laptop."""
_SCREENS: Final = frozenset({"home", "ecard-placing", "davenport-7-reveal", "review"})
"""Pictures of every run. No test looks at them, and painting costs most: `THOROUGH=1` takes all."""
_THEMES: Final = ("dark", "light")
_LOOKS: Final = [
    (size, theme)
    for place, size in enumerate(reach.SIZES[::-1])
    for theme in few(_THEMES if place >= len(reach.SIZES) / 2 else _THEMES[::-1], 1)
]
"""Half of the sizes in each theme stand for all in both: nothing lies elsewhere in the other."""
_TALLEST: Final = 5_000
_SETTLED: Final = """() => Promise.all([
    document.fonts.ready,
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    ...document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity)
        .map((each) => each.finished.catch(() => {})),
]).then(() => true)"""
_TOO_WIDE: Final = """() => {
  const wide = document.documentElement.clientWidth;
  const more = document.documentElement.scrollWidth - wide;
  const out = (each) => each.getBoundingClientRect().right > wide + 0.5;
  const named = (each) => `${each.tagName.toLowerCase()}.${each.getAttribute("class") ?? ""}`;
  const blame = more > 0 ? [...document.querySelectorAll("body *")].filter(out).slice(0, 8).map(named) : [];
  return more > 0 ? [`${more} px too wide: ${blame.join(", ")}`] : [];
}"""
"""How much too wide a page is, with what is to blame, from the outside in."""
_WRONG: Final = f"""async (how) => {{
  await ({_SETTLED})();
  const wide = ({_TOO_WIDE})();
  return wide.length ? wide : ({reach.COVERED})(how);
}}"""
"""One question at each size, once the page has settled: the way to the browser and back costs, too."""


def _looks_at(name: str) -> list[tuple[tuple[int, int], str]]:
    """The narrowest size and every other one, by the length of the name; `THOROUGH=1` takes all sizes."""
    if os.environ.get("THOROUGH"):
        return _LOOKS
    return [
        look for place, look in enumerate(_LOOKS) if look[0] == reach.SIZES[0] or (place + len(name)) % 2 == 0
    ]


class Camera:
    """Takes pictures of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._line: CDPSession = page.context.new_cdp_session(page)
        self._step = 1
        self._size = (0, 0)
        self._theme = ""

    def stands_first(self) -> None:
        """Before a test: at the size where its looks begin, whatever was looked at before."""
        self._step = 1
        self._shows(*_LOOKS[0])

    def takes(self, name: str, *, whole: bool = False) -> None:
        """A look at several sizes, and a picture at some; `whole`: down to the page's end.

        Nothing may be too wide, and no control out of a pointer's reach.
        """
        wrong: dict[str, list[str]] = {}
        for (width, high), theme in _looks_at(name)[:: self._step]:
            self._shows((width, high), theme)
            if (width, high) in PICTURED and (name in _SCREENS or os.environ.get("THOROUGH")):
                self.page.evaluate(_SETTLED)
                self._write(f"{name}-{width}-{theme}.png", width, high, whole)
            if found := self.page.evaluate(_WRONG, [reach.CONTROLS, reach.LEAST]):
                wrong[f"{width} × {high}, {theme}"] = found
        self._step = -self._step  # the next begins where this one ends: laying a page out costs most
        assert not wrong, f"{name}: {wrong}"

    def sees(self, selector: str, *sizes: tuple[int, int]) -> None:
        """At these sizes, something is whole in the window before anything is scrolled."""
        for size in sizes:
            self._shows(size, self._theme)
            self.page.evaluate(_SETTLED)
            end = self.page.locator(selector).first.evaluate("each => each.getBoundingClientRect().bottom")
            assert 0 < end <= size[1], f"{selector} ends at {end:.0f} of {size}"

    def _shows(self, size: tuple[int, int], theme: str) -> None:
        if size != self._size:
            # Only the size of a phone: switching its emulation on and off would lay out everything again.
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
            self._line.send("Emulation.setDeviceMetricsOverride", metrics)
        if theme != self._theme:
            features = [
                {"name": "prefers-color-scheme", "value": theme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
            self._line.send("Emulation.setEmulatedMedia", {"features": features})
        self._size, self._theme = size, theme

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
