"""View encoding: the same bytes for every order of viewers, and deltas that add up to the view."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from facedown.core import registry
from facedown.core.events import private
from facedown.core.outcome import Outcome
from facedown.core.replay import start, turns
from facedown.core.rules import Rules
from facedown.core.seats import all_seats
from facedown.core.views import View, plain
from facedown.protocol.messages import Ev, encode
from facedown.protocol.views import ViewEncoder, game_event
from tests.terminal.consoles import fixtures


class Shown(NamedTuple):
    seat: int
    card: int


class Drawn(NamedTuple):
    seat: int
    cards: int


class TwoHistories(NamedTuple):
    viewer: int
    rules: Rules
    waiting: tuple[tuple[int, ...], ...]
    outcome: Outcome | None
    shown: tuple[Shown, ...]
    drawn: tuple[Drawn, ...]


RULES = registry.get(registry.names()[0]).rules.read("")


def view(shown: tuple[Shown, ...], drawn: tuple[Drawn, ...] = ()) -> TwoHistories:
    return TwoHistories(1, RULES, (), None, shown, drawn)


def delta(encoder: ViewEncoder, before: Any, after: Any) -> dict[str, Any]:
    frame = encode(Ev(v=1, k="revealed", change=encoder.delta(before, after)))
    found: dict[str, Any] = json.loads(frame)["change"]
    return found


@pytest.mark.parametrize("game", registry.names())
def test_one_encoder_for_all_viewers_of_a_table_gives_each_their_own_view(game: str) -> None:
    for record in [each for each in fixtures() if each.game == game][::60]:
        match, encoder = start(record), ViewEncoder()
        viewers = (0, *all_seats(len(record.seats)))
        seen = {viewer: json.loads(bytes(encoder.view(match.view(viewer)))) for viewer in viewers}
        before = {viewer: match.view(viewer) for viewer in viewers}
        for _ in turns(record, match):
            for viewer in viewers:
                after = match.view(viewer)
                change = delta(encoder, before[viewer], after)
                longer = {name: seen[viewer][name] + more for name, more in change.get("more", {}).items()}
                seen[viewer] = {**seen[viewer], **change.get("put", {}), **longer}
                before[viewer] = after
                assert seen[viewer] == plain(after)
                assert bytes(encoder.view(after)) == bytes(ViewEncoder().view(after))


def test_equal_entries_of_different_types_are_not_taken_for_each_other() -> None:
    """Named tuples are equal if their values are: a cache by equality would write the wrong names."""
    encoder = ViewEncoder()
    encoder.view(view((Shown(1, 2),)))

    found = json.loads(bytes(encoder.view(view((Shown(1, 2),), (Drawn(1, 2),)))))

    assert found["shown"] == [{"seat": 1, "card": 2}]
    assert found["drawn"] == [{"seat": 1, "cards": 2}]


def test_entries_made_after_others_are_gone_get_their_own_bytes() -> None:
    """An address in memory is used again; the encoder keeps what it has encoded, so that none is mistaken."""
    encoder = ViewEncoder()
    for number in range(2000):
        found = json.loads(bytes(encoder.view(view((Shown(1, number),)))))
        assert found["shown"] == [{"seat": 1, "card": number}]
    encoder.clear()
    assert json.loads(bytes(encoder.view(view((Shown(2, 7),)))))["shown"] == [{"seat": 2, "card": 7}]


def test_a_delta_appends_to_a_history_and_replaces_all_else() -> None:
    first, second = Shown(1, 2), Shown(2, 3)
    encoder = ViewEncoder()

    assert delta(encoder, view((first,)), view((first,))) == {}
    assert delta(encoder, view((first,)), view((first, second))) == {"more": {"shown": [plain(second)]}}
    assert delta(encoder, view((first,)), view((second, first))) == {
        "put": {"shown": [plain(second), plain(first)]}
    }
    assert delta(encoder, view((first,)), view(())) == {"put": {"shown": []}}


def test_a_view_may_be_a_dataclass() -> None:
    before = View(viewer=1, rules=RULES, waiting=((1,), (2,)), outcome=None)
    after = View(viewer=1, rules=RULES, waiting=((2,),), outcome=None)

    assert json.loads(bytes(ViewEncoder().view(before))) == plain(before)
    assert delta(ViewEncoder(), before, after) == {"put": {"waiting": [[2]]}}


def test_an_event_that_a_viewer_may_not_know_is_one_sign() -> None:
    event = private(1, "drew", ("D1",), card="7H")
    frames = [encode(Ev(v=1, k="revealed", events=(game_event(event.seen_by(seat)),))) for seat in (1, 2)]

    assert json.loads(frames[0])["events"] == [{"kind": "drew", "facts": {"card": "7H"}, "rules": ["D1"]}]
    assert json.loads(frames[1])["events"] == [{"kind": "-"}]
