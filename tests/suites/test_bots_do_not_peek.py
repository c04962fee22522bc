"""No bot can see what its seat may not: the leak suite over every bot of every game, and some that try."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

import pytest

from facedown.bots.find import bots_of
from facedown.bots.uniform import Uniform
from facedown.core import registry
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.views import View
from facedown.testing import Leak
from facedown.testing.bots import bot_sees_only_its_view
from tests.few import few

EVERY_BOT = [(game, bot) for game in registry.names() for bot in bots_of(game)]


class LooksOverTheShoulder(Uniform):
    """Walks up the stack to its caller, and reads the state of the game there."""

    name: ClassVar[str] = "looks-over-the-shoulder"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        world: Any = sys._getframe(1).f_locals["world"]
        others = repr(world.match.state)
        return legal[sum(map(ord, others)) % len(legal)]


class ListensToOthers(Uniform):
    """All its instances share what they were asked: a seat learns what another seat was asked."""

    name: ClassVar[str] = "listens-to-others"
    calls: ClassVar[list[int]] = []

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        self.calls.append(1)
        return legal[len(self.calls) % len(legal)]


@pytest.mark.parametrize(("game", "bot"), EVERY_BOT)
def test_a_bot_picks_alike_in_worlds_that_look_alike_to_its_seat(game: str, bot: str) -> None:
    doubts = bot_sees_only_its_view(registry.get(game), bots_of(game)[bot], seeds=len(few(range(4), 2)))
    assert doubts > 20 or not registry.get(game).meta.hidden_hands


@pytest.mark.parametrize("bot", [LooksOverTheShoulder, ListensToOthers])
def test_a_bot_that_peeks_is_caught(bot: type[Uniform]) -> None:
    with pytest.raises(Leak, match=f"{bot.name} for seat . knows what its seat may not"):
        bot_sees_only_its_view(registry.get("davenport"), bot)
