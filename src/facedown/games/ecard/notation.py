"""How E-Card writes its cards and picks (E1, R1): `E`, `C`, `S`, and a number where a stake is named."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from facedown.core.errors import UnreadablePick
from facedown.core.game import Pick
from facedown.core.text.translation import languages, translate
from facedown.games.ecard import message

EMPEROR: Final = "E"
CITIZEN: Final = "C"
SLAVE: Final = "S"

CARD_NAMES: Final = {EMPEROR: "Emperor", CITIZEN: "Citizen", SLAVE: "Slave"}
_ROMAJI: Final = {"kotei": EMPEROR, "koutei": EMPEROR, "shimin": CITIZEN, "dorei": SLAVE}
"""The names in the manga in Latin letters; `kōtei` is typed with and without its long vowel."""


@cache
def _by_word() -> dict[str, str]:
    """The cards by their letters and their names, in every language that the game speaks."""
    words = {name.lower(): card for card, name in CARD_NAMES.items()} | _ROMAJI
    for card in CARD_NAMES:
        words |= {translate(message(f"card.{card}"), each).lower(): card for each in languages()}
    return words | {card.lower(): card for card in CARD_NAMES}


def read_pick(text: str) -> Pick:
    """A card by letter or name in any case, in English or Japanese, or a stake.

    >>> read_pick("emperor"), read_pick(" c "), read_pick("07")
    ('E', 'C', '7')
    >>> read_pick("Kōtei"), read_pick("koutei"), read_pick("shimin"), read_pick("奴隷")
    ('E', 'E', 'C', 'S')
    """
    letters = unicodedata.normalize("NFKD", text.strip().lower())
    word = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if word in _by_word():
        return _by_word()[word]
    if re.fullmatch(r"[0-9]{1,9}", word):
        return str(int(word))
    say = f"{text.strip()[:40]!r} is not a pick: write E, C or S, or a number where a stake is named"
    raise UnreadablePick(say, text=text[:200], rule="R1")
