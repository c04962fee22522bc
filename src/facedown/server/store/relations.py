"""Values of moderation: mutes and blocks, reports, and people in the operator's search."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relation:
    """A mute or block of one person by another; `name` is the other's name at that time."""

    id: int
    person: str
    other: str
    kind: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Report:
    """A report to the operator: the message or name, and the reason."""

    id: int
    at: int
    reporter: str
    person: str
    table: str
    kind: str
    name: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person in the operator's search, with the number of their seats and of reports about them."""

    id: str
    name: str
    created_at: int
    seats: int
    reports: int
