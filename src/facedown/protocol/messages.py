"""WebSocket messages of both directions, and their bytes.

The server sends views, events as a viewer may know them (`views`), acknowledgements and failures. A state, a
ballot or an event with its audience does not type-check here.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from facedown.core.errors import FacedownError
from facedown.core.parts.story import Story
from facedown.protocol.deltas import GameEvent, ViewDelta
from facedown.protocol.errors import BadMessage

SUBPROTOCOL: Final = "facedown.v1"
"""The WebSocket subprotocol that clients offer and the server selects."""

# --- values of both directions ---------------------------------------------------------------------------

Hex32: TypeAlias = Annotated[
    str, Meta(pattern="^[0-9a-f]{64}$", max_length=64, description="32 bytes in hexadecimal")
]
TableId: TypeAlias = Annotated[str, Meta(pattern="^[0-9A-Z]{26}$", max_length=26)]
CommandId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9A-Za-z_-]{1,32}(?!\n)$",  # `$` alone would allow a newline at the end
        max_length=32,
        description="unique for this seat and its sender, such as a ULID",
    ),
]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
DecisionNumber: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]
Version: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Millis: TypeAlias = Annotated[int, Meta(description="milliseconds since 1970")]
Picked: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Padding: TypeAlias = Annotated[
    str, Meta(max_length=64, description="nothing: makes picks of any length equally long on the wire")
]
Phase: TypeAlias = Literal["open", "opening", "playing", "over", "closed"]
"""The phase of a table: seats are free, entropy is being opened, the game is played, over, or was closed."""
MachineName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
SealWay: TypeAlias = Literal["server", "blind"]
"""How picks are sealed: the server keeps them, or learns them only once all have sealed."""
ChatPreset: TypeAlias = Literal[
    "well_played", "thanks", "hello", "good_luck", "one_moment", "sorry",
    "smile", "laugh", "wink", "wow", "think", "cry",
]  # fmt: skip
"""Phrases that chat always allows, translated by every client; the last six are emotes, without words."""


# --- messages from clients -------------------------------------------------------------------------------


class Hello(Struct, frozen=True, tag_field="t", tag="hello", omit_defaults=True):
    """The first message of a connection: the table, and the seat's token; none for a spectator.

    `v` is the last event that was seen. With `recap`, a snapshot of the table as it was before the missed
    reveals comes first, then every update since then as it was sent."""

    table: TableId
    token: Annotated[str, Meta(max_length=128)] | None = None
    v: Version | None = None
    play: bool = True
    recap: bool = False
    n: Version | None = None
    """The number of the last link that the client has folded."""
    head: Hex32 | None = None
    """The head after it; the server sends every link if it has another one."""


class Cmd(Struct, frozen=True, tag_field="t", tag="cmd", omit_defaults=True):
    """A seat's command; repeated with the same id until it is answered."""

    id: CommandId
    do: Literal[
        "pick", "open", "resign", "leave", "say", "replace", "agree", "rematch", "share",
        "free", "fill", "start", "close", "back", "chat", "reveal", "promise", "ready",
    ]  # fmt: skip
    decision: DecisionNumber | None = None
    pick: Picked | None = None
    commit: Hex32 | None = None
    nonce: Hex32 | None = None
    entropy: Hex32 | None = None
    text: Annotated[str, Meta(max_length=280)] | None = None
    preset: ChatPreset | None = None
    seat: SeatNumber | None = None
    machine: MachineName | None = None
    pad: Padding | None = None
    on: bool | None = None


class Take(Struct, frozen=True, tag_field="t", tag="take"):
    """Take the seat over: this connection plays it again, the one that did becomes a reader."""


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """The answer to a ping."""


ClientMessage: TypeAlias = Hello | Cmd | Take | Pong

_client_messages: Final[msgspec.json.Decoder[ClientMessage]] = msgspec.json.Decoder(ClientMessage)


