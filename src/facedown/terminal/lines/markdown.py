"""Layout of a Markdown page in line mode: paragraphs filled to the width, rule ids and headings in bold."""

from __future__ import annotations

import re
import textwrap
from typing import Final

from facedown.core.text.markdown import ALONE, BULLET, blocks
from facedown.core.text.widths import cells, wrap

_BOLD: Final = "\x1b[1m{}\x1b[22m"
_MARKED: Final = re.compile(r"\*\*(.+?)\*\*|^(#+ .*)$", re.MULTILINE)


def filled_to(page: str, width: int) -> str:
    """The page with its paragraphs and bullets broken anew at this width.

    >>> print(filled_to("- **X1** One\\n  card.\\n\\nMany more words", 12))
    - **X1** One
      card.
    <BLANKLINE>
    Many more
    words
    """
    return "\n".join(_filled(block, width) for block in blocks(page))


def bold(text: str) -> str:
    """The text in bold."""
    return _BOLD.format(text)


def marked(page: str) -> str:
    """The page with what it marks as strong, and its headings, in bold."""
    return _MARKED.sub(lambda found: bold(found[1] or found[2]), page)


def _filled(block: str, width: int) -> str:
    if not block.strip() or block.startswith(ALONE):
        return block
    indent = "  " if block.startswith(BULLET) else ""
    if cells(block) != len(block):
        return "\n".join(wrap(block, width, indent))
    return textwrap.fill(
        block, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
