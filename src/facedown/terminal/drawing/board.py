"""The board: a table painted on a screen of any size, from what one viewer may see to lines of spans (pure).

Two seats face each other across two places; more sit in a row on the far side. What matters most stays when
there is little room.
"""

from __future__ import annotations

from typing import Final

from facedown.core.parts.scene import Cell, Face, Scene
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal.drawing import cards
from facedown.terminal.drawing.spans import (
    WIDEST,
    Keys,
    Line,
    beside,
    blank,
    cells,
    centre,
    cut,
    fit,
    in_the_middle,
    indent,
    keys_line,
    line_cells,
    pad,
    wrap,
)
from facedown.terminal.moments.stage import DOWN, Stage
from facedown.terminal.settings import Look
from facedown.terminal.words import Words

_RAIL: Final = 30
"""Columns of the right side, where two face each other."""
_NAMED: Final = 22
"""Rows from which cards with names are large."""
_ROOMY: Final = 34
"""Rows from which all cards are large."""


def paint(stage: Stage, keys: Keys, width: int, height: int, look: Look, words: Words) -> list[Line]:
    """The whole screen: exactly `height` lines of `width` columns."""
    room = min(width, WIDEST)
    margin = (width - room) // 2
    top = _header(stage, room, look)
    middle = _middle(stage, room, look, words, height)
    fan = _fan(stage, room, look, height)
    asked = _prompt_lines(stage, room, words)
    bottom = [keys_line(keys, room)]
    free = height - len(top) - len(middle) - len(fan) - len(asked) - len(bottom)
    gap = free // 6 if free >= 18 else 1  # nothing moves when the log grows
    gaps = (gap * (free >= 6), gap * (free >= 9), gap * (free >= 18))
    log = _log(stage, room, free - sum(gaps), look)
    lines = [*top, *blank(gaps[0]), *middle, *blank(gaps[1])]
    lines += [*fan, *asked, *blank(gaps[2]), *log][: max(0, height - len(lines) - len(bottom))]
    lines += blank(height - len(lines) - len(bottom)) + bottom
    return [fit(line, width) for line in indent(lines[:height], margin)]


def table_lines(stage: Stage, width: int, look: Look, words: Words) -> list[Line]:
    """The table and the hand, in as many lines as they need, for line mode."""
    fan = [] if stage.text else _fan(stage, width, look, _NAMED)[1:]  # no card is raised there
    return [*_header(stage, width, look), *_middle(stage, width, look, words, _NAMED), *fan]


