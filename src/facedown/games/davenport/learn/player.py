"""The network of `expert` at one seat of many tables: a batch form like those of the other machines."""

from __future__ import annotations

from typing import Any

from facedown.core.parts.batch import Array, Draws
from facedown.games.davenport.batch.bots import place_of_pick
from facedown.games.davenport.batch.habits import HabitTables, first_habits, follow
from facedown.games.davenport.batch.state import DavenportTables
from facedown.games.davenport.learn.inputs import PICKS
from facedown.games.davenport.learn.network import Weights, decide
from facedown.games.davenport.learn.sight import sight_of


class BatchNetwork:
    """A network that picks by its scores."""

    name = "expert"
    exact = False

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def start(self, game: Any, tables: int) -> HabitTables:
        """The habits of every seat."""
        return first_habits(game.xp, tables, game.seats)

    def after(self, game: Any, memory: HabitTables, before: Any, state: Any) -> HabitTables:
        """What everybody has seen since."""
        return follow(game.xp, memory, before, state, game.switches.exchange)

    def pick(self, game: Any, state: DavenportTables, memory: HabitTables, seat: int, draws: Draws) -> Array:
        """Drawn by its chances."""
        xp = game.xp
        sight = sight_of(game, state, memory, (seat,))
        upto = xp.cumsum(decide(xp, self.weights, sight), axis=1)
        choice = (state.held[seat] > 1) | game.switches.exchange  # else nothing is drawn
        unit = draws.unit(game.slots + seat, game.deciding(state, seat) & choice)
        pick = (upto <= unit[:, None] * upto[:, -1:]).sum(axis=1)
        return place_of_pick(game, state, seat, xp.minimum(pick, PICKS - 1))
