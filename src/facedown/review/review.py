"""The review of a record for one seat: by the judge of its game if there is one, else by rollouts.

Machines at the table are asked what they expected of the seat: from their own views, once the game is over.
Notes of earlier games are not in a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from facedown.bots.find import bots_of
from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.errors import IllegalSeats
from facedown.core.events import Seen
from facedown.core.game import AnyGame, Pick
from facedown.core.outcome import Outcome
from facedown.core.parts.bot import AnyBot
from facedown.core.parts.judge import Chances, Judged
from facedown.core.parts.text import bot_called, text_of
from facedown.core.record import Record
from facedown.core.replay import Finding, ReplayedTurn, start, turns, verify
from facedown.core.seats import SPECTATOR, Seat
from facedown.core.text.names import SEAT, seat_name
from facedown.core.text.sanitise import LONGEST_NAME, one_line
from facedown.core.text.translation import ENGLISH, Text, in_language, sentences, translate
from facedown.review import message
from facedown.review.predictability import Predictability, predictability
from facedown.review.rollouts import Guess, Rollouts, playout, reviewer


class Share(NamedTuple):
    """One line of the account from the start of the game to its end."""

    part: str
    """`start`, `choices`, `read`, `others`, `luck` (or the whole `rest`), `end`."""
    value: float
    """Its part of the account, in chances to win."""
    error: float = 0.0
    """Its standard error; 0 if it is exact."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of one game for one seat; all its texts are in one language."""

    record: Record
    """The game that was reviewed."""
    title: str
    """What the game is called."""
    rules: str
    """Its rules, as text."""
    names: tuple[str, ...]
    """The names of the seats, fit to be shown."""
    seat: Seat
    """The seat that it is reviewed for."""
    outcome: Outcome | None
    """How it ended; None while it is in progress."""
    judged: Judged
    """The verdict: chances at every decision, and what each pick cost."""
    predictability: Predictability | None
    """How readable the seat was; None if there was nothing to read."""
    narration: tuple[str, ...]
    """What everybody saw in each decision, in words."""
    seen: tuple[tuple[Seen, ...], ...]
    """The same as events."""
    findings: tuple[Finding, ...]
    """What was verified of the record."""
    language: str = ENGLISH
    """The language of its texts."""
    expected: tuple[Expected, ...] = ()
    """What machines at the table expected of the seat, decision by decision."""

    def text(self, text: Text) -> str:
        """A text in the language of the review."""
        return translate(text, self.language)

    @property
    def start(self) -> Guess:
        """The chances before the first decision."""
        first = self.judged.chances[0]
        return Guess(first.before, first.error)

    @property
    def end(self) -> Guess:
        """The chances after the last one: the result, once the game is over."""
        last = self.judged.chances[-1]
        return Guess(last.after, last.error_after)

    @property
    def skill(self) -> Guess:
        """What the seat's own picks gave away, as far as it is clear; above 0 only if it is an estimate."""
        clear = [each for each in self.judged.appraisals if each.clear]
        return Guess(-sum(each.cost for each in clear), sqrt(sum(each.error**2 for each in clear)))

    @property
    def gifts(self) -> Guess | None:
        """What the others' picks gave away; None where that is part of `luck`."""
        gifts = [each.gift for each in self.judged.chances if each.gift is not None]
        return Guess(sum(gifts), 0.0) if len(gifts) == len(self.judged.chances) else None

    @property
    def read(self) -> Guess | None:
        """What being read cost; None where that is not claimed."""
        found = self.judged.being_read
        return None if found is None else Guess(found.value, found.error)

    @property
    def luck(self) -> Guess:
        """What nothing else explains: how the cards fell."""
        luck = sum(each.luck for each in self.judged.chances)
        return Guess(luck, sqrt(self.start.error**2 + self.skill.error**2 + self.end.error**2))

    @property
    def account(self) -> tuple[Share, ...]:
        """From the start to the end, rounded as it is shown: the shares add up to the end exactly.

        The choices are the sum of what the table of picks shows; what is not clear is part of the rest.
        """
        shown = -sum(_round(each.cost) for each in self.judged.appraisals if each.clear)
        choices = Guess(shown, self.skill.error)
        claimed = choices.error or not self.is_estimate
        parts = {"choices": choices if claimed else None, "read": self.read, "others": self.gifts}
        start, end = _round(self.start.value), _round(self.end.value)
        shares = [
            Share(key, _round(part.value), part.error) for key, part in parts.items() if part is not None
        ]
        left = _round(end - start - sum(share.value for share in shares))
        rest = "luck" if self.gifts is not None else "rest"
        return (Share("start", start, self.start.error), *shares, Share(rest, left), Share("end", end))

    @property
    def is_estimate(self) -> bool:
        """Whether the judge estimates what picks cost; else it is exact."""
        return any(each.error for each in self.judged.appraisals)

    @property
    def swing(self) -> Chances:
        """The decision that changed the chances most."""
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
    findings = tuple(verify(record))
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


