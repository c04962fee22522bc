"""The catalogues of messages: compiles every `.po` to the `.mo` that the program reads; begins new languages.

    python scripts/catalogues.py             compile what has changed
    python scripts/catalogues.py --check     fail if a compiled catalogue is missing or stale
    python scripts/catalogues.py --new fr    begin a language: empty catalogues beside the English ones

Needs Babel; `docs/translating.md` is the guide.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

SOURCE: Final = Path(__file__).parents[1] / "src" / "facedown"
ENGLISH: Final = "en"


def sources(root: Path = SOURCE) -> Iterator[Path]:
    """Every catalogue's source."""
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


def compile_catalogue(source: Path) -> bytes:
    """The catalogue as the program reads it."""
    target = BytesIO()
    write_mo(target, read(source))
    return target.getvalue()


def is_stale(source: Path) -> bool:
    """Whether the compiled catalogue is missing, or differs from its source."""
    target = source.with_suffix(".mo")
    return not target.is_file() or _messages(target.read_bytes()) != _messages(compile_catalogue(source))


def _messages(compiled: bytes) -> dict[object, str]:
    """The messages of a compiled catalogue, without its header, which names the version of the compiler."""
    catalogue: dict[object, str] = vars(GNUTranslations(BytesIO(compiled)))["_catalog"]
    return {key: text for key, text in catalogue.items() if key != ""}


def compile_all(root: Path = SOURCE) -> list[Path]:
    """Compile every stale catalogue; returns their sources."""
    stale = [source for source in sources(root) if is_stale(source)]
    for source in stale:
        part = source.with_suffix(".part")
        part.write_bytes(compile_catalogue(source))
        part.replace(source.with_suffix(".mo"))  # a server that reads it now reads a whole one
    return stale


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
    """Compile, check or begin."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true")
    what.add_argument("--new", metavar="LANGUAGE")
    arguments = parser.parse_args()
    if arguments.check:
        stale = [str(source) for source in sources() if is_stale(source)]
        raise SystemExit(f"stale: {', '.join(stale)}; run scripts/catalogues.py" if stale else 0)
    for path in begin(arguments.new) if arguments.new else compile_all():
        print(path)


if __name__ == "__main__":
    main()