def decode_client_message(frame: bytes) -> ClientMessage:
    """A frame from a client; raises `BadMessage`."""
    try:
        return _client_messages.decode(frame)
    except msgspec.MsgspecError as error:
        raise BadMessage(f"not a message of this protocol: {error}") from None
    except (UnicodeDecodeError, RecursionError):
        raise BadMessage("not a message of this protocol: not readable as JSON") from None


class _IdentifiedCommand(Struct, frozen=True, tag_field="t", tag="cmd"):
    """As much of a command as is needed to refuse it."""

    id: CommandId


_identified: Final = msgspec.json.Decoder(_IdentifiedCommand)


def command_id_of(frame: bytes) -> str | None:
    """The id of a command that may be unreadable otherwise; None for anything else."""
    try:
        return _identified.decode(frame).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


# --- the table as a viewer sees it -----------------------------------------------------------------------


class ReplacementOffer(Struct, frozen=True):
    """An offer that a machine takes over a seat; it does so when all needed seats have agreed."""

    machine: str
    agreed: tuple[int, ...]
    needed: tuple[int, ...]


class SeatInfo(Struct, frozen=True):
    """A seat: who sits there, connected or not, and what it committed to."""

    seat: int
    kind: Literal["person", "machine"]
    name: str
    machine: str | None
    taken: bool
    commit: str | None
    opened: str | None
    left: bool
    here: bool
    replaceable: bool
    replaced_at: int | None
    offer: ReplacementOffer | None
    kept_for: str | UnsetType = UNSET
    """The name of the person for whom a free seat is reserved."""


class SealInfo(Struct, frozen=True):
    """A sealed pick: its seat, its commitment, and who placed it (`person`, `machine` or `clock`)."""

    seat: int
    commit: str
    placer: str


class TurnInfo(Struct, frozen=True):
    """The open decision: seats still to pick, seats that may seal now, seals, deadlines and banks."""

    decision: int
    waiting: tuple[tuple[int, ...], ...]
    may_seal: tuple[int, ...]
    sealed: tuple[SealInfo, ...]
    deadlines: dict[str, Millis]
    banks: dict[str, int]
    since: Millis
    """When the clocks of these seats start: in the future while everyone may still read a result."""
    promised: tuple[SealInfo, ...] | UnsetType = UNSET
    """What machines have promised to place, before people seal."""
    to_open: tuple[int, ...] | UnsetType = UNSET
    """At a blind table, once all have sealed: the seats that have not opened their picks yet."""
    open_until: Millis | UnsetType = UNSET
    """Until when they may; a seat that has not by then forfeits the decision."""
    unready: tuple[int, ...] | UnsetType = UNSET
    """The seats that are not ready: the clocks of the first decision wait for them, at most until `since`."""
    head: str | UnsetType = UNSET
    """The head on which seals of the decision are made, for programs that do not fold links themselves."""


class Clock(Struct, frozen=True):
    """The time control: none, seconds or days for each decision, and a bank for the whole game.

    No clock runs while everyone reads a result (`grace`). In the first decision none runs before every person
    is ready or has sealed, for `ready` seconds at most."""

    kind: Literal["none", "decision", "correspondence"] = "none"
    seconds: Annotated[int, Meta(ge=1, le=3600)] = 30
    days: Annotated[int, Meta(ge=1, le=30)] = 3
    bank: Annotated[int, Meta(ge=0, le=3600, description="seconds or days, of the same unit")] = 0
    grace: Annotated[int, Meta(ge=0, description="seconds after a reveal; set by the server")] = 0
    ready: Annotated[int, Meta(ge=0, le=60, description="seconds, at most, before the first decision")] = 0


class Series(Struct, frozen=True):
    """The series of games of the same people: this game's number, and the wins and ties before it."""

    number: int
    wins: tuple[int, ...]
    ties: int
    previous: str | None


class ContinuedGame(Struct, frozen=True):
    """The finished game that this one continues, and how many of its decisions were taken over."""

    table: str
    decisions: int
    draws: int = 0
    digest: str = ""
    """The digest of that game (`core.record.game_digest`)."""


