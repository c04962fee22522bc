"""Sources of the documentation site: which pages there are, in which section, and where their links lead.

The pages are in the checkout's `docs/`, or beside this module in a package. They are copied into a folder for
Sphinx, with links that leave `docs/` changed to the copies, and with marks filled in from the code. Pages in
another language are in `docs/LANGUAGE`; with the rules of the games in it they are a site of their own.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Final

from facedown.core import registry
from facedown.core.text.translation import ENGLISH
from facedown.documentation import generated

SECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "Play": ("players", "terminal", "rules", "fairness"),
    "Run a server": ("operators", "reachable", "deploy", "several-servers", "upgrading"),
    "Program": (
        "library",
        "reference",
        "bot-authors",
        "game-authors",
        "researchers",
        "batch",
        *("knowledge", *registry.packages()),
        "expert",
        "exploit",
        "protocol",
        "rest",
    ),
    "The project": (
        *("versions", "changelog", "translating", "credits"),
        *("contributing", "architecture", "benchmarks", "security", "conduct"),
    ),
}
"""Pages by section, in reading order; missing ones are left out, unlisted ones come last."""
_PROJECT: Final = {
    "CHANGELOG.md": "changelog",
    "ARCHITECTURE.md": "architecture",
    "CONTRIBUTING.md": "contributing",
    "SECURITY.md": "security",
    "CODE_OF_CONDUCT.md": "conduct",
    "deploy/README.md": "deploy",
    "bench/README.md": "benchmarks",
}
"""Pages outside `docs` that the site shows as well, if they exist."""
_MARKS: Final[dict[str, Callable[[], str]]] = {
    "<!-- downloads -->": generated.downloads,
    "<!-- messages -->": generated.messages,
    "<!-- events -->": generated.events,
    "<!-- errors -->": generated.errors,
}
"""Places in pages that are filled from the code."""
_FENCED: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?P<before>!?\[[^\]]*\]\()(?P<to>[^)#\s]+)(?P<anchor>#[^)]*)?\)")
_FOREIGN: Final = re.compile(r"[a-z]+:")


def find_sources() -> Path:
    """The folder of the pages and their files: in the package, or the checkout that this is run from."""
    here = Path(__file__).resolve().parent
    packed = here / "packed"
    return packed if packed.is_dir() else here.parents[2]


def site_languages(sources: Path) -> list[str]:
    """English, and every language with a first page of its own."""
    return [ENGLISH, *sorted(path.parent.name for path in (sources / "docs").glob("*/index.md"))]


def stage(sources: Path, folder: Path, language: str = ENGLISH) -> None:
    """Write everything that Sphinx reads for the site of one language into a folder."""
    made = generated.rules_pages(language, site_languages(sources))
    if language == ENGLISH:
        made |= {"reference": generated.library_reference(), "rest": generated.rest_page()}
    written = _handwritten(sources, language)
    addresses = {
        path: (other, place)
        for other in site_languages(sources)
        for path, place in {**_handwritten(sources, other), **_rules_files(other)}.items()
    }
    texts = {
        place: _relink(path, sources, place, language, addresses, folder) for path, place in written.items()
    }
    for place, text in {**made, **texts}.items():
        target = folder / f"{place}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        if place == "index":
            text = f"{text}\n{_contents({*made, *texts}, language)}"
        target.write_text(text, encoding="utf-8")
    words = sources / "docs" / language / "sphinx.po"
    if words.exists():
        catalogue = folder / "locale" / language / "LC_MESSAGES" / words.name
        catalogue.parent.mkdir(parents=True)
        shutil.copyfile(words, catalogue)


def title_of(sources: Path, language: str) -> str:
    """The heading of a language's first page."""
    pages = {place: path for path, place in _handwritten(sources, language).items()}
    return pages["index"].read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _handwritten(sources: Path, language: str) -> dict[Path, str]:
    docs = sources / "docs" / ("" if language == ENGLISH else language)
    places = {path.resolve(): path.stem for path in sorted(docs.glob("*.md"))}
    for name, place in _PROJECT.items():
        if language == ENGLISH and (path := sources / name).exists():
            places[path.resolve()] = place
    return places


def _rules_files(language: str) -> dict[Path, str]:
    file = "page.md" if language == ENGLISH else f"page.{language}.md"
    return {
        Path(str(resources.files(package) / file)).resolve(): f"rules/{name}"
        for name, package in registry.packages().items()
    }


def _contents(places: set[str], language: str) -> str:
    """The tables of contents: in another language, one without captions."""
    if language != ENGLISH:
        return "```{toctree}\n:hidden:\n\n" + "\n".join(("self", *sorted(places - {"index"}))) + "\n```\n"
    listed = {name for section in SECTIONS.values() for name in section}
    others = sorted(place for place in places - listed - {"index"} if "/" not in place)
    parts = []
    for caption, section in {**SECTIONS, "More": tuple(others)}.items():
        pages = "\n".join(
            place
            for name in section
            for place in sorted(each for each in places if each == name or each.startswith(f"{name}/"))
        )
        if pages:
            parts.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n")
    return "\n".join(parts)


def _relink(
    path: Path,
    sources: Path,
    place: str,
    language: str,
    addresses: dict[Path, tuple[str, str]],
    folder: Path,
) -> str:
    """The text of a page, with its links changed to addresses on the site, and its marks filled in."""
    up = posixpath.dirname(place) or "."

    def new_link(found: re.Match[str]) -> str:
        to, anchor = found["to"], found["anchor"] or ""
        if _FOREIGN.match(to):
            return found[0]
        target = (path.parent / to).resolve()
        if target in addresses:
            other, page = addresses[target]
            if other != language:
                return generated.language_link(page, language, other)
            return f"{found['before']}{posixpath.relpath(f'{page}.md', up)}{anchor})"
        if target.is_file() and target.suffix != ".md":
            return f"{found['before']}{posixpath.relpath(_copy(target, sources, folder), up)})"
        return found["before"].removesuffix("](").removeprefix("[")  # not a part of the site

    text = path.read_text(encoding="utf-8")
    parts, end = [], 0
    for fence in _FENCED.finditer(text):
        parts += [_LINK.sub(new_link, text[end : fence.start()]), fence[0]]
        end = fence.end()
    whole = "".join((*parts, _LINK.sub(new_link, text[end:])))
    for mark, content in _MARKS.items():
        if mark in whole:
            whole = whole.replace(mark, content())
    return whole


def _copy(target: Path, sources: Path, folder: Path) -> str:
    """Copy a file that a page shows or offers beside the pages; its name there."""
    docs = (sources / "docs").resolve()
    name = target.relative_to(docs).as_posix() if target.is_relative_to(docs) else f"files/{target.name}"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(target, folder / name)
    return name
