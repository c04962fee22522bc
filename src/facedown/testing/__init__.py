"""The test suites for game authors: the contract, and leaks. They know no game by name.

    import pytest
    from facedown.testing import CHECKS
    from my_game.game import GAME

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_my_game(check):
        check(GAME)

or, without pytest, `check_game(GAME)`; for a bot, `bot_sees_only_its_view(GAME, MyBot)`. Needs Hypothesis:
`pip install ".[testing]"` in Facedown's folder.
"""

from __future__ import annotations

from facedown.core.errors import missing_extra

try:
    from hypothesis import settings
except ModuleNotFoundError:
    raise missing_extra("facedown.testing needs", "testing") from None

from facedown.core.game import AnyGame
from facedown.testing import encodings, endings, picks, recall, records, steps
from facedown.testing.bots import bot_sees_only_its_view
from facedown.testing.checks import HOW, Broken, Check, Leak
from facedown.testing.leaks import LEAKS
from facedown.testing.tables import Deal, TableSetup

CONTRACT: tuple[Check, ...] = (
    *steps.CHECKS,
    *picks.CHECKS,
    *endings.CHECKS,
    *records.CHECKS,
    *recall.CHECKS,
    *encodings.CHECKS,
)
"""What every game keeps to, in the order in which it is easiest to mend; each check raises `Broken`."""

CHECKS: tuple[Check, ...] = CONTRACT + LEAKS
"""Everything that a game is checked for; each takes a game, and its name says what must hold."""


def check_game(game: AnyGame, how: settings = HOW) -> None:
    """Run every check on a game; `how` are Hypothesis's settings, for a longer search."""
    for check in CHECKS:
        check(game, how)


__all__ = [
    "CHECKS",
    "CONTRACT",
    "HOW",
    "LEAKS",
    "Broken",
    "Check",
    "Deal",
    "Leak",
    "TableSetup",
    "bot_sees_only_its_view",
    "check_game",
]


def __dir__() -> list[str]:
    return __all__
