"""REST types for accounts: sessions, devices, handles and recovery codes, profile, ratings, push."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from facedown.core.parts.story import Story
from facedown.protocol.messages import Millis
from facedown.protocol.moderation import OwnSanction

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, description="cut to 32 characters")]
Handle: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


# --- sessions and profile --------------------------------------------------------------------------------


class NewSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest session to create: browsers get a cookie, programs a bearer token."""

    name: Name | None = None
    kind: Literal["browser", "program"] = "browser"


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """The name that a person wants to have."""

    name: Name


class CodeUseInfo(Struct, frozen=True):
    """A sign-in with the recovery code, by a program on a system; its id is that of the device."""

    id: str
    at: Millis
    app: str
    system: str


class Session(Struct, frozen=True, omit_defaults=True):
    """A session: who is calling. The token is sent once, and to programs only. `code_uses` are the
    last week's sign-ins with the recovery code on other devices, `sanctions` what moderators keep the person
    from."""

    person: str
    name: str
    token: str | UnsetType = UNSET
    handle: str | UnsetType = UNSET
    code_uses: tuple[CodeUseInfo, ...] = ()
    sanctions: tuple[OwnSanction, ...] = ()


# --- kept accounts ---------------------------------------------------------------------------------------

RecoveryCode: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=100, description="in any case, with any separators")
]


class KeepAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """The handle that a guest wants: 3 to 20 letters of one script, digits, `_` and `-`, in any case. Without
    one, another code of a kept account is meant."""

    handle: Handle | None = None


class NewCode(Struct, frozen=True):
    """A recovery code, sent once: eight groups with `-` between them. It counts when the groups with the
    numbers `ask`, from 1, are sent back."""

    code: str
    ask: tuple[int, ...]
    expires_at: Millis


class ConfirmCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The groups that were asked back, in their order."""

    groups: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(min_length=1, max_length=8)]


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A handle and its recovery code, and the kind of client that signs in."""

    handle: Handle
    code: RecoveryCode
    kind: Literal["browser", "program"] = "browser"


class DeviceInfo(Struct, frozen=True):
    """A session of this person: a program on a system, how it was made, when, its last use to the day."""

    id: str
    kind: str
    app: str
    system: str
    made: str
    since: Millis
    used_at: Millis
    current: bool


class PasskeyInfo(Struct, frozen=True):
    """A passkey: the host that it was made for, by a program on a system, when, and its last use."""

    id: str
    host: str
    app: str
    system: str
    at: Millis
    used_at: Millis


# --- tokens ----------------------------------------------------------------------------------------------

Scope: TypeAlias = Literal["tables:read", "tables:write", "people:read", "contacts:read", "contacts:write"]


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A personal token to make: a name for its owner, and what it may do."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=8)]


class TokenInfo(Struct, frozen=True):
    """A personal token without its secret: when it was made, and its last use, to the minute."""

    id: str
    name: str
    scopes: tuple[str, ...]
    at: Millis
    used_at: Millis | None


class MadeToken(Struct, frozen=True):
    """A new personal token: the secret is sent once, and kept as a hash."""

    token: str
    info: TokenInfo


