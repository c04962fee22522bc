"""Facedown's laboratory: many tables as arrays, training, attacks on machines, adapters of other libraries.

    facedown_lab.batch           many tables as arrays, in NumPy and JAX
    facedown_lab.exploit         what an opponent that was made for a machine wins on it
    facedown_lab.adapters        the games as environments of PettingZoo, Gymnasium and OpenSpiel
    facedown_lab.testing         whether the batch form of a game plays as its matches do

    facedown_lab.games.davenport.learn    a program: the training of `expert`

With this package installed, `facedown` has the command `exploit`, and `arena` plays many games at once.
"""
