"""The page: it needs no other file, texts of the record stay text, and no meaning depends on colour alone."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from importlib import resources

import pytest

from facedown.core.record import Record
from facedown.review.html.page import page
from facedown.review.predictability import Predictability
from facedown.review.review import Review, review
from tests.review.reviewed import played_out, recorded_game, small, small_review

VOID = {"meta"}
HOSTILE = "</title><script>alert(1)</script>\u202e<img src=x onerror=alert(1)>\"'"
REVIEWS: dict[str, Callable[[], Review]] = {
    "small": small_review,
    "other seat": lambda: small_review(seat=2),
    "hostile": lambda: small_review(HOSTILE, '"><svg onload=alert(1)>'),
    "extra rounds": lambda: review(recorded_game("ecard", 30), 1),
    "stakes": lambda: review(recorded_game("ecard", 8), 1),
    "running": lambda: review(small(picks=(("E", "C"), ("C", "C"))), 1),
    "nothing decided": lambda: review(small(picks=()), 1),
    "resigned": lambda: review(small(picks=(("E", "C"), (None, "resign"))), 2),
    "never picked": lambda: review(small(picks=((None, "resign"),)), 1),
    "played out": played_out,
    "more seats": lambda: played_out(seat=3, line=5),
    "Japanese": lambda: review(small("You", "Machine"), 1, language="ja"),
    "Japanese, played out": lambda: review(recorded_game("davenport", 46), 1, 4, language="ja"),
}
OF_REVIEWS = pytest.mark.parametrize("name", REVIEWS)


@cache
def review_of(name: str) -> Review:
    return REVIEWS[name]()


class Reading(HTMLParser):
    """What a browser finds on a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, *tags: str) -> str:
        return " ".join(words for tag, words in self.words if not tags or tag in tags)


def read(found: Review) -> Reading:
    return Reading(page(found))


# --- it needs no other file ------------------------------------------------------------------------------


@OF_REVIEWS
def test_every_tag_is_closed_and_every_id_is_there_once(name: str) -> None:
    found = read(review_of(name))
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]

    assert found.open == []
    assert len(ids) == len(set(ids))
    for _, attributes in found.tags:
        assert set((attributes.get("aria-labelledby") or "").split()) <= set(ids)


@OF_REVIEWS
def test_nothing_is_run_and_nothing_comes_from_elsewhere(name: str) -> None:
    text = page(review_of(name))
    found = Reading(text)
    tags = {tag for tag, _ in found.tags}
    attributes = {each for _, all_of_it in found.tags for each in all_of_it}

    assert not tags & {"script", "link", "img", "iframe", "object", "base", "form", "a", "use", "image"}
    assert not {each for each in attributes if each.startswith("on")}
    assert not attributes & {"src", "href", "style", "xlink:href"}
    text = re.sub(r"'sha256-[^']+'", "", text)  # a hash may hold any two letters
    assert not re.search(r"https?:|//|@import|url\((?!#hatch\))", text.replace("<!doctype", ""))


@OF_REVIEWS
def test_the_pages_policy_allows_its_own_style_and_nothing_else(name: str) -> None:
    text = page(review_of(name))
    (style,) = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    proof = b64encode(sha256(style.encode()).digest()).decode()
    (policy,) = (each["content"] for each in Reading(text).all("meta") if "http-equiv" in each)

    assert policy == f"default-src 'none'; style-src 'sha256-{proof}'"


@pytest.mark.parametrize("seat", [1, 2])
def test_hostile_names_stay_words(seat: int) -> None:
    found = read(small_review(HOSTILE, '"><svg onload=alert(1)>', seat=seat))

    assert "\u202e" not in found.text()
    assert "</title><script>alert(1…" in found.text("h1", "p", "figcaption")
    assert '"><svg onload=alert(1)>' in found.text("h1", "p", "figcaption")


def test_a_long_name_is_cut() -> None:
    found = read(small_review("W" * 300, "Bo"))

    assert found.text("h1") == f"{'W' * 23}… lost, 2 to 3"


@OF_REVIEWS
def test_the_record_in_the_page_is_the_record(name: str) -> None:
    found = read(review_of(name))

    assert Record.read(found.text("pre")) == review_of(name).record
    assert found.text("pre").isascii()


# --- it can be read --------------------------------------------------------------------------------------


@OF_REVIEWS
def test_it_has_a_language_and_headings_in_order(name: str) -> None:
    found = read(review_of(name))

    assert found.all("html")[0]["lang"] == review_of(name).language
    assert len(found.all("h1")) == 1
    assert len(found.all("h2")) == len(found.all("section"))
    assert not found.all("h3")


@OF_REVIEWS
def test_every_picture_has_a_description_or_is_decoration(name: str) -> None:
    found = read(review_of(name))
    shown = [each for each in found.all("svg") if each.get("role") == "img"]
    labelled = [each for each in shown if "aria-labelledby" in each]

    assert all("aria-labelledby" in each or each.get("aria-label") for each in shown)
    assert (
        len(labelled) == len(found.all("desc")) == len([each for each in found.all("title") if "id" in each])
    )


