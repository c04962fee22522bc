"""Every text of the live region of a page, which shows only the last one."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

_LISTEN: Final = """
  globalThis.announced = [];
  new MutationObserver(() => {
    const text = document.querySelector('[role=log]')?.textContent ?? '';
    if (text && text !== globalThis.announced.at(-1)) globalThis.announced.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""


def listen_to(page: Page) -> None:
    """From the next visit on, the page writes down what its live region says."""
    page.add_init_script(_LISTEN)


def announcements(page: Page) -> list[str]:
    """Every text it announced, in order."""
    texts: list[str] = page.evaluate("() => globalThis.announced")
    return texts


def is_told(page: Page, words: str) -> None:
    """Return once these words were said, whatever was said after them."""
    page.wait_for_function("(words) => globalThis.announced.some((each) => each.includes(words))", arg=words)
