"""Pages made from the code: the library's reference, the rules of every game, and the protocol."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from types import ModuleType
from typing import Any, Final

import facedown
from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.game import AnyGame
from facedown.core.text.rule_page import fill_in
from facedown.core.text.translation import ENGLISH, language_called, languages
from facedown.protocol.errors import status_of
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, json_schema, summary_of, tag_of
from facedown.server.app import ENDPOINTS
from facedown.server.http.openapi import document
from facedown.server.table.facts import FACTS

# --- the library -----------------------------------------------------------------------------------------


_INTRODUCTION: Final = """\
# Library reference

Everything that `import facedown` offers, from its docstrings, in the groups of `help(facedown)`: what a
function returns comes after it. [Versions](versions.md) says what is public, and for how long.

"""
_MEMBERS: Final = (
    "   :members:\n   :undoc-members:\n"
    "   :inherited-members: object,tuple,int,str,dict,list,Generic,Protocol,Exception,BaseException\n"
)
_RETURNED: Final = ("facedown.library.", "facedown.client.")
"""Classes whose objects functions return: programs do not make them."""
_ENTRY: Final = re.compile(r" {4}(\S.*?)(?: {2,}|$)")
_NAME: Final = re.compile(r"(\w+)(?:\(.*?\))?(?:, |$)")


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
    """What Sphinx writes about a public name."""
    if not isinstance(thing, type):
        return f".. autofunction:: {path}\n" if inspect.isroutine(thing) else f".. py:data:: {path}\n"
    if issubclass(thing, Exception):
        return f".. autoexception:: {path}\n"
    returned = thing.__module__.startswith(_RETURNED)
    return f".. autoclass:: {path}{'()' if returned else ''}\n{_MEMBERS}"


# --- rules of games --------------------------------------------------------------------------------------


def rules_pages(language: str, sites: Collection[str]) -> dict[str, str]:
    """The rules of every game that has them in this language, by the page's address.

    They link to the same page in the other languages that have a site.
    """
    pages = {}
    for name in registry.names():
        if language in (spoken := _page_languages(name)):
            others = [other for other in spoken if other in sites and other != language]
            links = [language_link(f"rules/{name}", language, other) for other in others]
            pages[f"rules/{name}"] = "".join(_rules_page(registry.get(name), language, links))
    return pages


def language_link(place: str, language: str, other: str) -> str:
    """A link from a page to the same page in another language; each language is a site of its own."""
    up = "../" * (place.count("/") + (language != ENGLISH))
    folder = "" if other == ENGLISH else f"{other}/"
    called = language_called(other)
    return f'<a href="{up}{folder}{place}.html" lang="{other}" hreflang="{other}">{called}</a>'


def _page_languages(name: str) -> list[str]:
    """The languages in which a game has its rules."""
    english = registry.page(name)
    return [
        each
        for each in languages()
        if (text := registry.page(name, each)) and (each == ENGLISH or text != english)
    ]


def _rules_page(game: AnyGame, language: str, links: list[str]) -> Iterator[str]:
    usual = game.rules.read("")
    title, _, text = fill_in(registry.page(game.name, language), usual).strip().partition("\n")
    yield f"{title}\n"
    if links:
        yield f"\n{' · '.join(links)}\n"
    yield f"{text}\n\n"
    presets = [game.rules.of(preset.name) for preset in game.rules.presets]
    yield f"## `{game.name}`\n\n"
    yield "| | " + " | ".join(f"`{rules.preset}`" for rules in presets) + " |\n"
    yield "|---" * (len(presets) + 1) + "|\n"
    for option in game.rules.options:
        values = " | ".join(f"`{option.write(rules.value(option))}`" for rules in presets)
        yield f"| `{option.name}` ({option.rule}) | {values} |\n"


# --- the protocol ----------------------------------------------------------------------------------------


DOWNLOADS: Final = {
    "openapi.json": "the REST calls (OpenAPI 3.1)",
    "asyncapi.json": "the WebSocket and the streams (AsyncAPI 3)",
    "schema.json": "every message and every body (JSON Schema 2020-12)",
}


def downloads() -> str:
    """Links to the descriptions."""
    return "".join(f'- <a href="{name}" download>{name}</a>: {text}\n' for name, text in DOWNLOADS.items())


def messages() -> str:
    """Every message of the WebSocket with its fields, from the declarations."""
    defs = json_schema()["$defs"]
    parts = []
    for heading, kinds in (("From clients", CLIENT_MESSAGES), ("From the server", SERVER_MESSAGES)):
        parts.append(f"### {heading}\n\n")
        parts += [f"#### {tag_of(kind)}\n\n{''.join(_type(defs[kind.__name__]))}" for kind in kinds]
    return "".join(parts)


def types() -> str:
    """Every type that messages and calls use, with its fields."""
    tags = {kind.__name__ for kind in (*CLIENT_MESSAGES, *SERVER_MESSAGES)}
    defs = json_schema()["$defs"]
    shown = (name for name in defs if name not in tags and not name.endswith("Message"))
    return "".join(f"### {name}\n\n{''.join(_type(defs[name]))}" for name in shown)


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


def rest_page() -> str:
    """The page of the REST calls: what each takes, answers and refuses."""
    api = document(ENDPOINTS)
    parts = [
        "# REST calls\n\n",
        "Made from the server's own description; `/api/docs` of a running server tries them.\n\n",
        f"{downloads()}\n",
    ]
    for tag in api["tags"]:
        parts.append(f"## {tag['name'].capitalize()}\n\n{tag['description']}\n\n")
        for path, methods in api["paths"].items():
            for method, operation in methods.items():
                if operation["tags"][0] == tag["name"]:
                    parts.append("".join(_call(method.upper(), path, operation)))
    return "".join((*parts, f"## Types\n\n{types()}"))


def _call(method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"### {method} {path}\n\n{operation['summary']}\n\n"
    for each in operation["parameters"]:
        text = f": {each['description']}" if each.get("description") else ""
        yield f"- {each['in']} `{each['name']}`{'' if each['required'] else ' (optional)'}{text}\n"
    if "requestBody" in operation:
        (content,) = operation["requestBody"]["content"].values()
        yield f"- body: `{_kind(content['schema'])}`\n"
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            for media, content in answer.get("content", {}).items():
                yield f"- answers {status}, `{media}`: `{_kind(content['schema'])}`\n"
            if "content" not in answer:
                yield f"- answers {status}, without a body\n"
        elif status != "default" and status >= "400":
            yield f"- refuses with {status}: {answer['description']}\n"
    yield "\n"


def _type(schema: dict[str, Any]) -> Iterator[str]:
    if text := schema.get("description"):
        yield f"{inspect.cleandoc(text)}\n\n"
    fields = {name: part for name, part in schema.get("properties", {}).items() if name != "t"}
    if not fields:
        choices = schema.get("oneOf") or schema.get("anyOf")
        yield f"`{_kind(schema)}`\n\n" if choices or "enum" in schema else "No fields.\n\n"
        return
    yield "| field | type | |\n|---|---|---|\n"
    needed = schema.get("required", ())
    for name, part in fields.items():
        optional = "" if name in needed else "may be left out"
        text = "; ".join(filter(None, (part.get("description", ""), optional)))
        yield f"| `{name}` | `{_kind(part)}` | {text} |\n".replace(" | null`", " or null`")
    yield "\n"


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return " or ".join(map(_kind, choices))
    if "enum" in schema:
        return " or ".join(
            f'"{each}"' if isinstance(each, str) else str(each).lower() for each in schema["enum"]
        )
    if schema.get("type") == "array":
        return f"[{_kind(schema.get('items') or {})}]"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{{name: {_kind(schema['additionalProperties'])}}}"
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
