"""The bot that looks at nothing: every legal pick equally often, from its own stream."""

from __future__ import annotations

from collections import Counter

from facedown.bots.uniform import Uniform
from facedown.core import registry
from facedown.core.chance import LOCAL, Seeded, Stream, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import bot_stream
from facedown.core.views import View

KEY = deal_key(seed_of("bots"), LOCAL)


def any_view() -> View:
    game = registry.get(registry.names()[0])
    match = Match(game, game.rules.of(), ["Ann", "Bo"], Seeded(KEY))
    view: View = match.view(1)
    return view


def test_every_legal_pick_comes_up_equally_often() -> None:
    stream = bot_stream(KEY, 1)
    view = any_view()

    counts = Counter(Uniform().pick(view, ("a", "b", "c"), stream) for _ in range(6000))

    assert set(counts) == {"a", "b", "c"}
    assert max(abs(count - 2000) for count in counts.values()) < 200  # more than five standard deviations


def test_the_same_stream_gives_the_same_picks() -> None:
    view = any_view()
    one, two = (
        [Uniform().pick(view, ("a", "b", "c", "d"), stream) for _ in range(100)]
        for stream in (bot_stream(KEY, 2), bot_stream(KEY, 2))
    )
    assert one == two


def test_seats_have_streams_of_their_own_apart_from_the_deal() -> None:
    words = {label: Stream(KEY, label).word() for label in ("chance", "bot/1", "bot/2")}

    assert bot_stream(KEY, 1).word() == words["bot/1"]
    assert bot_stream(KEY, 2).word() == words["bot/2"]
    assert len(set(words.values())) == 3
