"""The types of our own games, for type checkers: `facedown.new("ecard")` has E-Card's view and rules.

Games of other packages, and names that are only known at run time, are any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from facedown.core.game import Game
from facedown.core.match import Match

if TYPE_CHECKING:
    from facedown.games.davenport.rules import DavenportRules as DavenportRules
    from facedown.games.davenport.state import DavenportState
    from facedown.games.davenport.view import DavenportView
    from facedown.games.ecard.rules import ECardRules as ECardRules
    from facedown.games.ecard.solve.report import ECardAnswer as ECardAnswer
    from facedown.games.ecard.solve.report import ECardPosition as ECardPosition
    from facedown.games.ecard.state import ECardState
    from facedown.games.ecard.view import ECardView

ECardName: TypeAlias = Literal["ecard"]
ECardGame: TypeAlias = "Game[ECardRules, ECardState, ECardView]"
ECardMatch: TypeAlias = "Match[ECardRules, ECardState, ECardView]"

DavenportName: TypeAlias = Literal["davenport"]
DavenportGame: TypeAlias = "Game[DavenportRules, DavenportState, DavenportView]"
DavenportMatch: TypeAlias = "Match[DavenportRules, DavenportState, DavenportView]"
