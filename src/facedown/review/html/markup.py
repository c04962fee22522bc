"""Words made fit for a page: whatever they are, they stay words."""

from __future__ import annotations

from html import escape


def said(words: str) -> str:
    """Words, escaped; a number and its sign stay on one line.

    >>> said("<b> 5 %")
    '&lt;b&gt; 5\\xa0%'
    """
    return escape(words.replace(" %", "\xa0%"))


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph of words."""
    return f"<p{_class(kind)}>{said(words)}</p>"


def section(name: str, title: str, body: str, kind: str = "") -> str:
    """A part of the page under its heading; the body is markup already."""
    heading = f'<h2 id="h-{name}">{said(title)}</h2>'
    return f'<section{_class(kind)} aria-labelledby="h-{name}">{heading}{body}</section>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
