"""Sources of the documentation site: which pages there are, in which section, and where their links lead.

The pages are in the checkout's `docs/`, or beside this module in a package. They are copied into a folder for
Sphinx, with links that leave `docs/` changed to the copies, and with marks filled in from the code.
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
        "knowledge",
        "expert",
        "protocol",
        "rest",
    ),
    "The project": (
        *("versions", "changelog", "translating"),
        *("contributing", "architecture", "benchmarks"),
    ),
}
"""Pages by section, in reading order; missing ones are left out, unlisted ones come last."""
_PROJECT: Final = {
    "CHANGELOG.md": "changelog",
    "ARCHITECTURE.md": "architecture",
    "CONTRIBUTING.md": "contributing",
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


def stage(sources: Path, folder: Path) -> None:
    """Write everything that Sphinx reads into a folder."""
    made = {
        "reference": generated.library_reference(),
        "rest": generated.rest_page(),
        **generated.rules_pages(),
    }
    written = _handwritten(sources)
    addresses = {**written, **_rules_files()}
    texts = {place: _relink(path, sources, place, addresses, folder) for path, place in written.items()}
    for place, text in {**made, **texts}.items():
        target = folder / f"{place}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        if place == "index":
            text = f"{text}\n{_contents({*made, *texts})}"
        target.write_text(text, encoding="utf-8")


def _handwritten(sources: Path) -> dict[Path, str]:
    places = {path.resolve(): path.stem for path in sorted((sources / "docs").glob("*.md"))}
    for name, place in _PROJECT.items():
        if (path := sources / name).exists():
            places[path.resolve()] = place
    return places


def _rules_files() -> dict[Path, str]:
    packages = registry.packages()
    return {
        Path(str(resources.files(package) / "page.md")).resolve(): f"rules/{name}"
        for name, package in packages.items()
    }


def _contents(places: set[str]) -> str:
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


def _relink(path: Path, sources: Path, place: str, addresses: dict[Path, str], folder: Path) -> str:
    """The text of a page, with its links changed to addresses on the site, and its marks filled in."""
    up = posixpath.dirname(place) or "."

    def new_link(found: re.Match[str]) -> str:
        to, anchor = found["to"], found["anchor"] or ""
        if _FOREIGN.match(to):
            return found[0]
        target = (path.parent / to).resolve()
        if target in addresses:
            return f"{found['before']}{posixpath.relpath(f'{addresses[target]}.md', up)}{anchor})"
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
