"""All that the live region of a page says: what it says next takes the place of what it said before."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

_LISTEN: Final = """
  globalThis.told = [];
  new MutationObserver(() => {
    const text = document.querySelector('[role=log]')?.textContent ?? '';
    if (text && text !== globalThis.told.at(-1)) globalThis.told.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""


def listen_to(page: Page) -> None:
    """From the next visit on, the page writes down what its live region says."""
    page.add_init_script(_LISTEN)


def told(page: Page) -> list[str]:
    """All that was said, in order."""
    said: list[str] = page.evaluate("() => globalThis.told")
    return said


def is_told(page: Page, words: str) -> None:
    """Return once these words were said, whatever was said after them."""
    page.wait_for_function("(words) => globalThis.told.some((each) => each.includes(words))", arg=words)
