"""OpenSpiel games: simultaneous moves, explicit chance, information states from views.

    from facedown_lab.adapters.openspiel import register
    register()
    game = pyspiel.load_game("python_facedown_NAME(rules=PRESET)")

Options are written `rules=PRESET[option:value;other:value]`: OpenSpiel keeps other signs for itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from facedown_lab.parts import missing_extra

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError:
    raise missing_extra("OpenSpiel games need", "openspiel") from None

from facedown.core.chance import Chance, Exact
from facedown.core.game import AnyGame, Joint, Pick, Step
from facedown.core.match import check_seats
from facedown.core.parts.text import text_of
from facedown.core.rules import Rules
from facedown.core.seats import SPECTATOR, all_seats
from facedown.core.views import plain
from facedown.library.catalogue import GameLike, games
from facedown.library.catalogue import game as find_game

Text = TypeVar("Text", bound=str)

_CARDS: Final = 52
_registered: dict[str, type[FacedownGame]] = {}


__all__ = ["register"]


def __dir__() -> list[str]:
    return __all__


def register(*others: GameLike) -> tuple[str, ...]:
    """Make `python_facedown_NAME` known to OpenSpiel, for all installed games and those handed in; the names.

    Each takes the parameters `rules` (text; the usual ones without it) and `players` (the fewest without it).
    """
    wanted: tuple[GameLike, ...] = (*games(), *others)
    for each in wanted:
        game: AnyGame = find_game(each)
        name = f"python_facedown_{game.name}"
        if name not in _registered:
            # a class, because OpenSpiel releases it only after Python has ended: any other object would crash
            kind = _game_type(name, game)
            _registered[name] = type(name, (FacedownGame,), {"kind": kind, "game": game})
            pyspiel.register_game(kind, _registered[name])
    return tuple(_registered)


def _game_type(name: str, game: AnyGame) -> Any:
    kinds = pyspiel.GameType
    meta = game.meta
    zero_sum = kinds.Utility.ZERO_SUM if meta.zero_sum else kinds.Utility.GENERAL_SUM
    rules = game.rules.of()
    encoded = game.encoding(rules, meta.least_seats) is not None
    return kinds(
        short_name=name,
        long_name=f"Facedown: {meta.title}",
        dynamics=kinds.Dynamics.SIMULTANEOUS,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=zero_sum,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=meta.most_seats,
        min_num_players=meta.least_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=encoded,
        parameter_specification={"rules": str(rules), "players": meta.least_seats},
    )


_OURS: Final = "(=,)"
_THEIRS: Final = "[:;]"


def read_rules(game: AnyGame, text: str) -> Rules:
    """Rules as in OpenSpiel's parameters, `PRESET[option:value]`, or in the usual form."""
    rules: Rules = game.rules.read(text.translate(str.maketrans(_THEIRS, _OURS)))
    return rules


def write_rules(rules: Rules) -> str:
    """Rules as OpenSpiel's parameters can hold them."""
    return str(rules).translate(str.maketrans(_OURS, _THEIRS))


class FacedownGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """One rule set with one number of seats; `register` makes a class of it for each game."""

    kind: ClassVar[Any]
    game: ClassVar[AnyGame]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        game = self.game
        self.rules = read_rules(game, str(given.get("rules", "")))
        self.seats = int(given.get("players", game.meta.least_seats))
        check_seats(game, self.seats)
        self.picks: tuple[Pick, ...] = game.picks(self.rules, self.seats)
        self.passing = len(self.picks)
        deal = Exact()
        game.setup(self.rules, self.seats, deal)
        super().__init__(
            self.kind,
            pyspiel.GameInfo(
                num_distinct_actions=self.passing + 1,
                max_chance_outcomes=max(_CARDS, *deal.widths, 0),
                num_players=self.seats,
                min_utility=1.0 - self.seats,
                max_utility=self.seats - 1.0,
                utility_sum=0.0 if game.meta.zero_sum else None,
                max_game_length=100_000,
            ),
            {"rules": write_rules(self.rules), "players": self.seats},
        )

    def new_initial_state(self) -> FacedownState:
        return FacedownState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> FacedownObserver:
        """An observer: views as text with perfect recall, as numbers without."""
        return FacedownObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class _Undrawn(Exception):
    """Chance has to draw again, from these options."""

    def __init__(self, options: tuple[str, ...]) -> None:
        super().__init__()
        self.options = options


class _Known:
    """Chance with known draws; the next draw raises `_Undrawn` with its options."""

    def __init__(self, drawn: tuple[int, ...]) -> None:
        self._places = drawn
        self.drawn: list[str] = []

    def draw(self, options: Sequence[Text], /) -> Text:
        if len(self.drawn) == len(self._places):
            raise _Undrawn(tuple(options))
        found = options[self._places[len(self.drawn)]]
        self.drawn.append(found)
        return found


