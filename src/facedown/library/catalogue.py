"""The catalogue: installed games, their rules and bots; and reading of what callers hand in for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from facedown.core import registry
from facedown.core.errors import UnknownGame, UnreadableRules
from facedown.core.game import AnyGame, Game
from facedown.core.parts.bot import AnyBot
from facedown.core.rules import Rules, Value
from facedown.core.views import ViewProtocol
from facedown.library.named import DavenportGame, DavenportName, ECardGame, ECardName

if TYPE_CHECKING:
    from facedown.library.named import DavenportRules, ECardRules

R = TypeVar("R", bound=Rules)
S = TypeVar("S")
V = TypeVar("V", bound=ViewProtocol)

GameLike: TypeAlias = "str | Game[Any, Any, Any] | type[Game[Any, Any, Any]]"
"""A game: its name, the game object, or its class."""

RulesLike: TypeAlias = "str | Mapping[str, Value] | Rules"
"""Rules: text such as `classic(tie=pair)`, a mapping of options (with `preset`, if not the usual one), or a
rules object. Empty: the game's usual rules."""


def games() -> tuple[str, ...]:
    """The names of all games: those of this package, those of other installed packages, and your own.

    >>> import facedown
    >>> "ecard" in facedown.games()
    True
    """
    return registry.names()


@overload
def game(name: ECardName) -> ECardGame: ...
@overload
def game(name: DavenportName) -> DavenportGame: ...
@overload
def game(name: Game[R, S, V] | type[Game[R, S, V]]) -> Game[R, S, V]: ...
@overload
def game(name: str) -> AnyGame: ...
def game(name: GameLike) -> AnyGame:
    """The game of that name; an object or a class of your own is made known by its name.

    >>> import facedown
    >>> facedown.game("ecard").meta.most_seats
    2
    >>> [preset.name for preset in facedown.game("ecard").rules.presets]
    ['classic', 'short', 'victories', 'decisive', 'purse']
    """
    if isinstance(name, str):
        return registry.get(name)
    return registry.add(_instance(name) if isinstance(name, type) else name)


@overload
def rules(game: ECardName, rules: RulesLike = "") -> ECardRules: ...
@overload
def rules(game: DavenportName, rules: RulesLike = "") -> DavenportRules: ...
@overload
def rules(game: Game[R, S, V] | type[Game[R, S, V]], rules: RulesLike = "") -> R: ...
@overload
def rules(game: str, rules: RulesLike = "") -> Rules: ...
def rules(game: GameLike, rules: RulesLike = "") -> Rules:
    """A rule set of a game: from text, from a mapping of options, or the usual one.

    >>> import facedown
    >>> str(facedown.rules("ecard", {"tie": "pair", "rounds": 6}))
    'classic(tie=pair,rounds=6)'
    >>> facedown.rules("ecard", "decisive").plays
    5
    """
    return read_rules(_game(game), rules)


def bots(game: GameLike) -> dict[str, type[AnyBot]]:
    """All bots that play a game, by name; each `says` how it plays.

    >>> import facedown
    >>> str(facedown.bots("ecard")["uniform"].says)
    'Chooses everything that it may choose equally often, and looks at nothing.'
    """
    from facedown.bots.find import bots_of

    return bots_of(_game(game).name)


def _game(name: GameLike) -> AnyGame:
    return game(name)


def _instance(kind: type[AnyGame]) -> AnyGame:
    try:
        return kind()
    except Exception as error:  # a stranger's class may raise anything
        raise UnknownGame(f"{kind.__name__} is no game: {error}", text=kind.__name__) from None


def read_rules(game: AnyGame, rules: object) -> Rules:
    """The rules that a caller handed in; raises `UnreadableRules` with all problems at once."""
    kind: type[Rules] = game.rules
    if isinstance(rules, str):
        return kind.read(rules)
    if isinstance(rules, Mapping):
        options = {str(name): tuple(each) if isinstance(each, list) else each for name, each in rules.items()}
        preset = options.pop("preset", "")
        return kind.of(str(preset), **options)
    if isinstance(rules, kind):
        if rules.problems():
            raise UnreadableRules(rules.problems(), text=repr(rules))
        return rules
    shown = repr(rules)[:60]
    raise UnreadableRules((f"{shown} are no rules of {game.name}",), text=shown)
