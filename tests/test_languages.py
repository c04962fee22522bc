"""A game's page says the same in every language that has one; remarks on rule sets are messages."""

from __future__ import annotations

import re

import pytest

from facedown.core import registry
from facedown.core.errors import UnreadableRules
from facedown.core.text.rule_page import fill_in, sentences
from facedown.core.text.translation import Message, languages

GAMES = [name for name, package in registry.packages().items() if package == f"facedown.games.{name}"]
PAGES = [
    (game, language)
    for game in GAMES
    for language in languages()
    if registry.page(game, language) != registry.page(game)
]
OF_GAMES = pytest.mark.parametrize("game", GAMES)
OF_PAGES = pytest.mark.parametrize(("game", "language"), PAGES)


# --- the pages -------------------------------------------------------------------------------------------


def shape(page: str) -> list[str]:
    """The sections of a page by their depth, with the ids, bullets and rows of tables that each holds."""
    found = []
    for line in page.splitlines():
        if heading := re.match(r"#+ ", line):
            found.append(heading[0])
        elif rule := re.match(r"- \*\*([A-Z][0-9]{1,2})\*\*", line):
            found.append(rule[1])
        elif line.startswith(("- ", "|")):
            found.append(line[0])
    return found


@OF_PAGES
def test_a_page_has_the_same_sections_and_ids_in_every_language(game: str, language: str) -> None:
    ours, theirs = registry.page(game), registry.page(game, language)
    assert shape(theirs) == shape(ours)
    assert list(sentences(theirs)) == list(sentences(ours))


@OF_PAGES
def test_a_sentence_names_the_same_options_and_rules_in_every_language(game: str, language: str) -> None:
    def named(words: str) -> set[str]:
        return set(re.findall(r"`([a-z_]+(?:=[^`]+)?)`|\{([a-z_]+)\}|\b([ED][0-9]{1,2})\b", words))

    ours, theirs = sentences(registry.page(game)), sentences(registry.page(game, language))
    for rule, sentence in ours.items():
        assert named(theirs[rule]) >= named(sentence), rule


@OF_PAGES
def test_the_values_of_a_rule_set_stand_on_every_page(game: str, language: str) -> None:
    rules = registry.get(game).rules.of()
    assert "{" not in "".join(sentences(fill_in(registry.page(game, language), rules)).values())


# --- rule sets -------------------------------------------------------------------------------------------


@OF_GAMES
@pytest.mark.parametrize(
    "text", ["nosuch", "(", "(what)", "(nosuch=1)", "(placing=nosuch)", "(placing=together,placing=together)"]
)
def test_every_problem_of_rules_text_is_a_message(game: str, text: str) -> None:
    with pytest.raises(UnreadableRules) as refused:
        registry.get(game).rules.read(text)
    assert refused.value.problems
    assert all(isinstance(problem, Message) for problem in refused.value.problems)


def test_conflicts_and_notes_of_rules_are_messages() -> None:
    with pytest.raises(UnreadableRules) as refused:
        registry.get("ecard").rules.read("classic(rounds=2,group=3)")
    assert isinstance(refused.value.problems[0], Message)
    assert tuple(map(str, refused.value.problems)) == ("group=3 is more than rounds=2: use group=2 or less",)
    uneven = registry.get("ecard").rules.read("purse(rounds=4,tie=extra,victory=rounds)")
    idle = registry.get("davenport").rules.read("davenport(playoff_wins=4)")
    notes = [*uneven.notes(), *idle.notes()]
    assert len(notes) == 4
    assert all(isinstance(note, Message) for note in notes)
