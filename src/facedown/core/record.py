"""The record of a game: rules + chance + picks. Owns the JSON form; knows no rule of any game.

Whether a record follows its game's rules is found out by playing it again: `core.replay`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from facedown.core.chance import LOCAL, digest
from facedown.core.errors import UnreadableRecord
from facedown.core.fairness import Proof
from facedown.core.game import Joint, Pick
from facedown.core.links import canonical_json
from facedown.core.outcome import Outcome
from facedown.core.views import Plain

FORMAT: Final = "facedown/1"
_NUMERAL = re.compile(r"0|[1-9][0-9]{0,17}")
_MOST_VERSION: Final = 999_999
_SEED = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a continued game: its first decisions and draws were taken over as they are."""

    id: str
    """The id of that game."""
    decisions: int
    """How many of its decisions were taken over."""
    draws: int
    """How many of its draws."""


@dataclass(frozen=True, slots=True)
class Signed:
    """The signature of a server under a record, and the digest of the signed text."""

    key: bytes
    signature: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """A finished or running game. `seed` is there once it may be known, `result` once there is one, `fair`
    where a server dealt it, and `continues` where it continues another game.
    """

    game: str
    """The name of the game."""
    rules: str
    """Its rules, as text."""
    seats: tuple[str, ...]
    """The names of the seats, seat 1 first."""
    chance: tuple[str, ...]
    """Everything that was drawn, in order."""
    picks: tuple[Joint, ...]
    """The picks of every decision, by seat; None for a seat that had none."""
    id: str = LOCAL
    """The id of the game, which its deal depends on."""
    seed: str | None = None
    """The seed of the deal, in hexadecimal digits."""
    result: dict[str, Plain] | None = None
    """The outcome that the record claims: `winner`, `termination`, `score`."""
    fair: Proof | None = None
    """The commitments of a server's game, and what opened them."""
    continues: Origin | None = None
    """The game that this one continues."""
    version: int = 1
    """The behaviour version of the game by which it was played."""
    signed: Signed | None = None
    """Whose server wrote it, as it was read; a record that is changed afterwards does not fit it any more."""

    @classmethod
    def read(cls, text: str | bytes) -> Record:
        """A record from its JSON text; raises `UnreadableRecord` in one sentence."""
        whole = _object(text)
        if whole.get("format") != FORMAT:
            raise _bad(f"the format is {_short(whole.get('format'))}, not {FORMAT!r}")
        return cls(
            game=_text(whole, "game"),
            rules=_text(whole, "rules"),
            seats=_texts(whole, "seats"),
            chance=_texts(whole, "chance"),
            picks=_picks(whole.get("picks")),
            id=_text(whole, "id") if "id" in whole else LOCAL,
            seed=_seed(whole.get("seed")),
            result=_result(whole.get("result")),
            fair=None if whole.get("fair") is None else Proof.read(whole["fair"]),
            continues=_origin(whole.get("continues")),
            version=_version(whole.get("version", 1)),
            signed=_signature(whole),
        )

    def write(self) -> str:
        """The canonical JSON text, on one line."""
        return _encode(self._whole())

    @property
    def game_digest(self) -> bytes:
        """What the log of a server holds of the game."""
        return game_digest(json.loads(self.write()))

    def _whole(self) -> dict[str, object]:
        whole: dict[str, object] = {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "rules": self.rules,
            "seats": self.seats,
            "chance": self.chance,
            "picks": [[_pick_value(pick) for pick in joint] for joint in self.picks],
            "id": self.id,
        }
        if self.continues is not None:
            whole["continues"] = origin_of(self.continues)
        if self.seed is not None:
            whole["seed"] = self.seed
        if self.result is not None:
            whole["result"] = self.result
        if self.fair is not None:
            whole["fair"] = self.fair.plain()
        if self.signed is not None:
            whole["signed"] = {"key": self.signed.key.hex(), "signature": self.signed.signature.hex()}
        return whole


def signed_digest(whole: dict[str, object]) -> bytes:
    """What a server signs: all of a record's JSON but the signature, with sorted names and no spaces."""
    rest = {name: value for name, value in whole.items() if name != "signed"}
    return digest("facedown/2/record", canonical_json(rest))


def game_digest(whole: dict[str, Any]) -> bytes:
    """What a game that goes on from this one holds of it: no signatures, no log, and no names, which may be
    erased."""
    rest = {name: value for name, value in whole.items() if name not in ("signed", "seats")}
    fair = rest.get("fair")
    if isinstance(fair, dict):
        rest["fair"] = {name: value for name, value in fair.items() if name not in ("sig", "log")}
    return digest("facedown/2/game", canonical_json(rest))


