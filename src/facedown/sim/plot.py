"""Pictures of an arena, by Matplotlib: the cross table, and the ratings with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from facedown.core.errors import Unsupported, missing_extra
from facedown.sim.ratings import Rating


def plot_arena(
    path: Path,
    title: str,
    bots: tuple[str, ...],
    shares: Mapping[tuple[str, str], float],
    ratings: Mapping[str, Rating],
) -> None:
    """Write a picture of the format that the file's name asks for (.svg, .png, .pdf)."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("pictures need", "plot") from None
    figure = Figure(figsize=(4 + 1.6 * len(bots), 1.6 + 0.6 * len(bots)), layout="constrained")
    table, line = figure.subplots(1, 2, width_ratios=(2, 1))
    cells = [[shares.get((one, two), float("nan")) for two in bots] for one in bots]
    table.imshow(cells, cmap="RdYlGn", vmin=0, vmax=1)
    table.set_xticks(range(len(bots)), bots, rotation=30, ha="right")
    table.set_yticks(range(len(bots)), bots)
    for row, one in enumerate(bots):
        for column, two in enumerate(bots):
            if (one, two) in shares:
                table.text(column, row, f"{100 * shares[one, two]:.1f}", ha="center", va="center")
    table.set_title(title)
    places = range(len(bots))
    means = [ratings[name].mean for name in bots]
    line.errorbar(means, places, xerr=[2 * ratings[name].deviation for name in bots], fmt="o", color="black")
    line.set_yticks(places, bots)
    line.invert_yaxis()
    line.set_title("rating, ± 2 deviations")
    try:
        figure.savefig(path)
    except ValueError as error:
        raise Unsupported(f"cannot draw {path}: {error}", text=str(path)) from None
