"""Names of people: what may be shown of them, which look alike, and which are not for people."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from facedown.bots.find import bots_missing, bots_of
from facedown.bots.house import house_of
from facedown.core import registry
from facedown.core.parts.text import bot_called
from facedown.core.text.sanitise import LONGEST_ACCOUNT_NAME, one_line
from facedown.core.text.translation import languages, translate
from facedown.protocol.errors import BadHandle, BadMessage, ReservedName
from facedown.server import message

_SEEN: Final = frozenset("LNPS")
"""First letters of the Unicode categories of visible characters: letters, numbers, punctuation, symbols."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters, marks and symbols that print as nothing: fillers, joiners, and Braille's empty pattern."""
_MOST_MARKS: Final = 3
"""Marks on one letter: as many as real writing needs."""
SHORTEST_HANDLE: Final = 3
LONGEST_HANDLE: Final = 20
LONGEST_BOT: Final = 16
_HOUSE: Final = "facedown"
_TICKS: Final = re.compile(
    "[\u221a\u2705\u2611\u2713\u2714\u237b\U0001f5f8\U0001f5f9\U0001f174\U0001f6e1\U0001f46e]\ufe0f?"
)
"""Ticks and badges, by which other places mark whom they have checked. No name here says that."""
_HUMPS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_SAYS_BOT: Final = re.compile(r"[^\w\s.'’&-]\s*bot(?!\w)|(?<!\w)bot\s*[^\w\s.,'’!?&-]")
"""The word "bot" in brackets or before a colon, or something like them."""
_IN_HANDLES: Final = frozenset("0123456789_-")
_LATIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzæœøðþđħıłŋŧəɓɗƙƴɛɔ")
"""Latin letters of handles, with any accents. Others are for phonetics, and most look like one of these."""
_INDIC: Final = {"DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA"}
_SCRIPTS: Final = frozenset(
    {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "THAANA", "ETHIOPIC", "HANGUL"}
    | {"JAPANESE", "BOPOMOFO", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER"}
    | _INDIC
)
"""Of handles: those that Unicode recommends for identifiers (UAX 31). Others hold whole alphabets of Latin
look-alikes."""
_JAPANESE: Final = frozenset({"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK", "IDEOGRAPHIC"})
_MARKS: Final = dict.fromkeys(range(0x300, 0x370))
"""Accents of Latin, Greek and Cyrillic letters. The marks of kana are others: they make another letter."""

_LOOK_ALIKES: Final = {
    "ıi1|ǀȷɑɡđħłøŧɓɗƙƴ0": "llllljagdhlotbdkyo",
    "ŋɲɳƞɱðþəɛɔɖƒɠɦƈƥʈƭʂʐɭɫɽʋ": "nnnnmdpeeodfghcpttszllrv",
    "ː꞉∶։׃ꓽ": "::::::",
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ": "abcdefghljklmnoprstuvwyz",
    # Greek: some small letters look like others than their capitals do
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "abezhlkmnoptyx",
    "αβγεηικμνορτυχωϲϳ": "abyenlkuvoptuxwcj",
    "авсԁԃеһікјӏмнорԛѕтуүԝѡхѵь": "abcddehlkjlmhopqstyywwxvb",  # Cyrillic
    "զհյոսցօ": "qhjnugo",  # Armenian
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ": "bpdtgkjczfmnlsrvhwxyaeiou",  # Lisu
    "力二口囗夕卜八一工丿千へり": "カニロロタトハーエノチヘリ",  # kanji and hiragana
}
_SAME: Final = {
    ord(letter): like
    for letters, others in _LOOK_ALIKES.items()
    for letter, like in zip(letters, others, strict=True)
} | {ord("æ"): "ae", ord("œ"): "oe"}


def clean_name(text: str) -> str:
    """A name that a person may have.

    Raises `BadMessage` if nothing of it is visible, and `ReservedName` if it is not for people.

    >>> clean_name(" A\\u202en\\u3164\\n na "), len(clean_name("x" + 30 * "\\u0301"))
    ('An na', 4)
    """
    name = one_line(_TICKS.sub("", _without_invisible(one_line(text))))[:LONGEST_ACCOUNT_NAME].strip()
    if not any(unicodedata.category(letter)[0] in _SEEN for letter in name):
        raise BadMessage("a name needs at least one letter that can be seen")
    _refuse_reserved(name)
    return name


def clean_handle(text: str) -> str:
    """The handle of an account as it is kept: folded, of 3 to 20 letters, digits, `_` and `-` in one script.

    Raises `BadHandle`, or `ReservedName` if it is not for people.

    >>> clean_handle("Ann_Lee"), clean_handle("\uff21\uff4e\uff4e7"), clean_handle("はなこ")
    ('ann_lee', 'ann7', 'はなこ')
    """
    handle = fold_handle(text)
    if not SHORTEST_HANDLE <= len(handle) <= LONGEST_HANDLE:
        raise BadHandle(f"a handle has {SHORTEST_HANDLE} to {LONGEST_HANDLE} characters")
    if not all(_is_letter(each) or each in _IN_HANDLES for each in handle) or handle[0] in "_-":
        raise BadHandle("a handle has letters, digits, _ and - only, and begins with a letter or digit")
    scripts = {_script(each) for each in handle if _is_letter(each)}
    if len(scripts) > 1 or not scripts <= _SCRIPTS:
        raise BadHandle("the letters of a handle are of one script, which people write today")
    if "LATIN" in scripts and not _LATIN.issuperset(_base(each) for each in handle if _is_letter(each)):
        raise BadHandle("the Latin letters of a handle are those that languages are written with")
    _refuse_reserved(text.strip())
    return handle


def shown_handle(text: str) -> str:
    """A handle as it is shown: with the capitals that were typed, unless these look like other letters.

    Raises as `clean_handle` does.

    >>> shown_handle("Ann_Lee"), shown_handle("\uff21nn"), shown_handle("ΝΙΚΟΣ")
    ('Ann_Lee', 'Ann', 'νικος')
    """
    folded = clean_handle(text)
    typed = unicodedata.normalize("NFKC", text.strip())
    return next((each for each in (typed, typed.lower()) if skeleton(each) == skeleton(folded)), folded)


def fold_handle(text: str) -> str:
    """A handle without case and without compatible forms of its characters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.strip()).casefold())


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "L" and letter not in _INVISIBLE


def _script(letter: str) -> str:
    """The script of a letter, by the first word of its name in Unicode; Japanese has several."""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return "JAPANESE" if script in _JAPANESE else script


def _base(letter: str) -> str:
    """A letter without its accents."""
    return unicodedata.normalize("NFD", letter)[0]


def _without_invisible(text: str) -> str:
    """The text in its composed form, without letters that show nothing and without towers of marks."""
    kept, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if letter not in _INVISIBLE and marks <= _MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


@lru_cache(maxsize=16_384)  # all entrants of a tournament at each change of its standings
def skeleton(name: str) -> str:
    """The letters of a name as they look: equal for names that people take for the same.

    Without case, accents, spaces and punctuation, and with one letter for all lookalikes.

    >>> skeleton("Ann") == skeleton("А\\uff4e n.") == skeleton("\\u0391nn")
    True
    >>> skeleton("Ann") == skeleton("Anna")
    False
    """
    same = _as_it_looks(name).replace("rn", "m").replace("vv", "w")
    kept = "".join(letter for letter in same if unicodedata.category(letter)[0] not in "CPZ")
    return kept or name.casefold()


def _as_it_looks(name: str) -> str:
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name)).translate(_MARKS)
    return plain.translate(_SAME).casefold().translate(_SAME)


def bot_name(handle: str, owner: str) -> str:
    """The name of a bot, which says that it is one and whose; the owner's handle is cut to fit.

    >>> bot_name("reader", "ann"), len(bot_name("a" * LONGEST_BOT, "b" * LONGEST_HANDLE))
    ('reader (bot: ann)', 32)
    """
    most = LONGEST_ACCOUNT_NAME - len(handle) - len(" (bot: )")
    return f"{handle} (bot: {owner if len(owner) <= most else owner[: most - 1] + '…'})"


def machine_name(game: str, machine: str, language: str) -> str:
    """The name of a machine as people read it."""
    return translate(bot_called(game, machine), language)


def distinct_name(name: str, others: Iterable[str]) -> str:
    """The name as it is shown among others: with a number if it looks like one of them.

    >>> distinct_name("Ann", ["Bo", "ANN", "Ann 2"]), distinct_name("Ann", ["Bo"])
    ('Ann 3', 'Ann')
    """
    return _numbered(name, {skeleton(other) for other in others})


def distinct_names(names: Iterable[str]) -> list[str]:
    """These names as they are shown together: those that look like an earlier one with a number.

    >>> distinct_names(["Ann", "Bo", "ANN", ""])
    ['Ann', 'Bo', 'ANN 2', '']
    """
    shown, taken = list[str](), set[str]()
    for name in names:
        shown.append(_numbered(name, taken) if name else name)
        taken.add(skeleton(shown[-1]))
    return shown


def _numbered(name: str, taken: set[str]) -> str:
    """The name, with the first number that makes it none of the taken skeletons."""
    shown, number = name, 1
    while skeleton(shown) in taken:
        number += 1
        shown = f"{name[: LONGEST_ACCOUNT_NAME - 1 - len(str(number))].rstrip()} {number}"
    return shown


def _refuse_reserved(name: str) -> None:
    """Raise `ReservedName` for a name of a machine, or one that speaks for the server."""
    if _SAYS_BOT.search(_as_it_looks(name)):
        raise ReservedName("only a bot's name says that it is one: choose another one")
    reserved = _reserved()
    without_digits = re.sub(r"\d", " ", unicodedata.normalize("NFKC", name))
    for text in (name, _HUMPS.sub(" ", name), without_digits):
        looks = skeleton(text)
        if (
            looks in reserved.machines
            or reserved.whole.fullmatch(looks)
            or any(title in looks for title in reserved.unspaced)
            or any(reserved.title.fullmatch(skeleton(word)) for word in _words(text))
        ):
            raise ReservedName("this is the name of a machine or of the system: choose another one")


def _words(text: str) -> list[str]:
    """The words of a name, divided at spaces, and at anything that is no letter or digit."""
    return [*text.split(), *_BETWEEN_WORDS.split(_as_it_looks(text))]


@dataclass(frozen=True, slots=True)
class _Reserved:
    """Names that are not for people, as skeletons, in every language."""

    machines: frozenset[str]
    """Refused as whole names. Characters of a house have names that people have: those are free."""
    whole: re.Pattern[str]
    """A name of nothing but words for the system. Each may be a part of a longer name ("Team Rocket")."""
    title: re.Pattern[str]
    """A word that claims an office, refused anywhere in a name, but not inside a word ("Modesty")."""
    unspaced: frozenset[str]
    """Titles that may be anywhere: the house's own, and those of writing without spaces between words."""


@cache
def _reserved() -> _Reserved:
    machines, titles, words, unspaced = set(), set(), set(), {skeleton(_HOUSE)}
    for language in languages():
        machines.add(skeleton(translate(message("erased"), language)))
        words |= set(map(skeleton, translate(message("reserved"), language).split(",")))
        for title in translate(message("reserved.titles"), language).split(","):
            titles.add(skeleton(title))
            if _script(title.strip()[0]) in ("JAPANESE", "HANGUL"):
                unspaced.add(skeleton(title))
        for game in registry.names():
            characters = {each.bot.name for each in house_of(game)}
            for bot in {*bots_of(game), *bots_missing(game)} - characters:
                machines |= {skeleton(bot), skeleton(machine_name(game, bot, language))}
    office = "|".join(map(re.escape, sorted(titles)))
    other = "|".join(map(re.escape, sorted(words | titles)))
    return _Reserved(
        machines=frozenset(machines),
        whole=re.compile(f"(?:{other})+"),
        title=re.compile(f"(?:{other})*(?:{office})(?:{other})*"),
        unspaced=frozenset(unspaced),
    )
