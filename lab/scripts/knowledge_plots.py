"""Plots as SVG, the same bytes for the same numbers, for the page of what is known."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

_WIDE: Final = 720
_HIGH: Final = 400
_LEFT: Final = 56
_RIGHT: Final = 130
_TOP: Final = 40
_BOTTOM: Final = 48
_DASHES: Final = ("", "8 4", "2 4", "10 3 2 3", "1 3")
_STYLE: Final = (
    ":root{color:#1d1813;background:#fbf6ea}@media(prefers-color-scheme:dark){:root{color:#efe6d2;"
    "background:#1d1a17}}text{font:13px sans-serif;fill:currentColor}path,line{stroke:currentColor;fill:none}"
    ".grid{opacity:.2}"
)


class Line(NamedTuple):
    """One line of a plot."""

    name: str
    points: Sequence[tuple[float, float]]
    marked: bool = False
    """Whether each point is shown, because there are few."""


def line_plot(title: str, lines: Sequence[Line], across: str, up: str) -> str:
    """A plot of shares from 0 to 1: lines differ by their dashes and their names, not by colour."""
    xs = [x for line in lines for x, _ in line.points]
    low, high = min(xs), max(xs)

    def at(x: float, y: float) -> tuple[float, float]:
        wide, tall = _WIDE - _LEFT - _RIGHT, _HIGH - _TOP - _BOTTOM
        return _LEFT + (x - low) / (high - low) * wide, _TOP + (1 - y) * tall

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<text x="{_LEFT}" y="22">{escape(title)}</text>',
    ]
    for tenth in range(0, 11, 2):
        _, y = at(low, tenth / 10)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth / 10:g}</text>')
    for x in _ticks(low, high):
        left, _ = at(x, 0)
        parts.append(f'<text x="{left:.1f}" y="{_HIGH - _BOTTOM + 20}" text-anchor="middle">{x:g}</text>')
    for place, line in enumerate(lines):
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (at(*point) for point in line.points))
        dash = f' stroke-dasharray="{_DASHES[place % len(_DASHES)]}"' if _DASHES[place % len(_DASHES)] else ""
        parts.append(f'<path stroke-width="1.6"{dash} d="M{path}"/>')
        for point in line.points if line.marked else ():
            x, y = at(*point)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="currentColor"/>')
        y = _TOP + 16 + 22 * place
        right = _WIDE - _RIGHT + 10
        parts.append(
            f'<line{dash} stroke-width="1.6" x1="{right}" x2="{right + 26}" y1="{y - 4}" y2="{y - 4}"/>'
        )
        parts.append(f'<text x="{right + 32}" y="{y}">{escape(line.name)}</text>')
    middle = (_LEFT + _WIDE - _RIGHT) / 2
    parts.append(f'<text x="{middle:g}" y="{_HIGH - 8}" text-anchor="middle">{escape(across)}</text>')
    parts.append(f'<text x="{_LEFT - 8}" y="{_TOP - 10}" text-anchor="end">{escape(up)}</text></svg>')
    return "\n".join(parts) + "\n"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from low to high, not too many."""
    step = next(step for step in (1, 2, 5, 10, 20, 50) if (high - low) / step <= 12)
    first = -(-low // step) * step
    return [first + step * number for number in range(int((high - first) // step) + 1)]
