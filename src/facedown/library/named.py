"""The types of our own games, for type checkers: `facedown.new("ecard")` has E-Card's view and rules.

Games of other packages, and names that are only known at run time, are any game. The views can be used at
run time too: `Bot[ECardView]` is a bot of one game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_type_hints

from facedown.core import registry
from facedown.core.game import Game
from facedown.core.match import Match

if TYPE_CHECKING:
    from facedown.games.davenport.rules import DavenportRules as DavenportRules
    from facedown.games.davenport.state import DavenportState
    from facedown.games.davenport.view import DavenportView as DavenportView
    from facedown.games.ecard.rules import ECardRules as ECardRules
    from facedown.games.ecard.solve.report import OneState, WholeGame
    from facedown.games.ecard.state import ECardState
    from facedown.games.ecard.view import ECardView as ECardView

ECardName: TypeAlias = Literal["ecard"]
ECardGame: TypeAlias = "Game[ECardRules, ECardState, ECardView]"
ECardMatch: TypeAlias = "Match[ECardRules, ECardState, ECardView]"
ECardAnswer: TypeAlias = "WholeGame"
ECardPosition: TypeAlias = "OneState"

DavenportName: TypeAlias = Literal["davenport"]
DavenportGame: TypeAlias = "Game[DavenportRules, DavenportState, DavenportView]"
DavenportMatch: TypeAlias = "Match[DavenportRules, DavenportState, DavenportView]"

_VIEWS: Final = {"ECardView": "ecard", "DavenportView": "davenport"}


def __getattr__(name: str) -> Any:
    """The view of a game by the name of its class, from the game itself."""
    if name not in _VIEWS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return get_type_hints(type(registry.get(_VIEWS[name])).view)["return"]
