"""What axe finds against a page: rules of accessibility that are broken, each with the places where."""

from __future__ import annotations

from typing import Final

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # ships no types
from playwright.sync_api import Page

from tests.web.unpainted import painted

_RUN: Final = """(more) => {
  const shown = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  const how = { preload: false, resultTypes: ["violations"], ...more };
  return axe.run(shown, how).then((all) => all.violations);
}"""
"""Nothing behind a modal dialog can be reached; preloading would fetch style sheets against the policy."""
_COLOURS: Final = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules of axe that look at colours."""


def violations(page: Page, *, only_colours: bool = False) -> list[str]:
    """What axe finds; it is put into a page once.

    `only_colours`: for the other theme of a page that was looked at, where nothing else differs.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    with painted(page):
        found = page.evaluate(_RUN, _COLOURS if only_colours else {})
    return [f"{each['id']}: {[node['html'][:160] for node in each['nodes']]}" for each in found]
