"""Hit test: at the middle of every visible control lies that control, so that mouse and finger reach it."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

SIZES: Final = ((360, 780), (740, 360), (768, 1024), (1024, 768), (1440, 900), (720, 450))
"""Phone upright and on its side, tablet both ways, laptop, and that laptop at 200 % zoom."""

CONTROLS: Final = (
    "a[href], button, summary, select, textarea, input, [role=button], [role=option], [tabindex='0']"
)

LEAST: Final = 24
"""Pixels each way that a card in a fan must show, where another control lies over its middle (WCAG 2.5.8)."""

COVERED: Final = """([controls, least]) => {
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const seen = (each) => each.checkVisibility({ opacityProperty: false, visibilityProperty: true })
    && !each.matches(":disabled") && !each.closest("[inert], [aria-hidden=true]");
  const drawn = (each) => [...each.getClientRects()].find((box) => box.width > 1 && box.height > 1);
  const owns = (each, there) => there !== null
    && (each.contains(there) || [...(each.labels ?? [])].some((label) => label.contains(there)));
  const at = (each, x, y) => owns(each, document.elementFromPoint(x, y));
  const corners = [0, least / 2, least - 1];
  const showsEnough = (each, box) => {
    for (let x = box.left; x <= box.right - least; x += 4)
      for (let y = box.top; y <= box.bottom - least; y += 4)
        if (corners.every((dx) => corners.every((dy) => at(each, x + dx, y + dy)))) return true;
    return false;
  };
  const middle = (each) => {
    const box = drawn(each);
    return [box, document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)];
  };
  const found = [];
  for (const each of modal.querySelectorAll(controls)) {
    if (!seen(each) || !drawn(each)) continue;
    let [box, there] = middle(each);
    if (owns(each, there)) continue;
    each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    [box, there] = middle(each);
    if (owns(each, there)) continue;
    if (there?.closest(controls) && showsEnough(each, box)) continue;
    const name = each.getAttribute("aria-label") || each.textContent.trim().replace(/\\s+/g, " ") || each.id;
    const over = there ? there.tagName.toLowerCase() + "." + there.classList.value : "nothing (off screen)";
    found.push(`${each.tagName.toLowerCase()} “${name.slice(0, 40)}” lies under ${over}`);
  }
  scrollTo(0, 0);
  return found;
}"""
"""What `covered` asks of a page, given `CONTROLS` and `LEAST`."""


def covered(page: Page) -> list[str]:
    """Every control that is seen and cannot be pressed at its middle, with what lies over it."""
    found: list[str] = page.evaluate(COVERED, [CONTROLS, LEAST])
    return found
