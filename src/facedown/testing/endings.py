"""Contract, third part: every game ends, says how, pays what it should; any standing seat may resign."""

from __future__ import annotations

from facedown.core.game import RESIGN
from facedown.core.outcome import Outcome
from facedown.core.replay import AnyMatch
from facedown.core.seats import all_seats, viewer_name
from facedown.testing.checks import Check, require
from facedown.testing.records import check_record
from facedown.testing.tables import Deal, driven, uniform


@driven
def every_game_ends(deal: Deal) -> None:
    """Uniform picks reach an outcome; seats have to pick, and may resign, exactly until then."""
    match = deal.open()
    _check_place(match)
    for after, _, _ in deal.play():
        match = after
        _check_place(match)
    outcome = match.outcome
    assert outcome is not None  # play() ends with one
    _check_outcome(match, outcome)


def _check_place(match: AnyMatch) -> None:
    over = match.outcome is not None
    require(
        over is not bool(match.pending), f"outcome {match.outcome}, but these have to pick: {match.pending}"
    )
    require(not (over and match.game.standing(match.state)), "the game is over, but seats may still resign")
    for viewer in range(len(match.names) + 1):
        view = match.view(viewer)
        said = (view.viewer, view.rules, view.waiting, view.outcome)
        true = (viewer, match.rules, match.pending, match.outcome)
        require(said == true, f"the view of {viewer_name(viewer)} says {said}, but it is {true}")


def _check_outcome(match: AnyMatch, outcome: Outcome) -> None:
    seats = all_seats(len(match.names))
    require(outcome.winner is None or outcome.winner in seats, f"there is no seat to win: {outcome}")
    known = match.game.terminations
    require(outcome.termination in known, f"why it ended is none of the game's {known}: {outcome}")
    counted = len(outcome.score) == len(outcome.payoffs) == len(seats)
    require(counted, f"score and payoffs must have one number for each of {len(seats)} seats: {outcome}")
    zero_sum = not match.game.meta.zero_sum or sum(outcome.payoffs) == 0
    require(
        zero_sum, f"the payoffs do not add up to nothing, but the game's meta says zero_sum=True: {outcome}"
    )


@driven
def any_standing_seat_may_resign(deal: Deal) -> None:
    """At any moment each standing seat may give up, and stands no more; when enough have, the game ends."""
    stream = deal.stream("resigning")
    when = stream.below(12)
    for seat in all_seats(deal.table.seats):
        match = deal.open()
        picks = deal.stream("picks")
        while match.outcome is None and match.decision <= when:
            match.decide(uniform(match, picks))
        if seat in match.game.standing(match.state):
            _resign_in_turn(match, seat)
            check_record(match)


def _resign_in_turn(match: AnyMatch, seat: int) -> None:
    """That seat resigns, then all others up to the end of the game."""
    while match.outcome is None:
        for early in match.may_seal[:1]:
            match.seal(early, match.legal(early)[0])
        match.resign(seat)
        alone = tuple(RESIGN if each == seat else None for each in all_seats(len(match.names)))
        require(
            match.picks[-1] == alone,
            f"the resignation of {viewer_name(seat)} is recorded as {match.picks[-1]}",
        )
        standing = match.game.standing(match.state)
        require(seat not in standing, f"{viewer_name(seat)} has resigned, but still stands")
        _check_place(match)
        if match.outcome is None:
            require(bool(standing), "the game goes on after a resignation, but no seat may resign any more")
            seat = standing[0]
    _check_outcome(match, match.outcome)


CHECKS: tuple[Check, ...] = (every_game_ends, any_standing_seat_may_resign)
