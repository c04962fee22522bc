"""Rules as frozen data: options with label, help and allowed values; presets; text in one canonical form.

Owns reading and writing of rules text. Must not know what any option means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, ClassVar, Final, Self, TypeAlias, TypeVar, cast

from facedown.core.errors import UnreadableRules
from facedown.core.text.translation import Domain, Text, in_row

Value: TypeAlias = int | str | bool | tuple[int, ...]

message: Final = Domain("facedown.core")


# --- options ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a table may choose; subclasses say which values there are."""

    name: str
    label: Text
    help: Text
    rule: str

    @property
    def allowed(self) -> Text:
        raise NotImplementedError

    @property
    def wanted(self) -> Text:
        """What the option must be, as the end of a sentence: `must be …`."""
        return message("rules.one_of", allowed=self.allowed)

    def read(self, text: str) -> Value | None:
        """The value that the text names; None where it names none."""
        raise NotImplementedError

    def write(self, value: Value) -> str:
        return str(value)

    def as_json(self, value: Value) -> int | str:
        """The value for programs: a number as a number, everything else as rules text writes it."""
        return self.write(value)

    def allows(self, value: Value) -> bool:
        return self.read(self.write(value)) == value


@dataclass(frozen=True, slots=True)
class Choice(Option):
    """One of a few words."""

    values: tuple[str, ...]

    @property
    def allowed(self) -> Text:
        return in_row(self.values)

    def read(self, text: str) -> Value | None:
        return text if text in self.values else None


@dataclass(frozen=True, slots=True)
class Number(Option):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    @property
    def allowed(self) -> Text:
        return message("rules.range", low=self.low, high=self.high)

    @property
    def wanted(self) -> Text:
        return message("rules.whole_number", low=self.low, high=self.high)

    def read(self, text: str) -> Value | None:
        if not re.fullmatch(r"[0-9]{1,9}", text):
            return None
        return int(text) if self.low <= int(text) <= self.high else None

    def as_json(self, value: Value) -> int | str:
        return value if isinstance(value, int) else self.write(value)


@dataclass(frozen=True, slots=True)
class Switch(Option):
    """On or off."""

    @property
    def allowed(self) -> Text:
        return in_row(("on", "off"))

    def read(self, text: str) -> Value | None:
        return {"on": True, "off": False}.get(text)

    def write(self, value: Value) -> str:
        return "on" if value else "off"


@dataclass(frozen=True, slots=True)
class Numbers(Option):
    """Several whole numbers, written with colons between: `6:5`."""

    least: int
    """How many there are at least."""
    most: int

    @property
    def allowed(self) -> Text:
        return message("rules.numbers", example=":".join("0" * max(2, self.least)))

    @property
    def wanted(self) -> Text:
        return self.allowed

    def read(self, text: str) -> Value | None:
        parts = [part.strip() for part in text.split(":")]
        if not self.least <= len(parts) <= self.most:
            return None
        return tuple(map(int, parts)) if all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts) else None

    def write(self, value: Value) -> str:
        return ":".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule set: what it is in one sentence, and where it differs from the defaults."""

    name: str
    meaning: Text
    values: Mapping[str, Value] = field(default_factory=dict)


# --- rule sets -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set. A game's rules subclass this: a field per option, and the two class variables.

    The order of `options` is the order in which they are written; the first preset is the default one.
    """

    preset: str

    options: ClassVar[tuple[Option, ...]] = ()
    presets: ClassVar[tuple[Preset, ...]] = ()
    usual: ClassVar[str] = ""
    """The preset that a new game is offered with; empty for the default one."""

    @classmethod
    def of(cls, preset: str = "", **values: Value) -> Self:
        """The rule set of a preset (the default one if none is named) with some options changed.

        Raises `UnreadableRules` with all problems at once.
        """
        return _check(cls, preset or cls.presets[0].name, values, ())

    @classmethod
    def usual_preset(cls) -> str:
        return cls.usual or cls.presets[0].name

    @classmethod
    def read(cls, text: str) -> Self:
        """Rules from text such as `classic(tie=pair)`; forgiving of order and spaces."""
        known = _READ.get((cls, text))
        if known is None:
            known = _read(cls, text)
            if len(_READ) < _MOST_READ:
                _READ[cls, text] = known
        return cast(Self, known)

    def value(self, option: Option) -> Value:
        """What this rule set says to an option."""
        value: Value = getattr(self, option.name)
        return value

    def conflicts(self) -> tuple[Text, ...]:
        """Problems between options, each a sentence; games override it."""
        return ()

    def notes(self) -> tuple[Text, ...]:
        """What is worth knowing about this rule set but not forbidden, each a sentence; games override it."""
        return ()

    def problems(self) -> tuple[Text, ...]:
        """Everything that is wrong with this rule set, each a sentence."""
        wrong = tuple(
            _not_allowed(option, option.write(self.value(option)))
            for option in self.options
            if not option.allows(self.value(option))
        )
        return wrong or self.conflicts()

    def __str__(self) -> str:
        """R2, the canonical text: the preset, and in brackets what differs from it, in the options' order."""
        return _canonical_text(self)


