"""Contract, second part: a seat that has to pick can, and what may not be picked is refused with a code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis import settings

from facedown.core.errors import FacedownError, IllegalPick, IllegalSeats, NotNow, Unsupported
from facedown.core.game import RESIGN, AnyGame, Joint, Pick
from facedown.core.replay import AnyMatch
from facedown.core.seats import Seat, all_seats, viewer_name
from facedown.testing.checks import HOW, Broken, Check, require
from facedown.testing.tables import Deal, TableSetup, driven, resignation, rule_sets, seat_counts, uniform

NONSENSE: tuple[Pick, ...] = (
    "",
    " ",
    "?",
    "-1",
    "no such pick",
    "None",
    RESIGN,
    "\N{PLAYING CARD BACK}" * 50,
)
"""What no game takes for a pick."""

_LOOKED_AT = 12
"""The number of decisions in a game that are tried with every wrong pick."""


@driven
def seats_that_have_to_pick_can(deal: Deal) -> None:
    """Legal picks are never empty for a pending seat; they are distinct, and written as they are read."""
    match = deal.open()
    _check_legal(match)
    for after, _, _ in deal.play():
        _check_legal(after)


def _check_legal(match: AnyMatch) -> None:
    deciding = _deciding(match)
    seats = all_seats(len(match.names))
    require(len(set(deciding)) == len(deciding), f"a seat has to pick twice in one decision: {match.pending}")
    require(set(deciding) <= set(seats), f"a seat has to pick that is not there: {match.pending}")
    require(all(match.pending), f"a wave of the placing order is empty: {match.pending}")
    for seat in deciding:
        legal = match.legal(seat)
        say = f"{viewer_name(seat)} has to pick in decision {match.decision}, but has no legal pick"
        require(bool(legal), say)
        require(len(set(legal)) == len(legal), f"a pick stands twice among the legal ones: {legal}")
        require(
            RESIGN not in legal, f"{RESIGN!r} is the table's own pick and may not be among the legal ones"
        )
        for pick in legal:
            read = match.game.read_pick(pick)
            require(
                read == pick, f"the legal pick {pick!r} is read as {read!r}: it is not in canonical notation"
            )


def _deciding(match: AnyMatch) -> tuple[Seat, ...]:
    return tuple(seat for wave in match.pending for seat in wave)


@driven
def picks_keep_to_the_alphabet(deal: Deal) -> None:
    """Every legal pick is one of `picks(rules, seats)`, which are distinct and written as they are read."""
    game, rules, seats = deal.table
    try:
        alphabet = game.picks(rules, seats)
    except Unsupported:
        say = f"{game.name} has no `picks`: a class needs it to name all picks that there can be"
        raise Broken(say) from None
    require(game.picks(rules, seats) == alphabet, "picks() gave two different answers about one rule set")
    require(len(set(alphabet)) == len(alphabet), f"a pick stands twice in the alphabet: {alphabet}")
    require(RESIGN not in alphabet, f"{RESIGN!r} is the table's own pick and may not be in the alphabet")
    for pick in alphabet:
        read = game.read_pick(pick)
        require(
            read == pick, f"{pick!r} of the alphabet is read as {read!r}: it is not in canonical notation"
        )
    known = set(alphabet)
    match = deal.open()
    _check_known(match, known)
    for after, _, _ in deal.play():
        _check_known(after, known)


def _check_known(match: AnyMatch, alphabet: set[Pick]) -> None:
    for seat in _deciding(match):
        strange = [pick for pick in match.legal(seat) if pick not in alphabet]
        place = f"decision {match.decision} offers {viewer_name(seat)}"
        require(not strange, f"{place} {strange[:3]}, which picks() does not name")


# --- refusals --------------------------------------------------------------------------------------------


@driven
def illegal_picks_are_refused(deal: Deal) -> None:
    """What is illegal, too early or too late is refused with a code, and nothing changes."""
    match = deal.open()
    stream = deal.stream("picks")
    while match.outcome is None and match.decision <= _LOOKED_AT:
        joint = uniform(match, stream)
        deciding = _deciding(match)
        stop = deciding[stream.below(len(deciding))]
        before = repr(match.state)
        _refuse_decisions(match, _wrong_decisions(match, joint))
        for seat in deciding:
            if seat == stop:
                _refuse_picks(match, {*NONSENSE, *(pick for pick in joint if pick)})
                require(repr(match.state) == before, "the state changed when a pick was refused")
            match.seal(seat, str(joint[seat - 1]))
    over = deal.finish()
    last = next(joint for joint in over.picks[::-1] if RESIGN not in joint)
    _refuse_picks(over, {*NONSENSE, *(pick for pick in last if pick)})
    _refuse_decisions(over, [last, *_wrong_decisions(over, last), (None,) * len(last)])


def _refuse_picks(match: AnyMatch, tried: set[Pick]) -> None:
    """Every seat, and two that are not there, tries every pick that it may not seal now."""
    legal = {seat: set(match.legal(seat)) for seat in match.may_seal}
    for seat in (0, *all_seats(len(match.names)), len(match.names) + 1):
        expected = IllegalPick if seat in legal else NotNow
        for pick in sorted(tried - legal.get(seat, set())):
            what = f"the pick {pick[:20]!r} of {viewer_name(seat)}"
            error = _refusal(match, partial(match.seal, seat, pick), what)
            require(not match.can_pick(seat, pick), f"{what} is refused by seal(), but not by can_pick()")
            require(
                isinstance(error, expected), f"{what} is refused as {error.code!r}, not {expected.code!r}"
            )


def _refuse_decisions(match: AnyMatch, tried: list[Joint]) -> None:
    for joint in tried:
        _refusal(match, partial(match.decide, joint), f"the decision {joint}")


def _wrong_decisions(match: AnyMatch, right: Joint) -> list[Joint]:
    """Whole decisions that no record may hold here."""
    seats = all_seats(len(match.names))
    gone = [seat for seat in seats if seat not in match.game.standing(match.state)]
    none_missing = tuple("?" if pick is None else pick for pick in right)
    return [
        (),
        right[:-1],
        (*right, None),
        (*resignation(match, 1), None),
        (RESIGN,) * len(seats),
        *(resignation(match, seat) for seat in gone),
        *((*right[: seat - 1], "?", *right[seat:]) for seat in seats),
        *([none_missing] if None in right else []),
        *([(*right[: seat - 1], None, *right[seat:]) for seat in seats if right[seat - 1] is not None]),
    ]


def _refusal(match: AnyMatch, act: Callable[[], object], what: str) -> FacedownError:
    """The error with which the match refuses, having changed nothing."""
    before = _whereabouts(match)
    try:
        act()
    except FacedownError as error:
        require(_whereabouts(match) == before, f"{what} was refused, but the table changed")
        sentence = bool(error.code and str(error.message).strip()) and "\n" not in str(error)
        require(sentence, f"{what} was refused with {str(error)!r}, which is not one sentence with a code")
        return error
    except Exception as error:
        raise Broken(f"{what} was not refused with a code, but with {error!r}") from error
    raise Broken(f"{what} was not refused in decision {before[0]}")


def _whereabouts(match: AnyMatch) -> tuple[object, ...]:
    return match.decision, id(match.state), match.sealed, len(match.chance.drawn)


def seats_are_counted(game: AnyGame, how: settings = HOW) -> None:
    """The game is dealt with all its numbers of seats, and with no other."""
    counts = seat_counts(game)
    require(len(counts) > 0 and counts[0] >= 1, f"the game is played with {counts[0]} to {counts[-1]} seats")
    for count in (0, counts[0] - 1, counts[-1] + 1):
        try:
            Deal(TableSetup(game, rule_sets(game)[0], count), 0).open()
        except IllegalSeats:
            continue
        raise Broken(f"a table with {count} seats was not refused")


CHECKS: tuple[Check, ...] = (
    seats_that_have_to_pick_can,
    picks_keep_to_the_alphabet,
    illegal_picks_are_refused,
    seats_are_counted,
)
