"""The catalogues of messages: lists what each language lacks, and begins new languages.

    python -m scripts.catalogues             the messages that each language lacks, which are shown in English
    python -m scripts.catalogues --new fr    begin a language: empty catalogues beside the English ones

Needs Babel; `docs/translating.md` is the guide.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

SOURCE: Final = Path(__file__).parents[1] / "src" / "facedown"
ENGLISH: Final = "en"


def sources(root: Path = SOURCE) -> Iterator[Path]:
    """Every catalogue."""
    return iter(sorted(root.rglob("locale/*.po")))


def read(source: Path) -> Catalog:
    """A catalogue; raises if it cannot be read or has a key twice."""
    with source.open("rb") as opened:
        return read_po(opened, locale=Locale.parse(source.stem, sep="-"), abort_invalid=True)


def texts(catalogue: Catalog) -> dict[str, tuple[str, ...]]:
    """The words of every message by its key: its text, or its plural forms."""
    found = {}
    for each in catalogue:
        if each.id:
            key = each.id if isinstance(each.id, str) else each.id[0]
            found[key] = (each.string or "",) if isinstance(each.string, str | None) else tuple(each.string)
    return found


def missing(root: Path = SOURCE) -> Iterator[tuple[Path, str]]:
    """The messages that are shown in English in another language: its catalogue, and the key."""
    for english in (source for source in sources(root) if source.stem == ENGLISH):
        keys = texts(read(english))
        for language in sorted({source.stem for source in sources(root)} - {ENGLISH}):
            source = english.with_name(f"{language}.po")
            theirs = texts(read(source)) if source.is_file() else {}
            yield from ((source, key) for key in keys if not all(theirs.get(key, ("",))))


def begin(language: str, root: Path = SOURCE, word: Callable[[str], str] = lambda english: "") -> list[Path]:
    """Begin a language beside every English catalogue: all keys, worded by `word`; returns the sources."""
    written = []
    for source in sources(root):
        if source.stem != ENGLISH:
            continue
        begun = Catalog(locale=Locale.parse(language, sep="-"), fuzzy=False)
        for key, english in texts(read(source)).items():
            _add(begun, key, english, word)
        target = source.with_name(f"{language}.po")
        with target.open("xb") as opened:
            write_po(opened, begun, width=110, omit_header=False)
        written.append(target)
    return written


def _add(begun: Catalog, key: str, english: tuple[str, ...], word: Callable[[str], str]) -> None:
    """Add one message, with the English words as a note to the translator."""
    notes = [line for text in english for line in text.splitlines()]
    if len(english) == 1:
        begun.add(key, word(english[0]), auto_comments=notes)
        return
    forms = [word(english[min(form, len(english) - 1)]) for form in range(begun.num_plurals)]
    begun.add((key, key), tuple(forms), auto_comments=notes)


def main() -> None:
    """List or begin."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--new", metavar="LANGUAGE")
    arguments = parser.parse_args()
    if arguments.new:
        for path in begin(arguments.new):
            print(path)
        return
    for source, key in missing():
        print(f"{source.relative_to(SOURCE)}: {key}")


if __name__ == "__main__":
    main()
