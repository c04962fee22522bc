"""The calls of a server: who one is, tables, invitations, records. Each blocks until it is answered."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from facedown.client.errors import BadAddress, Lost, Refused

_TABLE: Final = re.compile(r"[0-9A-Z]{26}")
_PATIENCE: Final = 20.0
"""Seconds that a call may take."""


@dataclass(frozen=True, slots=True)
class Address:
    """A server, and the name of an invitation or a table there; the name may be missing."""

    server: str
    name: str = ""

    @classmethod
    def read(cls, text: str) -> Address:
        """From a link as people send it: `https://server/i/CODE`, `…/t/ID`, or the server alone."""
        whole = text.strip() if "://" in text else f"http://{text.strip()}"
        try:
            parts = urlsplit(whole)
            port = parts.port
        except ValueError:
            raise BadAddress(f"{text[:80]!r} is no address", text=text) from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadAddress(f"{text[:80]!r} is no address: https://server/i/CODE is one", text=text)
        path = [part for part in f"{parts.path}/{parts.fragment}".split("/") if part]
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        server = f"{parts.scheme}://{host}{'' if port is None else f':{port}'}"
        return cls(server, path[-1] if path else "")

    @property
    def is_table(self) -> bool:
        """Whether the name is a table's, rather than an invitation's."""
        return _TABLE.fullmatch(self.name) is not None


class Server:
    """One server, as one person."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = Address.read(address).server
        self.token = token

    def sign_in(self, name: str = "") -> str:
        """Become a guest, a program among others; the token that proves it later."""
        body = {"kind": "program"} | ({"name": name} if name else {})
        self.token = str(self.call("POST", "/session", body)["token"])
        return self.token

    def is_known(self) -> bool:
        """Whether the server still knows this person."""
        try:
            self.call("GET", "/session")
        except Refused:
            return False
        return True

    def rename(self, name: str) -> None:
        """Be called something else from now on."""
        self.call("PATCH", "/session", {"name": name})

    def games(self) -> list[dict[str, Any]]:
        """The games of the server, with presets, options and machines."""
        found: list[dict[str, Any]] = self.call("GET", "/games")
        return found

    def make(
        self, game: str, rules: str, seats: Sequence[Mapping[str, str]], **more: object
    ) -> dict[str, Any]:
        """Make a table; its id, invitation and seats."""
        body = {"game": game, "rules": rules, "seats": list(seats), **more}
        return self._object("POST", "/tables", body, {"Idempotency-Key": secrets.token_hex(16)})

    def invited(self, code: str) -> dict[str, Any]:
        """What an invitation is for."""
        return self._object("GET", f"/invites/{quote(code, safe='')}")

    def join(self, table: str, seat: int, commit: str, code: str = "") -> str:
        """Take a seat, by invitation where there is one; the seat's token."""
        path = f"/invites/{quote(code, safe='')}/join" if code else f"/tables/{table}/join"
        return str(self._object("POST", path, {"seat": seat, "commit": commit})["token"])

    def resume(self, table: str, seat: int | None = None) -> tuple[int, str]:
        """A fresh token for a seat that this person has already."""
        body = {} if seat is None else {"seat": seat}
        found = self._object("POST", f"/tables/{table}/resume", body)
        return int(found["seat"]), str(found["token"])

    def table(self, table: str) -> dict[str, Any]:
        """The table as this person sees it now."""
        return self._object("GET", f"/tables/{table}")

    def record(self, table: str) -> dict[str, Any]:
        """The record; all of it once the game is over."""
        return self._object("GET", f"/tables/{table}/record")

    # --- the calls themselves ------------------------------------------------------------------------

    def _object(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        found = self.call(method, path, body, headers)
        if not isinstance(found, dict):
            raise Lost(f"{self.address} answers what no such server does")
        return found

    def call(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        """One call; raises `Refused` where the server says no, `Lost` where there is none."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.address}/api/v1{path}", data, sent, method=method)
        try:
            with urlopen(request, timeout=_PATIENCE) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                raise _refusal(error) from None
        except (URLError, HTTPException, OSError) as error:
            why = getattr(error, "reason", error)
            raise Lost(f"{self.address} cannot be reached: {why}") from None
        except ValueError:
            raise Lost(f"{self.address} answers what no such server does") from None


def _refusal(error: HTTPError) -> Refused:
    """A problem document as an error of ours."""
    try:
        told = json.loads(error.read(65_536))
        say = str(told.get("detail") or told.get("title") or error.reason)
        return Refused(str(told.get("code", "")), say, rule=str(told.get("rule", "")), status=error.code)
    except (ValueError, AttributeError, OSError):
        return Refused("", f"the server answered {error.code} {error.reason}", status=error.code)
