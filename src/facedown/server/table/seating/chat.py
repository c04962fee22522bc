"""The chat of a table: what a message may hold, who may read it, and how much of it is kept for snapshots.

Rate limits are counted before a message gets here (`server.ops.rate_limits`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.core.seats import Seat
from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import BadMessage
from facedown.protocol.messages import ChatMessage, Cmd
from facedown.server.table.facts import ChatSent

KEPT_MESSAGES: Final = 50
"""How many of the newest messages a snapshot holds; all of them stay in the store."""


class SaidMessage(NamedTuple):
    """A chat message and the id of the person who sent it, which no client gets."""

    person: str
    message: ChatMessage


def chat_message(cmd: Cmd, seat: Seat, name: str) -> ChatSent:
    """The message that a command holds, free text or one of the presets; raises `BadMessage`."""
    text = None if cmd.text is None else one_line(cmd.text)
    if (not text) == (cmd.preset is None):
        raise BadMessage("a chat message needs either `text` or a `preset`")
    return ChatSent(seat, name, text or None, cmd.preset)
