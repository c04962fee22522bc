"""A solution of E-Card as a picture: the value and the first play's mixes at every start of a round.

Owns the drawing. Calculates nothing: every number comes from the solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Final, TypeAlias

from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.solve.course import Spot
from facedown.games.ecard.solve.numbers import HALF
from facedown.games.ecard.solve.report import ECardAnswer, ECardPosition
from facedown.games.ecard.solve.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Cells: TypeAlias = "list[list[float | None]]"
"""A number for each state, rows from the lowest lead up: nan where it cannot occur, None for either card."""

_NOTHING: Final = float("nan")
_FREE: Final = "0.85"
"""The grey of states in which a side may play either card."""
_DECIDED: Final = 0.001
"""States nearer to a sure end than this are left out at the edges: nothing changes there any more."""
_MOST_NUMBERS: Final = 400
"""Cells up to which each has its number written in it."""
_MOST_TICKS: Final = 16
_LEAST_SCALE: Final = 30.0
"""Percent to which the colours of the mixes reach at least."""


def draw_answer(figure: Figure, found: ECardAnswer | ECardPosition) -> None:
    """The picture of a rule set, or of one position of it."""
    solution = found.solution
    asked = found.asked if isinstance(found, ECardPosition) else None
    draw(figure, solution, None if asked is None else solution.spot(asked.round, asked.score))


def draw(figure: Figure, solution: Solution, mark: Spot | None = None) -> None:
    """Panels for the value, for each side's mix, and for stakes where they are named, by round and lead."""
    grid = _Grid.of(solution, mark)
    panels = _panels(grid)
    figure.set_size_inches(4.4 * len(panels), 7.2)
    figure.suptitle(f"{GAME.meta.title}, {solution.rules}")
    for axes, panel in zip(figure.subplots(1, len(panels), sharey=True), panels, strict=True):
        _draw_panel(figure, axes, grid, panel)
        axes.set_xlabel("round, and the side of the first Emperor side in it")
    figure.axes[0].set_ylabel(f"lead of the first Emperor side in {_unit(solution)}")
    notes = ["grey: either card is as good", "white: cannot occur", "leads that decide the game are left out"]
    notes += ["x: extra rounds"] if grid.rounds[-1] > solution.rules.rounds else []
    figure.supxlabel("; ".join(notes), fontsize="small")


@dataclass(frozen=True, slots=True)
class _Panel:
    """One number for each state, in colours from 0 to `most`."""

    title: str
    colors: str
    cells: Cells
    most: float


def _panels(grid: _Grid) -> list[_Panel]:
    value = grid.cells(grid.value)
    emperor = grid.cells(lambda spot: grid.special(spot, EMPEROR))
    slave = grid.cells(lambda spot: grid.special(spot, SLAVE))
    most = max(_LEAST_SCALE, _most(emperor), _most(slave))
    panels = [
        _Panel("Value to the first Emperor side, %", "RdBu", value, 100),
        _Panel("Emperor side: Emperor in play 1, %", "YlOrBr", emperor, most),
        _Panel("Slave side: Slave in play 1, %", "YlOrBr", slave, most),
    ]
    if not grid.solution.course.named:
        return panels
    stakes = grid.cells(grid.stake)
    return [*panels, _Panel("Stake named (the lowest of the best)", "Greens", stakes, _most(stakes))]


def _most(cells: Cells) -> float:
    return max((cell for row in cells for cell in row if cell is not None and not isnan(cell)), default=0.0)


