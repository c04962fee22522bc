"""Pictures in files: the standing of an arena, and the answers of solvers, by Matplotlib."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Final

from facedown.cli.errors import Usage
from facedown.cli.extras import is_installed
from facedown.core.errors import Unsupported
from facedown.core.game import AnyGame
from facedown.core.parts.solver import Answer
from facedown.files import check_writable, naming_errors
from facedown_lab.parts import missing_extra, part_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from facedown.sim.standing import Standing

_PICTURES: Final = (".svg", ".png", ".pdf")
_DATES: Final = {"svg": "Date", "pdf": "CreationDate"}
"""The metadata with the date of a picture, which is left out."""


def check_picture(path: str) -> None:
    """Raise unless the file can be written, and its name says a format that can be drawn here."""
    check_writable(path)
    if Path(path).suffix.lower() not in _PICTURES:
        raise Usage(f"--plot {path}: the name of a picture ends with one of {', '.join(_PICTURES)}")
    if not is_installed("matplotlib"):
        raise missing_extra("pictures need", "plot")


def _write(figure: Figure, path: Path) -> None:
    """Draw, then write: a picture that fails leaves no file."""
    import matplotlib as mpl

    kind, drawn = path.suffix.lower().removeprefix("."), io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "facedown"}):  # the same answer gives the same file
        figure.savefig(drawn, format=kind, metadata=None if kind == "png" else {_DATES[kind]: None})
    with naming_errors(str(path)):
        path.write_bytes(drawn.getvalue())


def draw_answer(path: Path, game: AnyGame, found: Answer) -> None:
    """Write the picture of a solver's answer; raises `Unsupported` if the game has none."""
    from matplotlib.figure import Figure

    part = part_of(game.name, "plot")
    if part is None:
        raise Unsupported(f"there is no picture of {game.meta.title}: only its value and mixes are known")
    figure = Figure(layout="constrained")
    part.draw_answer(figure, found)
    _write(figure, path)


def draw_standing(path: Path, standing: Standing) -> None:
    """Write the cross table of an arena and its ratings."""
    from matplotlib.figure import Figure

    arena, bots, ratings = standing.arena, standing.arena.bots, standing.ratings()
    figure = Figure(figsize=(4 + 1.6 * len(bots), 1.6 + 0.6 * len(bots)), layout="constrained")
    table, line = figure.subplots(1, 2, width_ratios=(2, 1))
    scores = [[None if one == two else standing.score(one, two) for two in bots] for one in bots]
    shares = [[float("nan") if score is None else score.value for score in row] for row in scores]
    table.imshow(shares, cmap="RdYlGn", vmin=0, vmax=1)
    table.set_xticks(range(len(bots)), bots, rotation=30, ha="right")
    table.set_yticks(range(len(bots)), bots)
    for row, of_one in enumerate(scores):
        for column, score in enumerate(of_one):
            if score is not None:
                table.text(column, row, f"{100 * score.value:.1f}", ha="center", va="center")
    table.set_title(f"{arena.game}, {arena.rules}, {arena.seats} seats: hero's share in %")
    places = range(len(bots))
    means = [ratings[name].mean for name in bots]
    line.errorbar(means, places, xerr=[2 * ratings[name].deviation for name in bots], fmt="o", color="black")
    line.set_yticks(places, bots)
    line.invert_yaxis()
    line.set_title("rating, ± 2 deviations")
    _write(figure, path)
