"""Settings of a server: its address, its data folder, and every limit with its default.

Read once, from flags and FACEDOWN_… variables. Holds no secret but a password in the store's URL, which
`printable` leaves out.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_type_hints
from urllib.parse import urlsplit

from facedown.core.errors import FacedownError, Unreadable
from facedown.proof.log import read_witness_key
from facedown.server.ops.rate_limits import Caps, Rate

PREFIX: Final = "FACEDOWN_"
LOG_FORMATS: Final = ("auto", "json", "console")
CLIENTS: Final = ("bundle", "sources")
OFFLINE: Final = ("kept", "fetch", "no")
SIGN_UP: Final = ("open", "closed")
SWITCH: Final = ("on", "off")
_CHOICES: Final = {
    "log": LOG_FORMATS,
    "offline": OFFLINE,
    "client": CLIENTS,
    "sign_up": SIGN_UP,
    "pairing": SWITCH,
    "tournaments": SWITCH,
    "public_lists": SWITCH,
    "ratings": SWITCH,
}
SWITCHES: Final = tuple(name for name, allowed in _CHOICES.items() if allowed == SWITCH)
_FILES: Final = ("tls", "chat_words")
_MOST: Final = 1_000_000_000
_FRAMES: Final = 300
"""Frames of a WebSocket in 20 seconds; more if more commands are allowed."""


class BadSetting(FacedownError):
    """A setting that cannot be used."""

    code = "bad_setting"


def default_data_folder(environ: Mapping[str, str]) -> Path:
    """The default data folder: below the XDG data folder of the user who runs the server, or below the local
    application data of Windows."""
    home = environ.get("XDG_DATA_HOME", "") or (environ.get("LOCALAPPDATA", "") if os.name == "nt" else "")
    base = Path(home) if os.path.isabs(home) else Path(environ.get("HOME") or Path.home()) / ".local/share"
    return base / "facedown"


def _limit(default: int, least: int = 1) -> Any:
    return field(default=default, metadata={"least": least})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a server."""

    data: Path
    """The data folder."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = field(default=8765, metadata={"least": 0, "most": 65535})
    """The port to listen on; 0 takes a free one."""
    store: str = ""
    """The URL of the store; empty is SQLite in the data folder."""
    tls: tuple[str, ...] = ()
    """A certificate and its key as PEM files, to serve over HTTPS; empty serves over HTTP."""
    public_url: str = ""
    """The address that people use, behind a reverse proxy."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies whose X-Forwarded-For is believed."""
    hosts: tuple[str, ...] = ()
    """Host names of the server, besides its own addresses and names of the local network."""
    operators: tuple[str, ...] = ()
    """Addresses, besides this computer's own, that may read `/metrics` and `/readyz`."""
    witnesses: tuple[str, ...] = ()
    """Public witnesses that are asked to cosign the public log: the key of each, a blank, its address."""
    log: str = "auto"
    """The log format: `json`, `console`, or `auto` (console on a terminal)."""
    client: str = "bundle"
    """How browsers get their modules: `bundle`, or `sources` to work on them."""
    offline: str = "kept"
    """Play without a network: `kept` offers it if its files are there, `fetch` gets them, `no` does not."""
    sign_up: str = "open"
    """Whether guests may keep their accounts, with a handle and a recovery code: `open` or `closed`."""
    pairing: str = "on"
    """Whether people find each other (`on` or `off`): one button, and a table for those who want the same."""
    tournaments: str = "on"
    """Whether people set up and play tournaments: `on` or `off`."""
    public_lists: str = "on"
    """Whether anyone may read lists of public tables, waiting people and standings, and pages of people:
    `on` or `off`."""
    ratings: str = "on"
    """Whether finished games between people change ratings: `on` or `off`."""
    chat_words: tuple[str, ...] = ()
    """Files of words that no chat message may hold, one for each language; none by default."""
    contact: str = ""
    """The operator's address for push services (`mailto:…`)."""

    # --- limits ---------------------------------------------------------------------------------------

    body_bytes: int = _limit(16_384)
    """The largest body of a request, in bytes."""
    body_seconds: int = _limit(10)
    """How long a request's body may take, in seconds."""
    sockets: int = _limit(100)
    """WebSockets that one address may have open."""
    frames: int = _limit(200)
    """Frames in a second that all WebSockets of one address together may send; half of them at once."""
    connections: int = _limit(200)
    """HTTP connections that one address may have open."""
    requests: int = _limit(900)
    """The request budget of one address, and of one person; refilled within 15 seconds."""
    joins: int = _limit(30)
    """Seats that one person, or one address, may take in a minute."""
    commands: int = _limit(100)
    """Commands of a seat in 20 seconds."""
    chat: int = _limit(5)
    """Chat messages of a seat or spectator at a table in 10 seconds."""
    tables: int = _limit(10)
    """Tables that one person, or one address, may set up in a minute."""
    people: int = _limit(30)
    """New guests of one address in a minute."""
    accounts: int = _limit(20)
    """Accounts that people at one address may keep in an hour."""
    guesses: int = _limit(20)
    """Wrong tokens and invitations from one address in a minute."""
    streams: int = _limit(4)
    """Streams and long polls that one person may have open."""
    studies: int = _limit(20)
    """Verdicts and reviews that one address may ask for in a minute."""
    study_seconds: int = _limit(60)
    """The time limit of a verdict or a review, in seconds."""
    drain_seconds: int = _limit(2, 0)
    """How long one of several servers serves on after SIGTERM, no longer ready, until proxies notice."""
    machine_pause: int = _limit(2000, 0)
    """How long a machine takes at most before it seals, in milliseconds."""

    def __post_init__(self) -> None:
        if self.contact and not self.contact.startswith(("mailto:", "https://")):
            raise BadSetting(f"contact {self.contact[:80]!r}: written as mailto:someone@example.org")
        if self.public_url and not _is_origin(self.public_url):
            raise BadSetting(
                f"public-url {self.public_url[:80]!r}: an address like https://cards.example.org"
            )
        for witness in self.witnesses:
            _check_witness(witness)
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise BadSetting(f"{name} {getattr(self, name)[:40]!r}: one of {', '.join(allowed)}")
        if len(self.tls) not in (0, 2):
            raise BadSetting("tls: two files, the certificate and its key")
        for each in fields(self):
            if each.type == "int":
                _check_number(each.name, getattr(self, each.name), each.metadata)
        for proxy in self.proxies:
            _check_network("proxies", proxy)
        for operator in self.operators:
            _check_network("operators", operator)

    @classmethod
    def read(cls, arguments: Mapping[str, object], environ: Mapping[str, str]) -> Settings:
        """Settings from flags, then FACEDOWN_… variables, then defaults; raises `BadSetting`.

        >>> Settings.read({"port": 0}, {"FACEDOWN_PORT": "80", "FACEDOWN_DATA": "/srv/cards"}).data
        PosixPath('/srv/cards')
        """
        written: dict[str, object] = {
            each.name: environ[PREFIX + each.name.upper()]
            for each in fields(cls)
            if environ.get(PREFIX + each.name.upper())
        }
        written |= {name: value for name, value in arguments.items() if value is not None}
        written |= dict(_read_limit(each) for each in _list(written.pop("limit", None)))
        known = get_type_hints(cls)
        for name in written:
            if name not in known:
                raise BadSetting(f"there is no setting {name[:40]!r}")
        read: dict[str, Any] = {name: _read(name, value, known[name]) for name, value in written.items()}
        return cls(**{"data": default_data_folder(environ), **read})

    @property
    def switched_off(self) -> tuple[str, ...]:
        """What the operator has switched off, for pages that then say nothing of it."""
        off = [name for name in SWITCHES if getattr(self, name) == "off"]
        return (*off, "sign_up") if self.sign_up == "closed" else tuple(off)

    @property
    def store_url(self) -> str:
        return self.store or f"sqlite:{self.data}"

    @property
    def is_shared(self) -> bool:
        return self.store_url.startswith(("postgresql:", "postgres:"))

    @property
    def caps(self) -> Caps:
        return Caps(
            commands=Rate(self.commands, 20),
            chat=Rate(self.chat, 10),
            presets=Rate(10, 10),
            frames=Rate(max(_FRAMES, 3 * self.commands), 20),
            tables=Rate(self.tables, 60),
            people=Rate(self.people, 60),
            guesses=Rate(self.guesses, 60),
            analyses=Rate(self.studies, 60),
            requests=Rate(self.requests, 15),
            request_pace=Rate(max(self.requests // 10, 1), 0.75),
            frame_pace=Rate(max(self.frames // 2, 1), 0.5),
            joins=Rate(self.joins, 60),
            accounts=Rate(self.accounts, 3600),
            sockets=self.sockets,
            connections=self.connections,
        )

    @property
    def is_secure(self) -> bool:
        """Whether people reach the server over TLS: then its cookies are `Secure`."""
        return self.public_url.startswith("https://") if self.public_url else bool(self.tls)

    def printable(self) -> dict[str, str]:
        """Every setting as text for the log; passwords in addresses are left out."""
        return {each.name: _printable(getattr(self, each.name)) for each in fields(self)}


# --- reading single settings -----------------------------------------------------------------------------


def _list(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else []


def _read_limit(text: str) -> tuple[str, str]:
    """The name and the number of `--limit NAME=NUMBER`."""
    name, equals, value = text.partition("=")
    name = name.strip().replace("-", "_")
    numbers = {each.name: each for each in fields(Settings) if each.type == "int"}
    limits = {each: numbers[each] for each in numbers if each != "port"}
    if not equals or name not in limits:
        raise BadSetting(f"limit {text[:60]!r}: written as NAME=NUMBER; the limits are {', '.join(limits)}")
    return name, value


def _read(name: str, value: object, kind: Any) -> object:
    if kind is int:
        return _number(name, value)
    if kind is Path:
        return Path(str(value)).expanduser().absolute()
    if kind is str:
        text = str(value).strip()
        return text.rstrip("/") if name == "public_url" else text
    parts = value if isinstance(value, list | tuple) else str(value).split(",")
    texts = (str(each).strip() for each in parts if str(each).strip())
    return (
        tuple(str(Path(each).expanduser().absolute()) for each in texts) if name in _FILES else tuple(texts)
    )


def _number(name: str, value: object) -> int:
    text = str(value).strip()
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise BadSetting(f"{name} {text[:40]!r}: a whole number is needed")
    return int(text)


def _check_number(name: str, value: int, bounds: Mapping[str, int]) -> None:
    least, most = bounds.get("least", 0), bounds.get("most", _MOST)
    if not least <= value <= most:
        raise BadSetting(f"{name} {value}: from {least} to {most}")


def _check_network(name: str, text: str) -> None:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise BadSetting(f"{name} {text[:60]!r}: an address or a network like 10.0.0.0/8") from None


def _check_witness(text: str) -> None:
    key, _, address = text.partition(" ")
    try:
        read_witness_key(key)
    except Unreadable:
        address = ""
    if not re.fullmatch(r"https?://[!-~]+", address):
        raise BadSetting(f"witnesses {text[:80]!r}: written as NAME+ID+KEY https://ADDRESS")


def _is_origin(text: str) -> bool:
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018  # raises if it is no number
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.path or parts.query)


def _printable(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return re.sub(r"//[^/@\s]*@", "//…@", re.sub(r"(?i)([?&]password=)[^&\s]*", r"\1…", str(value)))
