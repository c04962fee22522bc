"""Two agents learn one round of E-Card from nothing but playing it: `python pettingzoo_self_play.py [GAMES]`.

Regret matching on the rewards alone, each held against what the action brought so far, which takes most of
the noise out; what they come to is compared with the exact answer.
Needs `pip install 'facedown[pettingzoo,solve]'`.
"""

import sys
from collections import defaultdict

import numpy as np

import facedown
from facedown_lab.adapters.pettingzoo import parallel_env

RULES = "decisive(rounds=1,group=1,tie=draw,first=1)"
games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
env = parallel_env("ecard", RULES)
chance = np.random.default_rng(1)
regrets, played, worth = (defaultdict(lambda: np.zeros(4)) for _ in range(3))

for game in range(games):
    seen, _ = env.reset(seed=game)
    made = []
    while env.agents:
        actions = {}
        for agent, view in seen.items():
            key, legal = (agent, view["observation"].tobytes()), view["action_mask"]
            good = np.maximum(regrets[key], 0) * legal
            mix = 0.8 * good / good.sum() + 0.2 * legal / legal.sum() if good.any() else legal / legal.sum()
            actions[agent] = int(chance.choice(4, p=mix))
            played[key] += (game / games) * mix  # later games count more
            made.append((agent, key, actions[agent], mix, legal))
        seen, rewards, *_ = env.step(actions)
    for agent, key, action, mix, legal in made:
        surprise = rewards[agent] - worth[key][action]
        gained = worth[key].copy()
        gained[action] += surprise / mix[action]
        regrets[key] += (gained - mix @ gained) * legal
        worth[key][action] += 0.02 * surprise

exact = facedown.solve("ecard", RULES).at(round=1, score=(0, 0))
for agent, name, card, chances in (
    ("seat_1", "Emperor", 1, exact.emperor),
    ("seat_2", "Slave", 2, exact.slave),
):
    mixes = [mix for (who, _), mix in played.items() if who == agent]  # play by play
    learnt = " ".join(f"{mix[card] / mix.sum():.2f}" for mix in mixes[:4])
    answer = " ".join(f"{float(each):.2f}" for each in chances[:4])
    print(f"the {name} at plays 1 to 4, if still held: learnt {learnt}, exact {answer}")
print("Each agent answers the other, so the learnt chances go around the exact ones: closer with more games.")
