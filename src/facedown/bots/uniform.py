"""The bot that takes every legal pick equally often. Knows no game."""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot
from facedown.core.text.translation import Domain, Text
from facedown.core.views import View

message: Final = Domain("facedown.core")


class Uniform(Bot[View]):
    """Draws its pick blindly."""

    says: ClassVar[Text] = message("bot.uniform.says")

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        return legal[stream.below(len(legal))]
