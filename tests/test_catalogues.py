"""The catalogues of messages: complete in every language, with the same slots, and compiled."""

from __future__ import annotations

import gettext
import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale

from facedown.core.text.translation import languages
from scripts.catalogues import ENGLISH, SOURCE, is_stale, read, sources, texts

SOURCES = list(sources())
PACKAGES = sorted({source.parent for source in SOURCES})
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
SLOT = re.compile(r"\{[^{}]*(?:\{\w+\}[^{}]*)?\}")
NAMES = (
    *("davenport", "e-card", "facedown", "anselm", "corvin", "mara", "odile", "pip", "teun", "vesna"),
    *("bee", "hale", "idris", "jorun", "lien", "piet", "sabine"),
)
SAME = {
    "de": "arena blind bots chat computer explorer fairness name passkey start system trainer vibration"
    " webhooks",
    "es": "arena bots chat error extra min no provisional webhooks",
    "fr": "bots chat date extra invitation machine machines menu message min notifications options pages"
    " pause phrases position sage score signature six standard table tables vibration volume webhooks",
    "pt-BR": "arena bots emotes extra menu min rating volume webhooks",
}
"""Words that mean the same in English."""
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


def test_there_are_catalogues() -> None:
    assert (SOURCE / "core" / "locale") in PACKAGES
    assert set(languages()) == {source.stem for source in SOURCES}


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: str(folder.relative_to(SOURCE)))
def test_every_language_has_a_catalogue_for_every_package(folder: Path) -> None:
    assert {file.stem for file in folder.glob("*.po")} == set(languages())
    assert {file.stem for file in folder.glob("*.mo")} == set(languages())


@ALL
def test_what_is_compiled_is_fresh(source: Path) -> None:
    assert not is_stale(source), "run scripts/catalogues.py"


@ALL
def test_no_key_is_there_twice(source: Path) -> None:
    keys = Counter(re.findall(r'^msgid "(.+)"$', source.read_text(encoding="utf-8"), re.MULTILINE))
    assert [key for key, times in keys.items() if times > 1] == []


@ALL
def test_every_language_has_every_message_and_no_other(source: Path) -> None:
    ours, theirs = texts(read(source.with_name(f"{ENGLISH}.po"))), texts(read(source))
    assert set(theirs) - set(ours) == set(), "messages that English does not have"
    assert set(ours) - set(theirs) == set(), "messages without words"
    assert [key for key, words in theirs.items() if not all(words)] == [], "empty words"
    assert [key for key, words in theirs.items() if key in words] == [], "a key is no text"


@ALL
def test_nothing_is_left_in_english_by_accident(source: Path) -> None:
    ours, theirs = texts(read(source.with_name(f"{ENGLISH}.po"))), texts(read(source))
    allowed = {*NAMES, *SAME.get(source.stem, "").split()}
    for key, words in theirs.items() if source.stem != ENGLISH else ():
        kept = " ".join(set(words) & set(ours.get(key, ())))
        found = set(re.findall(r"[a-z-]{2,}", SLOT.sub("", kept).lower())) - allowed
        assert found == set(), f"{key}: {kept}"


@ALL
def test_every_message_has_the_slots_that_it_has_in_english(source: Path) -> None:
    ours, theirs = texts(read(source.with_name(f"{ENGLISH}.po"))), texts(read(source))
    for key, words in theirs.items():
        wanted = set().union(*map(slots, ours[key]))
        assert set().union(*map(slots, words)) == wanted, key


@ALL
def test_plural_forms_are_in_the_order_of_the_categories(source: Path) -> None:
    """The browser chooses a form by its plural category, which it knows from the language alone."""
    catalogue = read(source)
    category = Locale.parse(source.stem, sep="-").plural_form
    index = gettext.c2py(catalogue.plural_expr)
    whole = range(200)
    used = [each for each in CATEGORIES if each in set(map(category, whole))]
    assert len(used) == catalogue.num_plurals
    assert [index(n) for n in whole] == [used.index(category(n)) for n in whole]


@ALL
def test_plural_forms_are_as_many_as_the_language_has(source: Path) -> None:
    catalogue = read(source)
    words = texts(catalogue)
    for each in catalogue:
        if isinstance(each.id, tuple):
            forms = words[each.id[0]]
            assert len(forms) == catalogue.num_plurals, each.id
            assert any("count" in slots(form) for form in forms), f"{each.id} counts nothing"
