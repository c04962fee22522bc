"""The rounds of Davenport, of either phase: turning, drawing, going out (D10), resigning (D20), the end.

Owns what a decision makes of a state. `reveal` turns and judges cards, `playoff` has the
playoff's own rules.
"""

from __future__ import annotations

from facedown.core.chance import Chance
from facedown.core.events import Event, Step, private, public
from facedown.core.game import FORFEIT, RESIGN, Joint
from facedown.core.outcome import FORFEITED, RESIGNATION, Outcome, payoffs_to_one
from facedown.core.seats import Seat, all_seats
from facedown.core.views import Plain, plain
from facedown.games.davenport import playoff
from facedown.games.davenport.reveal import (
    DrawnCards,
    RoundVerdict,
    Supply,
    Turned,
    draw_cards,
    draw_events,
    highest,
    judge,
    turn,
)
from facedown.games.davenport.state import (
    BY_PLAYOFF,
    CARDS_EACH,
    MAIN,
    OUT,
    DavenportRound,
    DavenportState,
    Gone,
    Hand,
    OwnChoice,
    by_place,
)


def resolve(state: DavenportState, joint: Joint, chance: Chance) -> Step[DavenportState]:
    """The reveal of a round, or a resignation."""
    if RESIGN in joint:
        return _resign(state, joint)
    supply = Supply(state.stock, state.discards)
    turned = turn(state, joint, supply, chance)
    if state.phase == MAIN:
        return _main_round(state, joint, turned, supply, chance)
    return _playoff_round(state, joint, turned, supply, chance)


# --- a round ---------------------------------------------------------------------------------------------


def _main_round(
    state: DavenportState, joint: Joint, turned: Turned, supply: Supply, chance: Chance
) -> Step[DavenportState]:
    """D6 to D14: winners draw nothing, the others one, and some one more; D10: who is out."""
    verdict = judge(state.seats_in, turned.values, state.rules.ace)
    winners = verdict.winners
    losers = [seat for seat in state.seats_in if seat not in winners]
    drawn = draw_cards([*losers, *verdict.additional], turned.hands, supply, chance)
    after = _round_done(state, joint, turned, supply, winners, drawn, ())
    step = Step(after, _main_events, (after, verdict, drawn, supply))
    if all(turned.hands):
        return step
    out = tuple([seat for seat in after.seats_in if not after.hands[seat - 1]])
    if not out:  # the seats without cards have resigned
        return step
    if len(out) == 1:
        return _end(Step(after, _out_events, (step, out)), out[0], OUT, ("D10",))
    begun = playoff.start(after, out, chance)
    return Step(begun, lambda: _out_events(step, out) + playoff.start_events(begun))


def _playoff_round(
    state: DavenportState, joint: Joint, turned: Turned, supply: Supply, chance: Chance
) -> Step[DavenportState]:
    """D17 to D19: who scored and who leaves; those who are still in draw, unless the game is decided."""
    result = playoff.judge(state, turned.values)
    drawing = () if result.winner is not None else result.staying(state)  # D18, D19
    drawn = draw_cards([*drawing], turned.hands, supply, chance)
    winners = highest(state.seats_in, turned.values)
    after = _round_done(state, joint, turned, supply, winners, drawn, result.leaving)
    after = after._replace(wins=result.wins)
    step = Step(after, _playoff_events, (after, drawn, supply, result))
    return step if result.winner is None else _end(step, result.winner, BY_PLAYOFF, (result.decides,))


def deal_events(start: DavenportState) -> tuple[Event, ...]:
    """D2: how many cards everybody was dealt, and to each seat, which."""
    hands = [
        private(seat, "hand", ("D2",), seat=seat, cards=hand) for seat, hand in enumerate(start.hands, 1)
    ]
    return (public("deal", ("D2",), cards=CARDS_EACH), *hands)