@dataclass(frozen=True, slots=True)
class _Grid:
    """The starts of rounds that are shown: a column for each round, a row for each lead."""

    solution: Solution
    rounds: range
    leads: range
    known: frozenset[Spot]
    mark: Spot | None

    @classmethod
    def of(cls, solution: Solution, mark: Spot | None) -> _Grid:
        known = frozenset(solution.spots())
        values = {spot: float(solution.answers.prospect(spot).value) for spot in known}
        open_ = {spot.lead for spot, value in values.items() if _DECIDED < value < 1 - _DECIDED}
        leads = open_ | {solution.course.start.lead} | ({mark.lead} if mark else set())
        step = 2 if solution.course.named else 1
        return cls(
            solution,
            range(1, max(spot.round for spot in known) + 1),
            range(min(leads) - step, max(leads) + 2 * step, step),
            known,
            mark,
        )

    def value(self, spot: Spot) -> float:
        return 100 * float(self.solution.answers.prospect(spot).value)

    def special(self, spot: Spot, side: str) -> float | None:
        """The chance of a side's special card at the first play; None where the side may do anything."""
        play = self.solution.answers.plays(spot, min(self.solution.stakes(spot)))[0]
        chance = play.emperor if side == EMPEROR else play.slave
        return None if chance == HALF and not play.unique else 100 * float(chance)

    def stake(self, spot: Spot) -> float:
        return min(self.solution.stakes(spot))

    def cells(self, number: Callable[[Spot], float | None]) -> Cells:
        return [
            [number(spot) if (spot := Spot(round, lead)) in self.known else _NOTHING for round in self.rounds]
            for lead in self.leads
        ]


def _draw_panel(figure: Figure, axes: Axes, grid: _Grid, panel: _Panel) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, Normalize

    colors, scale = colormaps[panel.colors], Normalize(0, panel.most)
    numbers = [[_NOTHING if cell is None else cell for cell in row] for row in panel.cells]
    free = [[1.0 if cell is None else _NOTHING for cell in row] for row in panel.cells]
    axes.imshow(free, cmap=ListedColormap([_FREE]), origin="lower", aspect="auto")
    shown = axes.imshow(numbers, cmap=colors, norm=scale, origin="lower", aspect="auto")
    figure.colorbar(shown, ax=axes, location="bottom", shrink=0.8, pad=0.01)
    axes.set_title(panel.title, fontsize="medium")
    _label(axes, grid)
    if len(grid.rounds) * len(grid.leads) <= _MOST_NUMBERS:
        _write_numbers(axes, numbers, lambda number: _readable_on(colors(scale(number))))
    if grid.mark is not None:
        _ring(axes, grid, grid.mark)


def _label(axes: Axes, grid: _Grid) -> None:
    rounds = grid.rounds[:: -(-len(grid.rounds) // _MOST_TICKS)]
    leads = grid.leads[:: -(-len(grid.leads) // (2 * _MOST_TICKS))]
    axes.set_xticks(
        [grid.rounds.index(each) for each in rounds], [_round_name(grid, each) for each in rounds]
    )
    axes.set_yticks(
        [grid.leads.index(each) for each in leads], [f"{each:+d}" if each else "0" for each in leads]
    )
    axes.tick_params(length=0, labelsize="small")
    for edge in axes.spines.values():
        edge.set_visible(False)


def _round_name(grid: _Grid, number: int) -> str:
    course = grid.solution.course
    side = EMPEROR if course.first_is_emperor(Spot(number, 0)) else SLAVE
    extra = number - course.rules.rounds
    return f"x{extra}\n{side}" if extra > 0 else f"{number}\n{side}"


def _write_numbers(axes: Axes, numbers: list[list[float]], ink: Callable[[float], str]) -> None:
    for row, cells in enumerate(numbers):
        for column, number in enumerate(cells):
            if not isnan(number):
                say = f"{number:.0f}"
                axes.text(column, row, say, ha="center", va="center", fontsize=7, color=ink(number))


def _readable_on(color: tuple[float, float, float, float]) -> str:
    red, green, blue, _ = color
    return "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "black"


def _ring(axes: Axes, grid: _Grid, mark: Spot) -> None:
    from matplotlib.patches import Rectangle

    corner = grid.rounds.index(mark.round) - 0.5, grid.leads.index(mark.lead) - 0.5
    axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor="black", linewidth=2))


def _unit(solution: Solution) -> str:
    """What the score counts (E11, E13)."""
    if solution.course.named:
        return "purses"
    return "rounds won" if solution.rules.victory == "rounds" else "winnings"
