"""A bot on a seat of a server: its own random stream, and its faults as errors."""

from __future__ import annotations

import secrets
from typing import Any

from facedown.core.chance import Stream
from facedown.core.game import AnyGame
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.seats import Seat
from facedown.sim.bot_specs import BotLike, read_bot
from facedown.sim.lineup import BotFault


class BotPlayer:
    """One bot for one game; raises `BotFault` if it fails or picks what is not legal."""

    def __init__(self, game: AnyGame, bot: BotLike) -> None:
        self.name, make = read_bot(game, bot)
        self._bot: AnyBot = make(None)
        self._key = secrets.token_bytes(32)
        self._stream: Stream | None = None

    def pick(self, view: Any, legal: tuple[str, ...], decision: int, seat: Seat) -> str:
        self._stream = self._stream or bot_stream(self._key, seat)
        try:
            pick = self._bot.pick(view, legal, self._stream)
        except Exception as error:  # a stranger's bot may raise anything
            fault = BotFault(f"{self.name} failed: {type(error).__name__}: {error}")
            raise fault.at(decision=decision, seat=seat) from error
        if pick not in legal:
            fault = BotFault(f"{self.name} picked {pick!r}, which is not one of {', '.join(legal)}")
            raise fault.at(decision=decision, seat=seat)
        return pick
