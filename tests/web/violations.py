"""What axe finds against a page: rules of accessibility that are broken, each with the places where."""

from __future__ import annotations

from typing import Final

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # ships no types
from playwright.sync_api import Page

_RUN: Final = (  # preloading would fetch style sheets against the policy
    "() => axe.run({preload: false, resultTypes: ['violations']}).then((found) => found.violations)"
)


def violations(page: Page) -> list[str]:
    """What axe finds; it is put into a page once."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(_RUN)
    return [f"{each['id']}: {[node['html'][:160] for node in each['nodes']]}" for each in found]