def contrast(one: str, two: str) -> float:
    """As the accessibility guidelines reckon it."""
    high, low = sorted(map(luminance, (one, two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def themes() -> list[dict[str, str]]:
    """The colours of every theme; what it does not name it has from the first."""
    style = resources.files("facedown.review.html").joinpath("page.css").read_text(encoding="utf-8")
    found = [
        dict(re.findall(r"--([\w-]+): (#\w+);", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    ]
    return [found[0] | each for each in found]


@pytest.mark.parametrize("theme", range(3), ids=["dark", "light", "print"])
@pytest.mark.parametrize(
    ("words", "ground"),
    [
        ("text", "room"),
        ("text", "table"),
        ("quiet", "room"),
        ("on-won", "won"),
        ("on-lost", "lost"),
        ("on-card", "card"),
    ],
)
def test_text_has_enough_contrast(theme: int, words: str, ground: str) -> None:
    colours = themes()[theme]

    assert contrast(colours[words], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", range(3), ids=["dark", "light", "print"])
def test_the_mark_has_enough_contrast(theme: int) -> None:
    assert contrast(themes()[theme]["seal"], themes()[theme]["room"]) >= 3


# --- what is on it ---------------------------------------------------------------------------------------


@OF_REVIEWS
def test_every_round_has_a_cell_and_every_pick_a_row(name: str) -> None:
    found, judged = read(review_of(name)), review_of(name).judged
    cells = [each for each in found.all("span") if each.get("class") == "cell"]
    rows = [each for each in found.all("th") if each.get("role") == "rowheader"]

    assert len(cells) == len(judged.rounds or judged.chances)
    assert len(rows) == len(judged.appraisals)


def test_rounds_show_their_winner_in_words_and_by_position() -> None:
    text = page(small_review())
    won = re.findall(r'<li class="[^"]*\bwon">.*?</li>', text)
    lost = re.findall(r'<li class="[^"]*\blost">.*?</li>', text)

    assert (len(won), len(lost)) == (2, 3)
    assert "Round 1: Emperor against Citizen; won (+1)." in won[0]
    assert re.search(r'half ours">.*\+1</span></span>', won[0])
    assert "Round 3: Emperor against Slave; lost (+1)." in lost[0]
    assert re.search(r'half theirs">.*\+1</span></span><span class="half ours">', lost[0])


def test_the_numbers_of_the_pictures_are_text() -> None:
    found = small_review()
    text = read(found).text("desc")
    assert found.judged.timing is not None
    assert found.predictability is not None

    for label, yours, judges in zip(
        found.judged.timing.labels, found.judged.timing.yours, found.judged.timing.judges, strict=True
    ):
        assert f"{label}: {yours}; equilibrium: {judges:.1f}" in text
    assert f"{found.predictability.number:.0f} of 100" not in text, "five rounds cannot tell"
    surer = replace(found, predictability=Predictability(31.0, 20.0, 45.0, 8.0, 90, 60))
    assert "31 of 100" in read(surer).text("desc")
    assert f"From {100 * found.start.value:.0f} % at the start to 0 %." in text


def test_the_line_goes_through_every_chance() -> None:
    found = small_review()
    (path,) = re.findall(r'class="chance" d="M([^"]*)"', page(found))
    heights = [float(point.split()[1]) for point in path.split("L")]
    chances = [found.start.value, *(each.after for each in found.judged.chances)]

    assert [1 - height / 184 for height in heights] == pytest.approx(chances, abs=0.001)
    assert [float(point.split()[0]) for point in path.split("L")] == pytest.approx(
        [0, 200, 300, 400, 600, 800, 1000], abs=0.1
    )


def test_an_estimates_doubt_is_drawn() -> None:
    assert 'class="doubt"' in page(played_out())
    assert 'class="doubt"' not in page(small_review())


def test_the_page_names_the_checks_and_how_to_repeat_them() -> None:
    found = read(small_review())

    assert "All 6 decisions follow the rules" in found.text("li")
    assert "facedown verify game.json" in found.text("code")
    assert found.text("b").split() == ["✓", "–", "–", "–"]


def test_many_rounds_are_wrapped_and_few_are_below_the_line() -> None:
    few = page(small_review())
    rounds = small_review().judged.rounds * 4
    chances = small_review().judged.chances * 4
    judged = replace(small_review().judged, rounds=rounds, chances=chances)

    assert "repeat(5, 1fr)" in few
    assert "repeat(20, 1fr)" not in page(replace(small_review(), judged=judged))


def test_the_page_is_small() -> None:
    assert len(page(review(recorded_game("ecard", 30), 1)).encode()) < 60_000


def test_the_record_is_json() -> None:
    assert json.loads(read(small_review()).text("pre"))["format"] == "facedown/1"
