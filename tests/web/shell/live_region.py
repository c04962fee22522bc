"""Recorder of a page's live region, in which each text replaces the one before."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

_LISTEN: Final = """
  globalThis.narrated = [];
  new MutationObserver(() => {
    const text = document.querySelector('[role=log]')?.textContent ?? '';
    if (text && text !== globalThis.narrated.at(-1)) globalThis.narrated.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""


def listen_to(page: Page) -> None:
    """Records the live region's texts from the next visit on."""
    page.add_init_script(_LISTEN)


def narrated(page: Page) -> list[str]:
    """Every text of the live region, in order."""
    said: list[str] = page.evaluate("() => globalThis.narrated")
    return said


def wait_for_narration(page: Page, words: str) -> None:
    """Return once the live region has had these words."""
    page.wait_for_function("(words) => globalThis.narrated.some((each) => each.includes(words))", arg=words)
