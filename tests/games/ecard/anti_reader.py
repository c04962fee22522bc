"""A bot written to beat the reader: it thinks the reader's thoughts, and plays the best answer to them.

E-Card hides nothing but the picks, so the opponent can know everything that the reader goes by.
"""

from __future__ import annotations

from typing import ClassVar

from facedown.core.game import Pick
from facedown.core.parts.bot import Memory
from facedown.core.views import Plain
from facedown.games.ecard.bots import Equilibrium, Machine, Reader
from facedown.games.ecard.bots.plain import PickMix, cards_mix
from facedown.games.ecard.bots.worth import best_answer, place_of
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.view import ECardView


class AntiReader(Machine):
    """Knows what a `Reader` on the other seat would do; its memory holds the notes that a reader keeps."""

    name: ClassVar[str] = "anti_reader"
    says: ClassVar[str] = "Thinks what the reader thinks, and plays the best answer to that."

    def __init__(self, memory: Memory | None = None) -> None:
        super().__init__(memory)
        self._reader = Reader(self.memory)
        self._equilibrium = Equilibrium()

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        if view.stake is None or len(legal) == 1:
            return self._equilibrium.mix(view, legal)
        worth = place_of(view).round_at(view.stake)
        past = [0.0] * (view.play - 1)
        ahead = [self._expected_chance(view, play) for play in range(view.play, worth.choices + 1)]
        return cards_mix(legal, best_answer(worth, past + ahead).special[view.play - 1])

    def note(self, view: ECardView) -> Plain:
        return self._reader.note(_opposite(view, view.play))

    def _expected_chance(self, view: ECardView, play: int) -> float:
        """How likely the reader's special card is in this play of the round, after Citizens only."""
        special = SLAVE if view.emperor == view.viewer else EMPEROR
        return self._reader.mix(_opposite(view, play), (CITIZEN, special))[special]


def _opposite(view: ECardView, play: int) -> ECardView:
    """What the other seat sees in this play; its hand follows from that, and no bot looks at it."""
    return view._replace(viewer=3 - view.viewer, play=play, cards_left=view.cards_left + view.play - play)
