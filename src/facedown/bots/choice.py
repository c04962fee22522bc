"""The choice of a bot for one turn at a server's table, from the view of its seat and its stream alone.

The server chooses by it, and `facedown.proof` chooses again by it once the seed is published.
"""

from __future__ import annotations

from typing import NamedTuple

from facedown.bots.find import find_bot
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.views import ViewProtocol


class BotChoice(NamedTuple):
    """A pick, and why it is random when the bot failed to give one of its own."""

    pick: Pick
    trouble: str = ""


def choose(game: str, machine: str, view: ViewProtocol, legal: tuple[Pick, ...], stream: Stream) -> BotChoice:
    """The pick of a bot; any legal one, from the same stream, where the bot fails."""
    try:
        pick = find_bot(game, machine)().pick(view, legal, stream)
        if pick in legal:
            return BotChoice(str(pick))
        trouble = "illegal_pick"
    except Exception as error:  # a bot must never stop a table
        trouble = type(error).__name__
    return BotChoice(str(legal[stream.below(len(legal))]), trouble)