class ReplacedSeat(Struct, frozen=True, omit_defaults=True):
    """A seat that a machine took over, from this decision on, until its person came back for `until`."""

    seat: int
    machine: str
    decision: int
    until: int | None = None


class GameResult(Struct, frozen=True):
    """The result of a game, and the seats that a machine had taken over."""

    winner: int | None
    termination: str
    score: tuple[int, ...]
    replaced: tuple[ReplacedSeat, ...]


class ChatMessage(Struct, frozen=True):
    """A chat message: a text or a preset phrase."""

    seat: int
    name: str
    text: str | None
    preset: str | None
    at: Millis
    v: int = 0
    """The number of its event, by which it can be reported."""


class TableInfo(Struct, frozen=True):
    """Everything about a table but the game itself."""

    id: str
    game: str
    version: int
    rules: str
    title: str
    state: Phase
    hotseat: bool
    public: bool
    watch: Literal["anyone", "nobody"]
    clock: Clock
    flag: str
    host_is_you: bool
    yours: tuple[int, ...]
    invite: str | None
    seed_commit: str
    seed: str | None
    seats: tuple[SeatInfo, ...]
    turn: TurnInfo | None
    series: Series
    next: str | None
    result: GameResult | None
    said: tuple[ChatMessage, ...]
    created_at: Millis
    ended_at: Millis | None
    continues: ContinuedGame | None = None
    substitute: str = ""
    """The machine that takes over the seat of an absent player."""
    chat: bool = True
    """Whether people at this table can talk."""
    seal: SealWay = "server"
    key: str = ""
    """The public key with which the server signs the links of this table, in hexadecimal."""
    opening: int = 0
    """How long seats may take to open what they promised or sealed, in milliseconds."""
    story: Story | UnsetType = UNSET
    """What can be said of a finished game."""


# --- messages from the server ----------------------------------------------------------------------------


class Welcome(Struct, frozen=True, tag_field="t", tag="welcome"):
    """The answer to hello; missed events and a snapshot follow."""

    table: str
    seat: int
    v: int
    plays: bool
    now: Millis
    ping: int


class Links(Struct, frozen=True, tag_field="t", tag="links", omit_defaults=True):
    """After `welcome`: the links that the client does not have, and the signature of the last head."""

    first: int
    """The number of the first of them."""
    links: tuple[tuple[Any, ...], ...]
    """Each as its kind, its time and its fields."""
    sig: str | None = None


class Snap(Struct, frozen=True, tag_field="t", tag="snap"):
    """A snapshot of the table as this viewer may see it now."""

    v: int
    now: Millis
    table: TableInfo
    view: msgspec.Raw
    legal: tuple[str, ...]
    placed: str | None
    pad: Padding | UnsetType = UNSET


class Ack(Struct, frozen=True, tag_field="t", tag="ack", omit_defaults=True):
    """A command carried out, and on disk. `v` is the number of its event."""

    id: str
    v: int
    next: str | None = None
    n: int | None = None
    """The number of its link, if it is one."""


class Nak(Struct, frozen=True, tag_field="t", tag="nak", omit_defaults=True):
    """A command refused; nothing has changed. With `store_failed` it may be saved: send the same again."""

    id: str
    code: str
    say: str
    rule: str = ""
    status: int = 400


class OpenedPick(Struct, frozen=True):
    """A revealed pick with the nonce of its seal; `forfeit` without a nonce if its seat did not open it."""

    seat: int
    pick: str
    nonce: str


class EventState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last fields of `Ev`: the table after the event, and the game as one viewer sees it.

    Encoded apart from the event, where many viewers receive the same."""

    state: Phase | UnsetType = UNSET
    seats: tuple[SeatInfo, ...] | UnsetType = UNSET
    turn: TurnInfo | UnsetType | None = UNSET
    view: msgspec.Raw | UnsetType = UNSET
    change: ViewDelta | UnsetType = UNSET
    legal: tuple[str, ...] | UnsetType = UNSET
    sig: str | UnsetType = UNSET
    """The server's signature of the head after the last link: in the last event of an update with links."""


