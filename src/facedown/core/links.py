"""Links: the public events of a table on a server. Each is bound to all before it by a hash, the head.

Owns their bytes, their JSON form and the setup in the first one. Which link may follow which is known to
`core.chain`. A link holds no name, no card and no pick that has not been turned.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from facedown.core.chance import digest
from facedown.core.errors import Unreadable
from facedown.core.views import Plain

NO_HEAD: Final = bytes(32)
"""The head before the first link."""
NO_KEY: Final = "00" * 32
"""Stands for the key of a server that cannot sign."""
BLIND: Final = "blind"
"""How picks are sealed at a table whose server knows them only once all have sealed."""
RANDOM: Final = "random"
"""The way in which the clock picks unless a table names a machine for it: any legal pick."""

LinkValue: TypeAlias = Any
"""A field of a link as in JSON: a number, a text, 32 bytes in hexadecimal, or a list or object."""

_HEX32 = re.compile(r"[0-9a-f]{64}")
_MOST_SEATS: Final = 99
_LONGEST_TEXT: Final = 1000


class UnreadableLink(Unreadable):
    """A link of an unknown kind, or with a field that is missing or of the wrong form."""

    code = "unreadable_link"


class Link(NamedTuple):
    """One public event of a table: its kind, its time in milliseconds, and the fields that `KINDS` lists."""

    kind: str
    at: int
    fields: tuple[LinkValue, ...] = ()

    def get(self, name: str) -> LinkValue:
        """A field by its name."""
        return self.fields[_PLACES[self.kind][name]]

    def plain(self) -> list[Plain]:
        """The JSON form: kind, time and fields in one list."""
        return [self.kind, self.at, *self.fields]


# --- fields ----------------------------------------------------------------------------------------------


def canonical_json(value: object) -> bytes:
    """`J`: JSON with sorted names and no spaces, as bytes."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _json_of_seats(value: LinkValue) -> bytes:
    """`J` of a list of seats, or of waves of them: most links have the same few."""
    return _known_json(value) if type(value) is tuple else canonical_json(value)


_known_json = lru_cache(maxsize=1000)(canonical_json)


class FieldType(NamedTuple):
    """How a field is checked, and which bytes of it are hashed."""

    name: str
    fits: Callable[[LinkValue], bool]
    to_bytes: Callable[[LinkValue], bytes]


def _is_number(value: LinkValue, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _is_seat(value: LinkValue) -> bool:
    return type(value) is int and 1 <= value <= _MOST_SEATS


def _are_seats(value: LinkValue) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_seat, value)) and len(set(value)) == len(value)


def _are_waves(value: LinkValue) -> bool:
    if not isinstance(value, list | tuple) or not all(_are_seats(wave) and wave for wave in value):
        return False
    seats = [seat for wave in value for seat in wave]
    return len(set(seats)) == len(seats)


def _is_text(value: LinkValue) -> bool:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        return False
    return value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value)


def _is_object(value: LinkValue) -> bool:
    return isinstance(value, dict) and _has_no_float(value)


def _has_no_float(value: object, depth: int = 0) -> bool:
    """Two languages need not write a fraction alike: no link holds one."""
    if depth > 8 or isinstance(value, float):
        return False
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return all(_has_no_float(part, depth + 1) for part in parts)


_u32: Final = struct.Struct(">I").pack
_u64: Final = struct.Struct(">Q").pack

NUMBER: Final = FieldType("u32", lambda each: _is_number(each, 2**32 - 1), _u32)
SEAT: Final = FieldType("u32", _is_seat, _u32)
MILLISECONDS: Final = FieldType("u64", lambda each: _is_number(each, 2**53), _u64)
TEXT: Final = FieldType("text", _is_text, str.encode)
BYTES: Final = FieldType(
    "hex", lambda each: isinstance(each, str) and _HEX32.fullmatch(each) is not None, bytes.fromhex
)
SEATS: Final = FieldType("json", _are_seats, _json_of_seats)
WAVES: Final = FieldType("json", _are_waves, _json_of_seats)
OBJECT: Final = FieldType("json", _is_object, canonical_json)

