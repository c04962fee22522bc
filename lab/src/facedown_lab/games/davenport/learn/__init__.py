"""Learning Davenport: the network of the machine `expert`, and the program that trains it by self-play.

PPO with a population (`train`, at the tables of `population`), because the game has up to seven seats and
hidden hands, where methods that count regrets over information sets are out of reach. The page
`docs/expert.md` says more about the method, how strong the result is, and how to train it again; `python -m
facedown_lab.games.davenport.learn` trains. Training needs JAX, playing needs NumPy alone.
"""
