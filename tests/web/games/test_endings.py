"""What a game tells of its end: every sentence is checked against the facts, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from pathlib import Path

import pytest

from facedown.core.parts.story import LONGEST, Sentence, deciding_cards, drawn_cards, story_text
from facedown.core.text.translation import ENGLISH, languages
from tests.web.games.views import JSON, Played
from tests.web.tools import told


@dataclass
class Course:
    """A game from its start to its end, as its events tell it."""

    played: Played
    events: list[JSON] = field(default_factory=list)
    hands: list[tuple[int, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        while True:
            self.hands.append(tuple(len(hand) for hand in getattr(self.played.match.state, "hands", ())))
            if not self.played.go_on():
                return
            self.events += (self.played.reveals[0] or {})["events"]

    def facts(self, kind: str) -> list[JSON]:
        """The facts of all events of a kind."""
        return [event["facts"] for event in self.events if event["kind"] == kind]


def courses(game: str, seeds: int) -> Iterator[Course]:
    kinds = {
        "ecard": (("classic(rounds=6)", "classic(rounds=2,group=1)", "victories", "decisive", "purse"), (2,)),
        "davenport": (("davenport", "davenport(playoff=wins)"), (2, 4)),
    }
    rules, seats = kinds[game]
    for seed, text, count in product(range(seeds), rules, seats):
        yield Course(Played(game, text, count, seed=f"ending {seed}"))


def ecard_holds(said: Sentence, course: Course) -> bool:
    """Whether a sentence about a game of E-Card is true."""
    plain, params = said.key, said.numbers
    rounds = course.facts("round")
    turned = [each for each in course.facts("reveal") if each["winner"] or each["play"] == 0]
    end = course.facts("end")[-1]
    named = course.played.match.rules.stakes == "named"
    start = [course.played.match.rules.purse] * 2 if named else [0, 0]
    scores = [start, *(each["score"] for each in rounds)]
    winner = end["winner"]
    round_ = params.get("round", 0)
    if plain in ("story.ruin", "story.forfeit"):
        return bool(plain.split(".")[1] == end["termination"] and said.who != winner)
    if said.who:
        assert said.who == (winner or rounds[-1]["winner"])
    if plain == "story.extra":
        return bool(end["termination"] == "extra" and len(set(scores[params["count"]])) == 1)
    if plain == "story.nobody":
        return not any(each["winner"] for each in rounds)
    if plain in ("story.level", "story.levelled"):
        since = round_ or len(rounds)
        level = all(one == two for one, two in scores[since:])
        by = next((each for each in turned if each["round"] == since), None)
        card = plain == "story.level" or by["cards"][by["winner"] - 1] == said.card  # type: ignore[index]
        return level and len(set(scores[since - 1])) == 2 and card
    leads = [score[winner - 1] - score[2 - winner] for score in scores]
    if plain == "story.changes":
        signs = [lead > 0 for lead in leads if lead]
        return bool(sum(a != b for a, b in pairwise(signs)) == params["times"])
    if plain == "story.comeback":
        return bool(-min(leads) == params["by"] and leads[-1] > 0)
    round_ = round_ or len(rounds)
    cards = next(each["cards"] for each in turned if each["round"] == round_)
    card = cards[winner - 1]
    kept = leads[round_ - 1] <= 0 and all(lead > 0 for lead in leads[round_:])
    if plain in ("story.behind", "story.behind_last"):
        last = plain == "story.behind" or round_ == len(rounds)
        return kept and last and -leads[round_ - 1] == params["by"] and said.card == card
    if plain == "story.slave":
        return bool(
            leads[round_] > 0
            and min(leads[round_:]) > 0
            and cards[winner - 1] == "S"
            and cards[2 - winner] == "E"
            and said.whom == 3 - winner
        )
    if plain == "story.level_last":
        return kept and round_ == len(rounds) and leads[round_ - 1] == 0 and said.card == card
    if plain == "story.ahead":
        return kept and min(leads) >= 0
    assert plain in ("story.lead", "story.lasted"), said
    return kept


def davenport_holds(said: Sentence, course: Course) -> bool:
    """Whether a sentence about a game of Davenport is true."""
    plain, params = said.key, said.numbers
    turned = course.facts("reveal")
    main = [each for each in turned if each["phase"] == "main"]
    end = course.facts("end")[-1]
    winner = end["winner"]
    hands = course.hands[1 : len(main)]  # after each round but the last, which may begin a playoff
    assert said.who in (0, winner)
    if plain in ("story.resignation", "story.forfeit", "story.playoff_won", "story.out_first"):
        return bool(plain.split(".")[1].split("_")[0] == end["termination"])
    card = turned[-1]["shown"][winner - 1]
    if plain == "story.playoff":
        return bool(said.card == card and params["count"] == len(course.facts("playoff")[0]["seats"]))
    if "close" in plain:
        left = [seat for seat, held in enumerate(course.hands[-1], 1) if held == 1]
        others = [said.whom] if said.whom else left
        return bool(said.card == card and others == left and params.get("count", 1) == len(left))
    if plain == "story.most":
        return bool(max(held[winner - 1] for held in (*hands, course.hands[0])) == params["count"])
    if plain == "story.streak":
        count = params["count"]
        won = [winner in each["winners"] for each in main]
        return all(won[-count:]) and (count == len(won) or not won[-count - 1])
    if plain == "story.changes":
        alone = [held.index(min(held)) for held in (*hands, course.hands[-1]) if held.count(min(held)) == 1]
        return bool(sum(a != b for a, b in pairwise(alone)) == params["count"])
    if plain == "story.tied":
        return bool(sum(len(each["winners"]) > 1 for each in main) == params["count"])
    assert plain == "story.out", said
    return bool(said.card == card and params["round"] == len(main))


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_every_sentence_about_a_game_is_true(game: str) -> None:
    holds = {"ecard": ecard_holds, "davenport": davenport_holds}[game]
    said: set[str] = set()
    for course in courses(game, 12):
        story = course.played.story()
        assert story is not None
        wrong = [each for each in story.sentences if not holds(each, course)]
        assert not wrong, (wrong, course.events)
        said |= {each.key for each in story.sentences}
    assert len(said) > 7, said


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_the_page_words_it_as_the_server_does(game: str, tmp_path: Path) -> None:
    """A spectator's sentence is the one of a link preview; players read of themselves."""
    played = list(courses(game, 4))
    readers = list(product((0, 1, 2), languages()))
    asked = [("tell", game, lang, [course.played.sight(you) for course in played]) for you, lang in readers]
    for (you, lang), tales in zip(readers, told(tmp_path, asked), strict=True):
        for course, tale in zip(played, tales, strict=True):
            story = course.played.story()
            assert story is not None
            assert 0 < len(tale["story"]) <= LONGEST or lang != ENGLISH
            assert "{" not in tale["story"]
            if you == 0:
                assert tale["story"] == story_text(game, story, course.played.match.names, lang)
                cards = deciding_cards(game, course.played.match.view(0))
                shown = sorted((each["pick"], str(each["won"])) for each in tale["cards"])
                assert shown == sorted((each.pick, str(each.won)) for each in cards), "those of the picture"
                assert all(each.pick in drawn_cards(game) for each in cards)
            elif lang == ENGLISH:
                ends_with_the_result(course, tale, you)


def ends_with_the_result(course: Course, tale: JSON, you: int) -> None:
    """The lines of a tale end with the score, or without cards; the reader's own line is the last."""
    winner = course.facts("end")[-1]["winner"]
    ends = {line["seat"]: line["values"][-1] for line in tale["lines"]}
    assert tale["lines"][-1]["seat"] == you
    if course.played.game == "ecard":
        assert ends == dict(enumerate(course.facts("round")[-1]["score"], 1))
    else:
        assert ends[winner] == 0
    decided = [card for card in tale["cards"] if card["won"] and card["seat"] == winner]
    assert decided or winner is None, tale
