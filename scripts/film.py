"""A page in which only that time passes that a script lets pass: its frames are the same on every machine."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image
from playwright.sync_api import Page

_SEEK: Final = """(now) => {
  globalThis.began ??= new Map();
  for (const each of document.getAnimations()) {
    if (!began.has(each)) { began.set(each, now); each.pause(); }
    const at = now - began.get(each);
    if (at < each.effect.getComputedTiming().endTime) each.currentTime = at; else each.finish();
  }
}"""
"""Every animation of the page at the script's time, counted from when it was first seen."""


class Film:
    """The frames of a page so far. The page's clock has to be installed before."""

    def __init__(self, page: Page) -> None:
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        line = page.context.new_cdp_session(page)
        line.send("Animation.enable")
        line.send("Animation.setPlaybackRate", {"playbackRate": 0})
        self.page = page
        self.now = 0
        self.frames: list[tuple[str, Image.Image]] = []

    def pass_time(self, milliseconds: int) -> None:
        """Let time pass, in one step."""
        self.page.clock.run_for(max(1, milliseconds))
        self.now += milliseconds
        self.page.evaluate(_SEEK, self.now)

    def wait(self, milliseconds: int, step: int = 50) -> None:
        """Let time pass in small steps, so that each thing begins when it should."""
        for _ in range(milliseconds // step):
            self.pass_time(step)

    def take(self, label: str) -> None:
        """One frame."""
        taken = self.page.screenshot(animations="allow")
        self.frames.append((label, Image.open(io.BytesIO(taken)).convert("RGB")))

    def roll(self, milliseconds: int, every: int, step: int) -> None:
        """Let time pass, and take a frame at the end of each part of it."""
        began = self.now
        while self.now - began < milliseconds:
            self.wait(every, step)
            self.take(str(self.now - began))
