"""E-Card with the rules `classic` on PettingZoo's parallel API, the mask in the observation as in its guide.

The simplest environment that will do: plain integers inside, masks copied instead of worked out at each step.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

CARDS: Final = "CES"
"""An action is the place of its card in this text."""
CITIZEN, EMPEROR, SLAVE = range(3)

ONE, TWO = AGENTS = ("player_1", "player_2")
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
"""Who wins the play, by the two cards in the order of the agents."""

# Three plays cannot use up four Citizens: a side has the same two cards to choose from at each.
_HANDS: Final = (((CITIZEN, EMPEROR), (CITIZEN, SLAVE)), ((CITIZEN, SLAVE), (CITIZEN, EMPEROR)))
"""The cards of both agents, by who is the Emperor side."""
_MASKS: Final = tuple(
    tuple(np.array([card in hand for card in range(3)], np.int8) for hand in hands) for hands in _HANDS
)


class ECardEnv(ParallelEnv):  # type: ignore[misc]  # gymnasium's types are not here to be checked
    """Both agents act at every step; the reward comes with the last one, to the higher winnings."""

    metadata: ClassVar[dict[str, Any]] = {"name": "ecard_v0", "render_modes": []}

    def __init__(self) -> None:
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []

    @functools.cache  # noqa: B019  # the guide's way to hand out the same space each time
    def observation_space(self, agent: str) -> Any:
        """Whether one is the Emperor side, the round, the play, one's own winnings and the other's."""
        most = ROUNDS * SLAVE_PAYS + 1
        return spaces.Dict(
            {
                "observation": spaces.MultiDiscrete([2, ROUNDS + 1, PLAYS + 1, most, most]),
                "action_mask": spaces.Box(0, 1, shape=(3,), dtype=np.int8),
            }
        )

    @functools.cache  # noqa: B019  # as above
    def action_space(self, agent: str) -> Any:
        """One of the three cards."""
        return spaces.Discrete(3)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """The start of a game."""
        self.agents = self.possible_agents[:]
        self.round = 1
        self.play = 1
        self.emperor = 0
        self.winnings = [0, 0]
        return self._observations(), {ONE: {}, TWO: {}}

    def step(self, actions: dict[str, int]) -> Any:
        """Both cards are turned."""
        over = self._turn(actions[ONE], actions[TWO])
        reward = 0.0
        if over:
            self.agents = []
            one, two = self.winnings
            reward = float((one > two) - (one < two))
        observations = self._observations()
        rewards = {ONE: reward, TWO: -reward}
        terminations = {ONE: over, TWO: over}
        truncations = {ONE: False, TWO: False}
        infos: dict[str, dict[str, Any]] = {ONE: {}, TWO: {}}
        return observations, rewards, terminations, truncations, infos

    def _turn(self, one: int, two: int) -> bool:
        """Carry out a play; whether the game ends with it."""
        hands = _HANDS[self.emperor]
        if one not in hands[0] or two not in hands[1]:
            raise ValueError(f"{CARDS[one]} against {CARDS[two]}: one of them is not in hand")
        if one != two:
            winner = _WINNER[one, two]
            self.winnings[winner] += 1 if winner == self.emperor else SLAVE_PAYS
        elif self.play < PLAYS:
            self.play += 1
            return False
        if self.round == ROUNDS:
            return True
        if self.round % GROUP == 0:
            self.emperor = 1 - self.emperor
        self.round += 1
        self.play = 1
        return False

    def _observations(self) -> dict[str, dict[str, Any]]:
        one, two = self.winnings
        emperor = self.emperor
        masks = _MASKS[emperor]
        return {
            ONE: {
                "observation": np.array((1 - emperor, self.round, self.play, one, two)),
                "action_mask": masks[0].copy(),
            },
            TWO: {
                "observation": np.array((emperor, self.round, self.play, two, one)),
                "action_mask": masks[1].copy(),
            },
        }
