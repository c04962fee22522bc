"""Errors of the server with stable codes, and the HTTP status of each. The text of an error may be shown to
the caller: it never holds a token, a pick of another seat or a seed.
"""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.errors import FacedownError, Illegal, NotAllowed, NotNow, Unreadable, Unsupported


class ServerError(FacedownError):
    """Anything that the server refuses; `status` is the HTTP status that goes with it."""

    status: ClassVar[int] = 400


class BadMessage(ServerError):
    """The message cannot be read: a field is missing, unknown, too long or of the wrong type."""

    code = "bad_message"


class ReservedName(ServerError):
    """The name is one of a machine or of the system: people have others."""

    code = "reserved_name"


class BadHandle(ServerError):
    """The handle is too short or too long, or has characters that a handle cannot have."""

    code = "bad_handle"


class HandleTaken(ServerError):
    """Someone has this handle, has had it, or has one that looks like it."""

    code = "handle_taken"
    status = 409


class NameIsHandle(ServerError):
    """A kept account is called by its handle: only the capitals of its name can change."""

    code = "name_is_handle"
    status = 409


class SignUpClosed(ServerError):
    """The operator lets no one keep a new account here."""

    code = "sign_up_closed"
    status = 403


class WrongCode(ServerError):
    """The handle and the recovery code do not belong together, or the groups are not those of the code."""

    code = "wrong_code"
    status = 403


class GuestHasGames(ServerError):
    """The guest of this device has games, which would be lost: `leave` says that they stay behind."""

    code = "guest_has_games"
    status = 409


class WrongPasskey(ServerError):
    """The answer of a passkey is not valid: another site, another challenge, another key, or a copy."""

    code = "wrong_passkey"
    status = 403


class NoPasskeysHere(ServerError):
    """Browsers make passkeys for a host name with HTTPS only; codes work everywhere."""

    code = "no_passkeys_here"
    status = 409


class BadSeal(ServerError):
    """The seal does not match its pick, or the entropy does not match its commitment."""

    code = "bad_seal"


class NotBlind(ServerError):
    """Such a table cannot be blind: its players need not be there to open picks, or share one device."""

    code = "not_blind"


class NeedsSession(ServerError):
    """The call needs a session."""

    code = "needs_session"
    status = 401


class BadToken(ServerError):
    """The token is not valid, or not any more."""

    code = "bad_token"
    status = 401


class WrongScope(ServerError):
    """The token lacks the scope of this call, or no token may make it: a session of the person may."""

    code = "wrong_scope"
    status = 403


class NotSeated(ServerError):
    """Only seats of this table may do this."""

    code = "not_seated"
    status = 403


class NotYours(ServerError):
    """The seat or the table belongs to another person."""

    code = "not_yours"
    status = 403


class WrongOrigin(ServerError):
    """A page of another site sent this request with the visitor's cookie."""

    code = "wrong_origin"
    status = 403


class WrongHost(ServerError):
    """The request names a host that is not this server: its page may be of another site."""

    code = "wrong_host"
    status = 421


class OperatorsOnly(ServerError):
    """Only the server's operator may read this."""

    code = "operators_only"
    status = 403


class UnknownTable(ServerError):
    """There is no table with this id, or the caller may not see it."""

    code = "unknown_table"
    status = 404


class UnknownTournament(ServerError):
    """There is no tournament with this id."""

    code = "unknown_tournament"
    status = 404


class EntryClosed(ServerError):
    """The caller cannot enter: it is full or over, they withdrew, or it asks for more finished games."""

    code = "entry_closed"
    status = 409


class KeepFirst(ServerError):
    """Only kept accounts may enter: the caller is a guest."""

    code = "keep_first"
    status = 403


class UnknownInvite(ServerError):
    """The invitation does not exist."""

    code = "unknown_invite"
    status = 404


class NotFound(ServerError):
    """There is no such path."""

    code = "not_there"
    status = 404


class SeatTaken(ServerError):
    """The seat is taken."""

    code = "seat_taken"
    status = 409


class CannotFollow(ServerError):
    """This person has gone, or the caller has muted or blocked them, or follows too many people."""

    code = "cannot_follow"
    status = 409


class NoChallenge(ServerError):
    """This person takes no challenges, or none from the caller."""

    code = "no_challenge"
    status = 409


class ChallengeWaits(ServerError):
    """The caller's last challenge to this person is not answered, or was declined within a day."""

    code = "challenge_waits"
    status = 409


class WrongDecision(ServerError):
    """The decision of this command is not open: it came too late, or too early."""

    code = "wrong_decision"
    status = 409


class ReusedId(ServerError):
    """The id was used for something else before."""

    code = "reused_id"
    status = 409


class TableFull(ServerError):
    """The table has had too many messages and changes: only its game goes on."""

    code = "table_full"
    status = 409


class BrokenTable(ServerError):
    """The stored game of a table cannot be replayed by this version of the server: the table is closed."""

    code = "broken_table"
    status = 410


class NotPlaying(ServerError):
    """Another connection plays this seat; this one is read-only."""

    code = "not_playing"
    status = 409


class TooLarge(ServerError):
    """The body is too large."""

    code = "too_large"
    status = 413


class SwitchedOff(ServerError):
    """The operator of this server has switched this off."""

    code = "switched_off"
    status = 404


class TooMany(ServerError):
    """A rate limit is exceeded; `again` is the milliseconds after which to retry."""

    code = "too_many"
    status = 429

    def __init__(self, say: str, *, again: int = 1000) -> None:
        super().__init__(say)
        self.again = again


class PairingPaused(ServerError):
    """Others had to wait for the caller too often; `again` is the milliseconds until pairing goes on."""

    code = "pairing_paused"
    status = 403

    def __init__(self, say: str, *, again: int) -> None:
        super().__init__(say)
        self.again = again


class Restricted(ServerError):
    """A moderator has decided that the caller may not do this for a while; their page says why."""

    code = "restricted"
    status = 403


class AccountClosed(ServerError):
    """A moderator has closed the account; the caller can still read why, answer, export and erase."""

    code = "account_closed"
    status = 403


class WordNotAllowed(ServerError):
    """The message has a word that the operator of this server does not allow."""

    code = "word_not_allowed"
    status = 403


class NoJudge(ServerError):
    """No one judges their own case, one that they reported, or an appeal against their own decision."""

    code = "no_judge"
    status = 403


class NoNetwork(ServerError):
    """The server's computer is in no network that other devices could use."""

    code = "no_network"
    status = 503


class Draining(ServerError):
    """The server is shutting down; retry in a moment."""

    code = "draining"
    status = 503


_OF_CORE: Final[tuple[tuple[type[FacedownError], int], ...]] = (
    (Unreadable, 400),
    (Illegal, 409),
    (NotNow, 409),
    (NotAllowed, 403),
    (Unsupported, 501),
)


def status_of(error: FacedownError | type[FacedownError]) -> int:
    """The HTTP status of an error, or of all errors of a class."""
    own: int | None = getattr(error, "status", None)
    if own is not None:
        return own
    kind = error if isinstance(error, type) else type(error)
    return next((status for base, status in _OF_CORE if issubclass(kind, base)), 400)
