"""Pages that are laid out and not painted: without a graphics card, painting is half of what a browser costs.

Whatever tests ask of such a page is the same: boxes, hits, styles, names. Only pictures, contrast and shifts
of the layout are of what is painted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import BrowserContext, Page

_SCRIPT: Final = """
  globalThis.unpainted = new CSSStyleSheet();
  unpainted.replaceSync("html, dialog, ::backdrop { opacity: 0 !important }");
  document.adoptedStyleSheets.push(unpainted);
"""
_SWITCH: Final = "(painted) => { if (globalThis.unpainted) unpainted.disabled = painted; }"


def leave_unpainted(context: BrowserContext) -> None:
    """No page that is opened from here on is painted."""
    context.add_init_script(_SCRIPT)


@contextmanager
def painted(page: Page) -> Iterator[None]:
    """A page is painted inside this block all the same."""
    page.evaluate(_SWITCH, True)
    try:
        yield
    finally:
        page.evaluate(_SWITCH, False)
