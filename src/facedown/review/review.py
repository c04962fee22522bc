"""The review of a record for one seat: by the judge of its game where there is one, by rollouts where not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.errors import IllegalSeats
from facedown.core.events import Seen
from facedown.core.fairness import MissingEntropy
from facedown.core.game import AnyGame
from facedown.core.outcome import Outcome
from facedown.core.parts.judge import Chances, Judged
from facedown.core.parts.text import text_of
from facedown.core.record import Record
from facedown.core.replay import Finding, ReplayedTurn, start, turns, verify
from facedown.core.seats import SPECTATOR, Seat
from facedown.core.text.translation import ENGLISH, Text, in_language, sentences, translate
from facedown.review.expectations import Expected, expectations
from facedown.review.names import shown_names
from facedown.review.predictability import Predictability, predictability
from facedown.review.rollouts import Rollouts, playout, reviewer


class Part(NamedTuple):
    """A share of the difference between start and end, in chances to win, and its standard error."""

    value: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether it is more than twice its error."""
        return self.error == 0 or abs(self.value) > 2 * self.error


class Share(NamedTuple):
    """One line of the account from the start of the game to its end."""

    part: str
    """`start`, `choices`, `read`, `others`, `luck` (or the whole `rest`), `end`."""
    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Review:
    """The review of one game for one seat; all its texts are in one language."""

    record: Record
    title: str
    """What the game is called."""
    rules: str
    names: tuple[str, ...]
    """The names of the seats, fit to be shown."""
    seat: Seat
    outcome: Outcome | None
    judged: Judged
    predictability: Predictability | None
    narration: tuple[str, ...]
    """What everybody saw in each decision, in words."""
    seen: tuple[tuple[Seen, ...], ...]
    """The same as events."""
    findings: tuple[Finding, ...]
    """What was verified of the record."""
    language: str = ENGLISH
    expected: tuple[Expected, ...] = ()
    """What machines at the table expected of the seat, decision by decision."""

    def text(self, text: Text) -> str:
        """A text in the language of the review."""
        return translate(text, self.language)

    @property
    def start(self) -> Part:
        """The chances before the first decision."""
        first = self.judged.chances[0]
        return Part(first.before, first.error)

    @property
    def end(self) -> Part:
        """The chances after the last one: the result, once the game is over."""
        last = self.judged.chances[-1]
        return Part(last.after, last.error_after)

    @property
    def skill(self) -> Part:
        """What the seat's own picks gave away; below 0, or nothing."""
        given = sum(each.cost for each in self.judged.appraisals)
        return Part(-given, sqrt(sum(each.error**2 for each in self.judged.appraisals)))

    @property
    def gifts(self) -> Part | None:
        """What the others' picks gave away; None where that is part of `luck`."""
        gifts = [each.gift for each in self.judged.chances if each.gift is not None]
        return Part(sum(gifts), 0.0) if len(gifts) == len(self.judged.chances) else None

    @property
    def read(self) -> Part | None:
        """What being read cost; None where that is not claimed."""
        found = self.judged.being_read
        return None if found is None else Part(found.value, found.error)

    @property
    def luck(self) -> Part:
        """The rest."""
        luck = sum(each.luck for each in self.judged.chances)
        return Part(luck, sqrt(self.start.error**2 + self.skill.error**2 + self.end.error**2))

    @property
    def account(self) -> tuple[Share, ...]:
        """From the start to the end, rounded as it is shown: the shares add up to the end exactly.

        Shares smaller than twice their error are part of the rest.
        """
        parts = {"choices": self.skill if self.skill.clear else None, "read": self.read, "others": self.gifts}
        start, end = _rounded(self.start.value), _rounded(self.end.value)
        shares = [
            Share(key, _rounded(part.value), part.error) for key, part in parts.items() if part is not None
        ]
        left = _rounded(end - start - sum(share.value for share in shares))
        rest = "luck" if self.gifts is not None else "rest"
        return (Share("start", start, self.start.error), *shares, Share(rest, left), Share("end", end))

    @property
    def swing(self) -> Chances:
        """The decision that changed most."""
        return max(self.judged.chances, key=lambda each: abs(each.after - each.before))


def review(
    record: Record,
    seat: Seat,
    rollouts: int | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
    language: str = ENGLISH,
) -> Review:
    """The review of a record for one seat; raises where the record is not what it claims to be.

    `rollouts` is how often a position is played out, where it has to be; else a fixed amount of work decides.
    """
    if not 1 <= seat <= len(record.seats):
        say = f"there is no seat {seat}: the record has seats 1 to {len(record.seats)}"
        raise IllegalSeats(say, text=str(seat))
    findings = _findings(record)
    match = start(record)
    played = list(turns(record, match))
    part = registry.part(record.game, "review")
    judged: Judged
    if part is not None:
        judged = part.judge(played, seat)
    else:
        machine, key = reviewer(record.game), seed_of(record.write())
        quick = playout(record.game)
        rollout = Rollouts(match.game, machine, len(record.seats), rollouts, key, progress, quick)
        judged = rollout.judge(played, seat)
    names = shown_names(record.seats, record.game, language)
    return Review(
        record=record,
        title=translate(match.game.meta.title, language),
        rules=str(match.rules),
        names=names,
        seat=seat,
        outcome=match.outcome,
        judged=in_language(judged, language),
        predictability=predictability(judged.reading.foretold),
        narration=tuple(_narration(match.game, turn, names, language) for turn in played),
        seen=tuple(map(_public_events, played)),
        findings=in_language(findings, language),
        language=language,
        expected=in_language(expectations(match.game, record.seats, played, seat, match.outcome), language),
    )


def _findings(record: Record) -> tuple[Finding, ...]:
    """What the record proves. A deal without a player's entropy is reported, and can be reviewed."""
    findings: list[Finding] = []
    try:
        for finding in verify(record):
            findings.append(finding)
    except MissingEntropy as error:
        return (*findings, Finding("people", False, error.message))
    return tuple(findings)


def _narration(game: AnyGame, turn: ReplayedTurn, names: Sequence[str], language: str) -> str:
    """What everybody saw, as the game's `text` tells it; nothing where it has none."""
    if registry.part(game.name, "text") is None:
        return ""
    text = text_of(game.name, language)
    return translate(
        sentences(list(filter(None, (text.tell(fact, names) for fact in _public_events(turn))))), language
    )


def _public_events(turn: ReplayedTurn) -> tuple[Seen, ...]:
    """What everybody saw."""
    return tuple(fact for event in turn.step.events if isinstance(fact := event.seen_by(SPECTATOR), Seen))


def _rounded(value: float) -> float:
    """A chance as it is shown, in tenths of a percent."""
    return round(value, 3) + 0.0
