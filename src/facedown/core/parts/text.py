"""The text of a game in a terminal: what its `text` module offers, and plain text where it has none.

A `text` module has the three functions of `GameText`. They see views and seen events, never a state. It may
have a fourth, `pick_shown(pick)`: how reports write a pick, where that is not its notation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, Protocol, TypeAlias, cast

from facedown.core import registry
from facedown.core.events import Event, Seen
from facedown.core.game import FORFEIT, RESIGN, Pick
from facedown.core.text.translation import ENGLISH, Domain, Text, in_row, translate
from facedown.core.views import Plain, View, plain

message: Final = Domain("facedown.core")

Names: TypeAlias = Sequence[str]
"""What the seats are called, in seat order."""

Facts: TypeAlias = Mapping[str, Any]
"""The facts of an event; every kind of event has facts of its own."""

_SHOWN_ELSEWHERE = frozenset(field.name for field in fields(View))


class GameText(Protocol):
    """What a game's `text` module holds. Lines are short: 80 columns should do.

    Sentences are messages, so that they can be translated; plain text is shown as it is.
    """

    def table(self, view: Any, names: Names, language: str) -> str:
        """The table as this viewer sees it, over a few lines."""
        ...

    def tell(self, seen: Seen, names: Names) -> Text | None:
        """One sentence, in the past tense, for what happened; None for what needs no words."""
        ...

    def ask(self, view: Any, legal: tuple[Pick, ...], names: Names) -> Text:
        """What the viewer has to decide, and how it is written."""
        ...


class TextIn:
    """The text of one game in one language."""

    def __init__(self, text: GameText, language: str) -> None:
        self._text = text
        self._language = language

    def table(self, view: Any, names: Names) -> str:
        return self._text.table(view, names, self._language)

    def tell(self, seen: Seen, names: Names) -> str | None:
        sentence = self._text.tell(seen, names)
        return None if sentence is None else translate(sentence, self._language)

    def ask(self, view: Any, legal: tuple[Pick, ...], names: Names) -> str:
        return translate(self._text.ask(view, legal, names), self._language)


def text_of(game: str, language: str = ENGLISH) -> TextIn:
    """The text of this game: its own `text` module, or the plain one, as for a game without a name."""
    module = registry.part(game, "text") if game else None
    words = registry.messages(game) if game else message
    return TextIn(PlainText(words) if module is None else cast(GameText, module), language)


def pick_shown(game: str, pick: Pick) -> Text:
    """A pick as reports write it: as the game's `text` module says (`pick_shown`), else its notation."""
    own = getattr(registry.part(game, "text"), "pick_shown", None)
    return pick if own is None or pick in (RESIGN, FORFEIT) else cast(Text, own(pick))


def bot_called(game: str, bot: str) -> Text:
    """What a bot is called: in the words of its game, or in ours for that of every game; else by its name."""
    key = f"bot.{bot}"
    domains = (registry.messages(game), message) if bot.isidentifier() else ()
    return next((domain(key) for domain in domains if domain.has(key)), bot)


def everything(event: Event) -> Seen:
    """An event with all its facts, whatever its audience was."""
    return Seen(event.kind, event.facts, event.rules)


class PlainText(GameText):
    """Plain text for any game, from the names of its fields and events, or what its catalogue says for them.

    Lists with one entry per seat, and seat numbers under a name that says so, are shown with players' names.
    """

    def __init__(self, own: Domain = message) -> None:
        self._own = own

    def table(self, view: View, names: Names, language: str) -> str:
        facts = cast(dict[str, Plain], plain(view)).items()
        return "\n".join(
            f"{self._label(name, language)}: {_value_text(name, fact, names)}"
            for name, fact in facts
            if name not in _SHOWN_ELSEWHERE
        )

    def _label(self, name: str, language: str) -> str:
        key = f"view.{name}"
        return translate(self._own(key), language) if self._own.has(key) else name

    def tell(self, seen: Seen, names: Names) -> Text | None:
        said = {name: _value_text(name, plain(fact), names) for name, fact in seen.facts.items()}
        key = f"event.{seen.kind}"
        if self._own.has(key):
            return self._own(key, **said)
        facts = ", ".join(f"{name} {fact}" for name, fact in said.items())
        return f"{seen.kind}: {facts}." if facts else f"{seen.kind}."

    def ask(self, view: View, legal: tuple[Pick, ...], names: Names) -> Text:
        return message("plain.ask", picks=in_row(legal))


_ONE_SEAT: Final = ("seat", "winner", "by")
_OWN: Final = ("hand", "history")


def _value_text(name: str, fact: Plain, names: Names) -> str:
    if fact is None:
        return "–"
    if isinstance(fact, int) and name in _ONE_SEAT and 1 <= fact <= len(names):
        return names[fact - 1]
    if isinstance(fact, list) and name and name not in _OWN and len(fact) == len(names):
        return ", ".join(
            f"{who} {_value_text('', each, names)}" for who, each in zip(names, fact, strict=True)
        )
    if isinstance(fact, list):
        return " ".join(_value_text("", each, names) for each in fact) or "–"
    if isinstance(fact, dict):
        parts = (f"{key} {_value_text(key, part, names)}" for key, part in fact.items())
        return "(" + ", ".join(parts) + ")"
    return str(fact)
