"""Markdown as the pages of the games use it: headings, paragraphs, bullets, table rows, and marked words.

The one reader of that dialect in Python: rule sentences, the terminal's pages and line mode are made from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

ALONE: Final = ("#", "|")
"""How headings and table rows begin: lines of their own, whatever their length."""
BULLET: Final = "- "
_MARKS: Final = re.compile("[`*]")


def blocks(page: str) -> Iterator[str]:
    """The page's blocks, each on one line and with its marks; empty lines stay as they are.

    >>> list(blocks("# Cards\\n- **X1** One\\n  card.\\n\\nMany\\nmore"))
    ['# Cards', '- **X1** One card.', '', 'Many more']
    """
    block = ""
    for line in page.splitlines():
        alone = not line.strip() or line.startswith(ALONE)
        if block and not alone and not line.startswith(BULLET):
            block = f"{block} {line.strip()}"
            continue
        if block:
            yield block
        block = "" if alone else line
        if alone:
            yield line
    if block:
        yield block


def plain_text(text: str) -> str:
    """A text without the marks for strong words and code.

    >>> plain_text("**E1** The card `E`")
    'E1 The card E'
    """
    return _MARKS.sub("", text)