def _main_events(
    after: DavenportState, verdict: RoundVerdict, drawn: DrawnCards, supply: Supply
) -> tuple[Event, ...]:
    why_drawn = ("D7", *(rule for rule in verdict.why if rule != "D6"))
    return (_reveal_event(after, verdict.why), *draw_events(drawn, supply, why_drawn))


def _out_events(step: Step[DavenportState], out: tuple[Seat, ...]) -> tuple[Event, ...]:
    """D10: what a round shows with which seats are out."""
    return (*step.events, public("out", ("D10",), seats=out))


def _playoff_events(
    after: DavenportState, drawn: DrawnCards, supply: Supply, result: playoff.PlayoffResult
) -> tuple[Event, ...]:
    why = (result.rule,)
    events = (_reveal_event(after, why), *draw_events(drawn, supply, (result.decides,)))
    return (*events, public("eliminated", why, seats=result.leaving)) if result.leaving else events


def _round_done(
    state: DavenportState,
    joint: Joint,
    turned: Turned,
    supply: Supply,
    winners: tuple[Seat, ...],
    drawn: DrawnCards,
    leaving: tuple[Seat, ...],
) -> DavenportState:
    """The state after the draws of a round, with the round in its history."""
    rules, phase, number, seats_in, held, _, _, wins, history, past, outcome = state
    for seat in leaving:  # D18: after the others drew
        supply.discards += turned.hands[seat - 1]
        turned.hands[seat - 1] = []
    hands, stock, discards = tuple(map(tuple, turned.hands)), tuple(supply.stock), tuple(supply.discards)
    finished = by_place(
        DavenportRound,
        (
            phase,
            number,
            tuple(turned.shown),
            tuple(turned.exchanged),
            winners,
            tuple(drawn.counts),
            leaving,
            tuple(map(len, hands)),
            len(stock),
            len(discards),
        ),
    )
    left = tuple([seat for seat in seats_in if seat not in leaving]) if leaving else seats_in
    choices, rounds = _remember(past, held, joint), (*history, finished)
    return by_place(
        DavenportState,
        (rules, phase, number + 1, left, hands, stock, discards, wins, rounds, choices, outcome),
    )


def _remember(
    choices: tuple[tuple[OwnChoice, ...], ...], hands: tuple[Hand, ...], joint: Joint
) -> tuple[tuple[OwnChoice, ...], ...]:
    return tuple(
        [
            past if pick is None else past + (by_place(OwnChoice, (hand, pick)),)  # noqa: RUF005  # quicker
            for past, hand, pick in zip(choices, hands, joint, strict=True)
        ]
    )


def _reveal_event(state: DavenportState, why: tuple[str, ...]) -> Event:
    turned = _last_round(state)
    return public(
        "reveal",
        why,
        phase=turned.phase,
        round=turned.number,
        shown=turned.shown,
        exchanged=turned.exchanged,
        winners=turned.winners,
    )


def _last_round(state: DavenportState) -> DavenportRound:
    last = state.history[-1]
    assert isinstance(last, DavenportRound), "a resignation plays no round"
    return last


# --- forfeits --------------------------------------------------------------------------------------------


def forfeit(state: DavenportState, joint: Joint, chance: Chance) -> Step[DavenportState]:
    """D20: a seat that did not open its pick is out, after the round is played among the others. With one
    other seat there is no round: it has won; with none, there is no winner."""
    lost = tuple([seat for seat in state.seats_in if joint[seat - 1] == FORFEIT])
    others = tuple([seat for seat in state.seats_in if seat not in lost])
    picks = tuple([None if pick == FORFEIT else pick for pick in joint])
    if len(others) > 1:
        played = resolve(state._replace(seats_in=others), picks, chance)
    else:
        played = Step(state._replace(seats_in=others))
    after, fresh = played.state, played.state.phase != state.phase
    cards = () if fresh else tuple([card for seat in lost for card in after.hands[seat - 1]])
    after = after._replace(  # a playoff has begun with a fresh deck
        hands=tuple([() if seat in lost else hand for seat, hand in enumerate(after.hands, 1)]),
        discards=after.discards + cards,
        history=(*after.history, *(Gone(seat) for seat in lost)),
        choices=_remember(after.choices, state.hands, _alone(joint)),
    )
    step = Step(after, _forfeit_events, (played, lost))
    if len(others) > 1:
        return step
    return _end(step, others[0] if others else None, FORFEITED, ("D20",))


