"""`facedown admin`: a data folder, and the tables, people, cases, limits and key of its running server."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from facedown.cli import DONE
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra

if TYPE_CHECKING:
    import msgspec

    from facedown.client import RestClient

_OFFLINE: Final = ("check", "backup", "move")
"""What needs no running server."""
_LISTS: Final = ("tables", "people", "cases", "moderators", "audit", "pairs", "limits")
_NEEDS: Final = {
    "close": "which table? `facedown admin close ID`, and `facedown admin tables` lists them",
    "erase": "which person? `facedown admin erase HANDLE`, and `facedown admin people NAME` finds them",
    "decide": "which case? `facedown admin decide NUMBER`, and `facedown admin cases` lists them",
    "appoint": "which person? `facedown admin appoint HANDLE`, and `facedown admin people NAME` finds them",
    "dismiss": "which person? `facedown admin dismiss HANDLE`, and `facedown admin moderators` lists them",
}


def run(arguments: argparse.Namespace) -> int:
    """Look after the data folder, or ask the server that runs on it."""
    _check_options(arguments)
    if arguments.do in _OFFLINE:
        from facedown.commands import store  # slow to import

        return store.run(arguments)
    _ask(arguments)
    return DONE


def _check_options(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go with what is to be done."""
    do = arguments.do
    if arguments.say is not None and do not in ("close", "decide"):
        raise Usage("--say is for `admin close` and `admin decide`")
    if (arguments.sanction, arguments.days) != (None, None) and do != "decide":
        raise Usage("--sanction and --days are for `admin decide`")
    if arguments.store is not None and do not in _OFFLINE:
        raise Usage(f"--store is for {', '.join(f'`admin {each}`' for each in _OFFLINE)}")
    if arguments.json and do not in _LISTS:
        raise Usage(f"--json is for {', '.join(f'`admin {each}`' for each in _LISTS)}")


def _ask(arguments: argparse.Namespace) -> None:
    check_extra("`admin` needs", "server", "msgspec", "websockets")
    do, what = arguments.do, arguments.what
    if do in _LISTS:
        if what is not None and do not in ("people", "cases"):
            raise Usage(f"`admin {do}` takes nothing more")
        _list(arguments)
        return
    if what is not None and do == "change-key":
        raise Usage("`admin change-key` takes nothing more")
    if what is None and do in _NEEDS:
        raise Usage(_NEEDS[do])
    with _server(arguments) as server:
        print(_act(server, arguments, do, what or "", arguments.say or ""))


def _act(server: RestClient, arguments: argparse.Namespace, do: str, what: str, reason: str) -> str:
    if do == "decide":
        return _decide(server, arguments, what, reason)
    if do == "appoint":
        server.appoint(what)
        return f"{what} is a moderator."
    if do == "dismiss":
        server.dismiss(what)
        return f"{what} is no moderator."
    if do == "close":
        server.close_table(what, reason)
        return f"Closed {what}."
    if do == "erase":
        server.erase_person(what)
        return f"Erased {what}."
    if do == "change-key":
        change = server.change_key().changes[-1]
        return f"Changed the key from {change.old}\n                  to {change.new}."
    raise AssertionError(do)


def _decide(server: RestClient, arguments: argparse.Namespace, number: str, reason: str) -> str:
    from facedown.protocol.moderation import CaseDecision, SanctionKind

    sanction: SanctionKind = arguments.sanction or "none"
    days = arguments.days or 0
    state = server.decide_case(number, CaseDecision(sanction, days, reason)).case.state
    if state == "lifted":
        return f"Lifted what was decided in case {number}."
    return f"Decided case {number}: {sanction.replace('_', ' ')}{f' for {days} days' if days else ''}."


def _list(arguments: argparse.Namespace) -> None:
    lists: Mapping[str, Callable[[RestClient], tuple[msgspec.Struct, list[str]]]] = {
        "tables": _tables,
        "people": lambda server: _people(server, arguments.what or ""),
        "cases": lambda server: _cases(server, arguments.what or "open"),
        "moderators": lambda server: _people(server, "", moderators=True),
        "audit": _audit,
        "pairs": _pairs,
        "limits": _limits,
    }
    with _server(arguments) as server:
        found, lines = lists[arguments.do](server)
    if arguments.json:
        import msgspec

        lines = [json.dumps(json.loads(msgspec.json.encode(found)), ensure_ascii=False)]
    print("\n".join(lines))


def _tables(server: RestClient) -> tuple[msgspec.Struct, list[str]]:
    found = server.admin_tables()
    lines = [f"{len(found.tables)} tables, {found.loaded} in memory"]
    for table in found.tables:
        names = ", ".join(seat.name or "free" for seat in table.seats)
        lines.append(f"{table.table}  {table.state:<8} {table.game} {table.rules}  {names}")
    return found, lines


