"""TerminalTable down at a table on a server: by invitation, by making one, to watch, or to go back to it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from shlex import quote
from typing import Any

from facedown.cli.errors import Usage
from facedown.cli.table_options import seats_of
from facedown.client.connection import Key, RemoteTable
from facedown.client.errors import Refused
from facedown.client.rest import Address, Server
from facedown.core import registry
from facedown.core.seats import Seat, all_seats
from facedown.terminal.tables.credentials import (
    delete_seat_key,
    find_seat_key,
    find_session_token,
    save_seat_key,
    save_session_token,
)
from facedown.terminal.tables.remote import OnlineTable
from facedown.terminal.words.words import Words


def sit_down(arguments: argparse.Namespace, words: Words) -> OnlineTable:
    """The table that the command asks for; what was kept of an earlier one is used again."""
    if arguments.hotseat:
        raise Usage("--hotseat is for this device alone: leave it out for a table on a server")
    if arguments.watch is not None:
        return _watch(Address.read(arguments.watch), words)
    if arguments.create is not None:
        return _create(arguments, Address.read(arguments.create), words)
    address = Address.read(arguments.join)
    if not address.name:
        raise Usage("--join needs the address of a table or an invitation: https://server/i/CODE")
    key = find_seat_key(address.server, address.name)
    server = _signed_in(address.server, arguments.names)
    if key is not None:
        try:
            return _open(server, key.table, key, words, address.name)
        except Refused:  # the seat was given back, or somebody else has it now
            delete_seat_key(key)
    key = _joined(server, address, arguments.seat)
    _keep(key, "" if address.is_table else address.name)
    return _open(server, key.table, key, words, address.name)


def _signed_in(address: str, name: str | None) -> Server:
    """The server, as the person that one was there before, or as a new one."""
    server = Server(address, find_session_token(address))
    asked = (name or "").partition(",")[0].strip()
    if server.token and server.is_known():
        if asked:
            server.rename(asked)
        return server
    server.token = ""
    token = server.sign_in(asked)
    with suppress(OSError):  # then the seat's own key has to do
        save_session_token(address, token)
    return server


def _joined(server: Server, address: Address, asked: Seat | None) -> Key:
    """A seat at the table: one's own already, or a free one."""
    if address.is_table:
        try:
            seat, token = server.resume(address.name)
            return Key(server.address, address.name, seat, token, "")
        except Refused:
            told = server.table(address.name)["table"]
            return _take(server, address.name, told["seats"], asked, "")
    told = server.invited(address.name)
    return _take(server, told["table"], told["seats"], asked, address.name)


def _take(
    server: Server, table: str, seats: Sequence[Mapping[str, Any]], asked: Seat | None, code: str
) -> Key:
    free = [each["seat"] for each in seats if each["kind"] == "person" and not each["name"]]
    if asked is not None and asked not in free:
        raise Usage(f"--seat {asked}: the free seats of this table are {', '.join(map(str, free)) or 'none'}")
    if not free:
        raise Usage("all seats of this table are taken: --watch looks on")
    seat = free[0] if asked is None else asked
    entropy, commit = Key.promise(table, seat)
    return Key(server.address, table, seat, server.join(table, seat, commit, code), entropy)


def _keep(key: Key, code: str = "") -> None:
    """Write the seat down, so that another process can go back to it."""
    try:
        save_seat_key(key, code)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        print(f"facedown: this seat could not be written down, and cannot be resumed: {why}", file=sys.stderr)


def _create(arguments: argparse.Namespace, address: Address, words: Words) -> OnlineTable:
    game = registry.get(arguments.game)
    rules = str(game.rules.read(arguments.rules))
    count = seats_of(game, arguments.seats)
    mine = 1 if arguments.seat is None else arguments.seat
    if mine not in all_seats(count):
        raise Usage(f"--seat {mine}: the seats of this table are 1 to {count}")
    server = _signed_in(address.server, arguments.names)
    clock = {"kind": "none"} if arguments.clock is None else {"kind": "decision", "seconds": arguments.clock}
    made = server.make(game.name, rules, _seats(arguments.against, count, mine), clock=clock)
    key = _take(server, made["table"], made["seats"], mine, "")
    _keep(key)
    link = f"{server.address}/i/{made['invite']}"
    if any(each["kind"] == "person" and each["seat"] != mine for each in made["seats"]):
        print(words("remote_made", link=link), flush=True)
    return _open(server, made["table"], key, words, made["table"], link)


def _seats(against: str | None, count: int, mine: Seat) -> list[dict[str, str]]:
    """People, and machines where they are named: for the last seats, or for all others."""
    names = [] if against is None else [name.strip() for name in against.split(",")]
    others = [seat for seat in all_seats(count) if seat != mine]
    if len(names) > len(others):
        raise Usage(f"--against names {len(names)} machines for {len(others)} seats")
    machines = dict(zip(others[len(others) - len(names) :], names, strict=True))
    return [
        {"kind": "machine", "machine": machines[seat]} if seat in machines else {"kind": "person"}
        for seat in all_seats(count)
    ]


def _watch(address: Address, words: Words) -> OnlineTable:
    if not address.name:
        raise Usage("--watch needs the address of a table or an invitation")
    server = Server(address.server, find_session_token(address.server))
    table = address.name if address.is_table else server.invited(address.name)["table"]
    return _open(server, table, None, words, address.name)


def _open(
    server: Server, table: str, key: Key | None, words: Words, name: str, link: str = ""
) -> OnlineTable:
    remote = RemoteTable(server.address, table, key)
    remote.open()
    back = f"{server.address}/i/{name}" if name != table else f"{server.address}/t/{table}"
    command = f"facedown play {'--join' if key else '--watch'} {quote(back)}"

    def follow(following: str) -> OnlineTable:
        return _followed(server, following, remote, words)

    def forget() -> None:
        if key is not None:
            delete_seat_key(key)

    return OnlineTable(server, remote, words, command, link, follow if key else None, forget)


def _followed(server: Server, table: str, before: RemoteTable, words: Words) -> OnlineTable:
    """The next table of the same people: everybody sits one seat further, and that seat is kept for them."""
    mine = before.seat % len(before.info["seats"]) + 1
    key = find_seat_key(server.address, table) or _joined(server, Address(server.address, table), mine)
    with suppress(OSError):  # the screen is not ours to print on; the person's own token finds the seat
        save_seat_key(key)
    return _open(server, table, key, words, table)