AnyRules = TypeVar("AnyRules", bound=Rules)

_READ: Final[dict[tuple[type[Rules], str], Rules]] = {}
"""Rule sets that have been read: records of thousands of games name few of them."""
_MOST_READ: Final = 1024


def _not_allowed(option: Option, text: str) -> Text:
    text = text[:_MOST_QUOTED]
    shown = text if text.isprintable() else repr(text)[1:-1]  # a screen would obey control characters
    return message("rules.not_allowed", name=option.name, value=shown, wanted=option.wanted)


@lru_cache(maxsize=_MOST_READ)
def _canonical_text(rules: Rules) -> str:
    usual = _preset_values(type(rules), rules.preset)
    changed = [
        f"{option.name}={option.write(rules.value(option))}"
        for option in rules.options
        if rules.value(option) != usual[option.name]
    ]
    return f"{rules.preset}({','.join(changed)})" if changed else rules.preset


def _preset_values(kind: type[Rules], name: str) -> dict[str, Value]:
    defaults: dict[str, Any] = {each.name: each.default for each in fields(kind) if each.name != "preset"}
    return defaults | dict(next(preset for preset in kind.presets if preset.name == name).values)


def _check(
    kind: type[AnyRules], preset: str, values: Mapping[str, Value], problems: tuple[Text, ...]
) -> AnyRules:
    """The rule set, or all problems at once: those of the text, then those of the values."""
    names = [each.name for each in kind.presets]
    if preset not in names:
        problems = (
            message("rules.no_preset", name=repr(preset[:_MOST_QUOTED]), names=in_row(names)),
            *problems,
        )
        preset = names[0]
    known = {option.name for option in kind.options}
    unknown = tuple(message("rules.no_option", name=repr(name)) for name in values if name not in known)
    usable = {name: value for name, value in values.items() if name in known}
    rules = kind(preset=preset, **{**_preset_values(kind, preset), **usable})
    problems = problems + unknown + rules.problems()
    if problems:
        text = f"{preset}({', '.join(f'{name}={value}' for name, value in values.items())})"
        raise UnreadableRules(problems, text=text)
    return rules


_SHAPE = re.compile(r"\s*(?P<preset>[^\s(),=]*)\s*(?:\(\s*(?P<options>[^()]*)\)\s*)?")
_MOST_TEXT = 2000
_MOST_QUOTED = 60
_MOST_PROBLEMS = 20


def _read(kind: type[AnyRules], text: str) -> AnyRules:
    shape = _SHAPE.fullmatch(text) if len(text) <= _MOST_TEXT else None
    if shape is None:
        example = kind.presets[0].name + "".join(f"({option.name}=…)" for option in kind.options[:1])
        problem = message("rules.no_rules", text=repr(text[:60]), example=example)
        raise UnreadableRules((problem,), text=text[:200])
    given, problems = read_values(kind.options, shape["options"] or "")
    values = {name: value for name, value in given.items() if value is not None}
    return _check(kind, shape["preset"] or kind.presets[0].name, values, tuple(problems))


# --- values ----------------------------------------------------------------------------------------------


def read_values(options: Sequence[Option], text: str) -> tuple[dict[str, Value | None], list[Text]]:
    """The values that a text such as `tie=pair,rounds=4` gives to options, and everything wrong with it.

    An option with a value that is not allowed has None.
    """
    known = {option.name: option for option in options}
    values: dict[str, Value | None] = {}
    problems: list[Text] = []
    for part in (each.strip() for each in text.split(",")):
        if len(problems) >= _MOST_PROBLEMS:
            break
        if not part:
            continue
        name, equals, written = (each.strip() for each in part.partition("="))
        if not equals:
            problems.append(message("rules.no_value", text=repr(part[:_MOST_QUOTED])))
        elif name not in known:
            wrong = repr(name[:_MOST_QUOTED])
            problems.append(message("rules.no_option_of", name=wrong, names=in_row(tuple(known))))
        elif values.get(name) is not None:
            problems.append(message("rules.twice", name=name))
        else:
            values[name] = known[name].read(written)
            problems += [_not_allowed(known[name], written)] if values[name] is None else []
    return values, problems


def not_given(option: Option) -> Text:
    """What is said where an option that has no default got no value."""
    return message("rules.not_given", name=option.name, wanted=option.wanted)


def too_long(text: str) -> Text:
    """What is said of a text that is longer than any list of values."""
    return message("rules.too_long", text=repr(text[:40]))
