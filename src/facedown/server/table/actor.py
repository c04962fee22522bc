"""The sender of a command, and command ids: the same id with the same body is a repeated command.

An id belongs to a seat and a sender (a person, or the machine of the seat), so no client can use up the ids
of another. A repeated id with a different body is refused.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, NamedTuple

import msgspec

from facedown.core.seats import Seat
from facedown.protocol.messages import Cmd

MACHINE: Final = "machine"
"""The sender of a machine's commands. No person has this id."""
_DIGEST_BYTES: Final = 16
_BEFORE_ID: Final = b'{"t":"cmd","id":"'

_encode = msgspec.json.Encoder().encode


class Attendance(NamedTuple):
    """The seats that are connected at one moment, and those that have been away for too long."""

    here: frozenset[Seat] = frozenset()
    away: frozenset[Seat] = frozenset()


NOBODY: Final = Attendance()


class Actor(NamedTuple):
    """The sender of a command: seat (0: a spectator), person and name."""

    seat: Seat
    person: str
    name: str
    attendance: Attendance = NOBODY
    """Who is connected and who is away now; only for commands that depend on it."""
    known_key: CommandKey | None = None
    """The key of the command that this actor runs, if it was computed before."""

    def key(self, cmd: Cmd) -> CommandKey:
        return self.known_key or command_key(self.person, cmd)


class CommandKey(NamedTuple):
    """A command as its fact stores it: sender and id, and the digest of its body."""

    key: str
    digest: bytes


def command_key(person: str, cmd: Cmd) -> CommandKey:
    """The key and the digest under which a command of this person is stored."""
    body = _encode(cmd)
    without_id = body[: len(_BEFORE_ID)] + body[len(_BEFORE_ID) + len(cmd.id) :]
    return CommandKey(key_of(person, cmd.id), digest_of(without_id))


NO_COMMAND: Final = CommandKey("", b"")
"""For facts that no command caused."""


def key_of(person: str, command: str) -> str:
    """The key of a command: sender and id. Machines have no person.

    >>> key_of("01ABC", "m1"), key_of("", "m1")
    ('01ABC:m1', 'machine:m1')
    """
    return f"{person or MACHINE}:{command}"


def sender_of(key: str) -> str:
    """The id of the person who sent the command of a key; empty for a machine."""
    sender = key.partition(":")[0]
    return "" if sender == MACHINE else sender


def digest_of(body: bytes) -> bytes:
    """The digest of the body of a command or a request."""
    return blake2b(body, digest_size=_DIGEST_BYTES).digest()
