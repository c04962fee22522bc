"""The report of E-Card's solver (`core.parts.solver`): facts for programs, sentences for people.

Owns which sentence is said; the game's catalogues have the words. Every number comes from the solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from facedown.core.parts.solver import Answer, JsonValue
from facedown.core.text.translation import ENGLISH, Message, Slot, Text, all_of, translate
from facedown.core.text.widths import cells, pad
from facedown.games.ecard import message
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.solve.best_response import Prospect
from facedown.games.ecard.solve.course import Course, Score, Spot
from facedown.games.ecard.solve.numbers import Share
from facedown.games.ecard.solve.round import round_table
from facedown.games.ecard.solve.solution import Moment, Naming, Solution

_ROUNDS_A_LINE: Final = 13
_SMALL: Final = 100
"""Fractions with smaller denominators are written as they are."""

FIRST_EMPEROR: Final = "first_emperor"
FIRST_SLAVE: Final = "first_slave"
"""The roles of the seats: the side that each has in the first round (E9)."""


class AskedState(NamedTuple):
    """A state of the game as the user named it: a play of a round, or the stake before it."""

    round: int
    score: Score
    """When the round begins: of the first Emperor side, then of the other."""
    play: int | None = None
    """None where nothing was said."""
    stake: int | None = None


# --- the whole game --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ECardAnswer(Answer):
    """The answer about a rule set."""

    solution: Solution

    def as_json(self) -> dict[str, JsonValue]:
        """The value, its proof, the first round, and the value at the start of each round that is equal."""
        solution = self.solution
        unique = self._unique()
        return {
            **_prospect_facts(solution),
            "exploitability": _rounded_up(solution.exploitability),
            "favoured": _favoured_facts(solution, solution.rules.first),
            "exact": _exact_facts(solution, {}),
            "unique": unique == len(list(solution.spots())),
            "starts": len(list(solution.spots())),
            "unique_starts": unique,
            "start": at_state(solution, start_of(solution)).state_facts(),
            "rounds": self._round_facts(),
            "equal": [
                {
                    "round": spot.round,
                    "emperor_side": _side_name(solution.course, spot),
                    "value": float(value),
                }
                for spot, value in self._equal()
                if value is not None
            ],
        }

    def words(self, language: str = ENGLISH) -> list[str]:
        """Who is favoured, the first round, the value over the rounds, and how far all this holds."""
        solution = self.solution
        title = message("solve.title", title=GAME.meta.title, rules=str(solution.rules))
        start = at_state(solution, start_of(solution))
        return [
            *_lines([title, *_prospect_words(solution, solution.rules.first)], language),
            "",
            *start.mix_words(language),
            "",
            *self._equal_words(language),
            "",
            *_lines(self._proof_words(), language),
        ]

    def _round_facts(self) -> dict[str, JsonValue]:
        """How often a round for itself goes to whom, played for what it counts in this game."""
        rules = self.solution.rules
        table = round_table(rules.plays, slave_pays=rules.slave_pays if rules.victory == "winnings" else 1)
        return {
            "emperor": float(table.emperor_wins),
            "slave": float(table.slave_wins),
            "nobody": float(table.undecided),
        }

    def _unique(self) -> int:
        return sum(self.solution.unique_at(spot) for spot in self.solution.spots())

    def _equal(self) -> list[tuple[Spot, Share | None]]:
        """The start of each round with an equal score, and its value; None where that cannot be."""
        solution, last = self.solution, self.solution.rules.rounds
        known = set(solution.spots())
        spots = [Spot(number, 0) for number in range(1, last + 1)]
        spots += [solution.course.extra_start] if solution.course.extra_start in known else []
        return [(spot, solution.answers.prospect(spot).value if spot in known else None) for spot in spots]

    def _equal_words(self, language: str) -> list[str]:
        solution, equal = self.solution, self._equal()
        key = "solve.worth.purses" if solution.course.named else "solve.worth.score"
        if solution.course.extra(equal[-1][0]):
            key = f"{key}.extra"
        title = message(key, side=_side(FIRST_EMPEROR, solution.rules.first))
        lines = [translate(title, language)]
        for begin in range(0, len(equal), _ROUNDS_A_LINE):
            part = equal[begin : begin + _ROUNDS_A_LINE]
            names = ["x" if solution.course.extra(spot) else str(spot.round) for spot, _ in part]
            sides = [EMPEROR if solution.course.first_is_emperor(spot) else SLAVE for spot, _ in part]
            values = ["-" if value is None else f"{100 * float(value):.1f}" for _, value in part]
            labels = (message(f"solve.row.{name}") for name in ("round", "side", "worth"))
            lines += _table(list(zip(labels, (names, sides, values), strict=True)), language)
        return lines

    def _proof_words(self) -> list[Message]:
        unique, starts = self._unique(), len(list(self.solution.spots()))
        only = message("solve.unique")
        if unique != starts:
            only = message("solve.unique.partly", unique=unique, starts=starts)
        return [only, _proof(self.solution)]


# --- one state -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ECardPosition(Answer):
    """The answer about one state: a play about to be placed, or the stake before it about to be named."""

    solution: Solution
    asked: AskedState
    moment: Moment
    """The play; where a stake has to be named first, the play after the lowest of the best stakes."""
    stake: int
    naming: Naming | None

    @property
    def prospect(self) -> Prospect:
        """How likely the first Emperor side wins, draws and loses from here."""
        return self.naming or self.moment

    @property
    def value(self) -> Share:
        """What the state is worth to the first Emperor side: P(win) + P(draw)/2."""
        return self.prospect.value

    @property
    def emperor(self) -> tuple[Share, ...]:
        """The Emperor side's chance of the special card at this and each later play, if it is still held."""
        return self.moment.emperor

    @property
    def slave(self) -> tuple[Share, ...]:
        """The Slave side's."""
        return self.moment.slave

    def as_json(self) -> dict[str, JsonValue]:
        """The state, and the proof of the whole solution."""
        return {
            **self.state_facts(),
            "exploitability": _rounded_up(self.solution.exploitability),
            "favoured": _favoured_facts(self.prospect, self.solution.rules.first),
        }

    def state_facts(self) -> dict[str, JsonValue]:
        """What is said about this state alone."""
        moment, naming = self.moment, self.naming
        mixes = {"emperor": moment.emperor, "slave": moment.slave}
        facts: dict[str, JsonValue] = {
            "round": self.asked.round,
            "play": self.asked.play or 1,
            "score": list(self.asked.score),
            "stake": self.stake,
            "emperor_side": "first" if moment.first_is_emperor else "other",
            **_prospect_facts(self.prospect),
            **{side: _floats(mix) for side, mix in mixes.items()},
            "unique": moment.unique if naming is None else naming.unique,
            "exact": _exact_facts(self.prospect, mixes) if self.solution.exact else None,
        }
        if naming is not None:
            facts["stakes"] = {str(stake): float(chance) for stake, chance in naming.stakes.items()}
            facts["values"] = {str(stake): float(value) for stake, value in naming.values.items()}
        return facts

    def words(self, language: str = ENGLISH) -> list[str]:
        """Where the game stands, what that is worth, and the mix."""
        first = self.solution.rules.first
        side = EMPEROR if self.moment.first_is_emperor else SLAVE
        return [
            *_lines(
                [
                    self._place(),
                    message(f"solve.state.side.{side}", side=_side(FIRST_EMPEROR, first)),
                    *_prospect_words(self.prospect, first),
                ],
                language,
            ),
            "",
            *self.mix_words(language),
            *_lines([self._unique_words(), _proof(self.solution)], language),
        ]

    def mix_words(self, language: str) -> list[str]:
        """The stakes that are named, and each play from here on."""
        plays = range(self.asked.play or 1, (self.asked.play or 1) + len(self.moment.emperor))
        title = message("solve.mix", round=self.asked.round)
        if self.solution.course.named:
            title = message("solve.mix.stake", round=self.asked.round, stake=self.stake)
        rows: list[tuple[Text, list[Text]]] = [
            ("", [message("timing.play", number=play) for play in plays]),
            (message("side.E"), [_share_text(chance) for chance in self.moment.emperor]),
            (message("side.S"), [_share_text(chance) for chance in self.moment.slave]),
        ]
        return [*_lines([*self._stake_words(), title], language), *_table(rows, language)]

    def _place(self) -> Message:
        slots: dict[str, Slot] = {
            "title": GAME.meta.title,
            "rules": str(self.solution.rules),
            "round": self.asked.round,
            "first": self.asked.score[0],
            "other": self.asked.score[1],
        }
        if self.naming:
            return message("solve.state.naming", **slots)
        slots["play"] = self.asked.play or 1
        if self.solution.course.named:
            return message("solve.state.stake", stake=self.stake, **slots)
        return message("solve.state.score", **slots)

    def _stake_words(self) -> list[Message]:
        if self.naming is None:
            return []
        stakes = all_of([str(stake) for stake in self.naming.stakes])
        return [message("solve.stake" if self.naming.unique else "solve.stakes", stakes=stakes)]

    def _unique_words(self) -> Message:
        unique = self.moment.unique if self.naming is None else self.naming.unique
        what = "play" if self.naming is None else "stake"
        return message(f"solve.state.{'unique' if unique else 'several'}.{what}")