class _Place:
    """A position of a game. It never changes, so a copy is the same object; a pickle holds the way to it."""

    __slots__ = ("_act", "_drawn", "_table", "_way", "options", "state")

    def __init__(
        self,
        table: FacedownGame,
        act: Callable[[Chance], Step[Any]],
        drawn: tuple[int, ...],
        before: Any,
        way: _Way,
    ) -> None:
        """Carry out the deal, or a reveal, as far as its draws are known."""
        self._table = table
        self._act = act
        self._drawn = drawn
        self._way = way
        self.options: tuple[str, ...] = ()
        """What chance may draw next; empty once the step is complete."""
        try:
            self.state = act(_Known(drawn)).state
        except _Undrawn as waiting:
            self.options = waiting.options
            self.state = before

    @classmethod
    def start(cls, table: FacedownGame) -> _Place:
        return cls(table, partial(table.game.setup, table.rules, table.seats), (), None, None)

    @property
    def draws(self) -> int:
        """The number of draws since all have picked."""
        return len(self._drawn)

    @property
    def deciding(self) -> frozenset[int]:
        return frozenset(seat for wave in self._table.game.pending(self.state) for seat in wave)

    def draw(self, action: int) -> _Place:
        return _Place(self._table, self._act, (*self._drawn, action), self.state, (self._way, action))

    def reveal(self, actions: tuple[int, ...]) -> _Place:
        game, picks, deciding = self._table.game, self._table.picks, self.deciding
        joint: Joint = tuple(
            picks[action] if seat in deciding else None for seat, action in enumerate(actions, 1)
        )
        return _Place(
            self._table, partial(game.resolve, self.state, joint), (), self.state, (self._way, actions)
        )

    def __deepcopy__(self, memo: object) -> _Place:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        way, steps = self._way, []
        while way is not None:
            way, step = way
            steps.append(step)
        return _place_again, (str(self._table), steps[::-1])


_Way: TypeAlias = "tuple[_Way, int | tuple[int, ...]] | None"
"""How a game came to its position: the way before, and the last step of chance or the seats."""


def _place_again(table: str, steps: list[int | tuple[int, ...]]) -> _Place:
    place = _Place.start(pyspiel.load_game(table))
    for step in steps:
        place = place.draw(step) if isinstance(step, int) else place.reveal(step)
    return place


class FacedownState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """One moment of a game: chance draws, all seats act at once, or the game is over."""

    def __init__(self, game: FacedownGame) -> None:
        super().__init__(game)
        self._at = _Place.start(game)

    @property
    def _of(self) -> FacedownGame:
        found: FacedownGame = self.get_game()
        return found

    def current_player(self) -> int:
        if self._at.options:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self.is_terminal() else pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        of = self._of
        if player + 1 not in self._at.deciding:
            return [of.passing]
        return sorted(map(of.picks.index, of.game.legal(self._at.state, player + 1)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(place, 1 / len(self._at.options)) for place in range(len(self._at.options))]

    def _apply_action(self, action: int) -> None:
        self._at = self._at.draw(int(action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._at = self._at.reveal(tuple(map(int, actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._at.options[action] if action < len(self._at.options) else f"draw {action}"
        return "pass" if action == self._of.passing else self._of.picks[action]

    def is_terminal(self) -> bool:
        return not self._at.options and self._of.game.outcome(self._at.state) is not None

    def returns(self) -> list[float]:
        """The payoffs; nothing before the end."""
        outcome = None if self._at.options else self._of.game.outcome(self._at.state)
        return [0.0] * self._of.seats if outcome is None else [float(each) for each in outcome.payoffs]

    def view(self, viewer: int) -> Any:
        """What a seat (from 1) or the spectator (0) may see; None before the deal."""
        return None if self._at.state is None else self._of.game.view(self._at.state, viewer)

    def __str__(self) -> str:
        of = self._of
        if self._at.state is None:
            return f"the deal, after {self._at.draws} draws"
        table = text_of(of.game.name).table(
            self.view(SPECTATOR), [f"Seat {seat}" for seat in all_seats(of.seats)]
        )
        return f"{table}\nafter {self._at.draws} draws" if self._at.options else table


class FacedownObserver:
    """What a player sees: its view as JSON, with perfect recall, or as numbers."""

    def __init__(self, game: FacedownGame, kind: Any) -> None:
        layout = game.game.encoding(game.rules, game.seats)
        self._game = game.game
        self._numeric = layout is not None and not kind.perfect_recall
        size = len(layout.names) if layout is not None and self._numeric else 0
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"view": self.tensor} if self._numeric else {}

    def set_from(self, state: FacedownState, player: int) -> None:
        """Fill the tensor with the player's view as numbers; zeros before the deal."""
        if self._numeric:
            view = state.view(player + 1)
            self.tensor[:] = 0 if view is None else self._game.encode(view)

    def string_from(self, state: FacedownState, player: int) -> str:
        """The player's view as JSON: two states with the same text look the same to it."""
        view = state.view(player + 1)
        return "{}" if view is None else json.dumps(plain(view), separators=(",", ":"))
