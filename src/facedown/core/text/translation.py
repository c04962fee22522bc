"""Translation: messages for people are keys with slots, worded by gettext catalogues in every language.

Owns the `Message` value, the loading of catalogues (`PACKAGE/locale/LANGUAGE.po`) and the filling of slots.
Holds no sentence. `docs/translating.md` is the guide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, reduce
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final, TypeAlias, TypeVar

from facedown.core.text.catalogue import Catalogue, Texts, read_catalogue

ENGLISH: Final = "en"
"""The language that has every message; the others fall back to it."""
UNREAD: Final = frozenset(("de", "es", "fr", "ko", "pt-BR", "zh-CN"))
"""The languages that no native reader has read yet."""
_CORE: Final = "facedown.core"
_FOLDER: Final = "locale"


@dataclass(frozen=True, slots=True)
class Message:
    """One message, worded only when the reader's language is known. `str()` is its English text.

    It can be compared, hashed, pickled and put into the slots of other messages.
    """

    package: str
    """The package whose catalogues word it."""
    key: str
    slots: tuple[tuple[str, Slot], ...] = ()

    def __str__(self) -> str:
        return translate(self, ENGLISH)


Slot: TypeAlias = str | int | float | Message
"""What fills a slot: a name, a number, or another message, in the same language."""
Text: TypeAlias = str | Message
"""What people read: a message, or a text that is the same in every language (a name, a pick)."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The messages of one package, by key.

    >>> message = Domain("facedown.core")
    >>> both = message("list.and.last", left="Ann", right="Bo")
    >>> str(both), translate(both, "ja")
    ('Ann and Bo', 'AnnとBo')
    """

    package: str

    def __call__(self, key: str, /, **slots: Slot) -> Message:
        """The message of that key; the slot `count` chooses among plural forms."""
        return Message(self.package, key, tuple(sorted(slots.items())))

    def has(self, key: str) -> bool:
        return _wording(self.package, key, ENGLISH, None) is not None

    def translator(self, language: str) -> Callable[..., str]:
        """The messages of this package as texts in one language: `say(key, **slots)`."""
        return lambda key, /, **slots: translate(self(key, **slots), language)


def translate(text: Text, language: str) -> str:
    """The text in a language; in English if that language lacks it."""
    if not isinstance(text, Message):
        return str(text)
    slots = dict(text.slots)
    template = _template(text.package, text.key, language, slots.get("count"))
    return template.format_map({name: _filling(slot, language) for name, slot in slots.items()})


_Value = TypeVar("_Value")


def in_language(value: _Value, language: str) -> _Value:
    """The value with every message in it translated: through dataclasses, tuples, lists and mappings.

    >>> in_language({"names": (Domain("facedown.core")("name.you"), 2)}, "ja")
    {'names': ('あなた', 2)}
    """
    found: Any = _in_language(value, language)
    result: _Value = found
    return result


def _in_language(value: Any, language: str) -> Any:
    if isinstance(value, Message):
        return translate(value, language)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{each.name: _in_language(getattr(value, each.name), language) for each in fields(value)}
        )
    if isinstance(value, Mapping):
        return {key: _in_language(each, language) for key, each in value.items()}
    if isinstance(value, tuple | list):
        parts = [_in_language(each, language) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


# --- lists -----------------------------------------------------------------------------------------------


def all_of(parts: Sequence[Text]) -> Text:
    """The parts as a sentence lists them.

    >>> str(all_of(["Ann"])), str(all_of(["You", "Bo"])), str(all_of(["Ann", "Bo", "Cy"]))
    ('Ann', 'you and Bo', 'Ann, Bo and Cy')
    """
    return _join(parts, "list.and.more", "list.and.last")


def one_of(parts: Sequence[Text]) -> Text:
    """The parts as a sentence offers them.

    >>> str(one_of(["a", "b", "c"])), translate(one_of(["a", "b"]), "ja")
    ('a, b or c', 'aかb')
    """
    return _join(parts, "list.or.more", "list.or.last")


def in_row(parts: Sequence[Text]) -> Text:
    """The parts one after the other, with commas.

    >>> str(in_row(["a", "b", "c"])), translate(in_row(["a", "b", "c"]), "ja")
    ('a, b, c', 'a、b、c')
    """
    return _join(parts, "list.comma", "list.comma")


def in_groups(parts: Sequence[Text]) -> Text:
    """The parts one after the other, with semicolons.

    >>> str(in_groups(["a", "b"])), translate(in_groups(["a", "b"]), "ja")
    ('a; b', 'a、b')
    """
    return _join(parts, "list.semicolon", "list.semicolon")


def sentences(parts: Sequence[Text]) -> Text:
    """Sentences one after the other.

    >>> str(sentences(["One.", "Two."])), translate(sentences(["一。", "二。"]), "ja")
    ('One. Two.', '一。二。')
    """
    return _join(parts, "list.sentences", "list.sentences")


def _join(parts: Sequence[Text], more: str, last: str) -> Text:
    if len(parts) < 2:
        return parts[0] if parts else ""
    message = Domain(_CORE)
    before = reduce(lambda left, right: message(more, left=left, right=right), parts[:-1])
    return message(last, left=before, right=parts[-1])


# --- languages -------------------------------------------------------------------------------------------


@cache
def languages() -> tuple[str, ...]:
    """The available languages: those in which the core has a catalogue, English first."""
    files = resources.files(_CORE).joinpath(_FOLDER).iterdir()
    found = {file.name.removesuffix(".po") for file in files if file.name.endswith(".po")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


def language_called(language: str) -> str:
    """What a language calls itself.

    >>> language_called("ja")
    '日本語'
    """
    return translate(Domain(_CORE)("language"), language)


def language_offered(language: str) -> str:
    """What a menu calls a language: its own name, and in its own words that it looks for a native reader.

    >>> language_offered("ja"), language_offered("de")
    ('日本語', 'Deutsch (sucht Muttersprachler)')
    """
    called = language_called(language)
    if language not in UNREAD:
        return called
    return translate(Domain(_CORE)("language.unread", language=called), language)


def language_for(tag: str) -> str | None:
    """The available language that a tag or a locale names; None if there is none.

    >>> language_for("ja_JP.UTF-8"), language_for("EN-gb"), language_for("C")
    ('ja', 'en', None)
    """
    wanted = tag.partition(".")[0].replace("_", "-").lower()
    first = wanted.partition("-")[0]
    begins = {language.partition("-")[0]: language for language in languages()}
    known = {language.lower(): language for language in languages()}
    return known.get(wanted) or known.get(first) or begins.get(first)


def preferred_language(accepted: str) -> str:
    """The language to answer in, from an `Accept-Language` header; English if none of them is available.

    >>> preferred_language("ja-JP,ja;q=0.9,en;q=0.8"), preferred_language("sl, en;q=0.5, ja;q=0.1")
    ('ja', 'en')
    """
    asked: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        tag, _, weight = part.strip().partition(";q=")
        asked.append((-_weight(weight), tag.strip()))
    found = (language_for(tag) for _, tag in sorted(asked, key=lambda each: each[0]))
    return next((language for language in found if language is not None), ENGLISH)


def _weight(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0


# --- catalogues ------------------------------------------------------------------------------------------


@cache
def _catalogue(package: str, language: str) -> Catalogue | None:
    if language not in languages():
        return None
    return _read(resources.files(package) / _FOLDER, language)


def _read(folder: Traversable, language: str) -> Catalogue | None:
    file = folder / f"{language}.po"
    return read_catalogue(file.read_text("utf-8")) if file.is_file() else None


def texts_in(folder: Traversable, language: str) -> Texts:
    """Every message of the catalogue in a folder; empty if there is none in that language."""
    catalogue = _read(folder, language)
    return {} if catalogue is None else dict(catalogue.texts)


def _template(package: str, key: str, language: str, count: object) -> str:
    found = _wording(package, key, language, count)
    if found is None:
        found = _wording(package, key, ENGLISH, count)
    if found is None:
        raise LookupError(f"the catalogues of {package} have no message {key!r}")
    return found


def _wording(package: str, key: str, language: str, count: object) -> str | None:
    catalogue = _catalogue(package, language)
    return None if catalogue is None else catalogue.text(key, count)


class _Word(str):
    """A slot's text, with the forms that a catalogue may ask for.

    `{name:capital}` begins a sentence; in `{name:inside}` the word for "you" loses its capital.
    """

    language: str

    def __format__(self, form: str) -> str:
        if form == "capital":
            return self[:1].upper() + self[1:]
        if form == "inside":
            return self.lower() if self == translate(Domain(_CORE)("name.you"), self.language) else str(self)
        return super().__format__(form)


def _filling(slot: Slot, language: str) -> object:
    if isinstance(slot, int | float):
        return slot
    word = _Word(translate(slot, language))
    word.language = language
    return word