def revealed_lines(stage: Stage, width: int, look: Look, words: Words) -> list[Line]:
    """The cards that were turned, each below the name of its seat, for line mode."""
    laid = [seat for seat, card in enumerate(stage.laid, 1) if card is not None]
    column = min(22, (width - 2) // max(1, len(laid)))
    size = cards.LARGE if column > cards.LARGE[0] else cards.SMALL
    name = [
        [[(centre(stage.names[seat - 1], column), "bone strong")]]
        + [centre_line(line, column) for line in _place(stage, seat, look, size)]
        for seat in laid
    ]
    return indent(beside(name, 0), 2)


def _header(stage: Stage, width: int, look: Look) -> list[Line]:
    seal = "@" if look.ascii else "◉"
    left: Line = [(f" {seal} ", "seal strong"), (stage.title, "bone strong"), (f"  {stage.about}", "ash")]
    right = stage.scene.heading
    room = width - cells(right) - 2
    line = [*fit(left, room), (f" {right} ", "bone")]
    rule = ("-" if look.ascii else "─") * width
    return [line, [(rule, "line")]]


# --- the table -------------------------------------------------------------------------------------------


def _middle(stage: Stage, width: int, look: Look, words: Words, height: int) -> list[Line]:
    if stage.text:
        return [[(f"  {line}", "bone")] for line in stage.text]
    if len(stage.names) == 2:
        return _duel(stage, width, look, words, height)
    return _ring(stage, width, look, words, height)


def _duel(stage: Stage, width: int, look: Look, words: Words, height: int) -> list[Line]:
    """The other above, two places, the viewer below; the grid, or the piles, on the right."""
    mine = stage.viewer or 1
    other = 3 - mine
    left_width = width - _RAIL - 2
    labels = [_label(stage, seat, words) for seat in (other, mine)]
    column = cards.LARGE[0] + 8  # the middles of the two places are so far apart
    if max(cells(said) for said, _ in labels) > column:
        column = min(left_width // 2, cards.LARGE[0] + 14)
    places = beside([_place(stage, seat, look, cards.LARGE) for seat in (other, mine)], 8)
    under: Line = [(centre(said, column), role) for said, role in labels]
    left = [
        _chair(stage, other, left_width),
        [("  ", ""), *cards.backs(stage.scene.chairs[other - 1].cards, look, left_width - 4)],
        *in_the_middle(places, left_width),
        *in_the_middle([under], left_width),
        _chair(stage, mine, left_width),
    ]
    if stage.viewer == SPECTATOR:
        left.append([("  ", ""), *cards.backs(stage.scene.chairs[mine - 1].cards, look, left_width - 4)])
    right = _rail(stage, look, 10 if height < 24 else 11)
    return [
        *([_mood(stage, width)] if stage.scene.mood else []),
        *beside([[fit(line, left_width) for line in left], right], 2),
    ]


def _label(stage: Stage, seat: Seat, words: Words) -> tuple[str, str]:
    clock = _clock(stage, seat)
    name = cut(stage.names[seat - 1], 12 - cells(clock))
    if stage.laid[seat - 1] == DOWN:
        return f"{name}: {words('is_down')}", "bone"
    if seat in stage.lamp:
        return f"{name}: {words('to_place')}{clock and f' {clock}'}", "lamp strong"
    note = stage.scene.chairs[seat - 1].note
    return (f"{name}: {note}" if note else name), "ash"


def _clock(stage: Stage, seat: Seat) -> str:
    return stage.clocks[seat - 1] if stage.clocks and seat in stage.lamp else ""


def _chair(stage: Stage, seat: Seat, width: int) -> Line:
    chair = stage.scene.chairs[seat - 1]
    line: Line = []
    if chair.role:
        line.append((f"  {chair.role}", f"{chair.tone} strong"))
    if chair.account:
        line.append((f"  {chair.account}", "ash"))
    name = cut(stage.names[seat - 1], max(6, min(24, width - 2 - line_cells(line))))
    return fit([(f"  {name}", "bone strong"), *line], width)


def _place(stage: Stage, seat: Seat, look: Look, size: tuple[int, int]) -> list[Line]:
    lies = stage.laid[seat - 1]
    if isinstance(lies, Face):
        return cards.face_up(lies, look, size, faint=stage.stale)
    if lies == DOWN:
        return cards.face_down(look, size)
    return cards.place(look, size, lit=seat in stage.lamp)


def _ring(stage: Stage, width: int, look: Look, words: Words, height: int) -> list[Line]:
    """The others in a row, in seat order after the viewer; stock, discards and the viewer's place below."""
    seats = len(stage.names)
    mine = stage.viewer
    others = [(mine + step - 1) % seats + 1 for step in range(1, seats + (mine == SPECTATOR))]
    column = min(22, (width - 1) // len(others))
    size = cards.LARGE if height >= _ROOMY and cards.LARGE[0] + 2 <= column else cards.SMALL
    blocks = [_far(stage, seat, column, look, words, size) for seat in others]
    row = in_the_middle(beside(blocks, 0), width)
    near: list[list[Line]] = [indent(_piles(stage.scene, look), 2)]
    if mine:  # the viewer's place is in the middle, as the row of the others is
        left = (width - size[0]) // 2 - 3
        near = [[fit(line, left) for line in near[0]], _place(stage, mine, look, size)]
        name, role = _label(stage, mine, words)
        near.append([[], [(name, role)], [(stage.scene.chairs[mine - 1].account, "ash")]])
    lines = [*([_mood(stage, width)] if stage.scene.mood else []), *row]
    if height >= 24:
        lines.append([])
    return [*lines, *beside(near, 3)]


def _far(stage: Stage, seat: Seat, width: int, look: Look, words: Words, size: tuple[int, int]) -> list[Line]:
    chair = stage.scene.chairs[seat - 1]
    lit = seat in stage.lamp
    card = [centre_line(line, width) for line in _place(stage, seat, look, size)]
    if chair.away:
        side = size[1] // 2
        card = [*blank(side), [(centre("-", width), "line")], *blank(side)]
    note = words("is_down") if stage.laid[seat - 1] == DOWN else chair.note
    if lit:  # a clock alone also shows whose turn it is
        clock = _clock(stage, seat)
        whole = f"{words('to_place')} {clock}".rstrip()
        note = whole if not clock or cells(whole) < width else clock
    name = centre(cut(stage.names[seat - 1], width - 1), width)
    return [
        [(name, "ash faint" if chair.away else "lamp strong" if lit else "bone strong")],
        [(centre(chair.account, width), "ash")],
        *card,
        [(centre(note, width), "lamp" if lit else "ash")],
    ]


def centre_line(line: Line, width: int) -> Line:
    """A line of spans in the middle of this width."""
    return fit([(" " * ((width - line_cells(line)) // 2), ""), *line], width)


def _mood(stage: Stage, width: int) -> Line:
    return [(centre(stage.scene.mood, width), "seal strong")]


# --- the viewer's side -----------------------------------------------------------------------------------


def _fan(stage: Stage, width: int, look: Look, height: int) -> list[Line]:
    """The hand of the viewer: cards with names are large, others only on a large screen."""
    if not stage.held:
        return []
    named = all(each.face.name for each in stage.held)
    word = ""
    if stage.chosen is not None and stage.also:
        word = next((word for key, _, word in stage.held[stage.chosen].also if key == stage.also), "")
    large = height >= (_NAMED if named else _ROOMY)
    drawn = cards.fan(stage.held, stage.chosen, word, look, width - 4, large=large)
    across = width - _RAIL - 2 if len(stage.names) == 2 else width
    margin = max(2, (across - line_cells(drawn[0])) // 2)
    margin = min(margin, max(0, width - line_cells(drawn[0])))
    return indent(drawn, margin)


def _prompt_lines(stage: Stage, width: int, words: Words) -> list[Line]:
    lines: list[Line] = []
    if stage.notice:
        lines += [[(f"  {line}", "seal strong")] for line in wrap(stage.notice, width - 4)]
    prompt = wrap(stage.prompt, width - 4)[:2] if stage.prompt else []
    lines += [[(f"  {line}", "bone")] for line in prompt]
    if stage.tip and len(prompt) < 2:
        lines.append([(f"  {cut(stage.tip, width - 4)}", "ash")])
    return lines + blank(2 - len(lines))


def _log(stage: Stage, width: int, height: int, look: Look) -> list[Line]:
    """The latest of what happened, as much as there is room for, under a thin line."""
    if height < 2:
        return []
    lines: list[Line] = []
    for number, sentence in enumerate(stage.log):
        role = "bone" if number == len(stage.log) - 1 else "ash"
        lines += [[(f"  {line}", role)] for line in wrap(sentence, width - 4, "  ")]
    rule: Line = [("  " + ("-" if look.ascii else "─") * (width - 4), "line")]
    return [rule, *lines[-(height - 1) :]] if lines else []


# --- the rail --------------------------------------------------------------------------------------------


def _rail(stage: Stage, look: Look, height: int) -> list[Line]:
    """The grid of rounds, the piles, and what else the game says."""
    scene = stage.scene
    lines = _grid(stage, look, height) if scene.grid else []
    if scene.piles:
        lines += [[], *_piles(scene, look)]
    return lines + [[(line, "ash")] for line in scene.lines]


def _grid(stage: Stage, look: Look, height: int) -> list[Line]:
    """The rounds, a row for each group; long ones are broken, and the latest stay."""
    rows = stage.scene.grid
    label = max(cells(row.label) for row in rows) + 1
    cell = max(5, max(cells(each.text) for row in rows for each in row.cells) + 3)
    across = max(1, (_RAIL - label) // cell)
    lines: list[Line] = []
    now = 0
    for row in rows:
        for start in range(0, len(row.cells), across):
            part = row.cells[start : start + across]
            head = pad(row.label if start == 0 else "", label)
            lines.append([(head, "ash"), *(_cell(each, stage.viewer, cell, look) for each in part)])
            if any(each.when != "later" for each in part):
                now = len(lines)
    legend = _legend(stage, look)
    room = height - 1 - len(legend)
    first = max(0, min(now - room + 1, len(lines) - room))
    return [[(cut(stage.scene.grid_title, _RAIL), "bone")], *lines[first : first + room], *legend]


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


def _legend(stage: Stage, look: Look) -> list[Line]:
    mine = stage.viewer or 1
    up, down = ("^", "v") if look.ascii else ("▲", "▽")
    half = (_RAIL - 6) // 2
    shown = [cut(stage.names[seat - 1], half) for seat in (mine, 3 - mine)]
    return [[], [(f"{up} {shown[0]}  {down} {shown[1]}", "ash")]]


def _piles(scene: Scene, look: Look) -> list[Line]:
    """Stock and discards as heaps with their counts."""
    blocks: list[list[Line]] = []
    for name, count in scene.piles:
        heap = ("[##]" if look.ascii else "▐▒▒▌") if count else ("[  ]" if look.ascii else "▐  ▌")
        room = max(cells(name), 8)
        blocks.append(
            [[(pad(name, room), "ash")], [(heap, "ash"), (f" {count}", "bone strong")]],
        )
    return beside(blocks, 3)
