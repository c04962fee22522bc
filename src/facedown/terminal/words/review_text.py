"""The review of a finished game as lines for a terminal: a chart of chances, the timing, the report.

The judging is `facedown.review`'s; it needs the solver, and says so where that is not installed.
"""

from __future__ import annotations

from typing import Final

from facedown.core.errors import FacedownError
from facedown.core.record import Record
from facedown.core.seats import Seat
from facedown.core.text.names import is_you
from facedown.core.text.translation import ENGLISH
from facedown.core.text.widths import pad
from facedown.terminal.words.words import Words

_BARS: Final = " ▁▂▃▄▅▆▇█"
_ASCII_BARS: Final = " .:-=+*%#"
_ROWS: Final = 4


def review_text(
    record: Record, seat: Seat, words: Words, width: int, *, ascii_only: bool = False
) -> list[str]:
    """The whole review; one line that says why where there is none."""
    try:
        from facedown.review.review import review
        from facedown.review.text_report import plain_text

        found = review(record, seat, language=words.language)
    except ImportError as error:
        return [words("review.none", why=str(error))]
    except FacedownError as error:
        return [words("refused", why=words.refusal(error)) if words.language != ENGLISH else str(error)]
    chances = [each.before for each in found.judged.chances[:1]]
    chances += [each.after for each in found.judged.chances]
    name = words.names(record.seats)[seat - 1]
    lines = [words("review.yours") if is_you(name, words.language) else words("review.of", name=name)]
    if chances:
        lines += ["", words("review.chances"), *chart(chances, width - 8, ascii_only=ascii_only)]
    timing = found.judged.timing
    if timing is not None:
        lines.append("")
        most = max((*timing.yours, *timing.judges, 1))
        adviser = found.text(found.judged.adviser)
        for label, yours, judges in zip(timing.labels, timing.yours, timing.judges, strict=True):
            lines.append(f"  {pad(found.text(label), 8)} {_bar(yours / most, ascii_only)} {yours:g}")
            lines.append(f"  {'':<8} {_bar(judges / most, ascii_only)} {judges:.1f} {adviser}")
    return [*lines, "", *plain_text(found, width).splitlines()]


def chart(chances: list[float], width: int, *, ascii_only: bool = False) -> list[str]:
    """Chances from 0 to 1 as a chart of a few rows; many are thinned out to the width.

    >>> print("\\n".join(chart([0.0, 0.5, 1.0], 20)))
    100 %   █
            █
     50 %  ██
      0 %  ██
    """
    bars = _ASCII_BARS if ascii_only else _BARS
    columns = chances
    if len(chances) > width:
        columns = [chances[place * (len(chances) - 1) // (width - 1)] for place in range(width)]
    rows = []
    for row in range(_ROWS - 1, -1, -1):
        cells = (max(0.0, min(1.0, chance * _ROWS - row)) for chance in columns)
        drawn = "".join(bars[round(cell * (len(bars) - 1))] for cell in cells)
        label = {_ROWS - 1: "100 %", 1: " 50 %", 0: "  0 %"}.get(row, "     ")
        rows.append(f"{label} {drawn}".rstrip())
    return rows


def _bar(share: float, ascii_only: bool) -> str:
    return ("#" if ascii_only else "█") * round(24 * share)