KINDS: Final[dict[str, dict[str, FieldType]]] = {
    "made": {"id": TEXT, "key": BYTES, "setup": OBJECT, "seed_commit": BYTES},
    "sat": {"seat": SEAT, "commit": BYTES},
    "freed": {"seat": SEAT},
    "filled": {"seat": SEAT, "machine": TEXT},
    "dropped": {"left": SEAT},
    "full": {},
    "opened": {"seat": SEAT, "entropy": BYTES},
    "void": {"unopened": SEATS},
    "dealt": {"due": WAVES},
    "ready": {"seat": SEAT},
    "promised": {"decision": NUMBER, "seat": SEAT, "machine": TEXT, "commit": BYTES},
    "sealed": {"decision": NUMBER, "seat": SEAT, "placer": TEXT, "commit": BYTES},
    "shown": {"decision": NUMBER, "seat": SEAT},
    "revealed": {"decision": NUMBER, "forfeited": SEATS, "due": WAVES},
    "resigned": {"decision": NUMBER, "seat": SEAT, "due": WAVES},
    "replaced": {"decision": NUMBER, "seat": SEAT, "machine": TEXT},
    "reclaimed": {"decision": NUMBER, "seat": SEAT},
    "outage": {"ms": MILLISECONDS},
    "over": {"result": OBJECT, "seed": BYTES},
    "closed": {"say": TEXT},
}
"""The fields of every kind of link, in the order in which they are hashed."""
_PLACES: Final = {kind: {name: place for place, name in enumerate(fields)} for kind, fields in KINDS.items()}
_TYPES: Final = {kind: tuple(fields.items()) for kind, fields in KINDS.items()}


def read_link(value: object) -> Link:
    """A link from its JSON form; raises `UnreadableLink`."""
    if not isinstance(value, list | tuple) or len(value) < 2 or not isinstance(value[0], str):
        raise UnreadableLink("a link must be a list of its kind, its time and its fields")
    kind, at, *fields = value
    types = _TYPES.get(kind)
    if types is None:
        raise UnreadableLink(f"there is no link of the kind {kind[:40]!r}")
    if not MILLISECONDS.fits(at):
        raise UnreadableLink(f"the time of a link must be milliseconds since 1970, in one of kind {kind!r}")
    if len(fields) != len(types):
        raise UnreadableLink(f"a link of the kind {kind!r} has {len(types)} fields, not {len(fields)}")
    for (name, form), field in zip(types, fields, strict=True):
        if not form.fits(field):
            raise UnreadableLink(f"the field {name!r} of a link of the kind {kind!r} is not of its form")
    return Link(kind, at, tuple([_frozen(field) if isinstance(field, list) else field for field in fields]))


def _frozen(field: LinkValue) -> LinkValue:
    """A list of seats, or of waves of them, as tuples."""
    return tuple([_frozen(each) if isinstance(each, list) else each for each in field])


# --- bytes -----------------------------------------------------------------------------------------------


def head_after(before: bytes, number: int, link: Link) -> bytes:
    """`L(n)`: the head after a link, which binds it and every link before it; the first has the number 0."""
    fields = [form.to_bytes(field) for (_, form), field in zip(_TYPES[link.kind], link.fields, strict=True)]
    return digest("facedown/2/link", before, _u32(number), link.kind.encode(), _u64(link.at), *fields)


def head_digest(table: str, number: int, head: bytes) -> bytes:
    """What a server signs of a head."""
    return digest("facedown/2/head", table.encode(), number.to_bytes(4, "big"), head)


def rotation_digest(origin: str, old: bytes, new: bytes, at: int) -> bytes:
    """What the old and the new key of a server both sign when it changes its key."""
    return digest("facedown/2/rotate", origin.encode(), old, new, at.to_bytes(8, "big"))


def spoken_words(head: bytes) -> str:
    """Six words to compare a head aloud: its first 96 bits as proquints (Wilkerson, 2009)."""
    return " ".join(_proquint(int.from_bytes(head[at : at + 2], "big")) for at in range(0, 12, 2))


def _proquint(bits: int) -> str:
    """16 bits as five letters: consonants of four bits, vowels of two."""
    consonants, vowels = "bdfghjklmnprstvz", "aiou"
    letters = ((consonants, 12), (vowels, 10), (consonants, 6), (vowels, 4), (consonants, 0))
    return "".join(each[bits >> shift & len(each) - 1] for each, shift in letters)


def leaf_of_log(kind: str, table: str, content: bytes) -> bytes:
    """A leaf of the public log: `table`, `record`, `closed` or `key`, the table by the hash of its id."""
    parts = (b"facedown/2/leaf", kind.encode(), digest("facedown/2/table", table.encode()), content)
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


