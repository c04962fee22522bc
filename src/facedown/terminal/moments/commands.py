"""Commands at a table: what can be asked for, by a word line by line and by a key on the full screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from facedown.core.seats import Seat
from facedown.core.text.markdown import blocks, plain_text
from facedown.terminal.moments.effects import (
    AnswerOption,
    Deed,
    Effect,
    Leave,
    LongText,
    MoveTo,
    Question,
    ShortText,
    ShowTable,
    Talk,
)
from facedown.terminal.tables.absences import absence_sentence
from facedown.terminal.tables.table import AVOIDANCES, AbsentPlayer, Avoidance
from facedown.terminal.words import cited_rules, review_text, rules_behind, rules_in_words

if TYPE_CHECKING:
    from facedown.terminal.moments.session import TableSession


@dataclass(frozen=True, slots=True)
class TableCommand:
    """Something that can be asked for at a table."""

    word: str
    """Its word line by line; `help.WORD` is what it means."""
    do: Callable[[str], Effect]
    """Its effect, from the rest of the line that was typed."""
    key: str = ""
    """Its key on the full screen; `key.WORD` is what is written beside it."""
    now: bool = True
    """Whether it means something now."""
    typed: bool = True
    """Whether it can be typed line by line."""


def commands_of(session: TableSession) -> tuple[TableCommand, ...]:
    """All commands of a table, in the order in which they are explained."""
    table = session.table
    plays = table.started and not table.over and bool(table.people)
    asks = _AtTable(session)
    found = [
        TableCommand("why", asks.why, "w", table.started),
        TableCommand("table", lambda _: ShowTable(), now=table.started),
        TableCommand("hand", asks.hand, now=table.started),
        TableCommand("log", asks.log, "l", table.started),
        TableCommand("rules", asks.rules, "r"),
        TableCommand("review", asks.review, "v", table.over),
        TableCommand("resign", asks.resign, now=plays),
        TableCommand("quit", lambda _: Leave()),
    ]
    if table.players is None:
        return (*found, TableCommand("again", asks.another, "n", table.over and bool(table.people)))
    replaced = bool(table.players.replaced_by)
    return (
        *found,
        TableCommand("say", asks.say),
        TableCommand("talk", lambda _: Talk(), "t"),
        TableCommand("clock", asks.clock, now=table.started),
        TableCommand("machine", asks.machine, "m", bool(replaceable(session)), typed=False),
        TableCommand("replace", asks.replace),
        TableCommand("agree", asks.agree),
        TableCommand("back", asks.back, "b", replaced),
        TableCommand("leave", asks.leave, now=not table.over),
        TableCommand("rematch", asks.another, "n", table.over and bool(table.people)),
        *(TableCommand(how, asks.avoiding(how)) for how in AVOIDANCES),
    )


def menu(session: TableSession) -> Effect:
    """What Escape offers besides playing on: the commands that have no key, and leaving."""
    table, words = session.table, session.words
    away = table.outcome is not None if table.started else table.players is None
    if not table.people or away or (table.players is not None and table.players.gone):
        return Leave()
    asks = _AtTable(session)
    answers = [AnswerOption(words("pause.go"))]
    if table.players is not None:
        answers.append(AnswerOption(words("pause.talk"), Talk()))
        if replaceable(session):
            answers.append(AnswerOption(words("pause.absent"), asks.machine("")))
        if table.players.other_people:
            answers.append(AnswerOption(words("pause.avoid"), asks.avoid()))
    if table.started:
        answers.append(AnswerOption(words("pause.resign"), asks.resign("")))
    if table.players is not None:
        answers.append(AnswerOption(words("pause.get_up"), asks.leave("")))
    answers.append(
        AnswerOption(words("pause.leave" if table.players is None else "pause.leave_remote"), Leave())
    )
    return Question(words("pause"), tuple(answers))


def replaceable(session: TableSession) -> list[AbsentPlayer]:
    """Absent players for whom this screen's person may offer a bot now, or agree to one."""
    players = session.table.players
    if players is None or not session.table.people:
        return []
    return [each for each in players.absent if each.asks_you or not each.machine]