def result_of(outcome: Outcome) -> dict[str, Plain]:
    """The JSON form of an outcome in a record."""
    return {"winner": outcome.winner, "termination": outcome.termination, "score": list(outcome.score)}


def origin_of(origin: Origin) -> dict[str, Plain]:
    """The JSON form of a continued game's origin in a record."""
    return {"id": origin.id, "decisions": origin.decisions, "draws": origin.draws}


# --- reading, part by part -------------------------------------------------------------------------------


def _bad(say: str) -> UnreadableRecord:
    return UnreadableRecord(f"not a record: {say}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _object(text: str | bytes) -> dict[str, object]:
    try:
        whole = json.loads(text, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise _bad(f"it is not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and error.lineno > 1 and "\n" not in error.doc[: error.pos].strip():
            raise UnreadableRecord("this file holds many records: use facedown.records(path)") from None
        raise _bad(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError):
        raise _bad("not JSON that can be read: nested too deep, or a number too long or NaN") from None
    if not isinstance(whole, dict):
        raise _bad(f"a JSON object is needed, this is {_short(whole)}")
    return whole


def _no_constant(name: str) -> None:
    """NaN and Infinity, which Python reads, but JSON does not have."""
    raise ValueError(name)


def _text(whole: dict[str, object], name: str) -> str:
    value = whole.get(name)
    if not isinstance(value, str):
        raise _bad(
            f"{name!r} must be text, this is {_short(value)}" if name in whole else f"{name!r} is missing"
        )
    return value


def _texts(whole: dict[str, object], name: str) -> tuple[str, ...]:
    value = whole.get(name)
    if not isinstance(value, list) or not all(type(each) is str for each in value):
        wrong = f"{name!r} must be a list of texts" if name in whole else f"{name!r} is missing"
        raise _bad(wrong)
    return tuple(value)


def _picks(value: object) -> tuple[Joint, ...]:
    if not isinstance(value, list):
        raise _bad("'picks' must be a list of lists, one per decision")
    return tuple([_joint(number, each) for number, each in enumerate(value, 1)])


def _joint(number: int, value: object) -> Joint:
    if not isinstance(value, list):
        raise _bad(f"decision {number}: {_short(value)} is not a list of picks")
    return tuple([each if type(each) is str or each is None else _pick(number, each) for each in value])


def _pick(number: int, value: object) -> Pick:
    """R1: a pick that is no text is a plain whole number."""
    if type(value) is int:
        return str(value)
    raise _bad(f"decision {number}: {_short(value)} is not a pick")


def _pick_value(pick: Pick | None) -> Pick | int | None:
    """A pick that is a plain whole number is written as one (R1)."""
    if pick is not None and pick.isdigit() and _NUMERAL.fullmatch(pick):
        return int(pick)
    return pick


def _version(value: object) -> int:
    """The behaviour version; 1 if the record names none."""
    if type(value) is not int or not 1 <= value <= _MOST_VERSION:
        raise _bad(f"'version' must be a whole number from 1, this is {_short(value)}")
    return value


def _seed(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not _SEED.fullmatch(value.lower()):
        raise _bad("'seed' must be 64 hexadecimal digits")
    return value.lower()


def _result(value: object) -> dict[str, Plain] | None:
    if value is not None and not isinstance(value, dict):
        raise _bad(f"'result' must be an object, this is {_short(value)}")
    return value


def _signature(whole: dict[str, object]) -> Signed | None:
    value = whole.get("signed")
    if value is None:
        return None
    key, signature = (value.get("key"), value.get("signature")) if isinstance(value, dict) else (None, None)
    if not isinstance(key, str) or not _SEED.fullmatch(key):
        raise _bad("'signed' must hold a 'key' of 64 hexadecimal digits")
    if not isinstance(signature, str) or not _SIGNATURE.fullmatch(signature):
        raise _bad("'signed' must hold a 'signature' of 128 hexadecimal digits")
    return Signed(bytes.fromhex(key), bytes.fromhex(signature), signed_digest(whole))


def _origin(value: object) -> Origin | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise _bad("'continues' must be an object with the 'id' of a game")
    decisions, draws = value.get("decisions"), value.get("draws")
    if type(decisions) is not int or type(draws) is not int or min(decisions, draws) < 0:
        raise _bad("'continues' must say how many 'decisions' and 'draws' were taken over")
    return Origin(value["id"], decisions, draws)
