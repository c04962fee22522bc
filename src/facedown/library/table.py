"""Single games: a new match to play by hand, and one played by bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from facedown.core.chance import LOCAL, Seeded, deal_key, seed_of
from facedown.core.game import AnyGame, Game
from facedown.core.match import Match
from facedown.core.rules import Rules
from facedown.core.views import ViewProtocol
from facedown.library.arguments import SeatsLike, SeedLike, seat_names, seed_text
from facedown.library.catalogue import GameLike, RulesLike, read_rules
from facedown.library.catalogue import game as find_game
from facedown.library.named import DavenportMatch, DavenportName, ECardMatch, ECardName
from facedown.sim.bot_specs import BotLike, read_bots
from facedown.sim.simulate import play_out

R = TypeVar("R", bound=Rules)
S = TypeVar("S")
V = TypeVar("V", bound=ViewProtocol)


@overload
def new(
    game: ECardName, rules: RulesLike = "", *, seats: SeatsLike = None, seed: SeedLike = None
) -> ECardMatch: ...
@overload
def new(
    game: DavenportName, rules: RulesLike = "", *, seats: SeatsLike = None, seed: SeedLike = None
) -> DavenportMatch: ...
@overload
def new(
    game: Game[R, S, V] | type[Game[R, S, V]],
    rules: RulesLike = "",
    *,
    seats: SeatsLike = None,
    seed: SeedLike = None,
) -> Match[R, S, V]: ...
@overload
def new(
    game: str, rules: RulesLike = "", *, seats: SeatsLike = None, seed: SeedLike = None
) -> Match[Any, Any, Any]: ...
def new(
    game: GameLike, rules: RulesLike = "", *, seats: SeatsLike = None, seed: SeedLike = None
) -> Match[Any, Any, Any]:
    """A new match: `seal` a pick for each seat, and the last one turns them all.

    `seats` are the names of the seats, or their number; without them there are as few as the game allows.
    The same `seed` gives the same game. The match's `record()` holds the seed once the game is over, so that
    anyone can verify the deal.

    >>> import facedown
    >>> match = facedown.new("ecard", "decisive", seats=("Ann", "Bo"), seed="oak")
    >>> match.may_seal, match.legal(1)
    ((1, 2), ('C', 'E'))
    >>> match.seal(1, match.game.read_pick("citizen"))  # as people write it; or "C", as it is in `legal`
    >>> match.sealed, match.view(2).rounds
    ((1,), ())
    """
    found = find_game(game)
    return _match(found, read_rules(found, rules), seat_names(found, seats), seed_of(seed_text(seed)))


@overload
def play(
    game: ECardName, bots: Sequence[BotLike], rules: RulesLike = "", *, seed: SeedLike = None
) -> ECardMatch: ...
@overload
def play(
    game: DavenportName, bots: Sequence[BotLike], rules: RulesLike = "", *, seed: SeedLike = None
) -> DavenportMatch: ...
@overload
def play(
    game: Game[R, S, V] | type[Game[R, S, V]],
    bots: Sequence[BotLike],
    rules: RulesLike = "",
    *,
    seed: SeedLike = None,
) -> Match[R, S, V]: ...
@overload
def play(
    game: str, bots: Sequence[BotLike], rules: RulesLike = "", *, seed: SeedLike = None
) -> Match[Any, Any, Any]: ...
def play(
    game: GameLike, bots: Sequence[BotLike], rules: RulesLike = "", *, seed: SeedLike = None
) -> Match[Any, Any, Any]:
    """One game between bots, one for each seat, played to its end.

    Raises `FacedownError` with the code `bot_fault` if a bot fails; its cause is the bot's own error.

    >>> import facedown
    >>> facedown.play("ecard", ["sage", "uniform"], "decisive", seed="oak").outcome.termination
    'completed'
    """
    found = find_game(game)
    names, lineup = read_bots(found, bots)
    seed_bytes = seed_of(seed_text(seed))
    match = _match(found, read_rules(found, rules), seat_names(found, names), seed_bytes)
    play_out(match, lineup.factories(found.name, names), deal_key(seed_bytes, LOCAL))
    return match


def _match(game: AnyGame, rules: Rules, names: tuple[str, ...], seed: bytes) -> Match[Any, Any, Any]:
    return Match(game, rules, names, Seeded(deal_key(seed, LOCAL)), seed=seed)