def _narration(game: AnyGame, turn: ReplayedTurn, names: Sequence[str], language: str) -> str:
    """What everybody saw, as the game's `text` tells it; nothing where it has none."""
    if registry.part(game.name, "text") is None:
        return ""
    text = text_of(game.name, language)
    return translate(
        sentences(list(filter(None, (text.tell(fact, names) for fact in _public_events(turn))))), language
    )


def _public_events(turn: ReplayedTurn) -> tuple[Seen, ...]:
    return tuple(fact for event in turn.step.events if isinstance(fact := event.seen_by(SPECTATOR), Seen))


def _round(value: float) -> float:
    """A chance as it is shown, in tenths of a percent."""
    return round(value, 3) + 0.0


# --- what machines expected ------------------------------------------------------------------------------


class Expected(NamedTuple):
    """What one machine expected of the seat at one decision."""

    decision: int
    """The number of the decision."""
    seat: Seat
    """The machine's."""
    pick: Pick
    """The pick that the numbers are about."""
    chance: float
    """How likely the machine held it."""
    usual: float
    """How likely it is for an opponent of whom nothing is known."""
    say: tuple[Text, ...]
    """What it expected, why, and what it made of that, in sentences."""


def expectations(
    game: AnyGame, names: Sequence[str], turns: Sequence[ReplayedTurn], seat: Seat, outcome: Outcome | None
) -> tuple[Expected, ...]:
    """What machines at the other seats expected; nothing while the game is in progress."""
    if outcome is None or len(names) != 2:
        return ()
    machines = {
        other: bot()
        for other, name in enumerate(names, 1)
        if other != seat and (bot := _explaining(game.name, name)) is not None
    }
    return tuple(_expectations(game, machines, turns, seat))


def _explaining(game: str, name: str) -> type[AnyBot] | None:
    bot = bots_of(game).get(name)
    return bot if bot is not None and hasattr(bot, "explain") else None


def _expectations(
    game: AnyGame, machines: dict[Seat, AnyBot], turns: Sequence[ReplayedTurn], seat: Seat
) -> Iterator[Expected]:
    for number, turn in enumerate(turns, 1):
        for other, bot in machines.items():
            if turn.joint[other - 1] is None or turn.joint[seat - 1] is None:
                continue
            found = bot.explain(game.view(turn.before, other), game.legal(turn.before, other))
            if found is not None:
                yield Expected(number, other, *found)


# --- names -----------------------------------------------------------------------------------------------


def shown_names(names: Sequence[str], game: str = "", language: str = ENGLISH) -> tuple[str, ...]:
    """Every seat's name: on one line, without control characters, not too long, and none of them twice.

    >>> shown_names(["Ann", "\\x1b[2J\\u202eoB", "", "A" * 99])
    ('Ann', '[2JoB', 'Seat 3', 'AAAAAAAAAAAAAAAAAAAAAAA…')
    >>> shown_names(["You", "Machine", "Ann", "", "Ann"], language="ja")
    ('あなた', 'コンピューター', 'Ann1', '席4', 'Ann2')
    """
    shown = [one_line(name, LONGEST_NAME) or f"{SEAT} {seat}" for seat, name in enumerate(names, 1)]
    texts = [translate(_text_of(game, name), language) for name in shown]
    return tuple(
        translate(message("name.numbered", name=name, number=texts[: place + 1].count(name)), language)
        if texts.count(name) > 1
        else name
        for place, name in enumerate(texts)
    )


def _text_of(game: str, name: str) -> Text:
    bot = bot_called(game, name) if game else name
    return seat_name(name) if bot == name else bot
