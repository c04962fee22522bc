"""HTML escaping and the small building blocks of the page: texts stay texts, whatever they hold."""

from __future__ import annotations

import re
from html import escape


def escaped(text: str) -> str:
    """Text, escaped; a number and its sign stay on one line.

    >>> escaped("<b> 5 %")
    '&lt;b&gt; 5\\xa0%'
    """
    return escape(text.replace(" %", "\xa0%"))


def with_code(text: str) -> str:
    """Text, escaped, in which what stands in backticks is code.

    >>> with_code("save it as `game.json`")
    'save it as <code>game.json</code>'
    """
    return re.sub("`([^`]*)`", r"<code>\1</code>", escaped(text))


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of text."""
    return f"<p{_class(kind)}>{escaped(text)}</p>"


def section(name: str, title: str, body: str, kind: str = "") -> str:
    """A part of the page under its heading; the body is markup already."""
    heading = f'<h2 id="h-{name}">{escaped(title)}</h2>'
    return f'<section{_class(kind)} aria-labelledby="h-{name}">{heading}{body}</section>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
