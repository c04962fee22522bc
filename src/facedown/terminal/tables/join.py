"""Sitting down at a table on a server: join by invitation or resume, create, or watch.

Seat keys and session tokens that were stored before are used again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from shlex import quote

from facedown.client.blocking import BlockingTable
from facedown.client.errors import ServerRefused
from facedown.client.rest import Address, RestClient, SeatKey, take_seat
from facedown.core.game import AnyGame
from facedown.core.seats import Seat
from facedown.files import reason
from facedown.protocol.messages import Clock
from facedown.protocol.rest import MachineSeat, PersonSeat, TableOrder
from facedown.terminal.tables.credentials import (
    delete_seat_key,
    find_seat_key,
    find_session_token,
    is_named,
    memory_file,
    save_seat_key,
    save_session_token,
)
from facedown.terminal.tables.remote import OnlineTable
from facedown.terminal.words import Words

Warn = Callable[[str], None]
"""Takes a sentence for the person who is about to sit down."""


def join_table(
    address: Address, words: Words, warn: Warn, *, name: str = "", seat: Seat | None = None
) -> OnlineTable:
    """Join by the address of a table or an invitation, or resume the seat there; raises `NoFreeSeat`."""
    key = find_seat_key(address.server, address.name)
    server = sign_in_at(address.server, name)
    if key is not None:
        try:
            return _open(server, key.table, key, words, address.name)
        except ServerRefused:  # the seat was given back, or is taken by another player
            delete_seat_key(key)
    key = _join(server, address, seat)
    code = "" if address.is_table else address.name
    _save(key, words, warn, code)  # before anything else: the seat is ours from here on
    return _open(server, key.table, key, words, address.name)


def create_table(
    server_address: str,
    game: AnyGame,
    rules: str,
    seats: Sequence[str | None],
    words: Words,
    warn: Warn,
    *,
    name: str = "",
    seat: Seat = 1,
    seconds: int | None = None,
) -> OnlineTable:
    """Create a table and take a seat, or go back to the one that was created by the same call, until its game
    is over. The table's `link` invites the others. `seats`: the machine of each seat, None for a person;
    `seconds`: for each decision."""
    command = " ".join(map(str, ("--create", game.name, rules, *seats, seat, seconds)))
    server = sign_in_at(server_address, name)
    if (known := _resume(server, command, words)) is not None:
        return known
    clock = Clock() if seconds is None else Clock("decision", seconds=seconds, ready=60)
    asked = tuple(PersonSeat() if machine is None else MachineSeat(machine) for machine in seats)
    made = server.make(TableOrder(game.name, asked, rules, clock))
    key = take_seat(server, made.table, made.seats, seat, "")
    _save(key, words, warn, made.invite, command)
    return _open(server, made.table, key, words, made.table, f"{server.address}/i/{made.invite}")


def _resume(server: RestClient, command: str, words: Words) -> OnlineTable | None:
    """The seat at the table that the same command created; None where there is none, or its game is over."""
    key = find_seat_key(server.address, command)
    if key is None:
        return None
    try:
        table = _open(server, key.table, key, words, key.table)
    except ServerRefused:  # the seat was given back, or the server has forgotten the table
        delete_seat_key(key)
        return None
    if table.connection.mirror.info.state in ("over", "closed"):
        table.connection.close()
        delete_seat_key(key)
        return None
    invite = table.connection.mirror.info.invite
    table.link = f"{server.address}/i/{invite}" if invite else ""
    table.came_back = True
    return table


def watch_table(address: Address, words: Words) -> OnlineTable:
    """Watch a table by its address or an invitation."""
    server = RestClient(address.server, find_session_token(address.server))
    table = address.name if address.is_table else server.invited(address.name).table
    return _open(server, table, None, words, address.name)


def sign_in_at(address: str, name: str = "") -> RestClient:
    """A server, called as the person whom it knows from here, else as a new guest."""
    server = RestClient(address)
    server.token = find_session_token(server.address)
    if server.token and server.is_known():
        if name:
            server.rename(name)
            _save_session(server, named=True)
        return server
    server.token = ""
    server.sign_in(name)
    _save_session(server, named=bool(name))
    return server


def _save_session(server: RestClient, *, named: bool) -> None:
    with suppress(OSError):  # then the seat's own key has to do
        save_session_token(server.address, server.token, named=named)


def _join(server: RestClient, address: Address, asked: Seat | None) -> SeatKey:
    """A seat at the table: one's own already, or a free one."""
    if address.is_table:
        try:
            resumed = server.resume(address.name)
            return SeatKey(server.address, address.name, resumed.seat, resumed.token, "")
        except ServerRefused:
            return take_seat(server, address.name, server.table(address.name).table.seats, asked, "")
    invited = server.invited(address.name)
    return take_seat(server, invited.table, invited.seats, asked, address.name)


def _save(key: SeatKey, words: Words, warn: Warn, *names: str) -> None:
    """Store the seat's key, so that another process can go back to it."""
    try:
        save_seat_key(key, *names)
    except OSError as error:
        warn(words("remote.not_kept", why=reason(error)))


def _open(
    server: RestClient, table: str, key: SeatKey | None, words: Words, name: str, link: str = ""
) -> OnlineTable:
    remote = BlockingTable(server, table, key, None if key is None else memory_file(key))
    remote.open()
    back = f"{server.address}/i/{name}" if name != table else f"{server.address}/t/{table}"
    command = f"facedown play {'--join' if key else '--watch'} {quote(back)}"

    def follow(following: str) -> OnlineTable:
        return _follow(server, following, remote, words)

    def forget() -> None:
        if key is not None:
            delete_seat_key(key)

    opened = OnlineTable(server, remote, words, command, link, follow if key else None, forget)
    opened.named = is_named(server.address)
    return opened


def _follow(server: RestClient, table: str, before: BlockingTable, words: Words) -> OnlineTable:
    """The next table of the same people: everybody sits one seat further, and that seat is kept for them."""
    mine = before.seat % len(before.mirror.info.seats) + 1
    key = find_seat_key(server.address, table) or _join(server, Address(server.address, table), mine)
    with suppress(OSError):  # the screen is not ours to print on; the person's own token finds the seat
        save_seat_key(key)
    return _open(server, table, key, words, table)
