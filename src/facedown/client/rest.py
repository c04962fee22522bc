"""REST client of a server: session, games, tables, invitations, seats, records. Calls block."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec

from facedown.client.errors import BadAddress, ServerLost, ServerRefused
from facedown.core.chance import entropy_commitment
from facedown.core.errors import FacedownError, Unreadable
from facedown.core.record import Record
from facedown.core.seats import Seat
from facedown.protocol.accounts import NewName, NewSession, Session
from facedown.protocol.errors import SeatTaken
from facedown.protocol.messages import SeatInfo, Snap
from facedown.protocol.mind import MindDay, MindPosition, MindState, NewMind
from facedown.protocol.moderation import (
    AuditList,
    CaseDecision,
    CaseDetails,
    CaseList,
    FoundPeople,
    LimitHits,
    NewRelation,
    NewReport,
    PairList,
    RelationInfo,
    ReportKind,
)
from facedown.protocol.pairing import NewTicket, TicketInfo
from facedown.protocol.rest import (
    AdminTables,
    CloseTable,
    CreatedTable,
    GameInfo,
    InvitedTable,
    Join,
    Joined,
    ListedSeat,
    LogConsistency,
    LogInclusion,
    Resume,
    Resumed,
    ServerKeys,
    TableOrder,
)

if TYPE_CHECKING:
    from ssl import SSLContext

Answer = TypeVar("Answer")

_TABLE: Final = re.compile(r"[0-9A-Z]{26}")


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a server, with the name of an invitation or a table; the name may be missing."""

    server: str
    name: str = ""

    @classmethod
    def read(cls, text: str) -> Address:
        """From a link as people send it: `https://server/i/CODE`, `…/t/ID`, or the server alone."""
        whole = text.strip() if "://" in text else f"http://{text.strip()}"
        try:
            parts = urlsplit(whole)
            port = parts.port
            (parts.hostname or "").encode("idna")
        except ValueError:
            raise BadAddress(f"{text[:80]!r} is no address", text=text) from None
        if parts.scheme not in ("http", "https") or not parts.hostname or not whole.isprintable():
            raise BadAddress(f"{text[:80]!r} is no address: https://server/i/CODE is one", text=text)
        path = [part for part in f"{parts.path}/{parts.fragment}".split("/") if part]
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        server = f"{parts.scheme}://{host}{'' if port is None else f':{port}'}"
        return cls(server, path[-1] if path else "")

    @property
    def is_table(self) -> bool:
        """Whether the name is a table's, rather than an invitation's."""
        return _TABLE.fullmatch(self.name) is not None


