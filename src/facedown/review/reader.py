"""A predictor of picks for any game: weighs which of the game's bots a player resembles, pick by pick.

It knows what the player's own seat saw, no more; bots that do not fit lose their weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from facedown.bots.find import bots_of
from facedown.core.chance import Stream
from facedown.core.game import AnyGame, Pick
from facedown.core.parts.bot import AnyBot
from facedown.core.parts.judge import Foretold, ReaderReport
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat
from facedown.core.views import View
from facedown.review import message

_SLIP: Final = 0.2
"""How often a player is thought to pick anything at all instead of what their kind would."""
_ASKED: Final = 16
"""How often a bot is asked what it would pick: some draw."""


def read_by_kind(game: AnyGame, turns: Sequence[ReplayedTurn], seat: Seat, key: bytes) -> ReaderReport:
    """What the reader thought of every pick of this seat, before it came."""
    kinds = bots_of(game.name)
    weights = dict.fromkeys(kinds, 1 / len(kinds))
    foretold = []
    for number, turn in enumerate(turns, 1):
        legal, pick = game.legal(turn.before, seat), turn.joint[seat - 1]
        if pick not in legal or len(legal) == 1:
            continue
        view = game.view(turn.before, seat)
        likely = {
            name: _likely(kind, view, legal, pick, Stream(key, f"kind/{name}/{number}"))
            for name, kind in kinds.items()
        }
        expected = sum(weights[name] * chance for name, chance in likely.items())
        foretold.append(Foretold(number, expected, 1 / len(legal)))
        weights = {name: weights[name] * chance / expected for name, chance in likely.items()}
    return ReaderReport(message("rollouts.reader"), message("rollouts.blind"), tuple(foretold))


def _likely(kind: type[AnyBot], view: View, legal: tuple[Pick, ...], pick: Pick, stream: Stream) -> float:
    """How likely a player of a kind makes this pick."""
    machine = kind()
    picks = Counter(machine.pick(view, legal, stream) for _ in range(_ASKED))
    return _SLIP / len(legal) + (1 - _SLIP) * picks[pick] / _ASKED
