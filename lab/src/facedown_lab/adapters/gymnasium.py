"""Gymnasium environments: one seat is the agent, the others are played by bots.

Importing this module registers `Facedown/NAME-v1` for every installed game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown_lab.parts import missing_extra

try:
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Box, Discrete
except ModuleNotFoundError:
    raise missing_extra("Gymnasium environments need", "gymnasium") from None

from facedown.bots.find import usual_bot
from facedown.core.chance import LOCAL, deal_key
from facedown.core.errors import FacedownError, IllegalPick, IllegalSeats, NotNow
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.seats import Seat
from facedown.library.arguments import seat_number
from facedown.library.catalogue import GameLike, RulesLike, games
from facedown.sim.bot_specs import BotLike, read_bot
from facedown.sim.lineup import BotFault, describe_fault
from facedown_lab.adapters.agents import RAISE, RENDER_MODES, RESIGN, AgentTable, Mask, Numbers, error_info

__all__ = ["FacedownEnv", "register"]


def __dir__() -> list[str]:
    return __all__


class FacedownEnv(gymnasium.Env[Numbers, int]):
    """One seat of a table as an agent, against bots.

    An observation is the seat's view as numbers; `info["action_mask"]` (and `action_masks()`) says which
    actions are legal, and action `k` is the k-th of `game.picks(rules, seats)`. The reward is the payoff, at
    the end. `against` is a bot, or a list with one for each other seat in seat order; without it, the game's
    usual bot. `reset(seed=7)` deals the same game as `facedown.new(game, rules, seed=7)`.

    An action that the mask rules out makes the seat resign, and `info` says why (`error`, `error_says`); with
    `illegal="raise"` it raises `IllegalPick` instead. What is no action at all raises in any case.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: GameLike,
        rules: RulesLike = "",
        seats: int | None = None,
        seat: Seat = 1,
        against: BotLike | Sequence[BotLike] | None = None,
        render_mode: str | None = None,
        illegal: str = RESIGN,
    ) -> None:
        self.table = AgentTable(game, rules, seats, render_mode, illegal)
        self.seat = seat_number(seat, len(self.table.seats))
        self.render_mode = render_mode
        self._others = [each for each in self.table.seats if each != self.seat]
        self._against = [read_bot(self.table.game, bot) for bot in self._bots(against)]
        self.observation_space = Box(-1.0, 1.0, self.table.layout.shape, np.float32)
        self.action_space = Discrete(self.table.passing)  # type: ignore[assignment]  # numpy's integers are ints
        self._seated: dict[Seat, AnyBot] = {}

    def _bots(self, against: BotLike | Sequence[BotLike] | None) -> Sequence[BotLike]:
        if against is None:
            against = usual_bot(self.table.game.name)
        if isinstance(against, str) or not isinstance(against, Sequence):
            return [against] * len(self._others)
        if len(against) != len(self._others):
            counts = f"`against` has {len(against)} bots, but there are {len(self._others)} other seats"
            raise IllegalSeats(counts, text=str(len(against)))
        return against

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal a game: that of the seed, or the next one."""
        super().reset(seed=seed)
        self.table.deal(seed)
        secret = self.table.match.seed
        assert secret is not None, "every match of the library knows its seed"
        key = deal_key(secret, LOCAL)
        self._seated = {
            seat: factory(None) for seat, (_, factory) in zip(self._others, self._against, strict=True)
        }
        self._streams = {seat: bot_stream(key, seat) for seat in self._others}
        self._let_others_play()
        return self._observe(None)

    def step(self, action: int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """The agent's pick; the others pick too, and go on until the agent has to decide again."""
        if not self._seated or self.table.outcome is not None:
            raise NotNow("no game is being played: `reset` deals one")
        number = self.table.number(self.seat, action)
        wrong: FacedownError | None = None
        try:
            pick = self.table.read(self.seat, number)
        except IllegalPick as error:
            if self.table.illegal == RAISE or number == self.table.passing:
                raise
            wrong = error
            self.table.match.resign(self.seat)
        else:
            self._decide(pick)
        self._let_others_play()
        numbers, info = self._observe(wrong)
        return numbers, self.table.payoff(self.seat), self.table.outcome is not None, False, info

    def action_masks(self) -> Mask:
        """One for every legal action: the name that libraries with masks look for."""
        if self.table.outcome is not None:
            return np.zeros(self.table.passing, np.int8)
        return self.table.mask(self.seat, passing=False)

    def render(self) -> str | None:
        """The table as a spectator sees it in the terminal: as text for `ansi`, printed for `human`."""
        return self.table.render()

    def _let_others_play(self) -> None:
        """Play the decisions in which the agent has no part."""
        while self.table.outcome is None and self.seat not in self.table.deciding:
            self._decide(None)
        if self.render_mode == "human":
            self.render()

    def _decide(self, own: str | None) -> None:
        """One decision: each other seat's bot picks from its own view."""
        picks = {seat: self._pick_of_bot(seat) for seat in self._others if seat in self.table.deciding}
        self.table.match.decide(
            tuple(own if seat == self.seat else picks.get(seat) for seat in self.table.seats)
        )

    def _pick_of_bot(self, seat: Seat) -> str:
        match = self.table.match
        legal = match.legal(seat)
        try:
            pick = self._seated[seat].pick(match.view(seat), legal, self._streams[seat])
            if pick not in legal:
                raise match.game.refusal(match.state, seat, pick)
        except Exception as error:  # a stranger's bot may raise anything
            what = error.message if isinstance(error, FacedownError) else describe_fault(match, seat, error)
            name = self._against[self._others.index(seat)][0]
            raise BotFault(f"{name} failed: {what}").at(decision=match.decision, seat=seat) from error
        return pick

    def _observe(self, wrong: FacedownError | None) -> tuple[Numbers, dict[str, Any]]:
        info: dict[str, Any] = {"action_mask": self.action_masks(), **error_info(wrong)}
        return self.table.numbers(self.seat), info


def register() -> tuple[str, ...]:
    """Make `Facedown/NAME-v1` known for every installed game; the ids."""
    ids = tuple(f"Facedown/{name}-v1" for name in games())
    for env_id, name in zip(ids, games(), strict=True):
        if env_id not in gymnasium.registry:
            gymnasium.register(env_id, f"{__name__}:FacedownEnv", kwargs={"game": name})
    return ids


register()