def start_of(solution: Solution) -> AskedState:
    """The state in which a game begins."""
    equal = solution.rules.purse if solution.course.named else 0
    return AskedState(1, (equal, equal))


def at_state(solution: Solution, asked: AskedState) -> ECardPosition:
    """The answer about a state; `ImpossibleState` where it cannot occur.

    Where no stake is said although one is named (E13), it is the lowest of the best.
    """
    naming, stake = None, asked.stake
    if stake is None and solution.course.naming(solution.spot(asked.round, asked.score)):
        naming = solution.naming(asked.round, asked.score)
        stake = min(naming.stakes)
    play = 1 if asked.play is None else asked.play
    moment = solution.at(asked.round, asked.score, play, stake)
    return ECardPosition(solution, asked, moment, stake or 1, naming if asked.play is None else None)


# --- facts -----------------------------------------------------------------------------------------------


def _prospect_facts(prospect: Prospect) -> dict[str, JsonValue]:
    return {name: float(each) for name, each in _shares(prospect)}


def _favoured_facts(prospect: Prospect, first: str) -> dict[str, JsonValue] | None:
    """The seat that is favoured, or its role where the seats' sides are drawn (E9)."""
    side = _favourite(prospect)
    if side is None:
        return None
    return (
        {"role": side}
        if first == "drawn"
        else {"seat": int(first) if side == FIRST_EMPEROR else 3 - int(first)}
    )


