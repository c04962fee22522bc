"""The catalogues of messages: readable, and with the slots and plural forms that code and browser fill.

A message that a language lacks is no error: it is shown in English, and `scripts/catalogues.py` lists it.
"""

from __future__ import annotations

import gettext
import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale

from facedown.core.text.catalogue import read_catalogue
from scripts.catalogues import ENGLISH, SOURCE, begin, missing, read, sources, texts

SOURCES = list(sources())
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
ALL = pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(SOURCE)))


def slots(text: str) -> set[str]:
    """The slots of a text, without those inside a format, such as the width of a column."""
    found = set()
    for _, name, _, conversion in Formatter().parse(text):
        if name is not None:
            assert re.fullmatch(r"[a-z_]+", name), f"a slot is a plain name: {text}"
            assert not conversion, f"code quotes what has to be quoted: {text}"
            found.add(name)
    return found


@ALL
def test_slots_and_plural_forms_match(source: Path) -> None:
    """A message has its English slots, and the plural forms of its language in the browser's order."""
    ours, theirs = texts(read(source.with_name(f"{ENGLISH}.po"))), read(source)
    for key, words in texts(theirs).items():
        assert key in ours, f"English has no {key}"
        assert all(words) or source.stem != ENGLISH, f"English has no words for {key}"
        wanted = set().union(*map(slots, ours[key]))
        assert not all(words) or set().union(*map(slots, words)) == wanted, key
        assert len(words) == (1 if len(ours[key]) == 1 else theirs.num_plurals), key
        assert len(words) == 1 or "count" in wanted, f"{key} counts nothing"
    category = Locale.parse(source.stem, sep="-").plural_form
    index = gettext.c2py(theirs.plural_expr)
    used = [each for each in CATEGORIES if each in set(map(category, range(200)))]
    assert [index(n) for n in range(200)] == [used.index(category(n)) for n in range(200)]


@ALL
def test_the_program_reads_what_other_tools_read(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    keys = Counter(re.findall(r'^msgid "(.+)"$', text, re.MULTILINE))
    assert [key for key, times in keys.items() if times > 1] == []
    found = read_catalogue(text).texts
    forms = {key: (words,) if isinstance(words, str) else tuple(words) for key, words in found.items()}
    assert forms == {key: words for key, words in texts(read(source)).items() if all(words)}


def test_what_a_language_lacks_is_listed(tmp_path: Path) -> None:
    (tmp_path / "locale").mkdir()
    english = tmp_path / "locale/en.po"
    english.write_text('msgid "first"\nmsgstr "One"\n\nmsgid "second"\nmsgstr "Two"\n', encoding="utf-8")
    (begun,) = begin("ja", tmp_path, lambda word: "" if word == "Two" else "一")
    assert list(missing(tmp_path)) == [(begun, "second")]
