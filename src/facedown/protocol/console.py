"""REST types of the operator's console: the state of servers and store, announcements, sign-up, backups."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from facedown.protocol.messages import Millis


class NodeInfo(Struct, frozen=True):
    """A server that shares the store, and when it was last alive."""

    node: str
    seen_at: Millis


class SlowQuery(Struct, frozen=True):
    """A statement that took long; its values are not kept."""

    at: Millis
    ms: int
    statement: str


class FailingWorkInfo(Struct, frozen=True):
    """Work of a server that has failed several times in a row, and waits longer each time."""

    work: str
    key: str
    """The table, tournament or notice that it is done for; empty if there is only one such work."""
    failures: int
    since: Millis
    error: str


class Announcement(Struct, frozen=True):
    """What the operator tells everyone on home, until then (0: until it is changed)."""

    text: str
    until: Millis = 0


class Overview(Struct, frozen=True):
    """How the servers and the store are."""

    version: str
    at: Millis
    store: str
    """`SQLite` or `PostgreSQL`."""
    waiting: int
    """Writes that have not been started."""
    failed: int
    """Writes that failed since this server started."""
    commit_ms: float
    """How long the last commit took."""
    disk_free: int
    disk: int
    tables: int
    """Tables in memory, at all processes of this server."""
    broken: int
    failing: tuple[FailingWorkInfo, ...]
    nodes: tuple[NodeInfo, ...]
    slow: tuple[SlowQuery, ...]
    backup_at: Millis
    """When the last backup was written; 0 if none is known."""
    sign_up: str
    """`open`, `closed`, or `off` if the settings of the server closed it."""
    announcement: Announcement | None


class SetAnnouncement(Struct, frozen=True, forbid_unknown_fields=True):
    """The new announcement, for that many days (0: until it is changed); an empty text takes it away."""

    text: Annotated[str, Meta(max_length=280)]
    days: Annotated[int, Meta(ge=0, le=365)] = 0


class SetSignUp(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether guests may keep their accounts from now on."""

    sign_up: Literal["open", "closed"]


class BackupDone(Struct, frozen=True):
    """The file in the data folder that a backup was written to, and its size."""

    file: str
    bytes: int
