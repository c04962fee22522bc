"""A review in words: what it states about a game, and what it does not claim."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given as for_any
from hypothesis import strategies as st

from facedown.core.errors import IllegalSeats
from facedown.core.outcome import COMPLETED, RESIGNATION, Outcome
from facedown.core.parts.judge import Appraisal, BeingRead, Chances, Exposure
from facedown.core.text.translation import Text
from facedown.games.davenport.state import OUT
from facedown.games.ecard.state import EXTRA, RUIN
from facedown.review import words
from facedown.review.predictability import Predictability
from facedown.review.reports import plain_text
from facedown.review.review import Review, review
from facedown.review.rollouts import with_clear_costs
from facedown.review.words import about, cost, headline, judged_by
from tests.review.reviewed import played_out, recorded_game, small, small_review


def strings(parts: list[Text]) -> list[str]:
    return [str(part) for part in parts]


def luck_and_skill(found: Review) -> list[str]:
    return strings(words.luck_and_skill(found))


def how_predictable(found: Review) -> list[str]:
    return strings(words.how_predictable(found))


def largest_swing(found: Review) -> str:
    return " ".join(strings(words.largest_swing(found)))


def review_ending(how: str, winner: int | None = 1, score: tuple[int, ...] = (8, 7), seat: int = 1) -> Review:
    return replace(small_review(seat=seat), outcome=Outcome(winner, how, score, (0,) * len(score)))


def played_off(how: str, winner: int) -> Review:
    """The end of a game of several seats."""
    return replace(played_out(), outcome=Outcome(winner, how, (0, 0, 1), (0, 0, 0)))


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (partial(review_ending, COMPLETED), "Ann won, 8 to 7"),
        (partial(review_ending, COMPLETED, seat=2), "Bo lost, 7 to 8"),
        (partial(review_ending, COMPLETED, None, (7, 7)), "Ann drew, 7 to 7"),
        (partial(review_ending, EXTRA, 2), "Ann lost, 8 to 7: after extra rounds"),
        (partial(review_ending, RUIN, 2, (0, 60)), "Ann lost, 0 to 60: the purse was empty"),
        (partial(played_off, OUT, 1), "Ann won: out of cards first"),
        (partial(played_off, OUT, 2), "Ann lost: someone else ran out of cards first"),
        (partial(played_off, RESIGNATION, 1), "Ann won: by resignation"),
        (partial(played_off, RESIGNATION, 2), "Ann lost: by resignation"),
        (partial(review_ending, RESIGNATION), "Ann won, 8 to 7: by resignation"),
        (lambda: replace(small_review(), outcome=None), "Ann: game in progress"),
    ],
)
def test_the_headline_gives_the_result_of_this_seat(found: Callable[[], Review], text: str) -> None:
    assert str(headline(found())) == text


def test_players_of_the_same_name_are_distinguished() -> None:
    assert small_review("Ann", "Ann").names == ("Ann 1", "Ann 2")
    assert review(small("Ann", "Ann"), 1, language="ja").names == ("Ann1", "Ann2")
    assert small_review("", "Seat 1").names == ("Seat 1 1", "Seat 1 2")


@pytest.mark.parametrize("seat", [0, 3])
def test_a_seat_that_is_not_there_has_no_review(seat: int) -> None:
    with pytest.raises(IllegalSeats, match="1 to 2"):
        review(small(), seat)


def test_an_opponent_without_a_name_is_called_so() -> None:
    assert "Your opponent's choices: 0.0 %." in luck_and_skill(small_review("You", "Bo", seat=2))


def test_the_opponents_are_named() -> None:
    assert str(about(small_review())).endswith("seat 1, against Bo. 5 rounds, 6 decisions.")
    assert str(about(small_review("You", "Bo", seat=2))).endswith(
        "seat 2, against you. 5 rounds, 6 decisions."
    )
    assert "against Ann and Cy." in str(about(played_out(seat=2)))


# --- luck and skill --------------------------------------------------------------------------------------


def parts(start: float, end: float, given: float, gift: float | None, error: float = 0.0) -> Review:
    """A review with these numbers."""
    found = small_review()
    chances = Chances(1, "round 1", start, end, gift, end - start + given - (gift or 0.0), error)
    (appraisal,) = with_clear_costs([Appraisal(1, "round 1", "C", {}, given, None, error)])
    judged = replace(found.judged, chances=(chances,), appraisals=(appraisal,), adviser="careful")
    return replace(found, judged=judged)


def test_the_account_lists_its_parts_and_the_rest_is_luck() -> None:
    assert luck_and_skill(parts(0.4, 0.5, 0.0, 0.0)) == [
        "Ann started at 40.0 % and finished at 50.0 %.",
        "Ann's choices: 0.0 %.",
        "Bo's choices: 0.0 %.",
        "Luck: +10.0 %.",
        "Luck is the rest: which cards happened to meet.",
    ]


def test_what_each_seat_gave_away_is_listed_and_explained() -> None:
    assert luck_and_skill(parts(0.4, 0.0, 0.125, 0.25))[1:] == [
        "Ann's choices: −12.5 %.",
        "Bo's choices: +25.0 %.",
        "Luck: −52.5 %.",
        "Choices are what the cards cost against perfect play.",
        "The opponent's choices are what their mistakes gave.",
        "Luck is the rest: which cards happened to meet.",
    ]


def test_being_read_is_a_share_of_its_own_with_its_error() -> None:
    found = parts(0.4, 0.0, 0.0, 0.0)
    judged = replace(found.judged, being_read=BeingRead(-0.3, 0.05, 8.0))
    lines = luck_and_skill(replace(found, judged=judged))

    assert lines[2] == "Being read: −30.0 ± 10.0 %."
    assert lines[4] == "Luck: −10.0 %."
    assert any(
        each.startswith("Being read is what it cost that the opponent could guess the cards")
        for each in lines
    )


def test_an_estimate_has_an_error_and_luck_includes_the_others_picks() -> None:
    assert luck_and_skill(parts(0.4, 1.0, 0.1, None, error=0.03))[:3] == [
        "Ann started at 40.0 ± 6.0 % and finished at 100.0 %.",
        "Ann's choices: −10.0 ± 6.0 %.",
        "The rest: +70.0 %.",
    ]


@pytest.mark.parametrize("given", [0.05, -0.05])
def test_a_part_below_its_error_is_added_to_the_rest(given: float) -> None:
    assert luck_and_skill(parts(0.4, 1.0, given, None, error=0.03))[1] == "The rest: +60.0 %."


@for_any(
    st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(0.01, 0.2)), min_size=1, max_size=12),
    st.floats(0, 1),
)
def test_the_account_is_the_sum_of_what_the_table_shows(
    costs: list[tuple[float, float]], start: float
) -> None:
    appraisals = with_clear_costs(
        [Appraisal(number, "", "C", {}, cost, None, error) for number, (cost, error) in enumerate(costs, 1)]
    )
    chances = tuple(Chances(each.decision, "", start, 1.0, None, 0.0, 0.1) for each in appraisals)
    found = small_review()
    judged = replace(found.judged, chances=chances, appraisals=tuple(appraisals), timing=None)
    text = plain_text(replace(found, judged=judged)).replace("−", "-")
    table, _, rest = text.partition("Luck and skill\n")

    shown = [tenths(each) for each in re.findall(r"([+-]?[\d.]+) ± [\d.]+ %$", table, re.MULTILINE)]
    begun, ended = map(tenths, re.findall(r"(?:started|finished) at\s([\d.]+)", rest))
    listed = {part: tenths(value) for part, value in re.findall(r"(\S+): ([+-]?[\d.]+)\s", rest)}
    assert begun + sum(listed.values()) == ended
    assert listed.get("choices", 0) == sum(shown)
    assert ("choices" in listed) == bool(shown)
    assert not shown or "cost" not in table.splitlines()[4]


def tenths(percents: str) -> int:
    return round(10 * float(percents))


# --- picks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "decided", "forced", "text"),
    [
        (0.0, "decided", False, "decided"),
        (0.0, "decided", True, "decided"),
        (0.0, "lost", False, "lost, in theory"),
        (0.0, "won", False, "won, in theory"),
        (0.2, "won", False, "20.0 %"),
        (0.0, "", True, "no choice"),
    ],
)
def test_a_game_without_choices_is_reported_as_such(
    given: float, decided: str, forced: bool, text: str
) -> None:
    assert str(cost(Appraisal(1, "", "C", {}, given, None, forced=forced, decided=decided))) == text


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        (0.0, 0.0, "nothing"),
        (1e-17, 0.0, "nothing"),
        (0.105, 0.0, "10.5 %"),
        (0.03, 0.01, "−3.0 ± 2.0 %"),
        (-0.03, 0.01, "+3.0 ± 2.0 %"),
        (0.015, 0.01, "not clear"),
        (-0.015, 0.01, "not clear"),
    ],
)
def test_an_estimated_cost_is_a_gain_or_loss_with_its_error(given: float, error: float, text: str) -> None:
    (appraisal,) = with_clear_costs([Appraisal(1, "", "C", {}, given, None, error)])

    assert str(cost(appraisal)) == text


def test_the_largest_swing_shows_the_cards_and_who_gave_it_away() -> None:
    found = review(recorded_game("ecard", 1), 1)

    assert found.swing.place == "round 5, play 1"
    assert "Ann showed the Slave, Bo the Emperor." in largest_swing(found)
    assert "Bo's card gave away 26.6 %." in largest_swing(found)
    assert "luck" not in largest_swing(found)


def test_a_swing_that_no_seat_gave_away_was_luck() -> None:
    assert largest_swing(small_review()).endswith("No one's card gave anything away: it was luck.")


# --- readers ---------------------------------------------------------------------------------------------


def test_readability_is_shown_with_bits_rounds_and_a_warning() -> None:
    exposure = Exposure(0.9, 0.7, 1.0, 0.5, 5)
    found = small_review()
    found = replace(found, predictability=Predictability(31.0, 10.0, 50.0, 4.25, 6, 5))
    found = replace(found, judged=replace(found.judged, exposure=exposure))

    assert how_predictable(found) == [
        "A reader of the earlier rounds gained 4.2 bits over chance with 6 cards where being readable "
        "mattered.",
        "The best answer to this timing would have won 90 % of the 5 rounds where being readable mattered "
        "(95 % interval 70 to 100 %); over so few rounds, an unreadable player shows 50 %.",
        "5 rounds say little: take this as a hint.",
    ]


def test_no_number_stands_beside_what_being_read_has_cost() -> None:
    """14 of 100, unreadable, above: being read, −44 %. One is about any reader, the other about this one."""
    found = replace(small_review(), predictability=Predictability(14.0, 5.0, 30.0, 2.0, 6, 5))
    read = replace(found, judged=replace(found.judged, being_read=BeingRead(-0.44, 0.1, 8.0)))

    assert "of 100" in plain_text(found)
    assert "of 100" not in plain_text(read)
    assert "bits over chance" not in plain_text(read).lower()


def test_too_few_picks_get_no_number() -> None:
    found = replace(small_review(), predictability=Predictability(9.0, 0.0, 100.0, 1.0, 11, 4))
    assert found.predictability is not None

    assert (
        str(words.predictability_score(found.predictability))
        == "Being readable mattered for 11 cards: too few to tell."
    )
    assert "0 to 100" not in plain_text(found)
    assert "9 of 100" not in plain_text(found)
    assert not any("bits" in each for each in how_predictable(found))


# --- the whole -------------------------------------------------------------------------------------------


def test_the_gain_of_a_perfect_reader_is_shown_only_if_it_stands_out() -> None:
    found = small_review()
    judged = replace(found.judged, exposure=Exposure(0.6, 0.4, 0.9, 0.5, 5))

    assert not any("best answer" in each for each in how_predictable(replace(found, judged=judged)))


def test_a_reader_that_was_misled_lost_bits() -> None:
    found = replace(small_review(), predictability=Predictability(0.0, 0.0, 20.0, -1.5, 6, 60))

    assert "lost 1.5 bits" in how_predictable(found)[0]
    assert not any("say little" in text for text in how_predictable(found))


def test_a_game_without_readable_rounds_is_reported_as_such() -> None:
    assert how_predictable(replace(small_review(), predictability=None)) == [
        "There was no card where being readable mattered."
    ]


def test_the_text_has_every_pick_and_every_part() -> None:
    text = plain_text(small_review())

    assert text.count("\nround ") == 6
    for part in (
        "Ann lost, 2 to 3.",
        "Judged by the exact solution",
        "Luck and skill",
        "When the special card came",
        "too few to tell",
    ):
        assert part in text
    assert "missed" in text


def test_columns_without_any_value_are_left_out() -> None:
    assert "missed" not in plain_text(played_out())
    assert "Careful" in plain_text(played_out())
    assert "± two standard errors" in plain_text(played_out()).replace("\n", " ")


def test_estimated_chances_are_marked_with_their_error() -> None:
    assert "4 simulated games per position" in str(judged_by(played_out(rollouts=4)))
    assert "accurate to about ±" in str(judged_by(played_out(rollouts=4)))
    assert "±" not in str(judged_by(small_review()))


def test_a_game_in_which_nothing_was_decided_has_a_review_too() -> None:
    text = plain_text(review(small(picks=()), 1))

    assert "Nothing has been decided yet." in text


def test_names_of_records_are_shown_harmlessly() -> None:
    text = plain_text(small_review("\x1b[2J\u202eAnn\n\n", "B" * 300))

    assert text.startswith("[2JAnn lost, 2 to 3.")
    assert not {"\x1b", "\u202e"} & set(text)
    assert "B" * 30 not in text
