"""The machine that plays like people do. Owns the model of their habits; looks at no cards but its own."""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.game import Pick
from facedown.core.text.translation import Text
from facedown.games.ecard import message
from facedown.games.ecard.bots.machine import Machine, PickMix, cards_mix
from facedown.games.ecard.notation import CITIZEN
from facedown.games.ecard.view import ECardView

LIKING: Final = (0.08, 0.26, 0.32, 0.22, 0.12)
"""How much each play draws the special card: the first is too soon, the last too late, the middle right."""

AGAIN: Final = 0.25
"""How much of that is left at the play where it was shown last on this side: not the same twice."""

MOOD: Final = 1.2
"""How much more each later play draws it after a won round, when there is time; and less after a lost one."""


class Habit(Machine):
    """Likes the middle, avoids repeating itself, and minds the last result: made up, and fitted to nobody.

    In each round it has a time in mind for its special card, drawn to the plays by `LIKING`, `AGAIN` and
    `MOOD`, multiplied. Where a round has fewer plays (E6), a time past its end means: not in this round. It
    looks neither at the score nor at what the sides pay. Stakes (E13) it likes in the middle too, and higher
    after a won round.
    """

    name: ClassVar[str] = "habit"
    says: ClassVar[Text] = message("bot.habit.says")

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        """The chance of the special card now, if its time has not come yet."""
        if view.stake is None:
            return _stakes(view, legal)
        drawn = attraction(view)[view.play - 1 :]
        return cards_mix(legal, drawn[0] / sum(drawn))


def attraction(view: ECardView) -> list[float]:
    """How much each play of this round draws the viewer's special card."""
    shown = last_shown(view)
    mood = _mood(view)
    return [liking * (AGAIN if play == shown else 1.0) * mood**play for play, liking in enumerate(LIKING, 1)]


def last_shown(view: ECardView) -> int | None:
    """The play at which the viewer's special card was last seen on this side."""
    for each in reversed(view.rounds):
        if each.emperor == view.emperor and each.cards[view.viewer - 1] != CITIZEN:
            return each.plays
    return None


def _mood(view: ECardView) -> float:
    winner = view.rounds[-1].winner if view.rounds else None
    if winner is None:
        return 1.0
    return MOOD if winner == view.viewer else 1.0 / MOOD


def _stakes(view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
    """The nearer to the middle the likelier; the middle moves with the mood."""
    middle = (len(legal) + 1) / 2 * _mood(view)
    weights = {pick: 1.0 / (1.0 + abs(int(pick) - middle)) for pick in legal}
    total = sum(weights.values())
    return {pick: weight / total for pick, weight in weights.items()}