def _alone(joint: Joint) -> Joint:
    """The forfeits of a decision alone."""
    return tuple([pick if pick == FORFEIT else None for pick in joint])


def _forfeit_events(played: Step[DavenportState], lost: tuple[Seat, ...]) -> tuple[Event, ...]:
    return (*(public("forfeit", ("D20",), seat=seat) for seat in lost), *played.events)


# --- leaving and the end ---------------------------------------------------------------------------------


def _resign(state: DavenportState, joint: Joint) -> Step[DavenportState]:
    """D20: the cards go to the discards, the others play on; the last seat left wins."""
    seat = joint.index(RESIGN) + 1
    left = tuple([each for each in state.seats_in if each != seat])
    after = state._replace(
        seats_in=left,
        hands=tuple([() if each == seat else hand for each, hand in enumerate(state.hands, 1)]),
        discards=state.discards + state.hands[seat - 1],
        history=(*state.history, Gone(seat)),
        choices=_remember(state.choices, state.hands, joint),
    )
    step = Step(after, (public("resignation", ("D20",), seat=seat),))
    return step if len(left) > 1 else _end(step, left[0], RESIGNATION, ("D20",))


def _end(
    step: Step[DavenportState], winner: Seat | None, why: str, rules: tuple[str, ...]
) -> Step[DavenportState]:
    seats = len(step.state.hands)
    score = tuple([int(seat == winner) for seat in all_seats(seats)])
    outcome = Outcome(winner, why, score, payoffs_to_one(winner, seats))
    return Step(step.state._replace(outcome=outcome), _end_events, (step, outcome, rules))


def _end_events(step: Step[DavenportState], outcome: Outcome, rules: tuple[str, ...]) -> tuple[Event, ...]:
    said = {"winner": outcome.winner, "termination": outcome.termination, "score": outcome.score}
    return (*step.events, public("end", rules, **said))


# --- for programs ----------------------------------------------------------------------------------------


def decision_json(before: DavenportState, joint: Joint, after: DavenportState) -> dict[str, Plain]:
    """One decision, as `facedown replay --json` prints it."""
    entry = after.history[len(before.history)]
    if FORFEIT in joint:
        return _forfeit_json(before, entry, joint, after)
    return _json_of(before, entry, after, "resign" if RESIGN in joint else "play")


def _forfeit_json(
    before: DavenportState, entry: DavenportRound | Gone, joint: Joint, after: DavenportState
) -> dict[str, Plain]:
    """The round of the others, and then the cards of those who are out among the discards."""
    whole = _json_of(before, entry, after, "forfeit")
    if isinstance(entry, Gone):
        return whole
    gone = [seat for seat, pick in enumerate(joint, 1) if pick == FORFEIT]
    hands: list[Plain] = [0 if seat in gone else count for seat, count in enumerate(entry.hands, 1)]
    return {**whole, "hands": hands, "discards": entry.discards + sum(entry.hands[seat - 1] for seat in gone)}


def _json_of(
    before: DavenportState, entry: DavenportRound | Gone, after: DavenportState, kind: str
) -> dict[str, Plain]:
    if isinstance(entry, Gone):
        no_card, none = (None,) * len(before.hands), (False,) * len(before.hands)
        sizes = tuple(map(len, after.hands)), len(after.stock), len(after.discards)
        entry = DavenportRound(
            before.phase, before.round, no_card, none, (), tuple(map(int, none)), (), *sizes
        )
    facts = {"round" if name == "number" else name: plain(fact) for name, fact in entry._asdict().items()}
    return {"kind": kind, **facts}
