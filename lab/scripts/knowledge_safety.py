"""Safe exploitation in E-Card, exactly: what is won on habits, and what is risked for it.

    python -m lab.scripts.knowledge_safety

The game is laid out whole, and every figure is that of a plan in it: of `reader` and `sage` after the games
that they remember, and of the literature's answers to the same games. Prints one JSON object.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from facedown.bots.find import bots_of
from facedown.core import registry
from facedown.core.chance import Seeded, Stream, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import Memory
from facedown.core.seats import Seat
from facedown.games.ecard.bots.plain import Equilibrium, Machine
from facedown.games.ecard.bots.reader import Reader, Sage
from facedown.games.ecard.bots.reading import Note, OpponentReading, OpponentRound, notes_of
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.view import ECardView
from facedown.solve.best_response import Mix, best_response, value
from facedown.solve.sequence_form import restricted_response, solve_sequence_form
from facedown.solve.tree import Situation, Tree, lay_out

RULES: Final = "short(rounds=4,group=2)"
HABITS: Final = ("random", "habit", "pip", "mara")
REMEMBERED: Final = (0, 5, 20, 80)
SHOWN: Final = 80
"""How many games are remembered where something else is varied."""
WEIGHTS: Final = (0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
TRUSTED: Final = (1.0, 10.0, 100.0, 1000.0)
"""After how many plays of a kind the data-biased response trusts its counts by half."""
SURE: Final = (0.0125, 0.05, 0.2, 0.8, 3.2)
OUTLAYS: Final = (0.0, 0.003, 0.01, 0.03, 0.1)

Plans: TypeAlias = "dict[Situation, Mix]"


class Point(NamedTuple):
    """What a plan for both seats wins, in points of percent more than a half, the mean of both seats."""

    setting: float
    gain: float
    """On the habit."""
    risk: float
    """How much less than the equilibrium it is sure of."""


@cache
def tree() -> Tree:
    """The whole game."""
    return lay_out(registry.get("ecard"), ECardRules.read(RULES))


def plans_of(machine: Machine) -> Plans:
    """What a machine does in every situation; its mix depends on the view alone."""
    plans: Plans = {}
    for situation in tree().situations:
        view: Any = situation.view
        mix = machine.mix(view, situation.legal)
        plans[situation] = [mix[pick] for pick in situation.legal]
    return plans


def of_seat(plans: Plans, seat: Seat) -> Plans:
    """The part of one seat."""
    return {situation: mix for situation, mix in plans.items() if situation.seat == seat}


def point(setting: float, plans: Plans, habit: Plans) -> Point:
    """The plans against a habit, and at their worst."""
    gains = value(tree().root, of_seat(plans, 1) | of_seat(habit, 2))
    gains -= value(tree().root, of_seat(habit, 1) | of_seat(plans, 2))
    worst = best_response(tree(), 1, plans)[0] + best_response(tree(), 2, plans)[0]
    return Point(setting, round(25 * gains, 4), round(max(0.0, 25 * worst), 4))


# --- what was seen ---------------------------------------------------------------------------------------


def remembered(habit: Machine, games: int) -> Memory:
    """What `reader` notes of games that a habit plays with the exact solution."""
    memory, rules = Memory(), ECardRules.read(RULES)
    for number in range(games):
        seed = seed_of(f"safety {number}")
        match: Match[Any, Any, ECardView] = Match(registry.get("ecard"), rules, ("Ann", "Bo"), Seeded(seed))
        own: Seat = 1 + number % 2
        players: dict[Seat, Machine] = {own: Equilibrium(), 3 - own: habit}
        streams = {seat: Stream(seed, f"bot/{seat}") for seat in players}
        while match.outcome is None:
            for seat in (seat for wave in match.pending for seat in wave):
                picked = players[seat].pick(match.view(seat), match.legal(seat), streams[seat])
                match.seal(seat, picked)
        note = Reader(memory).note(match.view(own))
        memory.add(note)
    return memory


class Counted(NamedTuple):
    """What counts foretell of a habit in every situation, and how many plays of its kind were seen."""

    model: Plans
    seen: dict[Situation, int]


def counted(memory: Memory) -> Counted:
    """The model that `reader` makes of what it has seen, in earlier games and in this one."""
    model, seen = plans_of(Equilibrium()), {}
    notes = notes_of(memory, ECardRules.read(RULES))
    for situation in tree().situations:
        view: Any = situation.view
        special = next((at for at, pick in enumerate(situation.legal) if pick in (EMPEROR, SLAVE)), None)
        if special is None or len(situation.legal) == 1:
            continue
        side = situation.legal[special]
        reading = _reading(view, notes)
        # `model` holds the equilibrium of this play so far, which is where the counts begin.
        usual = [0.0] * (view.play - 1) + [model[situation][special]]
        chance = reading.chances(side, usual)[-1]
        model[situation] = [chance if at == special else 1 - chance for at in range(len(situation.legal))]
        widest = reading.narrowest(side, view.play)
        seen[situation] = 0 if widest is None else widest[2]
    return Counted(model, seen)


def _reading(view: ECardView, notes: Iterable[Note]) -> OpponentReading:
    """What the other seat can tell of the viewer."""
    reading = OpponentReading()
    for note in notes:
        reading.remember(note)
    for each in view.rounds:
        reading.see(OpponentRound.of(view.viewer, each.emperor, each.plays, each.cards, each.winner))
    return reading


# --- the curves ------------------------------------------------------------------------------------------


def restricted(setting: float, model: Plans, habit: Plans, **known: Any) -> Point:
    """The literature's answer to a model, against the habit itself."""
    plans: Plans = {}
    for seat in (1, 2):
        plans |= restricted_response(tree(), seat, model, **known)
    return point(setting, plans, habit)


def varied(
    kind: type[Reader], setting: str, values: Iterable[float], memory: Memory, habit: Plans
) -> list[Point]:
    """A machine that reads, with other settings than the shipped one."""
    found = []
    for each in values:
        machine = type(kind.__name__, (kind,), {setting: each})(memory)
        found.append(point(each, plans_of(machine), habit))
    return found


def curves(name: str) -> dict[str, list[Point]]:
    """Everything about one habit."""
    machine: Any = bots_of("ecard")[name](None)
    habit = plans_of(machine)
    memory = remembered(machine, SHOWN)
    model, seen = counted(memory)

    def trusting(half: float) -> Callable[[Situation], float]:
        return lambda situation: seen[situation] / (seen[situation] + half) if seen.get(situation) else 0.0

    memories = {count: remembered(machine, count) for count in REMEMBERED}
    return {
        "known": [restricted(each, habit, habit, weight=each) for each in WEIGHTS],
        "restricted": [restricted(each, model, habit, weight=each) for each in WEIGHTS],
        "biased": [restricted(each, model, habit, trust=trusting(each)) for each in TRUSTED],
        "reader": varied(Reader, "sure", SURE, memory, habit),
        "sage": varied(Sage, "outlay", OUTLAYS, memory, habit),
        "reader_remembers": [point(n, plans_of(Reader(each)), habit) for n, each in memories.items()],
        "sage_remembers": [point(n, plans_of(Sage(each)), habit) for n, each in memories.items()],
    }


def main() -> int:
    """Calculate everything, and print it."""
    value_to_first, _ = solve_sequence_form(tree())
    found = {name: curves(name) for name in HABITS}
    print(
        json.dumps(
            {
                "rules": RULES,
                "positions": tree().nodes,
                "value": value_to_first,
                "remembered": SHOWN,
                "habits": found,
            }
        )
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
