"""A table for agents: actions, masks and numbers instead of picks, legal picks and views.

Owns what all adapters share, above all reading actions. An action is the place of a pick in the game's
alphabet; one more, the last, is the pass of a seat that has nothing to decide. Knows none of the libraries.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from facedown.core.errors import FacedownError, IllegalPick, NotNow
from facedown.core.game import Pick
from facedown.core.match import Match
from facedown.core.outcome import Outcome
from facedown.core.parts.text import text_of
from facedown.core.seats import SPECTATOR, Seat, all_seats
from facedown.core.views import Encoding
from facedown.library.arguments import BadArgument, SeedLike, encoding_of, seat_names, seed_text
from facedown.library.catalogue import GameLike, RulesLike, read_rules
from facedown.library.catalogue import game as find_game
from facedown.library.table import new

RENDER_MODES: Final = ("ansi", "human")
RESIGN: Final = "resign"
RAISE: Final = "raise"
"""What an illegal action of an agent does: its seat resigns, or an error is raised."""

Numbers = NDArray[np.float32]
Mask = NDArray[np.int8]
Errors = dict[Seat, FacedownError]


class AgentTable:
    """One table after another, played by actions. `deal` begins a game, `step` makes one decision."""

    match: Match[Any, Any, Any]

    def __init__(
        self, game: GameLike, rules: RulesLike, seats: int | None, render_mode: str | None, illegal: str
    ) -> None:
        self.game = find_game(game)
        self.rules = read_rules(self.game, rules)
        self.names = seat_names(self.game, seats)
        self.seats: tuple[Seat, ...] = all_seats(len(self.names))
        self.picks: tuple[Pick, ...] = self.game.picks(self.rules, len(self.names))
        self.passing = len(self.picks)
        """The action of a seat that has nothing to decide."""
        self._action = {pick: action for action, pick in enumerate(self.picks)}
        self.render_mode = render_mode
        self.illegal = illegal
        _check_word("render_mode", render_mode, (None, *RENDER_MODES))
        _check_word("illegal", illegal, (RESIGN, RAISE))
        self._seed = ""
        self._games = 0

    @property
    def layout(self) -> Encoding:
        """What the numbers of an observation mean; raises `Unsupported` if the game has none."""
        return encoding_of(self.game, self.rules, len(self.names))

    def deal(self, seed: SeedLike = None) -> None:
        """A new game: that of the seed, or the next one after it; the first without a seed is fresh."""
        if seed is not None or not self._seed:
            self._seed, self._games = seed_text(seed), 0
        text = self._seed if self._games == 0 else f"{self._seed}/{self._games}"
        self._games += 1
        self.match = new(self.game, self.rules, seats=self.names, seed=text)

    # --- what an agent gets --------------------------------------------------------------------------

    @property
    def deciding(self) -> tuple[Seat, ...]:
        return tuple(seat for wave in self.match.pending for seat in wave)

    def legal(self, seat: Seat) -> list[int]:
        """The actions that the seat may take, in order: picks, or the pass alone."""
        if seat not in self.deciding:
            return [self.passing]
        return sorted(self._action[pick] for pick in self.match.legal(seat))

    def mask(self, seat: Seat, *, passing: bool = True) -> Mask:
        """One for every action that the seat may take; without `passing`, the pass is left out."""
        mask = np.zeros(self.passing + 1, np.int8)
        mask[self.legal(seat)] = 1
        return mask if passing else mask[: self.passing]

    def numbers(self, seat: Seat) -> Numbers:
        return np.asarray(self.game.encode(self.match.view(seat)), np.float32)

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    def payoff(self, seat: Seat) -> float:
        """What the seat gained; 0 while the game is in progress."""
        return 0.0 if self.outcome is None else float(self.outcome.payoffs[seat - 1])

    # --- what an agent does --------------------------------------------------------------------------

    def read(self, seat: Seat, action: object) -> Pick | None:
        """The pick that an action stands for, None for a pass; raises `IllegalPick` or `NotNow`."""
        number = self.number(seat, action)
        allowed = self.legal(seat)
        if number in allowed:
            return None if number == self.passing else self.picks[number]
        if allowed == [self.passing]:
            problem = f"action {number}, but this seat has nothing to decide: it passes with {self.passing}"
            raise NotNow(problem, text=str(number)).at(seat=seat)
        what = "to pass" if number == self.passing else self.picks[number]
        has = ", ".join(f"{self.picks[each]} ({each})" for each in allowed[:12])
        more = " and so on" if len(allowed) > 12 else ""
        problem = f"action {number} is {what}, which this seat may not do now; it has {has}{more}"
        raise IllegalPick(problem, text=str(number)).at(seat=seat)

    def number(self, seat: Seat, action: object) -> int:
        """The action as a whole number; raises `IllegalPick` if it is outside the action space."""
        try:
            number = index(action.item() if isinstance(action, np.ndarray) else action)  # type: ignore[arg-type]  # that is the question
        except (TypeError, ValueError):
            number = -1
        if isinstance(action, bool) or not 0 <= number <= self.passing:
            shown = " ".join(repr(action)[:60].split())
            problem = f"{shown} is no action: an action is a whole number from 0 to {self.passing}"
            raise IllegalPick(problem, text=shown).at(seat=seat)
        return number

    def step(self, actions: Mapping[Seat, object]) -> Errors:
        """One decision, with an action for each seat; what was wrong with them, by seat.

        Unless `illegal` is "raise", a seat with an illegal action resigns: the other picks are dropped, and
        the others pick again. The action of a seat that has nothing to decide changes nothing.
        """
        joint: list[Pick | None] = []
        wrong: Errors = {}
        for seat in self.seats:
            if seat not in actions:
                raise IllegalPick("no action, where every seat has one in each step").at(seat=seat)
            try:
                joint.append(self.read(seat, actions[seat]))
            except (IllegalPick, NotNow) as error:
                self.number(seat, actions[seat])  # nonsense is refused in any case
                if self.illegal == RAISE:
                    raise
                wrong[seat] = error
                joint.append(None)
        leaving = [seat for seat in wrong if seat in self.deciding]
        if leaving:
            for seat in leaving:
                if seat in self.game.standing(self.match.state):
                    self.match.resign(seat)
        else:
            self.match.decide(tuple(joint))
        return wrong

    def render(self) -> str | None:
        """The table as a spectator sees it in the terminal: as text for `ansi`, printed for `human`."""
        text = text_of(self.game.name).table(self.match.view(SPECTATOR), self.names)
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None


def _check_word(name: str, value: object, allowed: tuple[str | None, ...]) -> None:
    if value not in allowed:
        words = ", ".join(repr(each) for each in allowed)
        raise BadArgument(f"`{name}` is one of {words}, not {value!r}", text=repr(value)[:60])


def error_info(error: FacedownError | None) -> dict[str, str]:
    """The part of an agent's `info` about its illegal action: a stable code, and one sentence."""
    return {} if error is None else {"error": error.code, "error_says": str(error)}
