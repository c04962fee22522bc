"""How wide texts are on a screen of cells: wide letters take two columns, and lines break where they may."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final


def cells(text: str) -> int:
    """How many columns a text takes: wide letters take two, combining ones none.

    >>> cells("Ann"), cells("皇帝"), cells("e\\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_cell, text))


@lru_cache(maxsize=4096)
def _cell(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def cut(text: str, width: int, more: str = "…") -> str:
    """The text, not wider than this; `more` stands for what was cut off.

    >>> cut("Machine", 4), cut("皇帝の側", 6), cut("Ann", 4)
    ('Mac…', '皇帝…', 'Ann')
    """
    if cells(text) <= width:
        return text
    room, kept = width - cells(more), ""
    for letter in text:
        room -= _cell(letter)
        if room < 0:
            break
        kept += letter
    return kept + more if width > 0 else ""


def pad(text: str, width: int) -> str:
    """The text, cut or filled with spaces to exactly this width."""
    text = cut(text, width)
    return text + " " * (width - cells(text))


def centre(text: str, width: int) -> str:
    """The text in the middle of this width."""
    text = cut(text, width)
    left = (width - cells(text)) // 2
    return pad(" " * left + text, width)


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """The text on lines of this width, broken at spaces, and anywhere in texts that have none.

    >>> wrap("one two three", 8), wrap("皇帝は市民に勝つ", 8)
    (['one two', 'three'], ['皇帝は市', '民に勝つ'])
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line.strip() else line + word
        if cells(joined) <= width:
            line = joined
            continue
        if line.strip() and cells(word) <= width // 2:
            lines.append(line)
            line = indent + word
            continue
        line = f"{line} " if line.strip() else line
        for part in _parts(word, width - cells(indent)):
            if cells(line) + cells(part) > width:
                line, part = _carry_over(line.rstrip(), part)
                lines.append(line)
                line = indent
            line += part
    return [*lines, line] if line.strip() or not lines else lines


_NEVER_FIRST: Final = "、。，．」』）！？ー・：,.;:!?)々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_NEVER_LAST: Final = ("「", "『", "（", "(")
_RUN: Final = re.compile(r"[!-~]+|.")
_RUN_AT_END: Final = re.compile(r"(?:[!-~]+|.)$")
"""Letters between which no line breaks in a text without spaces: a word or a number of another script."""


def _parts(word: str, width: int) -> list[str]:
    """Where a long word may be broken: around runs of other scripts; anywhere, where that does not help."""
    if cells(word) == len(word):
        return list(word)
    return [part for run in _RUN.findall(word) for part in ([run] if cells(run) <= width else run)]


def _carry_over(line: str, part: str) -> tuple[str, str]:
    """A line and what comes after it, where no stop begins a line and no opening bracket ends one."""
    kept, after = line, part
    while after[0] in _NEVER_FIRST or kept[-1:] in _NEVER_LAST:
        last = _RUN_AT_END.search(kept)
        if last is None or not kept[: last.start()].strip():
            return line, part
        kept, after = kept[: last.start()].rstrip(), last[0] + after
    return kept, after
