"""Writing a scaffold: a folder from its templates, with the name of the new game or bot in every place.

A template is the file itself, with `.txt` behind its name; `$name` and the other fields of `ScaffoldName` are
filled in, in file names too.
"""

from __future__ import annotations

import keyword
import re
import sys
from dataclasses import asdict, dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Final, get_type_hints

import facedown
from facedown.core import registry
from facedown.core.errors import Unreadable
from facedown.files import UnwritableFile, naming_errors

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")
_SUFFIX: Final = ".txt"


class BadName(Unreadable):
    """A name that a new game or bot cannot have."""

    code = "bad_name"


@dataclass(frozen=True, slots=True)
class ScaffoldName:
    """A name in the forms that templates need."""

    name: str
    """As a module: `odd_or_even`."""
    title: str
    """For people: `Odd or even`."""
    type_name: str
    """As a class: `OddOrEven`."""
    letter: str
    """What its rule ids begin with: `O`."""
    game: str = ""
    """The game that a bot plays."""
    view: str = "facedown.View"
    """The type of that game's views, as a bot's module writes it."""
    import_view: str = ""
    """The line that imports it, where `import facedown` does not; it begins with a new line."""

    @classmethod
    def read(cls, text: str, game: str = "") -> ScaffoldName:
        """The name; raises `BadName` if it cannot name a module, or is taken."""
        if not _NAME.fullmatch(text):
            allowed = "small letters, digits and _, a letter first, at most 30"
            raise BadName(f"{text[:60]!r} can be no name: {allowed}", text=text)
        if keyword.iskeyword(text):
            raise BadName(f"{text!r} is a word of Python itself: choose another name", text=text)
        if text in registry.names():
            raise BadName(f"there is a game {text!r} already", text=text)
        found = find_spec(text)
        if text in sys.stdlib_module_names or (found is not None and found.origin is not None):
            raise BadName(f"there is a Python module {text!r} already: choose another name", text=text)
        words = [word for word in text.split("_") if word]
        title = " ".join(words).capitalize()
        forms = (text, title, "".join(map(str.capitalize, words)), text[0].upper())
        return cls(*forms, game, *_view_type(game)) if game else cls(*forms)


def _view_type(game: str) -> tuple[str, str]:
    """The type of a game's views as a bot's module writes it, and the line that imports it, if one must."""
    view = get_type_hints(type(registry.get(game)).view).get("return")
    if not isinstance(view, type) or "." in view.__qualname__:  # not one that can be imported
        return "facedown.View", ""
    name, module = view.__name__, view.__module__
    if getattr(facedown, name, None) is view:
        return f"facedown.{name}", ""
    return name, f"\nfrom {module} import {name}"


def write_scaffold(kind: str, name: ScaffoldName, folder: Path, *, web: bool = False) -> list[Path]:
    """Write the templates of a kind into a new folder; the files. Raises `UnwritableFile`.

    With `web`, a game gets a table of its own in the browser.
    """
    with naming_errors(str(folder)):
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            raise UnwritableFile(f"cannot write {folder}: it is there already", text=str(folder)) from None
        templates, fields = resources.files("facedown.scaffold"), asdict(name)
        files = _fill(templates / kind, folder, fields)
        if web:
            table = folder / name.name / "web"
            table.mkdir()
            files += _fill(templates / "table", table, fields)
        return files


def _fill(templates: Traversable, folder: Path, fields: dict[str, str]) -> list[Path]:
    files: list[Path] = []
    for each in sorted(templates.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            inner = folder / fields["name"] if each.name == "package" else folder / each.name
            inner.mkdir()
            files += _fill(each, inner, fields)
        elif each.name.endswith(_SUFFIX):
            target = folder / Template(each.name.removesuffix(_SUFFIX)).substitute(fields)
            target.write_text(Template(each.read_text(encoding="utf-8")).substitute(fields), encoding="utf-8")
            files.append(target)
    return files
