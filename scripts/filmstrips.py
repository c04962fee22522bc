"""Film strips of the table's moments, in build/filmstrips: `python -m scripts.filmstrips`, or with names.

Each strip shows the frames of one moment side by side, at the size of a phone and of a desk, dark and light.
Time is the script's own: the page gets some milliseconds, then its picture is taken, however busy the machine
is.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page

from tests.web.chromium import chromium
from tests.web.games.gallery import gallery
from tests.web.games.views import JSON, Played

FOLDER: Final = Path(__file__).parents[1] / "build/filmstrips"
SIZES: Final = {"360x780": (360, 780, 200), "1440x900": (1440, 900, 400)}
"""The width and height of each window, and the width of its frames in a strip."""
_ACROSS: Final = 6
_LABEL: Final = 16
SEEK: Final = """(now) => {
  globalThis.began ??= new Map();
  for (const each of document.getAnimations()) {
    if (!began.has(each)) { began.set(each, now); each.pause(); }
    const at = now - began.get(each);
    if (at < each.effect.getComputedTiming().endTime) each.currentTime = at; else each.finish();
  }
}"""
"""Every animation of the page at the script's time, counted from when it was first seen."""


class Stage:
    """A table on a page in which only that time passes that the script lets pass, and its frames so far."""

    def __init__(self, browser: Browser, url: str, wide: int, high: int, theme: str) -> None:
        self._context = browser.new_context(
            viewport={"width": wide, "height": high}, color_scheme="light" if theme == "light" else "dark"
        )
        self.page: Page = self._context.new_page()
        self.page.clock.install(time=0)
        self.page.goto(url)
        self.page.wait_for_selector("html[data-ready]")
        self.page.clock.pause_at(1000)
        line = self._context.new_cdp_session(self.page)
        line.send("Animation.enable")
        line.send("Animation.setPlaybackRate", {"playbackRate": 0})
        self._now = 0
        self.frames: list[tuple[str, Image.Image]] = []

    def show(self, sight: JSON) -> None:
        """The table as it is now."""
        script = "([game, sight]) => gallery.show(game, sight, { motion: 'full' })"
        self.page.evaluate(script, [sight["table"]["game"], sight])
        self.pass_time(0)

    def pass_time(self, milliseconds: int) -> None:
        """Let time pass."""
        self.page.clock.run_for(max(1, milliseconds))
        self._now += milliseconds
        self.page.evaluate(SEEK, self._now)

    def wait(self, milliseconds: int) -> None:
        """Let time pass in small steps, so that what follows on what begins when it should."""
        for _ in range(milliseconds // 50):
            self.pass_time(50)

    def take(self, label: str) -> None:
        """One frame."""
        taken = self.page.screenshot(animations="allow")
        self.frames.append((label, Image.open(io.BytesIO(taken)).convert("RGB")))

    def roll(self, milliseconds: int, every: int) -> None:
        """Let time pass, and take its frames."""
        began = self._now
        self.take("0")
        while self._now - began < milliseconds:
            for _ in range(every // 20):
                self.pass_time(20)
            self.take(str(self._now - began))

    def write(self, path: Path, wide: int) -> None:
        """All frames in one picture."""
        high = self.frames[0][1].height * wide // self.frames[0][1].width
        rows = -(-len(self.frames) // _ACROSS)
        strip = Image.new("RGB", (_ACROSS * (wide + 4), rows * (high + _LABEL + 4)), "#777")
        draw = ImageDraw.Draw(strip)
        for number, (label, frame) in enumerate(self.frames):
            left, top = number % _ACROSS * (wide + 4), number // _ACROSS * (high + _LABEL + 4)
            draw.text((left + 4, top + 2), f"{label} ms", fill="white")
            strip.paste(frame.resize((wide, high), Image.Resampling.LANCZOS), (left, top + _LABEL))
        strip.save(path)

    def close(self) -> None:
        """Close the page."""
        self._context.close()


# --- the moments -----------------------------------------------------------------------------------------


def seal(stage: Stage) -> None:
    """The own card flies to its place and is sealed; then the other's."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    stage.show(played.sight(1))
    stage.wait(500)
    stage.page.keyboard.press("3")
    stage.wait(300)
    played.seal(1, "E")
    stage.show(played.sight(1))
    stage.roll(340, 40)


def seal_other(stage: Stage) -> None:
    """The other's card comes from their side and is sealed."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    stage.show(played.sight(1))
    stage.wait(500)
    played.seal(2, "C")
    stage.show(played.sight(1))
    stage.roll(340, 40)


def _turned(*picks: str, seat: int) -> Callable[[Stage], None]:
    def film(stage: Stage) -> None:
        played = Played("ecard", "classic(first=1,placing=together)", 2)
        for both in picks[:-1]:
            played.decide(*both)
        stage.show(played.sight(seat))
        stage.wait(300)
        one, other = picks[-1]
        own, others = (one, other) if seat == 1 else (other, one)
        played.seal(seat, own)
        stage.show(played.sight(seat))
        stage.wait(600)
        played.seal(3 - seat, others)
        stage.show(played.sight(seat, revealing=True))
        stage.wait(500)
        stage.roll(2200, 100)

    return film


def going_on(stage: Stage) -> None:
    """The cards leave, and the next round is dealt."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("E", "C")
    stage.show(played.sight(1, revealing=True))
    stage.wait(3000)
    stage.page.keyboard.press("Enter")
    stage.wait(50)
    stage.roll(400, 40)


def drawn(stage: Stage) -> None:
    """A drawn play; the other's next card comes while the result is shown, then the player goes on."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("C", "C")
    stage.show(played.sight(1, revealing=True))
    stage.wait(1000)
    played.seal(2, "C")
    stage.show(played.sight(1, revealing=True))
    stage.roll(2400, 200)


def swap(stage: Stage) -> None:
    """The sides swap after the third round."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    for _ in range(3):
        played.decide("E", "C")
    stage.show(played.sight(1, revealing=True))
    stage.wait(3000)
    stage.page.keyboard.press("Enter")
    stage.wait(50)
    stage.roll(1000, 100)


def end(stage: Stage) -> None:
    """The last round decides the game, and the player goes on to its end: the table's part of it."""
    played = Played("ecard", "classic(first=1,rounds=2,group=1,placing=together)", 2)
    played.decide("E", "C")
    played.decide("C", "E")
    stage.show(played.sight(1, revealing=True))
    stage.wait(3000)
    stage.take("result")
    stage.page.keyboard.press("Enter")
    stage.wait(50)
    stage.roll(600, 100)


def coming_back(stage: Stage) -> None:
    """The page is opened while a reveal has not been seen: nothing flies in, and the cards turn."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("C", "C")
    played.decide("E", "C")
    stage.show(played.sight(2, revealing=True))
    stage.roll(2200, 200)


MOMENTS: Final[dict[str, Callable[[Stage], None]]] = {
    "seal": seal,
    "seal-other": seal_other,
    "turn-win": _turned("EC", seat=1),
    "loss": _turned("EC", seat=2),
    "plus5": _turned("ES", seat=2),
    "plus5-hit": _turned("ES", seat=1),
    "tie": drawn,
    "going-on": going_on,
    "swap": swap,
    "end": end,
    "coming-back": coming_back,
}


def main(*names: str) -> None:
    """Record the strips of these moments, or of all: NAME or NAME@SIZE-THEME."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = names or tuple(MOMENTS)
    with chromium() as browser, gallery() as url:
        for name in MOMENTS:
            for size, (wide, high, small) in SIZES.items():
                for theme in ("dark", "light"):
                    if not {name, f"{name}@{size}-{theme}"} & set(wanted):
                        continue
                    stage = Stage(browser, url, wide, high, theme)
                    MOMENTS[name](stage)
                    path = FOLDER / f"{name}-{size}-{theme}.png"
                    stage.write(path, small)
                    stage.close()
                    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
