"""The check of attacks by search: on small decks of Davenport, how much of the true gain do they find?

    python -m lab.scripts.small_attacks > docs/attacks.json

The whole tree of each deck says what can be won on a machine. The search plays games against it, as
`facedown exploit` does.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from facedown.bots.find import bots_of
from facedown.bots.uniform import Uniform
from facedown.core.chance import Stream, seed_of
from facedown.games.davenport.rules import DavenportRules
from facedown.solve.best_response import best_response, uniform, value
from facedown_lab.attack import AttackedTable, BestAnswerSearch
from facedown_lab.games.davenport.exploit import alike
from lab.scripts.knowledge_measured import machine
from tests.solve.small_davenport import SmallDavenport
from tests.solve.test_small_davenport import SMALL, THREE_RANKS, Small, of_seat, policy, solve_small

TWO_CARDS: Final = Small("4H 4D 9C 9D KC KD", 2, "davenport(exchange=off)")
MACHINES: Final = ("random", "highest", "careful")
GAMES: Final = (500, 1000, 2000, 4000, 8000, 16000)


def found_gains(small: Small, name: str) -> tuple[float, list[float]]:
    """What can be won on a machine (games won less lost, both seats), and what is found after `GAMES`."""
    tree, make = solve_small(small).tree, bots_of("davenport")[name]
    bot = uniform(tree) if name == "random" else policy(small, make)
    true = best_response(tree, 1, bot)[0] + best_response(tree, 2, bot)[0]
    game, rules = SmallDavenport(small.deck, small.each), DavenportRules.read(small.rules)
    search = BestAnswerSearch(AttackedTable(game, rules, 2, make, seed_of("small")), Uniform, alike)
    gains = []
    for since, upto in pairwise((0, *GAMES)):
        for number in range(since, upto):
            search.learn(number)
        answer = search.answer()
        found = {}
        for each in tree.situations:
            pick = answer.pick(each.view, each.legal, Stream(seed_of("answer"), "bot/1"))
            found[each] = [float(legal == pick) for legal in each.legal]
        as_one = value(tree.root, of_seat(found, 1) | of_seat(bot, 2))
        gains.append(as_one - value(tree.root, of_seat(bot, 1) | of_seat(found, 2)))
    return true, gains


def main() -> None:
    """Print every deck and machine as JSON."""
    rows = []
    for small in (*SMALL, THREE_RANKS, TWO_CARDS):
        for name in MACHINES:
            true, gains = found_gains(small, name)
            if true > 1e-9:
                shares = [round(gain / true, 4) for gain in gains]
                rows.append({**small._asdict(), "machine": name, "true": round(true, 5), "found": shares})
    today = datetime.now(UTC).date().isoformat()
    source = {"command": "python -m lab.scripts.small_attacks", "machine": machine(), "date": today}
    print(json.dumps({**source, "games": GAMES, "rows": rows}))


if __name__ == "__main__":
    main()