class _AtTable:
    """The effects of the commands at one screen of a table."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._table = session.table
        self._words = session.words

    # --- to read -------------------------------------------------------------------------------------

    def why(self, rest: str) -> LongText:
        """The rules behind what happened last, or those of the ids that were typed."""
        title, page = self._words("why.title"), self._rules()
        if rest.strip():
            asked = rest.upper().replace(",", " ").split()[:5]
            return LongText(title, cited_rules(page, asked, self._words))
        history = self._table.history(self._session.seat)
        if not history:
            return LongText(title, [self._words("why.nothing")])
        cited = cited_rules(page, rules_behind(history[-1].seen), self._words)
        return LongText(title, [*self._session.builder.sentences(history[-1]), "", *cited])

    def log(self, _: str) -> LongText:
        """Everything that happened, decision by decision; the latest is in sight."""
        builder = self._session.builder
        lines = [
            f"{each.decision or '':>4}\t{self._words.sentences(builder.sentences(each))}"
            for each in self._table.history(self._session.seat)
        ]
        return LongText(self._words("log.title"), lines, from_end=True)

    def rules(self, _: str) -> LongText:
        page = self._rules()
        return LongText(self._words("rules.title"), [plain_text(block) for block in blocks(page)], page)

    def hand(self, _: str) -> LongText:
        """What is held, by its places, and what each card would do."""
        held = self._session.held_cards()
        lines = []
        for each in dict.fromkeys(held):
            places = [place for place, other in enumerate(held, 1) if other == each]
            at = f"{places[0]}-{places[-1]}" if len(places) > 1 else f"{places[0]}"
            name = " ".join(filter(None, (each.face.ascii_index, each.face.name)))
            lines.append(f"{at}\t{name}: {each.tip}" if each.tip else f"{at}\t{name}")
        return LongText("", lines)

    def review(self, rest: str) -> Effect:
        """The review of the one person's seat, or of the seat that is named; several people are asked."""
        names, people, words = self._table.names, self._table.people, self._words

        def load_for(seat: Seat) -> LongText:
            def load(width: int) -> list[str]:
                record = self._table.record()
                if record is None:
                    return [words("why.nothing")]
                return review_text(record, seat, words, width)

            return LongText(words("review.title"), load=load)

        asked = int(rest) if rest.isdecimal() and 1 <= int(rest[:3]) <= len(names) else 0
        if asked or len(people) < 2:
            return load_for(asked or self._session.seat or (people or (1,))[0])
        answers = tuple(AnswerOption(names[seat - 1], load_for(seat), (str(seat),)) for seat in people)
        return Question(words("review.whose"), answers)

    def clock(self, _: str) -> ShortText:
        """How long each player on turn may still take."""
        return ShortText(self._session.clock_sentence() or self._words("remote.no_clock"))

    def _rules(self) -> str:
        return rules_in_words(self._table.game, self._table.rules, self._words)

    # --- to do ---------------------------------------------------------------------------------------

    def resign(self, _: str) -> Question:
        seat = self._session.acting_seat
        return self._sure("resign", Deed(lambda: self._table.resign(seat)))

    def leave(self, _: str) -> Question:
        def do() -> Leave:
            self._session.players.leave_seat()
            return Leave()

        return self._sure("get_up", Deed(do))

    def _sure(self, key: str, effect: Effect) -> Question:
        no = AnswerOption(self._words("resign.no"))
        yes = AnswerOption(self._words(f"{key}.yes"), effect, ("yes", "y"))
        return Question(self._words(f"{key}.sure"), (no, yes), sure=True)

    def another(self, _: str) -> Deed:
        """The next game at the same table, or of the same people."""
        return Deed(lambda: MoveTo(self._table.another_game()))

    def say(self, rest: str) -> Deed:
        return Deed(lambda: self._session.players.say(rest))

    def back(self, _: str) -> Deed:
        return Deed(self._session.players.connection.take_back)

    # --- about others --------------------------------------------------------------------------------

    def machine(self, _: str) -> Question:
        """What can be done about absent players."""
        return self._about(replaceable(self._session))

    def replace(self, rest: str) -> Effect:
        offers = [each for each in replaceable(self._session) if not each.machine]
        return _only_answer(self._about(offers), rest)

    def agree(self, rest: str) -> Effect:
        asked = [each for each in replaceable(self._session) if each.asks_you]
        return _only_answer(self._about(asked), rest)

    def _about(self, absent: list[AbsentPlayer]) -> Question:
        words, connection = self._words, self._session.players.connection

        def deed(each: AbsentPlayer) -> Deed:
            return Deed(lambda: (connection.agree if each.machine else connection.replace)(each.seat))

        answers = tuple(
            AnswerOption(
                words(
                    "absent.agree" if each.machine else "absent.offer", name=each.name, machine=each.machine
                ),
                deed(each),
                _typed(each.seat, each.name),
                absence_sentence(each, words),
            )
            for each in absent
        )
        return Question(words("absent.title"), answers)

    def avoiding(self, how: Avoidance) -> Callable[[str], Question]:
        """A command that mutes, blocks or reports the person who is named."""
        return lambda _: self.avoid(how)

    def avoid(self, *ways: Avoidance) -> Question:
        """Whom to mute, block or report."""
        words, players = self._words, self._session.players

        def deed(how: Avoidance, seat: Seat, name: str) -> Deed:
            def do() -> ShortText:
                players.avoid(how, seat)
                return ShortText(words(f"avoided.{how}", name=name))

            return Deed(do)

        answers = tuple(
            AnswerOption(words(f"avoid.{how}", name=name), deed(how, seat, name), _typed(seat, name))
            for seat, name in players.other_people
            for how in ways or AVOIDANCES
        )
        return Question(words("pause.avoid"), answers)


def _only_answer(question: Question, rest: str) -> Effect:
    """The effect of the only answer, which needs no name; else the question."""
    effect = question.answers[0].effect if len(question.answers) == 1 and not rest.strip() else None
    return effect or question


def _typed(seat: Seat, name: str) -> tuple[str, ...]:
    return str(seat), name.lower()


KEYS: Final = "mbvntwlr"
"""The keys of commands, in the order in which they are listed."""
