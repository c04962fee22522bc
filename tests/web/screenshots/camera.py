"""Looks at one page at every size, without loading it again: everything that is asked of each screen.

The camera sets the browser's size and theme directly, so that a moment of a game can be seen at all of them.
"""

from __future__ import annotations

import os
import re
from typing import Final

from playwright.sync_api import CDPSession, Page

from tests.few import few
from tests.web import reach
from tests.web.violations import violations

_PHONE: Final = (360, 780)
_LAPTOP: Final = (1440, 900)
_WIDEST: Final = (2560, 1440)
_THEMES: Final = ("dark", "light")
_LOOKS: Final = [
    (size, theme)
    for place, size in enumerate(reach.SIZES[::-1])
    for theme in few(_THEMES if place >= len(reach.SIZES) / 2 else _THEMES[::-1], 1)
]
"""Half of the sizes in each theme stand for all in both: nothing lies elsewhere in the other."""
_KNOWN: Final = re.compile(
    r"button “(Join|All|Go to card \d+)”|input “”: 4[0-3] × 44|region: .*line watching"
)
_KNOWN_WIDE: Final = frozenset({"explore-ecard", "sign-in", "lobby", "invitation", "profile"})
"""Known faults, to be mended: what is too small for a thumb or in no landmark; too wide in large text."""
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
_LARGE: Final = f"""() => {{
  document.documentElement.style.fontSize = "200%";
  const wide = ({_TOO_WIDE})();
  document.documentElement.style.fontSize = "";
  return wide;
}}"""
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
    """Asks one page everything that is asked of each screen."""

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

    def takes(self, name: str) -> None:
        """As `fits`; no control may be too small for a thumb, and no rule of accessibility be broken."""
        self.fits(name)
        wrong = self._asks(name, few(_THEMES if len(name) % 2 else _THEMES[::-1], 1))
        assert not wrong, f"{name}: {wrong}"

    def fits(self, name: str) -> None:
        """A look at several sizes: nothing may be too wide, and no control out of a pointer's reach.

        Enough for another state of a screen that is asked everything.
        """
        wrong: dict[str, list[str]] = {}
        for (width, high), theme in _looks_at(name)[:: self._step]:
            self._shows((width, high), theme)
            if found := self.page.evaluate(_WRONG, [reach.CONTROLS, reach.LEAST]):
                wrong[f"{width} × {high}, {theme}"] = found
        self._step = -self._step  # the next begins where this one ends: laying a page out costs most
        assert not wrong, f"{name}: {wrong}"

    def _asks(self, name: str, themes: list[str]) -> dict[str, list[str]]:
        """What is wrong for a thumb, in large text, on a large screen in the system's colours; then axe."""
        asked: dict[str, list[str]] = {}
        self._shows(_PHONE, themes[0])
        asked["for a thumb"] = reach.small(self.page)
        if name not in _KNOWN_WIDE:
            asked["in text of twice the size"] = self.page.evaluate(_LARGE)
        self._shows(_WIDEST, themes[0], forced=True)
        asked["on a large screen in the system's colours"] = self.page.evaluate(_TOO_WIDE)
        for theme in themes:
            self._shows(_LAPTOP, theme)
            self.page.evaluate(_SETTLED)
            asked[f"axe, {theme}"] = violations(self.page, only_colours=theme != themes[0])
        unknown = {
            question: [each for each in asked[question] if not _KNOWN.match(each)] for question in asked
        }
        return {question: found for question, found in unknown.items() if found}

    def sees(self, selector: str, *sizes: tuple[int, int]) -> None:
        """At these sizes, something is whole in the window before anything is scrolled."""
        for size in sizes:
            self._shows(size, self._theme)
            self.page.evaluate(_SETTLED)
            end = self.page.locator(selector).first.evaluate("each => each.getBoundingClientRect().bottom")
            assert 0 < end <= size[1], f"{selector} ends at {end:.0f} of {size}"

    def _shows(self, size: tuple[int, int], theme: str, *, forced: bool = False) -> None:
        if size != self._size:
            # Only the size of a phone: switching its emulation on and off would lay out everything again.
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
            self._line.send("Emulation.setDeviceMetricsOverride", metrics)
        if (look := f"{theme}, forced" if forced else theme) != self._theme:
            features = [
                {"name": "prefers-color-scheme", "value": theme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
                {"name": "forced-colors", "value": "active" if forced else "none"},
            ]
            self._line.send("Emulation.setEmulatedMedia", {"features": features})
        self._size, self._theme = size, look
