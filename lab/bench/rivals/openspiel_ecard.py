"""E-Card with the rules `classic` on OpenSpiel's Python API, laid out like the games that come with it.

The simplest state that will do: plain integers, and no observation unless one is requested.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel

CARDS: Final = "CES"
"""An action is the place of its card in this text."""
CITIZEN, EMPEROR, SLAVE = range(3)

PLAYERS: Final = 2
ROUNDS: Final = 12
GROUP: Final = 3
PLAYS: Final = 3
SLAVE_PAYS: Final = 5

_WINNER: Final = {
    (EMPEROR, CITIZEN): 0,
    (CITIZEN, EMPEROR): 1,
    (CITIZEN, SLAVE): 0,
    (SLAVE, CITIZEN): 1,
    (SLAVE, EMPEROR): 0,
    (EMPEROR, SLAVE): 1,
}
"""Who wins the play, by the two cards in player order."""

_GAME_TYPE = pyspiel.GameType(
    short_name="python_ecard",
    long_name="Python E-Card",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=PLAYERS,
    min_num_players=PLAYERS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
)
_GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=len(CARDS),
    max_chance_outcomes=0,
    num_players=PLAYERS,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=ROUNDS * PLAYS,
)


class ECardGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """The game, from which states and observers are made."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(_GAME_TYPE, _GAME_INFO, params or {})

    def new_initial_state(self) -> ECardState:
        """A game at its start."""
        return ECardState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ECardObserver:
        """What tells a player of a state."""
        return ECardObserver(params)


class ECardState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A game before a play."""

    def __init__(self, game: ECardGame) -> None:
        super().__init__(game)
        self.round = 1
        self.play = 1
        self.emperor = 0
        self.winnings = [0, 0]
        self._over = False

    def current_player(self) -> Any:
        """Both, or none once the game is over."""
        return pyspiel.PlayerId.TERMINAL if self._over else pyspiel.PlayerId.SIMULTANEOUS

    def _legal_actions(self, player: int) -> list[int]:
        """The cards in hand, in ascending order. Three plays cannot use up four Citizens."""
        return [CITIZEN, EMPEROR] if player == self.emperor else [CITIZEN, SLAVE]

    def _apply_actions(self, actions: list[int]) -> None:
        """Both cards are turned. As the API has it, whether they are legal was asked before or not at all."""
        one, two = actions
        if one != two:
            winner = _WINNER[one, two]
            self.winnings[winner] += 1 if winner == self.emperor else SLAVE_PAYS
        elif self.play < PLAYS:
            self.play += 1
            return
        if self.round == ROUNDS:
            self._over = True
            return
        if self.round % GROUP == 0:
            self.emperor = 1 - self.emperor
        self.round += 1
        self.play = 1

    def _action_to_string(self, player: int, action: int) -> str:
        return CARDS[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._over

    def returns(self) -> list[float]:
        """The higher winnings win the game."""
        one, two = self.winnings
        if not self._over or one == two:
            return [0.0, 0.0]
        return [1.0, -1.0] if one > two else [-1.0, 1.0]

    def __str__(self) -> str:
        return f"round {self.round}, play {self.play}, emperor {self.emperor}, winnings {self.winnings}"


class ECardObserver:
    """What a player sees: all but the cards that lie face down is public."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self.tensor = np.zeros(5, np.float32)
        self.dict = {"table": self.tensor}

    def set_from(self, state: ECardState, player: int) -> None:
        """Write into the tensor how the player sees the state."""
        mine, theirs = state.winnings[player], state.winnings[1 - player]
        self.tensor[:] = (state.emperor == player, state.round, state.play, mine, theirs)

    def string_from(self, state: ECardState, player: int) -> str:
        """The same in words."""
        return f"{'Emperor' if state.emperor == player else 'Slave'} side, {state}"


pyspiel.register_game(_GAME_TYPE, ECardGame)
