"""A game's page read by a program: its rule sentences by id, and the values of a rule set filled in.

Knows the form of a page (a rule is a bullet that begins with its id in bold), and no rule of any game.
"""

from __future__ import annotations

import re

from facedown.core.rules import Rules
from facedown.core.text.markdown import BULLET, blocks

_ID = re.compile(r"\*\*([A-Z]{1,3}[0-9]{1,3})\*\*")
_SLOT = re.compile(r"\{([a-z_]+)\}")


def fill_in(page: str, rules: Rules) -> str:
    """The page with every `{option}` replaced by what this rule set says to it; other braces stay."""
    values = {option.name: option.write(rules.value(option)) for option in rules.options}
    return _SLOT.sub(lambda slot: values.get(slot[1], slot[0]), page)


def sentences(page: str) -> dict[str, str]:
    """The words of every rule by its id, in the page's order.

    >>> sentences("- **X1** One card\\n  each.\\n- **X2** Two. **X3** Three.\\n\\nAnd more.")
    {'X1': 'One card each.', 'X2': 'Two.', 'X3': 'Three.'}
    """
    found: dict[str, str] = {}
    for block in blocks(page):
        if not (block.startswith(BULLET) and _ID.match(block, len(BULLET))):
            continue
        parts = _ID.split(block)
        for name, words in zip(parts[1::2], parts[2::2], strict=True):
            found.setdefault(name, words.strip())
    return found
