"""The pace of a reveal: how long the cards lie face down, and how long they are seen. Any key goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

_HOLDS: Final = (0.5, 0.9, 1.4, 2.0, 2.8)
"""Seconds before the cards are turned: the longer a round stays undecided, the longer."""
_LOOKS: Final = (0.9, 1.1, 1.3, 1.6, 2.0)
"""Seconds in which the turned cards lie there before the game goes on."""
_SHORT: Final = (0.15, 0.5)


class RevealPace:
    """Waits for the eye, unless somebody does not want to."""

    def __init__(self) -> None:
        self._skipped = asyncio.Event()

    def skip(self) -> None:
        """Go on at once."""
        self._skipped.set()

    def phases(self, weight: int, motion: str) -> Iterator[tuple[bool, float]]:
        """Whether the cards are turned, and for how many seconds that is shown: first not, then yes."""
        self._skipped.clear()
        place = min(weight, len(_HOLDS)) - 1
        hold, look = (_HOLDS[place], _LOOKS[place]) if motion == "full" else _SHORT
        yield False, hold
        yield True, look

    async def pause(self, seconds: float) -> bool:
        """Wait; whether somebody did not want to."""
        try:
            await asyncio.wait_for(self._skipped.wait(), seconds)
        except TimeoutError:
            return False
        return True
