"""What public functions return is public: every type has a name in `facedown`, and a place in its groups.

Annotations are read as they are written, because some of them name types for type checkers alone.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import typing
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import facedown
from scripts.docs_pages import library_reference, name_groups

SOURCE = Path(__file__).parents[2] / "src"
WORKINGS = {
    "facedown.core.chain": "the proof of a server's game: the page on fairness has its form",
    "facedown.core.fairness": "the same",
    "facedown.core.links": "the same",
    "facedown.games.davenport.state": "the whole state, which is for the host of a table alone",
    "facedown.games.ecard.state": "the same",
    "facedown.games.ecard.solve.best_response": "the workings of a solver: `as_json` is what it says",
    "facedown.games.ecard.solve.report": "the same",
    "facedown.games.ecard.solve.solution": "the same",
}
"""Modules with types that may be met and are not public, and why."""
PROTOCOLS = ("__enter__", "__aenter__", "__iter__", "__next__")
"""Methods that are called without being named."""

NAMES = [name for names in name_groups().values() for name in names]
PUBLIC = {name: getattr(facedown, name) for name in NAMES}


@cache
def imports(module: ModuleType) -> dict[str, tuple[str, str]]:
    """What a module imports by name, for type checkers too: from its source."""
    path = SOURCE / module.__name__.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def types_named(annotation: Any, module: ModuleType, aliases: tuple[str, ...] = ()) -> Iterator[type]:
    """Every class that an annotation of a module names, those of type aliases too."""
    if isinstance(annotation, str):
        for node in ast.walk(ast.parse(annotation, mode="eval")):
            if isinstance(node, ast.Name) and node.id not in aliases:
                home, value = found(node.id, module)
                yield from types_named(value, home, (*aliases, node.id))
    elif isinstance(annotation, typing.ForwardRef):
        yield from types_named(annotation.__forward_arg__, module, aliases)
    elif typing.get_origin(annotation) is not None:
        parts = (typing.get_origin(annotation), *typing.get_args(annotation))
        for part in parts if typing.get_origin(annotation) is not typing.Literal else ():
            yield from types_named(part, module, aliases)
    elif isinstance(annotation, type):
        yield annotation


def found(name: str, module: ModuleType) -> tuple[ModuleType, Any]:
    """What a name means in a module, and the module that defines it."""
    if module.__name__.startswith("facedown") and name in imports(module):
        home, original = imports(module)[name]
        if home.startswith("facedown"):
            return found(original, import_module(home))
    return module, getattr(module, name, getattr(builtins, name, None))


def returned(name: str, thing: Any) -> Iterator[tuple[str, Any, ModuleType]]:
    """The annotations of everything that a public thing hands out, each with where it stands."""
    if isinstance(thing, type):
        for kind in thing.__mro__:
            if kind.__module__.startswith("facedown"):
                home = sys.modules[kind.__module__]
                for field, annotation in inspect.get_annotations(kind).items():
                    if not field.startswith("_"):
                        yield f"{name}.{field}", annotation, home
                for member, value in vars(kind).items():
                    if not member.startswith("_") or member in PROTOCOLS:
                        yield from returned_by(f"{name}.{member}", value)
    else:
        yield from returned_by(name, thing)


def returned_by(name: str, thing: Any) -> Iterator[tuple[str, Any, ModuleType]]:
    function = inspect.unwrap(getattr(thing, "fget", None) or getattr(thing, "__func__", thing))
    if inspect.isfunction(function):
        home = sys.modules[function.__module__]
        for each in (function, *typing.get_overloads(function)):
            yield name, each.__annotations__.get("return"), home


def test_every_type_that_is_returned_is_public() -> None:
    hidden = {
        f"{name} gives {kind.__module__}.{kind.__qualname__}"
        for public, thing in PUBLIC.items()
        for name, annotation, home in returned(public, thing)
        for kind in types_named(annotation, home)
        if kind.__module__.startswith("facedown.") and kind.__module__ not in WORKINGS
        if not any(kind is each for each in PUBLIC.values())
    }

    assert hidden == set()


def test_help_groups_every_public_name_once() -> None:
    counted = Counter(NAMES)

    assert [name for name, times in counted.items() if times > 1] == []
    assert {*counted} == {*vars(facedown)["_HOMES"]} - {"__version__"}
    assert {*facedown.__all__} <= {*counted}


def test_the_reference_has_the_groups_of_help_in_order() -> None:
    page = library_reference()

    assert re.findall(r":: facedown\.(\w+)", page) == NAMES
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == list(name_groups())
    assert NAMES.index("play_many") + 1 == NAMES.index("GameSeries")


def test_every_member_of_a_result_says_what_it_is() -> None:
    """Those of the functions that a program calls; what a field of another type is, its class says."""
    seen = ("Record", "ECardView", "ECardRound", "Meeting", "DavenportView", "DavenportRound", "OwnChoice")
    results = (
        "GameSeries",
        "ArenaResult",
        "SolvedGame",
        "SeatReview",
        "Guess",
        "Finding",
        "Estimate",
        "Rating",
    )
    silent = [
        f"{name}.{member}"
        for name in (
            *results,
            "GameStatistics",
            "Connector",
            "Turn",
            "Guess",
            "Share",
            "Outcome",
            "Tree",
            *seen,
        )
        for kind in PUBLIC[name].__mro__
        if kind.__module__.startswith("facedown")
        for member in undocumented(kind)
    ]

    assert silent == []


def undocumented(kind: type) -> Iterator[str]:
    (node,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(node, ast.ClassDef)
    for member, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
            if not member.name.startswith("_") and not ast.get_docstring(member):
                yield member.name
        elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            spoken = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if not member.target.id.startswith("_") and not spoken:
                yield member.target.id
