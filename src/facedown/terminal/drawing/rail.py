"""The rail at the right side of a table: the grid of rounds with their winners, and the piles (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.parts.scene import Cell, Scene
from facedown.core.seats import Viewer
from facedown.terminal.drawing.spans import Line, beside, cells, cut, pad
from facedown.terminal.look import Look


def rail(
    scene: Scene, names: Sequence[str], viewer: Viewer, look: Look, width: int, height: int
) -> list[Line]:
    """The grid of rounds, the piles, and what else the game says."""
    lines: list[Line] = []
    if scene.grid:
        lines += _grid(scene, names, viewer, look, width, height)
    if scene.piles:
        lines += [[], *piles(scene, look, width)]
    return lines + [[(line, "ash")] for line in scene.lines]


def _grid(
    scene: Scene, names: Sequence[str], viewer: Viewer, look: Look, width: int, height: int
) -> list[Line]:
    """The rounds, a row for each group; long ones are broken, and the latest stay."""
    rows = scene.grid
    label = max(cells(row.label) for row in rows) + 1
    cell = max(5, max(cells(each.text) for row in rows for each in row.cells) + 3)
    across = max(1, (width - label) // cell)
    lines: list[Line] = []
    now = 0
    for row in rows:
        for start in range(0, len(row.cells), across):
            part = row.cells[start : start + across]
            head = pad(row.label if start == 0 else "", label)
            lines.append([(head, "ash"), *(_cell(each, viewer, cell, look) for each in part)])
            if any(each.when != "later" for each in part):
                now = len(lines)
    legend = _legend(names, viewer, look, width)
    room = height - 1 - len(legend)
    first = max(0, min(now - room + 1, len(lines) - room))
    return [[(cut(scene.grid_title, width), "bone")], *lines[first : first + room], *legend]


def _cell(cell: Cell, viewer: Viewer, width: int, look: Look) -> tuple[str, str]:
    if cell.when == "later":
        return pad(" ." if look.ascii else " ·", width), "line"
    if cell.when == "now":
        return pad(f"[{cell.text}]", width), "lamp strong"
    up, down, none = ("^", "v", "-") if look.ascii else ("▲", "▽", "–")
    if not cell.winner:
        return pad(f" {none}", width), "ash"
    mine = cell.winner == (viewer or 1)
    return pad(f" {up if mine else down}{cell.text}", width), "bone strong" if mine else "ash"


def _legend(names: Sequence[str], viewer: Viewer, look: Look, width: int) -> list[Line]:
    """Whose the signs are."""
    mine = viewer or 1
    up, down = ("^", "v") if look.ascii else ("▲", "▽")
    half = (width - 6) // 2
    shown = [cut(names[seat - 1], half) for seat in (mine, 3 - mine)]
    return [[], [(f"{up} {shown[0]}  {down} {shown[1]}", "ash")]]


def piles(scene: Scene, look: Look, width: int) -> list[Line]:
    """Stock and discards as heaps with their counts."""
    blocks: list[list[Line]] = []
    for name, count in scene.piles:
        heap = ("[##]" if look.ascii else "▐▒▒▌") if count else ("[  ]" if look.ascii else "▐  ▌")
        room = max(cells(name), 8)
        blocks.append(
            [[(pad(name, room), "ash")], [(heap, "ash"), (f" {count}", "bone strong")]],
        )
    return beside(blocks, 3)