def _people(server: RestClient, text: str, *, moderators: bool = False) -> tuple[msgspec.Struct, list[str]]:
    found = server.find_people(text, moderators=moderators)
    lines = [f"{len(found.people)} people"]
    for each in found.people:
        kind = "moderator" if each.moderates else "account" if each.handle else "guest"
        used = f"last here {_time(each.used_at)}" if each.used_at else "signed out"
        counts = f"{each.seats} seats  {each.reports} reports"
        since = f"since {_time(each.created_at)}"
        lines.append(f"{each.person}  {each.name}  {kind}  {since}  {used}  {counts}")
    return found, lines


def _cases(server: RestClient, what: str) -> tuple[msgspec.Struct, list[str]]:
    """The cases in a state, or one case by its number."""
    if what.isdigit():
        return _case(server, what)
    found = server.cases(what)
    lines = [f"{len(found.cases)} cases are {what}"]
    for each in (details.case for details in found.cases):
        lines.append(f"{each.id}  {_time(each.at)}  {each.name} ({each.person})  {each.sanction}".rstrip())
    return found, lines


def _case(server: RestClient, number: str) -> tuple[msgspec.Struct, list[str]]:
    found = server.case(number)
    case = found.case
    until = f" until {_time(case.until)}" if case.until else ""
    lines = [
        f"case {number} about {case.name} ({case.person}) is {case.state}  {case.sanction}{until}".rstrip()
    ]
    for each in found.reports:
        lines.append(f"{_time(each.at)}  reported by {each.by_name or each.by or 'someone who was erased'}")
        where = f"event {each.v}: {each.text}" if each.v else each.text
        lines.append(f"   {each.about} at table {each.table}, {where}")
        lines += [f"   why: {each.why}"] if each.why else []
    if case.state != "open":
        lines.append(f"{_time(case.at)}  decided by {found.decided_by or 'the operator'}")
        lines += [f"   why: {found.why}"] if found.why else []
    lines += [f"   answer: {found.answer}"] if found.answer else []
    return found, lines


def _audit(server: RestClient) -> tuple[msgspec.Struct, list[str]]:
    found = server.audit()
    lines = [f"the last {len(found.entries)} acts"]
    for each in found.entries:
        who, act = each.by_name or each.by or "the operator", each.action.replace("_", " ")
        whom = " ".join(filter(None, (each.name or each.person, each.detail)))
        lines.append(f"{_time(each.at)}  {who}  {act}  {whom}  {_outcome(each.outcome)}".rstrip())
    return found, lines


def _outcome(outcome: str) -> str:
    """How an act came out, in words; nothing for what was done."""
    if outcome == "done":
        return ""
    return f"refused ({outcome})" if outcome else "not known to be done"


def _pairs(server: RestClient) -> tuple[msgspec.Struct, list[str]]:
    found = server.pairs()
    lines = [f"{len(found.pairs)} pairs whose games do not look like those with others; friends may, too"]
    for each in found.pairs:
        score = f"{each.wins}:{each.games - each.wins}"
        lines.append(f"{each.one} {each.one_name}  {score}  {each.other} {each.other_name}")
        lines.append(f"   {each.share:.0%} of the games of one of them; by luck {each.chance:.2g}")
    lines.append(f"{len(found.easy_winners)} people who win against newcomers only; a good host may, too")
    for winner in found.easy_winners:
        lines.append(f"{winner.person} {winner.name}  {winner.easy} of {winner.wins} wins")
    return found, lines


def _limits(server: RestClient) -> tuple[msgspec.Struct, list[str]]:
    found = server.limits_hit()
    lines = [f"{len(found.hits)} limits hit since the server started"]
    lines += [
        f"{_time(each.at)}  {each.times:>6} times  {each.limit}  {each.name or each.who}"
        for each in found.hits
    ]
    return found, lines


def _time(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at / 1000))


@contextmanager
def _server(arguments: argparse.Namespace) -> Iterator[RestClient]:
    """The server that runs on the data folder, as its operator."""
    from facedown.client import RestClient, ServerLost
    from facedown.server.ops.runfile import NotRunning, read_runfile
    from facedown.server.ops.tls import client_context
    from facedown.server.settings import Settings

    data = Settings.read({"data": arguments.data}, os.environ).data
    running = read_runfile(data)
    address = running.address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    try:
        yield RestClient(address, running.token, timeout=10.0, tls=client_context(running.certificate))
    except ServerLost:
        gone = f"no server runs on {data}: the one that left {data / 'server.json'} does not answer"
        raise NotRunning(gone) from None
