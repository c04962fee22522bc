"""E-Card in text: the table, the question to a seat, a sentence for each event. Sees views and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.parts.text import Facts, Names
from facedown.core.seats import Seat
from facedown.core.text.translation import Message, Text, in_row, one_of, sentences, translate
from facedown.games.ecard import message
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.shown import ECardRound
from facedown.games.ecard.view import ECardView

_LEDGER: Final = 48
"""Columns for the rounds so far: twelve, where they paid little."""
_LABELS: Final = 12
"""Columns for what stands before them, at least."""


# --- the table -------------------------------------------------------------------------------------------


def table(view: ECardView, names: Names, language: str) -> str:
    """The sides, the score and the rounds so far, and one's own hand."""
    lines: list[Message] = [heading(view)] if view.outcome is None else []
    width = max(map(len, names))
    for side, seat in ((EMPEROR, view.emperor), (SLAVE, 3 - view.emperor)):
        lines.append(
            message(
                "table.row",
                side=message(f"side.{side}"),
                name=names[seat - 1],
                width=width,
                account=account(view, seat),
            )
        )
    lines += _ledger(view.rounds, names, language)
    if view.hand:
        lines.append(message("table.hand", cards=in_row([message(f"card.{card}") for card in view.hand])))
    return "\n".join(translate(line, language) for line in lines)


def heading(view: ECardView) -> Message:
    """Where the game stands."""
    rules = view.rules
    where = message("heading.round", round=view.round, rounds=rules.rounds)
    if view.extra:
        where = message("heading.extra", number=view.round - rules.rounds)
    if view.stake is None:
        return message("heading.stake", where=where)
    if rules.stakes == "named":
        return message("heading.play_at", where=where, play=view.play, last=view.last_play, stake=view.stake)
    return message("heading.play", where=where, play=view.play, last=view.last_play)


def account(view: ECardView, seat: Seat, wins: str = "account.wins") -> Text:
    """What a seat has; what wins the game stands first."""
    won = message(wins, wins=view.wins[seat - 1])
    if view.purses is not None:
        return in_row([message("account.purse", purse=view.purses[seat - 1]), won])
    winnings = message("account.winnings", winnings=view.winnings[seat - 1])
    return in_row([won, winnings] if view.rules.victory == "rounds" else [winnings, won])


def _ledger(rounds: tuple[ECardRound, ...], names: Names, language: str) -> list[Message]:
    """What each of the latest rounds paid to whom, and the play that decided it."""
    if not rounds:
        return []
    cell = max(3, *(len(str(each.paid)) + 1 for each in rounds)) + 1
    first = max(1, len(rounds) - _LEDGER // cell + 1)
    latest = rounds[first - 1 :]
    rows: list[tuple[Text, list[str]]] = [
        (message("ledger.round"), [str(number) for number in range(first, len(rounds) + 1)])
    ]
    rows += [
        (name, [f"+{each.paid}" if each.winner == seat else "." for each in latest])
        for seat, name in enumerate(names, 1)
    ]
    rows.append((message("ledger.play"), [str(each.plays) if each.winner else "-" for each in latest]))
    width = max(_LABELS, *(len(translate(label, language)) for label, _ in rows))
    return [
        message("ledger.row", label=label, width=width, cells="".join(each.rjust(cell) for each in cells))
        for label, cells in rows
    ]


# --- what can be placed ----------------------------------------------------------------------------------


def ask(view: ECardView, legal: tuple[Pick, ...], names: Names) -> Message:
    """What the seat has to decide, and how it is written."""
    if not legal:
        return message("ask.nothing")
    if view.stake is None:
        return message("ask.stake", most=legal[-1])
    choices = [message("ask.choice", pick=card, card=message(f"card.{card}")) for card in legal]
    if len(choices) == 1:
        return message("ask.only", choice=choices[0])
    return message("ask.place", choices=one_of(choices))


# --- what happened ---------------------------------------------------------------------------------------


def tell(seen: Seen, names: Names) -> Text | None:
    """One sentence for what happened."""
    teller = TELLERS.get(seen.kind)
    return None if teller is None else teller(seen.facts, names)


def _sides(facts: Facts, names: Names) -> Message:
    emperor, slave = names[facts["emperor"] - 1], names[2 - facts["emperor"]]
    return message("sides", round=facts["round"], emperor=emperor, slave=slave)


def _stake(facts: Facts, names: Names) -> Message:
    return message("stake", name=names[facts["seat"] - 1], round=facts["round"], stake=facts["stake"])


def _reveal(facts: Facts, names: Names) -> Message:
    winner = facts["winner"]
    if winner is None:
        return message("reveal.draw", round=facts["round"], play=facts["play"])
    first, second = (message(f"showed.{card}") for card in facts["cards"])
    return message(
        "reveal.won",
        round=facts["round"],
        play=facts["play"],
        one=names[0],
        first=first,
        two=names[1],
        second=second,
        better=message(f"card.{facts['cards'][winner - 1]}"),
        worse=message(f"card.{facts['cards'][2 - winner]}"),
    )


def _round(facts: Facts, names: Names) -> Text:
    winner = facts["winner"]
    ended = message("round.nobody", round=facts["round"])
    if winner is not None:
        ended = message("round.won", name=names[winner - 1], round=facts["round"], paid=facts["paid"])
    return sentences([ended, _score(facts, names)])


def _score(facts: Facts, names: Names) -> Message:
    scores = [
        message("score.seat", name=name, score=score)
        for name, score in zip(names, facts["score"], strict=True)
    ]
    return message("score", scores=in_row(scores))


def _tie(facts: Facts, names: Names) -> Message:
    return message(f"tie.{facts['tie']}", score=_to(facts["score"]))


def _resignation(facts: Facts, names: Names) -> Message:
    return message("resignation", name=names[facts["seat"] - 1])


def _forfeit(facts: Facts, names: Names) -> Message:
    return message("forfeit", name=names[facts["seat"] - 1])


def _end(facts: Facts, names: Names) -> Message:
    key = f"ending.{facts['termination']}"
    ending: Text = message(key) if message.has(key) else str(facts["termination"])
    if facts["winner"] is None:
        return message("end.drawn", score=_to(facts["score"]), ending=ending)
    best = facts["score"] if facts["winner"] == 1 else facts["score"][::-1]
    return message("end.won", name=names[facts["winner"] - 1], score=_to(best), ending=ending)


def _to(score: Sequence[int]) -> Message:
    left, right = score
    return message("score.to", left=left, right=right)


TELLERS: Final[Mapping[str, Callable[[Facts, Names], Text]]] = {
    "sides": _sides,
    "stake": _stake,
    "reveal": _reveal,
    "round": _round,
    "tie": _tie,
    "resignation": _resignation,
    "forfeit": _forfeit,
    "end": _end,
}