# --- the setup in the first link -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClockSetup:
    """The time control of a table."""

    kind: str = "none"
    seconds: int = 30
    days: int = 3
    bank: int = 0
    grace: int = 0
    ready: int = 0

    def plain(self) -> dict[str, Plain]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ContinuedSetup:
    """The game that a table continues: what it takes over, and the digest of that game."""

    id: str
    decisions: int
    draws: int
    digest: str

    def plain(self) -> dict[str, Plain]:
        return {"id": self.id, "decisions": self.decisions, "draws": self.draws, "digest": self.digest}


@dataclass(frozen=True, slots=True)
class ChainSetup:
    """Everything that is fixed before anyone sits down: game, rules, seats, clock and who picks for whom."""

    game: str
    version: int
    rules: str
    seats: tuple[str, ...]
    """The machine of each seat; empty for a person's."""
    clock: ClockSetup = ClockSetup()
    flag: str = RANDOM
    """How the clock picks: `random`, or the name of a machine."""
    substitute: str = ""
    """The machine that takes over the seat of an absent player."""
    seal: str = "server"
    """`blind` if the server, too, learns picks only once all have sealed."""
    opening: int = 60_000
    """The time for opening random numbers, and picks of a blind table, in milliseconds."""
    software: str = ""
    """Name and version of the program whose machines pick."""
    origin: str = ""
    """The address of the server; empty if it does not know its own."""
    continues: ContinuedSetup | None = None

    @property
    def blind(self) -> bool:
        return self.seal == BLIND

    def plain(self) -> dict[str, Plain]:
        return {
            "origin": self.origin,
            "game": self.game,
            "version": self.version,
            "rules": self.rules,
            "seats": [machine or None for machine in self.seats],
            "clock": self.clock.plain(),
            "flag": self.flag,
            "substitute": self.substitute,
            "seal": self.seal,
            "opening": self.opening,
            "software": self.software,
            "continues": None if self.continues is None else self.continues.plain(),
        }

    @classmethod
    def read(cls, value: object) -> ChainSetup:
        """From the JSON of a link; raises `UnreadableLink`."""
        whole = _object(value)
        seats = whole.get("seats")
        if not isinstance(seats, list) or not 1 <= len(seats) <= _MOST_SEATS:
            raise UnreadableLink("the setup of a table must list its seats")
        if not all(each is None or (isinstance(each, str) and each) for each in seats):
            raise UnreadableLink("a seat of the setup must be a machine's name, or null for a person")
        continues = whole.get("continues")
        return cls(
            game=_text(whole, "game"),
            version=_number(whole, "version"),
            rules=_text(whole, "rules"),
            seats=tuple(each or "" for each in seats),
            clock=_read_clock(_object(whole.get("clock"))),
            flag=_text(whole, "flag"),
            substitute=_text(whole, "substitute"),
            seal=_text(whole, "seal"),
            opening=_number(whole, "opening"),
            software=_text(whole, "software"),
            origin=_text(whole, "origin"),
            continues=None if continues is None else _read_continued(_object(continues)),
        )


def _read_clock(whole: dict[str, LinkValue]) -> ClockSetup:
    numbers = [_number(whole, name) for name in ("seconds", "days", "bank", "grace", "ready")]
    return ClockSetup(_text(whole, "kind"), *numbers)


def _read_continued(whole: dict[str, LinkValue]) -> ContinuedSetup:
    decisions, draws, content = _number(whole, "decisions"), _number(whole, "draws"), _text(whole, "digest")
    if not _HEX32.fullmatch(content):
        raise UnreadableLink("the digest of a continued game must be 64 hexadecimal digits")
    return ContinuedSetup(_text(whole, "id"), decisions, draws, content)


def _object(value: object) -> dict[str, LinkValue]:
    if not isinstance(value, dict):
        raise UnreadableLink("the setup of a table must be an object")
    return value


def _text(whole: dict[str, LinkValue], name: str) -> str:
    value = whole.get(name)
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise UnreadableLink(f"{name!r} in the setup of a table must be a text")
    return value


def _number(whole: dict[str, LinkValue], name: str) -> int:
    value = whole.get(name)
    if type(value) is not int or not _is_number(value, 2**32 - 1):
        raise UnreadableLink(f"{name!r} in the setup of a table must be a whole number")
    return value
