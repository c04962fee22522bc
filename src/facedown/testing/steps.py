"""Contract, first part: the same deal is the same game, picks count all at once, functions are pure."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from facedown.core.chance import Scripted
from facedown.core.events import EVERYBODY
from facedown.core.game import AnyGame
from facedown.core.replay import AnyMatch
from facedown.core.seats import Viewer, viewer_name
from facedown.core.views import View
from facedown.testing.checks import Broken, require
from facedown.testing.tables import Deal, driven, uniform

_LOOKED_AT = 40
"""The number of decisions in a game that are looked at closely."""


# --- determinism -----------------------------------------------------------------------------------------


@driven
def chance_is_the_argument_alone(deal: Deal) -> None:
    """The same deal is the same game, whatever the global `random` does."""
    with _random_elsewhere(1):
        first = _whole_game(deal)
    with _random_elsewhere(2):
        second = _whole_game(deal)
    with _random_forbidden():
        third = _whole_game(deal)
    for again in (second, third):
        pairs = enumerate(zip(first, again, strict=False))
        place = next((number for number, (one, other) in pairs if one != other), min(len(first), len(again)))
        say = (
            f"the same seed gave two different games, from decision {place} on, beside another global random"
        )
        require(first == again, say)


@contextmanager
def _random_elsewhere(seed: int) -> Iterator[None]:
    """The global `random`, at another place of its stream for every seed."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)


@contextmanager
def _random_forbidden() -> Iterator[None]:
    """The functions of the global `random` refuse to work."""
    functions = {name: getattr(random, name) for name in random.__all__ if name[0].islower()}
    for name in functions:
        setattr(random, name, _refuse_random)
    try:
        yield
    finally:
        for name, function in functions.items():
            setattr(random, name, function)


def _refuse_random(*_: object, **__: object) -> None:
    raise Broken("the game uses the global random: its only chance is the argument that is handed in")


def _whole_game(deal: Deal) -> list[object]:
    """Everything visible of a game: the deal, every decision, and the record."""
    match = deal.open()
    trace: list[object] = [(_views(match), match.dealt.events)]
    for after, joint, step in deal.play():
        match = after
        trace.append((joint, _views(match), step.events))
    return [*trace, match.record()]


def _views(match: AnyMatch) -> list[View]:
    return [match.view(viewer) for viewer in range(len(match.names) + 1)]


# --- joint steps -----------------------------------------------------------------------------------------


@driven
def nothing_happens_before_all_have_sealed(deal: Deal) -> None:
    """Sealing changes neither state nor views until the last seat has sealed, in whatever order."""
    match, at_once = deal.open(), deal.open()
    stream = deal.stream("picks")
    while match.outcome is None and match.decision <= _LOOKED_AT:
        joint = uniform(match, stream)
        waves = [wave if stream.below(2) else wave[::-1] for wave in match.pending]
        *earlier, last = [seat for wave in waves for seat in wave]
        before, looked = match.state, _views(match)
        for seat in earlier:
            revealed = match.seal(seat, str(joint[seat - 1]))
            require(revealed is None, f"something happened when {viewer_name(seat)} sealed: {revealed}")
            same = match.state is before and _views(match) == looked
            require(same, f"the table changed when {viewer_name(seat)} sealed, before the reveal")
        revealed = match.seal(last, str(joint[last - 1]))
        same = revealed == at_once.decide(joint)
        require(same, f"the picks {joint} came to something else when sealed in the order {(*earlier, last)}")


@driven
def functions_are_pure(deal: Deal) -> None:
    """Asking twice gives the same answer, and nothing changes a state that is there already."""
    match = deal.open()
    stream = deal.stream("picks")
    while match.outcome is None and match.decision <= _LOOKED_AT:
        state, before, drawn = match.state, repr(match.state), len(match.chance.drawn)
        joint = uniform(match, stream)
        step = match.decide(joint)
        again = match.game.resolve(state, joint, Scripted(match.chance.drawn[drawn:]))
        require(again == step, f"resolve() came to two different steps for the same picks {joint}")
        _ask_twice(match.game, state, deal.table.viewers)
        require(repr(state) == before, f"the state before decision {match.decision - 1} changed afterwards")


def _ask_twice(game: AnyGame, state: object, viewers: tuple[Viewer, ...]) -> None:
    seen = {viewer: game.view(state, viewer) for viewer in viewers}
    for ask in (game.pending, game.outcome, game.standing):
        require(ask(state) == ask(state), f"{ask.__name__}() gave two different answers about one state")
    for seat in viewers[1:]:
        require(game.legal(state, seat) == game.legal(state, seat), "legal() gave two different answers")
    for viewer in viewers:
        same = game.view(state, viewer) == seen[viewer]
        require(same, f"a question changed what {viewer_name(viewer)} sees of one state")


@driven
def meta_tells_the_truth(deal: Deal) -> None:
    """Where `Meta` says so, there is no chance after the set-up, and no event is private."""
    match = deal.open()
    meta, dealt = match.game.meta, len(match.chance.drawn)
    events = list(match.dealt.events)
    for after, _, step in deal.play():
        match = after
        events.extend(step.events)
    drew = len(match.chance.drawn) > dealt
    require(meta.chance or not drew, "the game draws after the set-up, but its meta says chance=False")
    private = any(event.audience is not EVERYBODY for event in events)
    require(
        meta.hidden_hands or not private, "an event is private, but the game's meta says hidden_hands=False"
    )


CHECKS = (
    chance_is_the_argument_alone,
    nothing_happens_before_all_have_sealed,
    functions_are_pure,
    meta_tells_the_truth,
)
