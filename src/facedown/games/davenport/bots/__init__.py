"""The machines of Davenport. Each is made from a view alone; none may see a state, a match or a ballot."""

from __future__ import annotations

from typing import Final

from facedown.core.parts.bot import Bot
from facedown.games.davenport.bots.careful import Careful
from facedown.games.davenport.bots.plain import Highest, Lowest, RandomDavenport
from facedown.games.davenport.bots.playout import Playout
from facedown.games.davenport.view import DavenportView

__all__ = ["BOTS", "PLAYOUT", "REVIEWER", "USUAL", "Careful", "Highest", "Lowest", "RandomDavenport"]

BOTS: Final[tuple[type[Bot[DavenportView]], ...]] = (RandomDavenport, Highest, Lowest, Careful)
"""The simple ones first, the one that thinks last."""

USUAL: Final[type[Bot[DavenportView]]] = Highest
"""The opponent of whoever chooses none: easy, and soon seen through."""

REVIEWER: Final[type[Bot[DavenportView]]] = Careful
"""The one whose picks a review compares with."""

PLAYOUT: Final[type[Bot[DavenportView]]] = Playout
"""The one that plays positions out to their end."""
