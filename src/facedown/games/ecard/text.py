"""How a terminal tells E-Card: the table, what can be placed, what happened. Sees views and seen events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.text.english import inside, opened
from facedown.games.ecard.notation import CARD_NAMES, CITIZEN
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.state import Round
from facedown.games.ecard.view import ECardView

Names: TypeAlias = Sequence[str]
Facts: TypeAlias = Mapping[str, Any]  # every kind of event has facts of its own

_LEDGER: Final = 48
"""Columns for the rounds so far: twelve, where they paid little."""
_ENDINGS: Final = {
    "completed": "all rounds were played",
    "extra": "the extra rounds decided",
    "ruin": "the other purse was empty",
    "resignation": "by resignation",
}
WORDS: Final = {
    "emperor_side": "Emperor side",
    "slave_side": "Slave side",
    "emperor": "Emperor",
    "citizen": "Citizen",
    "slave": "Slave",
    "side_of": "{name} on the side of",
    "your_sides": "Your sides, round by round",
    "extra": "extra",
    "over": "The game is over",
    "nobody": "none",
    "you_take": "{card}: you take {paid}",
    "other_takes": "{card}: the other takes {paid}",
    "draw": "{card}: a draw",
    "meets": "Meets {cases}.",
    "named": "Stake {stake}.",
    "between": "; ",
}
"""What stands on a screen besides sentences."""
_TIES: Final = {"extra": "one extra round decides", "pair": "pairs of extra rounds decide"}


# --- the table -------------------------------------------------------------------------------------------


def table(view: ECardView, names: Names) -> str:
    """The sides, the score and the rounds so far, and one's own hand."""
    lines = [heading(view)] if view.outcome is None else []
    width = max(map(len, names))
    for side, seat in (("Emperor side", view.emperor), ("Slave side", 3 - view.emperor)):
        lines.append(f"  {side:<12}  {names[seat - 1]:<{width}}  {account(view, seat)}")
    lines += _ledger(view.rounds, names)
    if view.hand:
        lines.append(f"  {'Your hand':<12}  {', '.join(CARD_NAMES[card] for card in view.hand)}")
    return "\n".join(lines)


def heading(view: ECardView) -> str:
    """Where the game stands."""
    rules = _rules(view)
    number = f"Round {view.round} of {rules.rounds}"
    if view.extra:
        number = f"Extra round {view.round - rules.rounds}"
    if view.stake is None:
        return f"{number}, before the stake is named"
    stake = f", stake {view.stake}" if rules.stakes == "named" else ""
    return f"{number}, play {view.play} of {view.last_play}{stake}"


def account(view: ECardView, seat: Seat) -> str:
    """What a seat has; what wins the game stands first."""
    wins = f"rounds won {view.wins[seat - 1]}"
    if view.purses is not None:
        return f"purse {view.purses[seat - 1]}, {wins}"
    winnings = f"winnings {view.winnings[seat - 1]}"
    return f"{wins}, {winnings}" if _rules(view).victory == "rounds" else f"{winnings}, {wins}"


def short_account(view: ECardView, seat: Seat) -> str:
    """The same where there is little room."""
    return account(view, seat).replace("rounds won", "won")


def _ledger(rounds: tuple[Round, ...], names: Names) -> list[str]:
    """What each of the latest rounds paid to whom, and the play that decided it."""
    if not rounds:
        return []
    cell = max(3, *(len(str(each.paid)) + 1 for each in rounds)) + 1
    first = max(1, len(rounds) - _LEDGER // cell + 1)
    latest = rounds[first - 1 :]
    rows = [("Round", [str(number) for number in range(first, len(rounds) + 1)])]
    rows += [
        (name, [f"+{each.paid}" if each.winner == seat else "." for each in latest])
        for seat, name in enumerate(names, 1)
    ]
    rows.append(("won in play", [str(each.plays) if each.winner else "-" for each in latest]))
    width = max(12, *(len(label) for label, _ in rows))
    return [f"  {label:<{width}}{''.join(each.rjust(cell) for each in cells)}" for label, cells in rows]


def _rules(view: ECardView) -> ECardRules:
    assert isinstance(view.rules, ECardRules)
    return view.rules


# --- what can be placed ----------------------------------------------------------------------------------


def ask(view: ECardView, legal: tuple[Pick, ...], names: Names) -> str:
    """What the seat has to decide, and how it is written."""
    if not legal:
        return "There is nothing to decide for you now."
    if view.stake is None:
        return f"Name the stake of this round, from 1 to {legal[-1]}."
    choices = [f"{card} for the {CARD_NAMES[card]}" for card in legal]
    if len(choices) == 1:
        return f"Only one card is left to place: {choices[0]} (or just Enter)."
    return f"Place a card: {' or '.join(choices)}."


# --- what happened ---------------------------------------------------------------------------------------


def tell(seen: Seen, names: Names) -> str | None:
    """One sentence for what happened."""
    teller = TELLERS.get(seen.kind)
    return None if teller is None else opened(teller(seen.facts, names))


def _sides(facts: Facts, names: Names) -> str:
    emperor, slave = (inside(names[seat - 1]) for seat in (facts["emperor"], 3 - facts["emperor"]))
    return f"From round {facts['round']} on: {emperor} on the Emperor side, {slave} on the Slave side."


def _stake(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]} named the stake of round {facts['round']}: {facts['stake']}."


def _reveal(facts: Facts, names: Names) -> str:
    place = f"Round {facts['round']}, play {facts['play']}:"
    winner = facts["winner"]
    if winner is None:
        return f"{place} both showed a Citizen, a draw."
    one, two = (f"{_article(card)} {CARD_NAMES[card]}" for card in facts["cards"])
    better, worse = facts["cards"][winner - 1], facts["cards"][2 - winner]
    showed = f"{inside(names[0])} showed {one}, {inside(names[1])} {two}"
    return f"{place} {showed}. {CARD_NAMES[better]} beats {CARD_NAMES[worse]}."


def _article(card: str) -> str:
    return "a" if card == CITIZEN else "the"


def _round(facts: Facts, names: Names) -> str:
    winner = facts["winner"]
    if winner is None:
        return f"Round {facts['round']} ended without a winner, and nobody was paid. {_score(facts, names)}"
    return f"{names[winner - 1]} won round {facts['round']} (+{facts['paid']}). {_score(facts, names)}"


def _score(facts: Facts, names: Names) -> str:
    scores = (f"{inside(name)} {score}" for name, score in zip(names, facts["score"], strict=True))
    return f"Score: {', '.join(scores)}."


def _tie(facts: Facts, names: Names) -> str:
    return f"After the last round it was equal, {_to(facts['score'])}: {_TIES[facts['tie']]}."


def _resignation(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]} resigned."


def _end(facts: Facts, names: Names) -> str:
    ending = _ENDINGS.get(facts["termination"], facts["termination"])
    if facts["winner"] is None:
        return f"The game was drawn, {_to(facts['score'])}: {ending}."
    best = facts["score"] if facts["winner"] == 1 else reversed(facts["score"])
    return f"{names[facts['winner'] - 1]} won the game, {_to(best)}: {ending}."


def _to(score: Any) -> str:
    return " to ".join(map(str, score))


TELLERS: Final[Mapping[str, Callable[[Facts, Names], str]]] = {
    "sides": _sides,
    "stake": _stake,
    "reveal": _reveal,
    "round": _round,
    "tie": _tie,
    "resignation": _resignation,
    "end": _end,
}
