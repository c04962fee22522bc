"""Pages of the documentation made from the code: the library's reference, rules of games, the protocol."""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import facedown
from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.game import AnyGame
from facedown.core.text.rule_page import fill_in
from facedown.protocol.errors import status_of
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, json_schema, summary_of, tag_of
from facedown.server.app import ENDPOINTS
from facedown.server.table.facts import FACTS

_INTRODUCTION: Final = """\
# Library reference

Everything that `import facedown` offers, from its docstrings, in the groups of `help(facedown)`: what a
function returns comes after it. [Versions](../versions.md) says what is public, and for how long.

"""
_MEMBERS: Final = (
    "   :members:\n   :undoc-members:\n"
    "   :inherited-members: object,tuple,int,str,dict,list,Generic,Protocol,Exception,BaseException\n"
)
_RETURNED: Final = ("facedown.library.", "facedown.client.")
"""Classes whose objects functions return: programs do not make them."""
_ENTRY: Final = re.compile(r" {4}(\S.*?)(?: {2,}|$)")
_NAME: Final = re.compile(r"(\w+)(?:\(.*?\))?(?:, |$)")


def version() -> str:
    """The version of the package."""
    return facedown.__version__


def write(folder: Path) -> None:
    """Write the pages that are made whole into a folder, in place of what is there."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "rules").mkdir(parents=True)
    (folder / "reference.md").write_text(library_reference(), encoding="utf-8")
    for name in registry.names():
        (folder / f"rules/{name}.md").write_text("".join(_rules_page(registry.get(name))), encoding="utf-8")


# --- the library -----------------------------------------------------------------------------------------


def name_groups(module: ModuleType = facedown) -> dict[str, list[str]]:
    """The public names as the module's docstring groups them, so that `help` and the reference are alike.

    A group is a line above indented ones; each of these has names, two spaces or more, and a remark.
    """
    groups: dict[str, list[str]] = {}
    lines = (module.__doc__ or "").splitlines()
    names: list[str] = []
    for line, following in pairwise([*lines, ""]):
        if line and not line.startswith(" "):
            names = groups.setdefault(line, []) if following.startswith("    ") else []
        elif entry := _ENTRY.match(line):
            names += _NAME.findall(entry[1])
        elif not line:
            names = []
    return groups


def library_reference(module: ModuleType = facedown) -> str:
    """The page of a module: every public name, in the groups of its docstring."""
    parts = [_INTRODUCTION]
    for title, names in name_groups(module).items():
        block = "\n".join(_directive(getattr(module, name), f"{module.__name__}.{name}") for name in names)
        parts.append(f"## {title}\n\n```{{eval-rst}}\n{block}```\n\n")
    return "".join(parts)


def _directive(thing: object, path: str) -> str:
    """The directive for a public name."""
    if not isinstance(thing, type):
        return f".. autofunction:: {path}\n" if inspect.isroutine(thing) else f".. py:data:: {path}\n"
    if issubclass(thing, Exception):
        return f".. autoexception:: {path}\n"
    returned = thing.__module__.startswith(_RETURNED)
    return f".. autoclass:: {path}{'()' if returned else ''}\n{_MEMBERS}"


# --- rules of games --------------------------------------------------------------------------------------


def _rules_page(game: AnyGame) -> Iterator[str]:
    yield f"{fill_in(registry.page(game.name), game.rules.read('')).strip()}\n\n"
    presets = [game.rules.of(preset.name) for preset in game.rules.presets]
    yield f"## `{game.name}`\n\n"
    yield "| | " + " | ".join(f"`{rules.preset}`" for rules in presets) + " |\n"
    yield "|---" * (len(presets) + 1) + "|\n"
    for option in game.rules.options:
        values = " | ".join(f"`{option.write(rules.value(option))}`" for rules in presets)
        yield f"| `{option.name}` ({option.rule}) | {values} |\n"


# --- the protocol ----------------------------------------------------------------------------------------


def calls() -> str:
    """Every REST call in a line; `/api/openapi.json` has what each takes, answers and refuses."""
    rows = sorted((each.path, each.method, each.summary) for each in ENDPOINTS)
    return "| call | |\n|---|---|\n" + "".join(f"| `{way} {path}` | {text} |\n" for path, way, text in rows)


def messages() -> str:
    """Every message of the WebSocket with its fields, from the declarations."""
    defs = json_schema()["$defs"]
    parts = []
    for heading, kinds in (("From clients", CLIENT_MESSAGES), ("From the server", SERVER_MESSAGES)):
        parts.append(f"### {heading}\n\n")
        parts += [f"#### {tag_of(kind)}\n\n{''.join(_fields(defs[kind.__name__]))}" for kind in kinds]
    return "".join(parts)


def events() -> str:
    """Every kind of event with its meaning, as the store and the wire call it."""
    kinds = sorted((tag, summary_of(fact)) for tag, fact in FACTS.items())
    rows = "".join(f"| `{tag}` | {text} |\n" for tag, text in kinds)
    return f"| k | |\n|---|---|\n| `-` | An event that this viewer may not know. |\n{rows}"


def errors() -> str:
    """Every code with its status and meaning."""
    rows = {kind.code: (status_of(kind), kind) for kind in _errors() if kind.__doc__}
    lines = (
        f"| `{code}` | {status} | {summary_of(kind)} |\n" for code, (status, kind) in sorted(rows.items())
    )
    return "| code | status | |\n|---|---|---|\n" + "".join(lines)


MARKS: Final[dict[str, Callable[[], str]]] = {
    "<!-- calls -->": calls,
    "<!-- messages -->": messages,
    "<!-- events -->": events,
    "<!-- errors -->": errors,
}
"""Places in pages that are filled from the code."""


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    """A message: its meaning, and a row for each field."""
    if text := schema.get("description"):
        yield f"{inspect.cleandoc(text)}\n\n"
    fields = {name: part for name, part in schema.get("properties", {}).items() if name != "t"}
    if not fields:
        yield "No fields.\n\n"
        return
    yield "| field | type | |\n|---|---|---|\n"
    for name, part in fields.items():
        optional = "" if name in schema.get("required", ()) else "may be left out"
        text = "; ".join(filter(None, (part.get("description", ""), optional)))
        yield f"| `{name}` | `{_kind(part)}` | {text} |\n"
    yield "\n"


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(map(_kind, choices))
    if "enum" in schema:
        return " or ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in schema["enum"])
    if schema.get("type") == "array":
        return f"[{_kind(schema.get('items') or {})}]"
    return str(schema.get("type", "any"))


def _errors() -> list[type[FacedownError]]:
    """Every class of errors with a code of its own that has been imported."""
    found, todo = [], [FacedownError]
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__()
        if "code" in vars(kind) and kind.__module__.startswith(
            ("facedown.core", "facedown.protocol", "facedown.server")
        ):
            found.append(kind)
    return found
