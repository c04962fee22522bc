"""Game texts in a terminal: every event has a sentence, every rule that it cites is on the page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from facedown.core import registry
from facedown.core.events import Event, Seen, public
from facedown.core.parts.text import GameText, PlainText, everything, text_of
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.core.rules import Preset, Rules
from facedown.core.seats import all_seats
from facedown.core.text.rule_page import fill_in, sentences
from facedown.core.views import View
from tests.terminal.consoles import events_of, fixtures

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")


def sentence_of(game: str, kind: str, names: tuple[str, ...] = NAMES, **facts: Any) -> str | None:
    return text_of(game).tell(Seen(kind, facts, ()), names)


@cache
def all_events() -> tuple[tuple[Record, tuple[Event, ...]], ...]:
    """All finished games among the fixtures, each with its events."""
    return tuple((record, tuple(events_of(record))) for record in fixtures())


def test_every_game_of_ours_has_words_of_its_own() -> None:
    assert [name for name in registry.names() if isinstance(text_of(name), PlainText)] == []


def test_every_event_has_a_sentence_that_names_its_players() -> None:
    kinds = set()
    for record, events in all_events():
        text = text_of(record.game)
        for event in events:
            kinds.add((record.game, event.kind))
            sentence = text.tell(everything(event), record.seats)
            assert sentence is not None, event
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert "None" not in sentence
            seat = event.facts.get("seat") or event.facts.get("winner")
            assert not isinstance(seat, int) or record.seats[seat - 1] in sentence
    assert len(kinds) > 10


def test_every_rule_that_an_event_cites_is_on_the_page() -> None:
    pages = {name: sentences(registry.page(name)) for name in registry.names()}
    uncited = {
        (record.game, event.kind, rule)
        for record, events in all_events()
        for event in events
        for rule in (event.rules or ("no rule",))
        if rule not in pages[record.game]
    }
    assert uncited == set()


def test_every_table_and_every_question_of_every_record_fits_the_screen() -> None:
    for record in list(fixtures())[::5]:
        text = text_of(record.game)
        match = start(record)
        for _ in turns(record, match):
            for viewer in (0, *all_seats(len(record.seats))):
                view = match.view(viewer)
                lines = text.table(view, record.seats).splitlines()
                asked = text.ask(view, match.legal(viewer) if viewer else (), record.seats)
                assert max(map(len, lines)) <= 79, lines
                assert [line for line in lines if line != line.rstrip()] == []
                assert asked.endswith(".")


# --- how it sounds ---------------------------------------------------------------------------------------


def test_E6_a_round_without_a_winner_is_reported_as_such() -> None:
    facts = {"round": 4, "winner": None, "paid": 0, "score": (1, 5)}
    expected = "Round 4 ended without a winner, and no one was paid. Score: Ann 1, Bo 5."
    assert sentence_of("ecard", "round", ("Ann", "Bo"), **facts) == expected


# --- a game without words of its own ---------------------------------------------------------------------


class ToyRules(Rules):
    """No options."""

    presets = (Preset("toy", "A toy."),)


@dataclass(frozen=True, slots=True)
class ToyView(View):
    """The fields of every view, and two more."""

    hand: tuple[str, ...] = ("7", "8")
    last: tuple[str, None] = ("out", None)


def test_any_game_has_plain_sentences() -> None:
    text: GameText = PlainText()
    view = ToyView(viewer=1, rules=ToyRules("toy"), waiting=((1, 2),), outcome=None)
    event = public("bid", ("T1",), seat=2, cards=("7", "8"), winner=None, first=True)

    assert text.tell(everything(event), NAMES) == "bid: seat Bo, cards 7 8, winner –, first True."
    assert text.tell(everything(public("pause", ())), NAMES) == "pause."
    assert str(text.ask(view, ("7", "8"), NAMES)) == "Choose one of: 7, 8."
    assert text.table(view, NAMES, "en") == "hand: 7 8\nlast: out –"


# --- pages -----------------------------------------------------------------------------------------------


def test_placeholders_of_options_are_filled_and_other_braces_stay() -> None:
    rules = registry.get(registry.names()[0]).rules.of()
    option = rules.options[0]

    page = fill_in(f"a {{{option.name}}} b {{nonsense}} c {{}} d", rules)

    assert page == f"a {option.write(rules.value(option))} b {{nonsense}} c {{}} d"


def test_a_rule_ends_with_its_bullet() -> None:
    bullets = "- **A1** one\n  more\n\n  not more\n- **A2** two\n- no rule\n  **A3** none\n- **A1** again"

    assert sentences(f"{bullets}\n## **A4**") == {"A1": "one more", "A2": "two"}
