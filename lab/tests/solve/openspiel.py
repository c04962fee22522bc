"""Our laid-out games beside OpenSpiel's own: walked in step, so that nothing but the code differs. For tests.

OpenSpiel is an oracle here: it judges our strategies in its own implementation of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from facedown.core.game import Pick
from facedown.solve.best_response import Mix, Strategy
from facedown.solve.tree import Decide, Draw, End, Node, Situation, Tree
from tests.needs import without

Action: TypeAlias = int
Actions: TypeAlias = Callable[[Situation, Pick], Action]


def pyspiel() -> Any:
    """OpenSpiel, or a skip with a reason; a failure if everything is required."""
    try:
        import pyspiel as found
    except ImportError:
        without("OpenSpiel has no build for this platform")
    return found


class InStep:
    """Walks both trees together: the same ends, the same chances, the same situations.

    Where `played_out` is set, OpenSpiel itself plays a last card that is the only one left.
    """

    def __init__(self, tree: Tree, game: Any, action_of: Actions, played_out: bool = False) -> None:
        self.action_of = action_of
        self.played_out = played_out
        self.names: dict[str, Situation] = {}
        self.ends = 0
        self._walk(tree.root, game.new_initial_state())
        assert len(self.names) == sum(not self._is_forced(each) for each in tree.situations)

    def _is_forced(self, situation: Situation) -> bool:
        return self.played_out and len(situation.legal) == 1

    def _walk(self, node: Node, state: Any) -> None:
        while isinstance(node, Decide) and self._is_forced(node.situation):
            node = node.children[0]
        if isinstance(node, Draw):
            self._chance(node, state, 1.0)
        elif isinstance(node, Decide):
            self._decide(node, state)
        else:
            self._end(node, state)

    def _end(self, node: End, state: Any) -> None:
        assert state.is_terminal()
        assert state.returns()[0] == pytest.approx(node.payoff)
        self.ends += 1

    def _chance(self, node: Draw, state: Any, probability: float) -> None:
        """One chance of ours may be several in a row of theirs; all of them come in the same order."""
        branches = iter(node.branches)

        def deal(state: Any, probability: float) -> None:
            if state.is_chance_node():
                for action, chance in state.chance_outcomes():
                    deal(state.child(action), probability * chance)
                return
            ours, branch = next(branches)
            assert float(ours) == pytest.approx(probability)
            self._walk(branch, state)

        deal(state, probability)
        assert next(branches, None) is None

    def _decide(self, node: Decide, state: Any) -> None:
        situation = node.situation
        assert state.current_player() == situation.seat - 1
        known = self.names.setdefault(state.information_state_string(), situation)
        assert known is situation
        actions = [self.action_of(situation, pick) for pick in situation.legal]
        assert sorted(actions) == sorted(state.legal_actions())
        for action, child in zip(actions, node.children, strict=True):
            self._walk(child, state.child(action))

    def policy(self, game: Any, strategy: Strategy) -> Any:
        """Our strategy as a policy of theirs."""
        from open_spiel.python.policy import TabularPolicy

        policy = TabularPolicy(game)
        for name, situation in self.names.items():
            mix: Mix = strategy[situation]
            row = policy.policy_for_key(name)
            row[:] = 0
            for pick, share in zip(situation.legal, mix, strict=True):
                row[self.action_of(situation, pick)] = share
        return policy


def nash_conv(game: Any, policy: Any) -> float:
    """What OpenSpiel's own best responses gain over the policy, both seats together."""
    from open_spiel.python.algorithms import exploitability

    return float(exploitability.nash_conv(game, policy))


def value(game: Any, policy: Any) -> float:
    """What the first player gains under the policy, by OpenSpiel's own count."""
    from open_spiel.python.algorithms import expected_game_score

    return float(expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0])
