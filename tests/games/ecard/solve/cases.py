"""Rule sets to solve in tests, small enough for the slow way."""

from __future__ import annotations

from hypothesis import strategies as st

from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import Solution, solve


def solve_rules(text: str) -> Solution:
    return solve(ECardRules.read(text))


PRESETS = ("classic", "short", "victories", "decisive", "purse")


@st.composite
def small_rules(draw: st.DrawFn) -> ECardRules:
    rounds = draw(st.integers(1, 4))
    return ECardRules.of(
        "classic",
        plays=draw(st.integers(1, 5)),
        slave_pays=draw(st.sampled_from((1, 2, 3, 5))),
        victory=draw(st.sampled_from(("winnings", "rounds"))),
        tie=draw(st.sampled_from(("draw", "extra", "pair"))),
        first=draw(st.sampled_from(("1", "2", "drawn"))),
        stakes=draw(st.sampled_from(("fixed", "named"))),
        rounds=rounds,
        group=draw(st.integers(1, rounds)),
        purse=draw(st.integers(1, 5)),
        max_stake=draw(st.integers(1, 4)),
    )