def _favourite(prospect: Prospect) -> str | None:
    """Whose role in the first round is favoured; None where the game is even."""
    if abs(float(prospect.value) - 0.5) < 1e-12:
        return None
    return FIRST_EMPEROR if prospect.value > 0.5 else FIRST_SLAVE


def _exact_facts(prospect: Prospect, mixes: dict[str, tuple[Share, ...]]) -> dict[str, JsonValue] | None:
    """The fractions, as text; None where the solution is not in fractions."""
    if not isinstance(prospect.value, Fraction):
        return None
    fractions: dict[str, JsonValue] = {name: str(each) for name, each in _shares(prospect)}
    return fractions | {side: list(map(str, mix)) for side, mix in mixes.items()}


def _shares(prospect: Prospect) -> list[tuple[str, Share]]:
    return [(name, getattr(prospect, name)) for name in ("value", "win", "draw", "lose")]


def _floats(shares: Iterable[Share]) -> list[JsonValue]:
    return [float(each) for each in shares]


def _rounded_up(gained: float) -> float:
    """Rounding may bring it below nothing."""
    return max(0.0, gained)


# --- sentences -------------------------------------------------------------------------------------------


def _lines(parts: Sequence[Message], language: str) -> list[str]:
    return [translate(part, language) for part in parts]


def _side(role: str, first: str) -> Message:
    """A side of the first round, with its seat where the rules say it (E9)."""
    if first == "drawn":
        return message(f"solve.{role}")
    return message(f"solve.{role}.seat", seat=int(first) if role == FIRST_EMPEROR else 3 - int(first))


def _prospect_words(prospect: Prospect, first: str) -> list[Message]:
    """Who is favoured and by how much, and how often a game is drawn."""
    value = float(prospect.value)
    role, draws = _favourite(prospect), ".draws" if prospect.draw else ""
    favoured = message(f"solve.even{draws}")
    if role is not None:
        more, less = _percent(max(value, 1 - value)), _percent(min(value, 1 - value))
        favoured = message(f"solve.favoured{draws}", side=_side(role, first), more=more, less=less)
    if not prospect.draw:
        return [favoured]
    win, draw, lose = (_percent(each) for each in (prospect.win, prospect.draw, prospect.lose))
    side = _side(FIRST_EMPEROR, first)
    return [favoured, message("solve.draws", draw=draw, side=side, win=win, lose=lose)]


def _proof(solution: Solution) -> Message:
    gained = _rounded_up(solution.exploitability)
    return message("solve.exploitability", gained=f"{gained:.0e}" if gained else "0")


def _percent(share: Share) -> str:
    return f"{100 * float(share):.2f} %"


def _share_text(share: Share) -> str:
    """A fraction where it is a small one, else in percent."""
    if isinstance(share, Fraction) and share.denominator < _SMALL:
        return str(share)
    return _percent(share)


def _side_name(course: Course, spot: Spot) -> str:
    return "first" if course.first_is_emperor(spot) else "other"


def _table(rows: Sequence[tuple[Text, Sequence[Text]]], language: str) -> list[str]:
    texts = [(translate(name, language), [translate(each, language) for each in row]) for name, row in rows]
    label = max(cells(name) for name, _ in texts)
    width = 1 + max(cells(each) for _, row in texts for each in row)
    return [
        f"  {pad(name, label)} {''.join(' ' * (width - cells(each)) + each for each in row)}"
        for name, row in texts
    ]
