"""Small decks of Davenport as arrays: the same answers as the tree of the real game gives."""

from __future__ import annotations

import argparse
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from facedown.core.cards import SUITS
from facedown.core.chance import Seeded, Stream, seed_of
from facedown.solve.best_response import exploitability
from facedown.solve.tree import Situation, lay_out
from facedown_lab.games.davenport.exploit import alike
from lab.scripts.deck_plans import Plans, learn
from lab.scripts.decks import Deck, lay_out_deck, view_of
from lab.scripts.knowledge_decks import OnProcessor, Player, answer, chances_of, players_of
from tests.solve.small_davenport import SmallDavenport

ONE_EACH = Deck("49K", 2, 1, exchange=True)
TWO_EACH = Deck("49K", 2, 2, exchange=False)
LARGER = Deck("49K", 4, 2, exchange=True)


@cache
def plans(deck: Deck) -> Plans:
    return Plans(lay_out_deck(deck, np), np, scipy.sparse)


def real(deck: Deck) -> SmallDavenport:
    cards = [rank + suit for rank in deck.ranks for suit in SUITS[: deck.suits]]
    return SmallDavenport(" ".join(cards), deck.each)


@pytest.mark.parametrize("deck", [ONE_EACH, TWO_EACH], ids=str)
def test_what_is_gained_on_the_machines_is_what_the_whole_tree_says(deck: Deck) -> None:
    tree = lay_out(real(deck), deck.rules)
    given = argparse.Namespace(most=10**6, seconds=0.0, ask=1000)

    found = answer(deck, OnProcessor(), given)

    for name, machine in found["machines"].items():
        (player,) = players_of(name, deck)

        def mix(situation: Situation, player: Player = player) -> list[float]:
            view: Any = situation.view
            shares = chances_of(player, view, situation.legal)
            return [share / sum(shares) for share in shares]

        whole = exploitability(tree, {situation: mix(situation) for situation in tree.situations})
        assert machine["gain"] == pytest.approx(whole, abs=1e-6)
    assert found["machines"]["careful"]["gain"] > 0.06


@pytest.mark.parametrize("deck", [TWO_EACH, LARGER], ids=str)
def test_the_learnt_plan_leaves_next_to_nothing_to_gain(deck: Deck) -> None:
    solver = plans(deck)
    uniform = solver.plan(solver.mix_of(np.zeros(solver.laid.sequences)))

    assert solver.best_response(uniform) > 0.03
    assert learn(solver, 60, 1e-3)[-1].gain <= 1e-3
    assert solver.meet(solver.average(), uniform) == pytest.approx(-solver.meet(uniform, solver.average()))
    assert solver.meet(solver.average(), uniform) > -1e-3


def test_a_real_game_never_leaves_the_situations_laid_out() -> None:
    laid, game = plans(LARGER).laid, real(LARGER)
    known = {
        alike(*view_and_picks)[0]
        for depth, level in enumerate(laid.levels)
        for at in range(len(level.hand))
        for view_and_picks in [_seen(depth, at)]
    }

    for number in range(60):
        seed = seed_of(str(number))
        stream, chance = Stream(seed, "bot/1"), Seeded(seed)
        state = game.setup(LARGER.rules, 2, chance).state
        while game.outcome(state) is None:
            view, legal = game.view(state, 1), game.legal(state, 1)
            key, _ = alike(view, legal)
            assert key in known, view
            joint = tuple(stream.take([*game.legal(state, seat)], 1)[0] for seat in (1, 2))
            state = game.resolve(state, joint, chance).state


def _seen(depth: int, at: int) -> tuple[Any, tuple[str, ...]]:
    view, picks = view_of(plans(LARGER).laid, depth, at)
    return view, tuple(picks.values())


def test_a_deck_whose_stock_runs_out_is_refused() -> None:
    with pytest.raises(ValueError, match="stock"):
        lay_out_deck(Deck("29K", 1, 1, exchange=True), np)