class Ev(EventState, frozen=True, tag_field="t", tag="ev", omit_defaults=True):
    """An event of kind `k`, "-" if this viewer may not know it. The last seven fields are the new state."""

    v: int
    k: str
    at: Millis | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    unopened: tuple[int, ...] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    machine: str | UnsetType = UNSET
    by: int | UnsetType = UNSET
    commit: str | UnsetType = UNSET
    entropy: str | UnsetType = UNSET
    decision: int | UnsetType = UNSET
    placer: str | UnsetType = UNSET
    forfeited: tuple[int, ...] | UnsetType = UNSET
    due: tuple[tuple[int, ...], ...] | UnsetType = UNSET
    n: int | UnsetType = UNSET
    """The number of the link that the event is (`core.links`); other events have none."""
    placed: str | UnsetType = UNSET
    pad: Padding | UnsetType = UNSET
    opens: tuple[OpenedPick, ...] | UnsetType = UNSET
    events: tuple[GameEvent, ...] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    preset: str | UnsetType = UNSET
    result: GameResult | UnsetType = UNSET
    story: Story | UnsetType = UNSET
    seed: str | UnsetType = UNSET
    next: str | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    on: bool | UnsetType = UNSET
    say: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    key: str | UnsetType = UNSET
    setup: msgspec.Raw | UnsetType = UNSET
    seed_commit: str | UnsetType = UNSET
    left: int | UnsetType = UNSET


class Role(Struct, frozen=True, tag_field="t", tag="role"):
    """Whether this connection plays its seat, or reads because a newer one plays."""

    plays: bool


class Here(Struct, frozen=True, tag_field="t", tag="here"):
    """Which seats are connected now, and for which a machine may be offered."""

    seats: tuple[int, ...]
    replaceable: tuple[int, ...]


class Ping(Struct, frozen=True, tag_field="t", tag="ping"):
    """A keep-alive. `v` is the newest event: if it is larger than the client's own, events are missing."""

    v: int
    now: Millis


class Bye(Struct, frozen=True, tag_field="t", tag="bye"):
    """The server is about to close the connection; `again`: reconnect after that many milliseconds."""

    code: str
    say: str
    again: int | None = None


ServerMessage: TypeAlias = Welcome | Links | Snap | Ack | Nak | Ev | Role | Here | Ping | Bye

_encode: Final = msgspec.json.Encoder().encode
_LONGEST_PICK: Final = 32


def padding(pick: str) -> str:
    """The padding that makes messages with any pick equally long."""
    return "." * max(1, _LONGEST_PICK + 1 - len(_encode(pick)) + 2)


_server_messages: Final[msgspec.json.Decoder[ServerMessage]] = msgspec.json.Decoder(ServerMessage)


def encode(message: ServerMessage | ClientMessage) -> bytes:
    """A message as the bytes of one frame."""
    return _encode(message)


class _Tagged(Struct, frozen=True):
    t: str


def decode_server_message(frame: str | bytes) -> ServerMessage | None:
    """A frame from a server; None for an unknown kind. Skips unknown fields; raises `BadMessage`."""
    try:
        return _server_messages.decode(frame)
    except msgspec.MsgspecError as error:
        if _tag_of(frame) not in _SERVER_TAGS:
            return None
        raise BadMessage(f"not a message of this protocol: {error}") from None
    except (UnicodeDecodeError, RecursionError):
        raise BadMessage("not a message of this protocol: not readable as JSON") from None


_SERVER_TAGS: Final = frozenset(
    str(kind.__struct_config__.tag) for kind in (Welcome, Links, Snap, Ack, Nak, Ev, Role, Here, Ping, Bye)
)


def _tag_of(frame: str | bytes) -> str:
    try:
        return msgspec.json.decode(frame, type=_Tagged).t
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadMessage("not a message of this protocol: no JSON object with a tag `t`") from None


def nak(command: str, error: FacedownError, status: int) -> Nak:
    """The refusal of a command, with the code and sentence of its error."""
    return Nak(command, error.code, str(error.message), error.rule, status)
