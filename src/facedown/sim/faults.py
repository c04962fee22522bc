"""Faults of bots: what one did wrong, in a few words that are the same for the same fault."""

from __future__ import annotations

import re
import traceback
from pathlib import PurePath
from typing import Final

from facedown.core.errors import FacedownError
from facedown.core.replay import AnyMatch
from facedown.core.seats import Seat

_MOST_SAID: Final = 200
"""The most that is shown of what a bot said when it failed."""


class BotFault(FacedownError):
    """A bot that raised an error, or picked what is not legal."""

    code = "bot_fault"


def describe_fault(match: AnyMatch, seat: Seat, error: Exception) -> str:
    """What the bot on a seat did, in a few words: never what it held."""
    if isinstance(error, FacedownError):
        return error.code
    said = " ".join(str(error).split())[:_MOST_SAID]
    if match.game.meta.hidden_hands:
        for pick in sorted(match.legal(seat), key=len, reverse=True):
            said = re.sub(rf"(?<!\w){re.escape(pick)}(?!\w)", "…", said)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{PurePath(where.filename).name}:{where.lineno}"
    return f"{type(error).__name__}{': ' if said else ''}{said} ({place})"