class RestClient:
    """One server's REST API, called as one person."""

    def __init__(
        self, address: str, token: str = "", *, timeout: float = 20.0, tls: SSLContext | None = None
    ) -> None:
        """`timeout` of each call in seconds; `tls` says which certificates are trusted."""
        self.address = Address.read(address).server
        self.token = token
        self._timeout = timeout
        self._tls = tls

    def sign_in(self, name: str = "") -> str:
        """Create a guest session; its token identifies this person from then on."""
        session = self._call(Session, "POST", "/session", NewSession(name or None, "program"))
        self.token = session.token or ""
        return self.token

    def is_known(self) -> bool:
        """Whether the server still accepts the session token."""
        try:
            self._call(Session, "GET", "/session")
        except ServerRefused:
            return False
        return True

    def rename(self, name: str) -> None:
        self._call(Session, "PATCH", "/session", NewName(name))

    def games(self) -> tuple[GameInfo, ...]:
        return self._call(tuple[GameInfo, ...], "GET", "/games")

    def make(self, order: TableOrder) -> CreatedTable:
        return self._call(CreatedTable, "POST", "/tables", order, {"Idempotency-Key": secrets.token_hex(16)})

    def invited(self, code: str) -> InvitedTable:
        return self._call(InvitedTable, "GET", f"/invites/{quote(code, safe='')}")

    def join(self, table: str, seat: int, commit: str, code: str = "") -> Joined:
        """Take a seat, by invitation if there is a code."""
        order = Join(seat, commit, invite=code or None)
        return self._call(Joined, "POST", f"/tables/{table}/join", order)

    def put_ticket(self, wanted: NewTicket, wait: float = 0.0) -> TicketInfo:
        """Wait, or go on waiting, for people who want the same game; answered within `wait` seconds."""
        return self._call(TicketInfo, "PUT", f"/pairing/ticket?wait={wait:g}", wanted)

    def withdraw_ticket(self) -> None:
        """Wait no longer, or decline the table that was found."""
        self.send("DELETE", "/pairing/ticket")

    def mind_today(self, language: str) -> MindPosition:
        """Today's mind of the day, with its texts in a language."""
        return self._call(MindPosition, "GET", "/mind/today", headers={"Accept-Language": language})

    def seal_mind(self, day: str, chips: tuple[int, int]) -> MindState:
        """Seal ten chips on the two picks of a day, which has to be today."""
        return self._call(MindState, "PUT", f"/mind/{day}", NewMind(chips))

    def mind_day(self, day: str) -> MindDay:
        """The result of a day that is over."""
        return self._call(MindDay, "GET", f"/mind/{day}")

    def resume(self, table: str, seat: int | None = None) -> Resumed:
        """A fresh token for a seat that this person has already."""
        return self._call(Resumed, "POST", f"/tables/{table}/resume", Resume(seat))

    def table(self, table: str) -> Snap:
        return self._call(Snap, "GET", f"/tables/{table}")

    def record(self, table: str) -> Record:
        """The record of a game; complete once it is over."""
        text = self.send("GET", f"/tables/{table}/record")
        try:
            return Record.read(text)
        except Unreadable as error:
            raise ServerLost(f"{self.address} answers with no record: {error.message}") from None

    def keys(self) -> ServerKeys:
        """The public keys of the server, and how they were changed."""
        text = self.fetch("GET", "/.well-known/facedown.json")
        try:
            return msgspec.json.decode(text, type=ServerKeys)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise ServerLost(f"{self.address} answers what no such server does: {error}") from None

    def log_checkpoint(self) -> str:
        """The newest checkpoint of the public log, a signed note."""
        try:
            return self.send("GET", "/log/checkpoint").decode()
        except UnicodeDecodeError as error:
            raise ServerLost(f"{self.address} answers what no such server does: {error}") from None

    def log_proof(self, leaf: bytes) -> LogInclusion:
        return self._call(LogInclusion, "GET", f"/log/proof?leaf={leaf.hex()}")

    def log_consistency(self, old: int, new: int) -> LogConsistency:
        return self._call(LogConsistency, "GET", f"/log/consistency?old={old}&new={new}")

    def events(self, since: int | None = None) -> Iterator[dict[str, Any]]:
        """The stream of this person's events, line by line, until the server ends it (`t` is `end`) or the
        connection breaks (`ServerLost`); `since` is the `v` of the last line that was read."""
        query = "" if since is None else f"?since={since}"
        with self._open("GET", f"/api/v1/stream{query}") as response:
            try:
                for line in response:
                    if line.strip():
                        yield msgspec.json.decode(line)
            except (HTTPException, OSError, msgspec.MsgspecError) as error:
                raise ServerLost(f"{self.address} was lost: {error}") from None

    def decline(self, table: str) -> None:
        """Decline a challenge."""
        self.send("DELETE", f"/challenges/{table}")

    # --- other people ----------------------------------------------------------

    def relate(self, kind: Literal["mute", "block"], table: str, seat: int) -> RelationInfo:
        """Mute or block the person on a seat: a mute hides their chat, a block also keeps them away."""
        asked = NewRelation(kind, table, seat)
        return self._call(RelationInfo, "POST", "/people/me/relations", asked)

    def report(self, table: str, seat: int, about: ReportKind, why: str = "") -> None:
        self.send("POST", "/reports", NewReport(about, table, seat, None, why))

    # --- for operators, whose token it has to be -------------------------------------------------------

    def admin_tables(self) -> AdminTables:
        return self._call(AdminTables, "GET", "/admin/tables")

    def change_key(self) -> ServerKeys:
        """Change the key that new tables are signed with; the token is the operator's."""
        return self._call(ServerKeys, "POST", "/admin/key")

    def close_table(self, table: str, reason: str) -> None:
        self.send("POST", f"/admin/tables/{quote(table, safe='')}/close", CloseTable(reason))

    def find_people(self, text: str, *, moderators: bool = False) -> FoundPeople:
        """People, or moderators, by their id or a part of their name; the token is the operator's."""
        asked = f"find={quote(text, safe='')}&moderators={str(moderators).lower()}"
        return self._call(FoundPeople, "GET", f"/admin/people?{asked}")

    def erase_person(self, person: str) -> None:
        self.send("DELETE", f"/admin/people/{quote(person, safe='')}")

    def cases(self, state: str) -> CaseList:
        return self._call(CaseList, "GET", f"/admin/cases?state={quote(state, safe='')}")

    def case(self, number: str) -> CaseDetails:
        (found,) = self._call(CaseList, "GET", f"/admin/cases?number={quote(number, safe='')}").cases
        return found

    def decide_case(self, number: str, decision: CaseDecision) -> CaseDetails:
        return self._call(CaseDetails, "POST", f"/admin/cases/{quote(number, safe='')}", decision)

    def appoint(self, person: str) -> None:
        """Make a person a moderator."""
        self.send("PUT", f"/admin/moderators/{quote(person, safe='')}")

    def dismiss(self, person: str) -> None:
        self.send("DELETE", f"/admin/moderators/{quote(person, safe='')}")

    def audit(self) -> AuditList:
        return self._call(AuditList, "GET", "/admin/audit")

    def pairs(self) -> PairList:
        return self._call(PairList, "GET", "/admin/pairs")

    def limits_hit(self) -> LimitHits:
        return self._call(LimitHits, "GET", "/admin/limits")

    # --- HTTP ----------------------------------------------------------------------------------------

    def _call(
        self,
        answer: type[Answer],
        method: str,
        path: str,
        body: msgspec.Struct | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """One call and its decoded answer; fields that this version does not know are skipped."""
        text = self.send(method, path, body, headers)
        try:
            return msgspec.json.decode(text, type=answer)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise ServerLost(f"{self.address} answers what no such server does: {error}") from None

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
    ) -> bytes:
        """One call by its path below `/api/v1`: the bytes of its answer. Raises `ServerRefused` for an error
        status, `ServerLost` for no answer."""
        return self.fetch(method, f"/api/v1{path}", body, headers)

    def fetch(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
    ) -> bytes:
        """One call by its whole path; as `send`."""
        with self._open(method, path, body, headers) as response:
            try:
                found: bytes = response.read()
            except (HTTPException, OSError) as error:
                raise ServerLost(f"{self.address} cannot be reached: {error}") from None
            return found

    def _open(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        sent = {"Content-Type": "application/json", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else msgspec.json.encode(body)
        request = Request(f"{self.address}{path}", data, sent, method=method)
        try:
            opened: HTTPResponse = urlopen(request, timeout=self._timeout, context=self._tls)
            return opened
        except HTTPError as error:
            with error:
                raise _refusal(error) from None
        except (URLError, HTTPException, OSError) as error:
            why = getattr(error, "reason", error)
            raise ServerLost(f"{self.address} cannot be reached: {why}") from None


class _ProblemDetails(msgspec.Struct, frozen=True):
    """The parts of a problem document that are shown; another server's may lack any of them."""

    code: str = ""
    title: str = ""
    detail: str = ""
    rule: str = ""


def _refusal(error: HTTPError) -> ServerRefused:
    try:
        problem = msgspec.json.decode(error.read(65_536), type=_ProblemDetails)
    except (msgspec.MsgspecError, ValueError, RecursionError, HTTPException, OSError):
        return ServerRefused("", f"the server answered {error.code} {error.reason}", status=error.code)
    message = problem.detail or problem.title or str(error.reason)
    return ServerRefused(problem.code, message, rule=problem.rule, status=error.code)


# --- taking a seat ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatKey:
    """Credentials of a seat, to be kept: its token, and the entropy that it contributes to the deal."""

    server: str
    table: str
    seat: int
    token: str
    entropy: str

    @staticmethod
    def promise(table: str, seat: int) -> tuple[str, str]:
        """Fresh entropy for the deal, and the commitment to it that joining sends."""
        entropy = secrets.token_bytes(32)
        return entropy.hex(), entropy_commitment(table, seat, entropy).hex()


class NoFreeSeat(FacedownError):
    """The wanted seat, or every seat of a table, is taken."""

    code = "no_free_seat"

    def __init__(self, free: Sequence[Seat]) -> None:
        super().__init__("this seat is taken" if free else "all seats of this table are taken")
        self.free = tuple(free)


def pair(server: RestClient, wanted: NewTicket, patience: float = 60.0) -> SeatKey | None:
    """Wait for people who want the same game, and take the seat at the table that is found; None if there is
    none for that many seconds: then the ticket is withdrawn."""
    until = time.monotonic() + patience
    while (left := until - time.monotonic()) > 0:
        found = server.put_ticket(wanted, min(left, 5.0))
        if not found.table or not found.seat:
            continue
        if found.state == "playing":
            token = server.resume(found.table, found.seat).token
            return SeatKey(server.address, found.table, found.seat, token, "")
        entropy, commit = SeatKey.promise(found.table, found.seat)
        try:
            token = server.join(found.table, found.seat, commit).token
        except ServerRefused as refused:
            if refused.status != SeatTaken.status:
                raise
            continue  # closed in the meantime: another player did not come
        return SeatKey(server.address, found.table, found.seat, token, entropy)
    server.withdraw_ticket()
    return None


def take_seat(
    server: RestClient, table: str, seats: Sequence[SeatInfo | ListedSeat], asked: Seat | None, code: str
) -> SeatKey:
    """Take a free seat, without `asked` the first one; raises `NoFreeSeat`."""
    free = [each.seat for each in seats if each.kind == "person" and not each.name]
    if not free or (asked is not None and asked not in free):
        raise NoFreeSeat(free)
    seat = free[0] if asked is None else asked
    entropy, commit = SeatKey.promise(table, seat)
    return SeatKey(server.address, table, seat, server.join(table, seat, commit, code).token, entropy)
