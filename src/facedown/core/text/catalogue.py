"""A catalogue: the messages of one gettext `.po` file by key, and the plural rule of its language.

The files are read as translators write them; nothing is compiled. Empty and fuzzy translations are left out.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from gettext import c2py
from typing import Final, TypeAlias

Texts: TypeAlias = dict[str, str | list[str]]
"""The messages of a catalogue by key, with their slots still open: one text, or the plural forms."""
_ENTRY: Final = re.compile(
    r"(?P<fuzzy>^#,.*\bfuzzy\b.*\n(?:#.*\n)*)?"
    r'^msgid (?P<key>(?:".*"\s*)+)'
    r'(?:msgid_plural (?:".*"\s*)+)?'
    r'(?P<forms>(?:msgstr(?:\[\d\])? (?:".*"\s*)+)+)',
    re.MULTILINE,
)
_FORM: Final = re.compile(r'msgstr(?P<plural>\[\d\])? (?P<text>(?:".*"\s*)+)')
_PIECE: Final = re.compile(r'"(.*)"')
_PLURAL: Final = re.compile(r"^Plural-Forms:.*\bplural=(.+?);?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words of one package in one language."""

    texts: Texts
    plural_form: Callable[[int], int]
    """The number of the form that a count takes."""

    def text(self, key: str, count: object = None) -> str | None:
        """The words of a message, in the form for a count; None if the language lacks it."""
        found = self.texts.get(key)
        if isinstance(found, list):
            form = self.plural_form(count if isinstance(count, int) else 1)
            return found[min(form, len(found) - 1)]
        return found


@lru_cache(maxsize=100)  # the browser's catalogue is asked for part by part
def read_catalogue(source: str) -> Catalogue:
    """The catalogue that the text of a `.po` file holds.

    >>> words = read_catalogue('msgid "greeting"\\nmsgstr "Hello, {name}"\\n\\nmsgid "later"\\nmsgstr ""\\n')
    >>> words.text("greeting"), words.text("later")
    ('Hello, {name}', None)
    """
    texts: Texts = {}
    header = ""
    for entry in _ENTRY.finditer(source):
        key = _joined(entry["key"])
        forms = [_joined(each["text"]) for each in _FORM.finditer(entry["forms"])]
        if not key:
            header = forms[0]
        elif all(forms) and not entry["fuzzy"]:
            texts[key] = forms if "msgstr[" in entry["forms"] else forms[0]
    rule = _PLURAL.search(header)
    return Catalogue(texts, c2py(rule[1] if rule else "n != 1"))


def _joined(quoted: str) -> str:
    """The text of quoted lines."""
    text = "".join(_PIECE.findall(quoted))
    return str(literal_eval(f'"{text}"')) if "\\" in text else text
