"""PettingZoo environments: every seat is an agent, in the parallel form and in the AEC form."""

from __future__ import annotations

from typing import Any

from facedown_lab.parts import missing_extra

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import OrderEnforcingWrapper, parallel_to_aec
except ModuleNotFoundError:
    raise missing_extra("PettingZoo environments need", "pettingzoo") from None

from facedown.core.errors import NotNow
from facedown.library.arguments import seed_text
from facedown.library.catalogue import GameLike, RulesLike
from facedown_lab.adapters.agents import RENDER_MODES, RESIGN, AgentTable, error_info

__all__ = ["FacedownParallelEnv", "aec_env", "parallel_env"]


def __dir__() -> list[str]:
    return __all__


class FacedownParallelEnv(ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]  # it has no types
    """A game as a PettingZoo parallel environment: all seats act at once, as they do at the table.

    Agents are `seat_1`, `seat_2` and so on. An observation holds the view as numbers (`observation`) and an
    `action_mask`; action `k` is the k-th of `game.picks(rules, seats)`, and the last one is the pass of a
    seat that has nothing to decide. Rewards are the payoffs, at the end. `reset(seed=7)` deals the same game
    as `facedown.new(game, rules, seed=7)`; a `reset()` after it deals the next one.

    An action that the mask rules out makes its seat resign, and `info` says why (`error`, `error_says`); with
    `illegal="raise"` it raises `IllegalPick` instead. What is no action at all raises in any case.
    """

    def __init__(
        self,
        game: GameLike,
        rules: RulesLike = "",
        seats: int | None = None,
        render_mode: str | None = None,
        *,
        illegal: str = RESIGN,
    ) -> None:
        self.table = AgentTable(game, rules, seats, render_mode, illegal)
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": f"facedown_{self.table.game.name}_v1",
            "is_parallelizable": True,
        }
        self.possible_agents = [f"seat_{seat}" for seat in self.table.seats]
        self.agents: list[str] = []
        self._seat = dict(zip(self.possible_agents, self.table.seats, strict=True))
        actions = self.table.passing + 1
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(-1.0, 1.0, self.table.layout.shape, np.float32),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions; always the same object."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Deal a game: that of the seed, or the next one."""
        self.table.deal(None if seed is None else seed_text(int(seed)))
        self.agents = list(self.possible_agents)
        self._show()
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, dict[str, Any]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """One decision: all agents act, then the picks are turned."""
        if not self.agents:
            raise NotNow("no game is being played: `reset` deals one")
        wrong = self.table.step(
            {seat: actions[agent] for agent, seat in self._seat.items() if agent in actions}
        )
        over = self.table.outcome is not None
        rewards = {agent: self.table.payoff(self._seat[agent]) for agent in self.agents}
        ended = dict.fromkeys(self.agents, over)
        infos: dict[str, dict[str, Any]] = {
            agent: dict(error_info(wrong.get(self._seat[agent]))) for agent in self.agents
        }
        observed = self._observe()
        truncated = dict.fromkeys(self.agents, False)
        if over:
            self.agents = []
        self._show()
        return observed, rewards, ended, truncated, infos

    def render(self) -> str | None:
        """The table as a spectator sees it in the terminal: as text for `ansi`, printed for `human`."""
        return self.table.render()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observe(self) -> dict[str, dict[str, Any]]:
        return {
            agent: {"observation": self.table.numbers(seat), "action_mask": self.table.mask(seat)}
            for agent, seat in self._seat.items()
        }


parallel_env = FacedownParallelEnv
"""The name under which libraries look for the environment."""


def aec_env(
    game: GameLike,
    rules: RulesLike = "",
    seats: int | None = None,
    render_mode: str | None = None,
    *,
    illegal: str = RESIGN,
) -> AECEnv[str, dict[str, Any], int]:
    """The same as a PettingZoo AEC environment: agents act one after the other, and none sees what the
    others chose before all have."""
    made = parallel_to_aec(parallel_env(game, rules, seats, render_mode, illegal=illegal))
    return OrderEnforcingWrapper(made)