class NewBot(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot to make, by its handle: as an account's, of at most 16 characters."""

    handle: Annotated[str, Meta(min_length=1, max_length=32)]


class BotInfo(Struct, frozen=True):
    """A bot of the caller: others see its handle and its owner's in its name."""

    handle: str
    name: str
    at: Millis


class MadeBot(Struct, frozen=True):
    """A bot, and its token, which is sent once and replaces an earlier one."""

    bot: BotInfo
    token: str


class AccountInfo(Struct, frozen=True):
    """The caller's account: no handle for a guest, who may keep it if `may_keep`; devices, the one used last
    first; passkeys, personal tokens, and bots."""

    handle: str | None
    kept_at: Millis | None
    may_keep: bool
    devices: tuple[DeviceInfo, ...]
    passkeys: tuple[PasskeyInfo, ...] = ()
    tokens: tuple[TokenInfo, ...] = ()
    bots: tuple[BotInfo, ...] = ()


# --- passkeys --------------------------------------------------------------------------------------------

Encoded: TypeAlias = Annotated[str, Meta(max_length=8000, description="base64url, as WebAuthn's JSON")]


class PasskeyOptions(Struct, frozen=True):
    """What a browser needs to make a passkey or to sign in with one: WebAuthn's JSON of its options."""

    options: dict[str, Any]


class MadePasskeyData(Struct, frozen=True):
    """What a new passkey says of itself."""

    client_data: Encoded = field(name="clientDataJSON")
    attestation: Encoded = field(name="attestationObject")


class MadePasskey(Struct, frozen=True):
    """A passkey that a browser has made: the `toJSON()` of its credential; other fields are not read."""

    id: Encoded
    raw_id: Encoded = field(name="rawId")
    response: MadePasskeyData
    type: Literal["public-key"] = "public-key"


class SignedPasskeyData(Struct, frozen=True):
    """What a passkey has signed."""

    client_data: Encoded = field(name="clientDataJSON")
    authenticator_data: Encoded = field(name="authenticatorData")
    signature: Encoded
    user_handle: Encoded = field(name="userHandle")


class SignedPasskey(Struct, frozen=True):
    """The answer of a passkey to a challenge: the `toJSON()` of its credential; other fields are not read."""

    id: Encoded
    raw_id: Encoded = field(name="rawId")
    response: SignedPasskeyData
    type: Literal["public-key"] = "public-key"


class PasskeySignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a passkey."""

    passkey: SignedPasskey


# --- profile ---------------------------------------------------------------------------------------------


class FinishedGame(Struct, frozen=True):
    """A finished game of this person; `won` is null if it was drawn, and one that continued a position
    of another game is `continued`: it counts in no statistics."""

    table: str
    game: str
    rules: str
    ended_at: Millis
    seat: int
    names: tuple[str, ...]
    score: tuple[int, ...]
    won: bool | None
    termination: str
    continued: bool
    winner: int | None = None
    story: Story | None = None


class RatingPoint(Struct, frozen=True):
    """A rating after one game."""

    at: Millis
    mean: float
    points: int
    error: int


class RatingInfo(Struct, frozen=True):
    """A rating in one game, from `games` between people alone, on a scale like Elo's: its `points` (1500 at
    the start), give or take the `error`; `provisional` until enough is known. `mean` and `deviation` are
    OpenSkill's. `course` is the rating after each of the last hundred games, oldest first."""

    points: int
    error: int
    provisional: bool
    mean: float
    deviation: float
    games: int
    course: tuple[RatingPoint, ...]


class PlayerStatistics(Struct, frozen=True):
    """A person's statistics in one game; no rating before the first game that counts for one."""

    game: str
    played: int
    won: int
    lost: int
    tied: int
    rating: RatingInfo | None = None


class RankedPlayer(Struct, frozen=True):
    """A person in a list, by handle; people with the same points share a rank."""

    handle: str
    rank: int
    points: int
    error: int
    games: int
    you: bool


class OwnRank(Struct, frozen=True):
    """The caller's own standing; no rank while the rating is provisional, or without a kept account."""

    points: int
    error: int
    games: int
    provisional: bool
    rank: int | None


class RankedMachine(Struct, frozen=True):
    """A machine on the ladder of machines."""

    machine: str
    points: int
    error: int
    games: int
    provisional: bool


class StandingsQuery(Struct, frozen=True):
    """The ladder: of people among themselves, or of machines and of people against them."""

    ladder: Literal["people", "machines"] = "people"


class Standings(Struct, frozen=True):
    """The standings of a game: how many people are listed, the first of them, and those around the caller;
    on the ladder of machines, the machines as well."""

    game: str
    people: int
    top: tuple[RankedPlayer, ...]
    around: tuple[RankedPlayer, ...]
    own: OwnRank | None
    machines: tuple[RankedMachine, ...] = ()
    friends: tuple[RankedPlayer, ...] = ()
    """The caller among the people whom they follow, as far as these show their ratings."""


# --- push notifications ----------------------------------------------------------------------------------


class PushKey(Struct, frozen=True):
    """The server's public key for web push (VAPID), as browsers want it."""

    key: str


class PushKeys(Struct, frozen=True):
    """The keys of a browser's push subscription."""

    p256dh: Annotated[str, Meta(min_length=20, max_length=200)]
    auth: Annotated[str, Meta(min_length=10, max_length=100)]


class PushSubscription(Struct, frozen=True):
    """A browser's push subscription, as its `PushSubscription.toJSON()` writes it."""

    endpoint: Annotated[str, Meta(min_length=12, max_length=1000)]
    keys: PushKeys
