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

THUMB: Final = 44
"""Pixels each way of a control that stands alone, not within a sentence: what a thumb meets (WCAG 2.5.5)."""

_OWNED: Final = """
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const seen = (each) => each.checkVisibility({ opacityProperty: false, visibilityProperty: true })
    && !each.matches(":disabled") && !each.closest("[inert], [aria-hidden=true]");
  const owns = (each, there) => there !== null
    && (each.contains(there) || [...(each.labels ?? [])].some((label) => label.contains(there)));
  const at = (each, x, y) => owns(each, document.elementFromPoint(x, y));
  const corners = [0, least / 2, least - 1];
  const square = corners.flatMap((dx) => corners.map((dy) => [dx, dy]));
  const showsEnough = (each, box, points = square, step = 4) => {
    for (let x = box.left; x <= box.right - least; x += step)
      for (let y = box.top; y <= box.bottom - least; y += step)
        if (points.every(([dx, dy]) => at(each, x + dx, y + dy))) return true;
    return false;
  };
  const toTheMiddle = (each) =>
    each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const named = (each) => {
    const name = each.getAttribute("aria-label") || each.textContent.trim().replace(/\\s+/g, " ") || each.id;
    return `${each.tagName.toLowerCase()} “${name.slice(0, 40)}”`;
  };
"""
"""What both questions below need, given `controls` and `least`."""

COVERED: Final = f"""([controls, least]) => {{{_OWNED}
  const drawn = (each) => [...each.getClientRects()].find((box) => box.width > 1 && box.height > 1);
  const middle = (each) => {{
    const box = drawn(each);
    return [box, document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)];
  }};
  const found = [];
  for (const each of modal.querySelectorAll(controls)) {{
    if (!seen(each) || !drawn(each)) continue;
    let [box, there] = middle(each);
    if (owns(each, there)) continue;
    toTheMiddle(each);
    [box, there] = middle(each);
    if (owns(each, there)) continue;
    if (there?.closest(controls) && showsEnough(each, box)) continue;
    const over = there ? there.tagName.toLowerCase() + "." + there.classList.value : "nothing (off screen)";
    found.push(`${{named(each)}} lies under ${{over}}`);
  }}
  scrollTo(0, 0);
  return found;
}}"""
"""What `covered` asks of a page, given `CONTROLS` and `LEAST`."""


def covered(page: Page) -> list[str]:
    """Every control that is seen and cannot be pressed at its middle, with what lies over it."""
    found: list[str] = page.evaluate(COVERED, [CONTROLS, LEAST])
    return found


_SMALL: Final = f"""([controls, least]) => {{{_OWNED}
  const inText = (each) => getComputedStyle(each).display === "inline" && each.closest("p, li, td, dd");
  const cross = square.filter(([dx, dy]) => dx === least / 2 || dy === least / 2); // corners are round
  const around = ({{ left, right, top, bottom }}) => {{
    const [x, y] = [Math.max(0, least - (right - left)), Math.max(0, least - (bottom - top))];
    return {{ left: left - x, right: right + x, top: top - y, bottom: bottom + y }};
  }};
  const small = (each) => {{
    toTheMiddle(each);
    const box = each.getBoundingClientRect();
    if (showsEnough(each, around(box), cross, 1)) return null;
    return `${{named(each)}}: ${{box.width | 0}} × ${{box.height | 0}}`;
  }};
  const alone = [...modal.querySelectorAll(controls)].filter((each) => seen(each) && !inText(each));
  const found = alone.filter((each) => !each.matches(".skip, .hand-card")).map(small).filter(Boolean);
  scrollTo(0, 0);
  return found;
}}"""


def small(page: Page) -> list[str]:
    """Every control outside of a sentence and of a fan of cards that a thumb may miss, with its size."""
    found: list[str] = page.evaluate(_SMALL, [CONTROLS, THUMB])
    return found
