"""Games laid out whole: exact sizes, exact chances, and what is refused in words."""

from __future__ import annotations

from fractions import Fraction

import pytest

from facedown.core.errors import Unsupported
from facedown.core.game import AnyGame
from facedown.games.ecard.game import GAME as ECARD
from facedown.games.ecard.rules import ECardRules
from facedown.solve.tree import Decide, Draw, End, Node, Tree, lay_out
from tests.solve.poker import Kuhn, Leduc, PokerRules
from tests.solve.toys import Dealt, Endless, Forgetful, ForThree, Generous, Matrix, ToyRules
from tests.third_game.goofspiel.game import GAME as GOOFSPIEL


def laid_out(text: str) -> Tree:
    return lay_out(ECARD, ECardRules.read(text))


def ends(node: Node) -> list[tuple[Fraction, float]]:
    """Every end, with the chance that the deals lead there."""
    if isinstance(node, End):
        return [(Fraction(1), node.payoff)]
    if isinstance(node, Draw):
        return [(part * chance, gain) for part, branch in node.branches for chance, gain in ends(branch)]
    return [end for child in node.children for end in ends(child)]


def count(tree: Tree, seat: int) -> int:
    return sum(situation.seat == seat for situation in tree.situations)


# --- exact sizes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plays", "positions"), [(1, 5), (2, 9), (3, 13), (4, 17), (5, 18)])
def test_E6_the_number_of_positions_in_one_round_of_ecard(plays: int, positions: int) -> None:
    """Each play with a choice: itself and three ends, and one more end if the round may end undecided."""
    tree = laid_out(f"classic(plays={plays},rounds=1,group=1)")

    assert tree.nodes == positions
    assert count(tree, 1) == count(tree, 2) == plays
    assert len(ends(tree.root)) == positions - plays


def test_E12_an_extra_round_follows_every_tie() -> None:
    """A decided round has 5 plays, 8 ends for the Emperor side and 5 for the Slave side. Of two rounds with
    the sides swapped, 8 × 8 + 5 × 5 ways lead to a tie, and from there to a third one."""
    ties = 8 * 8 + 5 * 5

    assert laid_out("decisive(rounds=2,group=1,first=1)").nodes == 5 + 13 * 5 + (13 * 13 - ties) + ties * 18


def test_E13_every_stake_multiplies_the_tree_until_a_seat_is_ruined() -> None:
    """Two coins each. Stake 1 and a win of the Emperor side lead to purses of 3 and 1, where three stakes can
    be named; any other end of the first round is ruin."""
    second = 1 + 3 * (5 + 13)
    first = 1 + (5 + 8 * second + 5) + (5 + 13)

    assert laid_out("purse(rounds=2,group=1,purse=2,tie=draw,first=1)").nodes == first


def test_kuhn_and_leduc_have_the_sizes_that_are_known() -> None:
    kuhn, leduc = lay_out(Kuhn(), PokerRules.of()), lay_out(Leduc(), PokerRules.of())

    assert (count(kuhn, 1), count(kuhn, 2), kuhn.nodes, len(ends(kuhn.root))) == (6, 6, 54, 30)
    assert len(leduc.situations) == 936
    assert len(ends(leduc.root)) == 5520


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (Kuhn(), "poker"),
        (Leduc(), "poker"),
        (GOOFSPIEL, "goofspiel(cards=3)"),
        (ECARD, "decisive(rounds=2,group=1)"),
    ],
    ids=["kuhn", "leduc", "goofspiel", "ecard"],
)
def test_chances_add_up_to_one_everywhere(game: AnyGame, text: str) -> None:
    def check(node: Node) -> None:
        if isinstance(node, Draw):
            assert sum(chance for chance, _ in node.branches) == 1
            assert len(node.branches) > 1
            for _, branch in node.branches:
                check(branch)
        elif isinstance(node, Decide):
            assert len(node.children) == len(node.situation.legal)
            for child in node.children:
                check(child)

    check(lay_out(game, game.rules.read(text)).root)


def test_a_simultaneous_pick_is_one_situation_whatever_the_other_seat_does() -> None:
    tree = lay_out(Matrix([[1, 2], [3, 4], [5, 6]]), ToyRules.of())

    assert isinstance(tree.root, Decide)
    below = {child.situation for child in tree.root.children if isinstance(child, Decide)}
    assert len(below) == 1
    assert [situation.seat for situation in tree.situations] == [1, 2]


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (ForThree(), "Trio cannot be played with two seats"),
        (Generous(), "Gift is not zero-sum"),
        (Forgetful(), "the views of Lethe forget what a seat did"),
        (Endless(), "a game of Endless can go on forever"),
    ],
    ids=["three seats", "not zero-sum", "forgetful", "endless"],
)
def test_a_game_that_cannot_be_laid_out_is_refused_with_a_sentence(game: AnyGame, sentence: str) -> None:
    with pytest.raises(Unsupported, match=sentence):
        lay_out(game, ToyRules.of())


def test_the_limit_itself_is_allowed() -> None:
    rules = ECardRules.read("classic(rounds=2,group=1)")

    assert lay_out(ECARD, rules, 133).nodes == 133
    with pytest.raises(Unsupported):
        lay_out(ECARD, rules, 132)


def test_a_deal_that_is_too_wide_is_refused_from_one_deal() -> None:
    game = Dealt()

    with pytest.raises(Unsupported, match="Wide can be dealt in 1,000,000 ways"):
        lay_out(game, ToyRules.of(), 999_999)

    assert game.deals == 1
