"""Progress of long work, on standard error: a bar at a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from facedown.terminal.words import Words

_WIDTH: Final = 24
_PAUSE: Final = 0.1
"""Seconds between two drawings."""


class Progress:
    """Draws one line on standard error, and removes it at the end."""

    def __init__(self, whole: int, thing: str) -> None:
        """`whole`: how much work there is; 0 if only `reach` knows it."""
        self._whole = whole
        self._thing = thing
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._start = time.monotonic()
        self._drawn = 0.0

    def reach(self, done: int, whole: int = 0) -> None:
        """Draw how far it is now, unless it was drawn just before."""
        now = time.monotonic()
        self._whole = whole or self._whole
        if not self._shown or not self._whole or now - self._drawn < _PAUSE:
            return
        self._drawn = now
        _draw(bar(done, self._whole, self._thing, now - self._start))

    def close(self) -> None:
        if self._shown and self._drawn:
            _draw("")


PATIENCE: Final = {True: 2.0, False: 10.0}
"""Seconds before a wait says anything, at a terminal and elsewhere: quick answers stay alone."""


@contextmanager
def long_wait(words: Words) -> Iterator[Callable[[int, int], None]]:
    """Shows a solver's progress, from positions done and all; nothing if it is quick.

    The work may go over its positions several times: each time counts from the start.
    """
    start = time.monotonic()
    at_terminal = sys.stderr is not None and sys.stderr.isatty()
    drawn = 0.0

    def reach(done: int, whole: int) -> None:
        nonlocal drawn
        now = time.monotonic()
        pause = _PAUSE if at_terminal else PATIENCE[False]
        if sys.stderr is None or now - start < PATIENCE[at_terminal] or (drawn and now - drawn < pause):
            return
        drawn = now
        line = words("solving", done=f"{done:,}", whole=f"{whole:,}", time=_span(now - start))
        if at_terminal:
            _draw(line)
        else:
            print(line, file=sys.stderr, flush=True)

    try:
        yield reach
    finally:
        if drawn and at_terminal:
            _draw("")


def _draw(line: str) -> None:
    print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)


def bar(done: int, whole: int, thing: str, seconds: float) -> str:
    """How far it is, how fast it goes, and how long it still takes.

    >>> bar(500, 2000, "games", 2.0)
    '[######..................]  25 %  500 of 2,000 games, 250 a second, 6 s left'
    """
    full = _WIDTH * done // whole
    drawn = "#" * full + "." * (_WIDTH - full)
    text = f"[{drawn}] {100 * done // whole:>3} %  {done:,} of {whole:,} {thing}"
    if not done or seconds <= 0:
        return text
    left = (whole - done) * seconds / done
    return f"{text}, {done / seconds:,.0f} a second, {_span(left)} left"


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
