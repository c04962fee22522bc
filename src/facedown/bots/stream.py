"""Where the chance of bots comes from: each seat's own stream, from the key that deals the game."""

from __future__ import annotations

from facedown.core.chance import Stream
from facedown.core.seats import Seat


def bot_stream(key: bytes, seat: Seat) -> Stream:
    """The random stream of the bot on a seat."""
    return Stream(key, f"bot/{seat}")
