"""What a game tells of its end: every sentence is checked against the facts, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any

import pytest

from facedown.core.text.translation import ENGLISH, languages
from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import JSON, NAMES, Played

NUMBERS = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
CARDS = {"E": "Emperor", "C": "Citizen", "S": "Slave"}
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
LONGEST = 60


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


def number(word: Any) -> int:
    return NUMBERS.index(word) if word in NUMBERS else int(word)


def ecard_holds(key: str, params: JSON, course: Course) -> bool:
    """Whether a sentence about a game of E-Card is true."""
    rounds = course.facts("round")
    turned = [each for each in course.facts("reveal") if each["winner"] or each["play"] == 0]
    end = course.facts("end")[-1]
    named = course.played.match.rules.stakes == "named"
    start = [course.played.match.rules.purse] * 2 if named else [0, 0]
    scores = [start, *(each["score"] for each in rounds)]
    winner = end["winner"]
    round_ = params.get("round", 0)
    plain = key.removesuffix(".you").removesuffix(".other").removesuffix(".watched")
    if key.startswith(("ending.", "ended.")):
        return bool(key.split(".")[1] == end["termination"])
    if plain == "story.extra":
        return bool(end["termination"] == "extra" and len(set(scores[params["count"]])) == 1)
    if plain == "story.nobody":
        return not any(each["winner"] for each in rounds)
    if plain in ("story.level", "story.levelled"):
        since = round_ or len(rounds)
        level = all(one == two for one, two in scores[since:])
        by = next((each for each in turned if each["round"] == since), None)
        card = plain == "story.level" or CARDS[by["cards"][by["winner"] - 1]] == params["card"]  # type: ignore[index]
        return level and len(set(scores[since - 1])) == 2 and card
    leads = [score[winner - 1] - score[2 - winner] for score in scores]
    if plain == "story.changes":
        signs = [lead > 0 for lead in leads if lead]
        return bool(sum(a != b for a, b in pairwise(signs)) == number(params["times"]))
    if plain == "story.comeback":
        return bool(-min(leads) == number(params["by"]) and leads[-1] > 0)
    cards = next(each["cards"] for each in turned if each["round"] == round_)
    card = CARDS[cards[winner - 1]]
    kept = leads[round_ - 1] <= 0 and all(lead > 0 for lead in leads[round_:])
    if plain in ("story.behind", "story.behind_last"):
        last = plain == "story.behind" or round_ == len(rounds)
        return kept and last and -leads[round_ - 1] == number(params["by"]) and params["card"] == card
    if plain == "story.slave":
        return bool(
            leads[round_] > 0
            and min(leads[round_:]) > 0
            and cards[winner - 1] == "S"
            and cards[2 - winner] == "E"
        )
    if plain == "story.level_last":
        return kept and round_ == len(rounds) and leads[round_ - 1] == 0 and params["card"] == card
    if plain == "story.ahead":
        return kept and min(leads) >= 0
    assert plain in ("story.lead", "story.lasted"), key
    return kept


def davenport_holds(key: str, params: JSON, course: Course) -> bool:
    """Whether a sentence about a game of Davenport is true."""
    turned = course.facts("reveal")
    main = [each for each in turned if each["phase"] == "main"]
    end = course.facts("end")[-1]
    winner = end["winner"]
    hands = course.hands[1 : len(main)]  # after each round but the last, which may begin a playoff
    plain = key.removesuffix(".you").removesuffix(".other")
    if key.startswith("ending."):
        return key == f"ending.{end['termination']}"
    rank, suit = turned[-1]["shown"][winner - 1]
    card = f"{'10' if rank == 'T' else rank}{SIGNS[suit]}"
    if plain == "story.playoff":
        return bool(params["card"] == card and params["count"] == len(course.facts("playoff")[0]["seats"]))
    if "close" in plain:
        left = [seat for seat, held in enumerate(course.hands[-1], 1) if held == 1]
        fits = "several" in plain or NAMES[left[0] - 1] == params["other"] or params["other"] == "You"
        return params["card"] == card and params["count"] == len(left) and fits
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
    assert plain == "story.out", key
    return bool(params["card"] == card and params["round"] == len(main))


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_every_sentence_about_a_game_is_true(game: str, gallery_page: GalleryPage) -> None:
    holds = {"ecard": ecard_holds, "davenport": davenport_holds}[game]
    played = list(courses(game, 12))
    script = "([game, sights, lang]) => gallery.tell(game, sights, lang)"
    said: set[str] = set()
    for you, lang in product((0, 1, 2), languages()):
        some = played if lang == ENGLISH else played[::3]
        sights = [course.played.sight(you) for course in some]
        tales = gallery_page.page.evaluate(script, [game, sights, lang])
        for course, told in zip(some, tales, strict=True):
            assert 0 < len(told["story"]) <= LONGEST
            assert "{" not in told["story"]
            said |= {key for key, _ in told["stories"]}
            if lang == ENGLISH:
                wrong = [(key, params) for key, params in told["stories"] if not holds(key, params, course)]
                assert not wrong, (wrong, course.events)
    assert len(said) > 12, said
    assert gallery_page.missing() == []


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_the_course_ends_with_the_result(game: str, gallery_page: GalleryPage) -> None:
    played = list(courses(game, 6))
    script = "([game, sights]) => gallery.tell(game, sights)"
    tales = gallery_page.page.evaluate(script, [game, [course.played.sight(1) for course in played]])
    for course, told in zip(played, tales, strict=True):
        winner = course.facts("end")[-1]["winner"]
        ends = {line["seat"]: line["values"][-1] for line in told["lines"]}
        assert told["lines"][-1]["seat"] == 1, "the reader's own line is the last"
        if game == "ecard":
            assert ends == dict(enumerate(course.facts("round")[-1]["score"], 1))
        else:
            assert ends[winner] == 0
        decided = [card for card in told["cards"] if card["won"] and card["seat"] == winner]
        assert decided or winner is None, told
