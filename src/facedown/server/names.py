"""Names of people: what may be shown of them, which look alike, and which are not for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

from facedown.bots.find import bots_missing, bots_of
from facedown.core import registry
from facedown.core.parts.text import bot_called
from facedown.core.text.sanitise import LONGEST_ACCOUNT_NAME, one_line
from facedown.core.text.translation import languages, translate
from facedown.protocol.errors import BadMessage, ReservedName
from facedown.server import message

_SEEN: Final = frozenset("LNPS")
"""First letters of the Unicode categories of visible characters: letters, numbers, punctuation, symbols."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters, marks and symbols that print as nothing: fillers, joiners, and Braille's empty pattern."""
_MOST_MARKS: Final = 3
"""Marks on one letter: as many as real writing needs."""
_MARKS: Final = dict.fromkeys(range(0x300, 0x370))
"""Accents of Latin, Greek and Cyrillic letters. The marks of kana are others: they make another letter."""

_LOOK_ALIKES: Final = {
    "ıi1|ɑɡđħłøŧ0": "llllagdhloto",
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ": "abcdefghljklmnoprstuvwyz",
    # Greek: some small letters look like others than their capitals do
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "abezhlkmnoptyx",
    "αβγεηικμνορτυχωϲϳ": "abyenlkuvoptuxwcj",
    "авсԁеһікјӏмнорԛѕтуүԝхѵ": "abcdehlkjlmhopqstyywxv",  # Cyrillic
    "力二口囗夕卜八一工丿千へり": "カニロロタトハーエノチヘリ",  # kanji and hiragana
}
_SAME: Final = {
    ord(letter): like
    for letters, others in _LOOK_ALIKES.items()
    for letter, like in zip(letters, others, strict=True)
}


def clean_name(text: str) -> str:
    """A name that a person may have.

    Raises `BadMessage` if nothing of it is visible, and `ReservedName` if it is not for people.

    >>> clean_name(" A\\u202en\\u3164\\n na "), len(clean_name("x" + 30 * "\\u0301"))
    ('An na', 4)
    """
    name = one_line(_without_invisible(one_line(text)))[:LONGEST_ACCOUNT_NAME].strip()
    if not any(unicodedata.category(letter)[0] in _SEEN for letter in name):
        raise BadMessage("a name needs at least one letter that can be seen")
    if {skeleton(name), skeleton(name.rstrip(" 0123456789"))} & _reserved_skeletons():
        raise ReservedName("this is the name of a machine or of the system: choose another one")
    return name


def _without_invisible(text: str) -> str:
    """The text in its composed form, without letters that show nothing and without towers of marks."""
    kept, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if letter not in _INVISIBLE and marks <= _MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def skeleton(name: str) -> str:
    """The letters of a name as they look: equal for names that people take for the same.

    Without case, accents, spaces and punctuation, and with one letter for all that look like it.

    >>> skeleton("Ann") == skeleton("А\\uff4e n.") == skeleton("\\u0391nn")
    True
    >>> skeleton("Ann") == skeleton("Anna")
    False
    """
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name)).translate(_MARKS)
    same = plain.translate(_SAME).casefold().translate(_SAME).replace("rn", "m").replace("vv", "w")
    kept = "".join(letter for letter in same if unicodedata.category(letter)[0] not in "CPZ")
    return kept or name.casefold()


def distinct_name(name: str, others: Iterable[str]) -> str:
    """The name as it is shown among others: with a number if it looks like one of them.

    >>> distinct_name("Ann", ["Bo", "ANN", "Ann 2"]), distinct_name("Ann", ["Bo"])
    ('Ann 3', 'Ann')
    """
    taken = {skeleton(other) for other in others}
    shown, number = name, 1
    while skeleton(shown) in taken:
        number += 1
        shown = f"{name[: LONGEST_ACCOUNT_NAME - 1 - len(str(number))].rstrip()} {number}"
    return shown


@cache
def _reserved_skeletons() -> frozenset[str]:
    """The skeletons of machines' names and of words for the system, in every language."""
    names = set()
    for language in languages():
        names |= {
            translate(message("erased"), language),
            *translate(message("reserved"), language).split(","),
        }
        for game in registry.names():
            for bot in (*bots_of(game), *bots_missing(game)):
                names |= {bot, translate(bot_called(game, bot), language)}
    return frozenset(map(skeleton, names))
