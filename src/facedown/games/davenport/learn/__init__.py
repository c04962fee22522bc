"""Learning Davenport: the network of the machine `expert`, and the program that trains it by self-play.

Method: PPO with a population (`train`), because the game has up to seven seats and hidden hands, where
methods that count regrets over information sets are out of reach; the network starts from `careful`,
whose estimates it is told, so that it has to learn only where these are wrong. Trained on one NVIDIA
H200, 2026-11-16, in about 16 minutes (10,800 iterations of 16 steps at 16,384 tables) by `python -m
facedown.games.davenport.learn`; the mix of fields and the entropy were changed twice on the way, so that
one run with the defaults gives other weights.

Measured there, 2,048 games each (plus or minus 0.02), the network's share alone: against one `careful`
0.56 (Ace rules 0.58), three 0.29 to 0.31 (0.36 to 0.38), six 0.20 (0.33). Against `random` it is below
`careful`'s own share at three and four seats (0.67 and 0.60, `careful` 0.70 and 0.63). A best response
trained for 67 seconds gains, at 2 seats, 0.034 (Ace rules 0.055), at three 0.017 (0.047), at four 0.012
(0.018), and at most 0.007 at more. With the shipped file in NumPy, 8,000 to 12,000 games: against one
`careful` 0.556 (Ace rules 0.568, plus or minus 0.009), three 0.316 (plus or minus 0.010).
"""
