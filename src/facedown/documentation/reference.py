"""Pages made from the code: the library's reference from its docstrings, and the rules of every game."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Final

import facedown
from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.text.rule_page import fill_in
from facedown.core.text.translation import ENGLISH, languages

_INTRODUCTION: Final = """\
# Library reference

Everything that `import facedown` offers, from its docstrings. [Versions](versions.md) says what is
public, and for how long.

"""
_MEMBERS: Final = (
    "   :members:\n   :inherited-members: object,tuple,int,str,dict,list,Exception,BaseException\n"
)


def library_reference(module: ModuleType = facedown) -> str:
    """The page of a module: every name of its `__all__`, by kind."""
    names = [name for name in getattr(module, "__all__", ()) if not name.startswith("_")]
    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": [], "Types and constants": []}
    for name in names:
        groups[_group(getattr(module, name))].append(name)
    parts = [_INTRODUCTION]
    for group, held in groups.items():
        if held:
            blocks = "\n".join(_directive(module, name) for name in held)
            parts.append(f"## {group}\n\n```{{eval-rst}}\n{blocks}```\n\n")
    return "".join(parts)


def _group(thing: object) -> str:
    if isinstance(thing, type):
        return "Errors" if issubclass(thing, Exception) else "Classes"
    return "Functions" if inspect.isroutine(thing) else "Types and constants"


def _directive(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    path = f"{module.__name__}.{name}"
    if isinstance(thing, type):
        kind = "autoexception" if issubclass(thing, Exception) else "autoclass"
        return f".. {kind}:: {path}\n{'' if kind == 'autoexception' else _MEMBERS}"
    if inspect.isroutine(thing):
        return f".. autofunction:: {path}\n"
    if isinstance(thing, ModuleType):
        return f".. automodule:: {thing.__name__}\n   :no-index:\n"
    return f".. py:data:: {path}\n"


# --- rules of games --------------------------------------------------------------------------------------


def rules_pages() -> dict[str, str]:
    """The rules of every game, in each language that it has them in, by the page's address."""
    pages = {}
    for name in registry.names():
        english = registry.page(name)
        for language in languages():
            text = registry.page(name, language)
            if text and (language == ENGLISH or text != english):
                suffix = "" if language == ENGLISH else f".{language}"
                pages[f"rules/{name}{suffix}"] = "".join(_rules_page(registry.get(name), text))
    return pages


def _rules_page(game: AnyGame, text: str) -> Iterator[str]:
    usual = game.rules.read("")
    yield fill_in(text, usual).rstrip() + "\n\n"
    presets = [game.rules.of(preset.name) for preset in game.rules.presets]
    yield f"## `{game.name}`\n\n"
    yield "| | " + " | ".join(f"`{rules.preset}`" for rules in presets) + " |\n"
    yield "|---" * (len(presets) + 1) + "|\n"
    for option in game.rules.options:
        values = " | ".join(f"`{option.write(rules.value(option))}`" for rules in presets)
        yield f"| `{option.name}` ({option.rule}) | {values} |\n"
