"""Words: a sentence for every event in every language, and examples that say what the rules say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import facedown
from facedown.core import registry
from facedown.core.cards import DECK, Card
from facedown.core.game import FORFEIT
from facedown.core.text.rule_page import sentences
from facedown.core.text.translation import ENGLISH, languages
from facedown.games.davenport.reveal import judge
from facedown.web.words import game_texts
from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import JSON, NAMES, Played, seen
from tests.web.tools import told

GAMES = ("ecard", "davenport")
SEEDS = 40


def kinds_of(game: str) -> set[str]:
    """Every kind of event that the game's own modules tell."""
    folder = Path(facedown.__file__).parent / "games" / game
    kinds = re.compile(r"""(?:public\(\s*|private\(\s*\w+,\s*)"(\w+)",""")
    return {
        kind for module in folder.glob("*.py") for kind in kinds.findall(module.read_text(encoding="utf-8"))
    }


def events_of(game: str) -> Iterator[JSON]:
    """Events of many games, as seat 1 sees them: one of each kind is enough."""
    played = Played(game, registry.get(game).rules.presets[0].name, 2)
    yield from (seen(event, 1) for event in played.match.resign(1).events)
    match = Played(game, registry.get(game).rules.presets[0].name, 2).match
    yield from (seen(event, 1) for event in match.decide((FORFEIT, match.legal(2)[0])).events)
    for number, preset in product(range(SEEDS), registry.get(game).rules.presets):
        text = preset.name + "(tie=pair)" * (preset.name == "classic")
        for seats in (2,) if game == "ecard" else (2, 4):
            played = Played(game, text, seats, seed=f"told {number}")
            yield from (seen(event, 1) for event in played.match.dealt.events)
            while played.go_on():
                yield from (played.reveals[1] or {})["events"]


def one_of_each(game: str) -> dict[str, JSON]:
    """An event of each kind; looks no further than until all have happened."""
    wanted = kinds_of(game) - {"skipped"}
    found: dict[str, JSON] = {}
    for event in events_of(game):
        if event["kind"] != "-":
            found[event["kind"]] = event
        if wanted <= set(found):
            break
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_event_has_a_sentence_in_every_language(game: str, tmp_path: Path) -> None:
    by_kind = one_of_each(game)
    assert kinds_of(game) - set(by_kind) <= {"skipped"}, "some kind of event never happened"
    events = [*by_kind.values(), {"kind": "-"}, {"kind": "thunder", "facts": {}, "rules": []}]
    for said in told(tmp_path, [("narrate", game, lang, events, NAMES) for lang in languages()]):
        *sentences, hidden, unknown = said
        assert all(sentences), dict(zip(by_kind, sentences, strict=True))
        assert not any("{" in sentence or "undefined" in sentence for sentence in sentences), sentences
        assert (hidden, unknown) == (None, None)


@pytest.mark.parametrize("game", GAMES)
def test_words_are_complete(game: str) -> None:
    words = game_texts(game, ENGLISH)
    rules = registry.get(game).rules
    wanted = {"title", "summary", "keys"}
    wanted |= {f"preset.{preset.name}.name" for preset in rules.presets}
    wanted |= {
        f"option.{option.name}.value.{value}"
        for option in rules.options
        for value in getattr(option, "values", ())
    }
    assert wanted <= set(words)


@pytest.mark.parametrize("game", GAMES)
def test_every_ending_has_a_word_and_no_other(game: str) -> None:
    words = game_texts(game, ENGLISH)
    endings = {key.removeprefix("ending.") for key in words if key.startswith("ending.")}
    assert set(registry.get(game).terminations) == endings


@pytest.mark.parametrize("game", GAMES)
def test_examples_answer_with_rules_of_the_page(game: str, gallery_page: GalleryPage) -> None:
    page = sentences(registry.page(game))
    gallery_page.page.evaluate("(game) => gallery.parts(game)", game)
    examples = gallery_page.page.locator("section.example")
    assert examples.count() >= 4
    for example in examples.all():
        for number in range(example.locator("button").count()):
            if number < example.locator("button").count():
                example.locator("button").nth(number).click()
        answer = example.locator(".example-answer")
        assert answer.inner_text().strip()
        cited = [each.inner_text() for each in answer.locator("a").all()]
        assert cited
        assert set(cited) <= set(page)
    assert gallery_page.missing() == []


def test_the_example_of_the_three_cards_is_E1(gallery_page: GalleryPage) -> None:
    gallery_page.page.evaluate("() => gallery.parts('ecard')")
    example = gallery_page.page.locator("#cards")
    for yours, theirs in product("EC", "CS"):
        played = Played("ecard", "classic", 2)
        played.decide(yours, theirs)
        winner = (played.reveals[1] or {})["events"][0]["facts"]["winner"]
        best = {None: "draw", 1: yours, 2: theirs}[winner]
        names = {"E": "Emperor", "C": "Citizen", "S": "Slave"}
        example.get_by_role("group", name="Your opponent’s").get_by_role("button", name=names[theirs]).click()
        example.get_by_role("group", name="Yours").get_by_role("button", name=names[yours]).click()
        said = example.locator(".example-answer").inner_text()
        assert ("draw" if best == "draw" else f"{names[best]} beats") in said


def test_the_examples_of_the_ace_are_D15(gallery_page: GalleryPage) -> None:
    gallery_page.page.evaluate("() => gallery.parts('davenport')")
    example = gallery_page.page.locator("#ace")
    for number in range(4):
        example.locator("button").nth(number).click()
        drawn = example.locator("[data-card]").all()
        shown = {seat: Card(str(each.get_attribute("data-card"))) for seat, each in enumerate(drawn, 1)}
        verdict = judge(tuple(shown), [card.value for card in shown.values()], ace_rules=True)
        cited = {each.inner_text() for each in example.locator(".example-answer a").all()}
        assert cited == set(verdict.why)
        best = shown[verdict.winners[0]]
        said = example.locator(".example-answer").inner_text()
        assert f"The {'Ace' if best.value == 1 else best[0]} wins" in said or f"the {best[0]} wins" in said


def test_every_card_of_the_deck_is_drawn(gallery_page: GalleryPage) -> None:
    picks = [str(card) for card in DECK] + ["x7H"]
    gallery_page.page.evaluate("(picks) => gallery.cards('davenport', picks)", picks)
    assert gallery_page.cards() == set(map(str, DECK))
    gallery_page.page.evaluate("(picks) => gallery.cards('ecard', picks)", ["E", "C", "S", "7"])
    assert gallery_page.cards() == {"E", "C", "S"}
