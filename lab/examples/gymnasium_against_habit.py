"""An agent finds out how to beat a machine with habits: `python gymnasium_against_habit.py [GAMES]`.

Learning from whole games (Monte Carlo) on a few entries of the observation, chosen by their names.
Needs `pip install 'facedown-lab[gymnasium]'`.
"""

import sys
from collections import defaultdict

import gymnasium
import numpy as np

import facedown
import facedown_lab.adapters.gymnasium  # noqa: F401  # registers the environments

games = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
env = gymnasium.make("Facedown/ecard-v1", rules="decisive", seat=1, against="habit")
names = facedown.game("ecard").encoding(facedown.rules("ecard", "decisive"), 2).names
looked_at = [names.index(name) for name in ("Emperor side", *(f"play {n}" for n in range(1, 6)))]
chance = np.random.default_rng(1)
values, visits = defaultdict(lambda: np.zeros(3)), defaultdict(lambda: np.full(3, 1e-9))


def play(seed, explore):
    """One game; what was done in it, and what it paid."""
    seen, info = env.reset(seed=seed)
    made, over = [], False
    while not over:
        key, legal = seen[looked_at].tobytes(), info["action_mask"].nonzero()[0]
        best = legal[values[key][legal].argmax()]
        action = int(chance.choice(legal) if chance.random() < explore else best)
        made.append((key, action))
        seen, reward, over, _, info = env.step(action)
    return made, reward


for game in range(games):
    made, reward = play(game, 0.2)
    for key, action in made:
        visits[key][action] += 1
        values[key][action] += (reward - values[key][action]) / visits[key][action]
anything, learnt = (
    np.mean([(1 + play(10**6 + game, explore)[1]) / 2 for game in range(games // 4)]) for explore in (1, 0)
)
print(f"against habit: {anything:.0%} by picking anything, {learnt:.0%} by what {games} games taught")
