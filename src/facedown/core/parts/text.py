"""How a game is told in a terminal: what its `text` module offers, and what is said where it has none.

A `text` module has the three functions of `GameText`. They see views and seen events, never a state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Protocol, TypeAlias, cast

from facedown.core import registry
from facedown.core.events import Event, Seen
from facedown.core.game import Pick
from facedown.core.views import Plain, View, plain

Names: TypeAlias = Sequence[str]
"""What the seats are called, in seat order."""

_TOLD_ELSEWHERE = frozenset(field.name for field in fields(View))


class GameText(Protocol):
    """What a game's `text` module holds. Lines are short: 80 columns should do."""

    def table(self, view: Any, names: Names) -> str:
        """The table as this viewer sees it, over a few lines."""
        ...

    def tell(self, seen: Seen, names: Names) -> str | None:
        """One sentence, in the past tense, for what happened; None for what needs no words."""
        ...

    def ask(self, view: Any, legal: tuple[Pick, ...], names: Names) -> str:
        """What the viewer has to decide, and how it is written."""
        ...


def text_of(game: str, language: str = "en") -> GameText:
    """How this game is told: by its own `text` (`text_ja` in Japanese), or plainly."""
    module = None if language == "en" else registry.part(game, f"text_{language}")
    module = module or registry.part(game, "text")
    return PlainText() if module is None else cast(GameText, module)


def about(game: str, language: str) -> Mapping[str, str]:
    """What the game, its presets and its options are called in a language: `title`, `preset.NAME`, …"""
    played = registry.get(game)
    known = {"title": played.meta.title, "summary": played.meta.summary}
    known |= {f"preset.{each.name}": each.meaning for each in played.rules.presets}
    known |= {f"option.{each.name}": each.label for each in played.rules.options}
    return {**known, **registry.called(game, language)}


def everything(event: Event) -> Seen:
    """An event as the whole record tells it, whoever its audience was."""
    return Seen(event.kind, event.facts, event.rules)


class PlainText(GameText):
    """Tells any game, from the names that it gives to things."""

    def table(self, view: View, names: Names) -> str:
        facts = cast(dict[str, Plain], plain(view)).items()
        return "\n".join(f"{name}: {_said(fact)}" for name, fact in facts if name not in _TOLD_ELSEWHERE)

    def tell(self, seen: Seen, names: Names) -> str | None:
        facts = ", ".join(f"{name} {_said(plain(fact))}" for name, fact in seen.facts.items())
        return f"{seen.kind}: {facts}." if facts else f"{seen.kind}."

    def ask(self, view: View, legal: tuple[Pick, ...], names: Names) -> str:
        return f"Pick one of: {', '.join(legal)}."


def _said(fact: Plain) -> str:
    """A plain value in one line of text."""
    if fact is None:
        return "–"
    if isinstance(fact, list):
        return " ".join(map(_said, fact)) or "–"
    if isinstance(fact, dict):
        return "(" + ", ".join(f"{name} {_said(part)}" for name, part in fact.items()) + ")"
    return str(fact)
