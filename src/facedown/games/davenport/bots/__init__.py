"""The machines of Davenport. Each is made from a view alone; none may see a state, a match or a ballot."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from facedown.core.parts.bot import Bot
from facedown.games.davenport.bots.careful import Careful
from facedown.games.davenport.bots.expert import Expert, Steady
from facedown.games.davenport.bots.house import CHARACTERS, HOUSE, Ash, Jorun
from facedown.games.davenport.bots.plain import Highest, Lowest, Playout, RandomDavenport
from facedown.games.davenport.view import DavenportView

__all__ = ["BOTS", "HOUSE", "NEEDS", "PLAYOUT", "REVIEWER", "SUBSTITUTE", "TRAINER", "USUAL"]

_STRONG: Final[tuple[type[Bot[DavenportView]], ...]] = (Steady, Expert) if find_spec("numpy") else ()
"""Those that need NumPy, where it is installed: in a page without a network it is not."""

BOTS: Final[tuple[type[Bot[DavenportView]], ...]] = (
    *CHARACTERS,
    RandomDavenport,
    Highest,
    Lowest,
    Careful,
    *_STRONG,
)
"""The house first; of the others the simple ones first, those that think last."""

NEEDS: Final = {bot.name: "expert" for bot in (Ash, Steady, Expert)}
"""The extras that machines need."""

USUAL: Final[type[Bot[DavenportView]]] = Jorun
"""The default opponent: the first of the house."""

SUBSTITUTE: Final[type[Bot[DavenportView]]] = Careful
"""Takes over the seat of a player who left."""

REVIEWER: Final[type[Bot[DavenportView]]] = Careful
"""The one whose picks a review compares with."""

TRAINER: Final[type[Bot[DavenportView]]] = BOTS[-1]
"""The one beside whose picks the trainer marks."""

PLAYOUT: Final[type[Bot[DavenportView]]] = Playout
"""The one that plays positions out to their end."""
